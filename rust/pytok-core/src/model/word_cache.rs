//! The tokens of recent short words and parts of words.
//!
//! Direct-mapped and of fixed size: a word's place is its hash, a newer word
//! replaces an older one. The key is the whole word, so that a hit is exact.

use crate::ids::offset;

/// The longest word that is kept, in bytes: with its length it fills a `u128`.
const MAX_BYTES: usize = 15;
/// The most tokens that are kept.
const MAX_TOKENS: usize = 4;
/// Four mebibytes of entries: a miss costs more than a slower hit.
const ENTRIES: usize = 1 << 17;
/// Fills the unused places of an entry; no token has this id.
const NO_ID: u32 = u32::MAX;

/// The bytes of a word, its length, which tells `"a"` from `"a\0"`, and
/// whether it is a whole word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key(u128);

impl Key {
    /// The key of a word that is not empty and short enough.
    #[inline]
    pub(crate) fn word(word: &[u8]) -> Option<Self> {
        Self::new(word, 0)
    }

    /// The key of the word `start..end` of a text, if it is not empty and short
    /// enough.
    #[inline]
    pub(crate) fn part(text: &[u8], start: usize, end: usize) -> Option<Self> {
        // Mostly there is enough text behind the word to take a whole number.
        let window = text.get(start..).and_then(<[u8]>::first_chunk::<16>);
        match (window, end - start) {
            (Some(&window), length @ 1..=MAX_BYTES) => {
                let word = u128::from_le_bytes(window) & (u128::MAX >> (128 - 8 * length));
                Some(Self(word | u128::from(offset(length)) << 120))
            }
            _ => Self::word(&text[start..end]),
        }
    }

    /// Whether all bytes of the word are ASCII.
    #[inline]
    pub(crate) fn is_ascii(self) -> bool {
        self.0 & (u128::from_le_bytes([0x80; 16]) >> 8) == 0
    }

    /// The key of a part of a word: the same bytes as a whole word may have
    /// other tokens.
    #[inline]
    pub(crate) fn segment(segment: &[u8]) -> Option<Self> {
        Self::new(segment, 0x80)
    }

    #[inline]
    fn new(word: &[u8], kind: u8) -> Option<Self> {
        if word.is_empty() || word.len() > MAX_BYTES {
            return None;
        }
        let mut bytes = [0; 16];
        bytes[..word.len()].copy_from_slice(word);
        bytes[MAX_BYTES] = kind | u8::try_from(word.len()).unwrap_or_default();
        Some(Self(u128::from_le_bytes(bytes)))
    }

    #[inline]
    #[allow(clippy::as_conversions)] // halves of a key and of a product
    fn place(self) -> usize {
        let mixed = (self.0 as u64 ^ 0x2545_F491_4F6C_DD1D)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(32)
            ^ (self.0 >> 64) as u64;
        let product = u128::from(mixed) * 0xD6E8_FEB8_6659_FD93;
        (product as u64 ^ (product >> 64) as u64) as usize & (ENTRIES - 1)
    }
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: Key,
    ids: [u32; MAX_TOKENS],
}

/// The tokens of recent short words under one model.
#[derive(Debug, Default)]
pub(crate) struct WordCache {
    /// The model that the entries belong to.
    model: u64,
    /// Empty until the first word.
    entries: Vec<Entry>,
}

impl WordCache {
    /// Append the ids of a word, those that are kept or those that `encode`
    /// appends.
    #[inline]
    pub(crate) fn get_or(
        &mut self,
        model: u64,
        key: Key,
        ids: &mut Vec<u32>,
        encode: impl FnOnce(&mut Vec<u32>),
    ) {
        self.serve(model);
        if !self.get(key, ids) {
            let before = ids.len();
            encode(ids);
            self.put(key, &ids[before..]);
        }
    }

    /// Prepare for `model`, forgetting the words of another.
    #[inline]
    pub(crate) fn serve(&mut self, model: u64) {
        if self.model != model || self.entries.is_empty() {
            self.model = model;
            self.entries.clear();
            self.entries.resize(
                ENTRIES,
                Entry {
                    key: Key(0),
                    ids: [NO_ID; MAX_TOKENS],
                },
            );
        }
    }

    /// Append the ids of a word that is kept; whether it is.
    #[inline]
    pub(crate) fn get(&self, key: Key, ids: &mut Vec<u32>) -> bool {
        let entry = &self.entries[key.place()];
        if entry.key != key {
            return false;
        }
        if entry.ids[1] == NO_ID {
            ids.push(entry.ids[0]);
        } else {
            let count = entry.ids.iter().take_while(|&&id| id != NO_ID).count();
            ids.extend_from_slice(&entry.ids[..count]);
        }
        true
    }

    /// Keep the ids of a word if they are few enough.
    #[inline]
    pub(crate) fn put(&mut self, key: Key, ids: &[u32]) {
        if ids.len() <= MAX_TOKENS {
            let mut kept = [NO_ID; MAX_TOKENS];
            kept[..ids.len()].copy_from_slice(ids);
            self.entries[key.place()] = Entry { key, ids: kept };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ_in_trailing_zeros_are_different() {
        let keys: Vec<Key> = ["a", "a\0", "a\0\0", "\0"]
            .iter()
            .map(|word| Key::word(word.as_bytes()).unwrap())
            .collect();
        for (at, key) in keys.iter().enumerate() {
            assert!(keys[at + 1..].iter().all(|other| other != key));
        }
        assert_ne!(Key::word(b"a"), Key::segment(b"a"));
        assert_eq!(Key::word(b""), None);
        assert!(Key::word(&[b'x'; 15]).is_some());
        assert_eq!(Key::word(&[b'x'; 16]), None);
    }

    #[test]
    fn a_part_of_a_text_has_the_key_of_the_same_word_alone() {
        let text = "ab中\u{0}cdefghij𠀀klm".as_bytes();
        for start in 0..text.len() {
            for end in start..text.len() {
                let word = &text[start..end];
                assert_eq!(Key::part(text, start, end), Key::word(word), "{word:?}");
            }
        }
    }

    #[test]
    fn a_byte_that_is_not_ascii_is_seen_in_any_place() {
        for length in 1..=15 {
            assert!(Key::word(&vec![0x7F; length]).unwrap().is_ascii());
            for place in 0..length {
                let mut word = vec![0x7F; length];
                word[place] = 0x80;
                assert!(!Key::word(&word).unwrap().is_ascii(), "{word:?}");
            }
        }
    }

    #[test]
    fn another_model_does_not_see_the_words() {
        let mut cache = WordCache::default();
        let key = Key::word(b"word").unwrap();
        let mut ids = Vec::new();
        cache.serve(1);
        cache.put(key, &[1, 2, 3, 4]);
        assert!(cache.get(key, &mut ids));
        assert_eq!(ids, [1, 2, 3, 4]);
        cache.put(key, &[1; 5]);
        assert!(cache.get(key, &mut ids));
        cache.serve(2);
        assert!(!cache.get(key, &mut ids));
    }
}
