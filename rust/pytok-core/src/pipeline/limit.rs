//! A tokenizer that uses no long pieces, made from one that does.
//!
//! The limit goes into the definition in the terms of its format, so that a
//! saved file means the same to the format's own library: merges are left out,
//! scores are made very low, SentencePiece pieces become unused. Only rank
//! files cannot say it; there the limit is a field of its own.

use std::collections::HashSet;
use std::sync::Arc;

use super::engine::Engine;
use super::pieces::fallback_byte;
use super::tokenizer::Tokenizer;
use crate::definition::{Definition, Model};
use crate::error::{Error, Result};
use crate::max_span::MaxSpan;
use crate::model::NEVER;
use crate::model::trie::Trie;
use crate::pretokenize::byte_alphabet;
use crate::sentencepiece::mark_unused;

/// How much better the other pieces must be: far more than sums of scores are
/// rounded by.
const MARGIN: f64 = 1.0;

impl Tokenizer {
    /// A new tokenizer that uses no piece which `span` does not allow; `None`
    /// for one that uses all of them again.
    ///
    /// Ids and pieces stay, and decoding knows them all. Added tokens are
    /// found as before. The limit replaces an earlier one, as long as both
    /// tokenizers stand in memory: a file holds the result only.
    ///
    /// # Errors
    /// [`Error::Argument`] for a WordPiece or WordLevel model, whose formats
    /// cannot say that a piece is not used, and for a Unigram model in which
    /// a piece above the limit has no other segmentation.
    ///
    /// # Complexity
    /// Compiles the definition again.
    pub fn with_max_span(&self, span: Option<MaxSpan>) -> Result<Self> {
        let whole = self.unlimited.as_deref().unwrap_or(&self.definition.model);
        let mut definition = Definition::clone(&self.definition);
        definition.model = match span {
            Some(span) => self.limited(whole.clone(), span)?,
            None => whole.clone(),
        };
        let unlimited = (definition.model != *whole).then(|| Arc::new(whole.clone()));
        let mut limited = Self::compile_with(definition, self.chinese.clone())?;
        limited.unlimited = unlimited;
        Ok(limited)
    }

    fn limited(&self, mut model: Model, span: MaxSpan) -> Result<Model> {
        let refused = |format: &str| {
            Err(Error::argument(
                "limit",
                format!(
                    "a {format} model cannot leave pieces unused; expected a BPE or Unigram \
                     model, tiktoken ranks, tekken.json or a SentencePiece model"
                ),
            ))
        };
        let added: HashSet<&str> = self.added.iter().map(|token| &*token.content).collect();
        match &mut model {
            Model::BPE {
                continuing_subword_prefix,
                end_of_word_suffix,
                ignore_merges,
                vocab,
                merges,
                ..
            } => {
                let prefix = continuing_subword_prefix.as_deref().unwrap_or_default();
                let suffix = end_of_word_suffix.as_deref().unwrap_or_default();
                merges.retain(|left, right| {
                    let right = right.strip_prefix(prefix).unwrap_or(right);
                    let result = format!("{left}{right}");
                    let result = result.strip_prefix(prefix).unwrap_or(&result);
                    let result = result.strip_suffix(suffix).unwrap_or(result);
                    span.allows(&self.bytes_of(result))
                });
                // Whole words would be found however long they are.
                *ignore_merges &= vocab
                    .iter()
                    .all(|(piece, _)| added.contains(piece) || span.allows(&self.bytes_of(piece)));
            }
            Model::Unigram {
                unk_id,
                vocab,
                byte_fallback,
            } => {
                let is_kept = |id: usize, piece: &str| {
                    span.allows(&self.bytes_of(piece))
                        || Some(id) == *unk_id
                        || added.contains(piece)
                        || (*byte_fallback && fallback_byte(piece).is_some())
                };
                lower_scores(vocab, is_kept)?;
            }
            Model::ByteRanks { ranks, max_span } => {
                let binds = ranks.0.iter().any(|(bytes, _)| !span.allows(bytes));
                *max_span = binds.then_some(span);
            }
            Model::SentencePiece { proto } => {
                proto.0 = mark_unused(&proto.0, |piece| span.allows(piece))?;
            }
            Model::WordPiece { .. } => return refused("WordPiece"),
            Model::WordLevel { .. } => return refused("WordLevel"),
        }
        Ok(model)
    }

    /// The bytes in a text behind a piece of the definition.
    fn bytes_of(&self, piece: &str) -> Vec<u8> {
        let spelled = matches!(self.engine, Engine::Bytes { .. });
        let bytes = spelled.then(|| byte_alphabet::decode(piece)).flatten();
        bytes.unwrap_or_else(|| self.reading.bytes(piece))
    }
}

/// Give every piece that is not kept a score at which it is never used.
///
/// A lower least score makes unknown characters dearer and never cheaper: they
/// are rated below all pieces.
fn lower_scores(vocab: &mut [(String, f64)], is_kept: impl Fn(usize, &str) -> bool) -> Result<()> {
    let long: Vec<usize> = (0..vocab.len())
        .filter(|&id| !is_kept(id, &vocab[id].0))
        .collect();
    if long.is_empty() {
        return Ok(());
    }
    let mut scores: Vec<f64> = vocab.iter().map(|&(_, score)| score).collect();
    long.iter().for_each(|&id| scores[id] = f64::NEG_INFINITY);
    let entries = vocab
        .iter()
        .zip(0..)
        .map(|((piece, _), id)| (piece.as_bytes(), id));
    let trie = Trie::build(entries)?;
    for &id in &long {
        let (piece, score) = &mut vocab[id];
        if best_score(&trie, &scores, piece.as_bytes()) < NEVER + MARGIN {
            return Err(Error::argument(
                "limit",
                format!(
                    "the piece {piece:?} of this Unigram model is longer, and no shorter \
                     pieces stand for the same text; expected a higher limit, or a model \
                     with a piece for every byte or character"
                ),
            ));
        }
        *score = score.min(NEVER);
    }
    Ok(())
}

/// The score of the best segmentation of a text.
fn best_score(trie: &Trie, scores: &[f64], text: &[u8]) -> f64 {
    let mut best = vec![f64::NEG_INFINITY; text.len() + 1];
    best[0] = 0.0;
    for start in 0..text.len() {
        for (length, id) in trie.prefixes(&text[start..]) {
            let score = best[start] + scores[crate::ids::index(id)];
            best[start + length] = best[start + length].max(score);
        }
    }
    best[text.len()]
}
