//! A run: grow candidates by merging, prune them by what their loss costs.

use std::sync::Arc;

use super::boundaries::FindBoundaries;
use super::choose::Choice;
use super::config::UnigramConfig;
use super::costs::UNITS;
use super::grow::{LARGEST_SEGMENTS, grow};
use super::lexicon::Lexicon;
use super::vocabulary;
use crate::definition::Definition;
use crate::error::{Error, Result};
use crate::ids::index;
use crate::train::progress::{Meter, OnProgress};
use crate::train::segmenter::WordSegmenter;
use crate::train::tau_cut::CutReport;
use crate::train::word_counts::WordCounts;

/// What a run is made from.
pub struct UnigramInputs<'a> {
    /// Words; those with Han characters are segmented for the boundary prior.
    pub counts: &'a WordCounts,
    /// Words of texts that the segmenter does not know, such as classical ones.
    pub counts_without_prior: Option<&'a WordCounts>,
    /// Opens the dictionary of words. When it is not needed it is not called;
    /// otherwise more than once, on any thread.
    pub dictionary: Option<&'a OpenDictionary<'a>>,
    /// A word segmenter for the boundary prior, instead of the dictionary.
    pub find_boundaries: Option<&'a mut FindBoundaries<'a>>,
    /// Words that are candidates when they are frequent enough.
    pub lexicon: Lexicon,
}

/// Gives the dictionary.
pub type OpenDictionary<'a> = dyn Fn() -> Result<Arc<WordSegmenter>> + Sync + 'a;

impl UnigramInputs<'_> {
    pub(super) fn open_dictionary(&self) -> Result<Arc<WordSegmenter>> {
        match self.dictionary {
            Some(open) => open(),
            None => Err(Error::argument(
                "segmenter",
                "None, with a lexicon of its words; expected a segmenter, or a list of words",
            )),
        }
    }
}

/// What happened in a run.
#[derive(Debug, Clone, PartialEq)]
pub struct UnigramReport {
    /// Words and segments.
    pub cut: CutReport,
    /// Pieces among which the vocabulary was chosen.
    pub candidates: usize,
    /// Of these, words of the lexicon that had not been grown.
    pub lexicon_words: usize,
    /// Pieces that stay whatever they cost: bytes, required characters, prefixes.
    pub protected: usize,
    /// Rounds of pruning and of accepted refinement.
    pub rounds: u32,
    /// Tokens of the training text.
    pub tokens: u64,
    /// What the training text costs, in nats: the objective.
    pub cost: f64,
    /// The logarithm of the text's probability over all segmentations, in nats;
    /// known after soft EM only.
    pub log_likelihood: Option<f64>,
}

/// A trained tokenizer, and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainedUnigram {
    /// The tokenizer, as a stock `tokenizer.json` can hold it.
    pub definition: Definition,
    /// How it came about.
    pub report: UnigramReport,
}

/// Train a Unigram or hybrid tokenizer over bytes. `None` when `on_progress`
/// said stop.
///
/// The same counts give the same definition, whatever order they were counted
/// in and whatever the number of threads. The vocabulary has exactly the size
/// asked for and all 256 bytes.
///
/// # Errors
/// [`Error::Argument`] when an option is out of its range, the text has too few
/// candidates for the vocabulary, or the segmenter's answer is not one.
///
/// # Complexity
/// O(n log n) for n bytes of different words to grow candidates, then O(n p) a
/// round for pieces of at most p bytes.
pub fn train_unigram(
    inputs: UnigramInputs<'_>,
    config: &UnigramConfig,
    on_progress: &mut OnProgress<'_>,
) -> Result<Option<TrainedUnigram>> {
    train_within(inputs, config, LARGEST_SEGMENTS, on_progress)
}

/// As [`train_unigram`]; more than `most` bytes of segments are cut further.
pub(super) fn train_within(
    mut inputs: UnigramInputs<'_>,
    config: &UnigramConfig,
    most: usize,
    on_progress: &mut OnProgress<'_>,
) -> Result<Option<TrainedUnigram>> {
    config.check()?;
    let has_segmenter = inputs.find_boundaries.is_some() || inputs.dictionary.is_some();
    if config.gamma > 0.0 && !has_segmenter {
        return Err(Error::argument(
            "segmenter",
            "None with a boundary_prior; expected a segmenter, or boundary_prior=0",
        ));
    }
    let mut on_progress = |progress| on_progress(progress);
    let mut meter = Meter::new(&mut on_progress);
    let mut all = None;
    if let Some(others) = inputs.counts_without_prior {
        let mut total = inputs.counts.clone();
        total.merge(others)?;
        all = Some(total);
    }
    let counts = inputs.counts;
    let all = all.as_ref().unwrap_or(counts);
    let Some(grown) = grow(&mut inputs, all, config, most, &mut meter)? else {
        return Ok(None);
    };
    let candidates = grown.candidates.pieces.len();
    let protected = grown.candidates.protected_count();
    let mut choice = Choice {
        config,
        segments: &grown.segments,
        boundaries: grown.boundaries,
        lexicon: &grown.lexicon,
        rules: &grown.rules,
        target: index(config.pieces.vocab_size) - config.pieces.special_tokens.len(),
        rounds: 0,
        log_likelihood: None,
    };
    let Some(chosen) = choice.choose(grown.candidates, &mut meter)? else {
        return Ok(None);
    };
    let model = vocabulary::model(
        &config.pieces.special_tokens,
        &chosen.candidates.pieces,
        &chosen.costs,
    );
    let report = UnigramReport {
        cut: CutReport::new(all.words(), &grown.segments, grown.tau, grown.runs),
        candidates,
        lexicon_words: grown.lexicon_words,
        protected,
        rounds: choice.rounds,
        tokens: chosen.uses.tokens,
        cost: in_nats(chosen.uses.cost),
        log_likelihood: choice.log_likelihood,
    };
    let definition = crate::train::assemble::definition(model, all, &config.pieces.special_tokens);
    Ok(Some(TrainedUnigram { definition, report }))
}

#[allow(clippy::as_conversions)] // for a report
fn in_nats(cost: u128) -> f64 {
    cost as f64 / UNITS
}
