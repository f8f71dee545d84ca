//! New pieces of BPE models, as merges after the old ones or as ranks above them.
//!
//! Characters that a model over characters has no piece for come first, the most
//! frequent first: a merge needs them.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use super::config::ExtendConfig;
use super::grow::{Growth, too_few};
use super::{Chosen, spell, unfixed_literals};
use crate::definition::Model;
use crate::error::Result;
use crate::ids::{index, offset};
use crate::pipeline::Tokenizer;
use crate::train::progress::Meter;
use crate::train::word_counts::WordCounts;

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
    let Some(mut growth) = Growth::new(tokenizer, counts, config, meter)? else {
        return Ok(None);
    };
    let mut missing = growth.missing(config);
    missing.truncate(index(config.add));
    let adopted: Vec<u32> = missing.iter().map(|&(_, id)| id).collect();
    let mut barred: FxHashSet<u32> = (growth.old..growth.begun).collect();
    for id in &adopted {
        barred.remove(id);
    }
    growth.run.rules.barred = barred;
    if matches!(tokenizer.definition().model, Model::ByteRanks { .. }) {
        growth.run.rules.merges_spelled = true;
        growth.run.merge_what_is_spelled();
    }
    growth.begin();
    match growth.grow(config.add - offset(adopted.len()), meter) {
        ControlFlow::Break(()) => return Ok(None),
        ControlFlow::Continue(true) => {}
        ControlFlow::Continue(false) => {
            let grown = growth.run.pieces.len() - growth.begun;
            return Err(too_few(config, adopted.len() + index(grown)));
        }
    }
    let run = &growth.run;
    let new = adopted.into_iter().chain(growth.begun..run.pieces.len());
    let pieces: Vec<Box<[u8]>> = new.map(|id| run.pieces.bytes(id).into()).collect();
    let least = missing.last().map(|&(count, _)| count);
    Ok(Some(Chosen {
        least_count: least
            .into_iter()
            .chain(run.least_count())
            .min()
            .unwrap_or(0),
        model: extended(tokenizer, &growth, &pieces, first_id),
        pieces,
    }))
}

/// The model with new pieces.
fn extended(tokenizer: &Tokenizer, growth: &Growth, new: &[Box<[u8]>], first_id: u32) -> Model {
    let mut model = tokenizer.definition().model.clone();
    let in_bytes = tokenizer.spells_bytes();
    match &mut model {
        Model::ByteRanks { ranks, .. } => {
            ranks
                .0
                .extend(new.iter().map(|bytes| bytes.to_vec()).zip(first_id..));
        }
        Model::BPE { vocab, merges, .. } => {
            vocab.extend(unfixed_literals(tokenizer));
            vocab.extend(
                new.iter()
                    .map(|bytes| spell(bytes, in_bytes))
                    .zip(first_id..),
            );
            let pieces = &growth.run.pieces;
            merges.extend(growth.run.merges.iter().map(|&(left, right)| {
                let side = |id| spell(pieces.bytes(id), in_bytes);
                (side(left), side(right))
            }));
        }
        _ => {}
    }
    model
}
