//! The printable byte alphabet of GPT-2: one character for each byte.
//!
//! Bytes that are printable in Latin-1 stand for themselves; the others take
//! the characters from U+0100 on, in their order.

/// The character of each byte.
pub(crate) const CHARACTERS: [char; 256] = characters();

/// One past the last character: U+0100 and the 68 bytes that are not printable.
const LIMIT: usize = 0x100 + 68;

const BYTES: [Option<u8>; LIMIT] = bytes();

const fn printable(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF)
}

#[allow(clippy::as_conversions)] // const: `From` is not available there
const fn characters() -> [char; 256] {
    let mut characters = ['\0'; 256];
    let mut next = 0x100_u32;
    let mut byte = 0;
    while byte < 256 {
        characters[byte] = if printable(byte as u8) {
            byte as u8 as char
        } else {
            next += 1;
            match char::from_u32(next - 1) {
                Some(character) => character,
                None => unreachable!(),
            }
        };
        byte += 1;
    }
    characters
}

#[allow(clippy::as_conversions)] // const: `From` is not available there
const fn bytes() -> [Option<u8>; LIMIT] {
    let mut bytes = [None; LIMIT];
    let mut byte = 0;
    while byte < 256 {
        bytes[CHARACTERS[byte] as usize] = Some(byte as u8);
        byte += 1;
    }
    bytes
}

/// The byte that a character stands for.
pub(crate) fn byte(character: char) -> Option<u8> {
    let code = usize::try_from(u32::from(character)).ok()?;
    BYTES.get(code).copied().flatten()
}

/// Bytes as text in the alphabet.
pub(crate) fn spell(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|&byte| CHARACTERS[usize::from(byte)])
        .collect()
}

/// The bytes of a text in the alphabet; `None` if it has other characters.
pub(crate) fn read(text: &str) -> Option<Vec<u8>> {
    text.chars().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alphabet_is_a_bijection_and_known_at_its_edges() {
        let all: Vec<u8> = (0..=255).collect();
        let text = spell(&all);
        assert_eq!(text.chars().count(), 256);
        assert_eq!(read(&text), Some(all));
        assert_eq!(spell(b" \n\x00\x7f\xa0\xad\xff"), "ĠĊĀġłŃÿ");
        assert_eq!(read("a b"), None);
        assert_eq!(read("\u{144}"), None);
        assert_eq!(read("中"), None);
    }
}
