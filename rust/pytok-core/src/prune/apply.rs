//! A tokenizer without some of its pieces, and the map from old ids to new ones.

use rustc_hash::{FxHashMap, FxHashSet};

use super::models::{self, Renumbered};
use super::{Mode, Pruner, protect};
use crate::definition::{Definition, PostProcessor};
use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::pipeline::{EncodeOptions, SpecialPolicy, Tokenizer};
use crate::sentencepiece::PieceKind;

/// A pruned tokenizer.
#[derive(Debug)]
pub struct Pruned {
    /// The tokenizer.
    pub tokenizer: Tokenizer,
    /// The ids that stay, ascending, and what they are now.
    pub id_map: Vec<(u32, u32)>,
}

/// Take pieces out of a tokenizer: those that [`super::Pruner::plan`] named, or any
/// set of them in which no piece that stays is made of one that goes.
///
/// `special_ids` are added tokens, or control pieces of a SentencePiece model, and
/// the ids that they get; for [`Mode::Compact`] only.
///
/// # Errors
/// [`Error::Argument`] for a special id that cannot be given, and where a format
/// cannot say what is asked for.
pub fn apply(
    tokenizer: &Tokenizer,
    removed: &[u32],
    mode: Mode,
    special_ids: &[(String, u32)],
) -> Result<Pruned> {
    let mut ids: Vec<u32> = tokenizer.vocab().into_iter().map(|(_, id)| id).collect();
    ids.dedup();
    apply_to(tokenizer, &ids, removed, mode, special_ids)
}

impl Pruner {
    /// What encodes as `tokenizer`, which this is of, does without pieces; `None`
    /// where [`Tokenizer::without`] says so.
    ///
    /// # Errors
    /// As [`apply`] in [`Mode::Stable`].
    pub fn encoder(&self, tokenizer: &Tokenizer, removed: &[u32]) -> Result<Option<Tokenizer>> {
        let mut is_gone = vec![false; self.ids().last().map_or(0, |&last| index(last) + 1)];
        for &id in removed {
            if let Some(gone) = is_gone.get_mut(index(id)) {
                *gone = true;
            }
        }
        let encoder = tokenizer.without(&is_gone);
        if let Some(encoder) = &encoder {
            check(tokenizer, encoder, Some)?;
        }
        Ok(encoder)
    }

    /// As [`apply`], for the tokenizer that this is of: its ids are known here, and
    /// asking for them is a third of the work.
    ///
    /// # Errors
    /// As [`apply`].
    pub fn apply(
        &self,
        tokenizer: &Tokenizer,
        removed: &[u32],
        mode: Mode,
        special_ids: &[(String, u32)],
    ) -> Result<Pruned> {
        apply_to(tokenizer, self.ids(), removed, mode, special_ids)
    }
}

fn apply_to(
    tokenizer: &Tokenizer,
    ids: &[u32],
    removed: &[u32],
    mode: Mode,
    special_ids: &[(String, u32)],
) -> Result<Pruned> {
    let removed: FxHashSet<u32> = removed.iter().copied().collect();
    let mut kept = ids.to_vec();
    kept.retain(|id| !removed.contains(id));
    let mut definition = tokenizer.definition().clone();
    definition.added_tokens = tokenizer.added_tokens();
    let id_map: Vec<(u32, u32)> = match mode {
        Mode::Stable if !special_ids.is_empty() => {
            return Err(refused(
                "ids stay in mode \"stable\"; expected none there".to_owned(),
            ));
        }
        Mode::Stable => {
            models::retire(&mut definition.model, tokenizer, &removed)?;
            kept.iter().map(|&id| (id, id)).collect()
        }
        Mode::Compact => {
            let new = number(&kept, &requested(tokenizer, special_ids)?)?;
            let renumbered = Renumbered::new(kept.iter().copied().zip(new.iter().copied()));
            renumber(&mut definition, tokenizer, &renumbered)?;
            kept.into_iter().zip(new).collect()
        }
    };
    let pruned = Tokenizer::compile_with(definition, tokenizer.chinese().cloned())?;
    check(tokenizer, &pruned, |id| {
        let place = id_map.binary_search_by_key(&id, |&(old, _)| old);
        place.ok().map(|place| id_map[place].1)
    })?;
    Ok(Pruned {
        tokenizer: pruned,
        id_map,
    })
}

fn refused(message: String) -> Error {
    Error::argument("special_ids", message)
}

/// The old ids of the special tokens and what they become.
fn requested(tokenizer: &Tokenizer, special_ids: &[(String, u32)]) -> Result<FxHashMap<u32, u32>> {
    let mut requested = FxHashMap::default();
    let added: FxHashSet<u32> = tokenizer
        .added_tokens()
        .iter()
        .map(|token| token.id)
        .collect();
    for (content, new) in special_ids {
        let is_special = |id: &u32| {
            let kind = tokenizer.sentencepiece().and_then(|model| model.kind(*id));
            added.contains(id)
                || !matches!(kind, None | Some(PieceKind::Normal | PieceKind::Unused))
        };
        let old = tokenizer
            .token_to_id(content)
            .filter(is_special)
            .ok_or_else(|| refused(format!("{content:?} is no special token of this tokenizer")))?;
        if requested.insert(old, *new).is_some() {
            return Err(refused(format!("{content:?} stands twice")));
        }
    }
    Ok(requested)
}

/// New ids from 0 on: those that are asked for, and the free ones in order.
fn number(kept: &[u32], requested: &FxHashMap<u32, u32>) -> Result<Vec<u32>> {
    let mut taken = vec![false; kept.len()];
    for &new in requested.values() {
        let free = taken.get_mut(index(new)).ok_or_else(|| {
            refused(format!(
                "id {new}, expected ids below {}, the number of pieces",
                kept.len()
            ))
        })?;
        if std::mem::replace(free, true) {
            return Err(refused(format!("id {new} is asked for twice")));
        }
    }
    let mut free = (0..offset(kept.len())).filter(|&id| !taken[index(id)]);
    let numbers = kept
        .iter()
        .filter_map(|old| requested.get(old).copied().or_else(|| free.next()));
    Ok(numbers.collect())
}

fn renumber(definition: &mut Definition, tokenizer: &Tokenizer, ids: &Renumbered) -> Result<()> {
    models::renumber(definition, tokenizer, ids)?;
    for token in &mut definition.added_tokens {
        token.id = ids.expect(token.id)?;
    }
    definition.added_tokens.sort_by_key(|token| token.id);
    if let Some(processor) = &mut definition.post_processor {
        renumber_processor(processor, ids)?;
    }
    if let Some(id) = protect::padding_id(definition)
        && let (Some(padding), Some(new)) = (&mut definition.padding, ids.get(id))
    {
        padding["pad_id"] = new.into();
    }
    Ok(())
}

fn renumber_processor(processor: &mut PostProcessor, ids: &Renumbered) -> Result<()> {
    match processor {
        PostProcessor::BertProcessing { sep, cls }
        | PostProcessor::RobertaProcessing { sep, cls, .. } => {
            sep.1 = ids.expect(sep.1)?;
            cls.1 = ids.expect(cls.1)?;
        }
        PostProcessor::ByteLevel { .. } => {}
        PostProcessor::TemplateProcessing { special_tokens, .. } => {
            for id in special_tokens.values_mut().flat_map(|token| &mut token.ids) {
                *id = ids.expect(*id)?;
            }
        }
        PostProcessor::Sequence { processors } => {
            for inner in processors {
                renumber_processor(inner, ids)?;
            }
        }
    }
    Ok(())
}

/// Added tokens have the ids that `id_of` says, and are no tokens of plain text
/// that they were not before.
fn check(before: &Tokenizer, after: &Tokenizer, id_of: impl Fn(u32) -> Option<u32>) -> Result<()> {
    let options = EncodeOptions {
        special: SpecialPolicy::Text,
        add_special_tokens: false,
        ..EncodeOptions::default()
    };
    for token in before.added_tokens() {
        let new = id_of(token.id);
        let found = after.token_to_id(&token.content);
        let ids = |tokenizer: &Tokenizer| tokenizer.encode_ids(&token.content, &options);
        let is_plain = |tokenizer: &Tokenizer, id| ids(tokenizer).is_ok_and(|ids| ids == [id]);
        if found != new || is_plain(before, token.id) != new.is_some_and(|new| is_plain(after, new))
        {
            let what = new.map_or("no id".to_owned(), |id| format!("id {id}"));
            return Err(refused(format!(
                "the added token {:?} would be read otherwise with {what}: this format \
                 cannot say that it is found in texts as before",
                token.content
            )));
        }
    }
    Ok(())
}
