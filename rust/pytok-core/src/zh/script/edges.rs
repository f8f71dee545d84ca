//! Where words begin, found only around the places that are asked for.

use std::cell::RefCell;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::train::segmenter::is_in_block;
use crate::zh::words::{Ways, Words};

/// Traditional characters and the simplified ones as which they are looked up.
pub(super) type Folds = FxHashMap<char, char>;

/// The edges of the words of a text, for ranges that are asked for from left to
/// right.
#[derive(Debug)]
pub(super) struct Edges<'a> {
    text: &'a str,
    words: &'a Words,
    folds: Option<&'a Folds>,
    known: RefCell<Known>,
}

/// The blocks around the last range that was asked for.
#[derive(Debug, Default)]
struct Known {
    /// The bytes that they take up; a word begins behind them.
    bytes: Range<usize>,
    /// By byte of them, whether a word begins there.
    begins: Vec<bool>,
    block: Vec<char>,
    ways: Ways,
}

impl<'a> Edges<'a> {
    pub(super) fn new(text: &'a str, words: &'a Words, folds: Option<&'a Folds>) -> Self {
        Self {
            text,
            words,
            folds,
            known: RefCell::default(),
        }
    }

    /// Whether a range of bytes reaches from inside one word into another. It does
    /// not begin before the last one that was asked for.
    pub(super) fn crosses(&self, range: Range<usize>) -> bool {
        let mut known = self.known.borrow_mut();
        self.learn(&mut known, &range);
        let from = known.bytes.start;
        let begins = |byte: usize| known.begins.get(byte - from).is_none_or(|&begins| begins);
        let whole = begins(range.start) && begins(range.end);
        !whole && (range.start + 1..range.end).any(begins)
    }

    fn learn(&self, known: &mut Known, range: &Range<usize>) {
        if range.start >= known.bytes.end {
            let between = &self.text[known.bytes.end..range.start];
            let block: usize = between
                .chars()
                .rev()
                .take_while(|&character| is_in_block(character))
                .map(char::len_utf8)
                .sum();
            known.bytes = range.start - block..range.start - block;
            known.begins.clear();
        }
        while known.bytes.end < range.end {
            self.learn_next(known);
        }
    }

    /// Go on by a block, or by a character that is in none.
    fn learn_next(&self, known: &mut Known) {
        let rest = &self.text[known.bytes.end..];
        let is_outside = |character| !is_in_block(character);
        let size = match rest.find(is_outside) {
            Some(0) => rest.chars().next().map_or(1, char::len_utf8),
            size => size.unwrap_or(rest.len()),
        };
        let start = known.begins.len();
        known.begins.resize(start + size, false);
        known.begins[start] = true;
        known.bytes.end += size;
        let fold = |character| {
            let folded = self.folds.and_then(|folds| folds.get(&character));
            *folded.unwrap_or(&character)
        };
        let Known {
            begins,
            block,
            ways,
            ..
        } = known;
        block.clear();
        block.extend(rest[..size].chars().map(fold));
        let mut characters = rest[..size].chars();
        let (mut place, mut byte) = (0, start);
        self.words.boundaries(block, ways, &mut |boundary| {
            let passed = characters.by_ref().take(boundary - place);
            byte += passed.map(char::len_utf8).sum::<usize>();
            place = boundary;
            begins[byte] = true;
        });
    }
}

#[cfg(test)]
mod tests;
