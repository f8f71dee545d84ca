//! Characters that recognition takes for one another: reported, never changed.
//!
//! A character is reported only where another reading is likely: the part of the
//! text around it is cut into words in the likeliest way, once as it is and once
//! with the other character; the second must be likelier by a margin and have the
//! character in a word. Words are independent of one another, each as likely as its
//! count. Signs that look like numerals are judged by the numerals around them.

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::context::{is_han, is_numeral};
use super::rewrite::Rewriter;
use crate::error::{Error, Result};

/// What is taken for what, and the words that decide.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OcrReportDefinition {
    /// Groups of characters that are taken for one another.
    pub groups: Vec<String>,
    /// Lines `word count`: words that may stand in a text, single characters too.
    pub words: String,
    /// The least count of a word that makes another reading likely.
    pub min_count: u32,
    /// By how much another reading must be likelier, in nats.
    pub margin: f64,
    /// Rows `sign, the other reading, around what`.
    pub signs: Vec<(char, char, Around)>,
}

/// What must be around a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Around {
    /// Chinese numerals on both sides, or one and a unit of time.
    Numerals,
    /// `第`, `初` or a round number, and behind it what is counted.
    Counted,
    /// Chinese characters on both sides.
    Han,
    /// Katakana on both sides.
    Katakana,
    /// Chinese characters on both sides, none of them a numeral.
    NoNumerals,
}

/// The groups and words, compiled.
#[derive(Debug)]
pub(super) struct OcrReport {
    /// The others of its groups, for each character.
    others: FxHashMap<char, Vec<char>>,
    words: Words,
    min_count: u32,
    margin: f64,
    signs: FxHashMap<char, Vec<(char, Around)>>,
}

/// Words with the logarithms of their counts.
#[derive(Debug)]
struct Words {
    counts: FxHashMap<Box<[char]>, (u32, f64)>,
    longest: usize,
    /// The logarithm of the sum of all counts.
    total: f64,
}

/// The likeliest way to cut a part of a text, and the word over a place in it.
#[derive(Debug)]
struct Cut {
    score: f64,
    word: Vec<char>,
}

/// Longer words are left out; it bounds the search.
const LONGEST: usize = 8;

/// How many characters on either side are looked at.
const AROUND: usize = 4;

/// The count of a character that is no word of the list.
const UNKNOWN: f64 = 0.5;

impl OcrReport {
    /// # Errors
    /// Names the group that has fewer than two characters, or the line of words
    /// that is not a word and a count.
    pub(super) fn new(definition: &OcrReportDefinition) -> Result<Self> {
        let mut others: FxHashMap<char, Vec<char>> = FxHashMap::default();
        for group in &definition.groups {
            if group.chars().count() < 2 {
                let message = format!("{group:?}, expected at least two characters");
                return Err(Error::argument("groups", message));
            }
            for character in group.chars() {
                let list = others.entry(character).or_default();
                for other in group.chars().filter(|&other| other != character) {
                    if !list.contains(&other) {
                        list.push(other);
                    }
                }
            }
        }
        let mut signs: FxHashMap<char, Vec<(char, Around)>> = FxHashMap::default();
        for &(sign, other, around) in &definition.signs {
            signs.entry(sign).or_default().push((other, around));
        }
        Ok(Self {
            others,
            words: Words::new(&definition.words)?,
            min_count: definition.min_count,
            margin: definition.margin,
            signs,
        })
    }

    /// # Complexity
    /// O(n) for n characters, of which each has few others and words are short.
    pub(super) fn rewrite(&self, text: &str, out: &mut Rewriter<'_>) {
        if !out.records() {
            return;
        }
        let characters: Vec<(usize, char)> = text.char_indices().collect();
        let letters: Vec<char> = characters.iter().map(|&(_, character)| character).collect();
        for (number, &(place, character)) in characters.iter().enumerate() {
            let found = self
                .sign(&letters, number)
                .or_else(|| self.reading(&letters, number));
            if let Some((other, reason)) = found {
                let candidates = vec![other.to_string(), character.to_string()];
                out.keep(place..place + character.len_utf8(), candidates, reason);
            }
        }
    }

    /// The likeliest other reading, of equal ones the first of the group.
    fn reading(&self, letters: &[char], at: usize) -> Option<(char, String)> {
        let others = self.others.get(&letters[at])?;
        let from = at.saturating_sub(AROUND);
        let mut part = letters[from..letters.len().min(at + AROUND + 1)].to_vec();
        let here = at - from;
        let stands = self.words.cut(&part, here).score;
        let mut best: Option<(char, Cut)> = None;
        for &other in others {
            part[here] = other;
            let cut = self.words.cut(&part, here);
            let is_word = cut.word.len() > 1 && self.words.count(&cut.word) >= self.min_count;
            if is_word
                && cut.score - stands > self.margin
                && best
                    .as_ref()
                    .is_none_or(|(_, before)| cut.score > before.score)
            {
                best = Some((other, cut));
            }
        }
        best.map(|(other, cut)| {
            let word: String = cut.word.into_iter().collect();
            (other, format!("{other} would give {word}"))
        })
    }

    fn sign(&self, letters: &[char], at: usize) -> Option<(char, String)> {
        let rows = self.signs.get(&letters[at])?;
        let before = letters[..at].last().copied()?;
        let after = letters.get(at + 1).copied()?;
        let like_numeral = |c: char| is_numeral(c) || self.is_numeral_sign(c);
        let stands = |around: Around| match around {
            Around::Numerals => {
                (is_numeral(before) && (like_numeral(after) || "年月日".contains(after)))
                    || (like_numeral(before) && is_numeral(after))
                    || (self.is_numeral_sign(before) && "年月日".contains(after))
            }
            Around::Counted => {
                "第初十百千廿卅".contains(before)
                    && "年月日號号頁页章回卷節节人個个次".contains(after)
            }
            Around::Han => is_han(before) && is_han(after),
            Around::Katakana => is_katakana(before) && is_katakana(after),
            Around::NoNumerals => {
                let plain = |c: char| is_han(c) && !is_numeral(c);
                plain(before) && plain(after) && !"年月日".contains(after)
            }
        };
        let &(other, _) = rows.iter().find(|(_, around)| stands(*around))?;
        Some((other, format!("{} where {other} is likely", letters[at])))
    }

    fn is_numeral_sign(&self, sign: char) -> bool {
        let rows = self.signs.get(&sign);
        rows.is_some_and(|rows| rows.iter().any(|(_, around)| *around == Around::Numerals))
    }
}

impl Words {
    fn new(lines: &str) -> Result<Self> {
        let mut counts: FxHashMap<Box<[char]>, (u32, f64)> = FxHashMap::default();
        let mut longest = 1;
        let mut total = 1.0;
        for line in lines.lines() {
            let entry = line
                .split_once(' ')
                .and_then(|(word, count)| Some((word, count.parse::<u32>().ok()?)));
            let Some((word, count)) = entry else {
                let message = format!("{line:?}, expected a word and a count");
                return Err(Error::argument("words", message));
            };
            let word: Box<[char]> = word.chars().collect();
            if (1..=LONGEST).contains(&word.len()) {
                longest = longest.max(word.len());
                total += f64::from(count);
                counts.insert(word, (count, libm::log(f64::from(count).max(UNKNOWN))));
            }
        }
        Ok(Self {
            counts,
            longest,
            total: libm::log(total),
        })
    }

    fn count(&self, word: &[char]) -> u32 {
        self.counts.get(word).map_or(0, |&(count, _)| count)
    }

    /// Viterbi over the words of a part of a text; of equal ways the one whose last
    /// word begins first.
    fn cut(&self, letters: &[char], at: usize) -> Cut {
        let mut best = vec![(0.0, 0); letters.len() + 1];
        for end in 1..=letters.len() {
            best[end] = (f64::NEG_INFINITY, end - 1);
            for start in end.saturating_sub(self.longest)..end {
                let score = match self.counts.get(&letters[start..end]) {
                    Some(&(_, score)) => score,
                    None if end - start == 1 => libm::log(UNKNOWN),
                    None => continue,
                };
                let score = best[start].0 + score - self.total;
                if score > best[end].0 {
                    best[end] = (score, start);
                }
            }
        }
        let score = best[letters.len()].0;
        let mut end = letters.len();
        while best[end].1 > at {
            end = best[end].1;
        }
        Cut {
            score,
            word: letters[best[end].1..end].to_vec(),
        }
    }
}

fn is_katakana(character: char) -> bool {
    matches!(character, '\u{30A1}'..='\u{30FA}' | '\u{30FC}')
}
