//! Byte strings and their counts, in little memory.
//!
//! All words lie end to end in one buffer. A word costs its bytes, 16 bytes for
//! its place and count, and about 12 for its slot in an open-addressing table,
//! with no allocation of its own. Counts are `u64`: the pair counts of the
//! reference trainer are 32 bits wide and overflow on large corpora.

use std::hash::Hasher;
use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHasher;

use super::words::{OnWord, Ordered, Words};
use crate::error::Result;
use crate::ids::first_bytes;

/// Byte strings and their counts, in the order in which they were first added.
///
/// # Examples
/// ```
/// use pytok_core::train::WordTable;
/// let mut words = WordTable::default();
/// words.add(b"a", 2);
/// words.add(b"b", 1);
/// words.add(b"a", 5_000_000_000);
/// assert_eq!(words.get(b"a"), 5_000_000_002);
/// assert_eq!(words.len(), 2);
/// ```
#[derive(Debug, Clone, Default)]
pub struct WordTable {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// A power of two of slots: 0 when free, else a tag of the hash above
    /// [`PLACE_BITS`] and below it one more than the place in `entries`. Made when
    /// a word is looked for.
    slots: OnceLock<Vec<u64>>,
}

/// Words that were found, to be added to a table together.
#[derive(Debug, Default)]
pub(super) struct Found {
    bytes: Vec<u8>,
    words: Vec<FoundWord>,
}

#[derive(Debug, Clone, Copy)]
struct FoundWord {
    hash: u64,
    count: u64,
    /// Where its bytes end among those of all.
    end: usize,
}

impl Found {
    /// Append a word that was found `count` times, at least once.
    #[inline]
    pub(super) fn push(&mut self, word: &[u8], hash: u64, count: u64) {
        self.bytes.extend_from_slice(word);
        let end = self.bytes.len();
        self.words.push(FoundWord { hash, count, end });
    }

    /// How many words they are.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// How many bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    start: usize,
    count: u64,
}

/// Enough for a trillion words; what is left of 64 bits tells most strangers
/// apart without a look at their bytes.
const PLACE_BITS: u32 = 40;
const PLACE_MASK: u64 = (1 << PLACE_BITS) - 1;

const LEAST_SLOTS: usize = 1024;

#[allow(clippy::as_conversions)] // `entries` is in memory, so its places are below 2^40
const fn place(slot: u64) -> usize {
    (slot & PLACE_MASK) as usize - 1
}

#[allow(clippy::as_conversions)] // as above
const fn slot_of(place: usize, hash: u64) -> u64 {
    (hash & !PLACE_MASK) | (place as u64 + 1)
}

#[allow(clippy::as_conversions)] // the mask keeps it below the number of slots
const fn home(hash: u64, mask: usize) -> usize {
    hash as usize & mask
}

pub(super) fn hash(word: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(word);
    hasher.finish()
}

/// What a buffer grows to: by half, so that little of it is unused.
fn capacity_for(length: usize, capacity: usize) -> usize {
    if length <= capacity {
        capacity
    } else {
        length.max(capacity + capacity / 2)
    }
}

fn reserve<T>(buffer: &mut Vec<T>, more: usize) {
    let length = buffer.len();
    let capacity = capacity_for(length + more, buffer.capacity());
    buffer.reserve_exact(capacity - length);
}

impl WordTable {
    /// The number of different words.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The bytes of all different words together.
    pub fn total_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Count a word `count` more times. Adding 0 times does nothing.
    ///
    /// # Complexity
    /// O(length of the word), amortised.
    pub fn add(&mut self, word: &[u8], count: u64) {
        if count > 0 {
            self.add_hashed(word, hash(word), count);
        }
    }

    /// As [`Self::add`], with the word's hash, and more than 0 times.
    pub(super) fn add_hashed(&mut self, word: &[u8], hash: u64, count: u64) {
        if self.is_full() {
            let more = self.more_slots();
            self.slots = OnceLock::new(); // before the others are made
            self.slots = self.make_slots(more).into();
        }
        let slot = self.find(word, hash);
        match self.slots()[slot] {
            0 => {
                if let Some(slots) = self.slots.get_mut() {
                    slots[slot] = slot_of(self.entries.len(), hash);
                }
                let start = self.bytes.len();
                reserve(&mut self.entries, 1);
                self.entries.push(Entry { start, count });
                reserve(&mut self.bytes, word.len());
                self.bytes.extend_from_slice(word);
            }
            taken => {
                let known = &mut self.entries[place(taken)].count;
                *known = known.saturating_add(count);
            }
        }
    }

    /// Add words, and forget that they were found.
    pub(super) fn add_found(&mut self, found: &mut Found) {
        let mut start = 0;
        for word in &found.words {
            self.add_hashed(&found.bytes[start..word.end], word.hash, word.count);
            start = word.end;
        }
        found.words.clear();
        found.bytes.clear();
    }

    /// The bytes of memory that the table takes.
    pub fn memory(&self) -> usize {
        let entries = self.entries.capacity() * size_of::<Entry>();
        let slots = self.slots.get().map_or(0, Vec::capacity);
        self.bytes.capacity() + entries + slots * size_of::<u64>()
    }

    /// The bytes of memory that the table will take with one more word of so
    /// many bytes.
    pub(super) fn memory_with(&self, length: usize) -> usize {
        let bytes = capacity_for(self.bytes.len() + length, self.bytes.capacity());
        let entries = capacity_for(self.entries.len() + 1, self.entries.capacity());
        let slots = if self.is_full() {
            self.more_slots()
        } else {
            self.slots().len()
        };
        bytes + entries * size_of::<Entry>() + slots * size_of::<u64>()
    }

    /// Forget all words, but keep the memory.
    pub(super) fn clear(&mut self) {
        if let Some(slots) = self.slots.get_mut() {
            slots.fill(0);
        }
        self.entries.clear();
        self.bytes.clear();
    }

    /// Call `found` with all words in the order of their bytes, then forget them.
    /// Takes no more memory than the table has.
    pub(super) fn drain_sorted(&mut self, found: &mut OnWord<'_>) -> Result<()> {
        // The slots, of which there are more than words, hold the order.
        let mut places = self.slots.take().unwrap_or_default();
        let slots = places.len();
        places.clear();
        places.extend((0..self.entries.len()).map(|place| slot_of(place, 0)));
        places
            .sort_unstable_by(|&left, &right| self.word(place(left)).cmp(self.word(place(right))));
        for &taken in &places {
            let place = place(taken);
            found(self.word(place), self.entries[place].count)?;
        }
        places.resize(slots, 0);
        self.slots = places.into();
        self.clear();
        Ok(())
    }

    /// How often a word was counted.
    pub fn get(&self, word: &[u8]) -> u64 {
        self.place_of(word)
            .map_or(0, |place| self.entries[place].count)
    }

    /// Add all words of another table.
    pub fn merge(&mut self, other: &Self) {
        for (word, count) in other.iter() {
            self.add(word, count);
        }
    }

    /// The words of several tables, of which no two share one, in their order.
    pub(super) fn joined(tables: Vec<Self>) -> Self {
        let (words, bytes) = tables.iter().fold((0, 0), |(words, bytes), table| {
            (words + table.len(), bytes + table.total_bytes())
        });
        let mut tables = tables.into_iter();
        let mut all = tables.next().unwrap_or_default();
        if words == all.len() {
            return all;
        }
        all.entries.reserve_exact(words - all.entries.len());
        all.bytes.reserve_exact(bytes - all.bytes.len());
        for table in tables {
            let shift = all.bytes.len();
            all.entries.extend(table.entries.iter().map(|entry| Entry {
                start: entry.start + shift,
                ..*entry
            }));
            all.bytes.extend_from_slice(&table.bytes);
        }
        all.slots = OnceLock::new();
        all
    }

    /// The words and their counts, in the order in which they were first added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[u8], u64)> {
        (0..self.entries.len()).map(|place| (self.word(place), self.entries[place].count))
    }

    /// Some of the words and their counts, by their places in that order.
    pub(super) fn range(&self, range: Range<usize>) -> impl Iterator<Item = (&[u8], u64)> {
        range.map(|place| (self.word(place), self.entries[place].count))
    }

    /// The place of a word in that order.
    pub(super) fn place_of(&self, word: &[u8]) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        match self.slots()[self.find(word, hash(word))] {
            0 => None,
            taken => Some(place(taken)),
        }
    }

    /// The words and their counts in the order of their bytes, which does not
    /// depend on how they were counted.
    pub fn sorted(&self) -> Vec<(&[u8], u64)> {
        let places = self.places_in_order().into_iter();
        places
            .map(|place| (self.word(place), self.entries[place].count))
            .collect()
    }

    fn places_in_order(&self) -> Vec<usize> {
        // Most words differ in their first bytes, which are read once each.
        let key = |place| (first_bytes(self.word(place)), place);
        let mut places: Vec<(u64, usize)> = (0..self.entries.len()).map(key).collect();
        places.sort_unstable_by(|left, right| {
            let whole = || self.word(left.1).cmp(self.word(right.1));
            left.0.cmp(&right.0).then_with(whole)
        });
        places.into_iter().map(|(_, place)| place).collect()
    }

    /// The same words in the order of their bytes.
    pub(super) fn in_byte_order(&self) -> Self {
        let mut table = Self {
            bytes: Vec::with_capacity(self.bytes.len()),
            entries: Vec::with_capacity(self.entries.len()),
            slots: OnceLock::new(),
        };
        for (word, count) in self.sorted() {
            let start = table.bytes.len();
            table.entries.push(Entry { start, count });
            table.bytes.extend_from_slice(word);
        }
        table
    }

    fn word(&self, place: usize) -> &[u8] {
        let next = self.entries.get(place + 1);
        let end = next.map_or(self.bytes.len(), |entry| entry.start);
        &self.bytes[self.entries[place].start..end]
    }

    /// The slot of a word: its own, or the free one where it belongs.
    fn find(&self, word: &[u8], hash: u64) -> usize {
        let slots = self.slots();
        let mask = slots.len() - 1;
        let mut slot = home(hash, mask);
        loop {
            let taken = slots[slot];
            let same_tag = (taken ^ hash) & !PLACE_MASK == 0;
            if taken == 0 || (same_tag && self.word(place(taken)) == word) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn is_full(&self) -> bool {
        self.slots().len() * 3 <= self.entries.len() * 4
    }

    fn more_slots(&self) -> usize {
        (self.slots().len() * 2).max(LEAST_SLOTS)
    }

    #[inline]
    fn slots(&self) -> &Vec<u64> {
        self.slots.get_or_init(|| match self.entries.len() {
            0 => Vec::new(),
            words => self.make_slots((words * 2).next_power_of_two().max(LEAST_SLOTS)),
        })
    }

    fn make_slots(&self, size: usize) -> Vec<u64> {
        let mut slots = vec![0; size];
        for place in 0..self.entries.len() {
            let hash = hash(self.word(place));
            let mut slot = home(hash, size - 1);
            while slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = slot_of(place, hash);
        }
        slots
    }
}

impl Words for WordTable {
    fn table(&self) -> Option<&WordTable> {
        Some(self)
    }

    fn unique(&self) -> usize {
        self.len()
    }

    fn total_bytes(&self) -> usize {
        self.bytes.len()
    }

    fn for_each(&self, found: &mut OnWord<'_>) -> Result<()> {
        self.iter().try_for_each(|(word, count)| found(word, count))
    }

    fn ordered(&self) -> Box<dyn Ordered + '_> {
        Box::new(InOrder {
            table: self,
            places: self.places_in_order().into_iter(),
        })
    }
}

struct InOrder<'a> {
    table: &'a WordTable,
    places: std::vec::IntoIter<usize>,
}

impl Ordered for InOrder<'_> {
    fn next(&mut self, word: &mut Vec<u8>) -> Result<Option<u64>> {
        Ok(self.places.next().map(|place| {
            word.clear();
            word.extend_from_slice(self.table.word(place));
            self.table.entries[place].count
        }))
    }
}

impl PartialEq for WordTable {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(word, count)| other.get(word) == count)
    }
}

impl Eq for WordTable {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::Random;

    #[test]
    fn a_table_counts_as_a_map_does() {
        let mut random = Random::new(11);
        let (mut table, mut map) = (WordTable::default(), BTreeMap::new());
        for _ in 0..40_000 {
            let length = random.below(4);
            let word: Vec<u8> = (0..length)
                .map(|_| u8::try_from(random.below(24)).unwrap())
                .collect();
            let count = u64::try_from(random.below(3)).unwrap();
            table.add(&word, count);
            if count > 0 {
                *map.entry(word).or_insert(0) += count;
            }
        }
        let sorted: Vec<_> = map.iter().map(|(w, &c)| (w.as_slice(), c)).collect();
        assert_eq!(table.sorted(), sorted);
        assert_eq!(table.get(b"never added"), 0);
    }

    #[test]
    fn tables_are_equal_whatever_the_order() {
        let (mut left, mut right) = (WordTable::default(), WordTable::default());
        for number in 0..3000_u64 {
            left.add(&number.to_le_bytes(), number + 1);
        }
        for number in (0..3000_u64).rev() {
            right.add(&number.to_le_bytes(), number);
            right.add(&number.to_le_bytes(), 1);
        }
        assert_eq!(left, right);
        assert_eq!(left.sorted(), right.sorted());
        right.add(b"one more", 1);
        assert_ne!(left, right);
    }

    #[test]
    fn a_table_takes_the_memory_that_it_foretold() {
        let mut random = Random::new(5);
        let mut table = WordTable::default();
        for _ in 0..20_000 {
            let word = random.below(1 << 20).to_le_bytes().repeat(random.below(9));
            let foretold = table.memory_with(word.len());
            let known = table.get(&word) > 0;
            table.add(&word, 1);
            assert!(table.memory() <= foretold);
            assert!(known || table.memory() == foretold);
        }
    }

    #[test]
    fn a_drained_table_is_empty_and_counts_anew() {
        let mut table = WordTable::default();
        for round in 1..4_u64 {
            let (mut words, memory) = (Vec::new(), table.memory());
            for number in 0..5000_u64 {
                table.add(&number.to_le_bytes(), round);
            }
            assert!(round == 1 || table.memory() == memory);
            let sorted: Vec<_> = table.sorted().iter().map(|w| (w.0.to_vec(), w.1)).collect();
            table
                .drain_sorted(&mut |word, count| {
                    words.push((word.to_vec(), count));
                    Ok(())
                })
                .unwrap();
            assert_eq!(words, sorted);
            assert!(table.is_empty());
            assert_eq!(table.get(&7_u64.to_le_bytes()), 0);
        }
    }

    #[test]
    fn counts_are_wider_than_32_bits_and_never_wrap() {
        let mut table = WordTable::default();
        table.add(b"x", 1 << 40);
        table.add(b"x", 1);
        assert_eq!(table.get(b"x"), (1 << 40) + 1);
        table.add(b"x", u64::MAX);
        assert_eq!(table.get(b"x"), u64::MAX);
    }
}
