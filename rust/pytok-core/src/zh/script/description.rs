//! Ideographic description sequences: a character told by its parts.
//!
//! `⿰木发` is one character to OpenCC; its parts are not converted. Sequences of
//! more than 16 levels or 64 characters are none, as in OpenCC.

const LEVELS: usize = 16;
const CHARACTERS: usize = 64;

/// The bytes of the character that a text begins with, or of the sequence that
/// tells one.
pub(super) fn length(text: &str) -> usize {
    let first = text.chars().next();
    sequence_length(text)
        .or(first.map(char::len_utf8))
        .unwrap_or(0)
}

/// The bytes of the sequence that a text begins with, if it does.
///
/// # Complexity
/// O(1): at most 64 characters are looked at.
fn sequence_length(text: &str) -> Option<usize> {
    if text.chars().next().is_none_or(|first| parts(first) == 0) {
        return None;
    }
    let mut length = 0;
    // By level, the parts that are still to come.
    let mut open: Vec<usize> = Vec::new();
    for character in text.chars().take(CHARACTERS) {
        if open.len() == LEVELS {
            return None;
        }
        length += character.len_utf8();
        open.push(parts(character));
        while open.last() == Some(&0) {
            open.pop();
            match open.last_mut() {
                Some(parts) => *parts -= 1,
                None => return Some(length),
            }
        }
    }
    None
}

/// The number of parts that an operator takes.
fn parts(character: char) -> usize {
    match character {
        '\u{2ff2}' | '\u{2ff3}' => 3,
        '\u{2ffe}' | '\u{2fff}' => 1,
        '\u{2ff0}'..='\u{2ffd}' => 2,
        _ => 0,
    }
}
