//! Merging a short word: scan an array for the least rank.
//!
//! Quadratic, but for the few symbols of an ordinary word one scan of a cache
//! line is cheaper than any queue.

use super::merges::{Merge, Merges};

/// The longest word, in symbols, that is merged by scanning.
pub(crate) const SHORT: usize = 32;

const NO_RANK: u32 = u32::MAX;

/// What a symbol carries along besides its id.
pub(crate) trait Extent: Copy {
    /// What the merged symbol carries.
    fn join(self, right: Self) -> Self;
}

/// Nothing: only the ids are wanted.
impl Extent for () {
    fn join(self, (): Self) {}
}

/// The symbol's length.
impl Extent for u32 {
    fn join(self, right: Self) -> Self {
        self + right
    }
}

/// Merge a word of at most [`SHORT`] symbols in place and return how many
/// symbols remain, at the front. The lowest rank goes first, of equal ranks
/// the leftmost.
///
/// # Panics
/// When there are more symbols than [`SHORT`] or not as many extents.
#[inline]
pub(crate) fn merge_short<E: Extent>(
    merges: &impl Merges,
    symbols: &mut [u32],
    extents: &mut [E],
) -> usize {
    let before: [u32; SHORT] = std::array::from_fn(|at| symbols.get(at).copied().unwrap_or(0));
    let pairs = |right: usize| merges.get(before[right - 1], before[right]);
    merge_short_from(merges, pairs, symbols, extents)
}

/// [`merge_short`], given the merge of each symbol with the one before it.
///
/// # Panics
/// As there.
#[inline]
pub(crate) fn merge_short_from<E: Extent>(
    merges: &impl Merges,
    pairs: impl Fn(usize) -> Option<Merge>,
    symbols: &mut [u32],
    extents: &mut [E],
) -> usize {
    let mut count = symbols.len();
    assert!(count <= SHORT && count == extents.len());
    let mut ranks = [NO_RANK; SHORT];
    let mut results = [0_u32; SHORT];
    for place in 1..count {
        if let Some(merge) = pairs(place) {
            ranks[place - 1] = merge.rank;
            results[place - 1] = merge.id;
        }
    }
    while count > 1 {
        let mut least = NO_RANK;
        let mut place = 0;
        for (candidate, &rank) in ranks[..count - 1].iter().enumerate() {
            if rank < least {
                least = rank;
                place = candidate;
            }
        }
        if least == NO_RANK {
            break;
        }
        symbols[place] = results[place];
        extents[place] = extents[place].join(extents[place + 1]);
        symbols.copy_within(place + 2..count, place + 1);
        extents.copy_within(place + 2..count, place + 1);
        ranks.copy_within(place + 2..count, place + 1);
        results.copy_within(place + 2..count, place + 1);
        count -= 1;
        for left in place.saturating_sub(1)..=place {
            ranks[left] = NO_RANK;
            if left + 1 < count
                && let Some(merge) = merges.get(symbols[left], symbols[left + 1])
            {
                ranks[left] = merge.rank;
                results[left] = merge.id;
            }
        }
    }
    count
}
