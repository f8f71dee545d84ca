//! Special tokens and sequences in the order of a template.

use std::collections::BTreeMap;

use super::Encoding;
use crate::definition::{TemplatePiece, TemplateSequence, TemplateSpecialToken};
use crate::error::{Error, Result};

/// A template with its special tokens looked up.
#[derive(Debug, Clone)]
pub(super) struct Template {
    pieces: Vec<Piece>,
    /// Number of sequences that the template is for: 1 or 2.
    sequences: usize,
}

#[derive(Debug, Clone)]
enum Piece {
    Sequence {
        sequence: usize,
        type_id: u32,
        /// No later piece needs the sequence, so it need not be copied.
        last: bool,
    },
    Special(Box<Encoding>),
}

type SpecialTokens = BTreeMap<String, TemplateSpecialToken>;

impl Template {
    /// The template for one text.
    pub(super) fn single(
        pieces: &[TemplatePiece],
        special_tokens: &SpecialTokens,
        path: &str,
    ) -> Result<Self> {
        let template = Self::compile(pieces, special_tokens, path, 1)?;
        if template.uses(1) {
            return Err(format_error(
                path.to_owned(),
                "uses the sequence B, which a single text does not have",
            ));
        }
        Ok(template)
    }

    /// The template for a pair of texts.
    pub(super) fn pair(
        pieces: &[TemplatePiece],
        special_tokens: &SpecialTokens,
        path: &str,
    ) -> Result<Self> {
        Self::compile(pieces, special_tokens, path, 2)
    }

    fn compile(
        pieces: &[TemplatePiece],
        special_tokens: &SpecialTokens,
        path: &str,
        sequences: usize,
    ) -> Result<Self> {
        let mut compiled = Vec::with_capacity(pieces.len());
        let mut needed_later = [false; 2];
        for (at, piece) in pieces.iter().enumerate().rev() {
            compiled.push(match piece {
                TemplatePiece::Sequence { id, type_id } => {
                    let sequence = usize::from(*id == TemplateSequence::B);
                    Piece::Sequence {
                        sequence,
                        type_id: *type_id,
                        last: !std::mem::replace(&mut needed_later[sequence], true),
                    }
                }
                TemplatePiece::SpecialToken { id, type_id } => {
                    let token = special_tokens.get(id).ok_or_else(|| {
                        format_error(
                            format!("{path}[{at}].SpecialToken.id"),
                            format!("{id:?} is not listed in special_tokens"),
                        )
                    })?;
                    if token.ids.len() != token.tokens.len() {
                        return Err(format_error(
                            format!("{path}[{at}].SpecialToken.id"),
                            format!(
                                "{id:?} has {} ids for {} tokens in special_tokens",
                                token.ids.len(),
                                token.tokens.len()
                            ),
                        ));
                    }
                    let encoding = Encoding::of_special_tokens(&token.ids, &token.tokens, *type_id);
                    Piece::Special(Box::new(encoding))
                }
            });
        }
        compiled.reverse();
        Ok(Self {
            pieces: compiled,
            sequences,
        })
    }

    pub(super) fn added_tokens(&self) -> usize {
        self.pieces
            .iter()
            .map(|piece| match piece {
                Piece::Sequence { .. } => 0,
                Piece::Special(tokens) => tokens.len(),
            })
            .sum()
    }

    fn uses(&self, wanted: usize) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Sequence { sequence, .. } if *sequence == wanted))
    }

    pub(super) fn apply(
        &self,
        mut encodings: Vec<Encoding>,
        add_special_tokens: bool,
    ) -> Result<Vec<Encoding>> {
        if encodings.len() != self.sequences {
            return Err(Error::encode(format!(
                "post_processor: a template is for one text or two, and the post-processor \
                 before it gives {} parts",
                encodings.len()
            )));
        }
        if self.sequences == 2 && !(self.uses(0) && self.uses(1)) {
            return Err(Error::encode(
                "post_processor.pair: the template does not use both sequences, so a pair \
                 cannot be encoded with this tokenizer",
            ));
        }
        let mut parts = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            match piece {
                Piece::Sequence {
                    sequence,
                    type_id,
                    last,
                } => {
                    let encoding = &mut encodings[*sequence];
                    encoding.set_type_id(*type_id);
                    encoding.set_sequence_id(*sequence);
                    parts.push(if *last {
                        std::mem::take(encoding)
                    } else {
                        encoding.clone()
                    });
                }
                Piece::Special(tokens) if add_special_tokens => parts.push((**tokens).clone()),
                Piece::Special(_) => {}
            }
        }
        Ok(parts)
    }
}

fn format_error(location: String, message: impl Into<String>) -> Error {
    Error::format("tokenizer.json", location, message)
}
