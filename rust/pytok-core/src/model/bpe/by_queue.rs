//! The order of merges by a priority queue: right for any set of merges.
//!
//! Every merge removes a symbol and queues at most two new merges, so that a
//! word of n symbols costs O(n log n). A queued merge is not removed when one
//! of its symbols changes; it is recognised as out of date when it comes up.
//! The order (rank, then place) is total, so the result is deterministic.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::chain::{Links, NONE};
use super::merges::Merges;
use crate::model::random::Random;

/// A queued merge: the rank in the upper half, the left symbol's place in the
/// lower one.
type Queued = Reverse<u64>;

/// The merges that may be done next. Reused between words; empty between them.
#[derive(Debug, Default)]
pub(super) struct MergeQueue {
    queue: BinaryHeap<Queued>,
    skipped: Vec<Queued>,
}

impl MergeQueue {
    /// Merge until nothing merges.
    pub(super) fn merge(&mut self, links: &mut Links, merges: &impl Merges) {
        self.queue_all(links, merges);
        while let Some(queued) = self.queue.pop() {
            self.apply(queued, links, merges);
        }
    }

    /// Merge, putting a share of the merges aside.
    pub(super) fn merge_with_dropout(
        &mut self,
        links: &mut Links,
        merges: &impl Merges,
        dropout: f32,
        random: &mut Random,
    ) {
        self.queue_all(links, merges);
        while let Some(queued) = self.queue.pop() {
            if random.chance(dropout) {
                self.skipped.push(queued);
            } else {
                self.queue.extend(self.skipped.drain(..));
                self.apply(queued, links, merges);
            }
        }
        self.skipped.clear();
    }

    fn queue_all(&mut self, links: &Links, merges: &impl Merges) {
        let mut queue = std::mem::take(&mut self.queue).into_vec();
        queue.extend(links.pairs().filter_map(|(place, left, right)| {
            let merge = merges.get(left, right)?;
            Some(queued(merge.rank, place))
        }));
        self.queue = BinaryHeap::from(queue);
    }

    fn apply(&mut self, Reverse(entry): Queued, links: &mut Links, merges: &impl Merges) {
        let (rank, place) = halves(entry);
        let left = links.at(place);
        if left.length == 0 || left.next == NONE {
            return;
        }
        let merge = match merges.get(left.id, links.at(left.next).id) {
            Some(merge) if merges.is_current(rank, merge) => merge,
            _ => return,
        };
        let joined = links.join(place, merge.id);
        if joined.next != NONE
            && let Some(merge) = merges.get(joined.id, links.at(joined.next).id)
        {
            self.queue.push(queued(merge.rank, place));
        }
        if joined.previous != NONE
            && let Some(merge) = merges.get(links.at(joined.previous).id, joined.id)
        {
            self.queue.push(queued(merge.rank, joined.previous));
        }
    }
}

#[inline]
fn queued(rank: u32, place: u32) -> Queued {
    Reverse(u64::from(rank) << 32 | u64::from(place))
}

#[inline]
#[allow(clippy::as_conversions)] // takes the number apart
fn halves(entry: u64) -> (u32, u32) {
    ((entry >> 32) as u32, entry as u32)
}
