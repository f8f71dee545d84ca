//! A text and, for each byte of it, the bytes of the original that it came from.
//!
//! This is the value that flows through normalisers and pre-tokenizers. Spans
//! are half-open byte ranges of the *original* text, absolute even in a slice.

use std::ops::Range;

/// A half-open byte range of the original text.
pub type ByteSpan = (u32, u32);

/// A text with its alignment to the original.
///
/// The current text is `text()`; `spans[i]` is the original byte range that
/// byte `i` of the current text came from. A text made with
/// [`AlignedText::untracked`] carries no spans: every operation then works on
/// the text alone, which is what encoding to ids needs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AlignedText {
    text: String,
    spans: Vec<ByteSpan>,
    tracked: bool,
    origin: ByteSpan,
}

impl AlignedText {
    /// A text aligned to itself.
    pub fn new(text: &str) -> Self {
        Self::at(text, 0)
    }

    /// A text aligned to itself, at byte `start` of a longer original.
    pub fn at(text: &str, start: u32) -> Self {
        let _ = (text, start);
        todo!()
    }

    /// A text without alignment; `start` is where it begins in the original.
    pub fn untracked(text: &str, start: u32) -> Self {
        let _ = (text, start);
        todo!()
    }

    /// The current text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The byte range of the original that this text covers as a whole.
    pub fn origin(&self) -> ByteSpan {
        self.origin
    }

    /// The original byte range behind a byte range of the current text, by the
    /// reference's rules (an empty range maps to itself).
    pub fn original_span(&self, range: Range<usize>) -> ByteSpan {
        let _ = range;
        todo!()
    }

    /// The part of this text in a byte range of the current text.
    pub fn slice(&self, range: Range<usize>) -> Self {
        let _ = range;
        todo!()
    }
}
