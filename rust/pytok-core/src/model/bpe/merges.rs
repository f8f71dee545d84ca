//! Which two symbols merge, with what priority, into what.
//!
//! A flat table with open addressing, 16 bytes a slot: every word looks up
//! each pair of neighbours, and nearly all of the time of encoding is spent
//! here. Keys are hashed by a folded 128-bit product.

use rustc_hash::FxHashMap;

use crate::ids::index;

/// A merge: lower ranks go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Merge {
    /// The priority; unique among the merges of a model.
    pub(crate) rank: u32,
    /// The symbol that the pair becomes.
    pub(crate) id: u32,
}

/// A source of merges.
pub(crate) trait Merges {
    /// The merge of two neighbours.
    fn get(&self, left: u32, right: u32) -> Option<Merge>;

    /// Whether a merge queued with `rank` still stands for the pair that now
    /// has the merge `now`.
    fn is_current(&self, rank: u32, now: Merge) -> bool {
        rank == now.rank
    }

    /// Whether each merge ranks above every merge that makes one of its sides,
    /// and each pair has a rank of its own.
    fn ranks_ascend(&self) -> bool {
        false
    }
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    pair: u64,
    merge: Merge,
}

/// No merge has this rank, so it marks an empty slot.
const NO_RANK: u32 = u32::MAX;

const EMPTY: Slot = Slot {
    pair: u64::MAX,
    merge: Merge {
        rank: NO_RANK,
        id: 0,
    },
};

/// The merges of a model.
#[derive(Debug, Clone)]
pub(crate) struct MergeTable {
    slots: Vec<Slot>,
    /// What each rank's merge makes, for models in which a queued merge is
    /// recognised by that (see [`MergeTable::recognise_by_result`]).
    results: Vec<u32>,
    ascending: bool,
    filled: usize,
    /// The merges in the order in which they were inserted, until they are
    /// forgotten; empty if one replaced another.
    listing: Vec<(u32, u32, Merge)>,
}

impl MergeTable {
    /// An empty table for at most `count` merges.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self {
            slots: vec![EMPTY; (count + count / 2 + 2).next_power_of_two()],
            results: Vec::new(),
            ascending: false,
            filled: 0,
            listing: Vec::with_capacity(count),
        }
    }

    /// Set the merge of a pair, replacing an earlier one. At most as many
    /// pairs as the table was made for; no rank is `u32::MAX`.
    pub(crate) fn insert(&mut self, left: u32, right: u32, merge: Merge) {
        let pair = key(left, right);
        let mask = self.slots.len() - 1;
        let mut slot = hash(pair) & mask;
        while self.slots[slot].merge.rank != NO_RANK && self.slots[slot].pair != pair {
            slot = (slot + 1) & mask;
        }
        if self.slots[slot].merge.rank == NO_RANK {
            if self.filled == self.listing.len() {
                self.listing.push((left, right, merge));
            }
            self.filled += 1;
        } else {
            self.listing = Vec::new();
        }
        self.slots[slot] = Slot { pair, merge };
    }

    /// Forget the order of the merges: [`MergeTable::iter`] is slower without.
    pub(crate) fn forget_order(&mut self) {
        self.listing = Vec::new();
    }

    /// Recognise a queued merge by its result rather than by its rank, as the
    /// reference does. The two differ only where different pairs at one place
    /// can make the same id: where pieces share ids, or where a merge adds
    /// nothing to its left side. `results[rank]` is what the merge makes.
    pub(crate) fn recognise_by_result(&mut self, results: Vec<u32>) {
        self.results = results;
    }

    /// Find out whether ranks ascend (see [`Merges::ranks_ascend`]), once all
    /// merges are inserted.
    pub(crate) fn check_ranks(&mut self) {
        // The highest rank that makes a symbol, and one more; of large symbols apart.
        let mut made = vec![0_u32; self.slots.len()];
        let mut made_large = FxHashMap::<u32, u32>::default();
        for (.., merge) in self.iter() {
            let highest = match made.get_mut(index(merge.id)) {
                Some(highest) => highest,
                None => made_large.entry(merge.id).or_default(),
            };
            *highest = (merge.rank + 1).max(*highest);
        }
        let above = |rank: u32, side: u32| match made.get(index(side)) {
            Some(&made) => made <= rank,
            None => made_large.get(&side).is_none_or(|&made| made <= rank),
        };
        self.ascending = self.is_regular()
            && self
                .iter()
                .all(|(left, right, merge)| above(merge.rank, left) && above(merge.rank, right));
    }

    /// Every merge with its two sides: in the order in which they were inserted,
    /// where that is known.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u32, Merge)> {
        let is_listed = self.listing.len() == self.filled;
        let slots = if is_listed { &[] } else { &*self.slots };
        let filled = slots.iter().filter(|slot| slot.merge.rank != NO_RANK);
        let unlisted = filled.map(|slot| {
            let (left, right) = sides(slot.pair);
            (left, right, slot.merge)
        });
        let listed = if is_listed { &*self.listing } else { &[] };
        listed.iter().copied().chain(unlisted)
    }

    /// Ranks alone tell whether a queued merge still stands.
    pub(crate) fn is_regular(&self) -> bool {
        self.results.is_empty()
    }
}

impl Merges for MergeTable {
    #[inline]
    fn get(&self, left: u32, right: u32) -> Option<Merge> {
        let pair = key(left, right);
        let mask = self.slots.len() - 1;
        let mut slot = hash(pair) & mask;
        loop {
            let found = self.slots[slot];
            if found.pair == pair || found.merge.rank == NO_RANK {
                return (found.merge.rank != NO_RANK).then_some(found.merge);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[inline]
    fn is_current(&self, rank: u32, now: Merge) -> bool {
        rank == now.rank
            || self
                .results
                .get(index(rank))
                .is_some_and(|&id| id == now.id)
    }

    #[inline]
    fn ranks_ascend(&self) -> bool {
        self.ascending
    }
}

#[allow(clippy::as_conversions)] // takes the key apart
fn sides(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

#[inline]
fn key(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

#[inline]
#[allow(clippy::as_conversions)] // halves of a product; 32-bit targets need fewer bits still
pub(crate) fn hash(pair: u64) -> usize {
    let product = u128::from(pair ^ 0x2545_F491_4F6C_DD1D) * 0x9E37_79B9_7F4A_7C15;
    (product as u64 ^ (product >> 64) as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_found_and_no_other() {
        let mut table = MergeTable::with_capacity(10_000);
        let merge = |left: u32, right: u32| Merge {
            rank: left * 100 + right,
            id: left + right,
        };
        for left in 0..100 {
            for right in 0..100 {
                table.insert(left, right * 3, merge(left, right));
            }
        }
        for left in 0..100 {
            for right in 0..300 {
                let expected = (right % 3 == 0).then(|| merge(left, right / 3));
                assert_eq!(table.get(left, right), expected);
            }
        }
        assert_eq!(table.get(u32::MAX, u32::MAX), None);
        table.insert(u32::MAX, u32::MAX, merge(1, 1));
        assert_eq!(table.get(u32::MAX, u32::MAX), Some(merge(1, 1)));
    }

    #[test]
    fn an_empty_table_has_no_merge() {
        assert_eq!(MergeTable::with_capacity(0).get(0, 0), None);
    }
}
