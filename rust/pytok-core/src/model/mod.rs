//! Words to ids: the closed set of models.

use crate::definition::{self};
use crate::error::Result;

/// A token of one word: its id and its byte range in the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// The id.
    pub id: u32,
    /// First byte in the word.
    pub start: u32,
    /// One past the last byte in the word.
    pub end: u32,
    /// The token's text is the word's slice, not the vocabulary's piece
    /// (unknown pieces of Unigram).
    pub surface: bool,
}

/// Buffers of one thread, reused between words.
#[derive(Debug, Default)]
pub struct ModelScratch {}

/// A compiled model.
#[derive(Debug)]
pub enum Model {}

impl Model {
    /// Compile a definition.
    ///
    /// # Errors
    /// When the vocabulary contradicts itself.
    pub fn compile(definition: &definition::Model) -> Result<Self> {
        let _ = definition;
        todo!()
    }

    /// Append the tokens of one word to `tokens`.
    ///
    /// # Errors
    /// When a piece is unknown and the model has no unknown token.
    pub fn tokenize(
        &self,
        word: &str,
        scratch: &mut ModelScratch,
        tokens: &mut Vec<Token>,
    ) -> Result<()> {
        let _ = (word, scratch, tokens);
        todo!()
    }
}
