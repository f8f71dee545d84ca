//! The compiled tokenizer and what it does: encode, decode, stream.

/// A compiled, immutable tokenizer.
#[derive(Debug)]
pub struct Tokenizer {}

/// Buffers of one thread.
#[derive(Debug, Default)]
pub struct Scratch {}
