//! The compiled tokenizer and what it does: encode, decode, stream.

mod added_tokens;
mod assemble;
mod batch;
pub mod decode;
mod encode;
pub mod encoding;
mod encoding_lookup;
mod encoding_merge;
mod encoding_state;
mod engine;
mod frame;
mod limit;
mod live;
mod nbest;
mod options;
mod output;
pub mod padding;
mod parts;
mod pieces;
pub mod postprocess;
mod sample;
mod scratch;
mod spans;
pub mod stream;
mod summary;
mod tokenizer;
pub mod truncation;
pub mod utf8_stream;

pub use added_tokens::{AddedTokens, SpecialPolicy, is_control};
pub use encoding::Encoding;
pub use live::{LiveSource, LiveStream};
pub use options::{EncodeOptions, Input};
pub use padding::{Padding, PaddingLength, Side, pad_batch};
pub use scratch::Scratch;
pub use tokenizer::Tokenizer;
pub use truncation::{Truncation, TruncationStrategy};
