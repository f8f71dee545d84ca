//! Merges in eight bytes each: what most of the time of encoding is spent on is
//! waiting for memory, and half the bytes stay in the processor's cache twice as
//! often.
//!
//! A slot is the two sides and the place of the merge in the order of ranks, which
//! stands for the rank. Where pieces are numbered in that order, as they are in
//! most vocabularies, the place is the id of the result as well.

use super::merges::{Merge, MergeTable, Merges, hash};
use crate::ids::{index, offset};

/// Bits of an id, and of a place in the order.
const BITS: u32 = 21;
const LIMIT: u32 = (1 << BITS) - 1;
const EMPTY: u64 = u64::MAX;

/// Merges that are looked up often.
#[derive(Debug)]
pub(crate) struct PackedMerges {
    slots: Vec<u64>,
    /// What each merge makes, in the order of ranks; empty where each makes the
    /// piece whose id is its place.
    results: Vec<u32>,
}

impl PackedMerges {
    /// Those of a list of merges without equal pairs; `None` if ids are too
    /// large or merges too many.
    ///
    /// # Complexity
    /// O(n log n) for n merges.
    pub(crate) fn new(mut merges: Vec<(u32, u32, Merge)>) -> Option<Self> {
        merges.sort_unstable_by_key(|(.., merge)| merge.rank);
        let fits =
            |&(left, right, merge): &(u32, u32, Merge)| left.max(right).max(merge.id) < LIMIT;
        if !merges.iter().all(fits) || merges.len() >= index(LIMIT) {
            return None;
        }
        // Two merges that make the same piece have the same id, but not one rank.
        let ordered = merges.windows(2).all(|pair| pair[0].2.id < pair[1].2.id);
        let mut packed = Self {
            slots: vec![EMPTY; (merges.len() + merges.len() / 2 + 2).next_power_of_two()],
            results: Vec::new(),
        };
        if !ordered {
            packed.results = merges.iter().map(|(.., merge)| merge.id).collect();
        }
        for (number, (left, right, merge)) in merges.into_iter().enumerate() {
            let place = if ordered { merge.id } else { offset(number) };
            let mut slot = packed.slot(left, right);
            while packed.slots[slot] != EMPTY {
                slot = (slot + 1) & (packed.slots.len() - 1);
            }
            packed.slots[slot] = pair(left, right) << BITS | u64::from(place);
        }
        Some(packed)
    }

    #[inline]
    fn slot(&self, left: u32, right: u32) -> usize {
        hash(pair(left, right)) & (self.slots.len() - 1)
    }

    /// What is looked at first for a pair; [`PackedMerges::get_from`] goes on.
    #[inline]
    pub(crate) fn first(&self, left: u32, right: u32) -> u64 {
        self.slots[self.slot(left, right)]
    }

    /// The merge of a pair, given what stands in its first slot.
    #[inline]
    pub(crate) fn get_from(&self, first: u64, left: u32, right: u32) -> Option<Merge> {
        let wanted = pair(left, right);
        let mut found = first;
        let mut slot = self.slot(left, right);
        loop {
            if found >> BITS == wanted {
                return Some(self.merge(found));
            }
            if found == EMPTY {
                return None;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
            found = self.slots[slot];
        }
    }

    #[inline]
    #[allow(clippy::as_conversions)] // the lowest bits
    fn merge(&self, slot: u64) -> Merge {
        let rank = slot as u32 & LIMIT;
        let id = self.results.get(index(rank)).copied().unwrap_or(rank);
        Merge { rank, id }
    }
}

impl Merges for PackedMerges {
    #[inline]
    fn get(&self, left: u32, right: u32) -> Option<Merge> {
        self.get_from(self.first(left, right), left, right)
    }
}

/// Fewer bits than [`EMPTY`] has; ids that are too large match nothing.
#[inline]
fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << BITS | u64::from(right)
}

/// The merges of words of bytes: most pairs of bytes merge, most others do not.
#[derive(Debug)]
pub(crate) struct WordMerges {
    merges: PackedMerges,
    /// The merge of each two bytes, by their values.
    byte_pairs: Vec<Option<Merge>>,
    /// Two bits for each pair that merges, both in one word.
    filter: Vec<u64>,
}

impl WordMerges {
    /// Those of a model with these bytes; `None` if they cannot be packed.
    pub(crate) fn new(table: &MergeTable, bytes: &[u32; 256]) -> Option<Self> {
        let merges: Vec<_> = table.iter().collect();
        let mut filter = vec![0; (merges.len() / 4).next_power_of_two().max(64)];
        for &(left, right, _) in &merges {
            let (word, bits) = filter_place(left, right, filter.len());
            filter[word] |= bits;
        }
        let merges = PackedMerges::new(merges)?;
        let pairs = bytes
            .iter()
            .flat_map(|&left| bytes.iter().map(move |&right| (left, right)));
        Some(Self {
            byte_pairs: pairs.map(|(left, right)| merges.get(left, right)).collect(),
            merges,
            filter,
        })
    }

    /// The merge of two bytes.
    #[inline]
    pub(crate) fn byte_pair(&self, left: u8, right: u8) -> Option<Merge> {
        self.byte_pairs[usize::from(left) << 8 | usize::from(right)]
    }
}

impl Merges for WordMerges {
    #[inline]
    fn get(&self, left: u32, right: u32) -> Option<Merge> {
        let (word, bits) = filter_place(left, right, self.filter.len());
        if self.filter[word] & bits != bits {
            return None;
        }
        self.merges.get(left, right)
    }
}

#[inline]
fn filter_place(left: u32, right: u32, words: usize) -> (usize, u64) {
    let hash = hash(pair(left, right) ^ 0x5555_5555);
    let bits = 1 << (hash & 63) | 1 << (hash >> 6 & 63);
    (hash >> 12 & (words - 1), bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merge(rank: u32, id: u32) -> Merge {
        Merge { rank, id }
    }

    #[test]
    fn every_pair_is_found_and_no_other() {
        for ordered in [true, false] {
            for count in [0_u32, 1, 2, 30] {
                let pairs = || (0..count).flat_map(|l| (0..count).map(move |r| (l, r * 3)));
                let id = |number: u32| {
                    if ordered {
                        number * 2 + 5
                    } else {
                        9000 - number
                    }
                };
                let merges = || {
                    (0..)
                        .zip(pairs())
                        .map(|(number, (l, r))| (l, r, merge(number * 7, id(number))))
                };
                let packed = PackedMerges::new(merges().collect()).unwrap();
                let mut last = None;
                for (left, right, merge) in merges() {
                    let found = packed.get(left, right).unwrap();
                    assert_eq!(found.id, merge.id);
                    assert!(Some(found.rank) > last);
                    last = Some(found.rank);
                }
                for (left, right) in [(0, 1), (count, 0), (0, 3 * count), (u32::MAX, u32::MAX)] {
                    assert_eq!(packed.get(left, right), None);
                }
            }
        }
    }

    #[test]
    fn ids_that_do_not_fit_are_refused() {
        assert!(PackedMerges::new(vec![(0, 1, merge(0, LIMIT - 1))]).is_some());
        assert!(PackedMerges::new(vec![(0, 1, merge(0, LIMIT))]).is_none());
        assert!(PackedMerges::new(vec![(LIMIT, 1, merge(0, 2))]).is_none());
    }

    #[test]
    fn words_have_the_merges_of_their_table() {
        let mut table = MergeTable::with_capacity(2000);
        let mut bytes = [0; 256];
        (0..)
            .zip(&mut bytes)
            .for_each(|(id, byte)| *byte = 255 - id);
        for number in 0..2000_u32 {
            let (left, right) = (number * 31 % 997, number * 17 % 499);
            table.insert(left, right, merge(number, 300 + number));
        }
        let words = WordMerges::new(&table, &bytes).unwrap();
        for left in 0..1000 {
            for right in 0..500 {
                let expected = table.get(left, right).map(|merge| merge.id);
                assert_eq!(words.get(left, right).map(|merge| merge.id), expected);
            }
        }
        for left in 0..=u8::MAX {
            for right in 0..=u8::MAX {
                let ids = (bytes[usize::from(left)], bytes[usize::from(right)]);
                let expected = table.get(ids.0, ids.1).map(|merge| merge.id);
                assert_eq!(words.byte_pair(left, right).map(|merge| merge.id), expected);
            }
        }
    }
}
