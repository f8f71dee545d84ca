//! A table of words that several threads fill.
//!
//! The words are divided by their hash into parts, each behind a lock. A thread
//! keeps the words that it finds, by part, and adds some hundreds to a part at
//! once: to one that no other thread holds, or waits when it has kept too many. So
//! no word is in two tables that must be summed in the end.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::word_table::{Found, WordTable, hash};
use crate::ids::index;

/// With more parts than threads one is free most of the time; with many more,
/// tables are small.
const PARTS_PER_THREAD: usize = 2;
const MOST_PARTS: usize = 16;

/// A part that is free is taken with so many words, and waited for with so many
/// words or bytes.
const FEW: usize = 512;
const MANY: usize = 2048;
const MANY_BYTES: usize = 1 << 18;

/// A table in parts.
#[derive(Debug)]
pub(super) struct PartedTable {
    parts: Vec<Mutex<WordTable>>,
    /// The bytes of all words that were added.
    bytes: AtomicUsize,
}

impl PartedTable {
    /// A table for so many threads.
    pub(super) fn new(threads: usize) -> Self {
        let parts = match threads {
            0 | 1 => 1,
            _ => threads.saturating_mul(PARTS_PER_THREAD).min(MOST_PARTS),
        };
        Self {
            parts: (0..parts).map(|_| Mutex::default()).collect(),
            bytes: AtomicUsize::new(0),
        }
    }

    /// What a thread adds words with.
    pub(super) fn writer(&self) -> Writer<'_> {
        Writer {
            table: self,
            found: self.parts.iter().map(|_| Found::default()).collect(),
        }
    }

    /// The table, when all writers are gone.
    pub(super) fn finish(self) -> WordTable {
        let into_table = |part: Mutex<WordTable>| {
            let inner = part.into_inner();
            inner.unwrap_or_else(PoisonError::into_inner)
        };
        WordTable::joined(self.parts.into_iter().map(into_table).collect())
    }
}

/// Adds words to a table, from one of several threads. What it still keeps is
/// added when it is dropped.
#[derive(Debug)]
pub(super) struct Writer<'t> {
    table: &'t PartedTable,
    found: Vec<Found>,
}

impl Writer<'_> {
    /// Count a word `count` more times, at least once more.
    #[inline]
    pub(super) fn add(&mut self, word: &[u8], count: u64) {
        let hash = hash(word);
        let part = part_of(hash, self.found.len());
        let found = &mut self.found[part];
        found.push(word, hash, count);
        if found.len() % FEW == 0 || found.bytes() >= MANY_BYTES {
            self.pass_on(part);
        }
    }

    /// The bytes of the words that the table has, without those that writers keep.
    pub(super) fn table_bytes(&self) -> usize {
        self.table.bytes.load(Ordering::Relaxed)
    }

    #[cold]
    fn pass_on(&mut self, part: usize) {
        let found = &mut self.found[part];
        let lock = &self.table.parts[part];
        let must = found.len() >= MANY || found.bytes() >= MANY_BYTES;
        let table = match lock.try_lock() {
            Ok(table) => table,
            Err(_) if !must => return,
            Err(_) => lock.lock().unwrap_or_else(PoisonError::into_inner),
        };
        add(table, found, &self.table.bytes);
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        for (found, part) in self.found.iter_mut().zip(&self.table.parts) {
            let table = part.lock().unwrap_or_else(PoisonError::into_inner);
            add(table, found, &self.table.bytes);
        }
    }
}

fn add(mut table: MutexGuard<'_, WordTable>, found: &mut Found, bytes: &AtomicUsize) {
    let before = table.total_bytes();
    table.add_found(found);
    bytes.fetch_add(table.total_bytes() - before, Ordering::Relaxed);
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
    use crate::train::threads::over_items;

    #[test]
    fn what_threads_add_is_what_one_adds() {
        let mut random = Random::new(6);
        for threads in [1, 2, 3, 20] {
            let mut one = WordTable::default();
            let mut shares: Vec<Vec<(String, u64)>> = vec![Vec::new(); threads];
            for _ in 0..60_000 {
                let word = random.below(9_000).to_string();
                let count = 1 + u64::try_from(random.below(3)).unwrap();
                one.add(word.as_bytes(), count);
                shares[random.below(threads)].push((word, count));
            }
            let long = "ab".repeat(MANY_BYTES);
            one.add(long.as_bytes(), 5);
            shares[0].push((long, 5));
            let table = PartedTable::new(threads);
            over_items(shares, |share| {
                let mut writer = table.writer();
                for (word, count) in share {
                    writer.add(word.as_bytes(), count);
                    let kept = writer.found.iter().map(Found::len).max();
                    assert!(kept <= Some(MANY));
                }
            });
            assert_eq!(table.writer().table_bytes(), one.total_bytes());
            let mut all = table.finish();
            assert_eq!(all, one);
            assert_eq!(all.get(b"none"), 0);
            assert_eq!(all.sorted(), one.sorted());
            assert_eq!(all.in_byte_order().iter().collect::<Vec<_>>(), one.sorted());
            all.add(b"none", 7);
            assert_eq!((all.len(), all.get(b"none")), (one.len() + 1, 7));
        }
    }

    #[test]
    fn no_words_are_no_words() {
        for threads in [0, 1, 3] {
            let table = PartedTable::new(threads).finish();
            assert!(table.is_empty() && table.get(b"a") == 0 && table.place_of(b"").is_none());
        }
    }
}
