//! The pieces of a model: text, score, kind, and the checks of the library.

use rustc_hash::FxHashMap;

use super::proto::PieceProto;
use super::{SPACE_MARK, format_error};
use crate::error::{Error, Result};
use crate::ids::{index, offset};

/// The library refuses pieces of this many bytes or more.
const PIECE_LIMIT: usize = 8000;

/// What a piece is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// Found in texts by its score.
    Normal,
    /// Stands for what no piece covers.
    Unknown,
    /// Never found in texts, invisible in decoded text.
    Control,
    /// Always found in texts, never normalised or split.
    UserDefined,
    /// In the table only: the model works as if it were not there.
    Unused,
    /// One byte of a character that no piece covers.
    Byte,
}

impl PieceKind {
    fn parse(number: Option<i32>, position: usize) -> Result<Self> {
        Ok(match number {
            None | Some(1) => Self::Normal,
            Some(2) => Self::Unknown,
            Some(3) => Self::Control,
            Some(4) => Self::UserDefined,
            Some(5) => Self::Unused,
            Some(6) => Self::Byte,
            Some(other) => {
                return Err(Error::unsupported(
                    format!("pieces[{position}].type"),
                    other.to_string(),
                    "1 (normal) to 6 (byte)",
                ));
            }
        })
    }

    /// Whether the algorithms may find the piece's text (or be told to skip it).
    pub(super) fn is_textual(self) -> bool {
        matches!(self, Self::Normal | Self::UserDefined | Self::Unused)
    }
}

/// One entry of the vocabulary.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) text: Box<str>,
    /// Whether a space mark stands in `text`.
    pub(super) has_mark: bool,
    pub(super) score: f32,
    pub(super) kind: PieceKind,
}

/// All pieces, by id and by text.
#[derive(Debug, Clone)]
pub(super) struct Vocabulary {
    pieces: Vec<Piece>,
    /// Control, unknown and byte pieces by their text.
    reserved: FxHashMap<Box<str>, u32>,
    /// Normal, user-defined and unused pieces by their text.
    textual: FxHashMap<Box<str>, u32>,
    unknown: Option<u32>,
    /// The ids of the 256 bytes where byte fallback is on.
    bytes: Option<Box<[u32; 256]>>,
}

impl Vocabulary {
    /// Check and index the pieces of a file.
    ///
    /// `one_table`: a piece may not stand twice even where one of the two is
    /// reserved (the rule of BPE models).
    ///
    /// # Errors
    /// Whatever the library refuses: empty, over-long or repeated pieces, a NUL
    /// in a piece, not exactly one unknown piece (none is allowed with byte
    /// fallback), byte pieces without byte fallback or an incomplete set.
    pub(super) fn compile(
        protos: Vec<PieceProto>,
        byte_fallback: bool,
        one_table: bool,
    ) -> Result<Self> {
        if u32::try_from(protos.len()).is_err() {
            return Err(format_error("pieces", "more than 2^32 pieces"));
        }
        let mut vocabulary = Self {
            pieces: Vec::with_capacity(protos.len()),
            reserved: FxHashMap::default(),
            textual: FxHashMap::default(),
            unknown: None,
            bytes: None,
        };
        let mut bytes = [None; 256];
        for (position, proto) in protos.into_iter().enumerate() {
            vocabulary.add(position, proto, byte_fallback, one_table, &mut bytes)?;
        }
        if byte_fallback {
            vocabulary.bytes = Some(complete(bytes)?);
        } else if vocabulary.unknown.is_none() {
            return Err(format_error("pieces", "there is no unknown piece (type 2)"));
        }
        Ok(vocabulary)
    }

    fn add(
        &mut self,
        position: usize,
        proto: PieceProto,
        byte_fallback: bool,
        one_table: bool,
        bytes: &mut [Option<u32>; 256],
    ) -> Result<()> {
        let invalid = |message: String| format_error(format!("pieces[{position}]"), message);
        let id = offset(position);
        let mut kind = PieceKind::parse(proto.kind, position)?;
        let text = proto.piece.unwrap_or_default().into_boxed_str();
        if text.is_empty() {
            return Err(invalid("the piece is empty".to_owned()));
        }
        if text.len() >= PIECE_LIMIT {
            return Err(invalid(format!(
                "the piece has {} bytes, the limit is {}",
                text.len(),
                PIECE_LIMIT - 1
            )));
        }
        let nul = &*text == "\0";
        if nul && byte_fallback {
            // Converters write such a piece beside `<0x00>`; the library drops it.
            kind = PieceKind::Unused;
        }
        if text.contains('\0') && !(nul && kind == PieceKind::Unused) {
            return Err(invalid(format!("the piece {text:?} contains a NUL")));
        }
        if !nul {
            let (table, other) = if kind.is_textual() {
                (&mut self.textual, &self.reserved)
            } else {
                (&mut self.reserved, &self.textual)
            };
            let taken = one_table && other.contains_key(&text);
            if taken || table.insert(text.clone(), id).is_some() {
                return Err(invalid(format!("the piece {text:?} stands twice")));
            }
        }
        match kind {
            PieceKind::Unknown if self.unknown.replace(id).is_some() => {
                return Err(invalid("a second unknown piece (type 2)".to_owned()));
            }
            PieceKind::Byte => {
                let byte = parse_byte(&text).filter(|_| byte_fallback).ok_or_else(|| {
                    invalid(format!(
                        "the byte piece {text:?} is not of the form <0x00> to <0xFF>, or \
                             trainer_spec.byte_fallback is off"
                    ))
                })?;
                bytes[usize::from(byte)] = Some(id);
            }
            _ => {}
        }
        self.pieces.push(Piece {
            has_mark: text.contains(SPACE_MARK),
            text,
            score: proto.score.unwrap_or_default(),
            kind,
        });
        Ok(())
    }

    /// All pieces in the order of their ids.
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The normal, user-defined and unused pieces that have an id by their text.
    pub(super) fn textual_pieces(&self) -> impl Iterator<Item = (u32, &Piece)> {
        (0..)
            .zip(&self.pieces)
            .filter(|(_, piece)| piece.kind.is_textual() && &*piece.text != "\0")
    }

    /// The piece with an id.
    pub(super) fn get(&self, id: u32) -> Option<&Piece> {
        self.pieces.get(index(id))
    }

    /// The id of a text; a reserved piece comes before a textual one.
    pub(super) fn id(&self, text: &str) -> Option<u32> {
        self.reserved
            .get(text)
            .copied()
            .or_else(|| self.textual_id(text))
    }

    /// The id of a text among normal, user-defined and unused pieces.
    pub(super) fn textual_id(&self, text: &str) -> Option<u32> {
        self.textual.get(text).copied()
    }

    /// The unknown piece.
    pub(super) fn unknown(&self) -> Option<u32> {
        self.unknown
    }

    /// The ids of the 256 byte pieces, where byte fallback is on.
    pub(super) fn bytes(&self) -> Option<&[u32; 256]> {
        self.bytes.as_deref()
    }
}

fn complete(bytes: [Option<u32>; 256]) -> Result<Box<[u32; 256]>> {
    let mut ids = Box::new([0; 256]);
    for (byte, (slot, id)) in ids.iter_mut().zip(bytes).enumerate() {
        *slot = id.ok_or_else(|| {
            format_error(
                "pieces",
                format!("trainer_spec.byte_fallback is on, but <0x{byte:02X}> is missing"),
            )
        })?;
    }
    Ok(ids)
}

/// The byte that a piece of the form `<0x0A>` names.
pub(super) fn parse_byte(piece: &str) -> Option<u8> {
    let digits = piece.strip_prefix("<0x")?.strip_suffix('>')?;
    let upper = |digit: u8| digit.is_ascii_digit() || (b'A'..=b'F').contains(&digit);
    if digits.len() != 2 || !digits.bytes().all(upper) {
        return None;
    }
    u8::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proto(piece: &str, kind: i32) -> PieceProto {
        PieceProto {
            piece: Some(piece.to_owned()),
            score: None,
            kind: Some(kind),
        }
    }

    fn refusal(protos: Vec<PieceProto>, byte_fallback: bool, one_table: bool) -> String {
        Vocabulary::compile(protos, byte_fallback, one_table)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn refuses_what_the_library_refuses() {
        let unknown = || proto("<unk>", 2);
        let cases = [
            (vec![proto("a", 1)], "no unknown piece"),
            (vec![unknown(), proto("u", 2)], "second unknown"),
            (
                vec![unknown(), proto("", 1)],
                "pieces[1]: the piece is empty",
            ),
            (vec![unknown(), proto("a\0", 1)], "NUL"),
            (vec![unknown(), proto("\0", 1)], "NUL"),
            (
                vec![unknown(), proto("a", 1), proto("a", 4)],
                "stands twice",
            ),
            (vec![unknown(), proto("<0x41>", 6)], "byte_fallback is off"),
            (vec![unknown(), proto("a", 7)], "pieces[1].type"),
            (vec![unknown(), proto(&"x".repeat(8000), 1)], "8000 bytes"),
        ];
        for (protos, expected) in cases {
            let message = refusal(protos, false, false);
            assert!(message.contains(expected), "{message}");
        }
        let message = refusal(vec![unknown(), proto("<0x41>", 6)], true, false);
        assert!(message.contains("<0x00> is missing"), "{message}");
        let message = refusal(vec![unknown(), proto("<0x4a>", 6)], true, false);
        assert!(message.contains("<0x4a>"), "{message}");
    }

    #[test]
    fn a_text_may_be_reserved_and_textual_except_in_one_table() {
        let protos = vec![proto("<unk>", 2), proto("a", 3), proto("a", 1)];
        let vocabulary = Vocabulary::compile(protos.clone(), false, false).unwrap();
        assert_eq!(vocabulary.id("a"), Some(1));
        assert_eq!(vocabulary.textual_id("a"), Some(2));
        assert!(refusal(protos, false, true).contains("stands twice"));
    }

    #[test]
    fn an_unused_nul_has_an_id_but_no_text() {
        let protos = vec![proto("<unk>", 2), proto("\0", 5), proto("\0", 5)];
        let vocabulary = Vocabulary::compile(protos, false, true).unwrap();
        assert_eq!(vocabulary.pieces().len(), 3);
        assert_eq!(vocabulary.id("\0"), None);
        assert_eq!(vocabulary.textual_pieces().count(), 0);
    }
}
