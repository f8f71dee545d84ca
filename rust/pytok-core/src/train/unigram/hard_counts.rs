//! How often each piece is used when every segment is cut in its cheapest way:
//! the first half of a round of hard EM.

use super::lattice::{Lattice, NO_PIECE, Search};
use crate::ids::index;
use crate::train::threads::share_out;
use crate::train::word_table::WordTable;

/// Uses of pieces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Uses {
    /// By piece.
    pub(super) counts: Vec<u64>,
    /// Of all pieces, that is the tokens of the text.
    pub(super) tokens: u64,
    /// What the text costs, in units.
    pub(super) cost: u128,
}

/// Count the pieces of all segments. Whole numbers are summed, so the number of
/// threads does not matter.
pub(super) fn count(
    lattice: &Lattice,
    costs: &[u32],
    segments: &WordTable,
    threads: usize,
) -> Uses {
    let parts = share_out(segments.len(), threads, |ranges| {
        let mut uses = Uses {
            counts: vec![0; costs.len()],
            ..Uses::default()
        };
        let mut search = Search::default();
        for (segment, count) in ranges.flat_map(|range| segments.range(range)) {
            let Some(cost) = lattice.search(costs, segment, NO_PIECE, &mut search) else {
                continue; // never: all bytes are pieces
            };
            uses.cost += u128::from(cost) * u128::from(count);
            for id in lattice.path(&search, segment.len()) {
                let known = &mut uses.counts[index(id)];
                *known = known.saturating_add(count);
                uses.tokens = uses.tokens.saturating_add(count);
            }
        }
        uses
    });
    let mut total = Uses::default();
    for part in parts {
        total.add(part);
    }
    total
}

impl Uses {
    fn add(&mut self, other: Self) {
        if self.counts.is_empty() {
            *self = other;
            return;
        }
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count = count.saturating_add(more);
        }
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.cost += other.cost;
    }
}
