//! Unigram over bytes.
//!
//! The fast path of `tokenizer.json` files whose Unigram pieces are written in
//! the byte alphabet and whose scores are multiples of 1/1024, as the hybrid
//! trainer writes them: scores become integer costs, the alphabet is left out,
//! words are raw bytes. The ids are those of [`super::Unigram`].

mod characters;
mod choices;
mod compile;
mod engine;
mod lattice;
mod pairs;
mod segments;
#[cfg(test)]
mod tests;

pub use engine::{ByteUnigram, ByteUnigramScratch};
