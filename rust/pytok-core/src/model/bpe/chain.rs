//! A word of any length as a linked list of symbols.
//!
//! A merge turns the left symbol into the merged one and unlinks the right
//! one, in constant time. In which order merges are done is decided in
//! [`super::by_rank`] and [`super::by_queue`].

use super::by_queue::MergeQueue;
use super::by_rank::RankBuckets;
use super::merges::Merges;
use crate::ids::{index, offset};
use crate::model::random::Random;

/// No neighbour on this side.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    pub(super) id: u32,
    /// In bytes; 0 once the symbol has been merged into its left neighbour.
    pub(super) length: u32,
    pub(super) previous: u32,
    pub(super) next: u32,
}

/// A word as a chain of symbols. Reused between words.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    links: Links,
    queue: MergeQueue,
    buckets: RankBuckets,
}

/// The symbols of a chain, by their places in the word.
#[derive(Debug, Default)]
pub(super) struct Links(Vec<Link>);

impl Links {
    /// The symbol at a place.
    #[inline]
    pub(super) fn at(&self, place: u32) -> Link {
        self.0[index(place)]
    }

    /// Every two neighbours before the first merge, with the left one's place.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        (0_u32..)
            .zip(self.0.windows(2))
            .map(|(place, pair)| (place, pair[0].id, pair[1].id))
    }

    /// Merge the symbol at `place` with its right neighbour, which must
    /// exist, into `id`; return the merged symbol.
    #[inline]
    pub(super) fn join(&mut self, place: u32, id: u32) -> Link {
        let left = self.at(place);
        let right = self.at(left.next);
        let joined = Link {
            id,
            length: left.length + right.length,
            previous: left.previous,
            next: right.next,
        };
        self.0[index(left.next)].length = 0;
        self.0[index(place)] = joined;
        if right.next != NONE {
            self.0[index(right.next)].previous = place;
        }
        joined
    }
}

impl Chain {
    /// Begin a new word.
    pub(crate) fn clear(&mut self) {
        self.links.0.clear();
    }

    /// Append a symbol of `length` > 0 bytes.
    pub(crate) fn push(&mut self, id: u32, length: u32) {
        let links = &mut self.links.0;
        let place = offset(links.len());
        if let Some(last) = links.last_mut() {
            last.next = place;
        }
        links.push(Link {
            id,
            length,
            previous: place.checked_sub(1).unwrap_or(NONE),
            next: NONE,
        });
    }

    /// Ids and lengths of the symbols that remain.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.links
            .0
            .iter()
            .filter(|link| link.length > 0)
            .map(|link| (link.id, link.length))
    }

    /// Merge until nothing merges: the lowest rank first, of equal ranks the
    /// leftmost.
    ///
    /// # Complexity
    /// O(n log n) for n symbols.
    pub(crate) fn merge(&mut self, merges: &impl Merges) {
        if merges.ranks_ascend() {
            self.buckets.merge(&mut self.links, merges);
        } else {
            self.queue.merge(&mut self.links, merges);
        }
    }

    /// Merge, but put each merge that comes up aside with probability
    /// `dropout` until another one has been tried, as the reference does for
    /// a file that asks for dropout.
    ///
    /// # Complexity
    /// O(n log n / (1 - dropout)) expected for n symbols and dropout < 1,
    /// O(n log n) for dropout = 1.
    pub(crate) fn merge_with_dropout(
        &mut self,
        merges: &impl Merges,
        dropout: f64,
        random: &mut Random,
    ) {
        self.queue
            .merge_with_dropout(&mut self.links, merges, dropout, random);
    }

    /// Merge, but in each step skip every merge that is possible with
    /// probability `dropout` (Provilkov et al., 2020): see [`super::dropout`].
    ///
    /// # Complexity
    /// O(n log n / (1 - dropout)) expected for n symbols and dropout < 1,
    /// O(n log n) for dropout = 1.
    pub(crate) fn merge_at_random(
        &mut self,
        merges: &impl Merges,
        dropout: f64,
        random: &mut Random,
    ) {
        self.queue
            .merge_at_random(&mut self.links, merges, dropout, random);
    }
}
