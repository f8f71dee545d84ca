//! The pieces among which a vocabulary is chosen.

use rustc_hash::FxHashMap;

use crate::ids::first_bytes;
use crate::train::pieces::Pieces;
use crate::train::rules::han_prefixes;

/// Candidates in the order of their bytes, which is that of their ids.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub(super) pieces: Vec<Box<[u8]>>,
    /// Whether the piece stays whatever it costs.
    pub(super) protected: Vec<bool>,
}

/// Gathers candidates from several sources.
#[derive(Debug, Default)]
pub(super) struct Gathering {
    known: FxHashMap<Box<[u8]>, bool>,
    /// What special tokens are spelled like: in the file those bytes are theirs.
    taken: Vec<Box<[u8]>>,
}

impl Gathering {
    /// All bytes, protected, and what was grown.
    pub(super) fn new(grown: &Pieces) -> Self {
        let special = (0..grown.len()).filter(|&id| grown.is_special(id));
        let mut gathering = Self {
            known: FxHashMap::default(),
            taken: special.map(|id| grown.bytes(id).into()).collect(),
        };
        for byte in 0..=u8::MAX {
            gathering.protect(&[byte]);
        }
        for id in (0..grown.len()).filter(|&id| !grown.is_special(id)) {
            gathering
                .known
                .entry(grown.bytes(id).into())
                .or_insert(false);
        }
        gathering
    }

    /// Add a candidate that has to prove itself.
    pub(super) fn offer(&mut self, piece: Box<[u8]>) {
        if !self.taken.contains(&piece) {
            self.known.entry(piece).or_insert(false);
        }
    }

    fn protect(&mut self, piece: &[u8]) {
        if self.taken.iter().any(|taken| **taken == *piece) {
            return;
        }
        self.known.insert(piece.into(), true);
    }

    /// Protect a character and its beginnings of two bytes and more: when it is
    /// common enough to stay, its neighbours in the code should not fall back to
    /// single bytes.
    pub(super) fn protect_character(&mut self, character: char) {
        let mut buffer = [0; 4];
        let bytes = character.encode_utf8(&mut buffer).as_bytes();
        for length in 2..=bytes.len() {
            self.protect(&bytes[..length]);
        }
    }

    /// Protect the prefixes of [`han_prefixes`].
    pub(super) fn protect_prefixes(&mut self) {
        for prefix in han_prefixes() {
            self.protect(&prefix);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    pub(super) fn finish(self) -> Candidates {
        Candidates::sorted(self.known.into_iter())
    }
}

impl Candidates {
    /// Candidates that come in any order.
    pub(super) fn sorted(pieces: impl Iterator<Item = (Box<[u8]>, bool)>) -> Self {
        // Most pieces differ in their first bytes, which are read once each.
        let mut known: Vec<_> = pieces
            .map(|(piece, stays)| (first_bytes(&piece), piece, stays))
            .collect();
        known.sort_unstable();
        let known = known.into_iter();
        let (pieces, protected) = known.map(|(_, piece, stays)| (piece, stays)).unzip();
        Self { pieces, protected }
    }

    /// How many pieces stay whatever they cost.
    pub(super) fn protected_count(&self) -> usize {
        self.protected.iter().filter(|&&stays| stays).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_sorted_and_special_tokens_are_none() {
        let mut grown = Pieces::new(&["ab".to_owned()]);
        grown.push((*b"cd").into());
        let mut gathering = Gathering::new(&grown);
        gathering.offer("学而".as_bytes().into());
        gathering.protect_character('学');
        gathering.offer((*b"ab").into());
        gathering.protect(b"ab");
        let found = gathering.finish();
        assert!(found.pieces.is_sorted());
        assert_eq!(found.pieces.len(), 256 + 1 + 1 + 2);
        assert_eq!(found.protected_count(), 256 + 2);
        assert!(!found.pieces.contains(&(*b"ab").into()));
    }

    #[test]
    fn prefixes_cover_the_blocks() {
        let mut gathering = Gathering::default();
        gathering.protect_prefixes();
        // 4 of kana and marks, 103 of extension A, 328 of the basic block, 2 full-width.
        assert_eq!(gathering.finish().pieces.len(), 4 + 103 + 328 + 2);
    }
}
