//! The order of merges by rank, for merges that only ever lead upwards.
//!
//! In a trained vocabulary a merge ranks above the merges that made its two
//! sides. Then a merge of rank r can only bring up merges above r, and all
//! places of rank r can be done in one sweep from the left: a monotone queue
//! is enough, here a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan, 1990).
//! Bucket b holds the ranks whose highest bit that differs from the current
//! rank's is bit b - 1. An entry only moves to lower buckets, at most once a
//! bit of the rank, in sequential memory: on a megabyte without a space this
//! is several times as fast as a binary heap.

use super::chain::{Links, NONE};
use super::merges::Merges;
use crate::ids::index;

/// No merge has this rank.
const NO_RANK: u32 = u32::MAX;

/// A place whose symbol may merge with its right neighbour.
#[derive(Debug, Clone, Copy)]
struct Entry {
    rank: u32,
    place: u32,
}

/// The merges that may be done next. Reused between words; empty between them.
#[derive(Debug)]
pub(super) struct RankBuckets {
    /// No entry ranks below.
    current: u32,
    buckets: [Vec<Entry>; 33],
    /// The rank of each place's merge with its right neighbour.
    ranks: Vec<u32>,
}

impl Default for RankBuckets {
    fn default() -> Self {
        Self {
            current: 0,
            buckets: std::array::from_fn(|_| Vec::new()),
            ranks: Vec::new(),
        }
    }
}

impl RankBuckets {
    /// Merge until nothing merges, given that [`Merges::ranks_ascend`].
    pub(super) fn merge(&mut self, links: &mut Links, merges: &impl Merges) {
        self.current = 0;
        self.ranks.clear();
        for (place, left, right) in links.pairs() {
            let rank = merges.get(left, right).map_or(NO_RANK, |merge| merge.rank);
            self.ranks.push(rank);
            self.push(Entry { rank, place });
        }
        self.ranks.push(NO_RANK);
        while self.advance() {
            let mut sweep = std::mem::take(&mut self.buckets[0]);
            sweep.sort_unstable_by_key(|entry| entry.place);
            let mut made = None;
            for &Entry { rank, place } in &sweep {
                if self.ranks[index(place)] != rank {
                    continue;
                }
                let left = links.at(place);
                // A rank belongs to one pair: one look-up serves the sweep.
                let id = *made.get_or_insert_with(|| {
                    merges
                        .get(left.id, links.at(left.next).id)
                        .map_or(left.id, |merge| merge.id)
                });
                self.ranks[index(left.next)] = NO_RANK;
                let joined = links.join(place, id);
                let after = (joined.next != NONE)
                    .then(|| merges.get(id, links.at(joined.next).id))
                    .flatten();
                self.set(place, after.map_or(NO_RANK, |merge| merge.rank));
                if joined.previous != NONE {
                    let before = merges.get(links.at(joined.previous).id, id);
                    self.set(joined.previous, before.map_or(NO_RANK, |merge| merge.rank));
                }
            }
            sweep.clear();
            self.buckets[0] = sweep;
        }
    }

    #[inline]
    fn set(&mut self, place: u32, rank: u32) {
        self.ranks[index(place)] = rank;
        self.push(Entry { rank, place });
    }

    #[inline]
    fn push(&mut self, entry: Entry) {
        if entry.rank != NO_RANK {
            self.buckets[bucket(entry.rank ^ self.current)].push(entry);
        }
    }

    /// Move all entries of the lowest rank to bucket 0; whether there are any.
    fn advance(&mut self) -> bool {
        let Some(first) = self.buckets.iter().position(|bucket| !bucket.is_empty()) else {
            return false;
        };
        if first > 0 {
            let mut moving = std::mem::take(&mut self.buckets[first]);
            let lowest = moving.iter().map(|entry| entry.rank).min();
            self.current = lowest.unwrap_or(self.current);
            moving.drain(..).for_each(|entry| self.push(entry));
            self.buckets[first] = moving; // empty again, with its memory
        }
        true
    }
}

/// The bucket of a rank, given its difference from the current one.
#[inline]
fn bucket(difference: u32) -> usize {
    index(u32::BITS - difference.leading_zeros())
}
