//! Which of two pairs with the same count is merged first.

use std::cmp::Ordering;

use super::config::Tie;
use super::pairs::{PairNumber, Pairs, Symbols};
use super::pieces::Pieces;
use crate::ids::first_bytes;

/// A pair in the queue.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// What decides most comparisons, without a look at the pair.
    key: u64,
    pub(super) pair: PairNumber,
}

impl Candidate {
    pub(super) fn new(pair: PairNumber, (left, right): Symbols, tie: Tie, pieces: &Pieces) -> Self {
        let key = match tie {
            Tie::HuggingFace => (u64::from(left) << 32) | u64::from(right),
            Tie::Bytes => first_bytes(pieces.bytes(left)),
        };
        Self { key, pair }
    }
}

/// Which of two candidates with the same count is merged first.
pub(super) fn order<'a>(
    tie: Tie,
    pairs: &'a Pairs,
    pieces: &'a Pieces,
) -> impl Fn(&Candidate, &Candidate) -> Ordering + 'a {
    move |a: &Candidate, b: &Candidate| {
        a.key.cmp(&b.key).then_with(|| {
            let (a, b) = (pairs.get(a.pair).symbols, pairs.get(b.pair).symbols);
            match tie {
                Tie::HuggingFace => a.cmp(&b),
                Tie::Bytes => {
                    let left = pieces.bytes(a.0).cmp(pieces.bytes(b.0));
                    left.then_with(|| pieces.bytes(a.1).cmp(pieces.bytes(b.1)))
                }
            }
        })
    }
}
