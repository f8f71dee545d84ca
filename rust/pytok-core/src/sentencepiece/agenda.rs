//! The merges that are possible now, the best first.
//!
//! A heap, and beside it a descending run that takes whatever is worse than
//! everything in it. The candidates of a whole text are sorted into the run at
//! once; where a text repeats itself later ones follow in order too, so that a
//! megabyte of one letter never climbs up and down a heap.

use std::collections::BinaryHeap;

use crate::ids::index;

/// A merge that was possible when it was entered. The derived order is the
/// agenda's: the rank in the upper half of `priority`, then the leftmost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    priority: u64,
    /// The symbol that the merge makes.
    pub(super) merged: u32,
}

impl Candidate {
    pub(super) fn new(rank: u32, left: u32, merged: u32) -> Self {
        Self {
            priority: u64::from(rank) << 32 | u64::from(!left),
            merged,
        }
    }

    /// The place of the left symbol.
    #[allow(clippy::as_conversions)] // the lower half is what `new` put there
    pub(super) fn left(self) -> usize {
        index(!(self.priority as u32))
    }
}

/// A priority queue of candidates.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    /// Descending from `taken` on.
    run: Vec<Candidate>,
    taken: usize,
    heap: BinaryHeap<Candidate>,
}

impl Agenda {
    /// Begin with these candidates.
    pub(super) fn fill(&mut self, candidates: impl Iterator<Item = Candidate>) {
        self.heap.clear();
        self.taken = 0;
        self.run.clear();
        self.run.extend(candidates);
        self.run.sort_unstable_by(|left, right| right.cmp(left));
    }

    /// Enter a candidate.
    #[inline]
    pub(super) fn push(&mut self, candidate: Candidate) {
        if self.run.last().is_none_or(|&worst| candidate <= worst) {
            self.run.push(candidate);
        } else {
            self.heap.push(candidate);
        }
    }

    /// Take out the best candidate.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Candidate> {
        match (self.run.get(self.taken), self.heap.peek()) {
            (Some(next), Some(top)) if next < top => self.heap.pop(),
            (Some(&next), _) => {
                self.taken += 1;
                Some(next)
            }
            (None, _) => self.heap.pop(),
        }
    }
}

/// An integer whose order is the library's order of scores, which compares the
/// bits of floats: that of numbers, zeros told apart.
pub(super) fn rank(score: f32) -> u32 {
    let bits = score.to_bits();
    if bits >> 31 == 1 {
        !bits
    } else {
        bits | 1 << 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_ordered_as_scores() {
        let scores = [f32::NEG_INFINITY, -2.5, -1.0, -0.0, 0.0, 1.0, f32::INFINITY];
        assert!(scores.windows(2).all(|pair| rank(pair[0]) < rank(pair[1])));
    }

    #[test]
    fn prefers_the_rank_then_the_left() {
        let mut agenda = Agenda::default();
        agenda.fill([Candidate::new(1, 0, 7), Candidate::new(2, 9, 8)].into_iter());
        agenda.push(Candidate::new(2, 3, 9));
        agenda.push(Candidate::new(0, 4, 6));
        let order: Vec<_> = std::iter::from_fn(|| agenda.pop())
            .map(|candidate| (candidate.left(), candidate.merged))
            .collect();
        assert_eq!(order, [(3, 9), (9, 8), (0, 7), (4, 6)]);
    }

    #[test]
    fn agrees_with_a_heap_under_mixed_pushes_and_pops() {
        let mut state = 7_u32;
        let mut random = move |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        for round in 0..200 {
            let first: Vec<_> = (0..random(20))
                .map(|left| Candidate::new(random(5), left, round))
                .collect();
            let mut agenda = Agenda::default();
            agenda.fill(first.iter().copied());
            let mut heap = BinaryHeap::from(first);
            for left in 20..60 {
                if random(3) == 0 {
                    let candidate = Candidate::new(random(5), left, round);
                    agenda.push(candidate);
                    heap.push(candidate);
                }
                assert_eq!(agenda.pop(), heap.pop());
            }
        }
    }
}
