//! The pieces of a vocabulary that is being trained.
//!
//! Ids are final: special tokens first, then the 256 bytes in the order of
//! their characters in the byte alphabet, then merged pieces as they are made.
//! That is the order of the reference, whose ties depend on ids.

use rustc_hash::FxHashMap;

use crate::ids::{index, offset};
use crate::pretokenize::byte_alphabet;

/// What the bytes of a piece are, in terms of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Whole characters.
    Whole,
    /// The first bytes of a character, not all of them.
    Head,
    /// Bytes from inside a character.
    Inside,
    /// Parts of several characters.
    Mixed,
}

impl Shape {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let continues = |byte: &u8| (0x80..0xC0).contains(byte);
        match bytes.split_first() {
            _ if std::str::from_utf8(bytes).is_ok() => Self::Whole,
            Some((first, rest)) if rest.iter().all(continues) => {
                if continues(first) {
                    Self::Inside
                } else {
                    Self::Head
                }
            }
            _ => Self::Mixed,
        }
    }

    /// Whether a pair that stands side by side in a text makes whole characters
    /// or a part of one.
    #[inline]
    pub(super) fn joins(self, right: Self) -> bool {
        match right {
            Self::Whole => self == Self::Whole,
            // Inside bytes belong to the same character as what precedes them.
            Self::Inside => matches!(self, Self::Head | Self::Inside),
            Self::Head | Self::Mixed => false,
        }
    }
}

/// The pieces, by id and by bytes.
#[derive(Debug)]
pub(super) struct Pieces {
    bytes: Vec<Box<[u8]>>,
    shapes: Vec<Shape>,
    lengths: Vec<u32>,
    chars: Vec<u32>,
    spans: Vec<u32>,
    in_chars: bool,
    by_bytes: FxHashMap<Box<[u8]>, u32>,
    special_tokens: u32,
}

impl Pieces {
    /// No pieces.
    pub(super) fn empty() -> Self {
        Self {
            bytes: Vec::new(),
            shapes: Vec::new(),
            lengths: Vec::new(),
            chars: Vec::new(),
            spans: Vec::new(),
            in_chars: false,
            by_bytes: FxHashMap::default(),
            special_tokens: 0,
        }
    }

    /// Special tokens and bytes.
    pub(super) fn new(special_tokens: &[String]) -> Self {
        let mut pieces = Self::empty();
        pieces.special_tokens = offset(special_tokens.len());
        for token in special_tokens {
            // A literal outside the alphabet is spelled like no other piece.
            match byte_alphabet::decode(token) {
                Some(bytes) => {
                    pieces.push(bytes.into());
                }
                None => pieces.push_nameless(),
            }
        }
        let mut alphabet: Vec<u8> = (0..=u8::MAX).collect();
        alphabet.sort_by_key(|&byte| byte_alphabet::byte_to_char(byte));
        for byte in alphabet {
            pieces.push([byte].into());
        }
        pieces
    }

    /// Add a piece and return its id.
    pub(super) fn push(&mut self, bytes: Box<[u8]>) -> u32 {
        let id = self.len();
        let text = std::str::from_utf8(&bytes);
        let characters = text.map_or(0, |text| text.chars().count());
        self.shapes.push(Shape::of(&bytes));
        self.lengths.push(offset(bytes.len()));
        self.chars.push(offset(characters));
        self.spans.push(self.span_of(id));
        self.by_bytes.insert(bytes.clone(), id);
        self.bytes.push(bytes);
        id
    }

    fn push_nameless(&mut self) {
        self.shapes.push(Shape::Mixed);
        self.lengths.push(0);
        self.chars.push(0);
        self.spans.push(0);
        self.bytes.push(Box::default());
    }

    pub(super) fn len(&self) -> u32 {
        offset(self.bytes.len())
    }

    #[inline]
    pub(super) fn bytes(&self, id: u32) -> &[u8] {
        &self.bytes[index(id)]
    }

    #[inline]
    pub(super) fn shape(&self, id: u32) -> Shape {
        self.shapes[index(id)]
    }

    /// Its length in bytes.
    #[inline]
    pub(super) fn length(&self, id: u32) -> u32 {
        self.lengths[index(id)]
    }

    /// Its number of characters; 0 unless it is [`Shape::Whole`].
    #[inline]
    pub(super) fn chars(&self, id: u32) -> u32 {
        self.chars[index(id)]
    }

    /// The places that it covers in an arena: its bytes, or its characters.
    #[inline]
    pub(super) fn span(&self, id: u32) -> u32 {
        self.spans[index(id)]
    }

    fn span_of(&self, id: u32) -> u32 {
        match self.chars(id) {
            chars if self.in_chars && chars > 0 => chars,
            _ => self.length(id),
        }
    }

    /// From now on a character covers one place, however many bytes it has.
    pub(super) fn span_chars(&mut self) {
        self.in_chars = true;
        self.spans = (0..self.len()).map(|id| self.span_of(id)).collect();
    }

    pub(super) fn spans_chars(&self) -> bool {
        self.in_chars
    }

    /// The character that a piece of several bytes is.
    pub(super) fn character(&self, id: u32) -> Option<char> {
        let text = std::str::from_utf8(self.bytes(id)).ok()?;
        let is_one = self.chars(id) == 1 && self.length(id) > 1;
        text.chars().next().filter(|_| is_one)
    }

    /// The piece of these bytes.
    pub(super) fn id(&self, bytes: &[u8]) -> Option<u32> {
        self.by_bytes.get(bytes).copied()
    }

    pub(super) fn is_special(&self, id: u32) -> bool {
        id < self.special_tokens
    }

    /// The bytes of a pair, end to end.
    pub(super) fn join(&self, left: u32, right: u32) -> Box<[u8]> {
        [self.bytes(left), self.bytes(right)].concat().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_told_apart() {
        for (bytes, shape) in [
            (&b"a"[..], Shape::Whole),
            ("学而".as_bytes(), Shape::Whole),
            (b"\xE5", Shape::Head),
            (b"\xE5\xAD", Shape::Head),
            (b"\xAD", Shape::Inside),
            (b"\xAD\xA6", Shape::Inside),
            (b"a\xE5", Shape::Mixed),
            (b"\xA6a", Shape::Mixed),
            (b"\xA6\xE5", Shape::Mixed),
        ] {
            assert_eq!(Shape::of(bytes), shape, "{bytes:x?}");
        }
    }

    #[test]
    fn ids_are_special_tokens_then_the_alphabet() {
        let pieces = Pieces::new(&["<|end|>".to_owned(), "终".to_owned()]);
        assert_eq!(pieces.len(), 258);
        assert_eq!(pieces.id(b"!"), Some(2)); // the first printable character
        assert_eq!(pieces.id(b"<|end|>"), Some(0));
        assert_eq!(pieces.id("终".as_bytes()), None);
        assert!(pieces.is_special(1) && !pieces.is_special(2));
        assert_eq!(pieces.bytes(257), b"\xAD"); // the last, U+0143
    }
}
