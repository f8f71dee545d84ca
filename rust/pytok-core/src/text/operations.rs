//! Edits of an aligned text, each linear in its length.
//!
//! The rules by which a new character gets its span are those of `tokenizers`'
//! `NormalizedString`, oddities included: an inserted character takes the span
//! of the byte before it, and one that is inserted before everything has an
//! empty span ("rootless"). See [`AlignedText::transform`] for what the
//! reference then does with rootless beginnings.

use std::ops::Range;

use super::AlignedText;
use super::edit::Edit;
use crate::ids::offset;

impl AlignedText {
    /// Whether an edit that changes nothing leaves the text as it is.
    ///
    /// This is so unless the text begins with rootless bytes or has an empty
    /// origin; see [`AlignedText::transform`]. Callers may skip such an edit.
    pub fn is_rooted(&self) -> bool {
        self.origin.0 < self.origin.1 && self.prefixes().rootless == 0
    }

    /// Replace the whole text by a stream of characters.
    ///
    /// Each character comes with a change: a positive one means that it is new;
    /// 0 that it replaces the next old character; `-n` that it replaces the
    /// next one and that the `n` after that are gone. `removed_at_start` old
    /// characters are gone before the first.
    ///
    /// The reference replaces "all that corresponds to the original", which
    /// differs from the whole text in two cases that are reproduced here:
    /// rootless bytes at the beginning stay and the stream is laid after them,
    /// and if the origin is empty, then the stream is put before the old text.
    /// Where the reference would run out of old characters and crash, the
    /// stream replaces the whole text.
    ///
    /// Clones are cheap: clone the text to feed it a stream made from itself.
    ///
    /// # Complexity
    /// O(n) in the bytes of the old and the new text.
    pub fn transform(
        &mut self,
        stream: impl IntoIterator<Item = (char, isize)>,
        removed_at_start: usize,
    ) {
        let length = self.len();
        if self.is_rooted() {
            if length > 0 {
                *self = self.transformed(0..length, stream, removed_at_start).0;
            }
            return;
        }
        let range = if self.origin.0 == self.origin.1 {
            0..0
        } else {
            self.prefixes().rootless..length
        };
        let stream: Vec<_> = stream.into_iter().collect();
        let (text, within) = self.transformed(range, stream.iter().copied(), removed_at_start);
        *self = if within {
            text
        } else {
            self.transformed(0..length, stream, removed_at_start).0
        };
    }

    /// The text with `range` replaced by a stream, and whether the stream found
    /// an old character for each that it replaces.
    fn transformed(
        &self,
        range: Range<usize>,
        stream: impl IntoIterator<Item = (char, isize)>,
        removed_at_start: usize,
    ) -> (Self, bool) {
        let mut edit = Edit::new(self);
        edit.keep(0..range.start);
        let within = edit.stream(range.clone(), stream, removed_at_start);
        edit.keep(range.end..self.len());
        (edit.finish(), within)
    }

    /// [`AlignedText::transform`] where all but some parts stays as it is.
    ///
    /// `parts` are byte ranges in order, and `stream` makes the characters of
    /// one. It must use up the old characters of its part exactly, and the
    /// stream of the whole text must be the same as the parts' streams with the
    /// unchanged characters between them.
    pub(crate) fn transform_parts<I: Iterator<Item = (char, isize)>>(
        &mut self,
        parts: impl Iterator<Item = Range<usize>>,
        stream: impl Fn(Range<usize>) -> I,
    ) {
        let mut parts = parts.peekable();
        if self.is_rooted() {
            if parts.peek().is_none() {
                return;
            }
            let mut edit = Edit::new(self);
            let mut done = 0;
            for part in parts {
                edit.keep(done..part.start);
                edit.stream(part.clone(), stream(part.clone()), 0);
                done = part.end;
            }
            edit.keep(done..self.len());
            *self = edit.finish();
        } else {
            let source = self.clone();
            let unchanged = |range: Range<usize>| source.text()[range].chars().map(|c| (c, 0));
            let mut whole = Vec::with_capacity(source.len());
            let mut done = 0;
            for part in parts {
                whole.extend(unchanged(done..part.start));
                whole.extend(stream(part.clone()));
                done = part.end;
            }
            whole.extend(unchanged(done..source.len()));
            self.transform(whole, 0);
        }
    }

    /// Keep the characters for which `keep` holds.
    pub fn filter(&mut self, keep: impl Fn(char) -> bool) {
        if self.is_rooted() {
            let mut removed = (self.text().char_indices())
                .filter(|&(_, character)| !keep(character))
                .peekable();
            if removed.peek().is_none() {
                return;
            }
            let mut edit = Edit::new(self);
            let mut done = 0;
            for (at, character) in removed {
                edit.keep(done..at);
                done = at + character.len_utf8();
            }
            edit.keep(done..self.len());
            *self = edit.finish();
            return;
        }
        let mut stream: Vec<(char, isize)> = Vec::with_capacity(self.len());
        let mut removed_at_start = 0;
        for character in self.text().chars() {
            if keep(character) {
                stream.push((character, 0));
            } else if let Some((_, change)) = stream.last_mut() {
                *change -= 1;
            } else {
                removed_at_start += 1;
            }
        }
        if stream.is_empty() {
            // The reference forgets the count when nothing is left to attach it to.
            removed_at_start = 0;
        }
        self.transform(stream, removed_at_start);
    }

    /// Replace each character for which `expand` says so by one or more others.
    pub fn expand<I: Iterator<Item = char>>(&mut self, expand: impl Fn(char) -> Option<I>) {
        let source = self.clone();
        let text = source.text();
        let parts = text
            .char_indices()
            .filter(|&(_, character)| expand(character).is_some())
            .map(|(at, character)| at..at + character.len_utf8());
        self.transform_parts(parts, |part| {
            text[part]
                .chars()
                .filter_map(&expand)
                .flat_map(|new| new.enumerate().map(|(i, new)| (new, isize::from(i > 0))))
        });
    }

    /// Replace each character by another one.
    pub fn map(&mut self, map: impl Fn(char) -> char) {
        self.expand(|old| {
            let new = map(old);
            (new != old).then(|| std::iter::once(new))
        });
    }

    /// Replace ranges of the text, given in order, each by a string of which every
    /// character has the whole range behind it.
    pub(crate) fn replace_ranges<'a>(
        &mut self,
        replacements: impl IntoIterator<Item = (Range<usize>, &'a str)>,
    ) {
        let mut edit = Edit::new(self);
        let mut done = 0;
        for (range, content) in replacements {
            edit.keep(done..range.start);
            edit.put(range.clone(), content);
            done = range.end;
        }
        edit.keep(done..self.len());
        *self = edit.finish();
    }

    /// Put `content` before the text, aligned to its first character.
    ///
    /// An empty text stays empty. (An empty `content` makes the first character
    /// rootless, as in the reference.)
    pub fn prepend(&mut self, content: &str) {
        let Some(first) = self.text().chars().next() else {
            return;
        };
        let mut edit = Edit::new(self);
        let from = (!content.is_empty()).then_some(0);
        edit.push_str(content, from);
        edit.push(first, from);
        edit.keep(first.len_utf8()..self.len());
        *self = edit.finish();
    }

    /// Put `content` after the text, aligned to its last character.
    pub fn append(&mut self, content: &str) {
        let mut edit = Edit::new(self);
        edit.keep(0..self.len());
        edit.push_str(content, self.len().checked_sub(1));
        *self = edit.finish();
    }

    /// Replace byte ranges, which come in order and do not overlap, by `content`.
    ///
    /// The new bytes are aligned to the last byte of what they replace, or to
    /// the byte before it if that is empty. An empty text has no matches.
    pub fn replace(&mut self, matches: impl IntoIterator<Item = (usize, usize)>, content: &str) {
        if self.is_empty() {
            return;
        }
        let mut edit: Option<Edit<'_>> = None;
        let mut done = 0;
        for (start, end) in matches {
            let edit = edit.get_or_insert_with(|| Edit::new(self));
            edit.keep(done..start);
            edit.push_str(content, end.checked_sub(1));
            done = end;
        }
        if let Some(mut edit) = edit {
            edit.keep(done..self.len());
            *self = edit.finish();
        }
    }

    /// Take white space off the ends.
    pub fn strip(&mut self, left: bool, right: bool) {
        let text = self.text();
        let mut kept = text;
        if left {
            kept = kept.trim_start();
        }
        let removed_left = text.len() - kept.len();
        if right {
            kept = kept.trim_end();
        }
        let removed_right = text.len() - removed_left - kept.len();
        if self.is_rooted() {
            // A narrower view of the same buffer; the origin is not narrowed.
            self.start += offset(removed_left);
            self.end -= offset(removed_right);
        } else if removed_left + removed_right > 0 {
            let leading = text[..removed_left].chars().count();
            let source = self.clone();
            let range = removed_left..text.len() - removed_right;
            self.transform(source.text()[range].chars().map(|c| (c, 0)), leading);
        }
    }

    /// Remove everything; the origin stays.
    pub fn clear(&mut self) {
        self.transform(std::iter::empty(), 0);
    }
}
