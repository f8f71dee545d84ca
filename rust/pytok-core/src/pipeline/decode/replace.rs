//! `Replace`: every match in a piece replaced by a string.

use std::borrow::Cow;
use std::sync::Arc;

use super::chain::{Sink, Stage};
use super::piece::on_text;
use super::whole::{Whole, WholePieces};
use crate::error::{Error, Result};
use crate::pretokenize::regex::{Dialect, Regex};

#[derive(Debug, Clone)]
pub(super) struct Replace {
    pattern: Pattern,
    content: Arc<str>,
}

#[derive(Debug, Clone)]
enum Pattern {
    Literal(Arc<str>),
    Regex(Arc<Regex>),
}

impl Replace {
    pub(super) fn literal(literal: &str, content: &str) -> Self {
        Self {
            pattern: Pattern::Literal(literal.into()),
            content: content.into(),
        }
    }

    pub(super) fn regex(
        pattern: &str,
        dialect: Dialect,
        content: &str,
        path: &str,
    ) -> Result<Self> {
        let regex = Regex::new(pattern, dialect).map_err(|error| {
            Error::format(
                "tokenizer.json",
                format!("{path}.pattern.Regex"),
                error.to_string(),
            )
        })?;
        Ok(Self {
            pattern: Pattern::Regex(Arc::new(regex)),
            content: content.into(),
        })
    }

    pub(super) fn stage(&self) -> Box<dyn Stage> {
        let content = Arc::clone(&self.content);
        match &self.pattern {
            Pattern::Literal(literal) if !literal.is_empty() => Box::new(ReplaceLiteral {
                literal: Arc::clone(literal),
                content,
                held: Vec::new(),
            }),
            Pattern::Literal(_) => Box::new(Whole::new(Interleave { content })),
            Pattern::Regex(regex) => Box::new(Whole::new(ReplaceRegex {
                regex: Arc::clone(regex),
                content,
            })),
        }
    }
}

/// A literal that is not empty; works part by part.
#[derive(Debug, Clone)]
struct ReplaceLiteral {
    literal: Arc<str>,
    content: Arc<str>,
    /// The end of the piece so far that may be the beginning of a match.
    held: Vec<u8>,
}

impl Stage for ReplaceLiteral {
    fn part(&mut self, part: &[u8], is_end: bool, sink: &mut Sink<'_>) {
        let mut joined = std::mem::take(&mut self.held);
        let text = if joined.is_empty() {
            part
        } else {
            joined.extend_from_slice(part);
            &joined
        };
        let literal = self.literal.as_bytes();
        let mut rest = text;
        while let Some(at) = find(rest, literal) {
            sink(&rest[..at], false);
            sink(self.content.as_bytes(), false);
            rest = &rest[at + literal.len()..];
        }
        let held = if is_end {
            0
        } else {
            (1..literal.len().min(rest.len() + 1))
                .rev()
                .find(|length| rest.ends_with(&literal[..*length]))
                .unwrap_or(0)
        };
        let (settled, held) = rest.split_at(rest.len() - held);
        sink(settled, is_end);
        self.held = held.to_vec();
    }
}

/// The first occurrence of a string that is not empty.
fn find(text: &[u8], literal: &[u8]) -> Option<usize> {
    match std::str::from_utf8(text) {
        // The standard library's search is linear.
        Ok(text) => text.find(std::str::from_utf8(literal).ok()?),
        Err(_) => text
            .windows(literal.len())
            .position(|found| found == literal),
    }
}

/// An empty literal matches before every character and at the end; an empty
/// piece stays empty.
#[derive(Debug, Clone)]
struct Interleave {
    content: Arc<str>,
}

impl WholePieces for Interleave {
    fn piece(&mut self, piece: &[u8], sink: &mut Sink<'_>) {
        let text = on_text(piece, |text| match text {
            "" => Cow::Borrowed(text),
            text => Cow::Owned(text.replace("", &self.content)),
        });
        sink(&text, true);
    }
}

#[derive(Debug, Clone)]
struct ReplaceRegex {
    regex: Arc<Regex>,
    content: Arc<str>,
}

impl WholePieces for ReplaceRegex {
    fn piece(&mut self, piece: &[u8], sink: &mut Sink<'_>) {
        let text = on_text(piece, |text| self.replace(text));
        sink(&text, true);
    }
}

impl ReplaceRegex {
    fn replace<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if text.is_empty() {
            // Even a pattern that matches nothing leaves an empty piece alone.
            return Cow::Borrowed(text);
        }
        let mut replaced = String::new();
        let mut copied = 0;
        // A search that exceeds the limits of the engine ends the matches.
        for (start, end) in self.regex.find_iter(text).map_while(Result::ok) {
            replaced.push_str(&text[copied..start]);
            replaced.push_str(&self.content);
            copied = end;
        }
        replaced.push_str(&text[copied..]);
        Cow::Owned(replaced)
    }
}
