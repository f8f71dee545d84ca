//! Pieces and their ids, both ways.
//!
//! The rules are those of a JSON object read into a hash map: of two entries
//! with the same piece the later one counts. Two pieces may share an id; the
//! reference then names either of them, we name the first of the file.

use rustc_hash::FxHashMap;

use super::piece_index::PieceIndex;
use crate::definition::PieceTable;
use crate::ids::{index, offset};

const NONE: u32 = u32::MAX;

/// A map from pieces to ids and back. Ids may have gaps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vocabulary {
    pieces: PieceIndex,
    /// The id of each piece, by the piece's number.
    ids: Vec<u32>,
    /// The number of the piece of each small id.
    dense: Vec<u32>,
    /// The same for ids that are far above the number of pieces.
    sparse: FxHashMap<u32, u32>,
}

impl Vocabulary {
    /// Read the entries of a file in their order.
    pub(crate) fn new<'a>(entries: impl Iterator<Item = (&'a [u8], u32)> + Clone) -> Self {
        let (count, bytes) = entries.clone().fold((0, 0), |(count, bytes), (piece, _)| {
            (count + 1, bytes + piece.len())
        });
        let mut growing = Growing::with_capacity(count, bytes);
        entries.for_each(|(piece, id)| growing.add(piece, id));
        growing.finish()
    }

    /// Those of a definition.
    pub(crate) fn of(table: &PieceTable) -> Self {
        let mut growing = Growing::with_capacity(table.len(), table.total_bytes());
        let entries = table.iter();
        entries.for_each(|(piece, id)| growing.add(piece.as_bytes(), id));
        growing.finish()
    }

    /// The number of a piece, by which [`Vocabulary::numbered`] knows it.
    #[inline]
    pub(crate) fn number(&self, piece: &[u8]) -> Option<u32> {
        self.pieces.get(piece)
    }

    /// The piece with a number, and its id. Pieces are numbered in the order in
    /// which they first came.
    #[inline]
    pub(crate) fn numbered(&self, number: u32) -> Option<(&[u8], u32)> {
        let &id = self.ids.get(index(number))?;
        Some((self.pieces.piece(number), id))
    }

    fn index_ids(pieces: PieceIndex, ids: Vec<u32>) -> Self {
        let limit = ids.len() * 4 + 1024;
        let mut dense = Vec::new();
        let mut sparse = FxHashMap::default();
        for (number, &id) in ids.iter().enumerate() {
            if index(id) >= limit {
                sparse.entry(id).or_insert(offset(number));
                continue;
            }
            if index(id) >= dense.len() {
                dense.resize(index(id) + 1, NONE);
            }
            if dense[index(id)] == NONE {
                dense[index(id)] = offset(number);
            }
        }
        Self {
            pieces,
            ids,
            dense,
            sparse,
        }
    }

    /// The id of a piece.
    #[inline]
    pub(crate) fn id(&self, piece: &[u8]) -> Option<u32> {
        self.pieces.get(piece).map(|number| self.ids[index(number)])
    }

    #[inline]
    fn number_of(&self, id: u32) -> Option<u32> {
        match self.dense.get(index(id)) {
            Some(&number) => (number != NONE).then_some(number),
            None => self.sparse.get(&id).copied(),
        }
    }

    /// The piece of an id.
    #[inline]
    pub(crate) fn piece(&self, id: u32) -> Option<&[u8]> {
        self.number_of(id).map(|number| self.pieces.piece(number))
    }

    /// The piece of an id, if it is text.
    #[inline]
    pub(crate) fn text(&self, id: u32) -> Option<&str> {
        self.number_of(id)
            .and_then(|number| self.pieces.piece_text(number))
    }

    /// The same vocabulary, whose pieces are known to be text if they all are:
    /// where [`Vocabulary::text`] is asked for every token.
    pub(crate) fn checked(mut self) -> Self {
        self.pieces.check_text();
        self
    }

    /// Every piece with its id, in the order of the file.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], u32)> {
        (0_u32..)
            .zip(&self.ids)
            .map(|(number, &id)| (self.pieces.piece(number), id))
    }

    /// Every piece that is text with its id, in the order of the file.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, u32)> {
        self.iter()
            .filter_map(|(piece, id)| Some((std::str::from_utf8(piece).ok()?, id)))
    }

    /// How many pieces there are.
    pub(crate) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// No two pieces share an id.
    pub(crate) fn ids_are_unique(&self) -> bool {
        let named = self.dense.iter().filter(|&&number| number != NONE).count();
        named + self.sparse.len() == self.ids.len()
    }
}

/// A vocabulary to which pieces are added one by one.
#[derive(Debug)]
pub(crate) struct Growing {
    pieces: PieceIndex,
    ids: Vec<u32>,
}

impl Growing {
    /// With room for `count` pieces of `bytes` bytes in all.
    pub(crate) fn with_capacity(count: usize, bytes: usize) -> Self {
        Self {
            pieces: PieceIndex::with_capacity(count, bytes),
            ids: Vec::with_capacity(count),
        }
    }

    /// Add the next entry of a file.
    pub(crate) fn add(&mut self, piece: &[u8], id: u32) {
        let (number, new) = self.pieces.insert(piece);
        if new {
            self.ids.push(id);
        } else {
            self.ids[index(number)] = id;
        }
    }

    /// The vocabulary.
    pub(crate) fn finish(self) -> Vocabulary {
        Vocabulary::index_ids(self.pieces, self.ids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary(entries: &[(&'static str, u32)]) -> Vocabulary {
        Vocabulary::new(entries.iter().map(|&(piece, id)| (piece.as_bytes(), id)))
    }

    #[test]
    fn a_later_entry_of_the_same_piece_counts() {
        let vocabulary = vocabulary(&[("a", 0), ("b", 1), ("a", 7)]);
        assert_eq!(vocabulary.id(b"a"), Some(7));
        assert_eq!(vocabulary.piece(0), None);
        assert_eq!(vocabulary.text(7), Some("a"));
        assert_eq!(vocabulary.len(), 2);
        assert!(vocabulary.ids_are_unique());
    }

    #[test]
    fn ids_may_have_gaps_of_any_size() {
        let vocabulary = vocabulary(&[("a", 3), ("b", u32::MAX), ("c", 1_000_000)]);
        for (piece, id) in [("a", 3), ("b", u32::MAX), ("c", 1_000_000)] {
            assert_eq!(vocabulary.id(piece.as_bytes()), Some(id));
            assert_eq!(vocabulary.text(id), Some(piece));
        }
        assert_eq!(vocabulary.piece(2), None);
        assert_eq!(vocabulary.piece(u32::MAX - 1), None);
        assert!(vocabulary.dense.len() < 10);
    }

    #[test]
    fn a_shared_id_names_the_first_piece() {
        let vocabulary = vocabulary(&[("a", 0), ("b", 0)]);
        assert!(!vocabulary.ids_are_unique());
        assert_eq!(vocabulary.text(0), Some("a"));
        assert_eq!(vocabulary.iter().count(), 2);
    }
}
