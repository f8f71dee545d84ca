//! Where words begin: the most likely segmentation under a dictionary.
//!
//! The segmentation of jieba 0.42 without its hidden Markov model
//! (`jieba.lcut(text, HMM=False)`), boundary for boundary. A text falls into
//! blocks of Han, ASCII letters, digits and `+#&._%-`; every other character is
//! a word of its own. In a block the path of words with the greatest product of
//! relative frequencies wins, and of equally likely ones the one whose first
//! word is longer. Sums of logarithms are not associative: they are taken from
//! the right, word by word, as jieba takes them.

mod dictionary;

use rustc_hash::FxHashMap;

pub(crate) use self::dictionary::Dictionary;
use super::natural_log::natural_log;
use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::model::trie::Trie;

/// A segmenter of text into the words of a dictionary. Immutable.
///
/// # Examples
/// ```
/// use pytok_core::train::segmenter::WordSegmenter;
/// let segmenter = WordSegmenter::from_dictionary("北京 34488 ns\n大学 20025 n\n")?;
/// let mut boundaries = Vec::new();
/// segmenter.boundaries("北京大学", &mut |byte| boundaries.push(byte));
/// assert_eq!(boundaries, [6]);
/// # Ok::<(), pytok_core::Error>(())
/// ```
#[derive(Debug)]
pub struct WordSegmenter {
    dictionary: Dictionary,
    /// Every word's place in `scores`.
    trie: Trie,
    scores: Vec<f64>,
    /// The score of a character with which no word begins.
    unknown: f64,
    /// One less than a power of two; no character or word has more bytes.
    mask: usize,
}

impl WordSegmenter {
    /// A segmenter with the words of `text`: lines `word frequency[ tag]`, the
    /// fields separated by spaces or tabs. Of a word that is listed more than
    /// once the last frequency counts; a word of frequency 0 is none.
    ///
    /// # Errors
    /// Names the line that has no frequency; also when there is no word, or
    /// when the words have more than 16 MB in all.
    ///
    /// # Complexity
    /// O(n log n) comparisons for n words.
    pub fn from_dictionary(text: &str) -> Result<Self> {
        Self::new(Dictionary::parse(text)?)
    }

    /// As [`Self::from_dictionary`]; other forms of its words, such as those of
    /// another script, are words, too. `convert` is given words in lines and
    /// gives their forms in as many lines, a few thousand at a time.
    ///
    /// A form that is in the dictionary keeps the dictionary's frequency. The
    /// others follow its words in the order of the first word that they are of,
    /// each with the frequency of its most frequent word.
    ///
    /// # Errors
    /// As [`Self::from_dictionary`]; what `convert` fails with, or when it gives
    /// more lines or fewer.
    pub fn with_forms(
        text: &str,
        convert: &mut (dyn FnMut(&str) -> Result<String> + '_),
    ) -> Result<Self> {
        Self::new(Dictionary::with_forms(text, convert)?)
    }

    fn new(dictionary: Dictionary) -> Result<Self> {
        let total = natural_log(dictionary.total());
        // Most words share their frequency with many others.
        let mut known: FxHashMap<u64, f64> = FxHashMap::default();
        let mut score = |frequency| {
            *known
                .entry(frequency)
                .or_insert_with(|| natural_log(frequency) - total)
        };
        let scores = dictionary.words().map(|(_, count)| score(count)).collect();
        let longest = dictionary.words().map(|(word, _)| word.len()).max();
        let keys = dictionary.words().map(|(word, _)| word.as_bytes());
        let trie = Trie::build(keys.zip(0..))
            .map_err(|error| Error::argument("dictionary", error.to_string()))?;
        Ok(Self {
            unknown: score(1),
            mask: (longest.unwrap_or(0).max(4) + 1).next_power_of_two() - 1,
            dictionary,
            trie,
            scores,
        })
    }

    /// The words and their frequencies, in the order of the dictionary.
    pub fn words(&self) -> impl Iterator<Item = (&str, u64)> {
        self.dictionary.words()
    }

    /// The words by their bytes, numbered in the order of [`Self::words`], and how
    /// many they are.
    pub(super) fn numbered(&self) -> (&Trie, usize) {
        (&self.trie, self.scores.len())
    }

    /// Cuts one text after the other.
    pub(super) fn cutter(&self) -> Cutter<'_> {
        Cutter {
            segmenter: self,
            route: Route::new(self.mask),
        }
    }

    /// Call `found` with each byte, from left to right, at which a word of `text`
    /// begins, the first word excepted.
    ///
    /// # Complexity
    /// O(n m) for n bytes and words of up to m bytes; memory for 4 bytes per byte
    /// of the longest block.
    pub fn boundaries(&self, text: &str, found: &mut impl FnMut(usize)) {
        self.cutter().boundaries(text, found);
    }

    /// As [`Self::boundaries`], of bytes that need not be UTF-8: each valid
    /// stretch is a text of its own. Nothing is known of bytes that are no text,
    /// so no boundary lies in or beside them.
    pub fn boundaries_bytes(&self, bytes: &[u8], found: &mut impl FnMut(usize)) {
        let mut route = Route::new(self.mask);
        let mut start = 0;
        for chunk in bytes.utf8_chunks() {
            self.cut(chunk.valid(), start, &mut route, found);
            start += chunk.valid().len() + chunk.invalid().len();
        }
    }

    /// The natural logarithm of the probability of the likeliest words of a text;
    /// `None` when the text is no single block.
    pub(crate) fn score(&self, text: &str) -> Option<f64> {
        if !text.chars().all(is_in_block) {
            return None;
        }
        let mut route = Route::new(self.mask);
        self.find_route(text, &mut route);
        Some(route.scores[0])
    }

    /// The same of a word with a frequency.
    pub(crate) fn score_of_frequency(&self, frequency: u64) -> f64 {
        self.unknown + natural_log(frequency)
    }

    /// Cut a text that begins at byte `start` of what the caller sees.
    fn cut(&self, text: &str, start: usize, route: &mut Route, found: &mut impl FnMut(usize)) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if rest.len() < text.len() {
                found(start + (text.len() - rest.len()));
            }
            let length = match rest.find(|character| !is_in_block(character)) {
                Some(0) if rest.starts_with("\r\n") => 2,
                Some(0) => first.len_utf8(),
                block => {
                    let block = block.unwrap_or(rest.len());
                    let place = start + (text.len() - rest.len());
                    self.cut_block(&rest[..block], place, route, found);
                    block
                }
            };
            rest = &rest[length..];
        }
    }

    fn cut_block(
        &self,
        block: &str,
        start: usize,
        route: &mut Route,
        found: &mut impl FnMut(usize),
    ) {
        self.find_route(block, route);
        let bytes = block.as_bytes();
        let (mut place, mut after_single) = (0, false);
        while place < bytes.len() {
            let length = index(route.lengths[place]);
            // Letters and digits that no word takes up stay together.
            let single = length == 1 && bytes[place].is_ascii_alphanumeric();
            if place > 0 && !(single && after_single) {
                found(start + place);
            }
            after_single = single;
            place += length;
        }
    }

    /// From right to left, the best word to begin at each character.
    fn find_route(&self, block: &str, route: &mut Route) {
        let bytes = block.as_bytes();
        route.lengths.clear();
        route.lengths.resize(bytes.len(), 0);
        route.scores[bytes.len() & self.mask] = 0.0;
        for (place, character) in block.char_indices().rev() {
            let mut best: Option<(f64, usize)> = None;
            for (length, word) in self.trie.prefixes(&bytes[place..]) {
                let score = self.scores[index(word)] + route.scores[(place + length) & self.mask];
                // Words come shortest first: of equal scores the longest stays.
                if best.is_none_or(|(known, _)| score >= known) {
                    best = Some((score, length));
                }
            }
            let (score, length) = best.unwrap_or_else(|| {
                let length = character.len_utf8();
                let after = route.scores[(place + length) & self.mask];
                (self.unknown + after, length)
            });
            route.scores[place & self.mask] = score;
            route.lengths[place] = offset(length);
        }
    }
}

/// A segmenter with memory of its own, which is used again for each text.
pub(super) struct Cutter<'a> {
    segmenter: &'a WordSegmenter,
    route: Route,
}

impl Cutter<'_> {
    /// As [`WordSegmenter::boundaries`].
    pub(super) fn boundaries(&mut self, text: &str, found: &mut impl FnMut(usize)) {
        self.segmenter.cut(text, 0, &mut self.route, found);
    }
}

/// The best paths through a block, from each of its characters to its end.
struct Route {
    /// Of the last places only, which is as far as a word can reach: the score
    /// of place p is at `p & mask`.
    scores: Vec<f64>,
    /// By place, the bytes of the first word of the path.
    lengths: Vec<u32>,
}

impl Route {
    fn new(mask: usize) -> Self {
        Self {
            scores: vec![0.0; mask + 1],
            lengths: Vec::new(),
        }
    }
}

/// Whether a character can be part of a word of several; the Han are those that
/// jieba knows, U+4E00 to U+9FD5.
pub(crate) fn is_in_block(character: char) -> bool {
    match character {
        '\u{4e00}'..='\u{9fd5}' => true,
        '+' | '#' | '&' | '.' | '_' | '%' | '-' => true,
        other => other.is_ascii_alphanumeric(),
    }
}

#[cfg(test)]
mod tests;
