//! Words and their counts as a stream: what a trainer reads of a corpus.
//!
//! Words lie in memory or, when there are more than
//! memory may hold, in a file. A pass over them is the
//! same for both, and may be repeated.

use super::word_table::WordTable;
use crate::error::Result;

/// What is called with a word and how often it was counted.
pub type OnWord<'a> = dyn FnMut(&[u8], u64) -> Result<()> + 'a;

/// Different words, each with its count.
///
/// # Examples
/// ```
/// use pytok_core::train::{WordTable, Words};
/// let mut table = WordTable::default();
/// table.add(b"b", 2);
/// table.add(b"a", 1);
/// let words: &dyn Words = &table;
/// let mut total = 0;
/// words.for_each(&mut |_, count| {
///     total += count;
///     Ok(())
/// })?;
/// assert_eq!((words.unique(), words.total_bytes(), total), (2, 2, 3));
/// # Ok::<(), pytok_core::Error>(())
/// ```
pub trait Words: Sync {
    /// The number of different words.
    fn unique(&self) -> usize;

    /// The bytes of all different words together.
    fn total_bytes(&self) -> usize;

    /// Call `found` with each word, in an order that may depend on how they were
    /// counted.
    ///
    /// # Errors
    /// What `found` fails with, or when words that lie in a file cannot be read.
    fn for_each(&self, found: &mut OnWord<'_>) -> Result<()>;

    /// The words as a table, when they are in memory: its places can be shared
    /// out to threads.
    fn table(&self) -> Option<&WordTable> {
        None
    }

    /// The words in the order of their bytes.
    ///
    /// # Complexity
    /// O(n log n) and 8 bytes per word where they are not in that order yet.
    fn ordered(&self) -> Box<dyn Ordered + '_>;
}

/// Words in the order of their bytes, one after the other.
pub trait Ordered {
    /// Replace `word` by the next word and return its count; `None` at the end.
    /// The caller passes what the last call left in `word`.
    ///
    /// # Errors
    /// When words that lie in a file cannot be read.
    fn next(&mut self, word: &mut Vec<u8>) -> Result<Option<u64>>;
}
