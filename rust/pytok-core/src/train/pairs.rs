//! Pairs of neighbouring symbols: their counts and where they are.
//!
//! Counts and places are kept up to date merge by merge. A place that a later
//! merge has changed is not looked for in the lists: it is recognised as stale
//! when its pair's turn comes ([`Arena::pair_at`](super::arena::Arena::pair_at)).
//!
//! The places of a pair come in batches. With [`Tie::Bytes`] there is one, which
//! grows; the reference closes a batch after every merge, and merges a pair in
//! the words of one batch only when the batch comes out of its queue. The two
//! differ when one piece is made from different pairs, as `abc` from `ab`+`c`
//! and from `a`+`bc`: only then can an old pair gain new places.

use rustc_hash::{FxHashMap, FxHashSet};

use super::config::Tie;
use super::pieces::Pieces;
use super::rules::Rules;
use crate::ids::{index, offset};

/// The number of a pair.
pub(super) type PairNumber = u32;

/// The number of a batch.
pub(super) type BatchNumber = u32;

/// A pair that may never be merged, and no batch.
const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct Pair {
    pub(super) symbols: (u32, u32),
    pub(super) count: u64,
    /// Whether it is a merge of the result already.
    pub(super) merged: bool,
    /// The newest batch, which begins a chain.
    batch: BatchNumber,
    /// Whether that batch still takes new places.
    open: bool,
    touched: bool,
}

#[derive(Debug, Default)]
struct Batch {
    places: Vec<u32>,
    /// The next batch of the same pair.
    next: BatchNumber,
}

impl Pair {
    /// Its newest batch, if it has one.
    pub(super) fn newest_batch(&self) -> Option<BatchNumber> {
        (self.batch != NONE).then_some(self.batch)
    }
}

/// All pairs.
#[derive(Debug)]
pub(super) struct Pairs {
    tie: Tie,
    numbers: FxHashMap<(u32, u32), PairNumber>,
    pairs: Vec<Pair>,
    batches: Vec<Batch>,
    /// Batches that are used up.
    free: Vec<BatchNumber>,
    touched: Vec<PairNumber>,
    /// The reference's batches are sets of words: where the words begin.
    word_starts: Vec<u32>,
}

impl Pairs {
    pub(super) fn new(tie: Tie, word_starts: Vec<u32>) -> Self {
        Self {
            tie,
            numbers: FxHashMap::default(),
            pairs: Vec::new(),
            batches: Vec::new(),
            free: Vec::new(),
            touched: Vec::new(),
            word_starts,
        }
    }

    pub(super) fn get(&self, number: PairNumber) -> &Pair {
        &self.pairs[index(number)]
    }

    pub(super) fn get_mut(&mut self, number: PairNumber) -> &mut Pair {
        &mut self.pairs[index(number)]
    }

    /// The number of a pair that has been seen and may be merged.
    pub(super) fn find(&self, symbols: (u32, u32)) -> Option<PairNumber> {
        let number = self.numbers.get(&symbols).copied();
        number.filter(|&number| number != NONE)
    }

    /// Count a pair, and remember where it is.
    pub(super) fn gain(
        &mut self,
        symbols: (u32, u32),
        count: u64,
        place: u32,
        rules: &Rules,
        pieces: &Pieces,
    ) {
        let (left, right) = symbols;
        if !rules.may_join(pieces, left, right) {
            return;
        }
        let pairs = &mut self.pairs;
        let number = *self.numbers.entry(symbols).or_insert_with(|| {
            if !rules.allows(pieces, left, right) {
                return NONE;
            }
            pairs.push(Pair {
                symbols,
                count: 0,
                merged: false,
                batch: NONE,
                open: false,
                touched: false,
            });
            offset(pairs.len() - 1)
        });
        if number == NONE {
            return;
        }
        let pair = &mut self.pairs[index(number)];
        pair.count = pair.count.saturating_add(count);
        if !pair.touched {
            pair.touched = true;
            self.touched.push(number);
        }
        if !pair.open {
            let batch = Batch {
                places: Vec::new(),
                next: pair.batch,
            };
            pair.open = true;
            pair.batch = if let Some(number) = self.free.pop() {
                self.batches[index(number)] = batch;
                number
            } else {
                self.batches.push(batch);
                offset(self.batches.len() - 1)
            };
        }
        self.batches[index(pair.batch)].places.push(place);
    }

    /// A pair is there less often.
    #[inline]
    pub(super) fn lose(&mut self, symbols: (u32, u32), count: u64, rules: &Rules, pieces: &Pieces) {
        if !rules.may_join(pieces, symbols.0, symbols.1) {
            return;
        }
        if let Some(number) = self.find(symbols) {
            let pair = &mut self.pairs[index(number)];
            pair.count = pair.count.saturating_sub(count);
        }
    }

    /// The pairs that gained since the last call, with their batch and count;
    /// those that lost it all again are left out.
    pub(super) fn settle(&mut self, mut gained: impl FnMut(PairNumber, BatchNumber, u64)) {
        let mut touched = std::mem::take(&mut self.touched);
        for number in touched.drain(..) {
            let pair = &mut self.pairs[index(number)];
            pair.touched = false;
            if pair.count > 0 {
                pair.open = self.tie == Tie::Bytes;
                gained(number, pair.batch, pair.count);
            } else {
                let batch = pair.batch;
                self.drop_batch(number, batch);
            }
        }
        self.touched = touched;
    }

    /// Take out the places to merge when a batch of a pair has its turn, in
    /// order. Some of them may be stale.
    pub(super) fn take(&mut self, number: PairNumber, batch: BatchNumber) -> Vec<u32> {
        let mut places = self.drop_batch(number, batch);
        let pair = self.get(number);
        let mut other = pair.batch;
        if other != NONE {
            let word = |place: u32| self.word_starts.partition_point(|&start| start <= place);
            let words: FxHashSet<usize> = places.iter().map(|&place| word(place)).collect();
            while other != NONE {
                let batch = &self.batches[index(other)];
                let shared = batch.places.iter().filter(|&&p| words.contains(&word(p)));
                places.extend(shared);
                other = batch.next;
            }
        }
        // Overlapping places, as in `aaa`, are merged from the left.
        if pair.symbols.0 == pair.symbols.1 {
            places.sort_unstable();
        }
        places
    }

    /// Take out all places of a pair.
    pub(super) fn take_all(&mut self, number: PairNumber) -> Vec<u32> {
        let mut places = Vec::new();
        while self.get(number).batch != NONE {
            places.append(&mut self.drop_batch(number, self.get(number).batch));
        }
        places.sort_unstable();
        places
    }

    fn drop_batch(&mut self, number: PairNumber, batch: BatchNumber) -> Vec<u32> {
        if batch == NONE {
            return Vec::new();
        }
        let dropped = std::mem::take(&mut self.batches[index(batch)]);
        self.free.push(batch);
        let pair = &mut self.pairs[index(number)];
        if pair.batch == batch {
            pair.batch = dropped.next;
            pair.open = false;
        } else {
            let mut before = pair.batch;
            while self.batches[index(before)].next != batch {
                before = self.batches[index(before)].next;
            }
            self.batches[index(before)].next = dropped.next;
        }
        dropped.places
    }

    /// The number of pairs.
    pub(super) fn len(&self) -> u32 {
        offset(self.pairs.len())
    }
}
