//! Removing the pieces whose loss costs least.
//!
//! Without a piece its bytes are cut in the cheapest other way. The loss is the
//! difference times the uses of the piece (Kudo 2018). Pieces go one at a time,
//! and the uses of one that goes are added to those of the pieces that take its
//! place, so that a piece and its substitute are not both taken for useless. A
//! loss only grows: counts rise and alternatives disappear.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::costs::REMOVED;
use super::lattice::{Lattice, Search};
use crate::ids::{index, offset};
use crate::train::threads::share_out;

/// A vocabulary while it is pruned.
#[derive(Debug)]
pub(super) struct Pruning<'a> {
    pub(super) lattice: &'a Lattice,
    pub(super) pieces: &'a [Box<[u8]>],
    /// Pieces that stay.
    pub(super) protected: &'a [bool],
    pub(super) costs: &'a mut [u32],
    pub(super) counts: &'a mut [u64],
}

impl Pruning<'_> {
    /// Remove pieces until `keep` are left, or only protected ones. Of equal
    /// losses the piece with the smaller id goes first.
    ///
    /// # Complexity
    /// O(n (log n + p^2)) for n pieces of at most p bytes.
    pub(super) fn run(&mut self, keep: usize, threads: usize) {
        let mut left = self.costs.iter().filter(|&&cost| cost != REMOVED).count();
        let removable = |&id: &usize| self.costs[id] != REMOVED && !self.protected[id];
        let losses = share_out(self.pieces.len(), threads, |ids| {
            let mut search = Search::default();
            let loss = |id| Reverse((self.loss(offset(id), &mut search), offset(id)));
            ids.flatten()
                .filter(removable)
                .map(loss)
                .collect::<Vec<_>>()
        });
        let mut queue = BinaryHeap::from(losses.concat());
        let mut search = Search::default();
        while left > keep {
            let Some(Reverse((known, id))) = queue.pop() else {
                return;
            };
            let loss = self.loss(id, &mut search);
            if loss > known {
                queue.push(Reverse((loss, id)));
                continue;
            }
            let moved = std::mem::take(&mut self.counts[index(id)]);
            let length = self.pieces[index(id)].len();
            for substitute in self.lattice.path(&search, length) {
                let count = &mut self.counts[index(substitute)];
                *count = count.saturating_add(moved);
            }
            self.costs[index(id)] = REMOVED;
            left -= 1;
        }
    }

    /// What the text would cost more without a piece; `search` then holds the
    /// pieces in its place.
    fn loss(&self, id: u32, search: &mut Search) -> u128 {
        let word = &self.pieces[index(id)];
        let other = self.lattice.search(self.costs, word, id, search);
        let Some(other) = other else {
            return u128::MAX; // never: all bytes are pieces
        };
        let more = other.saturating_sub(u64::from(self.costs[index(id)]));
        u128::from(more) * u128::from(self.counts[index(id)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_loss_goes_first_and_its_uses_move_on() {
        let texts: [&[u8]; 5] = [b"a", b"b", b"ab", b"aba", b"abab"];
        let pieces: Vec<Box<[u8]>> = texts.iter().map(|&text| text.into()).collect();
        let lattice = Lattice::new(&pieces).unwrap();
        let mut costs = [10, 10, 11, 12, 13];
        // Losses: ab 9 * 3 = 27, aba 9 * 2 = 18, abab 9 * 5 = 45.
        let mut counts = [1, 1, 3, 2, 5];
        let protected = [true, true, false, false, false];
        let mut pruning = Pruning {
            lattice: &lattice,
            pieces: &pieces,
            protected: &protected,
            costs: &mut costs,
            counts: &mut counts,
        };
        pruning.run(4, 1);
        assert_eq!(pruning.costs, [10, 10, 11, REMOVED, 13]);
        assert_eq!(pruning.counts, [3, 1, 5, 0, 5]); // aba = ab + a
        pruning.run(3, 2);
        // ab is now 9 * 5 = 45 as abab is: the smaller id, and abab = a b a b.
        assert_eq!(pruning.costs, [10, 10, REMOVED, REMOVED, 13]);
        pruning.run(0, 3);
        assert_eq!(pruning.costs, [10, 10, REMOVED, REMOVED, REMOVED]);
        assert_eq!(pruning.counts, [3 + 5 + 10, 1 + 5 + 10, 0, 0, 0]);
    }
}
