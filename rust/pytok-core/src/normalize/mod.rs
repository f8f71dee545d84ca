//! Text to text, the alignment to the original kept.
//!
//! One normaliser per file. Each reproduces its namesake of `tokenizers`,
//! Unicode tables included.

use crate::definition;
use crate::error::Result;
use crate::text::AlignedText;

/// A compiled normaliser.
#[derive(Debug)]
pub struct Normalizer {}

impl Normalizer {
    /// Compile a definition.
    ///
    /// # Errors
    /// When a regular expression or a character map cannot be read.
    pub fn compile(definition: &definition::Normalizer) -> Result<Self> {
        let _ = definition;
        todo!()
    }

    /// Normalise in place.
    pub fn apply(&self, text: &mut AlignedText) -> Result<()> {
        let _ = text;
        todo!()
    }
}
