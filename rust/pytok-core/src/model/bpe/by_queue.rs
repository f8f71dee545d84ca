//! The order of merges by a priority queue: right for any set of merges.
//!
//! Every merge removes a symbol and queues at most two new merges, so that a
//! word of n symbols costs O(n log n). A queued merge is not removed when one
//! of its symbols changes; it is recognised as out of date when it comes up.
//! The order (rank, then place) is total, so the result is deterministic.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::chain::{Links, NONE};
use super::merges::{Merge, Merges};
use crate::model::random::Random;

/// A queued merge: the rank in the upper half, the left symbol's place in the
/// lower one.
pub(super) type Queued = Reverse<u64>;

/// The merges that may be done next. Reused between words; empty between them.
#[derive(Debug, Default)]
pub(super) struct MergeQueue {
    pub(super) queue: BinaryHeap<Queued>,
    pub(super) skipped: Vec<Queued>,
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
        dropout: f64,
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

    pub(super) fn queue_all(&mut self, links: &Links, merges: &impl Merges) {
        let mut queue = std::mem::take(&mut self.queue).into_vec();
        queue.extend(links.pairs().filter_map(|(place, left, right)| {
            let merge = merges.get(left, right)?;
            Some(queued(merge.rank, place))
        }));
        self.queue = BinaryHeap::from(queue);
    }

    /// Do a merge unless it is out of date.
    fn apply(&mut self, queued: Queued, links: &mut Links, merges: &impl Merges) {
        if let Some((place, merge)) = current(queued, links, merges) {
            self.join(place, merge, links, merges);
        }
    }

    /// Do a merge and queue those that it makes possible.
    pub(super) fn join(
        &mut self,
        place: u32,
        merge: Merge,
        links: &mut Links,
        merges: &impl Merges,
    ) {
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

/// The place of a queued merge and what it does now; `None` once a symbol that
/// it was queued for has changed.
pub(super) fn current(
    Reverse(entry): Queued,
    links: &Links,
    merges: &impl Merges,
) -> Option<(u32, Merge)> {
    let (rank, place) = halves(entry);
    let left = links.at(place);
    if left.length == 0 || left.next == NONE {
        return None;
    }
    let merge = merges.get(left.id, links.at(left.next).id)?;
    merges.is_current(rank, merge).then_some((place, merge))
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
