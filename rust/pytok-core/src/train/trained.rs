//! A training run from counts to a tokenizer definition.

use super::assemble;
use super::bpe::{self, Merged, Outcome};
use super::config::{BpeConfig, Tie};
use super::leaf_prune::leaf_prune;
use super::meetings::Meetings;
use super::progress::{Meter, OnProgress, Stage};
use super::rules::{Rules, sure_chars};
use super::tau_cut::CutReport;
use super::word_counts::WordCounts;
use crate::definition::{Definition, Model, PieceTable};
use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::pretokenize::byte_alphabet;

/// A trained tokenizer, and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// The tokenizer, as a stock `tokenizer.json` can hold it.
    pub definition: Definition,
    /// How it came about.
    pub report: TrainReport,
}

/// What happened in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainReport {
    /// Words and segments.
    pub cut: CutReport,
    /// Merges of the result.
    pub merges: usize,
    /// Characters that were made pieces whatever their pairs' counts.
    pub sure_chars: usize,
    /// The smallest count of a pair that was merged for its count; `None` when
    /// there was none.
    pub least_count: Option<u64>,
}

/// Train a byte-level BPE tokenizer. `None` when `on_progress` said stop.
///
/// The same counts give the same definition, whatever order they were counted
/// in. The vocabulary has exactly the size asked for and all 256 bytes.
///
/// # Errors
/// [`Error::Argument`] when an option is out of its range, or the text has too
/// few pairs for the vocabulary.
///
/// # Complexity
/// O(n log n) for n bytes of different words, times the runs that the tau-cut
/// takes: it begins with a tau that the pairs suggest, and halves it until no
/// merge has a smaller count.
pub fn train_bpe(
    counts: &WordCounts,
    config: &BpeConfig,
    on_progress: &mut OnProgress<'_>,
) -> Result<Option<Trained>> {
    config.check()?;
    let mut on_progress = |progress| on_progress(progress);
    let mut meter = Meter::new(&mut on_progress);
    let words = counts.words();
    let sure = sure_chars(config, words)?;
    let rules = Rules::new(config, &sure, words)?;
    let least_tau = config.sure_tau();
    // A cut needs pieces made of characters, and true counts.
    let may_cut = config.char_align && config.tie == Tie::Bytes;
    let mut tau = if may_cut {
        config.tau.max(least_tau)
    } else {
        1
    };
    let mut runs = 0;
    if meter.show(Stage::Cut, 0, 1).is_break() {
        return Ok(None);
    }
    let mut meetings = Meetings::new(words, tau, config.threads)?;
    tau = meetings.likely_tau(index(config.grown_size()) - fixed_pieces(config));
    loop {
        runs += 1;
        if meter.show(Stage::Cut, 0, 1).is_break() {
            return Ok(None);
        }
        meetings.set_tau(tau, words, config.threads)?;
        let cut;
        let segments = match counts.table() {
            Some(table) if tau <= 1 => table,
            _ => {
                cut = meetings.cut(words, config.threads)?;
                &cut
            }
        };
        // A tau above what the options assure is a guess: with it as the floor,
        // a run that fills the vocabulary has proved it.
        let guessed = tau > least_tau;
        let floor = if guessed { tau } else { 1 }.max(config.min_frequency);
        match bpe::run(segments, &sure, &rules, config, floor, &mut meter)? {
            Outcome::Stopped => return Ok(None),
            Outcome::Exhausted(_) if guessed && may_cut => tau = (tau / 2).max(least_tau),
            Outcome::Exhausted(merged) if merged.pieces.len() < config.vocab_size => {
                return Err(too_few(&merged, config));
            }
            Outcome::Full(merged) | Outcome::Exhausted(merged) => {
                let kept = kept_merges(&merged, config);
                let report = TrainReport {
                    cut: CutReport::new(words, segments, tau, runs),
                    merges: kept.len(),
                    sure_chars: merged.sure_chars,
                    least_count: merged.least_count,
                };
                let definition = definition(&merged, &kept, counts, config);
                return Ok(Some(Trained { definition, report }));
            }
        }
    }
}

fn too_few(merged: &Merged, config: &BpeConfig) -> Error {
    Error::argument(
        "vocab_size",
        format!(
            "{}; the text has pairs for {} pieces under these options, special tokens and bytes \
             included; expected at most that, more text, or lower thresholds",
            config.vocab_size,
            merged.pieces.len()
        ),
    )
}

/// Special tokens and bytes: the pieces that no merge makes.
fn fixed_pieces(config: &BpeConfig) -> usize {
    config.special_tokens.len() + 256
}

/// The places of the merges that stay when those that are used least are removed.
fn kept_merges(merged: &Merged, config: &BpeConfig) -> Vec<usize> {
    let keep = index(config.vocab_size) - fixed_pieces(config);
    if merged.merges.len() <= keep || config.tie == Tie::HuggingFace {
        return (0..merged.merges.len()).collect();
    }
    // One piece a merge: only the reference's order makes one twice.
    let made: Vec<u32> = (0..merged.pieces.len())
        .skip(fixed_pieces(config))
        .collect();
    let sure = offset(fixed_pieces(config) + merged.sure_merges);
    leaf_prune(
        &merged.merges,
        &made,
        merged.counts(),
        |piece| piece < sure,
        keep,
    )
}

fn definition(
    merged: &Merged,
    kept: &[usize],
    counts: &WordCounts,
    config: &BpeConfig,
) -> Definition {
    let pieces = &merged.pieces;
    let spell = |id: u32| match config.special_tokens.get(index(id)) {
        Some(token) => token.clone(),
        None => byte_alphabet::encode(pieces.bytes(id)),
    };
    let fixed = offset(fixed_pieces(config));
    let pieces_kept: Vec<u32> = if kept.len() == merged.merges.len() {
        (0..pieces.len()).collect()
    } else {
        let made = kept.iter().map(|&number| fixed + offset(number));
        (0..fixed).chain(made).collect()
    };
    let vocab: PieceTable = pieces_kept.into_iter().map(spell).zip(0..).collect();
    let merges = kept
        .iter()
        .map(|&number| merged.merges[number])
        .map(|(left, right)| (spell(left), spell(right)))
        .collect();
    let model = Model::BPE {
        dropout: None,
        unk_token: None,
        continuing_subword_prefix: None,
        end_of_word_suffix: None,
        fuse_unk: false,
        byte_fallback: false,
        ignore_merges: false,
        vocab,
        merges,
    };
    assemble::definition(model, counts, &config.special_tokens)
}
