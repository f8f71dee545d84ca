//! Segmentations besides the best one: random ones and the k best.

use super::NEVER;
use super::encoder::{Unigram, UnigramScratch, missing_unknown};
use crate::error::Result;
use crate::ids::{index, offset};
use crate::model::segmentations::{Cut, Lattice, Segmentation, Step, n_best};
use crate::model::{Sampler, Token};

/// The pieces of a word. Without an unknown piece there may be positions from
/// which no piece goes on.
struct WordLattice<'a> {
    model: &'a Unigram,
    word: &'a str,
}

impl Lattice for WordLattice<'_> {
    fn length(&self) -> usize {
        self.word.len()
    }

    fn steps(&self, start: usize, mut each: impl FnMut(Step)) {
        let Some(width) = (self.word.get(start..))
            .and_then(|rest| rest.chars().next())
            .map(char::len_utf8)
        else {
            return; // inside a character
        };
        let mut character_is_a_piece = false;
        let rest = &self.word.as_bytes()[start..];
        for (length, id) in self.model.trie.prefixes(rest) {
            let score = self.model.scores[index(id)];
            character_is_a_piece |= length == width;
            // A character stays: it may have nothing else.
            if score > NEVER || length == width {
                let end = start + length;
                each(Step { end, id, score });
            }
        }
        if let (false, Some(id)) = (character_is_a_piece, self.model.unknown) {
            let score = self.model.unknown_score;
            let end = start + width;
            each(Step { end, id, score });
        }
    }
}

impl Unigram {
    /// The best score of a piece; minus infinity without pieces.
    pub(crate) fn best_score(&self) -> f64 {
        let scores = self.scores.iter().copied();
        scores.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Append tokens of a word, drawn with a probability proportional to
    /// exp(alpha * score) (Kudo, 2018). What is unknown is joined afterwards,
    /// as in [`Unigram::tokenize`].
    ///
    /// # Errors
    /// When the word has no segmentation and the model has no unknown piece.
    pub(crate) fn sample(
        &self,
        word: &str,
        sampler: &mut Sampler,
        tokens: &mut Vec<Token>,
    ) -> Result<()> {
        let lattice = WordLattice { model: self, word };
        let cuts = sampler.draw(&lattice).ok_or_else(missing_unknown)?;
        self.push_path(word, ends(cuts), tokens)
    }

    /// The best segmentations of a word, at most `count`, with different ids;
    /// the first is that of [`Unigram::tokenize`].
    ///
    /// # Errors
    /// As [`Unigram::tokenize`].
    pub(crate) fn n_best(&self, word: &str, count: usize) -> Result<Vec<Segmentation>> {
        let (mut scratch, mut tokens) = (UnigramScratch::default(), Vec::new());
        self.tokenize(word, &mut scratch, &mut tokens)?;
        let first = Segmentation {
            ids: ids_of(&tokens),
            score: scratch.score(),
        };
        let lattice = WordLattice { model: self, word };
        Segmentation::different(first, count, |count| {
            n_best(&lattice, count)
                .into_iter()
                .map(|ranked| {
                    tokens.clear();
                    self.push_path(word, ends(&ranked.cuts), &mut tokens)?;
                    Ok(Segmentation {
                        ids: ids_of(&tokens),
                        score: ranked.score,
                    })
                })
                .collect()
        })
    }
}

fn ends(cuts: &[Cut]) -> impl Iterator<Item = (u32, u32)> {
    cuts.iter().map(|cut| (offset(cut.end), cut.id))
}

fn ids_of(tokens: &[Token]) -> Vec<u32> {
    tokens.iter().map(|token| token.id).collect()
}
