//! Where a token lies in the original text.

use crate::definition::Source;
use crate::ids::{index, offset};
use crate::text::{AlignedText, ByteSpan};

/// A token of a text before post-processing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RawToken {
    pub(super) id: u32,
    /// Index of its word in the text.
    pub(super) word: u32,
    /// The original bytes by the reference's rules: whole characters.
    pub(super) span: ByteSpan,
    /// The original bytes as exactly as they are known: inside a character
    /// where the token is a part of one.
    pub(super) exact: ByteSpan,
    /// The token's text where it is not the vocabulary's piece.
    pub(super) surface: Option<Box<str>>,
}

/// The last character boundary at or before `position`.
pub(super) fn floor_boundary(text: &str, mut position: usize) -> usize {
    while !text.is_char_boundary(position) {
        position -= 1;
    }
    position
}

/// The first character boundary at or after `position`.
pub(super) fn ceil_boundary(text: &str, mut position: usize) -> usize {
    while !text.is_char_boundary(position) {
        position += 1;
    }
    position
}

/// The two spans of bytes `start..end` of `word` in `original`.
pub(super) fn spans_of(
    word: &AlignedText,
    original: &str,
    start: usize,
    end: usize,
) -> (ByteSpan, ByteSpan) {
    let text = word.text();
    let covering = floor_boundary(text, start)..ceil_boundary(text, end);
    if covering == (start..end) {
        let span = word.original_span(covering);
        return (span, span);
    }
    let span = word.original_span(covering);
    let exact = (
        inside(word, original, start).unwrap_or(span.0),
        inside(word, original, end).unwrap_or(span.1),
    );
    (span, exact)
}

/// The original position of a position inside a character that came through
/// unchanged; `None` on a boundary or when the character changed.
fn inside(word: &AlignedText, original: &str, position: usize) -> Option<u32> {
    let text = word.text();
    let (low, high) = (
        floor_boundary(text, position),
        ceil_boundary(text, position),
    );
    if low == high {
        return None;
    }
    let span = word.original_span(low..high);
    let unchanged = original.get(index(span.0)..index(span.1)) == Some(&text[low..high]);
    unchanged.then(|| span.0 + offset(position - low))
}

/// Byte offsets of a text to character offsets.
#[derive(Debug)]
pub(super) struct CharOffsets {
    /// For each byte the index of its character; `None` for ASCII text.
    table: Option<Vec<u32>>,
    bytes: usize,
    source: Source,
}

impl CharOffsets {
    pub(super) fn new(text: &str, source: Source) -> Self {
        let table = (!text.is_ascii()).then(|| {
            let mut table = Vec::with_capacity(text.len() + 1);
            let mut count = 0;
            for character in text.chars() {
                table.resize(table.len() + character.len_utf8(), count);
                count += 1;
            }
            table.push(count);
            table
        });
        Self {
            table,
            bytes: text.len(),
            source,
        }
    }

    /// The character span of a byte span. In `tokenizers` a span that begins at
    /// the very end of the text keeps its numbers.
    pub(super) fn convert(&self, span: ByteSpan) -> (u32, u32) {
        match &self.table {
            Some(table) if index(span.0) < self.bytes || self.source != Source::Tokenizers => {
                let end = index(span.1).min(self.bytes);
                (table[index(span.0)], table[end])
            }
            _ => span,
        }
    }
}
