//! An immutable map from byte strings to small integers, in three flat arrays.
//!
//! A vocabulary of 150,000 pieces in a general hash map means as many small
//! allocations; here all pieces stand in one buffer and the table holds their
//! numbers, each with as many bits of the piece's hash as a slot has left, so that
//! other pieces are hardly ever looked at. Invariant: `ends` is ascending and ends
//! at `bytes.len()`.

use std::hash::Hasher;
use std::ops::Range;

use rustc_hash::FxHasher;

use crate::ids::{index, offset};

const EMPTY: u32 = u32::MAX;

/// Distinct byte strings, numbered from zero in the order of insertion.
#[derive(Debug, Clone, Default)]
pub(crate) struct PieceIndex {
    bytes: Vec<u8>,
    /// What `bytes` would be, which are empty then, once all pieces are known to
    /// be text: a piece is not checked again each time that its text is asked for.
    text: String,
    ends: Vec<u32>,
    slots: Vec<u32>,
}

impl PieceIndex {
    /// An index with room for `count` pieces of `bytes` bytes in all.
    pub(crate) fn with_capacity(count: usize, bytes: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(bytes),
            text: String::new(),
            ends: Vec::with_capacity(count),
            slots: vec![EMPTY; (count + count / 2 + 1).next_power_of_two()],
        }
    }

    /// The number of `piece` and whether it is new.
    pub(crate) fn insert(&mut self, piece: &[u8]) -> (u32, bool) {
        debug_assert!(self.text.is_empty(), "the pieces were checked");
        if (self.ends.len() + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let hash = hash(piece);
        let slot = self.find(piece, hash);
        if self.slots[slot] != EMPTY {
            return (self.slots[slot] & self.numbers(), false);
        }
        let number = offset(self.ends.len());
        self.bytes.extend_from_slice(piece);
        self.ends.push(offset(self.bytes.len()));
        self.slots[slot] = number | tag(hash) & !self.numbers();
        (number, true)
    }

    /// The number of `piece`.
    #[inline]
    pub(crate) fn get(&self, piece: &[u8]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let found = self.slots[self.find(piece, hash(piece))];
        (found != EMPTY).then_some(found & self.numbers())
    }

    /// The piece with a number that [`Self::insert`] returned.
    #[inline]
    pub(crate) fn piece(&self, number: u32) -> &[u8] {
        let all = if self.bytes.is_empty() {
            self.text.as_bytes()
        } else {
            &self.bytes
        };
        &all[self.range(number)]
    }

    /// The same, if it is text.
    #[inline]
    pub(crate) fn piece_text(&self, number: u32) -> Option<&str> {
        if self.text.is_empty() {
            return std::str::from_utf8(self.piece(number)).ok();
        }
        self.text.get(self.range(number))
    }

    #[inline]
    fn range(&self, number: u32) -> Range<usize> {
        let number = index(number);
        let start = match number {
            0 => 0,
            _ => index(self.ends[number - 1]),
        };
        start..index(self.ends[number])
    }

    /// Check that all pieces are text, once and for all. No piece can be inserted
    /// any more.
    pub(crate) fn check_text(&mut self) {
        let is_text = std::str::from_utf8(&self.bytes).is_ok_and(|text| {
            self.ends
                .iter()
                .all(|&end| text.is_char_boundary(index(end)))
        });
        if is_text {
            self.text = String::from_utf8(std::mem::take(&mut self.bytes)).unwrap_or_default();
        }
    }

    /// How many pieces there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The slot that holds `piece`, or the empty one where it belongs. Needs at
    /// least one empty slot, which the load limit of `insert` guarantees.
    #[inline]
    fn find(&self, piece: &[u8], hash: u64) -> usize {
        let numbers = self.numbers();
        let tag = tag(hash) & !numbers;
        let mask = self.slots.len() - 1;
        let mut slot = place(hash) & mask;
        loop {
            let found = self.slots[slot];
            if found == EMPTY || (found & !numbers == tag && self.piece(found & numbers) == piece) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The bits of a slot that hold a number: so many that the largest one, all
    /// of them set, is none of a piece.
    #[inline]
    fn numbers(&self) -> u32 {
        u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(8);
        self.slots.clear();
        self.slots.resize(size, EMPTY);
        for number in 0..offset(self.ends.len()) {
            let hash = hash(self.piece(number));
            let slot = self.find(self.piece(number), hash);
            self.slots[slot] = number | tag(hash) & !self.numbers();
        }
    }
}

#[inline]
fn hash(piece: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(piece);
    hasher.finish()
}

#[inline]
#[allow(clippy::as_conversions)] // the upper half of a hash is not needed on 32 bits
fn place(hash: u64) -> usize {
    hash as usize
}

/// Bits that the place of a piece in a table of less than 2^32 slots does not tell.
#[inline]
#[allow(clippy::as_conversions)] // the upper half
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_numbered_in_order_and_found_again() {
        let mut pieces = PieceIndex::default();
        assert_eq!(pieces.get(b"a"), None);
        for number in 0..5000_u32 {
            let piece = number.to_string();
            assert_eq!(pieces.insert(piece.as_bytes()), (number, true));
            assert_eq!(pieces.insert(piece.as_bytes()), (number, false));
        }
        assert_eq!(pieces.len(), 5000);
        for number in 0..5000_u32 {
            let piece = number.to_string();
            assert_eq!(pieces.get(piece.as_bytes()), Some(number));
            assert_eq!(pieces.piece(number), piece.as_bytes());
        }
        assert_eq!(pieces.get(b"5000"), None);
        assert_eq!(pieces.get(b""), None);
        assert_eq!(pieces.insert(b""), (5000, true));
        assert_eq!(pieces.get(b""), Some(5000));
    }

    #[test]
    fn pieces_are_the_same_when_they_were_checked() {
        let texts: [&[u8]; 4] = ["学".as_bytes(), b"", b"a", "é学".as_bytes()];
        // Together they are text, each alone is not.
        let halves: [&[u8]; 3] = [b"a", b"\xE5\xAD", b"\xA6"];
        for (list, is_text) in [(&texts[..], true), (&halves[..], false), (&[][..], false)] {
            let mut pieces = PieceIndex::default();
            for piece in list {
                pieces.insert(piece);
            }
            let before = pieces.clone();
            pieces.check_text();
            assert_eq!(!pieces.text.is_empty(), is_text);
            for (piece, number) in list.iter().zip(0..) {
                assert_eq!(pieces.get(piece), Some(number));
                assert_eq!(pieces.piece(number), *piece);
                assert_eq!(pieces.piece_text(number), std::str::from_utf8(piece).ok());
                assert_eq!(pieces.piece_text(number), before.piece_text(number));
            }
            assert_eq!(pieces.get(b"b"), None);
        }
    }
}
