//! New pieces of SentencePiece models.
//!
//! The library's BPE merges any two neighbours that spell a piece, the best score
//! first. So new pieces get scores below all old ones, each below the one before:
//! what the old pieces do to a text is done first, then new pieces are merged in the
//! order in which they were found. A piece that the engine does not make of the
//! piece's own text even so (where merges of one step overlap, this run and the
//! engine may differ) would never be used, and the next one takes its place.
//!
//! A character without a piece is a symbol as good as others. It becomes a piece
//! when it stands in the text more often than any pair, counted with the tokens that
//! it saves: with byte fallback one less than its bytes, else one. No pair is more
//! frequent than its sides, so the sides of a new piece always have one. Until then
//! the count of a character does not change.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use super::Chosen;
use super::config::ExtendConfig;
use super::grow::{Growth, too_few};
use super::score::{Scores, single};
use super::unigram;
use crate::definition::{Base64Bytes, Model};
use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::pipeline::Tokenizer;
use crate::sentencepiece::{
    PieceKind, SPACE_MARK, SentencePiece, SentencePieceScratch, with_pieces,
};
use crate::train::progress::Meter;
use crate::train::word_counts::WordCounts;

/// Fail unless the model can be extended.
///
/// # Errors
/// [`Error::Argument`] that says what it is.
pub(super) fn check(tokenizer: &Tokenizer) -> Result<()> {
    let refused = |what: String| Err(Error::argument("tokenizer", what));
    let Some(model) = tokenizer.sentencepiece() else {
        return Ok(());
    };
    if !model.is_bpe() && !model.is_unigram() {
        let kind = model.algorithm();
        return refused(format!(
            "a {kind} model; expected SentencePiece BPE or unigram"
        ));
    }
    let added = tokenizer.added_tokens().into_iter();
    if let Some(token) = { added }.find(|token| index(token.id) >= model.len()) {
        return refused(format!(
            "its added token {:?} has id {}, where the first new piece must be: ids of a \
             SentencePiece model are places in its file; expected added tokens that are pieces",
            token.content, token.id
        ));
    }
    Ok(())
}

/// Choose the pieces; `None` when the caller said stop.
///
/// # Errors
/// As [`super::extend`].
pub(super) fn choose(
    tokenizer: &Tokenizer,
    counts: &WordCounts,
    config: &ExtendConfig,
    meter: &mut Meter<'_>,
) -> Result<Option<Chosen>> {
    let (Some(model), Model::SentencePiece { proto }) =
        (tokenizer.sentencepiece(), &tokenizer.definition().model)
    else {
        return Err(Error::argument(
            "tokenizer",
            "expected a SentencePiece model",
        ));
    };
    let found = if model.is_bpe() {
        let growth = Growth::new(tokenizer, counts, config, meter)?;
        growth.map_or(Ok(None), |growth| {
            MergedPieces::new(model, &proto.0, growth, config)?.choose(meter)
        })
    } else {
        scored(tokenizer, model, counts, config, meter)
    };
    let Some((pieces, least_count)) = found? else {
        return Ok(None);
    };
    Ok(Some(Chosen {
        pieces: pieces
            .iter()
            .map(|(text, _)| text.replace(SPACE_MARK, " ").into_bytes().into())
            .collect(),
        least_count,
        model: Model::SentencePiece {
            proto: Base64Bytes(with_pieces(&proto.0, &pieces)?),
        },
    }))
}

/// Pieces with their scores, in the order of their ids, and the lowest count.
type Found = Option<(Vec<(String, f32)>, u64)>;

/// The pieces of a unigram model.
fn scored(
    tokenizer: &Tokenizer,
    model: &SentencePiece,
    counts: &WordCounts,
    config: &ExtendConfig,
    meter: &mut Meter<'_>,
) -> Result<Found> {
    let normal = model
        .textual_pieces()
        .filter(|&(_, kind, _)| kind == PieceKind::Normal)
        .map(|(text, _, score)| (text, score));
    let mut scale = Scores::single(normal);
    let scored = unigram::scored(tokenizer, counts, config, &mut scale, meter)?;
    Ok(scored.map(|scored| {
        let texts = scored.pieces.iter().map(|bytes| text(bytes));
        let scores = scored.scores.into_iter().map(single);
        (texts.zip(scores).collect(), scored.least_count)
    }))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The pieces of a BPE model, as they are found.
struct MergedPieces<'a> {
    file: &'a [u8],
    config: &'a ExtendConfig,
    growth: Growth,
    /// Characters without a piece: the tokens that each saves, the most first, its
    /// count and its number.
    characters: Vec<(u64, u64, u32)>,
    /// The worst score of an old piece.
    worst: f32,
    /// Pieces that the engine does not make.
    unreachable: FxHashSet<u32>,
}

impl<'a> MergedPieces<'a> {
    fn new(
        model: &SentencePiece,
        file: &'a [u8],
        mut growth: Growth,
        config: &'a ExtendConfig,
    ) -> Result<Self> {
        let scores = || model.textual_pieces().map(|(.., score)| score);
        if scores().any(f32::is_nan) {
            return Err(Error::argument(
                "tokenizer",
                "a piece has a score that is not a number; expected numbers",
            ));
        }
        let pieces = &growth.run.pieces;
        let saves_bytes = u32::from(model.falls_back_to_bytes());
        let saved = |id| u64::from((saves_bytes * (pieces.length(id) - 1)).max(1));
        let missing = growth.missing(config).into_iter();
        let mut characters: Vec<(u64, u64, u32)> = missing
            .map(|(count, id)| (count.saturating_mul(saved(id)), count, id))
            .collect();
        characters.sort_by_key(|&(saved, ..)| std::cmp::Reverse(saved)); // bytes break ties
        let known: FxHashSet<u32> = characters.iter().map(|&(.., id)| id).collect();
        let symbols = growth.old..growth.begun;
        growth.run.rules.barred = symbols.filter(|id| !known.contains(id)).collect();
        growth.run.rules.merges_spelled = true;
        growth.run.merge_what_is_spelled();
        growth.begin();
        Ok(Self {
            worst: scores().fold(0.0, f32::min),
            file,
            config,
            growth,
            characters,
            unreachable: FxHashSet::default(),
        })
    }

    fn choose(mut self, meter: &mut Meter<'_>) -> Result<Found> {
        let add = index(self.config.add);
        let mut more = self.config.add;
        loop {
            let ControlFlow::Continue(has_more) = self.growth.grow(more, meter) else {
                return Ok(None);
            };
            let chosen = self.best(add);
            if chosen.len() < add {
                if !has_more {
                    return Err(too_few(self.config, chosen.len()));
                }
                more = offset(add - chosen.len());
                continue;
            }
            let pieces = self.with_scores(&chosen)?;
            let lost = self.not_made(&chosen, &pieces)?;
            if lost.is_empty() {
                let least = chosen.iter().map(|&(count, _)| count).min();
                return Ok(Some((pieces, least.unwrap_or(0))));
            }
            more = offset(lost.len());
            self.unreachable.extend(lost);
        }
    }

    /// Characters and merges, the better of the two next ones each time: counts and
    /// numbers.
    fn best(&self, add: usize) -> Vec<(u64, u32)> {
        let merges = &self.growth.run.merge_counts;
        let mut merges = (self.growth.begun..)
            .zip(merges)
            .filter(|(id, _)| !self.unreachable.contains(id))
            .map(|(id, &count)| (count, id))
            .peekable();
        let mut characters = self.characters.iter().peekable();
        let next = || {
            let merge = merges.peek().map_or(0, |&(count, _)| count);
            match characters.next_if(|&&(saved, ..)| saved >= merge) {
                Some(&(_, count, id)) => Some((count, id)),
                None => merges.next(),
            }
        };
        std::iter::from_fn(next).take(add).collect()
    }

    fn with_scores(&self, chosen: &[(u64, u32)]) -> Result<Vec<(String, f32)>> {
        let mut score = self.worst;
        let scored = chosen.iter().map(|&(_, id)| {
            score = below(score).ok_or_else(|| {
                Error::argument(
                    "tokenizer",
                    "the worst score of its pieces is so low that none is below; expected scores \
                     above -3.4e38",
                )
            })?;
            Ok((text(self.growth.run.pieces.bytes(id)), score))
        });
        scored.collect()
    }

    /// The pieces that the engine does not make of their own text.
    fn not_made(&self, chosen: &[(u64, u32)], pieces: &[(String, f32)]) -> Result<Vec<u32>> {
        let model = SentencePiece::compile(&with_pieces(self.file, pieces)?)?;
        let mut scratch = SentencePieceScratch::default();
        let ids = pieces.iter().zip(chosen).filter(|((text, _), _)| {
            let mut symbols = 0;
            model.for_each_symbol(text, &mut scratch, |_, _| symbols += 1);
            symbols != 1
        });
        Ok(ids.map(|(_, &(_, id))| id).collect())
    }
}

/// A lower score, by 1 where numbers of this size can tell; `None` where there is
/// none.
fn below(score: f32) -> Option<f32> {
    let by_one = score - 1.0;
    let next = if by_one < score {
        by_one
    } else if score > 0.0 {
        f32::from_bits(score.to_bits() - 1)
    } else {
        f32::from_bits(score.to_bits() + 1)
    };
    (next.is_finite() && next < score).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_fall_by_one_or_by_the_least_there_is() {
        assert_eq!(below(0.0), Some(-1.0));
        assert_eq!(below(-31_740.0), Some(-31_741.0));
        assert_eq!(below(-16_777_216.0), Some(-16_777_218.0));
        assert_eq!(below(-1e9), Some(-1_000_000_064.0));
        assert_eq!(below(1e9), Some(999_999_936.0));
        for none in [f32::MIN, f32::NEG_INFINITY, f32::NAN] {
            assert_eq!(below(none), None);
        }
        let mut score = -16_777_000.0;
        for _ in 0..1000 {
            let next = below(score).unwrap();
            assert!(next < score);
            score = next;
        }
    }
}
