//! Pieces taken out of a vocabulary, so that a model has fewer rows.
//!
//! ```text
//! counts of ids --plan--> ids that go --apply--> Tokenizer + old id to new id
//! ```
//! The utility of a piece t is u(t) = c(t) (k(t) - 1): its count in a text times
//! the tokens that each use costs more without it, k(t) being the pieces of its
//! best alternative. The least useful go first. What may go depends on the model:
//!
//! * BPE and ranks: a piece that is in no other piece's last merge (a leaf:
//!   Purason et al., 2025), so that all others are still made as before.
//! * Unigram: a piece whose text the others cover.
//! * WordPiece: a piece whose characters are pieces, so that no word becomes
//!   unknown.
//!
//! Everywhere: a text whose ids are all kept is encoded as before. For Unigram
//! and WordPiece a candidate that is gone improves no other; for BPE the merges
//! that are gone were not done in that text. A word that WordPiece does not know may
//! become known: without a long piece the search goes on otherwise. Unknown characters of a Unigram
//! model are rated by its least score, so the piece with that score stays.

mod apply;
mod greedy;
mod lattice;
mod merges;
mod models;
mod plan;
mod protect;
mod sentencepiece;
#[cfg(test)]
mod tests;
mod usage;

use rustc_hash::FxHashMap;

use crate::definition::Model;
use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::pipeline::Tokenizer;
use greedy::Greedy;
use lattice::Lattice;
use merges::MergeParts;

pub use apply::{Pruned, apply};
pub use plan::{Limit, Removal};
pub use usage::{Tally, Usage};

/// What becomes of the ids of the pieces that stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// They are numbered again, from 0 on and in their old order.
    Compact,
    /// They stay. Pieces that are gone are never used, but most formats still
    /// know their ids, and decode them.
    Stable,
}

/// A tokenizer seen as pieces that others can stand for.
#[derive(Debug)]
pub struct Pruner {
    /// Every id of the vocabulary, ascending. An id's place here stands for it.
    ids: Vec<u32>,
    /// Pieces that stay, whatever their counts are.
    fixed: Vec<bool>,
    alternatives: Alternatives,
}

/// What stands for a piece that is gone, by places.
#[derive(Debug)]
enum Alternatives {
    Merges(MergeParts),
    Lattice(Lattice),
    Greedy(Greedy),
}

/// From ids to places.
type Places = FxHashMap<u32, u32>;

impl Pruner {
    /// Look at a tokenizer. Its added tokens, its unknown token, the 256 bytes, what
    /// its post-processor adds and the ids of `protected` stay.
    ///
    /// # Errors
    /// [`Error::Argument`] when no piece of a model of this kind can be taken out,
    /// or a protected id has no piece.
    ///
    /// # Complexity
    /// As to compile the tokenizer.
    ///
    /// # Examples
    /// ```
    /// use pytok_core::prune::{Limit, Mode, Pruner, apply};
    /// use pytok_core::{Tokenizer, format, pipeline::EncodeOptions};
    ///
    /// let file = r#"{"added_tokens": [], "normalizer": null, "pre_tokenizer": null,
    ///     "post_processor": null, "decoder": null, "model": {"type": "BPE",
    ///     "vocab": {"a": 0, "b": 1, "ab": 2, "aba": 3, "bb": 4},
    ///     "merges": ["a b", "ab a", "b b"]}}"#;
    /// let tokenizer = Tokenizer::compile(format::load(file.as_bytes(), &Default::default())?)?;
    /// let pruner = Pruner::new(&tokenizer, &[], Mode::Compact)?;
    /// let plan = pruner.plan(&[9, 9, 9, 3, 5], &[], Limit::pieces(2))?;
    /// // Once "aba" is gone, "ab" is a leaf; but "bb" is less useful.
    /// assert_eq!(plan.iter().map(|piece| piece.id).collect::<Vec<_>>(), [3, 4]);
    /// let pruned = apply(&tokenizer, &[3, 4], Mode::Compact, &[])?;
    /// let ids = pruned.tokenizer.encode_ids("ababb", &EncodeOptions::default())?;
    /// assert_eq!(ids, [2, 2, 1]);
    /// # Ok::<(), pytok_core::Error>(())
    /// ```
    pub fn new(tokenizer: &Tokenizer, protected: &[u32], mode: Mode) -> Result<Self> {
        if tokenizer.is_limited() {
            return Err(refused(
                "its longest pieces are out of use; expected it as it was before with_max_span",
            ));
        }
        let mut ids: Vec<u32> = tokenizer.vocab().into_iter().map(|(_, id)| id).collect();
        ids.dedup();
        let places: Places = ids.iter().copied().zip(0..).collect();
        let alternatives = Alternatives::of(tokenizer, &places, mode)?;
        let mut fixed = vec![false; ids.len()];
        for id in protect::always(tokenizer) {
            if let Some(&place) = places.get(&id) {
                fixed[index(place)] = true;
            }
        }
        for id in protected {
            let place = places.get(id).ok_or_else(|| {
                Error::argument("protect", format!("the vocabulary has no id {id}"))
            })?;
            fixed[index(*place)] = true;
        }
        Ok(Self {
            ids,
            fixed,
            alternatives,
        })
    }

    /// Where an id stands among [`Pruner::ids`]; at its own number, where ids have no
    /// gaps below it.
    fn place(&self, id: u32) -> Option<usize> {
        if self.ids.get(index(id)) == Some(&id) {
            return Some(index(id));
        }
        self.ids.binary_search(&id).ok()
    }

    /// Every id of the vocabulary, ascending; counts are in this order.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// The ids that stay because they are protected.
    pub fn protected(&self) -> Vec<u32> {
        let fixed = self.ids.iter().zip(&self.fixed);
        fixed
            .filter(|&(_, &fixed)| fixed)
            .map(|(&id, _)| id)
            .collect()
    }

    /// The ids of pieces that no text is encoded to.
    pub fn unreachable(&self) -> Vec<u32> {
        let places = 0..offset(self.ids.len());
        places
            .filter(|&place| !self.fixed[index(place)] && self.alternatives.is_unreachable(place))
            .map(|place| self.ids[index(place)])
            .collect()
    }
}

impl Alternatives {
    fn of(tokenizer: &Tokenizer, places: &Places, mode: Mode) -> Result<Self> {
        let definition = tokenizer.definition();
        match &definition.model {
            Model::BPE { .. } => {
                MergeParts::of_bpe(&definition.model, places, mode).map(Self::Merges)
            }
            Model::ByteRanks {
                ranks,
                max_span: None,
            } => MergeParts::of_ranks(ranks, places).map(Self::Merges),
            Model::ByteRanks { .. } => Err(refused(
                "its longest pieces are out of use; expected it as it was before with_max_span",
            )),
            Model::Unigram {
                unk_id,
                vocab,
                byte_fallback,
            } => {
                Lattice::of_unigram(vocab, *unk_id, *byte_fallback, places, mode).map(Self::Lattice)
            }
            Model::WordPiece { .. } if mode == Mode::Stable => Err(refused(
                "a WordPiece file cannot say that a piece is not used; expected mode \"compact\"",
            )),
            Model::WordPiece {
                continuing_subword_prefix,
                vocab,
                ..
            } => Greedy::of(vocab, continuing_subword_prefix, places).map(Self::Greedy),
            Model::WordLevel { .. } => Err(refused(
                "WordLevel, in which no pieces stand for a word; expected BPE, Unigram or WordPiece",
            )),
            Model::SentencePiece { .. } => match tokenizer.sentencepiece() {
                Some(model) => sentencepiece::alternatives(model, places),
                None => Err(refused("a SentencePiece model without pieces")),
            },
        }
    }

    /// The places that stand for a piece when only `active` ones are there.
    fn parts(&self, place: u32, active: &[bool]) -> Option<Vec<u32>> {
        match self {
            Self::Merges(merges) => merges.parts(place, active),
            Self::Lattice(lattice) => lattice.parts(place, active),
            Self::Greedy(greedy) => greedy.parts(place, active),
        }
    }

    /// How many they are.
    fn count(&self, place: u32, active: &[bool]) -> Option<usize> {
        match self {
            Self::Merges(merges) => merges.count(place, active),
            _ => self.parts(place, active).map(|parts| parts.len()),
        }
    }

    /// The places without which a piece is not made.
    fn needs(&self, place: u32) -> &[u32] {
        match self {
            Self::Merges(merges) => merges.needs(place),
            Self::Lattice(_) | Self::Greedy(_) => &[],
        }
    }

    fn is_unreachable(&self, place: u32) -> bool {
        match self {
            Self::Merges(merges) => merges.is_unreachable(place),
            Self::Lattice(lattice) => lattice.is_unreachable(place),
            Self::Greedy(_) => false,
        }
    }
}

fn refused(what: &str) -> Error {
    Error::argument("tokenizer", what)
}
