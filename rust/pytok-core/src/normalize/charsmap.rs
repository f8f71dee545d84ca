//! SentencePiece's compiled character map (`precompiled_charsmap`).
//!
//! A map from strings to strings. The bytes are: the size of the trie in bytes
//! (u32, little-endian), the trie, and the replacements, each ended by a NUL.
//! The trie is a double array of u32 units after Yata's Darts-clone (2008):
//! from a node whose base is `b`, byte `c` leads to unit `b ^ c`, which is a
//! child exactly if its label is `c`; bit 8 of a unit says that a key ends
//! there, and then the unit at its base holds the place of the replacement.

use crate::error::{Error, Result};
use crate::ids::index;

/// A compiled character map.
///
/// # Examples
/// ```
/// use pytok_core::normalize::charsmap::CharsMap;
/// assert!(CharsMap::parse(b"").is_err());
/// ```
#[derive(Debug, Clone)]
pub struct CharsMap {
    units: Vec<u32>,
    replacements: String,
}

/// One unit of the double array.
#[derive(Clone, Copy)]
struct Unit(u32);

impl Unit {
    const VALUE: u32 = 1 << 31;

    /// Whether this holds a value rather than a node.
    fn is_value(self) -> bool {
        self.0 & Self::VALUE != 0
    }

    fn value(self) -> usize {
        index(self.0 & !Self::VALUE)
    }

    /// The byte that leads here; never a byte for a value.
    fn is_child_by(self, byte: u8) -> bool {
        self.0 & (Self::VALUE | 0xFF) == u32::from(byte)
    }

    fn ends_a_key(self) -> bool {
        self.0 & (1 << 8) != 0
    }

    /// How far the base is from the unit. Bit 9 says that the offset is in
    /// units of 256.
    fn base_offset(self) -> usize {
        index((self.0 >> 10) << ((self.0 & (1 << 9)) >> 6))
    }
}

impl CharsMap {
    /// Read a map.
    ///
    /// # Errors
    /// When the data is too short, the replacements are not UTF-8, or a key's
    /// replacement lies outside of them.
    ///
    /// # Complexity
    /// O(n) in its bytes.
    pub fn parse(data: &[u8]) -> Result<Self> {
        let broken = |message: String| {
            Error::format("tokenizer", "normalizer.precompiled_charsmap", message)
        };
        let Some((size, rest)) = data.split_first_chunk::<4>() else {
            return Err(broken(format!(
                "{} bytes; expected at least the 4 of the trie's size",
                data.len()
            )));
        };
        let size = index(u32::from_le_bytes(*size));
        if size == 0 || size % 4 != 0 || size > rest.len() {
            return Err(broken(format!(
                "the trie's size is {size} bytes; expected a multiple of 4 from 4 to {}",
                rest.len()
            )));
        }
        let (trie, replacements) = rest.split_at(size);
        let replacements = std::str::from_utf8(replacements)
            .map_err(|error| broken(format!("the replacements are not UTF-8: {error}")))?;
        let units: Vec<u32> = trie
            .chunks_exact(4)
            .map(|bytes| {
                bytes
                    .iter()
                    .rev()
                    .fold(0, |unit, &b| unit << 8 | u32::from(b))
            })
            .collect();
        for (at, unit) in units.iter().map(|&unit| Unit(unit)).enumerate() {
            if unit.is_value() || !unit.ends_a_key() {
                continue;
            }
            let place = units
                .get(at ^ unit.base_offset())
                .map(|&unit| Unit(unit))
                .filter(|unit| unit.is_value())
                .map(Unit::value);
            if !place.is_some_and(|place| replacements.is_char_boundary(place)) {
                return Err(broken(format!(
                    "unit {at} of the trie ends a key without a replacement"
                )));
            }
        }
        Ok(Self {
            units,
            replacements: replacements.to_owned(),
        })
    }

    /// The longest key that `bytes` starts with: its length and replacement.
    ///
    /// # Complexity
    /// O(k), k the length of the longest key.
    pub fn longest_prefix(&self, bytes: &[u8]) -> Option<(usize, &str)> {
        let mut longest = None;
        self.walk(bytes, |length, place| {
            longest = Some((length, place));
            true
        });
        longest.map(|(length, place)| (length, self.replacement(place)))
    }

    /// The replacement of the shortest key that `text` starts with.
    ///
    /// No key reaches beyond a NUL.
    pub fn shortest_prefix(&self, text: &str) -> Option<&str> {
        let bytes = text.as_bytes();
        let end = bytes.iter().position(|&byte| byte == 0);
        let mut shortest = None;
        self.walk(&bytes[..end.unwrap_or(bytes.len())], |_, place| {
            shortest = Some(place);
            false
        });
        shortest.map(|place| self.replacement(place))
    }

    /// Whether a key begins with `bytes`, or `bytes` with a key.
    pub(crate) fn begins_with(&self, bytes: &[u8]) -> bool {
        let mut meets = false;
        let node = self.walk(bytes, |_, _| {
            meets = true;
            false
        });
        meets || node
    }

    /// Follow `bytes` through the trie and show each key's length and value,
    /// shortest first, until `visit` says no. Returns whether all of them led on.
    fn walk(&self, bytes: &[u8], mut visit: impl FnMut(usize, usize) -> bool) -> bool {
        let unit_at = |at: usize| self.units.get(at).map(|&unit| Unit(unit));
        let mut base = unit_at(0).map_or(0, Unit::base_offset);
        for (at, &byte) in bytes.iter().enumerate() {
            let child = base ^ usize::from(byte);
            let Some(unit) = unit_at(child).filter(|unit| unit.is_child_by(byte)) else {
                return false;
            };
            base = child ^ unit.base_offset();
            if unit.ends_a_key() && !visit(at + 1, unit_at(base).map_or(0, Unit::value)) {
                return false;
            }
        }
        true
    }

    /// The replacement at a place that `parse` has checked.
    fn replacement(&self, place: usize) -> &str {
        let rest = &self.replacements[place..];
        rest.split('\0').next().unwrap_or(rest)
    }
}

#[cfg(test)]
pub(crate) mod tests;
