//! The words of a corpus as symbols, with merging in place.
//!
//! All words lie in one array with a boundary around each. A symbol covers as
//! many places as its [`Pieces::span`]: its id stands in the first and in the
//! last, and the places between are dead. So the neighbours of a symbol are found
//! without links: the right one begins so many places further, the left one ends
//! one place before.

use rustc_hash::FxHashMap;

use super::pieces::Pieces;
use crate::error::{Error, Result};
use crate::ids::{index, offset};

/// Between words.
const BOUNDARY: u32 = u32::MAX;

/// Inside a symbol.
const DEAD: u32 = u32::MAX - 1;

/// A character that is no piece yet is its code point above this. Ids are below:
/// vocabularies are smaller.
const UNBORN: u32 = 1 << 31;

/// Whether a symbol is a piece.
#[inline]
pub(super) const fn is_piece(symbol: u32) -> bool {
    symbol < UNBORN
}

/// The symbols of all words.
#[derive(Debug)]
pub(super) struct Arena {
    symbols: Vec<u32>,
    /// Words of equal count lie together: where each such run ends, and the count.
    runs: Vec<(u32, u64)>,
    /// Of each part that was appended.
    unborn: Vec<Unborn>,
}

/// Where each character stands that is no piece yet, in order.
#[derive(Debug, Default)]
struct Unborn {
    places: FxHashMap<char, Vec<u32>>,
    /// What is to be added to each place.
    shift: u32,
}

/// Lays words out, one after the other.
#[derive(Debug)]
pub(super) struct Builder(Arena);

impl Builder {
    /// With room for so many places.
    pub(super) fn new(places: usize) -> Self {
        let mut symbols = Vec::with_capacity(places + 1);
        symbols.push(BOUNDARY);
        Self(Arena {
            symbols,
            runs: Vec::new(),
            unborn: vec![Unborn::default()],
        })
    }

    /// Append a symbol that covers so many places.
    #[inline]
    pub(super) fn push(&mut self, id: u32, places: usize) {
        let symbols = &mut self.0.symbols;
        symbols.push(id);
        if places > 1 {
            symbols.resize(symbols.len() + places - 2, DEAD);
            symbols.push(id);
        }
    }

    /// Append a character that is no piece yet.
    #[inline]
    pub(super) fn push_unborn(&mut self, character: char) {
        let place = offset(self.0.symbols.len());
        self.0.symbols.push(UNBORN | u32::from(character));
        let places = &mut self.0.unborn[0].places; // the others are appended
        places.entry(character).or_default().push(place);
    }

    /// End a word that occurs so often.
    pub(super) fn end_word(&mut self, count: u64) {
        let Arena { symbols, runs, .. } = &mut self.0;
        symbols.push(BOUNDARY);
        let end = offset(symbols.len());
        match runs.last_mut() {
            Some(last) if last.1 == count => last.0 = end,
            _ => runs.push((end, count)),
        }
    }

    /// Append the words of another.
    pub(super) fn append(&mut self, other: Self) {
        let Arena {
            symbols,
            runs,
            unborn,
        } = &mut self.0;
        if symbols.len() == 1 {
            *self = other;
            return;
        }
        let shift = offset(symbols.len()) - 1;
        symbols.extend_from_slice(&other.0.symbols[1..]);
        runs.extend(
            other
                .0
                .runs
                .iter()
                .map(|&(end, count)| (end + shift, count)),
        );
        unborn.extend(other.0.unborn.into_iter().map(|part| Unborn {
            shift: part.shift + shift,
            ..part
        }));
    }

    pub(super) fn finish(self) -> Arena {
        self.0
    }
}

/// A pair of symbols somewhere in the arena.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) start: u32,
    middle: u32,
    end: u32,
    /// The symbol before; no piece at the beginning of a word.
    pub(super) before: u32,
    /// The symbol after; no piece at the end of a word.
    pub(super) after: u32,
    /// How often the word occurs.
    pub(super) count: u64,
}

/// A pair that is looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub(super) left: u32,
    pub(super) right: u32,
    left_span: u32,
    right_span: u32,
}

impl Wanted {
    pub(super) fn new((left, right): (u32, u32), pieces: &Pieces) -> Self {
        Self {
            left,
            right,
            left_span: pieces.span(left),
            right_span: pieces.span(right),
        }
    }
}

/// The words of two bytes and more, the most frequent first.
pub(super) fn in_order<'w>(words: impl Iterator<Item = (&'w [u8], u64)>) -> Vec<(&'w [u8], u64)> {
    let mut order: Vec<(&[u8], u64)> = words.filter(|(word, _)| word.len() > 1).collect();
    order.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    order
}

/// Check that there are places for all words.
///
/// # Errors
/// When they have 4 GiB or more together.
pub(super) fn check_size<'w>(words: impl Iterator<Item = &'w (&'w [u8], u64)>) -> Result<()> {
    let total = 1 + words.map(|(word, _)| word.len() + 1).sum::<usize>();
    if u32::try_from(total).is_ok() {
        return Ok(());
    }
    Err(Error::argument(
        "counts",
        format!("{total} bytes of different words; expected fewer than 4 GiB"),
    ))
}

impl Arena {
    /// Call `found` with the pairs of neighbouring symbols: left, right, place of
    /// the left one and count of the word.
    pub(super) fn for_each_pair(&self, pieces: &Pieces, mut found: impl FnMut(u32, u32, u32, u64)) {
        let mut place = 1;
        for &(end, count) in &self.runs {
            while place < end {
                let left = self.symbols[index(place)];
                if !is_piece(left) {
                    place += 1;
                    continue;
                }
                let next = place + pieces.span(left);
                let right = self.symbols[index(next)];
                if is_piece(right) {
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
                if !is_piece(id) {
                    place += 1;
                    continue;
                }
                let known = &mut counts[index(id)];
                *known = known.saturating_add(count);
                place += index(pieces.span(id));
            }
        }
        counts
    }

    /// Read what stands at places that are needed next, all at once: one after
    /// the other, each would wait for memory.
    #[inline]
    pub(super) fn fetch(&self, places: &[u32]) {
        let sum = |sum: u32, &place: &u32| sum.wrapping_add(self.symbols[index(place)]);
        std::hint::black_box(places.iter().fold(0, sum));
    }

    /// The pair at `start`, if it is still there. `run` is what the last call
    /// left, for a place before this one, or 0.
    #[inline]
    pub(super) fn pair_at(&self, start: u32, wanted: Wanted, run: &mut usize) -> Option<Place> {
        if self.symbols[index(start)] != wanted.left {
            return None;
        }
        let middle = start + wanted.left_span;
        if self.symbols[index(middle)] != wanted.right {
            return None;
        }
        let end = middle + wanted.right_span;
        Some(Place {
            start,
            middle,
            end,
            before: self.symbols[index(start) - 1],
            after: self.symbols[index(end)],
            count: self.count_at(start, run),
        })
    }

    /// Put one symbol in the place of a pair.
    #[inline]
    pub(super) fn join(&mut self, place: Place, id: u32) {
        let Place {
            start, middle, end, ..
        } = place;
        // In this order: a symbol of one place begins where it ends.
        self.symbols[index(middle) - 1] = DEAD;
        self.symbols[index(middle)] = DEAD;
        self.symbols[index(start)] = id;
        self.symbols[index(end) - 1] = id;
    }

    /// Take away a pair. The word that it is must be nothing else.
    pub(super) fn clear(&mut self, place: Place) {
        self.symbols[index(place.start)..index(place.end)].fill(BOUNDARY);
    }

    /// The places of a character that is a piece from now on.
    pub(super) fn take_unborn(&mut self, character: char) -> Vec<u32> {
        let mut all = Vec::new();
        for Unborn { places, shift } in &mut self.unborn {
            match places.remove(&character) {
                Some(first) if all.is_empty() && *shift == 0 => all = first,
                Some(more) => all.extend(more.iter().map(|place| place + *shift)),
                None => {}
            }
        }
        all
    }

    /// Put a character that is a piece now at one of its places, the last of
    /// which was before this one and left `run`, or 0.
    #[inline]
    pub(super) fn bear(&mut self, start: u32, id: u32, run: &mut usize) -> Place {
        self.symbols[index(start)] = id;
        let end = start + 1;
        Place {
            start,
            middle: end,
            end,
            before: self.symbols[index(start) - 1],
            after: self.symbols[index(end)],
            count: self.count_at(start, run),
        }
    }

    #[inline]
    fn count_at(&self, place: u32, run: &mut usize) -> u64 {
        if self.runs[*run].0 <= place {
            *run += self.runs[*run..].partition_point(|&(end, _)| end <= place);
        }
        self.runs[*run].1
    }
}
