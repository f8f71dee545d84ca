//! Ids to text and to bytes.
//!
//! Decoding is total: an id without a piece decodes to nothing, bytes that are
//! not UTF-8 decode to U+FFFD as the reference library does.

use std::borrow::Cow;

use super::byte_table::ByteTable;
use super::engine::Engine;
use super::tokenizer::Tokenizer;
use crate::definition::Source;
use crate::error::Result;
use crate::pretokenize::byte_alphabet;

impl Tokenizer {
    /// The text of ids.
    ///
    /// # Errors
    /// When a decoder refuses its input, as those of the reference do.
    pub fn decode(&self, ids: &[u32], skip_special_tokens: bool) -> Result<String> {
        if let Some(table) = self.byte_table() {
            return Ok(lossy(table.join(ids, skip_special_tokens)));
        }
        match (self.definition.source, &self.engine) {
            (Source::Tokenizers, _) => {
                let pieces = self.decoder_pieces(ids, skip_special_tokens);
                Ok(match &self.decoder {
                    Some(decoder) => decoder.decode(pieces),
                    None => pieces.join(" "),
                })
            }
            (_, Engine::SentencePiece(_)) => {
                let mut text = String::new();
                self.for_each_run(ids, skip_special_tokens, |run| {
                    match run {
                        Run::Model(model, ids) => text.push_str(&model.decode(ids)?),
                        Run::Added(content) => text.push_str(content),
                    }
                    Ok(())
                })?;
                Ok(text)
            }
            _ => Ok(lossy(self.joined_bytes(ids, skip_special_tokens))),
        }
    }

    /// The bytes of ids: what [`Tokenizer::decode`] gives before it replaces
    /// what is not UTF-8.
    ///
    /// # Errors
    /// As [`Tokenizer::decode`].
    pub fn decode_bytes(&self, ids: &[u32], skip_special_tokens: bool) -> Result<Vec<u8>> {
        if let Some(table) = self.byte_table() {
            return Ok(table.join(ids, skip_special_tokens));
        }
        match (self.definition.source, &self.engine) {
            (Source::Tokenizers, _) => {
                let pieces = self.decoder_pieces(ids, skip_special_tokens);
                Ok(match &self.decoder {
                    Some(decoder) => decoder.decode_bytes(pieces),
                    None => pieces.join(" ").into_bytes(),
                })
            }
            (_, Engine::SentencePiece(_)) => {
                let mut bytes = Vec::new();
                self.for_each_run(ids, skip_special_tokens, |run| {
                    match run {
                        Run::Model(model, ids) => bytes.extend(model.decode_bytes(ids)?),
                        Run::Added(content) => bytes.extend_from_slice(content.as_bytes()),
                    }
                    Ok(())
                })?;
                Ok(bytes)
            }
            _ => Ok(self.joined_bytes(ids, skip_special_tokens)),
        }
    }

    /// The bytes of all ids, where text is these bytes joined; `None` too when
    /// ids lie so far apart that most entries would be empty.
    fn byte_table(&self) -> Option<&ByteTable> {
        self.byte_table
            .get_or_init(|| {
                let from_json = self.definition.source == Source::Tokenizers;
                let is_joined = match (&self.engine, &self.decoder) {
                    (Engine::SentencePiece(_), _) => false,
                    (_, Some(decoder)) if from_json => decoder.is_byte_level(),
                    (engine, _) => !from_json && matches!(engine, Engine::Bytes { .. }),
                };
                let pieces = is_joined.then(|| self.vocab_size())?;
                let limit = self.id_limit();
                // As dense as the vocabulary's own table.
                let is_dense = usize::try_from(limit).is_ok_and(|ids| ids < pieces * 4 + 1024);
                let limit = u32::try_from(limit).ok().filter(|_| is_dense)?;
                Some(ByteTable::new(limit, |id| {
                    if from_json {
                        self.byte_level_bytes(id)
                    } else {
                        self.ranked_bytes(id)
                    }
                }))
            })
            .as_ref()
    }

    /// What `ByteLevel` makes of an id, and whether the id is special.
    fn byte_level_bytes(&self, id: u32) -> Option<(Cow<'_, [u8]>, bool)> {
        let piece: Cow<'_, str> = match (self.added.piece(id), &self.engine) {
            (Some(piece), _) => piece.into(),
            (None, Engine::Bytes { model, .. }) if model.token_bytes(id).is_some() => {
                // A piece of the model that is the content of an added token has
                // the id of that token, so this is none.
                return model.token_bytes(id).map(|bytes| (bytes.into(), false));
            }
            (None, _) => self.model_piece(id)?.into(),
        };
        let is_special = self.added.is_special(&piece);
        let bytes = byte_alphabet::decode(&piece);
        let bytes = bytes.unwrap_or_else(|| piece.into_owned().into_bytes());
        Some((bytes.into(), is_special))
    }

    /// The bytes of an id of a rank file, and whether it is special.
    fn ranked_bytes(&self, id: u32) -> Option<(Cow<'_, [u8]>, bool)> {
        match (self.added.get(id), &self.engine) {
            (Some(token), _) => Some((token.content.as_bytes().into(), token.special)),
            (None, Engine::Bytes { model, .. }) => {
                model.token_bytes(id).map(|bytes| (bytes.into(), false))
            }
            (None, _) => None,
        }
    }

    /// The pieces that the decoder of a tokenizer.json sees.
    pub(super) fn decoder_pieces(&self, ids: &[u32], skip_special_tokens: bool) -> Vec<String> {
        ids.iter()
            .filter_map(|&id| {
                let piece = match self.added.piece(id) {
                    Some(piece) => piece.to_owned(),
                    None => self.model_piece(id)?,
                };
                let special = skip_special_tokens && self.added.is_special(&piece);
                (!special).then_some(piece)
            })
            .collect()
    }

    pub(super) fn joined_bytes(&self, ids: &[u32], skip_special_tokens: bool) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(ids.len() * 4);
        for (part, is_special) in ids.iter().filter_map(|&id| self.ranked_bytes(id)) {
            if !(skip_special_tokens && is_special) {
                bytes.extend_from_slice(&part);
            }
        }
        bytes
    }

    /// Hand out runs of the model's ids and the added tokens between them.
    fn for_each_run(
        &self,
        ids: &[u32],
        skip_special_tokens: bool,
        mut visit: impl FnMut(Run<'_>) -> Result<()>,
    ) -> Result<()> {
        let Engine::SentencePiece(model) = &self.engine else {
            return Ok(());
        };
        for run in ids.chunk_by(|&left, &right| {
            self.added.get(left).is_none() && self.added.get(right).is_none()
        }) {
            match run.first().and_then(|&id| self.added.get(id)) {
                Some(token) if skip_special_tokens && token.special => {}
                Some(token) => visit(Run::Added(&token.content))?,
                None => visit(Run::Model(model, run))?,
            }
        }
        Ok(())
    }
}

enum Run<'a> {
    Model(&'a crate::sentencepiece::SentencePiece, &'a [u32]),
    Added(&'a str),
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
