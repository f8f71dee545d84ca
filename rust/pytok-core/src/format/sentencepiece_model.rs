//! SentencePiece `.model` files. The protobuf is kept whole; its meaning is read
//! by [`crate::sentencepiece`].

use crate::definition::{Base64Bytes, Definition, Model, Source};
use crate::error::Result;
use crate::sentencepiece::SentencePiece;

/// What such a file is called in a folder.
pub const FILE_NAME: &str = "tokenizer.model";

/// Whether the bytes begin like a model: field 1, a submessage (a piece).
pub fn looks_like(bytes: &[u8]) -> bool {
    bytes.first() == Some(&0x0a)
}

/// Read a model; everything in it is checked.
///
/// # Errors
/// As [`SentencePiece::compile`].
pub fn read(bytes: &[u8]) -> Result<Definition> {
    SentencePiece::compile(bytes)?;
    Ok(Definition {
        source: Source::SentencePiece,
        chinese: None,
        added_tokens: Vec::new(),
        normalizer: None,
        pre_tokenizer: None,
        model: Model::SentencePiece {
            proto: Base64Bytes(bytes.to_vec()),
        },
        post_processor: None,
        decoder: None,
        truncation: None,
        padding: None,
    })
}
