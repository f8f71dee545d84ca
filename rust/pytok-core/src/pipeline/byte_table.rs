//! The bytes of every id in one place, where text is these bytes joined.
//!
//! Of rank files, and of tokenizer.json whose decoder is `ByteLevel` alone. An
//! entry of 16 bytes holds the bytes of most tokens itself: decoding copies all
//! 16, in one load and one store, and goes on behind those that count.

use std::borrow::Cow;

use crate::ids::{index, offset};

/// Bytes of an entry; the last one says what the others are.
const WIDTH: usize = 16;
/// Up to here the last byte is the number of bytes in the entry.
const SHORT: u8 = 15;
/// The entry holds the place and the length of its bytes in `long`.
const LONG: u8 = 16;
/// The same, of a special token.
const SPECIAL: u8 = 17;
/// Ids that are decoded before their bytes are copied to the result.
const BLOCK: usize = 256;

/// The bytes of the ids below a limit.
#[derive(Debug)]
pub(super) struct ByteTable {
    entries: Vec<[u8; WIDTH]>,
    long: Vec<u8>,
}

impl ByteTable {
    /// The table of all ids below `limit`; `bytes_of` gives the bytes of an id
    /// and whether it is special, `None` for an id without a piece.
    pub(super) fn new<'a>(
        limit: u32,
        bytes_of: impl Fn(u32) -> Option<(Cow<'a, [u8]>, bool)>,
    ) -> Self {
        let mut table = Self {
            entries: Vec::with_capacity(index(limit)),
            long: Vec::new(),
        };
        for id in 0..limit {
            let (bytes, is_special) = bytes_of(id).unwrap_or_default();
            table.push(&bytes, is_special);
        }
        table
    }

    fn push(&mut self, bytes: &[u8], is_special: bool) {
        let mut entry = [0; WIDTH];
        match u8::try_from(bytes.len()) {
            Ok(length @ ..=SHORT) if !is_special => {
                entry[..bytes.len()].copy_from_slice(bytes);
                entry[WIDTH - 1] = length;
            }
            _ => {
                entry[..4].copy_from_slice(&offset(self.long.len()).to_le_bytes());
                entry[4..8].copy_from_slice(&offset(bytes.len()).to_le_bytes());
                entry[WIDTH - 1] = if is_special { SPECIAL } else { LONG };
                self.long.extend_from_slice(bytes);
            }
        }
        self.entries.push(entry);
    }

    /// The bytes of ids, one after another; ids above the limit have none.
    ///
    /// # Complexity
    /// Linear in the ids and their bytes.
    pub(super) fn join(&self, ids: &[u32], skip_special_tokens: bool) -> Vec<u8> {
        let mut joined = Vec::with_capacity(ids.len() * 4 + WIDTH);
        let mut block = [0; BLOCK * WIDTH];
        for chunk in ids.chunks(BLOCK) {
            let mut filled = 0;
            for &id in chunk {
                let Some(entry) = self.entries.get(index(id)) else {
                    continue;
                };
                let kind = entry[WIDTH - 1];
                if kind <= SHORT {
                    block[filled..filled + WIDTH].copy_from_slice(entry);
                    filled += usize::from(kind);
                } else if !(skip_special_tokens && kind == SPECIAL) {
                    joined.extend_from_slice(&block[..filled]);
                    joined.extend_from_slice(self.elsewhere(entry));
                    filled = 0;
                }
            }
            joined.extend_from_slice(&block[..filled]);
        }
        joined
    }

    /// The bytes that an entry only points to.
    fn elsewhere(&self, entry: &[u8; WIDTH]) -> &[u8] {
        let [a, b, c, d, e, f, g, h, ..] = *entry;
        let start = index(u32::from_le_bytes([a, b, c, d]));
        &self.long[start..start + index(u32::from_le_bytes([e, f, g, h]))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> ByteTable {
        ByteTable::new(400, |id| match id {
            0..300 => Some((Cow::Owned(vec![b'x'; index(id)]), id % 7 == 3)),
            300 => Some(("\u{e9}".as_bytes().into(), false)),
            _ => None,
        })
    }

    #[test]
    fn bytes_of_every_length_are_joined_in_order() {
        let ids: Vec<u32> = (0..300)
            .rev()
            .chain([300, 350, 1000, u32::MAX, 300])
            .collect();
        let mut expected = vec![b'x'; 299 * 300 / 2];
        expected.extend_from_slice("\u{e9}\u{e9}".as_bytes());
        assert_eq!(table().join(&ids, false), expected);
        assert!(table().join(&[], false).is_empty());
        let short = vec![15; 3 * BLOCK + 1];
        assert_eq!(table().join(&short, false), vec![b'x'; 15 * short.len()]);
    }

    #[test]
    fn special_tokens_can_be_left_out() {
        assert_eq!(table().join(&[3, 300, 17, 2], true), "\u{e9}xx".as_bytes());
        assert_eq!(table().join(&[3, 2], false), b"xxxxx");
    }
}
