//! Models without some of their pieces, in the terms of their formats.

use rustc_hash::{FxHashMap, FxHashSet};

use super::refused;
use crate::definition::{Definition, MergeList, Model, PieceTable, Source};
use crate::error::{Error, Result};
use crate::ids::offset;
use crate::model::{ByteBpe, NEVER};
use crate::pipeline::Tokenizer;
use crate::sentencepiece::{mark_ids_unused, select_pieces};

/// From old ids to new ones.
#[derive(Debug)]
pub(super) struct Renumbered(FxHashMap<u32, u32>);

impl Renumbered {
    pub(super) fn new(ids: impl Iterator<Item = (u32, u32)>) -> Self {
        Self(ids.collect())
    }

    pub(super) fn get(&self, old: u32) -> Option<u32> {
        self.0.get(&old).copied()
    }

    /// The new id of a piece that stays.
    pub(super) fn expect(&self, old: u32) -> Result<u32> {
        self.get(old).ok_or_else(|| {
            Error::vocabulary(format!(
                "the tokenizer names id {old}, which has no piece or goes"
            ))
        })
    }
}

/// Take pieces out of use; all ids stay.
///
/// # Errors
/// Where the format cannot say it.
pub(super) fn retire(
    model: &mut Model,
    tokenizer: &Tokenizer,
    removed: &FxHashSet<u32>,
) -> Result<()> {
    match model {
        Model::BPE {
            continuing_subword_prefix,
            ignore_merges,
            vocab,
            merges,
            ..
        } => {
            let prefix = continuing_subword_prefix.as_deref().unwrap_or_default();
            let gone = vocab.iter().filter(|(_, id)| removed.contains(id));
            let gone: FxHashSet<&str> = gone.map(|(piece, _)| piece).collect();
            retain_merges(merges, prefix, |piece| !gone.contains(piece));
            if std::mem::take(ignore_merges) {
                let kept = vocab.iter().filter(|(_, id)| !removed.contains(id));
                check_reachable(tokenizer, kept)?;
            }
        }
        Model::Unigram { vocab, .. } => {
            for ((_, score), id) in vocab.iter_mut().zip(0_u32..) {
                if removed.contains(&id) {
                    *score = score.min(NEVER);
                }
            }
        }
        // Ranks may have gaps: a rank file says no more about an id than its bytes.
        Model::ByteRanks { ranks, .. } => ranks.0.retain(|(_, id)| !removed.contains(id)),
        Model::SentencePiece { proto } => {
            proto.0 = mark_ids_unused(&proto.0, |id| !removed.contains(&id))?;
        }
        Model::WordPiece { .. } | Model::WordLevel { .. } => {
            return Err(refused(
                "a file of this kind cannot say that a piece is not used; expected mode \"compact\"",
            ));
        }
    }
    Ok(())
}

fn retain_merges(merges: &mut MergeList, prefix: &str, is_kept: impl Fn(&str) -> bool) {
    merges.retain(|left, right| {
        let added = right.get(prefix.len()..).unwrap_or_default();
        is_kept(left) && is_kept(right) && is_kept(&format!("{left}{added}"))
    });
}

/// Where whole words are no longer looked up, merging must find every piece.
fn check_reachable<'p>(
    tokenizer: &Tokenizer,
    pieces: impl Iterator<Item = (&'p str, u32)>,
) -> Result<()> {
    let mut definition = tokenizer.definition().model.clone();
    if let Model::BPE { ignore_merges, .. } = &mut definition {
        *ignore_merges = false;
    }
    let Some(model) = ByteBpe::from_bpe(&definition) else {
        return Err(refused(
            "its file says ignore_merges, and its pieces are not bytes; expected mode \"compact\"",
        ));
    };
    let model = model?;
    let added: FxHashSet<u32> = tokenizer
        .added_tokens()
        .iter()
        .map(|token| token.id)
        .collect();
    let (mut scratch, mut ids) = (Default::default(), Vec::new());
    for (piece, id) in pieces.filter(|(_, id)| !added.contains(id)) {
        let Some(bytes) = model.token_bytes(id) else {
            continue; // not of bytes: no text finds it
        };
        ids.clear();
        model.encode(bytes, &mut scratch, &mut ids);
        if ids != [id] {
            return Err(refused(&format!(
                "its file says ignore_merges, and no merges make {piece:?}; expected mode \"compact\""
            )));
        }
    }
    Ok(())
}

/// The model with the pieces that stay under their new ids.
///
/// # Errors
/// Where the format has no place for an id.
pub(super) fn renumber(
    definition: &mut Definition,
    tokenizer: &Tokenizer,
    ids: &Renumbered,
) -> Result<()> {
    let literals = misplaced_literals(tokenizer, ids);
    match &mut definition.model {
        Model::BPE {
            continuing_subword_prefix,
            vocab,
            merges,
            ..
        } => {
            let prefix = continuing_subword_prefix.as_deref().unwrap_or_default();
            renumber_table(vocab, ids);
            let kept: FxHashSet<&str> = vocab.iter().map(|(piece, _)| piece).collect();
            retain_merges(merges, prefix, |piece| kept.contains(piece));
            vocab.extend(literals);
        }
        Model::WordPiece { vocab, .. } | Model::WordLevel { vocab, .. } => {
            renumber_table(vocab, ids);
            vocab.extend(literals);
        }
        Model::Unigram { unk_id, vocab, .. } => {
            let pieces = std::mem::take(vocab).into_iter().zip(0_u32..);
            let mut new: Vec<(u32, (String, f64))> = pieces
                .filter_map(|(piece, old)| Some((ids.get(old)?, piece)))
                .chain(
                    literals
                        .into_iter()
                        .map(|(content, id)| (id, (content, NEVER))),
                )
                .collect();
            new.sort_by_key(|&(id, _)| id);
            *vocab = new.into_iter().map(|(_, piece)| piece).collect();
            let old = unk_id.and_then(|id| u32::try_from(id).ok());
            *unk_id = old.and_then(|old| ids.get(old)).map(crate::ids::index);
        }
        Model::ByteRanks { ranks, .. } => {
            ranks
                .0
                .retain_mut(|(_, id)| ids.get(*id).map(|new| *id = new).is_some());
        }
        Model::SentencePiece { proto } => {
            let pieces = tokenizer
                .sentencepiece()
                .into_iter()
                .flat_map(|model| model.pieces());
            let mut order: Vec<(u32, u32)> = pieces
                .filter_map(|(old, _)| Some((ids.get(old)?, old)))
                .collect();
            order.sort_unstable();
            if (0..).zip(&order).any(|(place, &(new, _))| new != place) {
                return Err(Error::argument(
                    "special_ids",
                    "an added token that the model does not know comes before its pieces; \
                     expected its id after them",
                ));
            }
            let order: Vec<u32> = order.into_iter().map(|(_, old)| old).collect();
            proto.0 = select_pieces(&proto.0, &order)?;
        }
    }
    Ok(())
}

fn renumber_table(table: &mut PieceTable, ids: &Renumbered) {
    let kept = table
        .iter()
        .filter_map(|(piece, id)| Some((piece, ids.get(id)?)));
    *table = kept.collect();
}

/// Added tokens that are not in the vocabulary and do not follow it in order:
/// `tokenizers` would give them other ids unless the vocabulary fixes them.
fn misplaced_literals(tokenizer: &Tokenizer, ids: &Renumbered) -> Vec<(String, u32)> {
    if tokenizer.definition().source != Source::Tokenizers {
        return Vec::new();
    }
    let mut literals: Vec<(String, u32)> = tokenizer
        .added_tokens()
        .into_iter()
        .filter(|token| tokenizer.model_id(&token.content).is_none())
        .filter_map(|token| Some((token.content, ids.get(token.id)?)))
        .collect();
    literals.sort_by_key(|&(_, id)| id);
    let first = offset(ids.0.len() - literals.len());
    let follows = (first..).zip(&literals).all(|(id, &(_, new))| id == new);
    if follows { Vec::new() } else { literals }
}
