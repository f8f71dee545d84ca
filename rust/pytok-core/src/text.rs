//! A text and, for each byte of it, the bytes of the original that it came from.
//!
//! This is the value that flows through normalisers and pre-tokenizers. Spans
//! are half-open byte ranges of the *original* text, absolute even in a slice.
//!
//! A text is a view into a shared buffer, so slices and clones cost no copy of
//! bytes or spans; an edit builds a new buffer in one pass (`text/operations.rs`).
//! While nothing has been edited, the spans are the characters themselves and
//! are not stored at all.

mod edit;
mod operations;
mod split;

pub use split::with_gaps;

use std::ops::Range;
use std::sync::Arc;

use crate::ids::{index, offset};

/// A half-open byte range of the original text.
pub type ByteSpan = (u32, u32);

/// A text with its alignment to the original.
///
/// A text made with [`AlignedText::untracked`] stores no spans: every operation
/// then works on the text alone, which is what encoding to ids needs. The texts
/// that come out are the same in both modes.
#[derive(Debug, Clone)]
pub struct AlignedText {
    buffer: Arc<Buffer>,
    /// The view: `start..end` of the buffer's text.
    start: u32,
    end: u32,
    origin: ByteSpan,
}

#[derive(Debug)]
struct Buffer {
    text: String,
    alignment: Alignment,
}

/// How the bytes of a buffer relate to the original.
#[derive(Debug)]
enum Alignment {
    /// Unedited: byte `i` belongs to the character that stands there, moved by `base`.
    Identity { base: u32, tracked: bool },
    /// Edited: one span per byte. Starts and ends never decrease.
    Spans(Vec<ByteSpan>),
    /// Edited and untracked. What remains known is what later texts depend on.
    Untracked(Prefixes),
}

/// Two leading runs of bytes on which the text of later steps depends.
#[derive(Debug, Clone, Copy, Default)]
struct Prefixes {
    /// Bytes that came from nowhere (their spans are empty).
    rootless: usize,
    /// Bytes whose span starts at byte 0 of the original.
    at_zero: usize,
}

impl AlignedText {
    /// A text aligned to itself.
    pub fn new(text: &str) -> Self {
        Self::at(text, 0)
    }

    /// A text aligned to itself, at byte `start` of a longer original.
    pub fn at(text: &str, start: u32) -> Self {
        Self::identity(text, start, true)
    }

    /// A text without alignment; `start` is where it begins in the original.
    pub fn untracked(text: &str, start: u32) -> Self {
        Self::identity(text, start, false)
    }

    fn identity(text: &str, start: u32, tracked: bool) -> Self {
        let length = offset(text.len());
        Self {
            buffer: Arc::new(Buffer {
                text: text.to_owned(),
                alignment: Alignment::Identity {
                    base: start,
                    tracked,
                },
            }),
            start: 0,
            end: length,
            origin: (start, offset(index(start) + text.len())),
        }
    }

    /// The current text.
    #[inline]
    pub fn text(&self) -> &str {
        &self.buffer.text[index(self.start)..index(self.end)]
    }

    /// The length of the current text in bytes.
    #[inline]
    pub fn len(&self) -> usize {
        index(self.end - self.start)
    }

    /// Whether the current text is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Whether spans are kept.
    pub fn is_tracked(&self) -> bool {
        match &self.buffer.alignment {
            Alignment::Identity { tracked, .. } => *tracked,
            Alignment::Spans(_) => true,
            Alignment::Untracked(_) => false,
        }
    }

    /// The byte range of the original that this text covers as a whole.
    ///
    /// Of a slice of an untracked text that has been edited, only two facts are
    /// kept, since texts depend on them: whether it starts at byte 0 and
    /// whether it is empty.
    #[inline]
    pub fn origin(&self) -> ByteSpan {
        self.origin
    }

    /// The original byte range behind a byte range of the current text, by the
    /// reference's rules.
    ///
    /// A range inside the text maps to the range from the start of its first
    /// byte's span to the end of its last byte's. An empty range maps to itself,
    /// counted from where `origin` starts; a range that reaches beyond the text
    /// maps to itself. An edited untracked text answers with its whole `origin`.
    pub fn original_span(&self, range: Range<usize>) -> ByteSpan {
        let base = index(self.origin.0);
        if range.start == range.end {
            return (offset(base + range.start), offset(base + range.end));
        }
        if range.start > range.end || range.end > self.len() {
            return (offset(range.start), offset(range.end));
        }
        match &self.buffer.alignment {
            Alignment::Untracked(_) => self.origin,
            _ => (self.span_at(range.start).0, self.span_at(range.end - 1).1),
        }
    }

    /// The part of this text in a byte range of the current text.
    ///
    /// # Panics
    /// When the range is not inside the text or cuts a character.
    pub fn slice(&self, range: Range<usize>) -> Self {
        self.clone().into_slice(range)
    }

    /// The same as [`AlignedText::slice`], of a text that is not needed any more.
    ///
    /// # Panics
    /// When the range is not inside the text or cuts a character.
    pub fn into_slice(mut self, range: Range<usize>) -> Self {
        let text = self.text();
        assert!(
            range.start <= range.end
                && text.is_char_boundary(range.start)
                && text.is_char_boundary(range.end),
            "a slice lies on character boundaries inside the text"
        );
        self.origin = match &self.buffer.alignment {
            Alignment::Untracked(_) if !range.is_empty() => self.untracked_origin(&range),
            _ => self.original_span(range.clone()),
        };
        self.end = self.start + offset(range.end);
        self.start += offset(range.start);
        self
    }

    /// What is still known about the origin of a slice; see [`AlignedText::origin`].
    fn untracked_origin(&self, range: &Range<usize>) -> ByteSpan {
        let prefixes = self.prefixes();
        let start = if range.start < prefixes.at_zero {
            0
        } else {
            self.origin.0.max(1)
        };
        let end = if range.end <= prefixes.rootless {
            start
        } else {
            self.origin.1.max(start + 1)
        };
        (start, end)
    }

    /// The span of each byte, or `None` for an untracked text.
    pub fn spans(&self) -> Option<Vec<ByteSpan>> {
        self.is_tracked()
            .then(|| (0..self.len()).map(|byte| self.span_at(byte)).collect())
    }

    /// The span of one byte of the current text; the whole origin if it is not known.
    #[inline]
    fn span_at(&self, byte: usize) -> ByteSpan {
        let at = index(self.start) + byte;
        match &self.buffer.alignment {
            Alignment::Spans(spans) => spans[at],
            Alignment::Identity { base, .. } => {
                let text = &self.buffer.text;
                let mut start = at;
                while !text.is_char_boundary(start) {
                    start -= 1;
                }
                let mut end = at + 1;
                while !text.is_char_boundary(end) {
                    end += 1;
                }
                (base + offset(start), base + offset(end))
            }
            Alignment::Untracked(_) => self.origin,
        }
    }

    /// The leading runs of the current text.
    fn prefixes(&self) -> Prefixes {
        let start = index(self.start);
        let within = |run: usize| run.saturating_sub(start).min(self.len());
        let run = |holds: fn(&ByteSpan) -> bool, spans: &[ByteSpan]| {
            spans.iter().take_while(|&span| holds(span)).count()
        };
        match &self.buffer.alignment {
            Alignment::Identity { base, .. } => Prefixes {
                rootless: 0,
                at_zero: match self.text().chars().next() {
                    Some(first) if base + self.start == 0 => first.len_utf8(),
                    _ => 0,
                },
            },
            Alignment::Spans(spans) => {
                let spans = &spans[start..index(self.end)];
                Prefixes {
                    rootless: run(|span| span.0 == span.1, spans),
                    at_zero: run(|span| span.0 == 0, spans),
                }
            }
            Alignment::Untracked(prefixes) => Prefixes {
                rootless: within(prefixes.rootless),
                at_zero: within(prefixes.at_zero),
            },
        }
    }
}

impl Default for AlignedText {
    fn default() -> Self {
        Self::new("")
    }
}

/// Equal texts with equal spans (or none) from the same place.
impl PartialEq for AlignedText {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text() && self.origin == other.origin && self.spans() == other.spans()
    }
}

impl Eq for AlignedText {}

#[cfg(test)]
mod tests;
