//! Whole words only.

use super::Token;
use super::vocabulary::Vocabulary;
use crate::error::{Error, Result};
use crate::ids::offset;

/// A vocabulary of whole words; any other word is the unknown token.
#[derive(Debug, Clone)]
pub struct WordLevel {
    vocabulary: Vocabulary,
    unknown_piece: String,
    unknown: Option<u32>,
}

impl WordLevel {
    pub(crate) fn new(vocabulary: Vocabulary, unknown_piece: &str) -> Self {
        Self {
            unknown: vocabulary.id(unknown_piece.as_bytes()),
            vocabulary,
            unknown_piece: unknown_piece.to_owned(),
        }
    }

    /// Append the token of a word. The empty word has one, too.
    ///
    /// # Errors
    /// [`Error::Encode`] when the unknown token is needed and missing.
    pub fn tokenize(&self, word: &str, tokens: &mut Vec<Token>) -> Result<()> {
        let id = self
            .vocabulary
            .id(word.as_bytes())
            .or(self.unknown)
            .ok_or_else(|| missing_unknown(word, &self.unknown_piece))?;
        tokens.push(Token {
            id,
            start: 0,
            end: offset(word.len()),
            surface: false,
        });
        Ok(())
    }

    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }
}

/// The error of a word that needs an unknown token that does not exist.
pub(super) fn missing_unknown(word: &str, unknown_piece: &str) -> Error {
    let shown: String = word.chars().take(40).collect();
    Error::encode(format!(
        "the word {shown:?} is not in the vocabulary, and neither is the unknown token \
         {unknown_piece:?}; set model.unk_token to a piece of model.vocab"
    ))
}
