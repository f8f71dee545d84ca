//! The words of a text, block by block: the most likely way under a dictionary.
//!
//! What [`crate::train::segmenter`] finds, boundary for boundary, with another index:
//! words are sorted in groups by their first two characters. It is made in a third of
//! the time, and most places of a text have no group.

use std::fmt;

use rustc_hash::FxHashMap;

use super::pair_set::PairSet;
use crate::error::Result;
use crate::ids::{index, offset};
use crate::train::natural_log::natural_log;
use crate::train::segmenter::Dictionary;

/// The words of a dictionary. Immutable.
///
/// # Examples
/// ```
/// use pytok_core::zh::{Ways, Words};
/// let words = Words::from_dictionary("北京 34488 ns\n大学 20025 n\n")?;
/// let block: Vec<char> = "北京大学".chars().collect();
/// let mut boundaries = Vec::new();
/// words.boundaries(&block, &mut Ways::default(), &mut |place| boundaries.push(place));
/// assert_eq!(boundaries, [2]);
/// # Ok::<(), pytok_core::Error>(())
/// ```
pub struct Words {
    /// The score of each word of one character; negative infinity where there is none.
    singles: Vec<f64>,
    /// The same for characters beyond the basic plane.
    others: FxHashMap<char, f64>,
    pairs: PairSet,
    /// The pairs of characters that are side by side in a word, wherever.
    joins: PairSet,
    /// By the first two characters, the words that begin with them.
    groups: FxHashMap<(char, char), Group>,
    /// The words of three or more characters.
    words: Vec<Word>,
    /// What all words have behind their first two characters.
    rests: Vec<char>,
    /// The score of a character with which no word begins.
    unknown: f64,
}

/// The words that begin with two characters. Most are these two alone, so a look at
/// the group is all that a place costs.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// The score of the two characters; negative infinity where they are no word.
    score: f64,
    /// Where the longer ones are in `words`.
    longer: (u32, u32),
}

/// A word of three or more characters; in a group they ascend.
#[derive(Debug)]
struct Word {
    /// Where its rest is in `rests`.
    rest: (u32, u32),
    /// The longest other word of the group with which it begins, or [`NONE`].
    shorter: u32,
    score: f64,
}

/// Room for [`Words::boundaries`], 16 bytes a character: by place, the score of the
/// best way from there to the end of the block and the length of its first word.
#[derive(Debug, Default)]
pub struct Ways(Vec<(f64, u32)>);

const NONE: u32 = u32::MAX;
const BASIC: usize = 0x1_0000;

/// The size of the set of pairs in words: jieba's have some 300,000.
const JOIN_BITS: u32 = 22;

impl Words {
    /// The words of `text`: lines `word frequency[ tag]`, as
    /// [`crate::train::segmenter::WordSegmenter::from_dictionary`] reads them.
    ///
    /// # Errors
    /// Names the line that has no frequency; also when there is no word.
    ///
    /// # Complexity
    /// O(n log n) comparisons for n words.
    pub fn from_dictionary(text: &str) -> Result<Self> {
        let dictionary = Dictionary::parse(text)?;
        let total = natural_log(dictionary.total());
        // Most words share their frequency with many others.
        let mut known: FxHashMap<u64, f64> = FxHashMap::default();
        let mut score = |frequency| {
            *known
                .entry(frequency)
                .or_insert_with(|| natural_log(frequency) - total)
        };
        let mut words = Self {
            singles: vec![f64::NEG_INFINITY; BASIC],
            others: FxHashMap::default(),
            pairs: PairSet::default(),
            joins: PairSet::with_bits(JOIN_BITS),
            groups: FxHashMap::default(),
            words: Vec::new(),
            rests: Vec::new(),
            unknown: score(1),
        };
        let mut longer: Vec<(char, char, &str, f64)> = Vec::new();
        for (word, frequency) in dictionary.words() {
            let mut rest = word.chars();
            let score = score(frequency);
            words.add_joins(word);
            match (rest.next(), rest.next()) {
                (Some(single), None) => words.add_single(single, score),
                (Some(first), Some(second)) if rest.as_str().is_empty() => {
                    words.group(first, second).score = score;
                }
                (Some(first), Some(second)) => longer.push((first, second, rest.as_str(), score)),
                _ => {}
            }
        }
        longer.sort_unstable_by(|left, right| {
            (left.0, left.1, left.2).cmp(&(right.0, right.1, right.2))
        });
        for group in longer.chunk_by(|left, right| (left.0, left.1) == (right.0, right.1)) {
            words.add_longer(group);
        }
        Ok(words)
    }

    fn add_joins(&mut self, word: &str) {
        for (first, second) in word.chars().zip(word.chars().skip(1)) {
            self.joins.add(first, second);
        }
    }

    /// Whether a word may have these two characters side by side. Where none has,
    /// a word of a block begins with the second, and what stands before it makes no
    /// difference to the words behind it.
    pub(super) fn may_join(&self, first: char, second: char) -> bool {
        let together = first.is_ascii_alphanumeric() && second.is_ascii_alphanumeric();
        together || self.joins.has(first, second)
    }

    fn group(&mut self, first: char, second: char) -> &mut Group {
        self.pairs.add(first, second);
        self.groups.entry((first, second)).or_insert(Group {
            score: f64::NEG_INFINITY,
            longer: (0, 0),
        })
    }

    fn add_single(&mut self, character: char, score: f64) {
        match self.singles.get_mut(index(u32::from(character))) {
            Some(single) => *single = score,
            None => drop(self.others.insert(character, score)),
        }
    }

    fn add_longer(&mut self, words: &[(char, char, &str, f64)]) {
        let start = offset(self.words.len());
        // The words with which the current one begins, by number in the group.
        let mut open: Vec<(u32, &str)> = Vec::new();
        for (number, &(_, _, rest, score)) in (0..).zip(words) {
            while open.last().is_some_and(|(_, word)| !rest.starts_with(word)) {
                open.pop();
            }
            let from = offset(self.rests.len());
            self.rests.extend(rest.chars());
            self.words.push(Word {
                rest: (from, offset(self.rests.len())),
                shorter: open.last().map_or(NONE, |&(number, _)| number),
                score,
            });
            open.push((number, rest));
        }
        let (first, second, ..) = words[0];
        self.group(first, second).longer = (start, offset(self.words.len()));
    }

    fn rest(&self, word: &Word) -> &[char] {
        &self.rests[index(word.rest.0)..index(word.rest.1)]
    }

    /// The words that a text begins with, the longest first: length in characters and
    /// score.
    fn beginning(&self, text: &[char], found: &mut impl FnMut(usize, f64)) {
        let first = text[0];
        if let Some(&second) = text.get(1)
            && self.pairs.has(first, second)
            && let Some(&group) = self.groups.get(&(first, second))
        {
            let (from, to) = group.longer;
            if from < to {
                self.longer(&self.words[index(from)..index(to)], &text[2..], found);
            }
            if group.score > f64::NEG_INFINITY {
                found(2, group.score);
            }
        }
        let single = match self.singles.get(index(u32::from(first))) {
            Some(&score) => score,
            None => *self.others.get(&first).unwrap_or(&f64::NEG_INFINITY),
        };
        if single > f64::NEG_INFINITY {
            found(1, single);
        }
    }

    /// Of a group, the words that a text begins with, by what is behind the first two
    /// characters.
    fn longer(&self, group: &[Word], rest: &[char], found: &mut impl FnMut(usize, f64)) {
        // Whatever the text begins with, the last word that is not behind it in the
        // order begins with too.
        let before = group.partition_point(|word| self.rest(word) <= rest);
        let mut number = before.checked_sub(1).map_or(NONE, offset);
        while number != NONE {
            let word = &group[index(number)];
            if rest.starts_with(self.rest(word)) {
                found(2 + self.rest(word).len(), word.score);
            }
            number = word.shorter;
        }
    }

    /// Call `found` with each place, from left to right, at which a word of a block
    /// begins, the first word excepted. A block holds Han characters, ASCII letters,
    /// digits and `+#&._%-`, as in jieba.
    ///
    /// # Complexity
    /// O(n m log g) for n characters, words of up to m and groups of up to g words.
    pub fn boundaries(&self, block: &[char], ways: &mut Ways, found: &mut impl FnMut(usize)) {
        let best = &mut ways.0;
        best.clear();
        best.resize(block.len() + 1, (0.0, 0));
        for place in (0..block.len()).rev() {
            let mut way: Option<(f64, usize)> = None;
            self.beginning(&block[place..], &mut |length, score| {
                let score = score + best[place + length].0;
                // Of equal scores the longest word stays.
                if way.is_none_or(|(known, _)| score > known) {
                    way = Some((score, length));
                }
            });
            let (score, length) = way.unwrap_or((self.unknown + best[place + 1].0, 1));
            best[place] = (score, offset(length));
        }
        let (mut place, mut after_single) = (0, false);
        while place < block.len() {
            let length = index(best[place].1);
            // Letters and digits that no word takes up stay together.
            let single = length == 1 && block[place].is_ascii_alphanumeric();
            if place > 0 && !(single && after_single) {
                found(place);
            }
            after_single = single;
            place += length;
        }
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.words.len();
        write!(formatter, "Words({count} of several characters)")
    }
}

#[cfg(test)]
mod tests;
