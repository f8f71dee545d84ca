//! The tau-cut: words cut where no piece can grow across.
//!
//! A piece that holds the characters x and y side by side occurs at most as
//! often as x and y stand side by side. So when no pair below a count of tau is
//! merged, a word may be cut between x and y wherever they meet fewer than tau
//! times, and every count that training looks at stays the same. After the cut
//! most Chinese clauses, each of which was a word of its own, fall into short
//! segments that many clauses share.
//!
//! Needs pieces that are whole characters or parts of one: a piece that begins
//! inside x may occur more often than x and y meet.

use super::meetings::Meetings;
use super::word_table::WordTable;
use super::words::Words;
use crate::error::Result;

/// Cut words between characters that meet fewer than `tau` times, and count the
/// segments. `tau` of 0 or 1 cuts nothing.
///
/// Bytes that are not UTF-8 are never cut from what is around them.
///
/// # Errors
/// When words that lie in a file cannot be read.
///
/// # Complexity
/// Linear in the bytes of the words, which are read twice and never held. In
/// memory are the segments and one count per pair of characters that meet, 17
/// to 39 bytes each. There are never more pairs than the words have characters,
/// nor than the square of the number of different characters: for ten million
/// pairs some 300 MB.
///
/// # Examples
/// ```
/// use pytok_core::train::{WordTable, tau_cut::tau_cut};
/// let mut words = WordTable::default();
/// words.add("学而时".as_bytes(), 3);
/// words.add("学而不".as_bytes(), 1);
/// let segments = tau_cut(&words, 3, 1)?;
/// assert_eq!(segments.get("学而时".as_bytes()), 3);
/// assert_eq!(segments.get("学而".as_bytes()), 1);
/// assert_eq!(segments.get("不".as_bytes()), 1);
/// # Ok::<(), pytok_core::Error>(())
/// ```
pub fn tau_cut(words: &dyn Words, tau: u64, threads: usize) -> Result<WordTable> {
    Meetings::new(words, tau, threads)?.cut(words, threads)
}

/// What the cut of a run made of its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutReport {
    /// Different words before the cut.
    pub words: usize,
    /// Their bytes.
    pub word_bytes: usize,
    /// Different segments after it.
    pub segments: usize,
    /// Their bytes.
    pub segment_bytes: usize,
    /// The least count of two characters that stayed together; 1 when nothing
    /// was cut.
    pub tau: u64,
    /// Runs that it took to find it.
    pub runs: u32,
}

impl CutReport {
    pub(super) fn new(words: &dyn Words, segments: &WordTable, tau: u64, runs: u32) -> Self {
        Self {
            words: words.unique(),
            word_bytes: words.total_bytes(),
            segments: segments.len(),
            segment_bytes: segments.total_bytes(),
            tau,
            runs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(words: &[(&[u8], u64)]) -> WordTable {
        let mut table = WordTable::default();
        for (word, count) in words {
            table.add(word, *count);
        }
        table
    }

    #[test]
    fn words_are_cut_at_rare_meetings_only() {
        let words = table(&[(b"abab", 2), (b"bax", 1), (b"x", 4)]);
        // ab: 4, ba: 3, ax: 1.
        assert_eq!(tau_cut(&words, 1, 2).unwrap(), words);
        assert_eq!(
            tau_cut(&words, 3, 2).unwrap(),
            table(&[(b"abab", 2), (b"ba", 1), (b"x", 5)])
        );
        assert_eq!(
            tau_cut(&words, 4, 2).unwrap(),
            table(&[(b"ab", 4), (b"b", 1), (b"a", 1), (b"x", 5)])
        );
    }

    #[test]
    fn bytes_that_are_no_text_stay_where_they_are() {
        let words = table(&[(b"\xffab\x80c", 1)]);
        assert_eq!(
            tau_cut(&words, 2, 2).unwrap(),
            table(&[(b"\xffa", 1), (b"b\x80c", 1)])
        );
    }

    #[test]
    fn no_byte_is_lost() {
        let words = table(&[
            ("学而时习之不亦说乎".as_bytes(), 2),
            ("学而不思则罔".as_bytes(), 1),
        ]);
        for tau in 1..6 {
            let total = |t: &WordTable| -> u64 {
                t.iter()
                    .map(|(w, c)| c * u64::try_from(w.len()).unwrap())
                    .sum()
            };
            assert_eq!(total(&tau_cut(&words, tau, 2).unwrap()), total(&words));
        }
    }
}
