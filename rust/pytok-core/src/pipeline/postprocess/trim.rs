//! White space taken out of the offsets of byte-level tokens.
//!
//! A byte-level token contains the space before its word; trimmed offsets cover
//! the word alone. The white space is counted in the token's own characters
//! (`Ġ` is a space), and the offsets move by that many characters of the text.

use super::Encoding;
use crate::ids::{index, offset};
use crate::pipeline::encoding::Offsets;
use crate::pretokenize::byte_alphabet::byte_to_char;

#[derive(Debug, Clone, Copy)]
pub(super) struct Trim {
    /// A single space at the beginning of a text is one that was put there.
    add_prefix_space: bool,
}

impl Trim {
    pub(super) fn new(trim_offsets: bool, add_prefix_space: bool) -> Option<Self> {
        trim_offsets.then_some(Self { add_prefix_space })
    }

    /// Trim encodings and their overflow.
    pub(super) fn apply(self, encodings: &mut [Encoding], texts: [&str; 2]) {
        for encoding in encodings {
            self.trim(encoding, texts);
            for part in &mut encoding.overflowing {
                self.trim(part, texts);
            }
        }
    }

    fn trim(self, encoding: &mut Encoding, texts: [&str; 2]) {
        // The part's own sequence is the lowest that it was given; parts that
        // have none are special tokens, whose empty offsets never move.
        let sequence = encoding
            .sequence_ranges
            .first()
            .map_or(0, |range| range.sequence);
        let text = texts.get(sequence).copied().unwrap_or("");
        for (at, token) in encoding.tokens.iter().enumerate() {
            let leading = token.chars().take_while(|c| is_space(*c)).count();
            let trailing = token.chars().rev().take_while(|c| is_space(*c)).count();
            let before = encoding.offsets[at];
            let after = self.trimmed(before, at == 0, offset(leading), offset(trailing));
            encoding.offsets[at] = after;
            let bytes = &mut encoding.byte_offsets[at];
            *bytes = move_bytes(*bytes, after.0 - before.0, before.1 - after.1, text);
        }
    }

    fn trimmed(self, offsets: Offsets, is_first: bool, leading: u32, trailing: u32) -> Offsets {
        let (mut start, mut end) = offsets;
        let was_added = self.add_prefix_space && leading == 1 && (is_first || start == 0);
        if leading > 0 && !was_added {
            start = start.saturating_add(leading).min(end);
        }
        if end >= trailing {
            end = (end - trailing).max(start);
        }
        (start, end)
    }
}

fn is_space(character: char) -> bool {
    character == byte_to_char(b' ') || character.is_whitespace()
}

/// Move both ends inwards by a number of characters of the text.
fn move_bytes((start, end): Offsets, from_start: u32, from_end: u32, text: &str) -> Offsets {
    let mut moved = (start, end);
    if from_start > 0 {
        let width = text
            .get(index(start)..)
            .and_then(|rest| {
                let starts = rest.char_indices().map(|(at, _)| at);
                starts
                    .chain(std::iter::once(rest.len()))
                    .nth(index(from_start))
            })
            .map_or(from_start, offset);
        moved.0 = start.saturating_add(width).min(end);
    }
    if from_end > 0 {
        let width = text.get(..index(end)).map_or(from_end, |rest| {
            let last = rest.chars().rev().take(index(from_end));
            offset(last.map(char::len_utf8).sum())
        });
        moved.1 = end.saturating_sub(width).max(moved.0);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_follow_characters_of_any_width() {
        // An ideographic space that a normaliser turned into a plain one.
        let text = "a\u{3000}中\u{3000}\u{3000}";
        assert_eq!(move_bytes((1, 7), 1, 0, text), (4, 7));
        assert_eq!(move_bytes((1, 13), 1, 2, text), (4, 7));
        assert_eq!(move_bytes((7, 13), 2, 0, text), (13, 13));
        assert_eq!(move_bytes((7, 13), 0, 2, text), (7, 7));
        assert_eq!(move_bytes((3, 9), 1, 1, ""), (4, 8));
    }
}
