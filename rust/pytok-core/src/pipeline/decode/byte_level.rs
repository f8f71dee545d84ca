//! `ByteLevel`: the byte alphabet back to bytes, all pieces joined to one.
//!
//! A piece with a character outside the alphabet stands for itself.

use super::Invalid;
use super::chain::Sink;
use super::whole::{Whole, WholePieces};
use crate::pipeline::utf8_stream::Utf8Stream;
use crate::pretokenize::byte_alphabet::char_to_byte;

pub(super) fn stage(invalid: Invalid) -> Whole<Running> {
    Whole::new(Running {
        invalid,
        characters: Utf8Stream::default(),
        bytes: Vec::new(),
        text: String::new(),
    })
}

#[derive(Debug, Clone)]
pub(super) struct Running {
    invalid: Invalid,
    characters: Utf8Stream,
    /// Reused from piece to piece.
    bytes: Vec<u8>,
    text: String,
}

impl WholePieces for Running {
    fn piece(&mut self, piece: &[u8], sink: &mut Sink<'_>) {
        self.bytes.clear();
        if !push_bytes(piece, &mut self.bytes) {
            self.bytes.clear();
            self.bytes.extend_from_slice(piece);
        }
        if self.invalid == Invalid::Keep {
            sink(&self.bytes, false);
        } else {
            self.text.clear();
            self.characters.push(&self.bytes, &mut self.text);
            sink(self.text.as_bytes(), false);
        }
    }

    fn finish(&mut self, sink: &mut Sink<'_>) {
        self.text.clear();
        self.characters.finish(&mut self.text);
        sink(self.text.as_bytes(), true);
    }
}

/// Append the bytes that a piece stands for; false when it is not made of the
/// byte alphabet.
fn push_bytes(piece: &[u8], bytes: &mut Vec<u8>) -> bool {
    std::str::from_utf8(piece).is_ok_and(|piece| {
        piece.chars().all(|character| {
            let byte = char_to_byte(character);
            bytes.extend(byte);
            byte.is_some()
        })
    })
}
