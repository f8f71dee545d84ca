//! Text to words.

pub mod patterns;
pub mod regex;
pub mod scan;
pub mod special_tokens;

use crate::definition::{self, Source};
use crate::error::Result;
use crate::text::AlignedText;

/// A compiled pre-tokenizer.
#[derive(Debug)]
pub struct PreTokenizer {}

impl PreTokenizer {
    /// Compile a definition; `source` decides the regular-expression dialect.
    ///
    /// # Errors
    /// When a regular expression cannot be compiled.
    pub fn compile(definition: &definition::PreTokenizer, source: Source) -> Result<Self> {
        let _ = (definition, source);
        todo!()
    }

    /// Split every word of `words` further, in place. Words that become empty
    /// are dropped, as the reference does.
    pub fn apply(&self, words: &mut Vec<AlignedText>) -> Result<()> {
        let _ = words;
        todo!()
    }
}
