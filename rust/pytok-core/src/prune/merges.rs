//! BPE: what a piece was merged from stands for it.
//!
//! Let t be made somewhere in a word. No merge crossed its ends before, so the
//! merges inside came in the order in which they come when t is encoded alone,
//! and the last one is the same. That one pair is what t needs, and what is left
//! where t is gone; other pairs that spell t never meet.
//!
//! Pieces with a prefix or suffix by their place in a word cannot be encoded
//! alone: there every merge that makes a piece counts.

use super::{Mode, Places};
use crate::definition::{MergeList, Model, RankTable};
use crate::error::{Error, Result};
use crate::ids::index;
use crate::model::ByteBpe;
use crate::model::bpe::chain::Chain;
use crate::model::bpe::compile_merges;
use crate::model::bpe::merges::{Merge, MergeTable, Merges};
use crate::model::bpe::short::{SHORT, merge_short};
use crate::model::vocabulary::Vocabulary;

/// The alternative of every piece, by places.
#[derive(Debug)]
pub(super) struct MergeParts {
    /// Empty for a piece that others do not stand for.
    parts: Vec<Box<[u32]>>,
    /// Empty for a piece that no merge makes.
    needs: Vec<Box<[u32]>>,
    unreachable: Vec<bool>,
}

/// Merges of which none makes one piece.
struct Without<'t> {
    table: &'t MergeTable,
    excluded: u32,
}

impl Merges for Without<'_> {
    fn get(&self, left: u32, right: u32) -> Option<Merge> {
        let merge = self.table.get(left, right)?;
        (merge.id != self.excluded).then_some(merge)
    }

    fn is_current(&self, rank: u32, now: Merge) -> bool {
        self.table.is_current(rank, now)
    }
}

/// How a piece is made from the symbols of its text.
pub(super) enum Made {
    /// It is a symbol itself.
    Symbol,
    /// Merging arrives at these two, and then at the piece.
    Merged([u32; 2]),
    /// Merging ends at these.
    Never(Vec<u32>),
}

/// How merging makes a piece.
pub(super) fn derive(table: &MergeTable, symbols: &[u32], piece: u32, chain: &mut Chain) -> Made {
    if symbols.len() == 1 {
        return Made::Symbol;
    }
    let merges = Without {
        table,
        excluded: piece,
    };
    let mut rest = symbols.to_vec();
    if symbols.len() <= SHORT {
        let count = merge_short(&merges, &mut rest, &mut [(); SHORT][..symbols.len()]);
        rest.truncate(count);
    } else {
        chain.clear();
        symbols.iter().for_each(|&symbol| chain.push(symbol, 1));
        chain.merge(&merges);
        rest.clear();
        rest.extend(chain.symbols().map(|(id, _)| id));
    }
    match rest[..] {
        [left, right]
            if table
                .get(left, right)
                .is_some_and(|merge| merge.id == piece) =>
        {
            Made::Merged([left, right])
        }
        _ => Made::Never(rest),
    }
}

impl MergeParts {
    pub(super) fn new(count: usize) -> Self {
        Self {
            parts: vec![Box::default(); count],
            needs: vec![Box::default(); count],
            unreachable: vec![false; count],
        }
    }

    /// Pieces that a merge makes of two others.
    pub(super) fn set_merged(&mut self, place: u32, parts: &[u32], needs: &[u32]) {
        self.parts[index(place)] = parts.into();
        self.needs[index(place)] = needs.into();
    }

    /// A piece that merging does not make, and what it makes instead.
    pub(super) fn set_unmade(&mut self, place: u32, parts: &[u32], is_unreachable: bool) {
        self.parts[index(place)] = parts.into();
        self.unreachable[index(place)] = is_unreachable;
    }

    /// The pieces of a rank table. A word that is a piece is that piece, so every
    /// piece is reachable.
    pub(super) fn of_ranks(ranks: &RankTable, places: &Places) -> Result<Self> {
        let model = ByteBpe::from_ranks(ranks, None)?;
        let bytes = model.byte_ids();
        let mut found = Self::new(places.len());
        let mut chain = Chain::default();
        for (piece, id) in &ranks.0 {
            let symbols: Vec<u32> = piece.iter().map(|&byte| bytes[usize::from(byte)]).collect();
            found.set(
                *id,
                derive(model.merges(), &symbols, *id, &mut chain),
                places,
                false,
            );
        }
        Ok(found)
    }

    /// The pieces of a BPE model.
    pub(super) fn of_bpe(model: &Model, places: &Places, mode: Mode) -> Result<Self> {
        let Model::BPE {
            continuing_subword_prefix,
            end_of_word_suffix,
            byte_fallback,
            ignore_merges,
            vocab,
            merges,
            ..
        } = model
        else {
            return Err(super::refused("not a BPE model"));
        };
        let vocabulary = Vocabulary::of(vocab);
        if !vocabulary.ids_are_unique() {
            return Err(Error::vocabulary(
                "model.vocab: two pieces share an id; expected an id for each piece",
            ));
        }
        let prefix = continuing_subword_prefix.as_deref().unwrap_or_default();
        let suffix = end_of_word_suffix.as_deref().unwrap_or_default();
        if !prefix.is_empty() || !suffix.is_empty() {
            return Ok(Self::of_listed(&vocabulary, merges, prefix.len(), places));
        }
        let table = compile_merges(&vocabulary, merges, 0)?;
        let fallback = byte_fallback.then(|| fallback_ids(&vocabulary)).flatten();
        let mut found = Self::new(places.len());
        let mut chain = Chain::default();
        for (piece, id) in vocabulary.texts() {
            let Some(symbols) = symbols(piece, &vocabulary, fallback.as_deref()) else {
                if !ignore_merges && let Some(&place) = places.get(&id) {
                    found.set_unmade(place, &[place], true);
                }
                continue;
            };
            let made = derive(&table, &symbols, id, &mut chain);
            if let (Made::Symbol, Some(bytes), Mode::Compact) = (&made, &fallback, mode) {
                // The bytes of a character without a piece stand for it.
                let parts = piece.bytes().map(|byte| bytes[usize::from(byte)]).collect();
                found.set(id, Made::Never(parts), places, false);
            } else {
                found.set(id, made, places, !ignore_merges);
            }
        }
        Ok(found)
    }

    /// The pieces of merges that are taken as they are listed.
    fn of_listed(
        vocabulary: &Vocabulary,
        merges: &MergeList,
        prefix: usize,
        places: &Places,
    ) -> Self {
        let mut found = Self::new(places.len());
        for (left, right) in merges.iter() {
            let result = format!("{left}{}", right.get(prefix..).unwrap_or_default());
            let place = |piece: &str| places.get(&vocabulary.id(piece.as_bytes())?).copied();
            if let (Some(left), Some(right), Some(place)) =
                (place(left), place(right), place(&result))
            {
                let at = index(place);
                if found.parts[at].is_empty() {
                    found.parts[at] = Box::new([left, right]);
                }
                found.needs[at] = [&found.needs[at], &[left, right][..]].concat().into();
            }
        }
        found
    }

    fn set(&mut self, id: u32, made: Made, places: &Places, is_unreachable: bool) {
        let Some(&place) = places.get(&id) else {
            return;
        };
        let of = |ids: &[u32]| -> Option<Vec<u32>> {
            ids.iter().map(|id| places.get(id).copied()).collect()
        };
        match made {
            Made::Symbol => {}
            Made::Merged(pair) => {
                if let Some(parts) = of(&pair) {
                    self.set_merged(place, &parts, &parts);
                }
            }
            Made::Never(rest) => {
                if let Some(parts) = of(&rest) {
                    self.set_unmade(place, &parts, is_unreachable);
                }
            }
        }
    }

    /// What stands for a piece; of parts that are gone, what stands for those.
    pub(super) fn parts(&self, place: u32, active: &[bool]) -> Option<Vec<u32>> {
        let mut found = Vec::new();
        let mut open: Vec<u32> = self.parts[index(place)].iter().rev().copied().collect();
        if open.is_empty() {
            return None;
        }
        while let Some(part) = open.pop() {
            let inner = &self.parts[index(part)];
            if active[index(part)] || inner.is_empty() {
                found.push(part);
            } else {
                open.extend(inner.iter().rev());
            }
        }
        Some(found)
    }

    /// How many pieces stand for a piece: the number of [`MergeParts::parts`].
    pub(super) fn count(&self, place: u32, active: &[bool]) -> Option<usize> {
        let parts = &self.parts[index(place)];
        if parts.iter().all(|&part| active[index(part)]) {
            return (!parts.is_empty()).then_some(parts.len());
        }
        self.parts(place, active).map(|parts| parts.len())
    }

    pub(super) fn needs(&self, place: u32) -> &[u32] {
        &self.needs[index(place)]
    }

    pub(super) fn is_unreachable(&self, place: u32) -> bool {
        self.unreachable[index(place)]
    }
}

/// The symbols that a word begins as; `None` when a character has none.
fn symbols(
    piece: &str,
    vocabulary: &Vocabulary,
    fallback: Option<&[u32; 256]>,
) -> Option<Vec<u32>> {
    let mut symbols = Vec::with_capacity(piece.len());
    let mut buffer = [0; 4];
    for character in piece.chars() {
        let bytes = character.encode_utf8(&mut buffer).as_bytes();
        match (vocabulary.id(bytes), fallback) {
            (Some(id), _) => symbols.push(id),
            (None, Some(ids)) => symbols.extend(bytes.iter().map(|&byte| ids[usize::from(byte)])),
            (None, None) => return None,
        }
    }
    (!symbols.is_empty()).then_some(symbols)
}

/// The ids of `<0x00>` to `<0xFF>`.
pub(super) fn fallback_ids(vocabulary: &Vocabulary) -> Option<Box<[u32; 256]>> {
    let mut ids = Box::new([0; 256]);
    for (byte, id) in ids.iter_mut().enumerate() {
        *id = vocabulary.id(format!("<0x{byte:02X}>").as_bytes())?;
    }
    Some(ids)
}
