//! Merging a word of any length: a linked list of symbols and a queue of merges.
//!
//! Every merge removes a symbol and queues at most two new merges, so that a
//! word of n symbols costs O(n log n). A queued merge is not removed when one
//! of its symbols changes; it is recognised as out of date when it comes up.
//! The order (rank, then place) is total, so the result is deterministic.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::merges::Merges;
use crate::ids::{index, offset};
use crate::model::random::Random;

/// No neighbour on this side.
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Link {
    id: u32,
    /// In bytes; 0 once the symbol has been merged into its left neighbour.
    length: u32,
    previous: u32,
    next: u32,
}

/// A queued merge: the rank in the upper half, the left symbol's place in the
/// lower one.
type Queued = Reverse<u64>;

/// A word as a chain of symbols. Reused between words.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    links: Vec<Link>,
    queue: BinaryHeap<Queued>,
    skipped: Vec<Queued>,
}

impl Chain {
    /// Begin a new word.
    pub(crate) fn clear(&mut self) {
        self.links.clear();
        self.queue.clear();
        self.skipped.clear();
    }

    /// Append a symbol of `length` > 0 bytes.
    pub(crate) fn push(&mut self, id: u32, length: u32) {
        let place = offset(self.links.len());
        if let Some(last) = self.links.last_mut() {
            last.next = place;
        }
        self.links.push(Link {
            id,
            length,
            previous: place.checked_sub(1).unwrap_or(NONE),
            next: NONE,
        });
    }

    /// Ids and lengths of the symbols that remain.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.links
            .iter()
            .filter(|link| link.length > 0)
            .map(|link| (link.id, link.length))
    }

    /// Merge until nothing merges.
    ///
    /// # Complexity
    /// O(n log n) for n symbols.
    pub(crate) fn merge(&mut self, merges: &impl Merges) {
        self.queue_all(merges);
        while let Some(queued) = self.queue.pop() {
            self.apply(queued, merges);
        }
    }

    /// Merge, but put each merge that comes up aside with probability
    /// `dropout` until another one has been tried (Provilkov et al., 2020).
    ///
    /// # Complexity
    /// O(n log n / (1 - dropout)) expected for n symbols and dropout < 1,
    /// O(n log n) for dropout = 1.
    pub(crate) fn merge_with_dropout(
        &mut self,
        merges: &impl Merges,
        dropout: f32,
        random: &mut Random,
    ) {
        self.queue_all(merges);
        while let Some(queued) = self.queue.pop() {
            if random.chance(dropout) {
                self.skipped.push(queued);
            } else {
                self.queue.extend(self.skipped.drain(..));
                self.apply(queued, merges);
            }
        }
    }

    fn queue_all(&mut self, merges: &impl Merges) {
        let mut queue = std::mem::take(&mut self.queue).into_vec();
        queue.extend(
            (0_u32..)
                .zip(self.links.windows(2))
                .filter_map(|(place, pair)| {
                    let merge = merges.get(pair[0].id, pair[1].id)?;
                    Some(queued(merge.rank, place))
                }),
        );
        self.queue = BinaryHeap::from(queue);
    }

    fn apply(&mut self, Reverse(entry): Queued, merges: &impl Merges) {
        let (rank, place) = halves(entry);
        let left = self.links[index(place)];
        if left.length == 0 || left.next == NONE {
            return;
        }
        let right = self.links[index(left.next)];
        let merge = match merges.get(left.id, right.id) {
            Some(merge) if merges.is_current(rank, merge) => merge,
            _ => return,
        };
        self.links[index(left.next)].length = 0;
        self.links[index(place)] = Link {
            id: merge.id,
            length: left.length + right.length,
            previous: left.previous,
            next: right.next,
        };
        if right.next != NONE {
            self.links[index(right.next)].previous = place;
            let after = self.links[index(right.next)].id;
            if let Some(merge) = merges.get(merge.id, after) {
                self.queue.push(queued(merge.rank, place));
            }
        }
        if left.previous != NONE {
            let before = self.links[index(left.previous)].id;
            if let Some(merge) = merges.get(before, merge.id) {
                self.queue.push(queued(merge.rank, left.previous));
            }
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
