//! Bytes to text as they arrive.
//!
//! The text of all pushes and of [`Utf8Stream::finish`] is what
//! [`String::from_utf8_lossy`] makes of all bytes at once: one U+FFFD for each
//! maximal part of a character that turns out to be invalid.

/// The bytes of a character that is not complete yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Utf8Stream {
    /// At most three bytes, a proper prefix of a character.
    pending: Vec<u8>,
}

impl Utf8Stream {
    /// Take `bytes` and append all text that can no longer change.
    ///
    /// # Complexity
    /// O(n) for n bytes; never more than three bytes are kept.
    pub fn push(&mut self, bytes: &[u8], text: &mut String) {
        if self.pending.is_empty() {
            self.pending = complete(bytes, text).to_vec();
        } else {
            let mut joined = std::mem::take(&mut self.pending);
            joined.extend_from_slice(bytes);
            self.pending = complete(&joined, text).to_vec();
        }
    }

    /// No more bytes: an incomplete character becomes one U+FFFD.
    pub fn finish(&mut self, text: &mut String) {
        if !self.pending.is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
            self.pending.clear();
        }
    }
}

/// Append what is settled in `bytes` to `text`; return the incomplete end.
fn complete<'b>(mut bytes: &'b [u8], text: &mut String) -> &'b [u8] {
    loop {
        match std::str::from_utf8(bytes) {
            Ok(valid) => {
                text.push_str(valid);
                return &[];
            }
            Err(error) => {
                let (valid, rest) = bytes.split_at(error.valid_up_to());
                text.push_str(&String::from_utf8_lossy(valid));
                let Some(invalid) = error.error_len() else {
                    return rest;
                };
                text.push(char::REPLACEMENT_CHARACTER);
                bytes = &rest[invalid..];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte string over an alphabet with all kinds of UTF-8 bytes, pushed
    /// byte by byte, gives the text of the whole.
    #[test]
    fn byte_by_byte_is_the_lossy_text_of_the_whole() {
        let alphabet = [
            b'a', 0x80, 0xBF, 0xC0, 0xC3, 0xA0, 0xE0, 0xED, 0xE4, 0xF0, 0x90, 0xF4, 0xFF,
        ];
        for length in 0..=4_u32 {
            for mut number in 0..alphabet.len().pow(length) {
                let mut bytes = Vec::new();
                for _ in 0..length {
                    bytes.push(alphabet[number % alphabet.len()]);
                    number /= alphabet.len();
                }
                let (mut stream, mut text) = (Utf8Stream::default(), String::new());
                for byte in &bytes {
                    stream.push(&[*byte], &mut text);
                    assert!(stream.pending.len() <= 3);
                }
                stream.finish(&mut text);
                assert_eq!(text, String::from_utf8_lossy(&bytes), "{bytes:x?}");
            }
        }
    }

    #[test]
    fn a_character_appears_with_its_last_byte() {
        let (mut stream, mut text) = (Utf8Stream::default(), String::new());
        stream.push("a叫".as_bytes().split_at(2).0, &mut text);
        assert_eq!(text, "a");
        stream.push("a叫".as_bytes().split_at(2).1, &mut text);
        assert_eq!(text, "a叫");
    }
}
