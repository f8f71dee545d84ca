//! A run: grow candidates by merging, prune them by what their loss costs.

use super::boundary_prior::{Boundaries, FindBoundaries, occurrences};
use super::candidates::Candidates;
use super::config::{Estimate, UnigramConfig};
use super::costs::{self, REMOVED, UNITS};
use super::grow::{LARGEST_SEGMENTS, ReadLexicon, grow};
use super::hard_counts::{self, Uses};
use super::lattice::Lattice;
use super::prune::Pruning;
use super::refine::{Cutting, best_pairs};
use super::soft_counts;
use super::vocabulary;
use crate::definition::Definition;
use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::pretokenize::byte_alphabet;
use crate::train::progress::{Meter, OnProgress, Stage};
use crate::train::rules::Rules;
use crate::train::tau_cut::CutReport;
use crate::train::word_counts::WordCounts;
use crate::train::word_table::WordTable;

/// Rounds of EM before the first pruning.
const FIRST_ROUNDS: usize = 2;

/// A piece that is expected less often counts as so often in soft EM.
const LEAST_EXPECTED: f64 = 0.5;

/// Pairs that the rounds of refinement try, as shares of the vocabulary.
const REFINED: [f64; 2] = [0.25, 0.15];
const LAST_REFINED: f64 = 0.1;

/// What a run is made from.
pub struct UnigramInputs<'a> {
    /// Words; those with Han characters are segmented for the boundary prior.
    pub counts: &'a WordCounts,
    /// Words of texts that the segmenter does not know, such as classical ones.
    pub counts_without_prior: Option<&'a WordCounts>,
    /// The word segmenter; needed for the boundary prior.
    pub find_boundaries: Option<&'a mut FindBoundaries<'a>>,
    /// Gives words that are candidates when they are frequent enough; called
    /// once, after candidates have been grown.
    pub lexicon: Option<&'a mut ReadLexicon<'a>>,
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
    inputs: UnigramInputs<'_>,
    config: &UnigramConfig,
    most: usize,
    on_progress: &mut OnProgress<'_>,
) -> Result<Option<TrainedUnigram>> {
    config.check()?;
    if config.gamma > 0.0 && inputs.find_boundaries.is_none() {
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
    let all = all.as_ref().unwrap_or(inputs.counts);
    let Some(mut grown) = grow(all, inputs.lexicon, config, most, &mut meter)? else {
        return Ok(None);
    };
    if config.estimate == Estimate::Soft {
        // Sums of doubles depend on their order.
        grown.segments = grown.segments.in_byte_order();
    }
    let boundaries = match inputs.find_boundaries {
        Some(find) if config.gamma > 0.0 => {
            let words = inputs.counts.words();
            let total = offset(words.unique());
            let mut go_on = |done: usize| {
                let done = u64::from(offset(done));
                meter.show(Stage::Segment, done, total.into()).is_continue()
            };
            let found = Boundaries::find(
                words,
                &grown.meetings,
                &grown.segments,
                find,
                config.pieces.threads,
                &mut go_on,
            )?;
            let Some(found) = found else {
                return Ok(None);
            };
            found
        }
        _ => Boundaries::default(),
    };
    let candidates = grown.candidates.pieces.len();
    let protected = grown.candidates.protected_count();
    let mut run = Run {
        config,
        segments: &grown.segments,
        boundaries,
        lexicon: &grown.lexicon,
        rules: &grown.rules,
        target: index(config.pieces.vocab_size) - config.pieces.special_tokens.len(),
        rounds: 0,
        log_likelihood: None,
    };
    let Some(chosen) = run.choose(grown.candidates, &mut meter)? else {
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
        rounds: run.rounds,
        tokens: chosen.uses.tokens,
        cost: in_nats(chosen.uses.cost),
        log_likelihood: run.log_likelihood,
    };
    let definition = crate::train::assemble::definition(model, all, &config.pieces.special_tokens);
    Ok(Some(TrainedUnigram { definition, report }))
}

#[allow(clippy::as_conversions)] // for a report
fn in_nats(cost: u128) -> f64 {
    cost as f64 / UNITS
}

/// Choosing pieces among candidates.
struct Run<'a> {
    config: &'a UnigramConfig,
    segments: &'a WordTable,
    boundaries: Boundaries,
    lexicon: &'a [Box<[u8]>],
    rules: &'a Rules,
    /// Pieces that stay.
    target: usize,
    rounds: u32,
    log_likelihood: Option<f64>,
}

/// Candidates, what they cost, and how often they are used.
struct Priced {
    candidates: Candidates,
    lattice: Lattice,
    /// What a piece costs beside its rarity, in nats.
    prices: Vec<f64>,
    costs: Vec<u32>,
    uses: Uses,
}

impl Run<'_> {
    /// Prune to the size asked for, and refine; `None` when the caller said stop.
    fn choose(&mut self, candidates: Candidates, meter: &mut Meter<'_>) -> Result<Option<Priced>> {
        let mut priced = self.price(candidates)?;
        for _ in 0..FIRST_ROUNDS {
            self.estimate(&mut priced);
        }
        if !self.prune_all(&mut priced, meter) {
            return Ok(None);
        }
        for round in 0..self.config.refinement {
            let mut tried = self.price(self.with_pairs(&priced, round))?;
            self.estimate(&mut tried);
            if !self.prune_all(&mut tried, meter) {
                return Ok(None);
            }
            if tried.uses.cost >= priced.uses.cost {
                break; // the next round would try the same pairs
            }
            priced = tried;
        }
        Ok(Some(priced))
    }

    /// Candidates with first costs: from how often they stand in the text.
    fn price(&self, candidates: Candidates) -> Result<Priced> {
        let pieces = &candidates.pieces;
        let lattice = Lattice::new(pieces)?;
        let threads = self.config.pieces.threads;
        let found = occurrences(&lattice, pieces, self.segments, &self.boundaries, threads);
        let (lambda, gamma) = (self.config.lambda, self.config.gamma);
        let crossing = found.crossing.iter();
        let mut prices: Vec<f64> = crossing.map(|crossing| lambda + gamma * crossing).collect();
        if self.config.beta > 0.0 {
            for id in self
                .lexicon
                .iter()
                .filter_map(|word| pieces.binary_search(word).ok())
            {
                prices[id] -= self.config.beta;
            }
        }
        let mut costs = vec![0; prices.len()];
        costs::of_counts(&found.counts, &prices, &mut costs);
        Ok(Priced {
            candidates,
            lattice,
            prices,
            costs,
            uses: Uses::default(),
        })
    }

    /// The pieces that are left and the best pairs of them.
    fn with_pairs(&self, priced: &Priced, round: u32) -> Candidates {
        let most = share(
            self.target,
            *REFINED.get(index(round)).unwrap_or(&LAST_REFINED),
        );
        let special_tokens = &self.config.pieces.special_tokens;
        let is_taken = |piece: &[u8]| {
            let mut literals = special_tokens.iter();
            !special_tokens.is_empty()
                && literals.any(|token| *token == byte_alphabet::encode(piece))
        };
        let allows = |piece: &[u8]| {
            !is_taken(piece)
                && std::str::from_utf8(piece).is_ok_and(|text| self.rules.allows_piece(text))
        };
        let cutting = Cutting {
            lattice: &priced.lattice,
            pieces: &priced.candidates.pieces,
            costs: &priced.costs,
            segments: self.segments,
            threads: self.config.pieces.threads,
        };
        let pairs = best_pairs(&cutting, most, self.config.lambda, &allows);
        let known = priced
            .candidates
            .pieces
            .iter()
            .zip(&priced.candidates.protected);
        let left = known
            .zip(&priced.costs)
            .filter(|&(_, &cost)| cost != REMOVED);
        let left = left.map(|((piece, &stays), _)| (piece.clone(), stays));
        Candidates::sorted(left.chain(pairs.into_iter().map(|piece| (piece, false))))
    }

    /// Prune round by round, then settle; `false` when the caller said stop.
    fn prune_all(&mut self, priced: &mut Priced, meter: &mut Meter<'_>) -> bool {
        loop {
            let left = priced.costs.iter().filter(|&&cost| cost != REMOVED).count();
            let done = u64::from(self.rounds);
            if meter.show(Stage::Prune, done, done + 1).is_break() {
                return false;
            }
            if left <= self.target {
                break;
            }
            self.rounds += 1;
            self.prune(priced, self.target.max(share(left, self.config.keep)));
            self.estimate(priced);
        }
        self.estimate(priced);
        priced.uses = self.count(priced);
        true
    }

    fn count(&self, priced: &Priced) -> Uses {
        let threads = self.config.pieces.threads;
        hard_counts::count(&priced.lattice, &priced.costs, self.segments, threads)
    }

    /// A round of EM.
    fn estimate(&mut self, priced: &mut Priced) {
        match self.config.estimate {
            Estimate::Hard => {
                priced.uses = self.count(priced);
                costs::of_counts(&priced.uses.counts, &priced.prices, &mut priced.costs);
            }
            Estimate::Soft => {
                let threads = self.config.pieces.threads;
                let Priced {
                    lattice,
                    costs,
                    prices,
                    ..
                } = priced;
                let expected = soft_counts::expect(lattice, costs, self.segments, threads);
                self.log_likelihood = Some(expected.log_likelihood);
                let shares = soft_counts::log_shares(&expected.counts, LEAST_EXPECTED);
                costs::of_log_shares(shares, prices, costs);
            }
        }
    }

    fn prune(&self, priced: &mut Priced, keep: usize) {
        if self.config.estimate == Estimate::Soft {
            priced.uses = self.count(priced);
        }
        let mut pruning = Pruning {
            lattice: &priced.lattice,
            pieces: &priced.candidates.pieces,
            protected: &priced.candidates.protected,
            costs: &mut priced.costs,
            counts: &mut priced.uses.counts,
        };
        pruning.run(keep);
        if self.config.estimate == Estimate::Hard {
            costs::of_counts(&priced.uses.counts, &priced.prices, &mut priced.costs);
        }
    }
}

#[allow(clippy::as_conversions)] // a share of a number of pieces
fn share(number: usize, share: f64) -> usize {
    libm::ceil(number as f64 * share) as usize
}
