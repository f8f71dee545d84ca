//! What one thread needs besides a model.

use super::bpe::chain::Chain;
use super::byte_bpe::BpeScratch;
use super::random::Random;
use super::unigram::UnigramScratch;

/// Buffers of one thread, reused between words.
#[derive(Debug, Default)]
pub struct ModelScratch {
    pub(super) chain: Chain,
    pub(super) bytes: BpeScratch,
    pub(super) ids: Vec<u32>,
    pub(super) random: Random,
    pub(super) unigram: UnigramScratch,
}

impl ModelScratch {
    /// Begin the random numbers of dropout anew: equal seeds give equal
    /// tokens. A new scratch has seed 0.
    pub fn seed(&mut self, seed: u64) {
        self.random = Random::new(seed);
    }

    /// The buffers of [`super::ByteBpe::encode`].
    pub fn bytes(&mut self) -> &mut BpeScratch {
        &mut self.bytes
    }
}
