//! The pieces of a SentencePiece model, as those of BPE or Unigram.

use std::collections::hash_map::Entry::Vacant;

use rustc_hash::FxHashMap;

use super::lattice::{Entry, Lattice};
use super::merges::{Made, MergeParts, derive};
use super::{Alternatives, Places, refused};
use crate::error::Result;
use crate::ids::{index, offset};
use crate::model::bpe::chain::Chain;
use crate::model::bpe::merges::{Merge, MergeTable};
use crate::sentencepiece::{PieceKind, SentencePiece};

pub(super) fn alternatives(model: &SentencePiece, places: &Places) -> Result<Alternatives> {
    if model.is_bpe() {
        bpe(model, places).map(Alternatives::Merges)
    } else if model.is_unigram() {
        unigram(model, places).map(Alternatives::Lattice)
    } else {
        Err(refused(
            "a SentencePiece model of words or characters; expected BPE or unigram",
        ))
    }
}

/// The ids of the 256 bytes.
fn byte_ids(model: &SentencePiece) -> Option<Box<[u32; 256]>> {
    let mut ids = Box::new([0; 256]);
    for (byte, id) in ids.iter_mut().enumerate() {
        *id = model
            .id(&format!("<0x{byte:02X}>"))
            .filter(|&id| model.kind(id) == Some(PieceKind::Byte))?;
    }
    Some(ids)
}

fn unigram(model: &SentencePiece, places: &Places) -> Result<Lattice> {
    let is_normal = |id: u32| model.kind(id) == Some(PieceKind::Normal);
    let score = |id: u32| f64::from(model.score(id).unwrap_or_default());
    let normal = model.pieces().filter(|&(id, _)| is_normal(id));
    let least = normal.fold(f64::INFINITY, |least, (id, _)| least.min(score(id)));
    let entries = model.pieces().map(|(id, text)| {
        let is_found = is_normal(id);
        (
            id,
            Entry {
                text,
                score: score(id),
                is_found,
            },
        )
    });
    let bytes = byte_ids(model).map(|bytes| (least, bytes));
    Lattice::new(entries, places, bytes)
}

/// The symbols of a BPE model: its pieces, and characters that are none.
struct Symbols<'m> {
    /// The id of each text.
    of_text: FxHashMap<&'m str, u32>,
    /// Characters without a piece, by their number after the pieces.
    characters: Vec<char>,
    first: u32,
}

fn bpe(model: &SentencePiece, places: &Places) -> Result<MergeParts> {
    // User-defined symbols are found before anything is merged.
    let merges = |id: u32| matches!(model.kind(id), Some(PieceKind::Normal | PieceKind::Unused));
    let pieces: Vec<(u32, &str)> = model.pieces().filter(|&(id, _)| merges(id)).collect();
    let symbols = Symbols::new(model, &pieces);
    let table = merge_table(model, &pieces, &symbols);
    let bytes = byte_ids(model);
    let mut found = MergeParts::new(places.len());
    let mut chain = Chain::default();
    for &(id, text) in &pieces {
        let Some(&place) = places.get(&id) else {
            continue;
        };
        let of_text: Vec<u32> = characters(text)
            .filter_map(|one| symbols.of_text.get(one))
            .copied()
            .collect();
        let made = derive(&table, &of_text, id, &mut chain);
        let (rest, needs) = match &made {
            Made::Symbol => (vec![id], Vec::new()),
            Made::Merged(pair) => (pair.to_vec(), pair.to_vec()),
            Made::Never(rest) => (rest.clone(), Vec::new()),
        };
        let spelled = rest.iter().map(|&symbol| {
            let character = match symbol.checked_sub(symbols.first) {
                Some(number) => symbols.characters.get(index(number)).copied(),
                None if symbol == id => text.chars().next(),
                None => return Some(vec![*places.get(&symbol)?]),
            };
            in_bytes(character?, bytes.as_deref()?, places)
        });
        let Some(parts) = spelled.collect::<Option<Vec<_>>>() else {
            continue; // nothing stands for one of its characters
        };
        let needs: Vec<u32> = needs
            .iter()
            .filter_map(|id| places.get(id))
            .copied()
            .collect();
        match made {
            Made::Merged(_) => found.set_merged(place, &parts.concat(), &needs),
            _ => found.set_unmade(place, &parts.concat(), matches!(made, Made::Never(_))),
        }
    }
    Ok(found)
}

/// The places of a character's bytes.
fn in_bytes(character: char, ids: &[u32; 256], places: &Places) -> Option<Vec<u32>> {
    let mut buffer = [0; 4];
    let bytes = character.encode_utf8(&mut buffer).bytes();
    bytes
        .map(|byte| places.get(&ids[usize::from(byte)]).copied())
        .collect()
}

/// Any two symbols whose texts make a piece are merged, those of the piece with the
/// highest score first.
fn merge_table(model: &SentencePiece, pieces: &[(u32, &str)], symbols: &Symbols<'_>) -> MergeTable {
    let score = |id: u32| model.score(id).unwrap_or_default();
    let mut order: Vec<f32> = pieces.iter().map(|&(id, _)| score(id)).collect();
    order.sort_by(|left, right| right.total_cmp(left));
    order.dedup_by(|left, right| left.total_cmp(right).is_eq());
    let mut merges = Vec::new();
    for &(id, text) in pieces {
        let rank = order.partition_point(|other| other.total_cmp(&score(id)).is_gt());
        for (middle, _) in text.char_indices().skip(1) {
            let (left, right) = text.split_at(middle);
            if let (Some(&left), Some(&right)) =
                (symbols.of_text.get(left), symbols.of_text.get(right))
            {
                let rank = offset(rank);
                merges.push((left, right, Merge { rank, id }));
            }
        }
    }
    let mut table = MergeTable::with_capacity(merges.len());
    for (left, right, merge) in merges {
        table.insert(left, right, merge);
    }
    table
}

fn characters(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices()
        .map(|(start, character)| &text[start..start + character.len_utf8()])
}

impl<'m> Symbols<'m> {
    fn new(model: &SentencePiece, pieces: &[(u32, &'m str)]) -> Self {
        let mut symbols = Self {
            of_text: pieces.iter().map(|&(id, text)| (text, id)).collect(),
            characters: Vec::new(),
            first: offset(model.len()),
        };
        for one in pieces.iter().flat_map(|&(_, text)| characters(text)) {
            let next = symbols.first + offset(symbols.characters.len());
            if let Vacant(entry) = symbols.of_text.entry(one) {
                entry.insert(next);
                symbols.characters.extend(one.chars());
            }
        }
        symbols
    }
}
