//! The boundaries of words by a dictionary, found by any number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::boundaries::{Sums, is_segmented};
use crate::ids::offset;
use crate::train::segmenter::WordSegmenter;
use crate::train::word_table::WordTable;

/// Words that are segmented by a dictionary, by any number of threads, which may
/// come and go.
#[derive(Debug)]
pub(super) struct Search<'a> {
    words: &'a WordTable,
    pub(super) sums: Sums<'a>,
    /// The first word that nobody has taken.
    next: AtomicUsize,
}

/// Words that are taken at once.
const TAKEN: usize = 512;

impl<'a> Search<'a> {
    pub(super) fn new(words: &'a WordTable, sums: Sums<'a>) -> Self {
        let next = AtomicUsize::new(0);
        Self { words, sums, next }
    }

    /// The number of words.
    pub(super) fn words(&self) -> usize {
        self.words.len()
    }

    /// Segment words until none is left, or `go_on` says stop to the number of
    /// those that are done: then it is `false`.
    pub(super) fn work(
        &self,
        segmenter: &WordSegmenter,
        mut go_on: impl FnMut(usize) -> bool,
    ) -> bool {
        let (mut cutter, mut found) = (segmenter.cutter(), Vec::new());
        loop {
            let start = self
                .next
                .fetch_add(TAKEN, Ordering::Relaxed)
                .min(self.words.len());
            let end = self.words.len().min(start + TAKEN);
            if start == end {
                return true;
            }
            if !go_on(start) {
                return false;
            }
            for (word, count) in self.words.range(start..end) {
                if let Some(text) = is_segmented(word) {
                    found.clear();
                    cutter.boundaries(text, &mut |byte| found.push(offset(byte)));
                    self.sums.add(text, count, &found);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Random;
    use crate::train::meetings::Meetings;
    use crate::train::threads::over_ranges;
    use crate::train::unigram::boundaries::boundaries_of_all;

    #[test]
    fn a_dictionary_finds_the_same_by_any_number_of_threads() {
        let segmenter = WordSegmenter::from_dictionary("学而 5\n不学 3\n时 9\n而时 2\n").unwrap();
        let mut random = Random::new(4);
        let mut words = WordTable::default();
        words.add(b"abc", 3);
        words.add("学\u{0}而".as_bytes(), 2);
        while words.len() < 3 * TAKEN {
            let length = 1 + random.below(9);
            let letter = |_| ['学', '而', '不', '时', 'a'][random.below(5)];
            let word: String = (0..length).map(letter).collect();
            words.add(word.as_bytes(), 1 + u64::try_from(random.below(4)).unwrap());
        }
        let meetings = Meetings::new(&words, 600, 1).unwrap();
        let segments = meetings.cut(&words, 1).unwrap();
        let sums = Sums::new(&meetings, &segments);
        let mut find = |texts: &[&str]| Ok(boundaries_of_all(&segmenter, texts, 1));
        assert!(sums.find_by(&words, &mut find, 1, |_| true).unwrap());
        let expected = sums.finish(1);
        for threads in [1, 2, 5] {
            let search = Search::new(&words, Sums::new(&meetings, &segments));
            let all = over_ranges(threads, threads, |_| search.work(&segmenter, |_| true));
            assert!(all.into_iter().all(|all| all));
            assert_eq!(search.sums.finish(threads), expected);
        }
        let search = Search::new(&words, Sums::new(&meetings, &segments));
        assert!(!search.work(&segmenter, |done| done < TAKEN));
    }
}
