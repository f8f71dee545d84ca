//! SentencePiece `.model` files with the semantics of the `sentencepiece`
//! library, version 0.2.3 (Kudo and Richardson, 2018).
//!
//! ```text
//! bytes --proto--> messages --compile--> SentencePiece
//! text --normalizer--> normalised text + byte map --algorithm--> segments --encode--> tokens
//! ids --decode--> text
//! ```
//!
//! A model carries its own normaliser, so a text enters whole: there are no
//! words and no lines. Each of the four algorithms of the format is one file
//! and cuts the normalised text into segments.

mod agenda;
mod append;
mod bpe;
mod character;
mod choices;
mod decode;
mod encode;
mod limit;
mod normalizer;
mod piece_rules;
mod plain;
mod processor;
mod proto;
mod segment;
mod select;
mod unigram;
mod user_symbols;
mod vocabulary;
mod wire;
mod word;
mod words;

pub(crate) use append::with_pieces;
pub(crate) use limit::{mark_ids_unused, mark_unused};
pub(crate) use piece_rules::PieceRules;
pub(crate) use select::select_pieces;

pub use encode::{NormalizedSpan, SentencePieceScratch, SpToken};
pub use processor::SentencePiece;
pub use vocabulary::PieceKind;

use crate::error::Error;

const FORMAT: &str = "SentencePiece .model";

/// U+2581, which stands for a space inside pieces.
pub(crate) const SPACE_MARK: char = '\u{2581}';

fn format_error(location: impl Into<String>, message: impl Into<String>) -> Error {
    Error::format(FORMAT, location, message)
}
