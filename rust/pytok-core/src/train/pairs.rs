//! Pairs of neighbouring symbols: their counts and where they are.
//!
//! A pair can gain places in one step only, the one that makes the younger of
//! its two symbols. For a piece is made in one step, from one pair: two
//! stretches of the same bytes that both become one symbol are merged alike,
//! since merges inside them see the same symbols (also in runs of one symbol,
//! which pair up from the left: a run that begins before the stretch has an even
//! number of symbols there, or a pair would cross the edge). So after its step a
//! pair's count only falls, and a pair that is too rare is forgotten at once.
//!
//! A tokenizer that is extended ([`super::extend`]) begins with symbols of any
//! length, and all pairs of these gain their places in the first step. Only among
//! ranks, where a pair may spell an older piece, can a piece be made again.
//!
//! A place that a later merge has changed is not looked for in the lists: it is
//! recognised as stale when its pair's turn comes
//! ([`Arena::pair_at`](super::arena::Arena::pair_at)).

use rustc_hash::FxHashMap;

use crate::ids::{index, offset};

/// Two symbols, left and right.
pub(super) type Symbols = (u32, u32);

/// The number of a pair, for as long as it is remembered.
pub(super) type PairNumber = u32;

/// A pair that may be merged.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Pair {
    pub(super) symbols: Symbols,
    pub(super) count: u64,
    /// Where its places begin among all, and how many there are; some are stale.
    start: usize,
    places: usize,
}

/// All pairs that may be merged.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    numbers: FxHashMap<Symbols, PairNumber>,
    pairs: Vec<Pair>,
    free: Vec<PairNumber>,
    /// Where the left symbol of each pair begins: the places of a pair side by
    /// side, in order. There are far more pairs than could each have a buffer of
    /// its own without most of the time going into that.
    places: Vec<u32>,
    /// How many of these are of pairs that are remembered.
    live: usize,
}

/// Fewer places are never moved together.
const LEAST_MOVED: usize = 1 << 16;

impl Pairs {
    #[inline]
    pub(super) fn get(&self, number: PairNumber) -> &Pair {
        &self.pairs[index(number)]
    }

    /// The places of a pair.
    #[inline]
    pub(super) fn places_mut(&mut self, number: PairNumber) -> &mut [u32] {
        let Pair { start, places, .. } = self.pairs[index(number)];
        &mut self.places[start..start + places]
    }

    /// Where the last `last` places of a pair begin, for [`Self::fill`].
    #[inline]
    pub(super) fn last_places(&self, number: PairNumber, last: usize) -> usize {
        let pair = self.get(number);
        pair.start + pair.places - last
    }

    /// Fill in a place.
    #[inline]
    pub(super) fn fill(&mut self, at: usize, place: u32) {
        self.places[at] = place;
    }

    /// Remember a pair, and return its number. The last `places` of its places are
    /// to be filled in.
    ///
    /// When a pair of the same symbols is known, as when a piece is made again,
    /// all that is known of it goes over: the old number waits for its turn in the
    /// queue with nothing.
    pub(super) fn add(&mut self, symbols: Symbols, count: u64, places: usize) -> PairNumber {
        let start = self.places.len();
        let mut pair = Pair {
            symbols,
            count,
            start,
            places,
        };
        self.live += places;
        let number = self.free.pop().unwrap_or_else(|| {
            self.pairs.push(Pair::default());
            offset(self.pairs.len() - 1)
        });
        if let Some(older) = self.numbers.insert(symbols, number) {
            let older = &mut self.pairs[index(older)];
            pair.count = count.saturating_add(std::mem::take(&mut older.count));
            let known = older.start..older.start + std::mem::take(&mut older.places);
            pair.places += known.len();
            self.places.extend_from_within(known);
        }
        self.places.resize(start + pair.places, 0);
        self.pairs[index(number)] = pair;
        number
    }

    /// Forget a pair, and return it.
    pub(super) fn remove(&mut self, number: PairNumber) -> Pair {
        let pair = std::mem::take(&mut self.pairs[index(number)]);
        if self.numbers.get(&pair.symbols) == Some(&number) {
            self.numbers.remove(&pair.symbols);
        }
        self.free.push(number);
        self.live -= pair.places;
        pair
    }

    /// Forget a pair, and return it; `places` become those that it had.
    pub(super) fn take(&mut self, number: PairNumber, places: &mut Vec<u32>) -> Pair {
        places.clear();
        places.extend_from_slice(self.places_mut(number));
        let pair = self.remove(number);
        if self.places.len() > LEAST_MOVED && self.live < self.places.len() / 2 {
            self.move_together();
        }
        pair
    }

    /// Leave out the places of pairs that are forgotten.
    fn move_together(&mut self) {
        let mut places = Vec::with_capacity(self.live + self.live / 2);
        for pair in &mut self.pairs {
            let known = &self.places[pair.start..pair.start + pair.places];
            pair.start = places.len();
            places.extend_from_slice(known);
        }
        self.places = places;
    }

    /// The number of the pair of two symbols.
    pub(super) fn number(&self, symbols: Symbols) -> Option<PairNumber> {
        self.numbers.get(&symbols).copied()
    }

    /// Leave a pair with no places until its turn comes; `places` become those
    /// that it had.
    pub(super) fn empty(&mut self, number: PairNumber, places: &mut Vec<u32>) {
        places.clear();
        places.extend_from_slice(self.places_mut(number));
        let pair = &mut self.pairs[index(number)];
        pair.count = 0;
        self.live -= std::mem::take(&mut pair.places);
    }

    /// A pair is there less often.
    #[inline]
    pub(super) fn lose(&mut self, symbols: Symbols, count: u64) {
        if let Some(&number) = self.numbers.get(&symbols) {
            let pair = &mut self.pairs[index(number)];
            pair.count = pair.count.saturating_sub(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::Random;

    #[test]
    fn pairs_keep_their_places_while_others_come_and_go() {
        let mut random = Random::new(12);
        let mut pairs = Pairs::default();
        let mut known: BTreeMap<Symbols, (PairNumber, u64, Vec<u32>)> = BTreeMap::new();
        let (mut moved, mut again, mut buffer) = (0, 0, Vec::new());
        for round in 0..6000_u32 {
            let symbols = (offset(random.below(40)), offset(random.below(10)));
            let before = pairs.places.len();
            match known.get(&symbols).cloned() {
                Some((number, count, places)) if random.below(2) == 0 => {
                    if random.below(8) == 0 {
                        pairs.empty(number, &mut buffer);
                        assert_eq!(pairs.number(symbols), Some(number));
                        assert_eq!((pairs.get(number).count, pairs.get(number).places), (0, 0));
                        known.insert(symbols, (number, 0, Vec::new()));
                    } else {
                        let pair = pairs.take(number, &mut buffer);
                        assert_eq!((pair.symbols, pair.count), (symbols, count));
                        assert_eq!(pairs.number(symbols), None);
                        known.remove(&symbols);
                    }
                    assert_eq!(buffer, places);
                }
                older => {
                    let (_, mut count, mut places) = older.unwrap_or_default();
                    again += usize::from(!places.is_empty());
                    let more: Vec<u32> =
                        (0..offset(random.below(500))).map(|n| n + round).collect();
                    let number = pairs.add(symbols, 7, more.len());
                    let first = pairs.get(number).places - more.len();
                    pairs.places_mut(number)[first..].copy_from_slice(&more);
                    count += 7;
                    places.extend(more);
                    known.insert(symbols, (number, count, places));
                }
            }
            moved += usize::from(pairs.places.len() < before);
            assert!(pairs.places.len() <= 2 * pairs.live + LEAST_MOVED + 10_000);
            pairs.lose(symbols, 1);
            if let Some((_, count, _)) = known.get_mut(&symbols) {
                *count = count.saturating_sub(1);
            }
        }
        assert!(moved > 3 && again > 300, "{moved} {again}");
        assert_eq!(
            pairs.live,
            known.values().map(|known| known.2.len()).sum::<usize>()
        );
        for (number, count, places) in known.into_values() {
            assert_eq!(
                (pairs.get(number).count, pairs.places_mut(number)),
                (count, &mut places.clone()[..])
            );
        }
    }
}
