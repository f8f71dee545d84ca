//! The options of extending, checked once.

use crate::error::{Error, Result};
use crate::train::config::MAX_TOKEN_BYTES;

/// The options of [`super::extend`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtendConfig {
    /// How many pieces are added.
    pub add: u32,
    /// The least count of a new piece.
    pub min_frequency: u64,
    /// The most bytes of a new piece.
    pub max_token_bytes: u32,
    /// The most characters of a new piece.
    pub max_chars: Option<u32>,
    /// New pieces are whole characters, or a part of one.
    pub char_align: bool,
    /// A regular expression, in the syntax of `tokenizers`, that new pieces match
    /// from end to end. The first bytes of a character match when some character
    /// that begins so does.
    pub only: Option<String>,
}

impl ExtendConfig {
    /// The defaults for so many new pieces.
    pub fn new(add: u32) -> Self {
        Self {
            add,
            min_frequency: 2,
            max_token_bytes: MAX_TOKEN_BYTES,
            max_chars: None,
            char_align: true,
            only: None,
        }
    }

    /// Check every option.
    ///
    /// # Errors
    /// [`Error::Argument`] with the option's name.
    pub fn check(&self) -> Result<()> {
        let positive = [
            ("add", Some(u64::from(self.add))),
            ("min_frequency", Some(self.min_frequency)),
            ("max_chars", self.max_chars.map(u64::from)),
        ];
        for (name, value) in positive {
            if value == Some(0) {
                return Err(Error::argument(name, "0; expected at least 1"));
            }
        }
        if self.max_token_bytes < 4 {
            let message = format!(
                "{}; expected at least 4, the bytes of one character",
                self.max_token_bytes
            );
            return Err(Error::argument("max_token_bytes", message));
        }
        Ok(())
    }
}
