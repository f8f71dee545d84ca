//! Choosing the pieces of a vocabulary: estimating what candidates cost, and
//! removing those whose loss costs least.

use super::boundaries::Boundaries;
use super::candidates::Candidates;
use super::config::{Estimate, UnigramConfig};
use super::costs::{self, REMOVED};
use super::hard_counts::{self, Uses};
use super::lattice::Lattice;
use super::occurrences::occurrences;
use super::prune::Pruning;
use super::refine::{Cutting, best_pairs};
use super::soft_counts;
use crate::error::Result;
use crate::ids::index;
use crate::pretokenize::byte_alphabet;
use crate::train::progress::{Meter, Stage};
use crate::train::rules::Rules;
use crate::train::word_table::WordTable;

/// Rounds of EM before the first pruning.
const FIRST_ROUNDS: usize = 2;

/// A piece that is expected less often counts as so often in soft EM.
const LEAST_EXPECTED: f64 = 0.5;

/// Pairs that the rounds of refinement try, as shares of the vocabulary.
const REFINED: [f64; 2] = [0.25, 0.15];
const LAST_REFINED: f64 = 0.1;

/// Choosing pieces among candidates.
pub(super) struct Choice<'a> {
    pub(super) config: &'a UnigramConfig,
    pub(super) segments: &'a WordTable,
    pub(super) boundaries: Boundaries,
    /// Words that are cheaper.
    pub(super) lexicon: &'a [Box<[u8]>],
    pub(super) rules: &'a Rules,
    /// Pieces that stay.
    pub(super) target: usize,
    pub(super) rounds: u32,
    pub(super) log_likelihood: Option<f64>,
}

/// Candidates, what they cost, and how often they are used.
pub(super) struct Priced {
    pub(super) candidates: Candidates,
    lattice: Lattice,
    /// What a piece costs beside its rarity, in nats.
    prices: Vec<f64>,
    pub(super) costs: Vec<u32>,
    pub(super) uses: Uses,
}

impl Choice<'_> {
    /// Prune to the size asked for, and refine; `None` when the caller said stop.
    pub(super) fn choose(
        &mut self,
        candidates: Candidates,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Priced>> {
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
        costs::of_counts(&found.counts, &prices, &mut costs, threads);
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
        let threads = self.config.pieces.threads;
        match self.config.estimate {
            Estimate::Hard => {
                priced.uses = self.count(priced);
                costs::of_counts(
                    &priced.uses.counts,
                    &priced.prices,
                    &mut priced.costs,
                    threads,
                );
            }
            Estimate::Soft => {
                let Priced {
                    lattice,
                    costs,
                    prices,
                    ..
                } = priced;
                let expected = soft_counts::expect(lattice, costs, self.segments, threads);
                self.log_likelihood = Some(expected.log_likelihood);
                let shares = soft_counts::log_shares(&expected.counts, LEAST_EXPECTED);
                costs::of_log_shares(shares, prices, costs, threads);
            }
        }
    }

    fn prune(&self, priced: &mut Priced, keep: usize) {
        let threads = self.config.pieces.threads;
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
        pruning.run(keep, threads);
        if self.config.estimate == Estimate::Hard {
            costs::of_counts(
                &priced.uses.counts,
                &priced.prices,
                &mut priced.costs,
                threads,
            );
        }
    }
}

#[allow(clippy::as_conversions)] // a share of a number of pieces
fn share(number: usize, share: f64) -> usize {
    libm::ceil(number as f64 * share) as usize
}
