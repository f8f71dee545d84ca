//! How badly pieces fit the words of a language: the word-boundary prior.
//!
//! A word segmenter is run once over the training words. For a piece t,
//!
//! ```text
//! crossing(t) = E[boundaries strictly inside t]
//!             + 1/2 * E[edges of t that are not boundaries]
//! ```
//! over all places where t stands in the training text. It is a constant of the
//! piece: no segmenter is needed to encode. Single bytes, parts of characters
//! and words without Han characters have none.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::pretokenize::scan::classes;
use crate::train::meetings::Meetings;
use crate::train::segmenter::WordSegmenter;
use crate::train::threads::over_ranges;
use crate::train::word_table::WordTable;
use crate::train::words::Words;

/// A word segmenter: for each text, the bytes strictly inside it where one word
/// ends and the next begins, ascending.
pub type FindBoundaries<'a> = dyn FnMut(&[&str]) -> Result<Vec<Vec<u32>>> + 'a;

/// The boundaries of texts by a dictionary, on several threads.
pub fn boundaries_of_all(
    segmenter: &WordSegmenter,
    texts: &[&str],
    threads: usize,
) -> Vec<Vec<u32>> {
    let parts = over_ranges(texts.len(), threads, |range| {
        let of = |text: &&str| {
            let mut found = Vec::new();
            segmenter.boundaries(text, &mut |byte| found.push(offset(byte)));
            found
        };
        texts[range].iter().map(of).collect::<Vec<_>>()
    });
    parts.into_iter().flatten().collect()
}

/// Bytes of text that the segmenter is given at once.
const BATCH: usize = 1 << 20;

/// A boundary that is there every time.
pub(super) const SURE: u64 = 255;

/// For the segments of a [`WordTable`]: how likely a word boundary is at each
/// of their bytes.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Boundaries {
    /// Where the segment's values begin; it has one more than it has bytes.
    starts: Vec<usize>,
    /// In parts of [`SURE`].
    likely: Vec<u8>,
    /// How often the segment stood in a word that was segmented.
    weights: Vec<u64>,
}

/// Whether a word is segmented: it has Han characters, and nothing but text.
pub(super) fn is_segmented(word: &[u8]) -> Option<&str> {
    let classes = classes::oniguruma();
    std::str::from_utf8(word)
        .ok()
        .filter(|text| text.chars().any(|c| classes.class(c.into()).is_han()))
}

impl Boundaries {
    /// What is known of a segment: its weight and its boundaries.
    pub(super) fn of(&self, place: usize, length: usize) -> Option<(u64, &[u8])> {
        let &weight = self.weights.get(place).filter(|&&weight| weight > 0)?;
        let start = self.starts[place];
        Some((weight, &self.likely[start..=start + length]))
    }
}

/// The most that one word counts for: sums of as many words as memory holds
/// then fit, and more decimals would change no share.
const MOST: u64 = 1 << 40;

fn zeros(length: usize) -> Vec<AtomicU64> {
    std::iter::repeat_with(AtomicU64::default)
        .take(length)
        .collect()
}

/// What is found in words, gathered by segment. Sums of whole numbers, so that
/// threads may add in any order.
#[derive(Debug)]
pub(super) struct Sums<'a> {
    meetings: &'a Meetings,
    segments: &'a WordTable,
    starts: Vec<usize>,
    sums: Vec<AtomicU64>,
    weights: Vec<AtomicU64>,
}

impl<'a> Sums<'a> {
    pub(super) fn new(meetings: &'a Meetings, segments: &'a WordTable) -> Self {
        let mut next = 0;
        let start = |(segment, _): (&[u8], u64)| {
            let start = next;
            next += segment.len() + 1;
            start
        };
        let starts = segments.iter().map(start).collect();
        Self {
            meetings,
            segments,
            starts,
            sums: zeros(next),
            weights: zeros(segments.len()),
        }
    }

    /// Add what was found in a word to its segments.
    pub(super) fn add(&self, text: &str, count: u64, mut found: &[u32]) {
        let count = count.min(MOST);
        let bytes = text.as_bytes();
        self.meetings.for_each_segment(bytes, &mut |range| {
            let Some(place) = self.segments.place_of(&bytes[range.clone()]) else {
                return; // never: the segments are those of these words
            };
            self.weights[place].fetch_add(count, Ordering::Relaxed);
            let sums = &self.sums[self.starts[place]..];
            let mark = |at: usize| sums[at - range.start].fetch_add(count, Ordering::Relaxed);
            if range.start == 0 {
                mark(0);
            }
            // A boundary where two segments meet is one of both.
            while let Some((&at, rest)) = found.split_first() {
                if index(at) > range.end {
                    break;
                }
                mark(index(at));
                if index(at) == range.end {
                    break;
                }
                found = rest;
            }
            if range.end == bytes.len() {
                mark(range.end);
            }
        });
    }

    /// Segment words by a function. `false` when `go_on` says stop.
    ///
    /// # Errors
    /// Those of the function; [`Error::Argument`] when it finds a boundary that
    /// is not between two characters.
    pub(super) fn find_by(
        &self,
        words: &dyn Words,
        find: &mut FindBoundaries<'_>,
        threads: usize,
        mut go_on: impl FnMut(usize) -> bool,
    ) -> Result<bool> {
        let mut gather = |batch: &[(String, u64)]| -> Result<()> {
            let texts: Vec<&str> = batch.iter().map(|(text, _)| &**text).collect();
            let found = find(&texts)?;
            if found.len() != texts.len() {
                let (found, texts) = (found.len(), texts.len());
                return Err(wrong(format!("{found} answers for {texts} texts")));
            }
            for (text, found) in texts.iter().zip(&found) {
                check(text, found)?;
            }
            over_ranges(batch.len(), threads, |range| {
                for ((text, count), found) in batch[range.clone()].iter().zip(&found[range]) {
                    self.add(text, *count, found);
                }
            });
            Ok(())
        };
        let (mut batch, mut size, mut done, mut stopped) = (Vec::new(), 0, 0, false);
        words.for_each(&mut |word, count| {
            done += 1;
            let Some(text) = is_segmented(word) else {
                return Ok(());
            };
            if stopped {
                return Ok(());
            }
            batch.push((text.to_owned(), count));
            size += text.len();
            if size >= BATCH {
                stopped = !go_on(done);
                gather(&batch)?;
                batch.clear();
                size = 0;
            }
            Ok(())
        })?;
        gather(&batch)?;
        Ok(!stopped)
    }

    /// What was found.
    pub(super) fn finish(self, threads: usize) -> Boundaries {
        let parts = over_ranges(self.weights.len(), threads, |range| {
            let mut likely = Vec::new();
            for place in range {
                let end = self.starts.get(place + 1).copied();
                let sums = &self.sums[self.starts[place]..end.unwrap_or(self.sums.len())];
                let weight = self.weights[place].load(Ordering::Relaxed);
                likely.extend(
                    sums.iter()
                        .map(|sum| share(sum.load(Ordering::Relaxed), weight)),
                );
            }
            likely
        });
        Boundaries {
            likely: parts.concat(),
            starts: self.starts,
            weights: self
                .weights
                .into_iter()
                .map(AtomicU64::into_inner)
                .collect(),
        }
    }
}

/// A sum of counts as a part of [`SURE`], rounded.
fn share(sum: u64, weight: u64) -> u8 {
    if weight == 0 {
        return 0;
    }
    let (sum, weight) = (u128::from(sum), u128::from(weight));
    u8::try_from((sum * u128::from(SURE) + weight / 2) / weight).unwrap_or(u8::MAX)
}

fn wrong(found: String) -> Error {
    Error::argument(
        "segmenter",
        format!("gave {found}; expected the words of each text, which joined are the text"),
    )
}

/// Check that boundaries lie between characters, in order.
fn check(text: &str, found: &[u32]) -> Result<()> {
    let mut before = 0;
    for &at in found {
        if at <= before || index(at) >= text.len() || !text.is_char_boundary(index(at)) {
            return Err(wrong(format!("a boundary at byte {at} of {text:?}")));
        }
        before = at;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_of_many_words_have_shares() {
        let mut words = WordTable::default();
        words.add("学而".as_bytes(), 2);
        words.add("而学".as_bytes(), 1);
        words.add("习而".as_bytes(), 1);
        words.add("而学而".as_bytes(), 1);
        // 学而 3, 而学 2, 习而 1: cut at 2 leaves 学而, 而学, 习, 而, 而学而.
        let meetings = Meetings::new(&words, 2, 1).unwrap();
        let segments = meetings.cut(&words, 1).unwrap();
        let mut find = |texts: &[&str]| Ok(vec![vec![3]; texts.len()]);
        let sums = Sums::new(&meetings, &segments);
        assert!(sums.find_by(&words, &mut find, 2, |_| true).unwrap());
        let boundaries = sums.finish(2);
        let place = segments.place_of("而".as_bytes()).unwrap();
        assert_eq!(boundaries.of(place, 3).unwrap(), (1, &[255, 0, 0, 255][..]));
        let place = segments.place_of("而学而".as_bytes()).unwrap();
        let likely = [255, 0, 0, 255, 0, 0, 0, 0, 0, 255];
        assert_eq!(boundaries.of(place, 9).unwrap(), (1, &likely[..]));
    }

    #[test]
    fn boundaries_inside_characters_are_refused() {
        let mut words = WordTable::default();
        words.add("学而".as_bytes(), 1);
        let meetings = Meetings::new(&words, 1, 1).unwrap();
        for bad in [0, 1, 6, 7] {
            let mut find = |_: &[&str]| Ok(vec![vec![bad]]);
            let sums = Sums::new(&meetings, &words);
            let found = sums.find_by(&words, &mut find, 2, |_| true);
            assert!(found.unwrap_err().to_string().starts_with("segmenter: "));
        }
    }
}
