//! Segmentations besides the best one: random ones and the k best.
//!
//! Pieces that are on no best way take part here, unlike in the search; those
//! that no text is meant to use do not.

use super::compile::UNITS;
use super::engine::{ByteUnigram, ByteUnigramScratch};
use crate::error::Result;
use crate::ids::index;
use crate::model::segmentations::{Lattice, Segmentation, Step, n_best};
use crate::model::trie::Trie;
use crate::model::{NEVER, Sampler};

/// The pieces of a word.
struct WordLattice<'a> {
    trie: &'a Trie,
    costs: &'a [u32],
    word: &'a [u8],
}

impl Lattice for WordLattice<'_> {
    fn length(&self) -> usize {
        self.word.len()
    }

    fn steps(&self, start: usize, mut each: impl FnMut(Step)) {
        for (length, id) in self.trie.prefixes(&self.word[start..]) {
            each(Step {
                end: start + length,
                id,
                score: score(self.costs[index(id)]),
            });
        }
    }
}

fn score(cost: u32) -> f64 {
    -f64::from(cost) / UNITS
}

impl ByteUnigram {
    /// The best score of a piece.
    pub(crate) fn best_score(&self) -> f64 {
        score(self.costs.iter().copied().min().unwrap_or_default())
    }

    fn lattice<'a>(&'a self, word: &'a [u8]) -> WordLattice<'a> {
        let trie = self.all.get_or_init(|| {
            let used = |&(piece, id): &(&[u8], u32)| {
                piece.len() == 1 || score(self.costs[index(id)]) > NEVER
            };
            // A part of what made a trie before makes one again.
            Trie::build(self.vocabulary.iter().filter(used)).unwrap_or_else(|_| self.trie.clone())
        });
        let costs = &self.costs;
        WordLattice { trie, costs, word }
    }

    /// Append ids of a word, drawn with a probability proportional to
    /// exp(alpha * score) (Kudo, 2018).
    pub(crate) fn sample(&self, word: &[u8], sampler: &mut Sampler, ids: &mut Vec<u32>) {
        // All bytes are pieces, so there is a segmentation.
        let cuts = sampler.draw(&self.lattice(word)).unwrap_or_default();
        ids.extend(cuts.iter().map(|cut| cut.id));
    }

    /// The best segmentations of a word, at most `count`; the first is that of
    /// [`ByteUnigram::encode`].
    pub(crate) fn n_best(&self, word: &[u8], count: usize) -> Result<Vec<Segmentation>> {
        let mut ids = Vec::new();
        self.encode(word, &mut ByteUnigramScratch::default(), &mut ids);
        let scores = ids.iter().map(|&id| score(self.costs[index(id)]));
        let first = Segmentation {
            score: scores.sum(),
            ids,
        };
        Segmentation::different(first, count, |count| {
            let ranked = n_best(&self.lattice(word), count).into_iter();
            Ok(ranked.map(Segmentation::from).collect())
        })
    }
}
