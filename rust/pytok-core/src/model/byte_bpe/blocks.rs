//! Some characters of a word at a time, all looked at before any is encoded:
//! where one can be cut from the next does not depend on how others are cut, so
//! the processor works on many at once.

use super::segments::{Character, Segments};
use crate::ids::{index, offset};

/// How many characters are looked at together: the bits of a mask.
pub(super) const BLOCK: usize = 64;

/// The characters of a part of a word.
#[derive(Debug)]
pub(super) struct Block {
    codes: [u32; BLOCK],
    characters: [Character; BLOCK],
    /// Where each begins in the word, and where the last one ends.
    places: [u32; BLOCK + 1],
    /// What the merge of joined atoms is looked for in.
    slots: [u64; BLOCK],
    /// Bit i: character i can not be cut from the one before it.
    joined: u64,
    /// Bit i: character i is no atom, or it and the one before it are both ASCII
    /// or may be joined by parts of characters.
    rough: u64,
    count: usize,
}

impl Default for Block {
    fn default() -> Self {
        Self {
            codes: [0; BLOCK],
            characters: [Character::OTHER; BLOCK],
            places: [0; BLOCK + 1],
            slots: [0; BLOCK],
            joined: 0,
            rough: 0,
            count: 0,
        }
    }
}

impl Block {
    /// Look at the characters from a byte of a word on. Returns how many there
    /// are, and where the last one ends.
    #[inline]
    pub(super) fn read(&mut self, segments: &Segments, word: &str, begin: usize) -> (usize, usize) {
        let mut count = 0;
        let mut end = begin;
        self.rough = 0;
        for character in word[begin..].chars().take(BLOCK) {
            let code = u32::from(character);
            let known = segments.character(code);
            self.codes[count] = code;
            self.characters[count] = known;
            self.places[count] = offset(end);
            self.rough |= u64::from(!known.is_atom()) << count;
            end += character.len_utf8();
            count += 1;
        }
        self.places[count] = offset(end);
        self.count = count;
        self.joined = 0;
        for right in 1..count {
            let (before, after) = (self.codes[right - 1], self.codes[right]);
            let ascii = (before | after) < 0x80;
            let partial = self.characters[right - 1].is_edge(self.characters[right])
                && segments.cuts.may_join_parts(before, after);
            let joined = ascii || partial || segments.cuts.may_join(before, after);
            self.rough |= u64::from(ascii | partial) << right;
            self.joined |= u64::from(joined) << right;
        }
        // Reading ahead: by the time that a segment asks, the slot is there.
        let mut joined = self.joined & !self.rough;
        while joined != 0 {
            let right = index(joined.trailing_zeros());
            joined &= joined - 1;
            let (before, after) = (self.characters[right - 1], self.characters[right]);
            self.slots[right] = segments.merges.first(before.value(), after.value());
        }
        (count, end)
    }

    /// The first slot of the merge of a character with the one before it.
    #[inline]
    pub(super) fn slot(&self, right: usize) -> u64 {
        self.slots[right]
    }

    /// Bit i: a segment begins at character i; not for the first one.
    #[inline]
    pub(super) fn starts(&self) -> u64 {
        let all = u64::MAX >> (BLOCK - self.count);
        !self.joined & all & !1
    }

    /// Where a character begins in the word, or the last one ends.
    #[inline]
    pub(super) fn place(&self, character: usize) -> usize {
        index(self.places[character])
    }

    #[inline]
    pub(super) fn characters(&self, start: usize, end: usize) -> &[Character] {
        &self.characters[start..end]
    }

    /// Whether merging the characters of a segment can start from their tokens.
    #[inline]
    pub(super) fn are_atoms(&self, start: usize, end: usize) -> bool {
        let segment = (u64::MAX >> (BLOCK - (end - start))) << start;
        self.rough & segment == 0
    }
}
