//! New pieces of Unigram models: grown by merging, chosen by how often they are
//! used at the end, scored on the scale of the model ([`super::score`]).

use std::ops::ControlFlow;

use super::config::ExtendConfig;
use super::grow::{Growth, too_few};
use super::score::Scores;
use super::symbols::add_single_bytes;
use super::{Chosen, spell, unfixed_literals};
use crate::definition::Model;
use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::pipeline::Tokenizer;
use crate::train::progress::Meter;
use crate::train::word_counts::WordCounts;

/// The score of special tokens in models without an unknown piece.
const NEVER: f64 = -1_048_576.0;

/// New pieces as counts and numbers, the most frequent first, and the number of
/// tokens of the text.
type Used = (Vec<(u64, u32)>, u64);

/// Choose the pieces; `None` when the caller said stop.
///
/// # Errors
/// As [`super::extend`].
pub(super) fn choose(
    tokenizer: &Tokenizer,
    counts: &WordCounts,
    config: &ExtendConfig,
    first_id: u32,
    meter: &mut Meter<'_>,
) -> Result<Option<Chosen>> {
    let Model::Unigram {
        vocab,
        unk_id,
        byte_fallback,
    } = &tokenizer.definition().model
    else {
        return Err(Error::argument("tokenizer", "expected a Unigram model"));
    };
    let in_bytes = tokenizer.spells_bytes();
    let mut scores = Scores::new(vocab, in_bytes, unk_id.is_some() || *byte_fallback);
    let Some(scored) = scored(tokenizer, counts, config, &mut scores, meter)? else {
        return Ok(None);
    };
    let mut vocab = vocab.clone();
    let filler = if unk_id.is_some() {
        scores.least()
    } else {
        NEVER
    };
    let mut literals = unfixed_literals(tokenizer);
    literals.sort_by_key(|&(_, id)| id);
    vocab.extend(literals.into_iter().map(|(literal, _)| (literal, filler)));
    if offset(vocab.len()) != first_id {
        return Err(Error::argument(
            "tokenizer",
            "its ids have gaps, which the list of a Unigram model cannot hold; expected ids \
             without gaps",
        ));
    }
    let spelled = scored.pieces.iter().map(|bytes| spell(bytes, in_bytes));
    vocab.extend(spelled.zip(scored.scores));
    Ok(Some(Chosen {
        least_count: scored.least_count,
        pieces: scored.pieces,
        model: Model::Unigram {
            unk_id: *unk_id,
            vocab,
            byte_fallback: *byte_fallback,
        },
    }))
}

/// New pieces with their scores, the most frequent first.
#[derive(Debug)]
pub(super) struct Scored {
    pub(super) pieces: Vec<Box<[u8]>>,
    pub(super) scores: Vec<f64>,
    pub(super) least_count: u64,
}

/// Choose pieces and score them on the scale of old scores; `None` when the caller
/// said stop.
///
/// # Errors
/// As [`super::extend`].
pub(super) fn scored(
    tokenizer: &Tokenizer,
    counts: &WordCounts,
    config: &ExtendConfig,
    scale: &mut Scores,
    meter: &mut Meter<'_>,
) -> Result<Option<Scored>> {
    let Some(mut growth) = Growth::new(tokenizer, counts, config, meter)? else {
        return Ok(None);
    };
    growth.begin();
    let Some((used, total)) = grow(&mut growth, config, meter)? else {
        return Ok(None);
    };
    let pieces = &growth.run.pieces;
    scale.fit((0..growth.old).map(|id| (pieces.bytes(id), growth.counts[index(id)])));
    let mut order: Vec<usize> = (0..used.len()).collect();
    order.sort_by_key(|&place| pieces.length(used[place].1));
    let mut scores = vec![0.0; used.len()];
    for place in order {
        let (count, id) = used[place];
        scores[place] = scale.add(pieces.bytes(id), count, total);
    }
    Ok(Some(Scored {
        pieces: used
            .iter()
            .map(|&(_, id)| pieces.bytes(id).into())
            .collect(),
        scores,
        least_count: used.last().map_or(0, |&(count, _)| count),
    }))
}

/// Grow until enough pieces are used often enough.
fn grow(growth: &mut Growth, config: &ExtendConfig, meter: &mut Meter<'_>) -> Result<Option<Used>> {
    let add = index(config.add);
    let mut more = config.add;
    loop {
        let has_more = match growth.grow(more, meter) {
            ControlFlow::Break(()) => return Ok(None),
            ControlFlow::Continue(has_more) => has_more,
        };
        let pieces = &growth.run.pieces;
        let mut counts = growth.run.arena.counts(pieces);
        add_single_bytes(&mut counts, &growth.single_bytes, pieces);
        let mut used: Vec<(u64, u32)> = (growth.old..pieces.len())
            .map(|id| (counts[index(id)], id))
            .filter(|&(count, id)| {
                let is_grown = id >= growth.begun;
                count >= config.min_frequency
                    && (is_grown || growth.run.rules.allows_piece(pieces.bytes(id)))
            })
            .collect();
        if used.len() >= add {
            used.sort_by(|a, b| {
                let by_bytes = || pieces.bytes(a.1).cmp(pieces.bytes(b.1));
                b.0.cmp(&a.0).then_with(by_bytes)
            });
            used.truncate(add);
            let total = counts
                .iter()
                .fold(0_u64, |sum, &count| sum.saturating_add(count));
            return Ok(Some((used, total)));
        }
        if !has_more {
            return Err(too_few(config, used.len()));
        }
        // Parts of other pieces are used no more; some of the next will be such parts.
        more = offset(add - used.len()).max(config.add / 64 + 1);
    }
}
