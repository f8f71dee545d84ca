//! The tokens of recent words of 16 to 31 bytes: long identifiers and
//! indentation, which code repeats as often as short words.
//!
//! As [`super::word_cache`], with larger and fewer entries.

/// The longest word that is kept, in bytes: with its length it fills a key.
pub(crate) const MAX_BYTES: usize = 31;
/// The most tokens that are kept.
const MAX_TOKENS: usize = 8;
/// Half a mebibyte of entries.
const ENTRIES: usize = 1 << 13;
/// Fills the unused places of an entry; no token has this id.
const NO_ID: u32 = u32::MAX;

/// The bytes of a word, and its length in the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LongKey([u64; 4]);

impl LongKey {
    /// The key of a word that is short enough.
    #[inline]
    pub(crate) fn new(word: &[u8]) -> Option<Self> {
        if word.len() > MAX_BYTES {
            return None;
        }
        let mut bytes = [0; 32];
        bytes[..word.len()].copy_from_slice(word);
        bytes[MAX_BYTES] = u8::try_from(word.len()).unwrap_or_default();
        Some(Self(std::array::from_fn(|word| {
            u64::from_le_bytes(std::array::from_fn(|byte| bytes[8 * word + byte]))
        })))
    }

    #[inline]
    #[allow(clippy::as_conversions)] // halves of a product
    fn place(self) -> usize {
        let mixed = self.0.iter().fold(0x2545_F491_4F6C_DD1D, |mixed, &word| {
            let product = u128::from(mixed ^ word) * 0x9E37_79B9_7F4A_7C15;
            product as u64 ^ (product >> 64) as u64
        });
        mixed as usize & (ENTRIES - 1)
    }
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: LongKey,
    ids: [u32; MAX_TOKENS],
}

/// The tokens of recent long words under one model.
#[derive(Debug, Default)]
pub(crate) struct LongWords {
    /// The model that the entries belong to.
    model: u64,
    /// Empty until the first word.
    entries: Vec<Entry>,
}

impl LongWords {
    /// Append the ids of a word, those that are kept or those that `encode`
    /// appends.
    #[inline]
    pub(crate) fn get_or(
        &mut self,
        model: u64,
        key: LongKey,
        ids: &mut Vec<u32>,
        encode: impl FnOnce(&mut Vec<u32>),
    ) {
        if self.model != model || self.entries.is_empty() {
            self.model = model;
            self.entries.clear();
            let empty = Entry {
                key: LongKey([0; 4]),
                ids: [NO_ID; MAX_TOKENS],
            };
            self.entries.resize(ENTRIES, empty);
        }
        let entry = &mut self.entries[key.place()];
        if entry.key == key {
            ids.extend(entry.ids.iter().take_while(|&&id| id != NO_ID));
            return;
        }
        let before = ids.len();
        encode(ids);
        let found = &ids[before..];
        if found.len() <= MAX_TOKENS {
            entry.key = key;
            entry.ids = [NO_ID; MAX_TOKENS];
            entry.ids[..found.len()].copy_from_slice(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(cache: &mut LongWords, model: u64, word: &[u8], new: &[u32]) -> Vec<u32> {
        let mut ids = vec![7];
        let key = LongKey::new(word).unwrap();
        cache.get_or(model, key, &mut ids, |ids| ids.extend_from_slice(new));
        ids.split_off(1)
    }

    #[test]
    fn kept_ids_come_back_for_the_same_model_only() {
        let mut cache = LongWords::default();
        let word = b"a_very_long_identifier";
        assert_eq!(get(&mut cache, 1, word, &[1; 8]), [1; 8]);
        assert_eq!(get(&mut cache, 1, word, &[2]), [1; 8]);
        assert_eq!(get(&mut cache, 2, word, &[2, 3]), [2, 3]);
        assert_eq!(get(&mut cache, 2, word, &[4]), [2, 3]);
        // Nine ids are not kept, and leave what is there.
        assert_eq!(
            get(&mut cache, 2, b"another_long_identifier", &[5; 9]),
            [5; 9]
        );
        assert_eq!(get(&mut cache, 2, b"another_long_identifier", &[6]), [6]);
    }

    #[test]
    fn keys_tell_lengths_apart() {
        let key = |word: &[u8]| LongKey::new(word).unwrap();
        assert_ne!(key(&[0; 17]), key(&[0; 18]));
        assert!(LongKey::new(&[1; 31]).is_some());
        assert!(LongKey::new(&[1; 32]).is_none());
    }
}
