//! The cheapest segmentation of a byte string.

use super::costs::REMOVED;
use crate::error::Result;
use crate::ids::{index, offset};
use crate::model::trie::Trie;

const UNREACHED: u64 = u64::MAX;

/// Stands for no piece.
pub(super) const NO_PIECE: u32 = u32::MAX;

/// Pieces by their bytes; what they cost is said at each search.
#[derive(Debug)]
pub(super) struct Lattice {
    pub(super) trie: Trie,
    lengths: Vec<u32>,
}

/// Buffers of a search, used again, and its result.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// The least cost of what lies before each byte.
    best: Vec<u64>,
    /// The last piece of that segmentation.
    last: Vec<u32>,
}

/// Whether a byte cannot begin a character.
#[inline]
pub(super) fn continues(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

impl Lattice {
    /// A lattice of pieces; their places are their ids. Pieces must be whole
    /// characters or parts of one.
    ///
    /// # Errors
    /// When the pieces are too long together.
    pub(super) fn new(pieces: &[Box<[u8]>]) -> Result<Self> {
        let trie = Trie::build(pieces.iter().map(|piece| &**piece).zip(0..))?;
        let lengths = pieces.iter().map(|piece| offset(piece.len())).collect();
        Ok(Self { trie, lengths })
    }

    /// Find the cheapest segmentation that does not use the piece `without`, and
    /// its cost. Of equal ones that with the longest last piece, and so on.
    ///
    /// # Complexity
    /// O(n * p) for n bytes and pieces of at most p bytes.
    pub(super) fn search(
        &self,
        costs: &[u32],
        word: &[u8],
        without: u32,
        search: &mut Search,
    ) -> Option<u64> {
        let Search { best, last } = search;
        best.clear();
        best.resize(word.len() + 1, UNREACHED);
        last.resize(word.len() + 1, NO_PIECE);
        best[0] = 0;
        for start in 0..word.len() {
            let here = best[start];
            if here == UNREACHED || (continues(word[start]) && is_beaten(word, start, best)) {
                continue;
            }
            let mut cursor = self.trie.root();
            for (end, &byte) in (start + 1..).zip(&word[start..]) {
                let Some(next) = self.trie.step(cursor, byte) else {
                    break;
                };
                cursor = next;
                let Some(id) = self.trie.value(cursor) else {
                    continue;
                };
                let cost = costs[index(id)];
                if cost == REMOVED || id == without {
                    continue;
                }
                let sum = here + u64::from(cost);
                if sum < best[end] {
                    best[end] = sum;
                    last[end] = id;
                }
            }
        }
        (best[word.len()] != UNREACHED).then_some(best[word.len()])
    }

    /// The pieces that the last search over `length` bytes found, the last first.
    #[inline]
    pub(super) fn path<'s>(
        &'s self,
        search: &'s Search,
        length: usize,
    ) -> impl Iterator<Item = u32> + 's {
        let mut end = length;
        std::iter::from_fn(move || {
            if end == 0 {
                return None;
            }
            let id = search.last[end];
            end -= index(self.lengths[index(id)]);
            Some(id)
        })
    }
}

/// Whether nothing through `start`, inside a character, is cheaper than what is
/// known at that character's end: pieces that begin here end there at the latest.
#[inline]
fn is_beaten(word: &[u8], start: usize, best: &[u64]) -> bool {
    let rest = word[start..]
        .iter()
        .take_while(|&&byte| continues(byte))
        .count();
    best[start + rest] <= best[start]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Random;

    fn pieces(texts: &[&[u8]]) -> Vec<Box<[u8]>> {
        texts.iter().map(|&text| text.into()).collect()
    }

    /// The least cost by trying everything.
    fn least(pieces: &[Box<[u8]>], costs: &[u32], word: &[u8], without: u32) -> Option<u64> {
        if word.is_empty() {
            return Some(0);
        }
        let usable = |id: &usize| costs[*id] != REMOVED && offset(*id) != without;
        (0..pieces.len())
            .filter(usable)
            .filter_map(|id| {
                let rest = word.strip_prefix(&*pieces[id])?;
                Some(u64::from(costs[id]) + least(pieces, costs, rest, without)?)
            })
            .min()
    }

    #[test]
    fn searches_find_the_least_cost() {
        let parts: Vec<&[u8]> = vec![
            b"a",
            b"b",
            b"ab",
            b"ba",
            b"aba",
            "é".as_bytes(),
            b"\xC3",
            b"\xA9",
            "aé".as_bytes(),
            "中".as_bytes(),
            b"\xE4",
            b"\xB8",
            b"\xAD",
            b"\xE4\xB8",
            b"\xB8\xAD",
        ];
        let pieces = pieces(&parts);
        let lattice = Lattice::new(&pieces).unwrap();
        let mut random = Random::new(3);
        let mut search = Search::default();
        for _ in 0..3000 {
            let costs: Vec<u32> = (0..pieces.len())
                .map(|_| match random.below(6) {
                    0 => REMOVED,
                    _ => offset(1 + random.below(20)),
                })
                .collect();
            let word: Vec<u8> = (0..random.below(5))
                .flat_map(|_| [&b"a"[..], b"b", "é".as_bytes(), "中".as_bytes()][random.below(4)])
                .copied()
                .collect();
            let without = offset(random.below(pieces.len()));
            let found = lattice.search(&costs, &word, without, &mut search);
            assert_eq!(found, least(&pieces, &costs, &word, without));
            if let Some(cost) = found {
                let mut path: Vec<u32> = lattice.path(&search, word.len()).collect();
                path.reverse();
                let bytes: Vec<u8> = path
                    .iter()
                    .flat_map(|&id| pieces[index(id)].to_vec())
                    .collect();
                assert_eq!(bytes, word);
                let sum: u64 = path.iter().map(|&id| u64::from(costs[index(id)])).sum();
                assert_eq!(sum, cost);
            }
        }
    }

    #[test]
    fn of_equal_costs_the_last_piece_is_the_longest() {
        let pieces = pieces(&[b"a", b"aa", b"b", b"ab"]);
        let lattice = Lattice::new(&pieces).unwrap();
        let mut search = Search::default();
        lattice.search(&[1, 1, 1, 1], b"aab", NO_PIECE, &mut search);
        let path: Vec<u32> = lattice.path(&search, 3).collect();
        assert_eq!(path, [3, 0]);
    }
}
