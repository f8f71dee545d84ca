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

use super::candidates::{Candidates, Gathering};
use super::config::UnigramConfig;
use super::lexicon::frequent_words;
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

/// Gives the words of a lexicon.
pub type ReadLexicon<'a> = dyn FnMut() -> Result<Vec<String>> + 'a;

/// Candidates, and the segments to choose among them.
pub(super) struct Grown {
    pub(super) meetings: Meetings,
    pub(super) rules: Rules,
    pub(super) segments: WordTable,
    pub(super) candidates: Candidates,
    pub(super) lexicon: Vec<Box<[u8]>>,
    pub(super) lexicon_words: usize,
    pub(super) tau: u64,
    pub(super) runs: u32,
}

/// Grow candidates; segments have at most `most` bytes before they are cut
/// further. `None` when the caller said stop.
pub(super) fn grow(
    counts: &WordCounts,
    read_lexicon: Option<&mut ReadLexicon<'_>>,
    config: &UnigramConfig,
    most: usize,
    meter: &mut Meter<'_>,
) -> Result<Option<Grown>> {
    let growth = growth_config(config);
    let least_word = least_word_count(config);
    let words = counts.words();
    let sure = sure_chars(&growth, words)?;
    let rules = Rules::new(&growth, &sure, words)?;
    // No candidate that is left out by a cut may be missed: those of the
    // lexicon stand least_word times.
    let mut tau = growth.tau.max(growth.min_frequency);
    if read_lexicon.is_some() {
        tau = tau.min(least_word);
    }
    let mut read_lexicon = read_lexicon;
    let mut lexicon = Vec::new();
    let target = index(config.pieces.vocab_size) - config.pieces.special_tokens.len();
    let mut runs = 0;
    loop {
        if meter.show(Stage::Cut, 0, 1).is_break() {
            return Ok(None);
        }
        let mut meetings = Meetings::new(words, tau, growth.threads)?;
        let growing = Growing {
            words,
            sure: &sure,
            rules: &rules,
            config: &growth,
            tau,
        };
        let Some(grown) = growing.run(&mut meetings, &mut runs, meter)? else {
            return Ok(None);
        };
        if let Some(read) = read_lexicon.take() {
            lexicon = allowed_words(read()?, &rules);
        }
        let segments = meetings.cut_within(words, growth.threads, most)?;
        let mut gathering = Gathering::new(&grown);
        for &character in &sure {
            gathering.protect_character(character);
        }
        if config.pieces.han_prefixes {
            gathering.protect_prefixes();
        }
        let before = gathering.len();
        let counted = segments.as_ref().map_or(words, |table| table);
        for word in frequent_words(&lexicon, counted, least_word, growth.threads)? {
            gathering.offer(word);
        }
        let lexicon_words = gathering.len() - before;
        let candidates = gathering.finish();
        if candidates.pieces.len() >= target {
            check_room(&candidates, target, config)?;
            let segments = match segments {
                Some(segments) => segments,
                None => {
                    meetings = Meetings::inside(&candidates.pieces);
                    meetings.cut(words, growth.threads)?
                }
            };
            return Ok(Some(Grown {
                meetings,
                rules,
                segments,
                candidates,
                lexicon,
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

/// What merging needs to know.
struct Growing<'a> {
    words: &'a dyn Words,
    sure: &'a [char],
    rules: &'a Rules,
    config: &'a BpeConfig,
    /// The least count of two characters that stay together.
    tau: u64,
}

impl Growing<'_> {
    /// Merge pairs with a count of tau and more, and leave the meetings at tau.
    ///
    /// A larger tau is tried first: a run that fills the vocabulary with it as
    /// the floor has made the same pieces.
    fn run(
        &self,
        meetings: &mut Meetings,
        runs: &mut u32,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Pieces>> {
        let (config, threads) = (self.config, self.config.threads);
        let merges = index(config.grown_size()) - config.special_tokens.len() - 256;
        let mut tau = meetings.likely_tau(merges);
        loop {
            *runs += 1;
            if meter.show(Stage::Cut, 0, 1).is_break() {
                return Ok(None);
            }
            meetings.set_tau(tau, self.words, threads)?;
            let segments = meetings.cut(self.words, threads)?;
            let floor = tau.max(config.min_frequency);
            match bpe::run(&segments, self.sure, self.rules, config, floor, meter)? {
                Outcome::Stopped => return Ok(None),
                Outcome::Exhausted(_) if tau > self.tau => tau = (tau / 2).max(self.tau),
                Outcome::Full(merged) | Outcome::Exhausted(merged) => {
                    meetings.set_tau(self.tau, self.words, threads)?;
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

/// The words that may be pieces, in order.
fn allowed_words(words: Vec<String>, rules: &Rules) -> Vec<Box<[u8]>> {
    let mut allowed: Vec<Box<[u8]>> = words
        .into_iter()
        .filter(|word| rules.allows_word(word))
        .map(|word| word.into_bytes().into())
        .collect();
    allowed.sort_unstable();
    allowed.dedup();
    allowed
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
