//! Ids to text and to bytes.
//!
//! Decoding is total: an id without a piece decodes to nothing, bytes that are
//! not UTF-8 decode to U+FFFD as the reference library does.

use super::engine::Engine;
use super::tokenizer::Tokenizer;
use crate::definition::Source;
use crate::error::Result;

impl Tokenizer {
    /// The text of ids.
    ///
    /// # Errors
    /// When a decoder refuses its input, as those of the reference do.
    pub fn decode(&self, ids: &[u32], skip_special_tokens: bool) -> Result<String> {
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
        for &id in ids {
            match (self.added.get(id), &self.engine) {
                (Some(token), _) => {
                    if !(skip_special_tokens && token.special) {
                        bytes.extend_from_slice(token.content.as_bytes());
                    }
                }
                (None, Engine::Bytes { model, .. }) => {
                    bytes.extend_from_slice(model.token_bytes(id).unwrap_or_default());
                }
                (None, _) => {}
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
