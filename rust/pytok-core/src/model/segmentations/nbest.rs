//! The k best segmentations, exactly: each position keeps its k best arrivals.
//!
//! The search for the best one with lists in place of single arrivals (Chow and
//! Schwartz, 1989). Scores are added from the left in double precision. Of equal
//! sums the one whose last piece is longer goes first, then the one whose rest
//! goes first: so the first segmentation is the one that
//! [`crate::model::Unigram`] finds, and the order is total.

use super::{Cut, Lattice};
use crate::ids::{index, offset};

/// A segmentation and the sum of its scores.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ranked {
    pub(crate) score: f64,
    pub(crate) cuts: Vec<Cut>,
}

/// One of the best ways to a position.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    score: f64,
    /// Where its last piece begins.
    start: u32,
    /// Which of the ways to `start` it goes on from.
    rank: u32,
    id: u32,
}

/// The `count` best segmentations, the best first; fewer when there are not as
/// many.
///
/// # Complexity
/// O(n p k) time and O(n k) memory for n bytes, p pieces at each and k
/// segmentations.
pub(crate) fn n_best(lattice: &impl Lattice, count: usize) -> Vec<Ranked> {
    let length = lattice.length();
    let mut arrivals: Vec<Vec<Arrival>> = vec![Vec::new(); length + 1];
    arrivals[0].push(Arrival {
        score: 0.0,
        start: 0,
        rank: 0,
        id: 0,
    });
    let mut merged = Vec::new();
    for start in 0..length {
        let here = std::mem::take(&mut arrivals[start]);
        if !here.is_empty() {
            lattice.steps(start, |step| {
                let offers = (0..).zip(&here).map(|(rank, before)| Arrival {
                    score: step.score + before.score,
                    start: offset(start),
                    rank,
                    id: step.id,
                });
                merge(&mut arrivals[step.end], offers, count, &mut merged);
            });
        }
        arrivals[start] = here;
    }
    let ranks = 0..arrivals[length].len();
    ranks.map(|rank| trace(&arrivals, length, rank)).collect()
}

/// Put offers, which descend, into a list that descends and keeps the best
/// `count`. Of equal scores those of the list, whose starts are earlier, stay
/// in front.
fn merge(
    list: &mut Vec<Arrival>,
    offers: impl Iterator<Item = Arrival>,
    count: usize,
    merged: &mut Vec<Arrival>,
) {
    let mut offers = offers.peekable();
    if list.len() == count
        && let (Some(last), Some(first)) = (list.last(), offers.peek())
        && first.score <= last.score
    {
        return;
    }
    merged.clear();
    let mut known = list.iter().copied().peekable();
    while merged.len() < count {
        let is_better = match (known.peek(), offers.peek()) {
            (Some(old), Some(new)) => new.score > old.score,
            (old, _) => old.is_none(),
        };
        match if is_better {
            offers.next()
        } else {
            known.next()
        } {
            Some(arrival) => merged.push(arrival),
            None => break,
        }
    }
    list.clear();
    list.reserve_exact(merged.len()); // most lists have their length at once
    list.extend_from_slice(merged);
}

fn trace(arrivals: &[Vec<Arrival>], length: usize, rank: usize) -> Ranked {
    let score = arrivals[length][rank].score;
    let (mut end, mut rank, mut cuts) = (length, rank, Vec::new());
    while end > 0 {
        let arrival = arrivals[end][rank];
        let id = arrival.id;
        cuts.push(Cut { end, id });
        (end, rank) = (index(arrival.start), index(arrival.rank));
    }
    cuts.reverse();
    Ranked { score, cuts }
}
