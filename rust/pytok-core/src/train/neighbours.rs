//! The symbols beside the places of a step.
//!
//! A step puts one piece in the place of a pair. All pairs that change are those
//! of a symbol beside a place, and many places share it: what changes is summed
//! by symbol first, in a table that is indexed by it, and looked up once.

use super::pairs::{PairNumber, Pairs};
use crate::ids::{index, offset};

/// Stands for no pair.
const NO_PAIR: PairNumber = u32::MAX;

/// A symbol beside places of a step.
#[derive(Debug, Clone)]
pub(super) struct Neighbour {
    pub(super) symbol: u32,
    /// Whether it may be merged with the piece.
    joins: bool,
    /// How often it stood beside the part that is gone.
    pub(super) lost: u64,
    /// How often it stands beside the piece.
    pub(super) gained: u64,
    /// At how many places.
    pub(super) places: u32,
    /// Where the next of them goes.
    next: usize,
    /// The pair of it and the piece; [`NO_PAIR`] when that is not remembered.
    pub(super) pair: PairNumber,
}

/// The symbols on one side.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    /// By symbol: one more than where it is in `list`, or 0.
    slots: Vec<u32>,
    list: Vec<Neighbour>,
    /// Where the pairs of the piece and a symbol begin, and which symbol's.
    places: Vec<(u32, u32)>,
}

impl Neighbours {
    /// Make room for symbols below `symbols`.
    pub(super) fn make_room(&mut self, symbols: u32) {
        if self.slots.len() < index(symbols) {
            self.slots.resize(index(symbols), 0);
        }
    }

    /// What is known of a symbol; `joins` says whether it may be merged with the
    /// piece.
    #[inline]
    pub(super) fn entry(&mut self, symbol: u32, joins: impl FnOnce() -> bool) -> usize {
        let slot = &mut self.slots[index(symbol)];
        if *slot == 0 {
            self.list.push(Neighbour {
                symbol,
                joins: joins(),
                lost: 0,
                gained: 0,
                places: 0,
                next: 0,
                pair: NO_PAIR,
            });
            *slot = offset(self.list.len());
        }
        index(*slot) - 1
    }

    #[inline]
    pub(super) fn lose(&mut self, entry: usize, count: u64) {
        let lost = &mut self.list[entry].lost;
        *lost = lost.saturating_add(count);
    }

    /// The symbol stands beside the piece, in a pair that begins at `place`.
    #[inline]
    pub(super) fn gain(&mut self, entry: usize, count: u64, place: u32) {
        let neighbour = &mut self.list[entry];
        if neighbour.joins {
            neighbour.gained = neighbour.gained.saturating_add(count);
            neighbour.places += 1;
            self.places.push((offset(entry), place));
        }
    }

    /// The symbol stands beside the piece no more.
    #[inline]
    pub(super) fn take_back(&mut self, symbol: u32, count: u64) {
        let slot = index(self.slots[index(symbol)]);
        if let Some(neighbour) = slot.checked_sub(1).map(|entry| &mut self.list[entry]) {
            neighbour.gained = neighbour.gained.saturating_sub(count);
        }
    }

    /// Call `found` with each symbol.
    pub(super) fn for_each(&mut self, mut found: impl FnMut(&mut Neighbour)) {
        self.list.iter_mut().for_each(&mut found);
    }

    /// Give the pairs that are remembered their places, in order, and forget
    /// everything.
    pub(super) fn settle(&mut self, pairs: &mut Pairs) {
        for neighbour in self.list.iter_mut().filter(|n| n.pair != NO_PAIR) {
            neighbour.next = pairs.last_places(neighbour.pair, index(neighbour.places));
        }
        for &(entry, place) in &self.places {
            let neighbour = &mut self.list[index(entry)];
            if neighbour.pair != NO_PAIR {
                pairs.fill(neighbour.next, place);
                neighbour.next += 1;
            }
        }
        for neighbour in self.list.iter().filter(|n| n.pair != NO_PAIR) {
            let places = pairs.places_mut(neighbour.pair);
            if places.len() > index(neighbour.places) {
                places.sort_unstable(); // with those of an older pair
            }
        }
        for neighbour in self.list.drain(..) {
            self.slots[index(neighbour.symbol)] = 0;
        }
        self.places.clear();
    }
}
