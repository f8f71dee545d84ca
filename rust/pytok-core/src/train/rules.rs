//! Which pairs may be merged: alignment to characters and granularity.

use rustc_hash::{FxHashMap, FxHashSet};

use super::config::BpeConfig;
use super::grammar::Grammar;
use super::pieces::{Pieces, Shape};
use super::threads::share_out;
use super::words::Words;
use crate::error::Result;
use crate::ids::offset;
use crate::pretokenize::scan::classes;

/// Which pairs a run merges.
pub(super) trait JoinRules {
    /// Whether a pair that stands side by side in a text may be merged at all.
    fn may_join(&self, pieces: &Pieces, left: u32, right: u32) -> bool;

    /// Whether the piece that such a pair makes is allowed.
    fn allows(&self, pieces: &Pieces, left: u32, right: u32) -> bool;

    /// The least count at which a pair may be merged.
    fn least_count(&self, pieces: &Pieces, left: u32, right: u32) -> u64;
}

/// The rules of a run.
#[derive(Debug)]
pub(super) struct Rules {
    char_align: bool,
    max_bytes: u32,
    min_chars: u32,
    max_chars: u32,
    word_bytes: (u32, u32),
    min_frequency: u64,
    min_word_frequency: u64,
    /// The Han characters that may be pieces; all of them when `None`.
    han: Option<FxHashSet<char>>,
    grammar: Option<Grammar>,
}

fn is_han(character: char) -> bool {
    classes::oniguruma().class(character.into()).is_han()
}

/// The characters that are pieces whatever pairs they are made of, the most
/// frequent first: those required, and Han characters with a count of `tau_c`.
///
/// # Errors
/// When words that lie in a file cannot be read.
pub(super) fn sure_chars(config: &BpeConfig, words: &dyn Words) -> Result<Vec<char>> {
    if config.tau_c.is_none() && config.required_chars.is_empty() {
        return Ok(Vec::new());
    }
    let counts = count_chars(words, config.threads)?;
    let mut sure: FxHashSet<char> = config.required_chars.iter().copied().collect();
    sure.retain(|c| !c.is_ascii()); // those are bytes
    if let Some(tau_c) = config.tau_c {
        let of_han = counts.iter().filter(|&(&c, _)| is_han(c));
        let total = of_han.fold(0_u64, |sum, (_, &count)| sum.saturating_add(count));
        let tau_c = config
            .tau_c_part
            .map_or(tau_c, |part| tau_c.max(total / part));
        let frequent = counts.iter().filter(|&(&c, &n)| n >= tau_c && is_han(c));
        sure.extend(frequent.map(|(&character, _)| character));
    }
    let mut sure: Vec<char> = sure.into_iter().collect();
    let count = |character| counts.get(&character).copied().unwrap_or(0);
    sure.sort_unstable_by_key(|&character| (std::cmp::Reverse(count(character)), character));
    Ok(sure)
}

/// How often characters occur that are not ASCII.
fn count_chars(words: &dyn Words, threads: usize) -> Result<FxHashMap<char, u64>> {
    type Counts = FxHashMap<char, u64>;
    let count_word = |word: &[u8], count: u64, counts: &mut Counts| {
        for chunk in word.utf8_chunks() {
            for character in chunk.valid().chars().filter(|c| !c.is_ascii()) {
                let known = counts.entry(character).or_insert(0);
                *known = known.saturating_add(count);
            }
        }
    };
    let mut counts = Counts::default();
    let Some(table) = words.table() else {
        words.for_each(&mut |word, count| {
            count_word(word, count, &mut counts);
            Ok(())
        })?;
        return Ok(counts);
    };
    let parts = share_out(table.len(), threads, |ranges| {
        let mut counts = Counts::default();
        for (word, count) in ranges.flat_map(|range| table.range(range)) {
            count_word(word, count, &mut counts);
        }
        counts
    });
    for (character, count) in parts.into_iter().flatten() {
        let known = counts.entry(character).or_insert(0);
        *known = known.saturating_add(count);
    }
    Ok(counts)
}

/// The first two bytes of the Han characters of the basic plane, of kana and CJK
/// marks, and of full-width forms, in order.
pub(super) fn han_prefixes() -> Vec<[u8; 2]> {
    let blocks = [
        '\u{3000}'..='\u{30FF}',
        '\u{3400}'..='\u{4DBF}',
        '\u{4E00}'..='\u{9FFF}',
        '\u{FF00}'..='\u{FF7F}',
    ];
    let first_two = |character: char| {
        let mut buffer = [0; 4];
        character.encode_utf8(&mut buffer);
        [buffer[0], buffer[1]]
    };
    let mut prefixes: Vec<_> = blocks.into_iter().flatten().map(first_two).collect();
    prefixes.dedup();
    prefixes
}

impl Rules {
    /// The rules for the pieces of these words.
    ///
    /// # Errors
    /// When words that lie in a file cannot be read.
    pub(super) fn new(config: &BpeConfig, sure_chars: &[char], words: &dyn Words) -> Result<Self> {
        let (least, most) = match &config.span_bytes {
            Some(span) => (*span.start(), *span.end()),
            None => (0, u32::MAX),
        };
        Ok(Self {
            char_align: config.char_align,
            max_bytes: config.max_token_bytes.unwrap_or(u32::MAX),
            min_chars: config.min_chars,
            max_chars: config.max_chars.unwrap_or(u32::MAX),
            word_bytes: (least, most),
            min_frequency: config.min_frequency,
            min_word_frequency: config.tau_w.unwrap_or(0).max(config.min_frequency),
            han: config.tau_c.map(|_| sure_chars.iter().copied().collect()),
            grammar: config.grammar.then(|| Grammar::new(words)).transpose()?,
        })
    }

    /// Whether a word that was not grown is allowed.
    pub(super) fn allows_word(&self, word: &str) -> bool {
        let bytes = offset(word.len());
        let chars = offset(word.chars().count());
        let (least, most) = self.word_bytes;
        self.is_word(chars)
            && chars <= self.max_chars
            && bytes <= self.max_bytes
            && (least..=most).contains(&bytes)
            && self.grammar.as_ref().is_none_or(|g| g.allows(word))
    }

    /// Whether whole characters that were not grown are allowed.
    pub(super) fn allows_piece(&self, text: &str) -> bool {
        let is_rare_han = |c| is_han(c) && self.han.as_ref().is_some_and(|han| !han.contains(&c));
        let bytes = offset(text.len());
        let is_character = text.chars().nth(1).is_none();
        (is_character && bytes <= self.max_bytes || self.allows_word(text))
            && !text.chars().any(is_rare_han)
    }

    fn is_word(&self, chars: u32) -> bool {
        chars >= self.min_chars
    }
}

impl JoinRules for &Rules {
    #[inline]
    fn may_join(&self, pieces: &Pieces, left: u32, right: u32) -> bool {
        !self.char_align || pieces.shape(left).joins(pieces.shape(right))
    }

    fn allows(&self, pieces: &Pieces, left: u32, right: u32) -> bool {
        let bytes = pieces.length(left).saturating_add(pieces.length(right));
        if bytes > self.max_bytes {
            return false;
        }
        let joined = Joined::of(pieces, left, right);
        if self.is_word(joined.chars()) {
            let (least, most) = self.word_bytes;
            if joined.chars() > self.max_chars || !(least..=most).contains(&bytes) {
                return false;
            }
        }
        match (joined, &self.han, &self.grammar) {
            (Joined::Character(c), Some(han), _) => !is_han(c) || han.contains(&c),
            (Joined::Characters(_), _, Some(grammar)) => {
                let piece = pieces.join(left, right);
                std::str::from_utf8(&piece).is_ok_and(|text| grammar.allows(text))
            }
            _ => true,
        }
    }

    fn least_count(&self, pieces: &Pieces, left: u32, right: u32) -> u64 {
        if self.is_word(Joined::of(pieces, left, right).chars()) {
            self.min_word_frequency
        } else {
            self.min_frequency
        }
    }
}

/// What a pair makes.
#[derive(Debug, Clone, Copy)]
enum Joined {
    /// Whole characters, so many of them.
    Characters(u32),
    /// The one character that is complete now.
    Character(char),
    /// No whole character.
    Part,
}

impl Joined {
    fn of(pieces: &Pieces, left: u32, right: u32) -> Self {
        if pieces.shape(left) != Shape::Head {
            return match pieces.chars(left) + pieces.chars(right) {
                0 => Self::Part,
                chars => Self::Characters(chars),
            };
        }
        let bytes = pieces.join(left, right);
        let text = std::str::from_utf8(&bytes).ok();
        match text.and_then(|text| text.chars().next()) {
            Some(character) => Self::Character(character),
            None => Self::Part,
        }
    }

    fn chars(self) -> u32 {
        match self {
            Self::Characters(chars) => chars,
            Self::Character(_) => 1,
            Self::Part => 0,
        }
    }
}
