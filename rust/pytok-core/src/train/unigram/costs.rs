//! What pieces cost: whole numbers of 1/1024 nat.
//!
//! With whole numbers a sum does not depend on its order, so neither threads nor
//! platforms change a comparison, and a library that adds the same numbers as
//! doubles (they are exact there) compares alike.

use crate::train::threads::over_items;

/// Units of cost in a nat.
pub(super) const UNITS: f64 = 1024.0;

/// The cost of a piece that is not in the vocabulary.
pub(super) const REMOVED: u32 = u32::MAX;

/// Dearer than any segmentation of a piece, for pieces that no text may use.
pub(in crate::train) const NEVER: f64 = 1_048_576.0;

/// The count of a piece that was not used: less than once.
const UNUSED: f64 = 0.5;

/// A number of nats as a cost: at least one unit, so that no piece is free.
#[allow(clippy::as_conversions)] // clamped to the range
pub(super) fn cost(nats: f64) -> u32 {
    let units = libm::round(nats * UNITS);
    units.clamp(1.0, NEVER * UNITS - 1.0) as u32
}

/// The costs of pieces that were used so often; what is removed stays so.
///
/// `prices` are what a piece costs beside its rarity, in nats.
#[allow(clippy::as_conversions)] // counts are far below 2^53, and a mean needs no more
pub(super) fn of_counts(counts: &[u64], prices: &[f64], costs: &mut [u32], threads: usize) {
    let total: f64 = counts.iter().map(|&count| count as f64).sum();
    let of = |id: usize| (counts[id] as f64).max(UNUSED);
    let share = |id| libm::log(of(id) / total.max(1.0));
    of_log_shares(share, prices, costs, threads);
}

/// The costs of pieces with such logarithms of their probabilities, by piece;
/// what is removed stays so.
pub(super) fn of_log_shares(
    share: impl Fn(usize) -> f64 + Sync,
    prices: &[f64],
    costs: &mut [u32],
    threads: usize,
) {
    let size = costs.len().div_ceil(threads).max(1);
    let parts = costs.chunks_mut(size).enumerate().collect();
    over_items(parts, |(part, costs): (usize, &mut [u32])| {
        for (id, known) in (part * size..).zip(costs) {
            if *known != REMOVED {
                *known = cost(prices[id] - share(id));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_rarity_and_price_in_units() {
        let mut costs = [7, 7, REMOVED, 7];
        of_counts(&[6, 2, 0, 0], &[0.0, 16.0, 0.0, -50.0], &mut costs, 2);
        // ln(8/6) = 0.28768, ln(8/2) + 16 = 17.38629; at least one unit.
        assert_eq!(costs, [295, 17804, REMOVED, 1]);
    }
}
