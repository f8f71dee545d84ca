//! Ids to pieces and to the bytes they stand for.

use super::engine::Engine;
use super::tokenizer::Tokenizer;
use crate::definition::{Decoder, Pattern};
use crate::pretokenize::byte_alphabet;

/// How a piece's text is turned into the bytes that it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PieceReading {
    /// Characters are bytes in the printable alphabet.
    byte_alphabet: bool,
    /// `<0xNN>` is a byte.
    byte_fallback: bool,
    /// This character is a space.
    space: Option<char>,
}

impl PieceReading {
    /// Read off the decoder, which knows what the pieces mean.
    pub(super) fn of(decoder: Option<&Decoder>) -> Self {
        let mut reading = Self::default();
        if let Some(decoder) = decoder {
            reading.collect(decoder);
        }
        reading
    }

    fn collect(&mut self, decoder: &Decoder) {
        match decoder {
            Decoder::ByteLevel { .. } => self.byte_alphabet = true,
            Decoder::ByteFallback {} => self.byte_fallback = true,
            Decoder::Metaspace { replacement, .. } => self.space = Some(*replacement),
            Decoder::Replace {
                pattern: Pattern::String(pattern),
                content,
            } if content == " " => {
                let mut characters = pattern.chars();
                if let (Some(mark), None) = (characters.next(), characters.next()) {
                    self.space = Some(mark);
                }
            }
            Decoder::Sequence { decoders } => {
                decoders.iter().for_each(|inner| self.collect(inner));
            }
            _ => {}
        }
    }

    /// The bytes that a piece stands for.
    pub(super) fn bytes(self, piece: &str) -> Vec<u8> {
        if self.byte_alphabet {
            if let Some(bytes) = byte_alphabet::decode(piece) {
                return bytes;
            }
        }
        if self.byte_fallback {
            if let Some(byte) = fallback_byte(piece) {
                return vec![byte];
            }
        }
        match self.space {
            Some(mark) => piece.replace(mark, " ").into_bytes(),
            None => piece.as_bytes().to_vec(),
        }
    }
}

/// The byte of a piece `<0xNN>`.
pub(crate) fn fallback_byte(piece: &str) -> Option<u8> {
    let digits = piece.strip_prefix("<0x")?.strip_suffix('>')?;
    (digits.len() == 2).then_some(())?;
    u8::from_str_radix(digits, 16).ok()
}

impl Tokenizer {
    /// The piece with an id, in the notation of the tokenizer's format.
    pub fn id_to_token(&self, id: u32) -> Option<String> {
        if let Some(token) = self.added.get(id) {
            return Some(token.content.clone());
        }
        self.model_piece(id)
    }

    /// The model's piece with an id.
    pub(super) fn model_piece(&self, id: u32) -> Option<String> {
        match &self.engine {
            Engine::Bytes {
                model, literals, ..
            } => match model.token_bytes(id) {
                Some(bytes) => Some(byte_alphabet::encode(bytes)),
                None => literals.by_id.get(&id).cloned(),
            },
            Engine::Components { model, .. } => model.piece(id).map(str::to_owned),
            Engine::SentencePiece(model) => model.piece(id).map(str::to_owned),
        }
    }

    /// The id of a piece.
    pub fn token_to_id(&self, token: &str) -> Option<u32> {
        self.added.id(token).or_else(|| self.engine.model_id(token))
    }

    /// The bytes that an id stands for, wherever it stands.
    ///
    /// A piece that marks a space gives the space; special tokens give their
    /// content. `None` for an id without a piece.
    pub fn token_bytes(&self, id: u32) -> Option<Vec<u8>> {
        if let Some(token) = self.added.get(id) {
            return Some(token.content.clone().into_bytes());
        }
        match &self.engine {
            Engine::Bytes {
                model, literals, ..
            } => match model.token_bytes(id) {
                Some(bytes) => Some(bytes.to_vec()),
                None => literals.by_id.get(&id).map(|p| p.as_bytes().to_vec()),
            },
            Engine::Components { model, .. } => model.piece(id).map(|p| self.reading.bytes(p)),
            Engine::SentencePiece(model) => model.token_bytes(id),
        }
    }

    /// Every piece and its id, added tokens included, by id.
    pub fn vocab(&self) -> Vec<(String, u32)> {
        let mut pieces: std::collections::BTreeMap<String, u32> = self.engine.pieces().collect();
        pieces.extend(self.added.iter().map(|t| (t.content.clone(), t.id)));
        let mut pieces: Vec<(String, u32)> = pieces.into_iter().collect();
        pieces.sort_by_key(|&(_, id)| id);
        pieces
    }

    /// One past the largest id that has a piece.
    pub fn id_limit(&self) -> u64 {
        let added = self.added.iter().map(|token| token.id);
        let ids = self.engine.ids().chain(added);
        ids.max().map_or(0, |last| u64::from(last) + 1)
    }

    /// The number of ids that have a piece.
    pub fn vocab_size(&self) -> usize {
        let new =
            |token: &&crate::definition::AddedToken| self.engine.model_id(&token.content).is_none();
        self.engine.len() + self.added.iter().filter(new).count()
    }
}

impl Engine {
    /// The id of a model's piece.
    pub(super) fn model_id(&self, token: &str) -> Option<u32> {
        match self {
            Self::Bytes {
                model, literals, ..
            } => byte_alphabet::decode(token)
                .and_then(|bytes| model.token_id(&bytes))
                .or_else(|| literals.by_piece.get(token).copied()),
            Self::Components { model, .. } => model.id(token),
            Self::SentencePiece(model) => model.id(token),
        }
    }

    fn ids(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            Self::Bytes {
                model, literals, ..
            } => {
                let literals = literals.by_id.keys().copied();
                Box::new(model.tokens().map(|(_, id)| id).chain(literals))
            }
            Self::Components { model, .. } => Box::new(model.pieces().map(|(_, id)| id)),
            Self::SentencePiece(model) => Box::new(model.pieces().map(|(id, _)| id)),
        }
    }

    fn pieces(&self) -> Box<dyn Iterator<Item = (String, u32)> + '_> {
        match self {
            Self::Bytes {
                model, literals, ..
            } => Box::new(
                model
                    .tokens()
                    .map(|(bytes, id)| (byte_alphabet::encode(bytes), id))
                    .chain(
                        literals
                            .by_id
                            .iter()
                            .map(|(&id, piece)| (piece.clone(), id)),
                    ),
            ),
            Self::Components { model, .. } => {
                Box::new(model.pieces().map(|(piece, id)| (piece.to_owned(), id)))
            }
            Self::SentencePiece(model) => {
                Box::new(model.pieces().map(|(id, piece)| (piece.to_owned(), id)))
            }
        }
    }
}
