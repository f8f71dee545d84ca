//! What stands around a mark: Han characters, numerals, brackets, lines.

use std::ops::Range;

/// Whether a character is a Chinese character, `〇` and `々` among them.
pub(super) fn is_han(character: char) -> bool {
    matches!(character,
        '\u{4E00}'..='\u{9FFF}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{3005}'
        | '\u{3007}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFD}')
}

/// Whether a character is a letter of a script that writes words with letters;
/// between two of them `’` is an apostrophe.
pub(super) fn is_letter(character: char) -> bool {
    character.is_alphabetic() && character < '\u{2E80}'
}

/// Whether a character is a Chinese numeral, small forms only.
pub(super) fn is_numeral(character: char) -> bool {
    "〇零一二三四五六七八九十百千萬万廿卅".contains(character)
}

/// Whether a character opens a quotation or a bracket.
pub(super) fn is_opener(character: char) -> bool {
    "「『﹁﹃“‘｢〝（《〈【〖〔［｛︵︽︿︻︗︹".contains(character)
}

/// Whether a character closes a quotation or a bracket.
pub(super) fn is_closer(character: char) -> bool {
    "」』﹂﹄”’｣〞〟）》〉】〗〕］｝︶︾﹀︼︘︺".contains(character)
}

/// Whether a line ends at this character.
pub(super) fn ends_line(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// Whether a character is one of the 16 and 240 variation selectors for all scripts.
pub(super) fn is_selector(character: char) -> bool {
    matches!(character, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// The lines of a text, without what ends them.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let mut rest = text.char_indices();
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let from = start;
        match rest.by_ref().find(|&(_, character)| ends_line(character)) {
            Some((end, character)) => {
                start = end + character.len_utf8();
                Some(from..end)
            }
            None => {
                done = true;
                Some(from..text.len())
            }
        }
    })
}
