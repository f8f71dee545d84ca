//! Pairs of pieces that are often neighbours, as new candidates.
//!
//! What merging grew is all that pruning can choose from. Once prices are known,
//! a pair of neighbours `a b` in the cheapest segmentations that would cost less
//! as one piece is a candidate that merging missed. Its gain is estimated as if
//! nothing else changed; the caller keeps the new vocabulary only when the whole
//! text costs less.

use rustc_hash::FxHashMap;

use super::costs::{self, REMOVED};
use super::lattice::{Lattice, NO_PIECE, Search};
use crate::ids::index;
use crate::train::threads::share_out;
use crate::train::word_table::WordTable;

/// A vocabulary with its costs, and the segments that it cuts.
#[derive(Debug)]
pub(super) struct Cutting<'a> {
    pub(super) lattice: &'a Lattice,
    pub(super) pieces: &'a [Box<[u8]>],
    pub(super) costs: &'a [u32],
    pub(super) segments: &'a WordTable,
    pub(super) threads: usize,
}

/// The byte strings of the `most` pairs with the greatest gain, that are no
/// pieces and that `allows` allows; of equal gains the smaller bytes.
///
/// A pair is taken to cost what its count and `price`, in nats, make of it.
#[allow(clippy::as_conversions)] // counts are far below 2^53
pub(super) fn best_pairs(
    cutting: &Cutting<'_>,
    most: usize,
    price: f64,
    allows: &dyn Fn(&[u8]) -> bool,
) -> Vec<Box<[u8]>> {
    let Cutting { pieces, costs, .. } = cutting;
    let counts = neighbours(cutting);
    let total: u64 = counts
        .values()
        .fold(0, |sum, &count| sum.saturating_add(count));
    let mut best: Vec<(u128, Box<[u8]>)> = counts
        .into_iter()
        .filter_map(|((left, right), count)| {
            let apart = u64::from(costs[index(left)]) + u64::from(costs[index(right)]);
            let share = libm::log(count as f64 / total.max(1) as f64);
            let saved = apart.checked_sub(u64::from(costs::cost(price - share)))?;
            let joined = [&*pieces[index(left)], &*pieces[index(right)]].concat();
            let is_new = pieces
                .binary_search_by(|piece| (**piece).cmp(&joined))
                .map_or(true, |id| costs[id] == REMOVED);
            (saved > 0 && is_new && allows(&joined))
                .then(|| (u128::from(saved) * u128::from(count), joined.into()))
        })
        .collect();
    best.sort_unstable_by(|left, right| right.0.cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
    best.dedup_by(|left, right| left.1 == right.1);
    best.truncate(most);
    best.into_iter().map(|(_, piece)| piece).collect()
}

/// How often each two pieces are neighbours in the cheapest segmentations.
fn neighbours(cutting: &Cutting<'_>) -> FxHashMap<(u32, u32), u64> {
    let Cutting {
        lattice,
        costs,
        segments,
        threads,
        ..
    } = *cutting;
    let parts = share_out(segments.len(), threads, |ranges| {
        let mut counts: FxHashMap<(u32, u32), u64> = FxHashMap::default();
        let mut search = Search::default();
        for (segment, count) in ranges.flat_map(|range| segments.range(range)) {
            if lattice
                .search(costs, segment, NO_PIECE, &mut search)
                .is_none()
            {
                continue;
            }
            let mut right = None;
            for left in lattice.path(&search, segment.len()) {
                if let Some(right) = right {
                    let known = counts.entry((left, right)).or_insert(0);
                    *known = known.saturating_add(count);
                }
                right = Some(left);
            }
        }
        counts
    });
    let mut total = FxHashMap::default();
    for part in parts {
        for (pair, count) in part {
            let known: &mut u64 = total.entry(pair).or_insert(0);
            *known = known.saturating_add(count);
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_by_their_gain() {
        let texts: [&[u8]; 4] = [b"a", b"b", b"c", b"ab"];
        let pieces: Vec<Box<[u8]>> = texts.iter().map(|&text| text.into()).collect();
        let mut pieces_sorted = pieces.clone();
        pieces_sorted.sort();
        let lattice = Lattice::new(&pieces_sorted).unwrap();
        let mut segments = WordTable::default();
        segments.add(b"abc", 6);
        segments.add(b"ca", 3);
        segments.add(b"cb", 3);
        let costs = [9000, 6000, 9000, 9000]; // a, ab, b, c
        let cutting = Cutting {
            lattice: &lattice,
            pieces: &pieces_sorted,
            costs: &costs,
            segments: &segments,
            threads: 2,
        };
        let found = |most, allows: &dyn Fn(&[u8]) -> bool| best_pairs(&cutting, most, 1.0, allows);
        let text = |piece: &[u8]| -> Box<[u8]> { piece.into() };
        // abc saves more each time than ca and cb, which are equal.
        assert_eq!(
            found(9, &|_| true),
            [text(b"abc"), text(b"ca"), text(b"cb")]
        );
        assert_eq!(found(2, &|_| true), [text(b"abc"), text(b"ca")]);
        assert_eq!(
            found(9, &|piece| piece.len() < 3),
            [text(b"ca"), text(b"cb")]
        );
    }
}
