//! Text to tokens: normalise, cut, and map back to the original.

use super::bpe::BpeScratch;
use super::normalizer::Normalized;
use super::processor::{Algorithm, SentencePiece};
use super::segment::{Segment, UNKNOWN};
use super::unigram::Arrival;
use super::{character, word};
use crate::error::Result;
use crate::ids::index;
use crate::model::Sampler;

/// A token of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpToken {
    /// The id.
    pub id: u32,
    /// First byte in the original text. Of the bytes of a character that no
    /// piece covers the last one has the character's range, the others an empty
    /// range before it.
    pub start: u32,
    /// One past the last byte in the original text.
    pub end: u32,
    /// Of an unknown piece, where its text stands in the normalised text.
    pub surface: Option<NormalizedSpan>,
}

/// A byte range in the normalised text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NormalizedSpan {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// Buffers of one thread, reused between texts.
#[derive(Debug, Default)]
pub struct SentencePieceScratch {
    pub(super) normalized: Normalized,
    pub(super) segments: Vec<Segment>,
    pub(super) arrivals: Vec<Arrival>,
    pub(super) bpe: BpeScratch,
}

impl SentencePieceScratch {
    /// The normalised form of the text that was encoded last.
    pub fn normalized(&self) -> &str {
        &self.normalized.text
    }
}

impl SentencePiece {
    /// Append the tokens of a text to `tokens`.
    ///
    /// The text of unknown pieces stays in `scratch` until the next call: see
    /// [`SentencePiece::token_piece`].
    ///
    /// # Errors
    /// When the text, or its normal form, has more than `u32::MAX` bytes.
    ///
    /// # Complexity
    /// O(n) for unigram, word and character models, O(n log n) for BPE models,
    /// for n bytes and pieces of bounded length.
    pub fn encode(
        &self,
        text: &str,
        scratch: &mut SentencePieceScratch,
        tokens: &mut Vec<SpToken>,
    ) -> Result<()> {
        self.encode_or_sample(text, None, scratch, tokens)
    }

    /// Append tokens of a text, drawn at random: unigram models by a sampled
    /// segmentation (Kudo, 2018), BPE models with the library's own dropout,
    /// which skips a merge once and for all when its turn comes. Word and
    /// character models have no choice.
    ///
    /// # Errors
    /// As [`SentencePiece::encode`].
    ///
    /// # Complexity
    /// As [`SentencePiece::encode`].
    pub fn sample(
        &self,
        text: &str,
        sampler: &mut Sampler,
        scratch: &mut SentencePieceScratch,
        tokens: &mut Vec<SpToken>,
    ) -> Result<()> {
        self.encode_or_sample(text, Some(sampler), scratch, tokens)
    }

    fn encode_or_sample(
        &self,
        text: &str,
        sampler: Option<&mut Sampler>,
        scratch: &mut SentencePieceScratch,
        tokens: &mut Vec<SpToken>,
    ) -> Result<()> {
        self.segment(text, sampler, scratch)?;
        self.map_back(&scratch.normalized, &scratch.segments, tokens);
        Ok(())
    }

    /// Append the ids of a text: [`SentencePiece::encode`], but for where tokens
    /// come from.
    ///
    /// # Errors
    /// As [`SentencePiece::encode`].
    ///
    /// # Complexity
    /// As [`SentencePiece::encode`].
    pub fn encode_ids(
        &self,
        text: &str,
        scratch: &mut SentencePieceScratch,
        ids: &mut Vec<u32>,
    ) -> Result<()> {
        scratch.normalized.untracked = true;
        let segmented = self.segment(text, None, scratch);
        scratch.normalized.untracked = false;
        segmented?;
        let (mut start, mut after_unknown) = (0, false);
        for segment in &scratch.segments {
            let range = index(start)..index(segment.end);
            start = segment.end;
            if segment.id != UNKNOWN {
                ids.push(segment.id);
            } else if let Some(bytes) = self.vocabulary.bytes() {
                let run = &scratch.normalized.text.as_bytes()[range];
                ids.extend(run.iter().map(|&byte| bytes[usize::from(byte)]));
            } else if !after_unknown {
                // Without byte fallback there is an unknown piece.
                ids.push(self.vocabulary.unknown().unwrap_or_default());
            }
            after_unknown = segment.id == UNKNOWN;
        }
        Ok(())
    }

    /// Normalise a text and cut it.
    fn segment(
        &self,
        text: &str,
        sampler: Option<&mut Sampler>,
        scratch: &mut SentencePieceScratch,
    ) -> Result<()> {
        let symbols = self.user_symbols.as_ref();
        self.normalizer
            .normalize(text, symbols, &mut scratch.normalized)?;
        scratch.segments.clear();
        let (normalized, segments) = (&*scratch.normalized.text, &mut scratch.segments);
        match (&self.algorithm, sampler) {
            (Algorithm::Unigram(model), None) => {
                model.encode(normalized, &mut scratch.arrivals, segments);
            }
            (Algorithm::Unigram(model), Some(sampler)) => {
                model.sample(normalized, sampler, &mut scratch.arrivals, segments);
            }
            (Algorithm::Bpe(model), None) => {
                model.encode(symbols, normalized, || false, &mut scratch.bpe, segments);
            }
            (Algorithm::Bpe(model), Some(sampler)) => {
                let (random, dropout) = (&mut sampler.random, sampler.sampling.dropout);
                let skip = || random.chance(dropout);
                model.encode(symbols, normalized, skip, &mut scratch.bpe, segments);
            }
            (Algorithm::Word, _) => word::encode(&self.vocabulary, normalized, segments),
            (Algorithm::Character, _) => {
                character::encode(&self.vocabulary, symbols, normalized, segments);
            }
        }
        Ok(())
    }

    /// The text of a token: its piece, or of an unknown token the text that it
    /// stands for. `scratch` is the one of the call that made the token.
    pub fn token_piece<'a>(
        &'a self,
        token: &SpToken,
        scratch: &'a SentencePieceScratch,
    ) -> Option<&'a str> {
        match token.surface {
            Some(span) => scratch
                .normalized
                .text
                .get(index(span.start)..index(span.end)),
            None => self.piece(token.id),
        }
    }

    fn map_back(&self, normalized: &Normalized, segments: &[Segment], tokens: &mut Vec<SpToken>) {
        let origin = |position: u32| normalized.origins[index(position)];
        let mut from = 0;
        // Whether the last token is a run of unknown pieces that can grow.
        let mut after_unknown = false;
        for segment in segments {
            let span = NormalizedSpan {
                start: from,
                end: segment.end,
            };
            from = segment.end;
            let (start, end) = (origin(span.start), origin(span.end));
            if segment.id != UNKNOWN {
                tokens.push(SpToken {
                    id: segment.id,
                    start,
                    end,
                    surface: None,
                });
                after_unknown = false;
                continue;
            }
            if let Some(bytes) = self.vocabulary.bytes() {
                let run = &normalized.text.as_bytes()[index(span.start)..index(span.end)];
                tokens.extend(run.iter().map(|&byte| SpToken {
                    id: bytes[usize::from(byte)],
                    start,
                    end: start,
                    surface: None,
                }));
                if let Some(last) = tokens.last_mut() {
                    last.end = end;
                }
                continue;
            }
            match tokens.last_mut().filter(|_| after_unknown) {
                Some(SpToken {
                    end: last_end,
                    surface: Some(surface),
                    ..
                }) => {
                    *last_end = end;
                    surface.end = span.end;
                }
                _ => tokens.push(SpToken {
                    // Without byte fallback there is an unknown piece.
                    id: self.vocabulary.unknown().unwrap_or_default(),
                    start,
                    end,
                    surface: Some(span),
                }),
            }
            after_unknown = true;
        }
    }
}
