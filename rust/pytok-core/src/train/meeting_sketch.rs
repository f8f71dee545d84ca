//! Which pairs of characters may meet often, in little memory.
//!
//! Most pairs that meet at all are rare: in 16 MB of mixed text 973,000 different
//! pairs meet, and 63,000 of them meet ten times. To count them all would take a
//! table that no cache holds. So each pair first adds to one byte, which it shares
//! with others: a count-min sketch of one row (Cormode and Muthukrishnan, 2005).
//! No pair meets more often than its byte says, up to 255; those whose byte is
//! small need no count.

use super::meeting_counts::{for_each_meeting, scatter};
use super::threads::share_out;
use super::word_table::WordTable;

/// With a smaller tau too few pairs are left out to be worth it.
const LEAST_TAU: u64 = 4;

/// About as many bytes as pairs in text with one different pair in 16 bytes of
/// words. Few frequent pairs share a byte then, and it lies near the processor.
const BYTES_PER_PAIR: usize = 16;
const LEAST_BITS: u32 = 10;
const MOST_BITS: u32 = 26;

/// For each pair that meets, at least how often it does.
#[derive(Debug)]
pub(super) struct Sketch {
    /// A power of two of them.
    bytes: Vec<u8>,
    /// What is left of a hash is the place of a byte.
    shift: u32,
    /// What bytes of frequent pairs have.
    tau: u8,
}

impl Sketch {
    /// The pairs of all words, to tell those that meet `tau` times; `None` when
    /// that is not worth it.
    pub(super) fn of(words: &WordTable, tau: u64, threads: usize) -> Option<Self> {
        if tau < LEAST_TAU {
            return None;
        }
        let pairs = words.total_bytes() / BYTES_PER_PAIR;
        let bits = pairs.max(1).ilog2().clamp(LEAST_BITS, MOST_BITS) + 1;
        let empty = || Self {
            bytes: vec![0; 1 << bits],
            shift: u64::BITS - bits,
            tau: u8::try_from(tau).unwrap_or(u8::MAX),
        };
        let parts = share_out(words.len(), threads, |ranges| {
            let mut sketch = empty();
            for (word, count) in ranges.flat_map(|range| words.range(range)) {
                let count = u8::try_from(count).unwrap_or(u8::MAX);
                for_each_meeting(word, &mut |pair, _| sketch.add(pair, count));
            }
            sketch
        });
        parts.into_iter().reduce(|mut all, part| {
            for (sum, byte) in all.bytes.iter_mut().zip(part.bytes) {
                *sum = sum.saturating_add(byte);
            }
            all
        })
    }

    #[inline]
    fn add(&mut self, pair: u64, count: u8) {
        let place = scatter(pair, self.shift);
        self.bytes[place] = self.bytes[place].saturating_add(count);
    }

    /// Whether a pair may meet `tau` times.
    #[inline]
    pub(super) fn may_be_frequent(&self, pair: u64) -> bool {
        self.bytes[scatter(pair, self.shift)] >= self.tau
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::Random;

    #[test]
    fn a_pair_that_is_left_out_is_rare_and_most_rare_pairs_are_left_out() {
        let mut random = Random::new(8);
        for (tau, threads) in [(4, 1), (10, 2), (255, 3), (256, 1), (1000, 2)] {
            let mut words = WordTable::default();
            for _ in 0..4000 {
                let most = if random.below(3) == 0 { 8 } else { 2000 };
                let letter =
                    |_| char::from_u32(0x4E00 + u32::try_from(random.below(most)).unwrap());
                let word: String = (0..6).filter_map(letter).collect();
                let count = [1, 2, 300, u64::MAX][random.below(20).saturating_sub(16)];
                words.add(word.as_bytes(), count);
            }
            let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
            for (word, count) in words.iter() {
                for_each_meeting(word, &mut |pair, _| {
                    let known = counts.entry(pair).or_insert(0);
                    *known = known.saturating_add(count);
                });
            }
            let sketch = Sketch::of(&words, tau, threads).unwrap();
            let (mut rare, mut left_out) = (0, 0);
            for (pair, count) in counts {
                assert!(count < tau || sketch.may_be_frequent(pair));
                rare += u32::from(count < tau);
                left_out += u32::from(!sketch.may_be_frequent(pair));
            }
            assert!(
                rare > 5000 && left_out * 2 > rare,
                "{tau}: {left_out} of {rare}"
            );
        }
        assert!(Sketch::of(&WordTable::default(), 3, 1).is_none());
        assert!(
            !Sketch::of(&WordTable::default(), 9, 2)
                .unwrap()
                .may_be_frequent(0)
        );
    }
}
