//! The byte alphabet: one printable character for each byte (GPT-2, Radford et
//! al. 2019).
//!
//! A byte that is printable in Latin-1 stands for itself; the other 68 take the
//! characters from U+0100 on, in order. So a space is `Ġ` and a line feed `Ċ`.

/// Whether a byte stands for itself.
const fn is_itself(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF)
}

/// The bytes that do not stand for themselves, in order: `OTHERS[n]` is U+0100 + n.
const OTHERS: [u8; 68] = {
    let (mut others, mut count, mut byte) = ([0; 68], 0, 0_u8);
    loop {
        if !is_itself(byte) {
            others[count] = byte;
            count += 1;
        }
        if byte == u8::MAX {
            break others;
        }
        byte += 1;
    }
};

#[allow(clippy::as_conversions)] // widening, in const evaluation only
const CHARACTERS: [char; 256] = {
    let mut characters = ['\0'; 256];
    let mut byte = 0;
    while byte < 256 {
        characters[byte] = byte as u8 as char;
        byte += 1;
    }
    let mut count = 0;
    while count < OTHERS.len() {
        characters[OTHERS[count] as usize] = match char::from_u32(0x100 + count as u32) {
            Some(character) => character,
            None => panic!("U+0100 to U+0143 are characters"),
        };
        count += 1;
    }
    characters
};

/// The character of a byte.
#[inline]
pub const fn byte_to_char(byte: u8) -> char {
    #[allow(clippy::as_conversions)] // widening; `usize::from` is not const
    let place = byte as usize;
    CHARACTERS[place]
}

/// The byte of each code point up to the last one of the alphabet.
#[allow(clippy::as_conversions)] // in const evaluation only, of bytes
static BYTES: [Option<u8>; 0x100 + OTHERS.len()] = {
    let mut bytes = [None; 0x100 + OTHERS.len()];
    let mut code = 0;
    while code < bytes.len() {
        bytes[code] = if code >= 0x100 {
            Some(OTHERS[code - 0x100])
        } else if is_itself(code as u8) {
            Some(code as u8)
        } else {
            None
        };
        code += 1;
    }
    bytes
};

/// The byte of a character, if it is one of the alphabet.
#[inline]
pub fn char_to_byte(character: char) -> Option<u8> {
    BYTES.get(crate::ids::index(character.into())).copied()?
}

/// Bytes in the alphabet.
///
/// # Examples
/// ```
/// use pytok_core::pretokenize::byte_alphabet::{decode, encode};
/// assert_eq!(encode(" é\n".as_bytes()), "ĠÃ©Ċ");
/// assert_eq!(decode("ĠÃ©Ċ"), Some(" é\n".into()));
/// assert_eq!(decode("a b"), None);
/// ```
pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| byte_to_char(byte)).collect()
}

/// The bytes behind a text in the alphabet; `None` when it has other characters.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    text.chars().map(char_to_byte).collect()
}

/// Append what [`decode`] gives; `false` when there are other characters, and then
/// nothing is appended.
pub(crate) fn decode_into(text: &str, bytes: &mut Vec<u8>) -> bool {
    let before = bytes.len();
    for character in text.chars() {
        let Some(byte) = char_to_byte(character) else {
            bytes.truncate(before);
            return false;
        };
        bytes.push(byte);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_characters_are_one_to_one() {
        let mut seen = std::collections::HashSet::new();
        for byte in 0..=u8::MAX {
            let character = byte_to_char(byte);
            assert!(seen.insert(character), "{character:?} twice");
            assert_eq!(char_to_byte(character), Some(byte));
        }
        let in_alphabet = |c: &char| char_to_byte(*c).is_some();
        let all = (0..0x11_0000).filter_map(char::from_u32);
        assert_eq!(all.filter(in_alphabet).count(), 256);
    }

    #[test]
    fn known_characters() {
        for (byte, character) in [
            (0, 'Ā'),
            (b' ', 'Ġ'),
            (b'\n', 'Ċ'),
            (0x7F, 'ġ'),
            (0xAD, 'Ń'),
            (0xFF, 'ÿ'),
        ] {
            assert_eq!(byte_to_char(byte), character);
        }
    }
}
