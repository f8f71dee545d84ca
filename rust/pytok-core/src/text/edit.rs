//! A new text under construction: kept parts, new characters, and their spans,
//! in one pass.

use std::ops::Range;
use std::sync::Arc;

use super::{AlignedText, Alignment, Buffer, ByteSpan, Prefixes};
use crate::ids::{index, offset};

/// A new text under construction, taking its spans from an old one.
pub(super) struct Edit<'a> {
    source: &'a AlignedText,
    text: String,
    spans: Option<Vec<ByteSpan>>,
    /// The leading runs of the source, and those of the new text (kept only
    /// where no spans are).
    old: Prefixes,
    new: Prefixes,
}

impl<'a> Edit<'a> {
    pub(super) fn new(source: &'a AlignedText) -> Self {
        let tracked = source.is_tracked();
        Self {
            source,
            text: String::with_capacity(source.len()),
            spans: tracked.then(|| Vec::with_capacity(source.len())),
            old: if tracked {
                Prefixes::default()
            } else {
                source.prefixes()
            },
            new: Prefixes::default(),
        }
    }

    /// Copy a byte range of the source.
    pub(super) fn keep(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        self.text.push_str(&self.source.text()[range.clone()]);
        let start = index(self.source.start);
        match (&mut self.spans, &self.source.buffer.alignment) {
            (Some(spans), Alignment::Spans(old)) => {
                spans.extend_from_slice(&old[start + range.start..start + range.end]);
            }
            (Some(spans), Alignment::Identity { base, .. }) => {
                let mut at = base + self.source.start + offset(range.start);
                for character in self.source.text()[range].chars() {
                    let end = at + offset(character.len_utf8());
                    spans.extend(std::iter::repeat_n((at, end), character.len_utf8()));
                    at = end;
                }
            }
            _ => {
                // Runs end where the kept range leaves them.
                let part = |run: usize| range.end.min(run).saturating_sub(range.start);
                self.new.rootless += part(self.old.rootless);
                self.new.at_zero += part(self.old.at_zero);
            }
        }
    }

    /// Account for `length` new bytes with the span of byte `from` of the
    /// source, or with an empty span.
    #[inline]
    fn align(&mut self, length: usize, from: Option<usize>) {
        let origin = self.source.origin.0;
        if let Some(spans) = &mut self.spans {
            let span = from.map_or((origin, origin), |byte| self.source.span_at(byte));
            spans.extend(std::iter::repeat_n(span, length));
        } else {
            let (rootless, at_zero) = match from {
                Some(byte) => (byte < self.old.rootless, byte < self.old.at_zero),
                None => (true, origin == 0),
            };
            self.new.rootless += if rootless { length } else { 0 };
            self.new.at_zero += if at_zero { length } else { 0 };
        }
    }

    #[inline]
    pub(super) fn push(&mut self, character: char, from: Option<usize>) {
        self.text.push(character);
        self.align(character.len_utf8(), from);
    }

    /// Put `content` in the place of `range`; its bytes have all of that behind them.
    pub(super) fn put(&mut self, range: Range<usize>, content: &str) {
        self.text.push_str(content);
        let length = content.len();
        let Some(spans) = &mut self.spans else {
            let at_zero = if range.is_empty() {
                self.source.origin.0 == 0 && range.start == 0
            } else {
                range.start < self.old.at_zero
            };
            let rootless = range.is_empty() || range.end <= self.old.rootless;
            self.new.rootless += if rootless { length } else { 0 };
            self.new.at_zero += if at_zero { length } else { 0 };
            return;
        };
        let span = if range.is_empty() {
            let place = match range.start.checked_sub(1) {
                Some(last) => self.source.span_at(last).1,
                None => self.source.origin.0,
            };
            (place, place)
        } else {
            let first = self.source.span_at(range.start);
            (first.0, self.source.span_at(range.end - 1).1)
        };
        spans.extend(std::iter::repeat_n(span, length));
    }

    pub(super) fn push_str(&mut self, content: &str, from: Option<usize>) {
        self.text.push_str(content);
        self.align(content.len(), from);
    }

    /// Put a stream in the place of `range`, which starts where the last part
    /// ended; whether an old character was left for each that it replaces.
    pub(super) fn stream(
        &mut self,
        range: Range<usize>,
        stream: impl IntoIterator<Item = (char, isize)>,
        removed_at_start: usize,
    ) -> bool {
        let source = self.source;
        let mut old = source.text()[range.clone()].chars();
        let mut width =
            |count: usize| -> usize { old.by_ref().take(count).map(char::len_utf8).sum() };
        let mut at = range.start + width(removed_at_start);
        let mut within = true;
        for (character, change) in stream {
            if change > 0 {
                self.push(character, at.checked_sub(1));
            } else {
                within &= at < source.len();
                let from = at.min(source.len().saturating_sub(1));
                self.push(character, Some(from));
                at += width(1) + width(change.unsigned_abs());
            }
        }
        within
    }

    pub(super) fn finish(self) -> AlignedText {
        AlignedText {
            start: 0,
            end: offset(self.text.len()),
            origin: self.source.origin,
            buffer: Arc::new(Buffer {
                text: self.text,
                alignment: match self.spans {
                    Some(spans) => Alignment::Spans(spans),
                    None => Alignment::Untracked(self.new),
                },
            }),
        }
    }
}
