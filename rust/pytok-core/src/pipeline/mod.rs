//! The compiled tokenizer and what it does: encode, decode, stream.

pub mod decode;
pub mod encoding;
mod encoding_lookup;
mod encoding_merge;
pub mod padding;
pub mod postprocess;
pub mod stream;
pub mod truncation;
pub mod utf8_stream;

/// A compiled, immutable tokenizer.
#[derive(Debug)]
pub struct Tokenizer {}

/// Buffers of one thread.
#[derive(Debug, Default)]
pub struct Scratch {}
