//! The words of a corpus as symbols, with merging in place.
//!
//! All words lie in one array with a boundary around each. A symbol of n bytes
//! covers n places: its id stands in the first and in the last, and the places
//! between are dead. So the neighbours of a symbol are found without links: the
//! right one begins n places further, the left one ends one place before.

use super::pieces::Pieces;
use super::word_table::WordTable;
use crate::error::{Error, Result};
use crate::ids::{index, offset};

/// Between words. Never an id: vocabularies are smaller.
pub(super) const BOUNDARY: u32 = u32::MAX;

/// Inside a symbol.
const DEAD: u32 = u32::MAX - 1;

/// The symbols of all words.
#[derive(Debug)]
pub(super) struct Arena {
    symbols: Vec<u32>,
    /// Words of equal count lie together: where each such run ends, and the count.
    runs: Vec<(u32, u64)>,
}

/// Append a symbol of so many bytes.
pub(super) fn push_symbol(symbols: &mut Vec<u32>, id: u32, bytes: usize) {
    symbols.push(id);
    if bytes > 1 {
        symbols.resize(symbols.len() + bytes - 2, DEAD);
        symbols.push(id);
    }
}

/// A pair of symbols somewhere in the arena.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) start: u32,
    middle: u32,
    end: u32,
    /// The symbol before, or [`BOUNDARY`].
    pub(super) before: u32,
    /// The symbol after, or [`BOUNDARY`].
    pub(super) after: u32,
    /// How often the word occurs.
    pub(super) count: u64,
}

impl Arena {
    /// Lay out the words as `segment` says, which calls [`push_symbol`] for each
    /// symbol of a word. Words of one byte are left out.
    ///
    /// # Errors
    /// When the words have 4 GiB or more together, or `segment` fails.
    pub(super) fn lay_out(
        words: &WordTable,
        mut segment: impl FnMut(&[u8], &mut Vec<u32>) -> Result<()>,
    ) -> Result<Self> {
        let mut order: Vec<(&[u8], u64)> = words.iter().filter(|(w, _)| w.len() > 1).collect();
        order.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let total = 1 + order.iter().map(|(word, _)| word.len() + 1).sum::<usize>();
        if u32::try_from(total).is_err() {
            return Err(Error::argument(
                "counts",
                format!("{total} bytes of different words; expected fewer than 4 GiB"),
            ));
        }
        let mut symbols = Vec::with_capacity(total);
        let mut runs: Vec<(u32, u64)> = Vec::new();
        symbols.push(BOUNDARY);
        for (word, count) in order {
            segment(word, &mut symbols)?;
            symbols.push(BOUNDARY);
            let end = offset(symbols.len());
            match runs.last_mut() {
                Some(last) if last.1 == count => last.0 = end,
                _ => runs.push((end, count)),
            }
        }
        Ok(Self { symbols, runs })
    }

    /// Call `found` with the pairs of neighbouring symbols: left, right, place of
    /// the left one and count of the word.
    pub(super) fn for_each_pair(&self, pieces: &Pieces, mut found: impl FnMut(u32, u32, u32, u64)) {
        let mut place = 1;
        for &(end, count) in &self.runs {
            while place < end {
                let left = self.symbols[index(place)];
                if left == BOUNDARY {
                    place += 1;
                    continue;
                }
                let next = place + pieces.length(left);
                let right = self.symbols[index(next)];
                if right != BOUNDARY {
                    found(left, right, place, count);
                }
                place = next;
            }
        }
    }

    /// How often each symbol stands in the words, in words of two bytes and more.
    pub(super) fn counts(&self, pieces: &Pieces) -> Vec<u64> {
        let mut counts = vec![0_u64; index(pieces.len())];
        let mut place = 1;
        for &(end, count) in &self.runs {
            while place < index(end) {
                let id = self.symbols[place];
                if id == BOUNDARY {
                    place += 1;
                    continue;
                }
                let known = &mut counts[index(id)];
                *known = known.saturating_add(count);
                place += index(pieces.length(id));
            }
        }
        counts
    }

    /// The pair at `start`, if it is still there.
    #[inline]
    pub(super) fn pair_at(
        &self,
        start: u32,
        (left, right): (u32, u32),
        pieces: &Pieces,
    ) -> Option<Place> {
        if self.symbols[index(start)] != left {
            return None;
        }
        let middle = start + pieces.length(left);
        if self.symbols[index(middle)] != right {
            return None;
        }
        let end = middle + pieces.length(right);
        let run = self.runs.partition_point(|&(end, _)| end <= start);
        Some(Place {
            start,
            middle,
            end,
            before: self.symbols[index(start) - 1],
            after: self.symbols[index(end)],
            count: self.runs[run].1,
        })
    }

    /// Put one symbol in the place of a pair.
    #[inline]
    pub(super) fn join(&mut self, place: Place, id: u32) {
        let Place {
            start, middle, end, ..
        } = place;
        // In this order: a symbol of one byte begins where it ends.
        self.symbols[index(middle) - 1] = DEAD;
        self.symbols[index(middle)] = DEAD;
        self.symbols[index(start)] = id;
        self.symbols[index(end) - 1] = id;
    }
}
