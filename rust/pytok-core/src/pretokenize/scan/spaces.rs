//! What the known patterns share: white space, and English contractions.

use super::classes::{Look, Set};

/// How a pattern breaks a run of white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spaces {
    /// `\s+(?!\S)|\s+`
    Plain,
    /// `\s*[\r\n]+|\s+(?!\S)|\s+`
    Lines,
    /// `\s++$|\s*[\r\n]|\s+(?!\S)|\s`
    EndThenLines,
}

/// The end of the word of white space that begins at `start`.
///
/// Every rule comes down to the run of white space: up to its last line break,
/// whole at the end of the text, else all but its last character, which goes
/// with what follows. A run is looked at once whole and once more after its
/// last line break, so scanning stays linear.
pub(super) fn spaces(table: &impl Look, text: &str, start: usize, spaces: Spaces) -> Option<usize> {
    let (mut end, mut last, mut line_end) = (start, start, None);
    let is_over = loop {
        let (class, next) = table.at(text, end);
        if !Set::SPACES.has(class) {
            break class.is_end();
        }
        if Set::NEWLINES.has(class) {
            line_end = Some(next);
        }
        (last, end) = (end, next);
    };
    if end == start {
        return None;
    }
    if is_over && spaces != Spaces::Lines {
        return Some(end);
    }
    if spaces != Spaces::Plain && line_end.is_some() {
        return line_end;
    }
    let cut = if is_over || last == start { end } else { last };
    Some(cut)
}

/// The end of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` at `start`, in lower
/// case or (`any_case`) in any.
pub(super) fn contraction(text: &str, start: usize, any_case: bool) -> Option<usize> {
    let rest = text.as_bytes().get(start..)?;
    if rest.first() != Some(&b'\'') {
        return None;
    }
    let letter = |place: usize| {
        let byte = rest.get(place).copied().unwrap_or_default();
        if any_case {
            byte.to_ascii_lowercase()
        } else {
            byte
        }
    };
    let length = match (letter(1), letter(2)) {
        (b's' | b't' | b'm' | b'd', _) => 2,
        (b'r' | b'v', b'e') | (b'l', b'l') => 3,
        // The long s is the only other character that folds to one of these letters.
        (0xC5, 0xBF) if any_case => 3,
        _ => return None,
    };
    Some(start + length)
}
