//! Bytes to the byte alphabet: each byte of the UTF-8 text becomes one
//! character, aligned to the character that it came from.

use crate::pretokenize::byte_alphabet::byte_to_char;
use crate::text::AlignedText;

pub(super) fn apply(text: &mut AlignedText) {
    if text.is_empty() {
        return;
    }
    text.expand(|c| {
        let unchanged = c.is_ascii_graphic();
        (!unchanged).then(|| {
            let mut buffer = [0; 4];
            let length = c.encode_utf8(&mut buffer).len();
            buffer.into_iter().take(length).map(byte_to_char)
        })
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_skipped_stands_for_itself() {
        for byte in (0..=u8::MAX).filter(u8::is_ascii_graphic) {
            assert_eq!(byte_to_char(byte), char::from(byte));
        }
    }
}
