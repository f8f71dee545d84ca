//! Growing candidates: by merging, and from a lexicon.
//!
//! Merging works on segments that are cut as coarsely as its own counts allow
//! ([`Meetings::likely_tau`]). The segments that the vocabulary is chosen on are
//! those of the tau that was asked for, or, where a text is so large that there
//! would be more of them than [`LARGEST_SEGMENTS`], those that are cut wherever
//! no candidate holds the two characters that meet: no segmentation crosses such
//! a place, so each costs what it did. What is rounded is rounded elsewhere (a
//! boundary's share in a segment), and refinement, which joins neighbours, does
//! not look across a cut.

use super::beside::{Beside, find_boundaries};
use super::boundaries::Boundaries;
use super::candidates::{Candidates, Gathering};
use super::config::{Estimate, UnigramConfig};
use super::lexicon::{Lexicon, allowed_words, frequent_of_dictionary, frequent_words};
use super::run::UnigramInputs;
use crate::error::{Error, Result};
use crate::ids::index;
use crate::train::bpe::{self, Outcome};
use crate::train::config::BpeConfig;
use crate::train::meetings::Meetings;
use crate::train::pieces::Pieces;
use crate::train::progress::{Meter, Stage};
use crate::train::rules::{Rules, sure_chars};
use crate::train::word_counts::WordCounts;
use crate::train::word_table::WordTable;
use crate::train::words::Words;

/// The most bytes of different segments before they are cut at all places that
/// no candidate crosses: about those of 150 MB of Chinese text. Choosing takes up
/// to 14 bytes of memory for each, and some 40 for each segment.
pub(super) const LARGEST_SEGMENTS: usize = 1 << 26;

/// Segments of at most this part of [`LARGEST_SEGMENTS`] are there while pairs are
/// merged: what is done beside takes some nine bytes of memory for each of theirs.
const EARLY: usize = 4;

/// Candidates, and the segments to choose among them.
pub(super) struct Grown {
    pub(super) rules: Rules,
    pub(super) segments: WordTable,
    pub(super) boundaries: Boundaries,
    pub(super) candidates: Candidates,
    /// All words of the lexicon that are allowed, when they are cheaper.
    pub(super) lexicon: Vec<Box<[u8]>>,
    /// Words of the lexicon that had not been grown.
    pub(super) lexicon_words: usize,
    pub(super) tau: u64,
    pub(super) runs: u32,
}

/// Grow candidates on all words; segments have at most `most` bytes before they
/// are cut further. `None` when the caller said stop.
///
/// # Errors
/// As [`super::train_unigram`].
pub(super) fn grow(
    inputs: &mut UnigramInputs<'_>,
    all: &WordCounts,
    config: &UnigramConfig,
    most: usize,
    meter: &mut Meter<'_>,
) -> Result<Option<Grown>> {
    let growth = growth_config(config);
    let threads = growth.threads;
    let least_word = least_word_count(config);
    let words = all.words();
    let sure = sure_chars(&growth, words)?;
    let rules = Rules::new(&growth, &sure, words)?;
    // No candidate that is left out by a cut may be missed: those of the
    // lexicon stand least_word times.
    let mut tau = growth.tau.max(growth.min_frequency);
    if !inputs.lexicon.is_empty() {
        tau = tau.min(least_word);
    }
    let mut lexicon = None;
    let target = index(config.pieces.vocab_size) - config.pieces.special_tokens.len();
    let mut runs = 0;
    loop {
        if meter.show(Stage::Cut, 0, 1).is_break() {
            return Ok(None);
        }
        let mut meetings = Meetings::new(words, tau, threads)?;
        let early = match words.table() {
            Some(_) => meetings.cut_within(words, threads, most / EARLY)?,
            None => None,
        };
        let beside = match &early {
            Some(segments) if threads > 1 => Beside::merging(inputs, config, &meetings, segments),
            _ => Beside::default(),
        };
        let growing = Growing {
            words: early.as_ref().map_or(words, |table| table),
            sure: &sure,
            rules: &rules,
            config: &growth,
            meetings: &meetings,
            tau,
        };
        let merge = |meter: &mut Meter<'_>| growing.run(&mut runs, meter);
        let Some(grown) = beside.run(threads, meter, merge)? else {
            return Ok(None);
        };
        let (ordered, found) = beside.finish(threads);
        let is_ordered = ordered.is_some();
        let segments = match ordered.or(early) {
            None => meetings.cut_within(words, threads, most)?,
            early => early,
        };
        let allowed = match &mut lexicon {
            Some(allowed) => allowed,
            none => none.insert(read_lexicon(inputs, config, &rules)?),
        };
        let counted = segments.as_ref().map_or(words, |table| table);
        let frequent = match &inputs.lexicon {
            Lexicon::Words(_) => frequent_words(allowed, counted, least_word, threads)?,
            Lexicon::Dictionary => {
                let dictionary = inputs.open_dictionary()?;
                frequent_of_dictionary(&dictionary, &rules, counted, least_word, threads)?
            }
        };
        let (candidates, lexicon_words) = gather(&grown, &sure, frequent, config);
        if candidates.pieces.len() >= target {
            check_room(&candidates, target, config)?;
            let mut segments = match segments {
                Some(segments) => segments,
                None => {
                    meetings = Meetings::inside(&candidates.pieces);
                    meetings.cut(words, threads)?
                }
            };
            if config.estimate == Estimate::Soft && !is_ordered {
                // Sums of doubles depend on their order.
                segments = segments.in_byte_order();
            }
            let found = match found {
                Some(found) => Some(found),
                None => find_boundaries(inputs, config, &meetings, &segments, meter)?,
            };
            return Ok(found.map(|boundaries| Grown {
                rules,
                segments,
                boundaries,
                candidates,
                lexicon: lexicon.unwrap_or_default(),
                lexicon_words,
                tau,
                runs,
            }));
        }
        if tau == growth.min_frequency {
            return Err(too_few(&candidates, config));
        }
        tau = (tau / 2).max(growth.min_frequency);
    }
}

/// The candidates that were grown and those of the lexicon, and how many of
/// these are new.
fn gather(
    grown: &Pieces,
    sure: &[char],
    frequent: Vec<Box<[u8]>>,
    config: &UnigramConfig,
) -> (Candidates, usize) {
    let mut gathering = Gathering::new(grown);
    for &character in sure {
        gathering.protect_character(character);
    }
    if config.pieces.han_prefixes {
        gathering.protect_prefixes();
    }
    let before = gathering.len();
    for word in frequent {
        gathering.offer(word);
    }
    let lexicon_words = gathering.len() - before;
    (gathering.finish(), lexicon_words)
}

/// The words of the lexicon that are allowed, where they are needed by
/// themselves.
fn read_lexicon(
    inputs: &UnigramInputs<'_>,
    config: &UnigramConfig,
    rules: &Rules,
) -> Result<Vec<Box<[u8]>>> {
    Ok(match &inputs.lexicon {
        Lexicon::Words(words) => allowed_words(words.iter().map(String::as_str), rules),
        Lexicon::Dictionary if config.beta > 0.0 => {
            let dictionary = inputs.open_dictionary()?;
            allowed_words(dictionary.words().map(|(word, _)| word), rules)
        }
        Lexicon::Dictionary => Vec::new(),
    })
}

/// What merging needs to know.
struct Growing<'a> {
    /// Words, or segments of them with the meetings of [`Self::tau`].
    words: &'a dyn Words,
    sure: &'a [char],
    rules: &'a Rules,
    config: &'a BpeConfig,
    meetings: &'a Meetings,
    /// The least count of two characters that stay together.
    tau: u64,
}

impl Growing<'_> {
    /// Merge pairs with a count of tau and more.
    ///
    /// A larger tau is tried first: a run that fills the vocabulary with it as
    /// the floor has made the same pieces.
    fn run(&self, runs: &mut u32, meter: &mut Meter<'_>) -> Result<Option<Pieces>> {
        let (config, threads) = (self.config, self.config.threads);
        let merges = index(config.grown_size()) - config.special_tokens.len() - 256;
        let mut tau = self.meetings.likely_tau(merges);
        loop {
            *runs += 1;
            if meter.show(Stage::Cut, 0, 1).is_break() {
                return Ok(None);
            }
            let segments = self.meetings.cut_at(tau, self.words, threads)?;
            let floor = tau.max(config.min_frequency);
            match bpe::run(&segments, self.sure, self.rules, config, floor, meter)? {
                Outcome::Stopped => return Ok(None),
                Outcome::Exhausted(_) if tau > self.tau => tau = (tau / 2).max(self.tau),
                Outcome::Full(merged) | Outcome::Exhausted(merged) => {
                    return Ok(Some(merged.pieces));
                }
            }
        }
    }
}

/// The least count of a word of the lexicon.
fn least_word_count(config: &UnigramConfig) -> u64 {
    let pieces = &config.pieces;
    pieces.tau_w.unwrap_or(1).max(pieces.min_frequency)
}

/// The options of the growth: no threshold for words unless the granularity is
/// fixed.
fn growth_config(config: &UnigramConfig) -> BpeConfig {
    let mut growth = config.pieces.clone();
    if growth.span_bytes.is_none() {
        growth.tau_w = None;
    }
    growth
}

fn check_room(candidates: &Candidates, target: usize, config: &UnigramConfig) -> Result<()> {
    let protected = candidates.protected_count();
    if protected <= target {
        return Ok(());
    }
    let special_tokens = config.pieces.special_tokens.len();
    Err(Error::argument(
        "vocab_size",
        format!(
            "{}; expected at least {} for {special_tokens} special tokens, 256 bytes, and the \
             characters and prefixes that tau_c, required_chars and han_prefixes ask for",
            config.pieces.vocab_size,
            protected + special_tokens
        ),
    ))
}

fn too_few(candidates: &Candidates, config: &UnigramConfig) -> Error {
    Error::argument(
        "vocab_size",
        format!(
            "{}; the text has {} candidates under these options, special tokens and bytes \
             included; expected at most that, more text, or lower thresholds",
            config.pieces.vocab_size,
            candidates.pieces.len() + config.pieces.special_tokens.len()
        ),
    )
}
