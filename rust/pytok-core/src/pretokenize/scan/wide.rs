//! Our pattern `wide`: numbers, and sentences with what closes them and their line
//! breaks.

use super::classes::{Class, ClassTable, Look, Set};

/// The end of the match that begins at `start`; `digits` is the longest word of
/// numbers.
pub(super) fn match_end(
    table: &ClassTable,
    text: &str,
    start: usize,
    digits: u32,
) -> Option<usize> {
    let numbers = table.run_while(text, start, digits, Class::is_number_not_han);
    if numbers > start {
        return Some(numbers);
    }
    let mut end = start;
    loop {
        let (class, next) = table.at(text, end);
        if class.is_end() || ends_stretch(class) || is_sentence_mark(text, end) {
            break;
        }
        end = next;
    }
    let stretch = end;
    while is_sentence_mark(text, end) {
        end += MARK_BYTES;
    }
    if end > stretch {
        end = closers_end(text, end);
    }
    end = table.run(text, end, Set::NEWLINES);
    (end > start).then_some(end)
}

fn ends_stretch(class: Class) -> bool {
    Set::NEWLINES.has(class) || class.is_number_not_han()
}

const MARK_BYTES: usize = "。".len();

/// Whether one of `。！？` begins at a byte of a text.
#[inline]
fn is_sentence_mark(text: &str, start: usize) -> bool {
    let bytes = text.as_bytes();
    match bytes.get(start) {
        Some(0xE3) => bytes[start..].starts_with("。".as_bytes()),
        Some(0xEF) => ["！", "？"]
            .iter()
            .any(|mark| bytes[start..].starts_with(mark.as_bytes())),
        _ => false,
    }
}

/// The end of the quotes and brackets that a sentence mark leaves to close.
fn closers_end(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    let after = rest.trim_start_matches([
        '’', '”', '」', '』', '）', '］', '｝', '】', '》', '〉', '〕', '〗', '﹂', '﹄', ')', ']',
        '}',
    ]);
    start + rest.len() - after.len()
}
