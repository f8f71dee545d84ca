//! Two characters side by side: the piece that they are, and where longer
//! pieces that begin with them continue.

use rustc_hash::FxHashMap;

use crate::model::trie::{Cursor, Trie};

/// Code points below this can be part of a pair.
const BASIC: u32 = 0x1_0000;

/// What is known of two characters: their code points, whether longer pieces
/// begin with them, and the piece that they are, in 32, 1 and 31 bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair(u64);

impl Pair {
    const LONGER: u64 = 1 << 31;
    const VALUE: u64 = Self::LONGER - 1;
    /// Also of a free slot: no pair is made of two ASCII characters.
    const NOTHING: Self = Self(Self::VALUE);

    #[inline]
    #[allow(clippy::as_conversions)] // the upper half
    fn key(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The piece that they are.
    #[inline]
    #[allow(clippy::as_conversions)] // 31 bits
    pub(super) fn id(self) -> Option<u32> {
        let value = self.0 & Self::VALUE;
        (value != Self::VALUE).then_some(value as u32)
    }

    /// Whether longer pieces begin with them.
    #[inline]
    pub(super) fn is_longer(self) -> bool {
        self.0 & Self::LONGER != 0
    }
}

impl Default for Pair {
    fn default() -> Self {
        Self::NOTHING
    }
}

/// The pairs of characters of the basic plane, not both ASCII, with which
/// pieces begin.
#[derive(Debug)]
pub(super) struct Pairs {
    slots: Vec<Pair>,
    /// For each slot, where longer pieces continue, if there are any.
    cursors: Vec<Cursor>,
}

impl Pairs {
    /// Ids from here on have no place in a pair.
    pub(super) const LIMIT: u32 = (1 << 31) - 1;

    /// Those of the pieces of `trie`, whose ids are below [`Pairs::LIMIT`].
    pub(super) fn new<'p>(pieces: impl Iterator<Item = &'p [u8]>, trie: &Trie) -> Self {
        let mut found: FxHashMap<u32, (Pair, Cursor)> = FxHashMap::default();
        for piece in pieces.filter_map(|piece| std::str::from_utf8(piece).ok()) {
            let mut characters = piece.chars();
            let (Some(before), Some(after)) = (characters.next(), characters.next()) else {
                continue;
            };
            let (before, after) = (u32::from(before), u32::from(after));
            if (before | after) < 0x80 || before.max(after) >= BASIC {
                continue;
            }
            let (rest, key) = (characters.as_str().len(), key(before, after));
            let (pair, _) = found.entry(key).or_insert_with(|| {
                let start = &piece.as_bytes()[..piece.len() - rest];
                let end = trie.follow(trie.root(), start).unwrap_or(Cursor::ROOT);
                let id = trie.value(end).map_or(Pair::VALUE, u64::from);
                (Pair(u64::from(key) << 32 | id), end)
            });
            if rest > 0 {
                pair.0 |= Pair::LONGER;
            }
        }
        let count = (found.len() + found.len() / 2 + 2).next_power_of_two();
        let mut pairs = Self {
            slots: vec![Pair::NOTHING; count],
            cursors: vec![Cursor::ROOT; count],
        };
        for (key, (pair, cursor)) in found {
            let mut slot = pairs.first(key);
            while pairs.slots[slot].key() != 0 {
                slot = pairs.next(slot);
            }
            pairs.slots[slot] = pair;
            pairs.cursors[slot] = cursor;
        }
        pairs
    }

    /// What is known of two characters of the basic plane, not both ASCII.
    #[inline]
    pub(super) fn get(&self, before: u32, after: u32) -> Pair {
        let key = key(before, after);
        let mut slot = self.first(key);
        loop {
            let found = self.slots[slot];
            if found.key() == key {
                return found;
            }
            if found.key() == 0 {
                return Pair::NOTHING;
            }
            slot = self.next(slot);
        }
    }

    /// Where the pieces continue that begin with a pair that is there.
    #[inline]
    pub(super) fn cursor(&self, pair: Pair) -> Cursor {
        let mut slot = self.first(pair.key());
        while self.slots[slot].key() != pair.key() {
            slot = self.next(slot);
        }
        self.cursors[slot]
    }

    #[inline]
    #[allow(clippy::as_conversions)] // the upper half of a product
    fn first(&self, key: u32) -> usize {
        let mixed = u64::from(key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn next(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }
}

#[inline]
fn key(before: u32, after: u32) -> u32 {
    before << 16 | after
}
