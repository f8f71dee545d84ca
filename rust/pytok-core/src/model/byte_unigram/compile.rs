//! Definitions to [`ByteUnigram`].
//!
//! The reference adds scores in double precision, from the left. Multiples of
//! 1/1024 are added without rounding as long as the sums are below 2^43, so
//! integers make the same comparisons. A cheapest segmentation is no dearer
//! than the bytes one by one; with bytes of less than 2^21 units, no sum in a
//! text of 4 GiB comes near the limit of 2^53 units.
//!
//! A piece that is dearer than other pieces for the same bytes is on no
//! cheapest way to any position, whatever surrounds it. It has an id and
//! decodes, but is left out of the search: so pieces that must never be used,
//! which have very low scores, cost nothing.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use super::super::cuts::Cuts;
use super::super::identity;
use super::super::trie::Trie;
use super::super::vocabulary::Vocabulary;
use super::characters::Characters;
use super::engine::ByteUnigram;
use super::lattice::Lattice;
use super::pairs::Pairs;
use super::segments::Segments;
use crate::definition;
use crate::error::Result;
use crate::ids::index;
use crate::pretokenize::byte_alphabet;

/// How many units a nat has.
pub(super) const UNITS: f64 = 1024.0;

/// No byte of a text costs this much or more.
const BYTE_LIMIT: u32 = 1 << 21;

impl ByteUnigram {
    /// Compile a [`definition::Model::Unigram`] whose pieces are written in
    /// the byte alphabet: encoding the bytes of a word then gives the same ids
    /// as encoding its spelling with [`super::super::Unigram`].
    ///
    /// `None` if the model is none of that kind: the 256 characters of the
    /// alphabet must all be pieces, no piece may stand twice or be empty, and
    /// there must be no unknown piece and no byte fallback. Scores must be
    /// multiples of 1/1024 between -2^22 and 0; those of bytes above -2048.
    /// Pieces with other characters, such as added tokens, are never made from
    /// bytes and have no place in the result.
    ///
    /// # Errors
    /// Those of [`super::super::Unigram::compile`].
    pub fn from_unigram(definition: &definition::Model) -> Option<Result<Self>> {
        let definition::Model::Unigram {
            unk_id: None,
            vocab,
            byte_fallback: false,
        } = definition
        else {
            return None;
        };
        let distinct: FxHashSet<&str> = vocab.iter().map(|(piece, _)| piece.as_str()).collect();
        if distinct.len() < vocab.len() || vocab.len() > index(Pairs::LIMIT) {
            return None;
        }
        let costs: Vec<u32> = vocab
            .iter()
            .map(|&(_, score)| units(score))
            .collect::<Option<_>>()?;
        let pieces: Vec<(Vec<u8>, u32)> = vocab
            .iter()
            .zip(0..)
            .filter_map(|((piece, _), id)| Some((byte_alphabet::decode(piece)?, id)))
            .collect();
        let entries = || pieces.iter().map(|(bytes, id)| (bytes.as_slice(), *id));
        let vocabulary = Vocabulary::new(entries());
        if vocabulary.id(&[]).is_some() {
            return None;
        }
        let bytes = byte_ids(&vocabulary, &costs)?;
        Some(Trie::build(entries()).and_then(|all| {
            let mut lattice = Lattice::default();
            let kept: Vec<(&[u8], u32)> = entries()
                .filter(|&(piece, id)| is_useful(&all, &costs, piece, id, &mut lattice))
                .collect();
            let trie = Trie::build(kept.iter().copied())?;
            let kept_pieces = || kept.iter().map(|&(piece, _)| piece);
            Ok(Self {
                identity: identity::next(),
                bytes,
                segments: Segments {
                    cuts: Cuts::new(kept_pieces()),
                    characters: Characters::new(&trie, &costs),
                    pairs: Pairs::new(kept_pieces(), &trie),
                },
                aligned: kept.iter().all(|&(piece, _)| is_aligned(piece)),
                trie,
                all: OnceLock::new(),
                costs,
                vocabulary,
            })
        }))
    }
}

/// A score as a cost in units, if it is one exactly.
#[allow(clippy::as_conversions)] // in range and whole
fn units(score: f64) -> Option<u32> {
    let units = -score * UNITS;
    let whole = (0.0..=f64::from(u32::MAX)).contains(&units) && units.fract() == 0.0;
    whole.then_some(units as u32)
}

/// The ids of the 256 bytes, if they are all there and cheap enough. Bytes
/// that no text has may cost anything.
fn byte_ids(vocabulary: &Vocabulary, costs: &[u32]) -> Option<Box<[u32; 256]>> {
    let mut ids = Box::new([0; 256]);
    for byte in 0..=u8::MAX {
        let id = vocabulary.id(&[byte])?;
        if costs[index(id)] >= BYTE_LIMIT && !matches!(byte, 0xC0 | 0xC1 | 0xF5..) {
            return None;
        }
        ids[usize::from(byte)] = id;
    }
    Some(ids)
}

/// Whether other pieces are not cheaper than a piece for the same bytes.
fn is_useful(all: &Trie, costs: &[u32], piece: &[u8], id: u32, lattice: &mut Lattice) -> bool {
    if piece.len() == 1 {
        return true;
    }
    // The piece itself takes part, so nothing dearer is found.
    lattice.begin(piece.len());
    for start in 0..piece.len() {
        lattice.extend(all, costs, piece, start);
    }
    lattice.cost() == u64::from(costs[index(id)])
}

/// Whether a piece has whole characters only, or lies inside a single one.
fn is_aligned(piece: &[u8]) -> bool {
    let continues = |byte: &u8| (0x80..0xC0).contains(byte);
    std::str::from_utf8(piece).is_ok() || piece.iter().skip(1).all(continues)
}
