//! Pieces by their bytes: all pieces that begin at a position, in one walk.
//!
//! A double array (Aoe, 1989) whose children lie at `base ^ byte`, so that the
//! children of a node never leave one block of 256 units. A unit names its
//! parent, which makes every lookup a single comparison.

use crate::error::{Error, Result};
use crate::ids::{first_bytes, index, offset};

const NONE: u32 = u32::MAX;
const BLOCK: usize = 256;

/// Blocks that are still searched for room. More blocks give a denser array and
/// a slower build; 16 is within 2 % of the densest for vocabularies of 32k.
const OPEN_BLOCKS: usize = 16;

#[derive(Debug, Clone, Copy)]
struct Unit {
    /// Where the children are: `base ^ byte`.
    base: u32,
    /// The parent's index; [`NONE`] in free units and in the root.
    parent: u32,
    /// The value of the key that ends here, or [`NONE`].
    value: u32,
}

const FREE: Unit = Unit {
    base: 0,
    parent: NONE,
    value: NONE,
};

/// An immutable map from byte strings to ids.
#[derive(Debug, Clone)]
pub(crate) struct Trie {
    units: Vec<Unit>,
}

/// A position in the trie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cursor(u32);

impl Cursor {
    /// Where all walks begin, in any trie.
    pub(crate) const ROOT: Self = Self(0);
}

impl Trie {
    /// A trie of `keys`; of equal keys the last one's value stays.
    ///
    /// # Errors
    /// When the keys have more than `u32::MAX / 256` bytes in all.
    ///
    /// # Complexity
    /// O(n log n) comparisons for n keys, then O(m) units for m bytes.
    pub(crate) fn build<'k>(keys: impl Iterator<Item = (&'k [u8], u32)>) -> Result<Self> {
        // Most keys differ in their first bytes, which are read once each.
        let with_first = |(key, value): (&'k [u8], u32)| (first_bytes(key), (key, value));
        let keys = keys.filter(|(key, _)| !key.is_empty());
        let mut sorted: Vec<_> = keys.map(with_first).collect();
        let bytes: usize = sorted.iter().map(|(_, (key, _))| key.len()).sum();
        if bytes > index(NONE) / BLOCK {
            return Err(Error::vocabulary(format!(
                "the pieces have {bytes} bytes in all; at most {} are supported",
                index(NONE) / BLOCK
            )));
        }
        // Stable: equal keys keep their order and the last can win below.
        sorted.sort_by(|left, right| {
            let whole = || left.1.0.cmp(right.1.0);
            left.0.cmp(&right.0).then_with(whole)
        });
        let sorted: Vec<_> = sorted.into_iter().map(|(_, key)| key).collect();
        let mut builder = Builder::new();
        builder.fill(&sorted);
        Ok(Self {
            units: builder.units,
        })
    }

    /// The units: base, parent and value or `u32::MAX`. Byte b leads from unit n
    /// with base s to unit s ^ b, if n is the parent of that.
    pub(crate) fn units(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        let units = self.units.iter();
        units.map(|unit| (unit.base, unit.parent, unit.value))
    }

    /// Where walks begin.
    #[inline]
    pub(crate) fn root(&self) -> Cursor {
        Cursor::ROOT
    }

    /// The node reached from `cursor` by `byte`.
    #[inline]
    pub(crate) fn step(&self, cursor: Cursor, byte: u8) -> Option<Cursor> {
        let child = self.units[index(cursor.0)].base ^ u32::from(byte);
        (self.units[index(child)].parent == cursor.0).then_some(Cursor(child))
    }

    /// The node reached from `cursor` by some bytes.
    #[inline]
    pub(crate) fn follow(&self, cursor: Cursor, bytes: &[u8]) -> Option<Cursor> {
        let mut bytes = bytes.iter();
        bytes.try_fold(cursor, |cursor, &byte| self.step(cursor, byte))
    }

    /// The value of the key that ends at `cursor`.
    #[inline]
    pub(crate) fn value(&self, cursor: Cursor) -> Option<u32> {
        let value = self.units[index(cursor.0)].value;
        (value != NONE).then_some(value)
    }

    /// All keys that are prefixes of `text`, shortest first, as (length in
    /// bytes, value).
    #[inline]
    pub(crate) fn prefixes<'t>(
        &'t self,
        text: &'t [u8],
    ) -> impl Iterator<Item = (usize, u32)> + 't {
        let mut cursor = Cursor::ROOT;
        text.iter()
            .map_while(move |&byte| {
                cursor = self.step(cursor, byte)?;
                Some(self.value(cursor))
            })
            .enumerate()
            .filter_map(|(position, value)| Some((position + 1, value?)))
    }
}

/// The array while it grows, with the free units of each block as a bit set.
struct Builder {
    units: Vec<Unit>,
    free: Vec<[u64; BLOCK / 64]>,
    open: Vec<usize>,
}

impl Builder {
    fn new() -> Self {
        let mut builder = Self {
            units: Vec::new(),
            free: Vec::new(),
            open: Vec::new(),
        };
        builder.add_block();
        builder.take(0);
        builder
    }

    fn fill(&mut self, sorted: &[(&[u8], u32)]) {
        // (node, first key, one past the last key, bytes consumed)
        let mut pending = vec![(0_usize, 0_usize, sorted.len(), 0_usize)];
        let mut children: Vec<(u8, usize, usize)> = Vec::new();
        while let Some((node, mut from, to, depth)) = pending.pop() {
            while from < to && sorted[from].0.len() == depth {
                self.units[node].value = sorted[from].1;
                from += 1;
            }
            children.clear();
            while from < to {
                let byte = sorted[from].0[depth];
                let width = sorted[from..to].partition_point(|(key, _)| key[depth] <= byte);
                children.push((byte, from, from + width));
                from += width;
            }
            if children.is_empty() {
                continue;
            }
            let base = self.base_for(&children);
            self.units[node].base = offset(base);
            for &(byte, from, to) in &children {
                let child = base ^ usize::from(byte);
                self.take(child);
                self.units[child].parent = offset(node);
                pending.push((child, from, to, depth + 1));
            }
        }
    }

    /// A base under which all `children` fall on free units.
    fn base_for(&mut self, children: &[(u8, usize, usize)]) -> usize {
        let first = usize::from(children[0].0);
        for &block in self.open.iter().rev() {
            for (word, &bits) in self.free[block].iter().enumerate() {
                let mut rest = bits;
                while rest != 0 {
                    let slot = word * 64 + index(rest.trailing_zeros());
                    rest &= rest - 1;
                    let base = slot ^ first;
                    let fits = children[1..].iter().all(|&(byte, _, _)| {
                        let other = base ^ usize::from(byte);
                        self.free[block][other / 64] >> (other % 64) & 1 == 1
                    });
                    if fits {
                        return block * BLOCK + base;
                    }
                }
            }
        }
        self.add_block() * BLOCK
    }

    fn add_block(&mut self) -> usize {
        let block = self.free.len();
        self.units.resize(self.units.len() + BLOCK, FREE);
        self.free.push([u64::MAX; BLOCK / 64]);
        if self.open.len() == OPEN_BLOCKS {
            self.open.remove(0);
        }
        self.open.push(block);
        block
    }

    fn take(&mut self, unit: usize) {
        let (block, slot) = (unit / BLOCK, unit % BLOCK);
        self.free[block][slot / 64] &= !(1 << (slot % 64));
        if self.free[block] == [0; BLOCK / 64] {
            self.open.retain(|&open| open != block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trie(keys: &[&str]) -> Trie {
        let keys = keys.iter().zip(0..).map(|(key, id)| (key.as_bytes(), id));
        Trie::build(keys).unwrap()
    }

    fn get(trie: &Trie, key: &[u8]) -> Option<u32> {
        trie.prefixes(key)
            .find(|&(length, _)| length == key.len())
            .map(|(_, id)| id)
    }

    #[test]
    fn prefixes_come_shortest_first() {
        let trie = trie(&["a", "ab", "abcd", "b", "中", "中国"]);
        let found: Vec<_> = trie.prefixes(b"abcde").collect();
        assert_eq!(found, [(1, 0), (2, 1), (4, 2)]);
        let found: Vec<_> = trie.prefixes("中国人".as_bytes()).collect();
        assert_eq!(found, [(3, 4), (6, 5)]);
        assert_eq!(trie.prefixes(b"\0").count(), 0);
    }

    #[test]
    fn of_equal_keys_the_last_wins_and_the_empty_key_is_ignored() {
        let trie = trie(&["", "x", "x"]);
        assert_eq!(get(&trie, b"x"), Some(2));
        assert_eq!(get(&trie, b""), None);
        assert_eq!(get(&trie, b"y"), None);
    }

    #[test]
    fn agrees_with_a_sorted_map_on_dense_and_sparse_keys() {
        let mut state = 1_u32;
        let mut random = move |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        let mut map = std::collections::BTreeMap::new();
        for id in 0..20_000 {
            let span = if id % 2 == 0 { 256 } else { 4 };
            let key: Vec<u8> = (0..=random(5))
                .map(|_| u8::try_from(random(span)).unwrap())
                .collect();
            map.insert(key, id);
        }
        let trie = Trie::build(map.iter().map(|(key, &id)| (&key[..], id))).unwrap();
        for (key, &id) in &map {
            assert_eq!(get(&trie, key), Some(id));
        }
        for _ in 0..20_000 {
            let key: Vec<u8> = (0..random(6))
                .map(|_| u8::try_from(random(256)).unwrap())
                .collect();
            assert_eq!(get(&trie, &key), map.get(&key).copied());
        }
    }
}
