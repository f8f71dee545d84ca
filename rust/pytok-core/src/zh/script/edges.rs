//! Where words begin, found only around the places that are asked for.
//!
//! No word of the dictionary reaches over a place whose two neighbours stand side by
//! side in none: a word begins there, and the words on either side do not depend on
//! each other. So only the part of a block between two such places is looked at.

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

/// The parts of blocks around the last range that was asked for.
#[derive(Debug, Default)]
struct Known {
    /// The bytes that they take up; a word begins behind them.
    bytes: Range<usize>,
    /// By byte of them, whether a word begins there.
    begins: Vec<bool>,
    part: Vec<char>,
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
        if self.is_edge(range.start) && self.is_edge(range.end) {
            return false;
        }
        let mut known = self.known.borrow_mut();
        self.learn(&mut known, &range);
        let from = known.bytes.start;
        let begins = |byte: usize| known.begins.get(byte - from).is_none_or(|&begins| begins);
        let whole = begins(range.start) && begins(range.end);
        !whole && (range.start + 1..range.end).any(begins)
    }

    fn learn(&self, known: &mut Known, range: &Range<usize>) {
        if range.start >= known.bytes.end {
            let start = self.part_start(known.bytes.end, range.start);
            known.bytes = start..start;
            known.begins.clear();
        }
        while known.bytes.end < range.end {
            self.learn_next(known);
        }
    }

    /// Go on by a part of a block, or by a character that is in none.
    fn learn_next(&self, known: &mut Known) {
        let from = known.bytes.end;
        let start = known.begins.len();
        let Known {
            begins, part, ways, ..
        } = known;
        part.clear();
        part.reserve(16);
        begins.reserve(48);
        for character in self.text[from..].chars() {
            let folded = self.fold(character);
            let goes_on = part.last().is_none_or(|&last| self.joins(last, folded));
            if !goes_on {
                break;
            }
            part.push(folded);
            begins.resize(begins.len() + character.len_utf8(), false);
        }
        begins[start] = true;
        known.bytes.end += begins.len() - start;
        let mut characters = self.text[from..].chars();
        let (mut place, mut byte) = (0, start);
        self.words.boundaries(part, ways, &mut |boundary| {
            let passed = characters.by_ref().take(boundary - place);
            byte += passed.map(char::len_utf8).sum::<usize>();
            place = boundary;
            begins[byte] = true;
        });
    }

    /// The beginning of the part that a place is in, from `from` on.
    fn part_start(&self, from: usize, place: usize) -> usize {
        let mut start = place;
        let Some(mut next) = self.text[place..].chars().next() else {
            return place;
        };
        for before in self.text[from..place].chars().rev() {
            if !self.joins(self.fold(before), self.fold(next)) {
                break;
            }
            start -= before.len_utf8();
            next = before;
        }
        start
    }

    /// Whether it is plain to see that a word begins at a place, or the text ends.
    fn is_edge(&self, place: usize) -> bool {
        let before = self.text[..place].chars().next_back();
        let after = self.text[place..].chars().next();
        match (before, after) {
            (Some(before), Some(after)) => !self.joins(self.fold(before), self.fold(after)),
            _ => true,
        }
    }

    /// Whether two characters may be of one word.
    fn joins(&self, first: char, second: char) -> bool {
        is_in_block(first) && is_in_block(second) && self.words.may_join(first, second)
    }

    fn fold(&self, character: char) -> char {
        let folded = self.folds.and_then(|folds| folds.get(&character));
        *folded.unwrap_or(&character)
    }
}

#[cfg(test)]
mod tests;
