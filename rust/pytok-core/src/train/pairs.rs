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
#[derive(Debug, Default)]
pub(super) struct Pair {
    pub(super) symbols: Symbols,
    pub(super) count: u64,
    /// Where its left symbol begins, in order; some of them stale.
    pub(super) places: Vec<u32>,
}

/// All pairs that may be merged.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    numbers: FxHashMap<Symbols, PairNumber>,
    pairs: Vec<Pair>,
    free: Vec<PairNumber>,
}

impl Pairs {
    #[inline]
    pub(super) fn get(&self, number: PairNumber) -> &Pair {
        &self.pairs[index(number)]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, number: PairNumber) -> &mut Pair {
        &mut self.pairs[index(number)]
    }

    /// Remember a pair, and return its number.
    ///
    /// When a pair of the same symbols is known, as when a piece is made again,
    /// all that is known of it goes over: the old number waits for its turn in the
    /// queue with nothing.
    pub(super) fn add(&mut self, mut pair: Pair) -> PairNumber {
        let symbols = pair.symbols;
        if let Some(&older) = self.numbers.get(&symbols) {
            let older = self.get_mut(older);
            pair.count = pair.count.saturating_add(std::mem::take(&mut older.count));
            pair.places = std::mem::take(&mut older.places);
        }
        let number = if let Some(number) = self.free.pop() {
            *self.get_mut(number) = pair;
            number
        } else {
            self.pairs.push(pair);
            offset(self.pairs.len() - 1)
        };
        self.numbers.insert(symbols, number);
        number
    }

    /// Forget a pair, and return what was known of it.
    pub(super) fn remove(&mut self, number: PairNumber) -> Pair {
        let pair = std::mem::take(self.get_mut(number));
        if self.numbers.get(&pair.symbols) == Some(&number) {
            self.numbers.remove(&pair.symbols);
        }
        self.free.push(number);
        pair
    }

    /// Forget a pair by its symbols.
    pub(super) fn remove_symbols(&mut self, symbols: Symbols) -> Option<Pair> {
        let number = *self.numbers.get(&symbols)?;
        Some(self.remove(number))
    }

    /// Take the places of a pair, and leave it with none until its turn comes.
    pub(super) fn take_places(&mut self, symbols: Symbols) -> Option<Vec<u32>> {
        let &number = self.numbers.get(&symbols)?;
        let pair = self.get_mut(number);
        pair.count = 0;
        Some(std::mem::take(&mut pair.places))
    }

    /// A pair is there less often.
    #[inline]
    pub(super) fn lose(&mut self, symbols: Symbols, count: u64) {
        if let Some(&number) = self.numbers.get(&symbols) {
            let pair = self.get_mut(number);
            pair.count = pair.count.saturating_sub(count);
        }
    }
}
