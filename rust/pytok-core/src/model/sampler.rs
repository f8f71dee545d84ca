//! What stochastic segmentation needs besides a model.

use super::bpe::chain::Chain;
use super::bpe::merges::Merges;
use super::random::Random;
use super::segmentations::{Cut, Step};

/// How far segmentations differ from the best one. A model reads the number of
/// its own family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// Unigram: a segmentation has a probability proportional to
    /// exp(alpha * score). From 0 to a million.
    pub alpha: f64,
    /// BPE: the probability with which each merge is skipped. From 0 to 1.
    pub dropout: f64,
}

/// The random numbers of one text and the buffers of one thread.
#[derive(Debug)]
pub struct Sampler {
    pub(crate) sampling: Sampling,
    pub(crate) random: Random,
    /// Of each position of a word the logarithm of the sum over all ways from
    /// there to the end.
    pub(super) log_sums: Vec<f64>,
    /// The pieces that begin at a position, with the logarithms of their
    /// weights.
    pub(super) weighed: Vec<(Step, f64)>,
    /// What was drawn.
    pub(super) path: Vec<Cut>,
    pub(super) chain: Chain,
}

impl Sampler {
    /// A sampler that has yet to begin a text.
    pub fn new(sampling: Sampling) -> Self {
        Self {
            sampling,
            random: Random::default(),
            log_sums: Vec::new(),
            weighed: Vec::new(),
            path: Vec::new(),
            chain: Chain::default(),
        }
    }

    /// Begin an occurrence of a text: all that follows is a function of the
    /// arguments.
    pub fn begin(&mut self, seed: u64, text: &str, occurrence: u64) {
        self.random = Random::for_text(seed, text, occurrence);
    }

    /// Merge the symbols of the chain, skipping merges.
    pub(super) fn merge(&mut self, merges: &impl Merges) {
        let (dropout, random) = (self.sampling.dropout, &mut self.random);
        self.chain.merge_at_random(merges, dropout, random);
    }
}
