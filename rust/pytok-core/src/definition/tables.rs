//! The large parts of a definition, each in a few flat buffers: a vocabulary of
//! 150,000 pieces and as many merges would otherwise be half a million strings.

use crate::ids::index;

/// Texts one after another. Invariant: `ends` ascends, has the boundaries of
/// characters only, and its last is the length of `text`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Texts {
    text: String,
    ends: Vec<u32>,
}

impl Texts {
    /// Append a text; `false` when all together would be longer than an offset tells.
    fn push(&mut self, text: &str) -> bool {
        let length = self.text.len() + text.len();
        let Ok(end) = u32::try_from(length) else {
            return false;
        };
        self.text.push_str(text);
        self.ends.push(end);
        true
    }

    fn get(&self, number: usize) -> &str {
        let start = number.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.text[index(start)..index(self.ends[number])]
    }

    fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// Pieces and their ids, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PieceTable {
    pieces: Texts,
    ids: Vec<u32>,
}

impl PieceTable {
    /// Every piece with its id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, u32)> + Clone {
        self.ids
            .iter()
            .enumerate()
            .map(|(number, &id)| (self.pieces.get(number), id))
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// There is no entry.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The bytes of all pieces.
    pub(crate) fn total_bytes(&self) -> usize {
        self.pieces.text.len()
    }

    /// Append a piece whose id follows by [`Self::push_id`]; `false` when there is
    /// no room for it.
    pub(crate) fn push_piece(&mut self, piece: &str) -> bool {
        self.pieces.push(piece)
    }

    /// The id of the piece that was appended last.
    pub(crate) fn push_id(&mut self, id: u32) {
        self.ids.push(id);
    }

    /// Give back the room that is not used.
    pub(crate) fn shrink(&mut self) {
        self.pieces.shrink();
        self.ids.shrink_to_fit();
    }
}

impl<S: AsRef<str>> Extend<(S, u32)> for PieceTable {
    /// # Panics
    /// When all pieces together have more than `u32::MAX` bytes.
    fn extend<T: IntoIterator<Item = (S, u32)>>(&mut self, entries: T) {
        for (piece, id) in entries {
            assert!(self.push_piece(piece.as_ref()), "pieces of 4 GB");
            self.push_id(id);
        }
    }
}

impl<S: AsRef<str>> FromIterator<(S, u32)> for PieceTable {
    fn from_iter<T: IntoIterator<Item = (S, u32)>>(entries: T) -> Self {
        let mut table = Self::default();
        table.extend(entries);
        table
    }
}

/// The merges of a BPE model, first the one that goes first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MergeList {
    /// Left, right, left, right.
    sides: Texts,
}

impl MergeList {
    /// The two sides of every merge.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> + Clone {
        (0..self.len()).map(|rank| (self.sides.get(2 * rank), self.sides.get(2 * rank + 1)))
    }

    /// How many merges there are.
    pub fn len(&self) -> usize {
        self.sides.ends.len() / 2
    }

    /// There is no merge.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Keep the merges of which `is_kept` says so.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&str, &str) -> bool) {
        let kept = self.iter().filter(|(left, right)| is_kept(left, right));
        *self = kept.collect();
    }

    /// Append a side; every merge has two. `false` when there is no room for it.
    pub(crate) fn push_side(&mut self, side: &str) -> bool {
        self.sides.push(side)
    }

    /// Give back the room that is not used.
    pub(crate) fn shrink(&mut self) {
        self.sides.shrink();
    }
}

impl<L: AsRef<str>, R: AsRef<str>> Extend<(L, R)> for MergeList {
    /// # Panics
    /// When all sides together have more than `u32::MAX` bytes.
    fn extend<T: IntoIterator<Item = (L, R)>>(&mut self, merges: T) {
        for (left, right) in merges {
            let has_room = self.push_side(left.as_ref()) && self.push_side(right.as_ref());
            assert!(has_room, "merges of 4 GB");
        }
    }
}

impl<L: AsRef<str>, R: AsRef<str>> FromIterator<(L, R)> for MergeList {
    fn from_iter<T: IntoIterator<Item = (L, R)>>(merges: T) -> Self {
        let mut list = Self::default();
        list.extend(merges);
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_give_back_what_was_put_in() {
        let entries = [("", 7), ("中", 0), ("ab", 7), ("中", 3)];
        let mut table: PieceTable = entries.into_iter().collect();
        assert!(table.iter().eq(entries));
        assert_eq!((table.len(), table.total_bytes()), (4, 8));
        table.extend([("é".to_owned(), 9)]);
        assert_eq!(table.iter().last(), Some(("é", 9)));
        assert!(PieceTable::default().is_empty());
        let merges = [("a", "b"), ("ab", ""), ("", "中")];
        let mut list: MergeList = merges.into_iter().collect();
        assert!(list.iter().eq(merges));
        list.retain(|left, _| left != "ab");
        assert!(list.iter().eq([("a", "b"), ("", "中")]));
        assert_eq!(list.len(), 2);
    }
}
