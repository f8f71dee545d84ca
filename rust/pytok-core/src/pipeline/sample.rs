//! Stochastic segmentation: ids of a text that are drawn at random, the same
//! for the same seed everywhere.
//!
//! Added tokens, normaliser and pre-tokenizer work as in encoding; what is
//! drawn is the segmentation inside each word (SentencePiece: of the text
//! between two added tokens).

use rustc_hash::FxHashMap;

use super::batch;
use super::engine::Engine;
use super::options::EncodeOptions;
use super::parts::Part;
use super::scratch::Scratch;
use super::tokenizer::{Bounds, Tokenizer};
use crate::error::{Error, Result};
use crate::model::{ByteModel, Model, Sampler, Sampling};

/// The alpha of the published examples of subword regularisation.
const DEFAULT_ALPHA: f64 = 0.1;

/// A token more makes a segmentation at most exp(1.5) times less likely by
/// default, in nats. It binds where every token has a price in its score.
const DEFAULT_PRICE: f64 = 1.5;

/// The best segmentation has all of the probability long before.
const ALPHA_LIMIT: f64 = 1e6;

/// The dropout that Provilkov et al. (2020) recommend.
const DEFAULT_DROPOUT: f64 = 0.1;

/// How a model chooses between segmentations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// Scored pieces: alpha.
    Unigram,
    /// Merges: dropout.
    Bpe,
    /// It has one segmentation for a word.
    Fixed,
}

impl Engine {
    pub(super) fn family(&self) -> Family {
        match self {
            Self::Bytes {
                model: ByteModel::Unigram(_),
                ..
            }
            | Self::Components {
                model: Model::Unigram(_),
                ..
            } => Family::Unigram,
            Self::Bytes { .. }
            | Self::Components {
                model: Model::Bpe(_) | Model::ByteBpe(_),
                ..
            } => Family::Bpe,
            Self::Components { .. } => Family::Fixed,
            Self::SentencePiece(model) if model.is_unigram() => Family::Unigram,
            Self::SentencePiece(model) if model.is_bpe() => Family::Bpe,
            Self::SentencePiece(_) => Family::Fixed,
        }
    }
}

impl Tokenizer {
    /// Check the options of sampling and fill in what is not given: dropout
    /// 0.1; alpha 0.1, or 1.5 over the cost of the cheapest piece where that is
    /// less.
    ///
    /// # Errors
    /// [`Error::Argument`] when an option is out of its range or is that of
    /// another kind of model, and for a model that has one segmentation only.
    pub fn sampling(&self, alpha: Option<f64>, dropout: Option<f64>) -> Result<Sampling> {
        let foreign = |argument, own: &str| {
            let message = format!(
                "the model is {}, expected {own} or neither",
                self.model_type()
            );
            Err(Error::argument(argument, message))
        };
        match self.engine.family() {
            Family::Fixed => return Err(self.no_choice()),
            Family::Unigram if dropout.is_some() => return foreign("dropout", "alpha"),
            Family::Bpe if alpha.is_some() => return foreign("alpha", "dropout"),
            _ => {}
        }
        let sampling = Sampling {
            alpha: alpha.unwrap_or_else(|| self.default_alpha()),
            dropout: dropout.unwrap_or(DEFAULT_DROPOUT),
        };
        if !(0.0..=ALPHA_LIMIT).contains(&sampling.alpha) {
            let message = format!("{}, expected a number from 0 to 1e6", sampling.alpha);
            return Err(Error::argument("alpha", message));
        }
        if !(0.0..=1.0).contains(&sampling.dropout) {
            let message = format!("{}, expected a probability from 0 to 1", sampling.dropout);
            return Err(Error::argument("dropout", message));
        }
        Ok(sampling)
    }

    fn default_alpha(&self) -> f64 {
        *self.default_alpha.get_or_init(|| {
            let best = match &self.engine {
                Engine::Bytes {
                    model: ByteModel::Unigram(model),
                    ..
                } => model.best_score(),
                Engine::Components {
                    model: Model::Unigram(model),
                    ..
                } => model.best_score(),
                Engine::SentencePiece(model) => model.best_score(),
                _ => 0.0,
            };
            if best * DEFAULT_ALPHA < -DEFAULT_PRICE {
                -DEFAULT_PRICE / best
            } else {
                DEFAULT_ALPHA
            }
        })
    }

    /// The error for models that have one segmentation only.
    pub(super) fn no_choice(&self) -> Error {
        let message = format!(
            "{} cuts a word in one way only; expected a BPE or Unigram model",
            self.model_type()
        );
        Error::argument("model", message)
    }

    /// Ids of a text, drawn at random: a function of the tokenizer, the text
    /// and the other arguments. With dropout 0 those of
    /// [`Tokenizer::encode_ids`].
    ///
    /// # Errors
    /// As [`Tokenizer::encode_ids`].
    ///
    /// # Complexity
    /// Unigram O(n · p) for n bytes and pieces of at most p bytes; BPE with
    /// dropout q < 1 expected O(n log n / (1 - q)).
    ///
    /// # Examples
    /// See [`Tokenizer::sample_batch_ids`].
    pub fn sample_ids(
        &self,
        text: &str,
        seed: u64,
        sampling: Sampling,
        options: &EncodeOptions,
    ) -> Result<Vec<u32>> {
        let (mut sampler, mut ids) = (Sampler::new(sampling), Vec::new());
        sampler.begin(seed, text, 0);
        self.scratches
            .with(|scratch| self.framed_sample(text, &mut sampler, options, scratch, &mut ids))?;
        Ok(ids)
    }

    /// [`Tokenizer::sample_ids`] of many texts, one after another, and where
    /// each text begins. A text that stands again is drawn anew; its first
    /// occurrence is as if it were alone.
    ///
    /// # Errors
    /// As [`Tokenizer::encode_ids`], for the first text that fails.
    pub fn sample_batch_ids(
        &self,
        texts: &[&str],
        seed: u64,
        sampling: Sampling,
        options: &EncodeOptions,
        threads: Option<usize>,
    ) -> Result<(Vec<u32>, Vec<i64>)> {
        let mut seen: FxHashMap<&str, u64> = FxHashMap::default();
        let occurrences: Vec<(&str, u64)> = texts
            .iter()
            .map(|&text| {
                let next = seen.entry(text).or_default();
                let occurrence = *next;
                *next += 1;
                (text, occurrence)
            })
            .collect();
        let size = |(text, _): &(&str, u64)| text.len();
        let blocks = batch::in_order(&occurrences, size, threads, |block| {
            let mut sampler = Sampler::new(sampling);
            self.scratches.with(|scratch| {
                let (mut ids, mut lengths) = (Vec::new(), Vec::with_capacity(block.len()));
                for &(text, occurrence) in block {
                    let before = ids.len();
                    sampler.begin(seed, text, occurrence);
                    self.framed_sample(text, &mut sampler, options, scratch, &mut ids)?;
                    lengths.push(ids.len() - before);
                }
                Ok((ids, lengths))
            })
        })?;
        Ok(Bounds::join(texts.len(), blocks))
    }

    /// Append sampled ids with the special tokens around them.
    fn framed_sample(
        &self,
        text: &str,
        sampler: &mut Sampler,
        options: &EncodeOptions,
        scratch: &mut Scratch,
        ids: &mut Vec<u32>,
    ) -> Result<()> {
        if self.engine.family() == Family::Bpe && sampler.sampling.dropout == 0.0 {
            return self.framed_ids(text, options, scratch, ids);
        }
        let mut drawn = Vec::with_capacity(text.len() / 3 + 8);
        self.for_each_part(text, options.special, scratch, &mut |part, scratch| {
            match part {
                Part::Added(id) => drawn.push(id),
                Part::Bytes(model, word) => model.sample(word, sampler, &mut drawn),
                Part::Word(model, word) => {
                    scratch.tokens.clear();
                    model.sample(word, sampler, &mut scratch.tokens)?;
                    drawn.extend(scratch.tokens.iter().map(|token| token.id));
                }
                Part::Section(model, text) => {
                    let Scratch {
                        sentencepiece,
                        sp_tokens,
                        ..
                    } = scratch;
                    sp_tokens.clear();
                    model.sample(text, sampler, sentencepiece, sp_tokens)?;
                    drawn.extend(sp_tokens.iter().map(|token| token.id));
                }
            }
            Ok(())
        })?;
        self.put_frame(&drawn, options, ids)
    }
}
