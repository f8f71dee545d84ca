//! GPT-2's pattern, also that of r50k and p50k:
//! `'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.

use super::classes::{ClassTable, Look, Set};
use super::spaces::{Spaces, contraction, spaces};

/// The end of the match that begins at `start`.
pub(super) fn match_end(table: &ClassTable, text: &str, start: usize) -> Option<usize> {
    if let Some(end) = contraction(text, start, false) {
        return Some(end);
    }
    let word = start + usize::from(text.as_bytes().get(start) == Some(&b' '));
    let (class, next) = table.at(text, word);
    for set in [Set::LETTERS, Set::NUMBERS, Set::OTHERS] {
        if set.has(class) {
            return Some(table.run(text, next, set));
        }
    }
    spaces(table, text, start, Spaces::Plain)
}
