//! A random segmentation: forward filtering, backward sampling (Kudo, 2018;
//! Scott, 2002), with the directions exchanged.
//!
//! Filtering from the right gives the logarithm of the sum over all ways from
//! each position to the end; drawing from the left then looks at the pieces
//! that begin where the last one ended, so that no edge has to be stored. Sums
//! are kept as logarithms: neither a long text nor a large alpha leaves the
//! range of a double. `libm` gives the same digits on every platform.

use super::{Cut, Lattice};
use crate::model::Sampler;

/// The logarithm of a weight is kept in this range, so that no sum is infinite.
const WEIGHT_LIMIT: f64 = 1e30;

impl Sampler {
    /// Draw a segmentation with probability proportional to
    /// exp(alpha * score) and return it; `None` when there is none.
    ///
    /// # Complexity
    /// O(n p) for n bytes and p pieces at each.
    pub(crate) fn draw(&mut self, lattice: &impl Lattice) -> Option<&[Cut]> {
        let length = lattice.length();
        self.log_sums.clear();
        self.log_sums.resize(length + 1, f64::NEG_INFINITY);
        self.log_sums[length] = 0.0;
        for start in (0..length).rev() {
            let (most, sum) = self.weigh(lattice, start);
            self.log_sums[start] = most + libm::log(sum);
        }
        self.path.clear();
        let mut start = 0;
        while start < length {
            let (most, sum) = self.weigh(lattice, start);
            let mut left = self.random.unit() * sum;
            let mut chosen = None;
            for &(step, weight) in &self.weighed {
                // Rounding can leave a rest: then it is the last one.
                chosen = Some(step);
                left -= libm::exp(weight - most);
                if left < 0.0 {
                    break;
                }
            }
            let step = chosen?;
            let (end, id) = (step.end, step.id);
            self.path.push(Cut { end, id });
            start = end;
        }
        Some(&self.path)
    }

    /// Collect the pieces at `start` from which the end can be reached; the
    /// greatest logarithm of a weight, and the sum of all weights over it.
    fn weigh(&mut self, lattice: &impl Lattice, start: usize) -> (f64, f64) {
        let Self {
            sampling,
            log_sums,
            weighed,
            ..
        } = self;
        let mut most = f64::NEG_INFINITY;
        weighed.clear();
        lattice.steps(start, |step| {
            let rest = log_sums[step.end];
            if rest > f64::NEG_INFINITY {
                let own = (sampling.alpha * step.score).clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT);
                let weight = own + rest;
                most = most.max(weight);
                weighed.push((step, weight));
            }
        });
        let sum = weighed
            .iter()
            .map(|&(_, weight)| libm::exp(weight - most))
            .sum();
        (most, sum)
    }
}
