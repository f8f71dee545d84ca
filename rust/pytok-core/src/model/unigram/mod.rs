//! The unigram language model of `tokenizer.json`: the segmentation of a word
//! with the highest sum of log-probabilities (Kudo, 2018).
//!
//! Arithmetic and ties are those of the reference: double precision, sums from
//! the left, and of two segmentations with equal sums the one found first.

mod choices;
mod encoder;

pub use encoder::{Unigram, UnigramScratch};

/// Pieces with this score or a lower one are there for their ids: no text is
/// meant to use them.
pub(crate) const NEVER: f64 = -1_048_576.0;
