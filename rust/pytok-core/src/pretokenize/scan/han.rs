//! Our patterns `han` and `iso`: runs of the Han script and, in `iso`, CJK marks
//! one by one come first, then Qwen's words without them.

use super::classes::{Class, ClassTable, Look, Set};
use super::spaces::{Spaces, contraction, spaces};

/// Where the two differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Family {
    /// The longest word of numbers.
    pub(super) digits: u32,
    /// Whether each CJK and full-width mark is a word.
    pub(super) marks: bool,
}

impl Family {
    /// The end of the match that begins at `start`.
    pub(super) fn match_end(self, table: &ClassTable, text: &str, start: usize) -> Option<usize> {
        let letters = |class: Class| Set::LETTERS.has(class.without_han());
        let (first, second) = table.at(text, start);
        if first.is_han() {
            return Some(table.run_while(text, second, u32::MAX, Class::is_han));
        }
        if self.is_mark(text, start) {
            return Some(second);
        }
        if letters(first) {
            return Some(table.run_while(text, second, u32::MAX, letters));
        }
        if Set::NUMBERS.has(first) {
            return Some(table.run_while(text, start, self.digits, Class::is_number_not_han));
        }
        if let Some(end) = contraction(text, start, true) {
            return Some(end);
        }
        if Set::PREFIXES.has(first) {
            let end = table.run_while(text, second, u32::MAX, letters);
            if end > second {
                return Some(end);
            }
        }
        self.signs(table, text, start)
            .or_else(|| spaces(table, text, start, Spaces::Lines))
    }

    /// The end of ` ?[^\s\p{L}\p{N}\p{Han}]+[\r\n]*`, without the marks where they
    /// are words.
    fn signs(self, table: &ClassTable, text: &str, start: usize) -> Option<usize> {
        let word = start + usize::from(text.as_bytes().get(start) == Some(&b' '));
        let mut end = word;
        loop {
            let (class, next) = table.at(text, end);
            if !Set::OTHERS.has(class.without_han()) || self.is_mark(text, end) {
                break;
            }
            end = next;
        }
        (end > word).then(|| table.run(text, end, Set::NEWLINES))
    }

    /// Whether a mark that is a word begins at a byte of a text.
    #[inline]
    fn is_mark(self, text: &str, start: usize) -> bool {
        // The first bytes of all of them.
        self.marks
            && matches!(text.as_bytes().get(start), Some(0xE3 | 0xEF))
            && text[start..].chars().next().is_some_and(is_mark)
    }
}

/// The marks that [`super::patterns::ISO`] sets apart.
fn is_mark(character: char) -> bool {
    matches!(character,
        '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3020}' | '\u{3030}'
        | '\u{303D}'..='\u{303F}' | '\u{FE30}'..='\u{FE6B}' | '\u{FF01}'..='\u{FF0F}'
        | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF65}'
        | '\u{FFE0}'..='\u{FFE6}')
}
