//! Which new pieces are allowed. The answer depends on the bytes of a piece, not
//! on the pair that makes it.

use rustc_hash::FxHashSet;

use super::config::ExtendConfig;
use crate::error::Result;
use crate::ids::index;
use crate::pipeline::{Tokenizer, is_control};
use crate::pretokenize::regex::{Dialect, Regex};
use crate::sentencepiece::{PieceRules, SPACE_MARK};
use crate::train::pieces::{Pieces, Shape};
use crate::train::rules::JoinRules;

/// The rules of extending.
#[derive(Debug)]
pub(super) struct ExtendRules {
    min_frequency: u64,
    max_bytes: usize,
    max_chars: usize,
    char_align: bool,
    only: Option<Regex>,
    literals: Literals,
    /// What a SentencePiece file says about its pieces.
    spec: Option<PieceRules>,
    /// Symbols that are no pieces and become none.
    pub(super) barred: FxHashSet<u32>,
    /// Pairs that spell a piece that there is are merged.
    pub(super) merges_spelled: bool,
}

impl ExtendRules {
    /// The rules of a config, for a tokenizer.
    ///
    /// # Errors
    /// When `only` cannot be compiled.
    pub(super) fn new(config: &ExtendConfig, tokenizer: &Tokenizer) -> Result<Self> {
        let only = config.only.as_ref().map(|pattern| {
            Regex::new(&format!(r"\A(?:{pattern})\z"), Dialect::Oniguruma).map_err(|_| {
                crate::Error::argument(
                    "only",
                    format!(
                        "{pattern:?}; expected a regular expression in the syntax of tokenizers"
                    ),
                )
            })
        });
        Ok(Self {
            min_frequency: config.min_frequency,
            max_bytes: index(config.max_token_bytes),
            max_chars: config.max_chars.map_or(usize::MAX, index),
            char_align: config.char_align,
            only: only.transpose()?,
            literals: Literals::of(tokenizer),
            spec: tokenizer
                .sentencepiece()
                .map(|model| model.piece_rules().clone()),
            barred: FxHashSet::default(),
            merges_spelled: false,
        })
    }

    /// Whether a new piece may have these bytes.
    pub(super) fn allows_piece(&self, bytes: &[u8]) -> bool {
        let text = std::str::from_utf8(bytes).ok();
        let chars = text.map_or(1, |text| text.chars().count());
        bytes.len() <= self.max_bytes
            && chars <= self.max_chars
            && (!self.char_align || Shape::of(bytes) != Shape::Mixed)
            && !self.literals.stands_in(bytes)
            && self
                .spec
                .as_ref()
                .is_none_or(|spec| text.is_some_and(|text| spec.allows(text)))
            && match (&self.only, text) {
                (None, _) => true,
                (Some(only), Some(text)) if self.spec.is_some() => {
                    matches(only, &text.replace(SPACE_MARK, " "))
                }
                (Some(only), Some(text)) => matches(only, text),
                (Some(only), None) => completions(bytes).any(|text| matches(only, &text)),
            }
    }
}

/// A text on which the expression gives up does not match.
fn matches(only: &Regex, text: &str) -> bool {
    matches!(only.find_at(text, 0), Ok(Some(_)))
}

/// The characters that begin with these bytes; none unless they are two or three
/// first bytes of a character.
fn completions(bytes: &[u8]) -> impl Iterator<Item = String> {
    let is_head = Shape::of(bytes) == Shape::Head && bytes.len() > 1;
    let missing = match bytes.first() {
        Some(0xE0..=0xEF) if is_head => 3_usize.saturating_sub(bytes.len()),
        Some(0xF0..=0xF4) if is_head => 4_usize.saturating_sub(bytes.len()),
        _ => 0,
    };
    let count: u32 = if missing == 0 { 0 } else { 1 << (6 * missing) };
    let bytes = bytes.to_vec();
    (0..count).filter_map(move |number| {
        let mut text = bytes.clone();
        for place in (0..missing).rev() {
            let six = (number >> (6 * place)) & 0x3F;
            text.push(0x80 | u8::try_from(six).unwrap_or_default());
        }
        String::from_utf8(text).ok()
    })
}

impl JoinRules for ExtendRules {
    #[inline]
    fn may_join(&self, _: &Pieces, _: u32, _: u32) -> bool {
        true
    }

    fn allows(&self, pieces: &Pieces, left: u32, right: u32) -> bool {
        if self.barred.contains(&left) || self.barred.contains(&right) {
            return false;
        }
        let joined = pieces.join(left, right);
        match pieces.id(&joined) {
            Some(_) => self.merges_spelled,
            None => self.allows_piece(&joined),
        }
    }

    fn least_count(&self, _: &Pieces, _: u32, _: u32) -> u64 {
        self.min_frequency
    }
}

/// The spellings of special tokens, which no new piece contains; of a SentencePiece
/// model also those of its control, unknown and byte pieces.
#[derive(Debug)]
struct Literals {
    contents: FxHashSet<Box<[u8]>>,
    lengths: Vec<usize>,
    first: [bool; 256],
}

impl Literals {
    fn of(tokenizer: &Tokenizer) -> Self {
        let tokens = tokenizer.added_tokens().into_iter();
        let special = tokens
            .filter(|token| is_control(token) && !token.content.is_empty())
            .map(|token| token.content);
        let model = tokenizer.sentencepiece().into_iter();
        let reserved = model.flat_map(|model| model.reserved_pieces().map(str::to_owned));
        let contents: FxHashSet<Box<[u8]>> = special
            .chain(reserved)
            .map(|content| content.into_bytes().into())
            .collect();
        let mut lengths: Vec<usize> = contents.iter().map(|content| content.len()).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let mut first = [false; 256];
        for content in &contents {
            first[usize::from(content[0])] = true;
        }
        Self {
            contents,
            lengths,
            first,
        }
    }

    fn stands_in(&self, bytes: &[u8]) -> bool {
        let starts = (0..bytes.len()).filter(|&start| self.first[usize::from(bytes[start])]);
        starts.into_iter().any(|start| {
            let windows = self
                .lengths
                .iter()
                .map_while(|length| bytes.get(start..start + length));
            windows
                .into_iter()
                .any(|window| self.contents.contains(window))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_of_a_character_stand_for_those_that_begin_so() {
        let of = |bytes: &[u8]| completions(bytes).collect::<Vec<_>>();
        assert_eq!(of(b"\xE4\xB8").len(), 64);
        assert_eq!(of(b"\xE4\xB8")[0], "\u{4E00}");
        assert_eq!(of(b"\xF0\xA0").len(), 4096);
        for none in [
            &b"\xE4"[..],
            b"\xB8\xAD",
            b"a",
            " 中".as_bytes(),
            b" \xE4\xB8",
        ] {
            assert!(of(none).is_empty());
        }
    }
}
