//! Words that one of several threads counts.
//!
//! Each thread has a table of its own, and at the end their words are summed.
//! The tables are in parts by what a word's hash is, so that this too is done on
//! all threads: the same part of all tables on each.

use super::threads::over_items;
use super::word_table::{WordTable, hash};
use crate::ids::index;

/// More parts would be many small tables.
const MOST_PARTS: usize = 8;

/// A table in parts.
#[derive(Debug)]
pub(super) struct PartedTable {
    parts: Vec<WordTable>,
}

impl PartedTable {
    /// A table in as many parts as there are threads, or fewer.
    pub(super) fn new(threads: usize) -> Self {
        Self {
            parts: vec![WordTable::default(); threads.clamp(1, MOST_PARTS)],
        }
    }

    /// Count a word `count` more times, at least once more.
    #[inline]
    pub(super) fn add(&mut self, word: &[u8], count: u64) {
        let hash = hash(word);
        let part = part_of(hash, self.parts.len());
        self.parts[part].add_hashed(word, hash, count);
    }

    /// The sum of tables with the same number of parts, on as many threads.
    pub(super) fn sum(tables: Vec<Self>) -> WordTable {
        let parts = tables.first().map_or(0, |table| table.parts.len());
        let mut same: Vec<Vec<WordTable>> = (0..parts).map(|_| Vec::new()).collect();
        for table in tables {
            for (part, tables) in table.parts.into_iter().zip(&mut same) {
                tables.push(part);
            }
        }
        WordTable::joined(over_items(same, |mut tables| {
            // The largest first: the others are added to it.
            tables.sort_by_key(|table| std::cmp::Reverse(table.len()));
            let add = |mut all: WordTable, table: WordTable| {
                all.merge(&table);
                all
            };
            tables.into_iter().reduce(add).unwrap_or_default()
        }))
    }

    pub(super) fn total_bytes(&self) -> usize {
        self.parts.iter().map(WordTable::total_bytes).sum()
    }

    pub(super) fn memory(&self) -> usize {
        self.parts.iter().map(WordTable::memory).sum()
    }

    /// The table, when it has one part.
    pub(super) fn whole(&mut self) -> &mut WordTable {
        debug_assert!(self.parts.len() == 1);
        &mut self.parts[0]
    }
}

/// The part of a word, by bits of its hash that places in a table do not need.
#[inline]
fn part_of(hash: u64, parts: usize) -> usize {
    match parts {
        1 => 0,
        _ => index(u32::try_from(hash >> 32).unwrap_or_default()) % parts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Random;

    #[test]
    fn the_sum_of_tables_is_that_of_one() {
        let mut random = Random::new(6);
        for threads in [1, 2, 3, 20] {
            let mut one = WordTable::default();
            let mut tables: Vec<_> = (0..threads).map(|_| PartedTable::new(threads)).collect();
            for _ in 0..30_000 {
                let word = random.below(9_000).to_string();
                let count = 1 + u64::try_from(random.below(3)).unwrap();
                one.add(word.as_bytes(), count);
                tables[random.below(threads)].add(word.as_bytes(), count);
            }
            let mut sum = PartedTable::sum(tables);
            assert_eq!(sum, one);
            assert_eq!(sum.get(b"none"), 0);
            assert_eq!(sum.sorted(), one.sorted());
            assert_eq!(sum.in_byte_order().iter().collect::<Vec<_>>(), one.sorted());
            sum.add(b"none", 7);
            assert_eq!((sum.len(), sum.get(b"none")), (one.len() + 1, 7));
        }
    }

    #[test]
    fn no_words_are_no_words() {
        for threads in [1, 3] {
            let empty = || PartedTable::new(threads);
            let sum = PartedTable::sum((0..threads).map(|_| empty()).collect());
            assert!(sum.is_empty() && sum.get(b"a") == 0 && sum.place_of(b"").is_none());
        }
        assert!(PartedTable::sum(Vec::new()).is_empty());
    }
}
