//! Byte-pair encoding over characters (Sennrich, Haddow and Birch, 2016).
//!
//! A word becomes one symbol per character; then the pair of neighbours with
//! the lowest merge rank, the leftmost of equals, is merged until no pair has
//! a merge. The same engine merges bytes in [`super::byte_bpe`].

mod by_queue;
mod by_rank;
pub(crate) mod chain;
mod compile;
mod dropout;
mod engine;
pub(crate) mod merges;
pub(crate) mod packed;
pub(crate) mod short;
mod symbols;

pub(crate) use compile::compile_merges;
pub use engine::Bpe;
