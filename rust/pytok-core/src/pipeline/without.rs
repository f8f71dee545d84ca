//! A tokenizer with pieces out of use, quickly: for a vocabulary that changes while
//! it is used.
//!
//! To write a definition without the pieces and to compile it takes several times as
//! long, most of it for what stays as it is.

use std::sync::{Arc, OnceLock};

use super::scratch::ScratchPool;
use super::tokenizer::Tokenizer;

impl Tokenizer {
    /// What encodes as the tokenizer does in which [`crate::prune::apply`] has put
    /// pieces out of use; `is_gone` says by id which, and no piece that stays is made
    /// of one of them. Everything else about it, its definition too, is still that of
    /// the whole vocabulary.
    ///
    /// `None` where nothing is gained: for models other than byte-level BPE, for
    /// those in which a word may be a piece without being merged, and under a limit
    /// of the span.
    ///
    /// # Complexity
    /// O(n log n) for n merges that stay.
    pub fn without(&self, is_gone: &[bool]) -> Option<Self> {
        if self.unlimited.is_some() {
            return None;
        }
        Some(Self {
            definition: Arc::clone(&self.definition),
            unlimited: None,
            normalizer: self.normalizer.clone(),
            chinese: self.chinese.clone(),
            engine: self.engine.without(is_gone)?,
            added: Arc::clone(&self.added),
            post_processor: self.post_processor.clone(),
            decoder: self.decoder.clone(),
            reading: self.reading,
            frame: self.frame.clone(),
            scratches: ScratchPool::default(),
            default_alpha: OnceLock::new(),
            byte_table: OnceLock::new(),
        })
    }
}
