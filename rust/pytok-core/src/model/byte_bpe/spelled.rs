//! A vocabulary in the byte alphabet, taken for one of bytes.

use super::super::bpe::merges::{Merge, MergeTable};
use super::super::vocabulary::{Growing, Vocabulary};
use crate::definition::{MergeList, PieceTable};
use crate::ids::offset;
use crate::pretokenize::byte_alphabet::decode_into;

/// Pieces that are written in the byte alphabet, as bytes, and all others.
pub(super) struct Spelled {
    pub(super) vocabulary: Vocabulary,
    /// Such as added tokens.
    literals: Vocabulary,
}

impl Spelled {
    /// `None` when two pieces share an id, or when one is too large.
    pub(super) fn new(table: &PieceTable) -> Option<Self> {
        let mut vocabulary = Growing::with_capacity(table.len(), table.total_bytes());
        let mut literals = Growing::with_capacity(0, 0);
        let mut bytes = Vec::new();
        for (piece, id) in table.iter() {
            bytes.clear();
            if decode_into(piece, &mut bytes) {
                vocabulary.add(&bytes, id);
            } else {
                literals.add(piece.as_bytes(), id);
            }
        }
        let (vocabulary, literals) = (vocabulary.finish(), literals.finish());
        let is_own = |&(_, id): &(&[u8], u32)| vocabulary.piece(id).is_none() && id != u32::MAX;
        let are_own = vocabulary.ids_are_unique()
            && vocabulary.piece(u32::MAX).is_none()
            && literals.ids_are_unique()
            && literals.iter().all(|entry| is_own(&entry));
        are_own.then_some(Self {
            vocabulary,
            literals,
        })
    }

    /// The merges of these pieces; `None` when one of them has no place in the
    /// vocabulary or adds nothing to a piece.
    ///
    /// Merges are mostly listed in the order of what they make, so that the piece
    /// after the last one made is tried before it is looked for.
    pub(super) fn merges(&self, merges: &MergeList) -> Option<MergeTable> {
        let mut found = Vec::with_capacity(merges.len());
        let mut next = 0;
        let mut bytes = Vec::new();
        for (rank, (left, right)) in merges.iter().enumerate() {
            if left.is_empty() || right.is_empty() {
                return None;
            }
            bytes.clear();
            let is_left = decode_into(left, &mut bytes);
            let middle = bytes.len();
            let is_right = decode_into(right, &mut bytes);
            let of = |is_spelled: bool, bytes: &[u8], text: &str| match is_spelled {
                true => self.vocabulary.id(bytes),
                false => self.literals.id(text.as_bytes()),
            };
            let left_id = of(is_left, &bytes[..middle], left)?;
            let right_id = of(is_right, &bytes[middle..], right)?;
            let id = match self.vocabulary.numbered(next) {
                _ if !(is_left && is_right) => {
                    self.literals.id([left, right].concat().as_bytes())?
                }
                Some((piece, id)) if piece == bytes => {
                    next += 1;
                    id
                }
                _ => {
                    let number = self.vocabulary.number(&bytes)?;
                    next = number + 1;
                    self.vocabulary.numbered(number)?.1
                }
            };
            let rank = offset(rank);
            found.push((left_id, right_id, Merge { rank, id }));
        }
        // With nothing in between, the processor waits for many slots at once.
        let mut table = MergeTable::with_capacity(merges.len());
        for (left, right, merge) in found {
            table.insert(left, right, merge);
        }
        table.check_ranks();
        Some(table)
    }
}
