//! What a step makes of a text: the new text, its alignment, and what is to be
//! said about it.

use std::borrow::Cow;
use std::ops::Range;

use super::alignment::{Alignment, Block, CharCounter, Span};
use crate::ids::offset;

/// How sure a step is of what it did with a part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Changed, and nothing else was possible.
    Sure,
    /// Changed to the first of several candidates.
    Ambiguous,
    /// Left as it is although the step is about such parts.
    Kept,
}

/// What a step says about a part of its text.
#[derive(Debug, Clone)]
pub(super) struct Note {
    /// The part, in the text that the step was given.
    pub(super) before: Span,
    /// What stands there now.
    pub(super) after: Span,
    pub(super) status: Status,
    /// All that could stand there, the best first; empty where nothing else could.
    pub(super) candidates: Vec<String>,
    /// Which rule it was, or why nothing was done.
    pub(super) reason: Cow<'static, str>,
}

/// What came of a step.
#[derive(Debug)]
pub(super) struct Rewritten {
    pub(super) text: String,
    pub(super) alignment: Alignment,
    pub(super) notes: Vec<Note>,
    /// Places of the new text at which a sentence ends, ascending.
    pub(super) breaks: Vec<u32>,
}

impl Rewritten {
    /// The same in characters instead of bytes, of a step that was given `source`.
    pub(super) fn in_chars(mut self, source: &str) -> Self {
        self.alignment = self.alignment.in_chars(source, &self.text);
        let mut from = CharCounter::new(source);
        let mut to = CharCounter::new(&self.text);
        for note in &mut self.notes {
            note.before = (from.at(note.before.0), from.at(note.before.1));
            note.after = (to.at(note.after.0), to.at(note.after.1));
        }
        let mut to = CharCounter::new(&self.text);
        for place in &mut self.breaks {
            *place = to.at(*place);
        }
        self
    }
}

/// A text that is being rewritten, from left to right.
///
/// Parts that are not mentioned stay. Where a part and its replacement have the
/// same number of characters, each character is aligned to its own.
#[derive(Debug)]
pub(super) struct Rewriter<'a> {
    source: &'a str,
    /// How much of the source is in `text`.
    done: usize,
    text: String,
    blocks: Vec<Block>,
    notes: Vec<Note>,
    breaks: Vec<u32>,
    records: bool,
}

impl<'a> Rewriter<'a> {
    /// A rewriter that keeps notes only when `records` says so.
    pub(super) fn new(source: &'a str, records: bool) -> Self {
        Self {
            source,
            done: 0,
            text: String::new(),
            blocks: Vec::new(),
            notes: Vec::new(),
            breaks: Vec::new(),
            records,
        }
    }

    /// Whether notes are kept; without, a step need not look for candidates.
    pub(super) fn records(&self) -> bool {
        self.records
    }

    fn keep_until(&mut self, byte: usize) {
        if self.done == 0 {
            self.text.reserve(self.source.len());
        }
        self.text.push_str(&self.source[self.done..byte]);
        self.done = byte;
    }

    /// Put `replacement` in the place of a range, which begins at or behind the
    /// end of the last one; whether it differs from what is there.
    pub(super) fn put(&mut self, range: Range<usize>, replacement: &str) -> bool {
        if self.source[range.clone()] == *replacement {
            return false;
        }
        self.keep_until(range.start);
        let start = self.text.len();
        self.text.push_str(replacement);
        self.done = range.end;
        let old = &self.source[range.clone()];
        if old.chars().count() == replacement.chars().count() {
            self.align_characters(range.start, start, old, replacement);
        } else {
            self.blocks.push(Block {
                original: (offset(range.start), offset(range.end)),
                normalized: (offset(start), offset(self.text.len())),
            });
        }
        true
    }

    fn align_characters(&mut self, mut from: usize, mut to: usize, old: &str, new: &str) {
        for (before, after) in old.chars().zip(new.chars()) {
            let ends = (from + before.len_utf8(), to + after.len_utf8());
            if before != after {
                self.blocks.push(Block {
                    original: (offset(from), offset(ends.0)),
                    normalized: (offset(to), offset(ends.1)),
                });
            }
            (from, to) = ends;
        }
    }

    /// Replace a range and say so.
    pub(super) fn replace(
        &mut self,
        range: Range<usize>,
        replacement: &str,
        status: Status,
        candidates: Vec<String>,
        reason: impl Into<Cow<'static, str>>,
    ) {
        let before = (offset(range.start), offset(range.end));
        self.put(range, replacement);
        self.note(before, replacement.len(), status, candidates, reason);
    }

    /// Say something about a range that stays; it begins at or behind the end of
    /// the last one.
    pub(super) fn keep(
        &mut self,
        range: Range<usize>,
        candidates: Vec<String>,
        reason: impl Into<Cow<'static, str>>,
    ) {
        self.keep_until(range.end);
        let before = (offset(range.start), offset(range.end));
        self.note(before, range.len(), Status::Kept, candidates, reason);
    }

    fn note(
        &mut self,
        before: Span,
        length: usize,
        status: Status,
        candidates: Vec<String>,
        reason: impl Into<Cow<'static, str>>,
    ) {
        if self.records {
            let end = self.text.len();
            self.notes.push(Note {
                before,
                after: (offset(end - length), offset(end)),
                status,
                candidates,
                reason: reason.into(),
            });
        }
    }

    /// A sentence ends before this byte of the source.
    pub(super) fn break_at(&mut self, byte: usize) {
        if byte > self.done {
            self.keep_until(byte);
        }
        let place = offset(self.text.len());
        if self.breaks.last() != Some(&place) {
            self.breaks.push(place);
        }
    }

    pub(super) fn finish(mut self) -> Rewritten {
        self.keep_until(self.source.len());
        let alignment = Alignment::from_blocks(self.blocks, offset(self.source.len()))
            .expect("parts are replaced from left to right");
        Rewritten {
            text: self.text,
            alignment,
            notes: self.notes,
            breaks: self.breaks,
        }
    }
}
