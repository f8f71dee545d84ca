//! The file that a tokenizer's own library reads, where that is not `tokenizer.json`.

use super::{sentencepiece_model, tiktoken};
use crate::definition::{Definition, Model};

/// The name and the content of the file: a SentencePiece model as it is, the ranks
/// of a rank vocabulary (whose pattern and special tokens such a file never has).
/// `None` where a file of that format would be another tokenizer: beside added
/// tokens of a SentencePiece model, for ranks that are not all used, and for what
/// comes from `tokenizer.json`.
pub fn own_file(definition: &Definition) -> Option<(&'static str, Vec<u8>)> {
    match &definition.model {
        Model::SentencePiece { proto } if definition.added_tokens.is_empty() => {
            Some((sentencepiece_model::FILE_NAME, proto.0.clone()))
        }
        Model::ByteRanks {
            ranks,
            max_span: None,
        } => Some((tiktoken::FILE_NAME, tiktoken::write(ranks))),
        _ => None,
    }
}
