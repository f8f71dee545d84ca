//! How often characters meet, and words cut where they meet too rarely.

use std::ops::Range;

use super::meeting_counts::{Counts, Frequent, for_each_meeting};
use super::meeting_sketch::Sketch;
use super::parted_table::PartedTable;
use super::segment_writer::SegmentWriter;
use super::threads::share_out;
use super::word_table::WordTable;
use super::words::Words;
use crate::error::Result;

/// The pairs of characters that meet often enough to stay together.
#[derive(Debug)]
pub(super) struct Meetings {
    /// Those that meet at least `known` times; `None` when nothing is cut.
    counts: Option<Frequent>,
    known: u64,
    /// Characters that meet fewer times are cut apart.
    tau: u64,
}

impl Meetings {
    /// The pairs that meet at least `tau` times.
    ///
    /// # Errors
    /// When words that lie in a file cannot be read.
    pub(super) fn new(words: &dyn Words, tau: u64, threads: usize) -> Result<Self> {
        if tau <= 1 {
            return Ok(Self {
                counts: None,
                known: u64::MAX,
                tau,
            });
        }
        let sketch = words
            .table()
            .and_then(|table| Sketch::of(table, tau, threads));
        let counts = Self::count(words, sketch.as_ref(), threads)?;
        Ok(Self {
            counts: Some(Counts::frequent(counts, tau)),
            known: tau,
            tau,
        })
    }

    /// Cut with another tau from now on. The words are read again when it is
    /// smaller than any before.
    ///
    /// # Errors
    /// When words that lie in a file cannot be read.
    pub(super) fn set_tau(&mut self, tau: u64, words: &dyn Words, threads: usize) -> Result<()> {
        if tau < self.known {
            self.counts = None; // before there are others
            *self = Self::new(words, tau, threads)?;
        }
        self.tau = tau;
        Ok(())
    }

    /// A tau with which so many merges are likely to be found, at least the
    /// present one: half of the count of the pair with that number, the most
    /// frequent first. Merges that are longer than two characters and those
    /// inside of characters leave room for pairs that others take away. A run
    /// shows whether it is so.
    pub(super) fn likely_tau(&self, merges: usize) -> u64 {
        let mut counts: Vec<u64> = self.counts.iter().flat_map(Frequent::values).collect();
        if merges == 0 || counts.len() < merges {
            return self.tau;
        }
        let place = counts.len() - merges;
        let (_, count, _) = counts.select_nth_unstable(place);
        self.tau.max(*count / 2)
    }

    /// The pairs that stand in pieces: a cut that no piece crosses.
    pub(super) fn inside(pieces: &[Box<[u8]>]) -> Self {
        let mut counts = Counts::new(1);
        for piece in pieces {
            counts.add_word(piece, 1);
        }
        Self {
            counts: Some(Counts::frequent(vec![counts], 1)),
            known: 1,
            tau: 1,
        }
    }

    fn count(words: &dyn Words, sketch: Option<&Sketch>, threads: usize) -> Result<Vec<Counts>> {
        Ok(match words.table() {
            Some(table) => share_out(table.len(), threads, |ranges| {
                let mut counts = Counts::new(threads);
                for (word, count) in ranges.flat_map(|range| table.range(range)) {
                    match sketch {
                        Some(sketch) => {
                            counts.add_word_where(word, count, |pair| sketch.may_be_frequent(pair));
                        }
                        None => counts.add_word(word, count),
                    }
                }
                counts
            }),
            None => {
                let mut counts = Counts::new(threads);
                words.for_each(&mut |word, count| {
                    counts.add_word(word, count);
                    Ok(())
                })?;
                vec![counts]
            }
        })
    }

    /// Call `found` with the range of each segment of a word.
    #[inline]
    pub(super) fn for_each_segment(&self, word: &[u8], found: &mut impl FnMut(Range<usize>)) {
        self.for_each_segment_at(self.tau, word, found);
    }

    fn for_each_segment_at(&self, tau: u64, word: &[u8], found: &mut impl FnMut(Range<usize>)) {
        let mut start = 0;
        if let Some(counts) = &self.counts {
            let is_certain = tau <= self.known;
            for_each_meeting(word, &mut |pair, place| {
                let is_frequent = counts.has(pair, |count| is_certain || count >= tau);
                if !is_frequent {
                    found(start..place);
                    start = place;
                }
            });
        }
        found(start..word.len());
    }

    /// The segments of all words, and their counts.
    ///
    /// # Errors
    /// When words that lie in a file cannot be read.
    pub(super) fn cut(&self, words: &dyn Words, threads: usize) -> Result<WordTable> {
        self.cut_at(self.tau, words, threads)
    }

    /// The segments of all words with a tau that is larger, and their counts. The
    /// segments that [`Self::cut`] gives have the same, and are fewer to read.
    ///
    /// # Errors
    /// When words that lie in a file cannot be read.
    pub(super) fn cut_at(&self, tau: u64, words: &dyn Words, threads: usize) -> Result<WordTable> {
        let segments = self.cut_at_within(tau, words, threads, usize::MAX)?;
        Ok(segments.unwrap_or_default()) // never: no table is larger
    }

    /// The segments of all words, and their counts; `None` when they have more
    /// than `most` bytes.
    ///
    /// # Errors
    /// When words that lie in a file cannot be read.
    pub(super) fn cut_within(
        &self,
        words: &dyn Words,
        threads: usize,
        most: usize,
    ) -> Result<Option<WordTable>> {
        self.cut_at_within(self.tau, words, threads, most)
    }

    fn cut_at_within(
        &self,
        tau: u64,
        words: &dyn Words,
        threads: usize,
        most: usize,
    ) -> Result<Option<WordTable>> {
        let segments = PartedTable::new(threads);
        let add = |word: &[u8], count: u64, segments: &mut SegmentWriter<'_>| {
            if segments.table_bytes() <= most {
                self.for_each_segment_at(tau, word, &mut |range| {
                    segments.add(&word[range], count);
                });
            }
        };
        match words.table() {
            Some(table) => {
                share_out(table.len(), threads, |ranges| {
                    let mut writer = SegmentWriter::new(segments.writer(), self.counts.as_ref());
                    for (word, count) in ranges.flat_map(|range| table.range(range)) {
                        add(word, count, &mut writer);
                    }
                });
            }
            None => {
                let mut writer = SegmentWriter::new(segments.writer(), self.counts.as_ref());
                words.for_each(&mut |word, count| {
                    add(word, count, &mut writer);
                    Ok(())
                })?;
            }
        }
        let segments = segments.finish();
        // What is too large in a part is too large in the whole.
        Ok((segments.total_bytes() <= most).then_some(segments))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::budget::{Budget, LEAST_BUDGET};
    use crate::train::run::Shelf;

    fn table(words: &[(&[u8], u64)]) -> WordTable {
        let mut table = WordTable::default();
        for (word, count) in words {
            table.add(word, *count);
        }
        table
    }

    #[test]
    fn a_likely_tau_is_half_of_the_count_of_the_last_pair() {
        let words = table(&[(b"ab", 90), (b"bc", 61), (b"cd", 8), (b"de", 1)]);
        let mut meetings = Meetings::new(&words, 5, 1).unwrap();
        let likely: Vec<u64> = (0..5).map(|n| meetings.likely_tau(n)).collect();
        // Nothing is said of pairs that were not kept.
        assert_eq!(likely, [5, 45, 30, 5, 5]);
        let words = table(&[(b"abcde", 1), (b"ab", 89), (b"bc", 60), (b"cd", 7)]);
        for tau in [80, 5, 10, 1, 9, 5] {
            meetings.set_tau(tau, &words, 1).unwrap();
            let same = Meetings::new(&words, tau, 1).unwrap();
            let (found, same) = (meetings.cut(&words, 1), same.cut(&words, 1));
            assert_eq!(found.unwrap().sorted(), same.unwrap().sorted());
        }
    }

    #[test]
    fn a_cut_has_a_limit_that_neither_threads_nor_files_change() {
        let mut words = table(&[(b"abab", 2), (b"bax", 1), (b"x", 4), (b"bay", 3)]);
        let meetings = Meetings::new(&words, 4, 1).unwrap();
        let whole = meetings.cut(&words, 1).unwrap();
        for most in 0..10 {
            let expected = (whole.total_bytes() <= most).then(|| whole.clone());
            for threads in [1, 2, 4] {
                let found = meetings.cut_within(&words, threads, most).unwrap();
                assert_eq!(found, expected, "{most}");
            }
        }
        let budget = Budget::new(LEAST_BUDGET, std::env::temp_dir()).unwrap();
        let shelf = Shelf::create(&budget).unwrap();
        let run = shelf.append(|found| words.drain_sorted(found)).unwrap();
        let size = whole.total_bytes();
        assert_eq!(meetings.cut_within(&run, 1, size).unwrap(), Some(whole));
        assert_eq!(meetings.cut_within(&run, 1, size - 1).unwrap(), None);
    }

    #[test]
    fn pieces_are_never_cut_by_what_is_inside_them() {
        let pieces: Vec<Box<[u8]>> = ["学而", "而时", "a", "ab"]
            .map(|p| p.as_bytes().into())
            .into();
        let meetings = Meetings::inside(&pieces);
        let words = table(&[("学而时习ab".as_bytes(), 3), ("ba学而".as_bytes(), 1)]);
        let expected: [(&[u8], u64); 6] = [
            ("学而时".as_bytes(), 3),
            ("习".as_bytes(), 3),
            (b"ab", 3),
            (b"b", 1),
            (b"a", 1),
            ("学而".as_bytes(), 1),
        ];
        assert_eq!(meetings.cut(&words, 2).unwrap(), table(&expected));
    }
}
