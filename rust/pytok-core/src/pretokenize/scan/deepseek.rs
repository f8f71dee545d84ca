//! DeepSeek's three patterns, which are applied one after another: numbers,
//! Chinese and Japanese, and the rest.

use super::cl100k::signs;
use super::classes::{Class, ClassTable, Look, Set};
use super::spaces::{Spaces, spaces};

/// The end of `\p{N}{1,3}` at `start`.
pub(super) fn numbers(table: &ClassTable, text: &str, start: usize) -> Option<usize> {
    let end = table.run_of_at_most(text, start, Set::NUMBERS, 3);
    (end > start).then_some(end)
}

/// The end of `[一-龥\u3040-ゟ゠-ヿ]+` at `start`.
pub(super) fn chinese_and_japanese(text: &str, start: usize) -> Option<usize> {
    let rest = text.get(start..)?;
    let length: usize = rest
        .chars()
        .take_while(|&c| is_chinese_or_japanese(c))
        .map(char::len_utf8)
        .sum();
    (length > 0).then(|| start + length)
}

/// `[一-龥\u3040-ゟ゠-ヿ]`
#[inline]
fn is_chinese_or_japanese(character: char) -> bool {
    matches!(character, '\u{4E00}'..='\u{9FA5}' | '\u{3040}'..='\u{30FF}')
}

/// The part of a text that two patterns leave to the third, seen from inside: a
/// stretch of Chinese and Japanese, or one without them and without numbers.
struct Part<'a> {
    table: &'a ClassTable,
    chinese: bool,
}

impl Look for Part<'_> {
    #[inline]
    fn at(&self, text: &str, position: usize) -> (Class, usize) {
        let (class, next) = self.table.at(text, position);
        // All of these characters have three bytes.
        let chinese = next == position + 3 && text[position..].starts_with(is_chinese_or_japanese);
        if chinese == self.chinese && !Set::NUMBERS.has(class) {
            (class, next)
        } else {
            (Class::OVER, position)
        }
    }
}

/// The end of the word that begins at `start` when all three patterns are
/// applied one after another. What none of them matches is a word as well.
pub(super) fn word(table: &ClassTable, text: &str, start: usize) -> Option<usize> {
    let numbers = table.run_of_at_most(text, start, Set::NUMBERS, 3);
    if numbers > start {
        return Some(numbers);
    }
    let chinese = text[start..].starts_with(is_chinese_or_japanese);
    let part = Part { table, chinese };
    let mut end = start;
    loop {
        if let Some(match_end) = rest(&part, text, end) {
            return Some(if end == start { match_end } else { end });
        }
        let (class, next) = part.at(text, end);
        if class.is_end() {
            return (end > start).then_some(end);
        }
        end = next;
    }
}

/// The end of the third pattern at `start`:
/// `[ascii punctuation][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|`
/// and white space. Numbers and control characters may stay between matches.
pub(super) fn rest(table: &impl Look, text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.get(start).is_some_and(u8::is_ascii_punctuation) {
        let letters = bytes[start + 1..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        if letters > 0 {
            return Some(start + 1 + letters);
        }
    }
    let (first, second) = table.at(text, start);
    if Set::LETTERS_AND_MARKS.has(first) {
        return Some(table.run(text, second, Set::LETTERS_AND_MARKS));
    }
    if Set::UNSIGNED_PREFIXES.has(first) {
        let end = table.run(text, second, Set::LETTERS_AND_MARKS);
        if end > second {
            return Some(end);
        }
    }
    signs(table, text, start, Set::SIGNS).or_else(|| spaces(table, text, start, Spaces::Lines))
}
