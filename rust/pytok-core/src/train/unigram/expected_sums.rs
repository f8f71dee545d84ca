//! Sums of a part of the text, in memory that is used again for the next.
//!
//! Most pieces do not stand in a part: only those that do are handed on.

use crate::ids::index;

/// What a part of the text adds to the expectations.
#[derive(Debug)]
pub(super) struct Part {
    /// Pieces that it has, and their sums.
    pub(super) counts: Vec<(u32, f64)>,
    pub(super) log_likelihood: f64,
}

/// The sums of the part that is being summed. Most pieces are not in it.
#[derive(Debug)]
pub(super) struct Sums {
    /// By piece.
    counts: Vec<f64>,
    /// The pieces that have a sum.
    ids: Vec<u32>,
    pub(super) log_likelihood: f64,
}

impl Sums {
    pub(super) fn new(pieces: usize) -> Self {
        Self {
            counts: vec![0.0; pieces],
            ids: Vec::new(),
            log_likelihood: 0.0,
        }
    }

    #[inline]
    pub(super) fn add(&mut self, id: u32, count: f64) {
        let known = &mut self.counts[index(id)];
        if *known == 0.0 {
            self.ids.push(id);
        }
        *known += count;
    }

    /// What was summed; then there is nothing.
    pub(super) fn take(&mut self) -> Part {
        let Self { counts, ids, .. } = self;
        let take = |id| (id, std::mem::take(&mut counts[index(id)]));
        Part {
            counts: ids.drain(..).map(take).collect(),
            log_likelihood: std::mem::take(&mut self.log_likelihood),
        }
    }
}
