//! Bytes to GPT-2's printable alphabet: each byte of the UTF-8 text becomes one
//! character, aligned to the character that it came from.

use crate::text::AlignedText;

/// The character of each byte: itself where Latin-1 prints it, and otherwise
/// the next character from U+0100 on.
pub(super) const BYTE_CHARS: [char; 256] = byte_chars();

#[allow(clippy::as_conversions)] // a constant; bytes widen and the rest is below U+0144
const fn byte_chars() -> [char; 256] {
    let mut chars = ['\0'; 256];
    let mut next = 0x100;
    let mut byte = 0;
    while byte < 256 {
        let printable = matches!(byte, 0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF);
        let code = if printable { byte as u32 } else { next };
        if !printable {
            next += 1;
        }
        match char::from_u32(code) {
            Some(character) => chars[byte] = character,
            None => panic!("below the surrogates"),
        }
        byte += 1;
    }
    chars
}

pub(super) fn apply(text: &mut AlignedText) {
    if text.is_empty() {
        return;
    }
    text.expand(|c| {
        let unchanged = c.is_ascii_graphic();
        (!unchanged).then(|| {
            let mut buffer = [0; 4];
            let length = c.encode_utf8(&mut buffer).len();
            (buffer.into_iter().take(length)).map(|byte| BYTE_CHARS[usize::from(byte)])
        })
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alphabet_is_a_bijection_onto_the_published_one() {
        let mut sorted = BYTE_CHARS.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 256);
        assert_eq!(BYTE_CHARS[usize::from(b' ')], 'Ġ');
        assert_eq!(BYTE_CHARS[usize::from(b'\n')], 'Ċ');
        assert_eq!(BYTE_CHARS[0xAD], 'Ń');
        for c in '!'..='~' {
            assert_eq!(BYTE_CHARS[usize::try_from(u32::from(c)).unwrap()], c);
        }
    }
}
