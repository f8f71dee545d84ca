//! The pattern of cl100k, Llama 3 and Qwen:
//! `(?i:'s|…)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|` and
//! white space.

use super::classes::{ClassTable, Look, Set};
use super::spaces::{Spaces, contraction, spaces};

/// Where the members of the family differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Family {
    /// The longest word of numbers.
    pub(super) digits: u32,
    /// How white space is broken.
    pub(super) spaces: Spaces,
}

impl Family {
    /// The end of the match that begins at `start`.
    pub(super) fn match_end(self, table: &ClassTable, text: &str, start: usize) -> Option<usize> {
        let (first, second) = table.at(text, start);
        if Set::LETTERS.has(first) {
            return Some(table.run(text, second, Set::LETTERS));
        }
        if Set::NUMBERS.has(first) {
            return Some(table.run_of_at_most(text, start, Set::NUMBERS, self.digits));
        }
        if let Some(end) = contraction(text, start, true) {
            return Some(end);
        }
        if Set::PREFIXES.has(first) {
            let end = table.run(text, second, Set::LETTERS);
            if end > second {
                return Some(end);
            }
        }
        signs(table, text, start, Set::OTHERS).or_else(|| spaces(table, text, start, self.spaces))
    }
}

/// The end of ` ?[set]+[\r\n]*` at `start`.
pub(super) fn signs(table: &impl Look, text: &str, start: usize, set: Set) -> Option<usize> {
    let word = start + usize::from(text.as_bytes().get(start) == Some(&b' '));
    let end = table.run(text, word, set);
    (end > word).then(|| table.run(text, end, Set::NEWLINES))
}
