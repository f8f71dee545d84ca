//! The core of pytok: text in, token ids out, and back.
//!
//! Three lifetimes, three types. A [`definition::Definition`] is plain data: what
//! a tokenizer file says. A [`pipeline::Tokenizer`] is compiled from it once and
//! never changes, so any number of threads may share it. A
//! [`pipeline::Scratch`] holds the buffers of one thread and is reused.
//!
//! ```text
//! bytes --format--> Definition --compile--> Tokenizer
//! str --normalize--> AlignedText --pretokenize--> words --model--> ids --> Encoding
//! ids --decode--> bytes --> str
//! ```
//!
//! Each foreign format is one file under [`mod@format`]; each normaliser,
//! pre-tokenizer and model is one file under its folder.

mod bit_set;
mod both;
pub mod definition;
pub mod error;
pub mod format;
pub mod ids;
pub mod max_span;
pub mod model;
pub mod normalize;
pub mod pipeline;
pub mod pretokenize;
pub mod prune;
pub mod sentencepiece;
pub mod text;
pub mod train;
pub mod zh;

pub use definition::Definition;
pub use error::{Error, Result};
pub use pipeline::Tokenizer;
