//! The pattern of o200k and tekken, which breaks words where capitals begin:
//! `P?U*L+C?|P?U+L*C?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|` and white space,
//! where P is `[^\r\n\p{L}\p{N}]`, U the upper-case letters, L the lower-case
//! ones (letters without case and marks are in both) and C a contraction.

use super::classes::{Class, ClassTable, Look, Set};
use super::spaces::{Spaces, contraction, spaces};

/// Where the members of the family differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Family {
    /// The longest word of numbers.
    pub(super) digits: u32,
    /// Whether a word takes a contraction with it.
    pub(super) contractions: bool,
    /// Whether words keep out of the Han script.
    pub(super) without_han: bool,
    /// Whether slashes after a word of other characters go with its line breaks.
    pub(super) slashes: bool,
}

impl Family {
    /// The end of the match that begins at `start`.
    pub(super) fn match_end(self, table: &ClassTable, text: &str, start: usize) -> Option<usize> {
        let (first, second) = table.at(text, start);
        if let Some(end) = self.word(table, text, start, first, second) {
            let contraction = self.contractions.then(|| contraction(text, end, true));
            return Some(contraction.flatten().unwrap_or(end));
        }
        if Set::NUMBERS.has(first) {
            return Some(table.run_of_at_most(text, start, Set::NUMBERS, self.digits));
        }
        self.signs(table, text, start)
            .or_else(|| spaces(table, text, start, Spaces::Lines))
    }

    /// `P?U*L+|P?U+L*`, which tries the first alternative with and without P,
    /// then the second.
    fn word(
        self,
        table: &ClassTable,
        text: &str,
        start: usize,
        first: Class,
        second: usize,
    ) -> Option<usize> {
        let prefixed = Set::PREFIXES
            .has(first)
            .then(|| self.cased(table, text, second));
        if let Some(Cased::WithLower(end)) = prefixed {
            return Some(end);
        }
        // A mark is a P and also a word of its own.
        match (self.cased(table, text, start), prefixed) {
            (Cased::WithLower(end), _) | (_, Some(Cased::Upper(end))) => Some(end),
            (Cased::Upper(end), _) => Some(end),
            _ => None,
        }
    }

    /// `U*L+`, else `U+`, at `start`.
    ///
    /// `U*` first takes all it can. If a character of L alone follows, `L+`
    /// goes on from there; if not, `U*` gives back as far as the last character
    /// that is in both, and `L+` takes just that one, for what follows it is in
    /// U only.
    fn cased(self, table: &ClassTable, text: &str, start: usize) -> Cased {
        let (mut end, mut shared) = (start, None);
        loop {
            let (class, next) = self.at(table, text, end);
            if !Set::UPPER.has(class) {
                break;
            }
            if Set::LOWER.has(class) {
                shared = Some(next);
            }
            end = next;
        }
        let upper = end;
        loop {
            let (class, next) = self.at(table, text, end);
            if !Set::LOWER.has(class) {
                break;
            }
            end = next;
        }
        match shared {
            _ if end > upper => Cased::WithLower(end),
            Some(end) => Cased::WithLower(end),
            None if upper > start => Cased::Upper(upper),
            None => Cased::Not,
        }
    }

    fn at(self, table: &ClassTable, text: &str, position: usize) -> (Class, usize) {
        let (class, next) = table.at(text, position);
        if self.without_han {
            (class.without_han(), next)
        } else {
            (class, next)
        }
    }

    /// ` ?[^\s\p{L}\p{N}]+[\r\n/]*`
    fn signs(self, table: &ClassTable, text: &str, start: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let word = start + usize::from(bytes.get(start) == Some(&b' '));
        let mut end = table.run(text, word, Set::OTHERS);
        if end == word {
            return None;
        }
        while let Some(b'\r' | b'\n') | Some(b'/') = bytes.get(end) {
            if bytes[end] == b'/' && !self.slashes {
                break;
            }
            end += 1;
        }
        Some(end)
    }
}

/// How a run of letters matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cased {
    /// `U*L+`, up to here.
    WithLower(usize),
    /// `U+` only, up to here.
    Upper(usize),
    /// Not at all.
    Not,
}
