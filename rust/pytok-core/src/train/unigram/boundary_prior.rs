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

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::lattice::{Lattice, continues};
use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::pretokenize::scan::classes;
use crate::train::meetings::Meetings;
use crate::train::segmenter::WordSegmenter;
use crate::train::threads::{over_ranges, share_out};
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
const SURE: u64 = 255;

/// For the segments of a [`WordTable`]: how likely a word boundary is at each
/// of their bytes.
#[derive(Debug, Default)]
pub(super) struct Boundaries {
    /// Where the segment's values begin; it has one more than it has bytes.
    starts: Vec<usize>,
    /// In parts of [`SURE`].
    likely: Vec<u8>,
    /// How often the segment stood in a word that was segmented.
    weights: Vec<u64>,
}

/// Whether a word is segmented: it has Han characters, and nothing but text.
fn is_segmented(word: &[u8]) -> Option<&str> {
    let classes = classes::oniguruma();
    std::str::from_utf8(word)
        .ok()
        .filter(|text| text.chars().any(|c| classes.class(c.into()).is_han()))
}

impl Boundaries {
    /// Segment the words and gather what is found by segment. `None` when
    /// `go_on` says stop.
    ///
    /// # Errors
    /// Those of the segmenter; [`Error::Argument`] when it finds a boundary that
    /// is not between two characters.
    pub(super) fn find(
        words: &dyn Words,
        meetings: &Meetings,
        segments: &WordTable,
        find: &mut FindBoundaries<'_>,
        threads: usize,
        mut go_on: impl FnMut(usize) -> bool,
    ) -> Result<Option<Self>> {
        let mut starts = Vec::with_capacity(segments.len());
        let mut next = 0;
        for (segment, _) in segments.iter() {
            starts.push(next);
            next += segment.len() + 1;
        }
        // Sums of whole numbers, so that threads may add in any order.
        let sums: Vec<AtomicU64> = zeros(next);
        let weights: Vec<AtomicU64> = zeros(segments.len());
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
                    let sum_of = |place: usize| &sums[starts[place]..];
                    gather_word(text, *count, found, meetings, segments, &weights, &sum_of);
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
        if stopped {
            return Ok(None);
        }
        gather(&batch)?;
        let sums: Vec<u64> = sums.into_iter().map(AtomicU64::into_inner).collect();
        let weights: Vec<u64> = weights.into_iter().map(AtomicU64::into_inner).collect();
        let mut likely = Vec::with_capacity(next);
        for (place, (segment, _)) in segments.iter().enumerate() {
            let sums = &sums[starts[place]..=starts[place] + segment.len()];
            likely.extend(sums.iter().map(|&sum| share(sum, weights[place])));
        }
        Ok(Some(Self {
            starts,
            likely,
            weights,
        }))
    }

    /// What is known of a segment: its weight and its boundaries.
    fn of(&self, place: usize, length: usize) -> Option<(u64, &[u8])> {
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

/// Add what was found in a word to its segments.
fn gather_word<'s>(
    text: &str,
    count: u64,
    mut found: &[u32],
    meetings: &Meetings,
    segments: &WordTable,
    weights: &[AtomicU64],
    sums_of: &dyn Fn(usize) -> &'s [AtomicU64],
) {
    let count = count.min(MOST);
    meetings.for_each_segment(text.as_bytes(), &mut |range| {
        let Some(place) = segments.place_of(&text.as_bytes()[range.clone()]) else {
            return; // never: the segments are those of these words
        };
        weights[place].fetch_add(count, Ordering::Relaxed);
        let sums = sums_of(place);
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
        if range.end == text.len() {
            mark(range.end);
        }
    });
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

/// Where pieces stand in a text.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Occurrences {
    /// How often each piece stands in the text, as a string.
    pub(super) counts: Vec<u64>,
    /// Its `crossing`.
    pub(super) crossing: Vec<f64>,
}

/// Find all places of all pieces in the segments. Pieces that lie across each
/// other are all counted.
///
/// # Complexity
/// O(n * p) for n bytes of segments and pieces of at most p bytes.
#[allow(clippy::as_conversions)] // a mean; sums this large need no last digit
pub(super) fn occurrences(
    lattice: &Lattice,
    pieces: &[Box<[u8]>],
    segments: &WordTable,
    boundaries: &Boundaries,
    threads: usize,
) -> Occurrences {
    let parts = share_out(segments.len(), threads, |ranges| {
        let mut counts = vec![0_u64; pieces.len()];
        let mut crossed = vec![0_u128; pieces.len()];
        let mut before = Vec::new();
        let numbered = |range: Range<usize>| range.clone().zip(segments.range(range));
        for (place, (segment, count)) in ranges.flat_map(numbered) {
            let known = boundaries.of(place, segment.len());
            before.clear();
            if let Some((_, likely)) = known {
                // before[e]: the sum of what lies strictly before e.
                let mut sum = 0_u64;
                before.extend(likely.iter().map(|&part| {
                    sum += u64::from(part);
                    sum - u64::from(part)
                }));
            }
            for_each_piece(lattice, segment, &mut |start, end, id| {
                let id = index(id);
                counts[id] = counts[id].saturating_add(count);
                let Some((weight, likely)) = known else {
                    return;
                };
                let inside = before[end] - before[start + 1];
                let edges = 2 * SURE - u64::from(likely[start]) - u64::from(likely[end]);
                crossed[id] += u128::from(weight) * u128::from(2 * inside + edges);
            });
        }
        (counts, crossed)
    });
    let mut counts = vec![0_u64; pieces.len()];
    let mut crossed = vec![0_u128; pieces.len()];
    for (more_counts, more_crossed) in parts {
        for (id, (count, sum)) in more_counts.into_iter().zip(more_crossed).enumerate() {
            counts[id] = counts[id].saturating_add(count);
            crossed[id] += sum;
        }
    }
    let mean = |piece: &[u8], count: u64, sum: u128| {
        if count == 0 || piece.len() == 1 || std::str::from_utf8(piece).is_err() {
            0.0
        } else {
            sum as f64 / (2 * SURE) as f64 / count as f64
        }
    };
    let crossing = (pieces.iter().zip(&counts).zip(&crossed))
        .map(|((piece, &count), &sum)| mean(piece, count, sum))
        .collect();
    Occurrences { counts, crossing }
}

/// Call `found` with the start, the end and the id of each piece in a segment.
pub(super) fn for_each_piece(
    lattice: &Lattice,
    segment: &[u8],
    found: &mut impl FnMut(usize, usize, u32),
) {
    for start in 0..segment.len() {
        for (length, id) in lattice.trie.prefixes(&segment[start..]) {
            // A part of a character may stand at the end of no character only.
            debug_assert!(length == 1 || !continues(segment[start]) || length < 4);
            found(start, start + length, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossing_is_the_mean_over_all_places() {
        let mut words = WordTable::default();
        words.add("学而学".as_bytes(), 3);
        words.add("而学".as_bytes(), 1);
        words.add(b"ab", 5);
        let meetings = Meetings::new(&words, 1, 1).unwrap();
        let segments = meetings.cut(&words, 1).unwrap();
        // 学|而学 and 而学: the boundary is sure in one of them, absent in the other.
        let mut find = |texts: &[&str]| {
            let of = |text: &&str| if text.len() == 9 { vec![3] } else { vec![] };
            Ok(texts.iter().map(of).collect())
        };
        let boundaries = Boundaries::find(&words, &meetings, &segments, &mut find, 2, |_| true)
            .unwrap()
            .unwrap();
        let texts = ["学", "而", "学而", "而学", "学而学", "ab", "a"];
        let pieces: Vec<Box<[u8]>> = texts.iter().map(|text| text.as_bytes().into()).collect();
        let lattice = Lattice::new(&pieces).unwrap();
        for threads in [1, 2, 3] {
            let found = occurrences(&lattice, &pieces, &segments, &boundaries, threads);
            assert_eq!(found.counts, [7, 4, 3, 4, 3, 5, 5]);
            // 学: 3 at the first place (no bad edge), 3 + 1 at the end (one bad edge).
            let expected = [0.5 * 4.0 / 7.0, 0.5, 1.0 + 0.5, 0.0, 1.0, 0.0, 0.0];
            for (crossing, expected) in found.crossing.iter().zip(expected) {
                assert!((crossing - expected).abs() < 1e-9, "{found:?}");
            }
        }
    }

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
        let boundaries = Boundaries::find(&words, &meetings, &segments, &mut find, 2, |_| true)
            .unwrap()
            .unwrap();
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
            let found = Boundaries::find(&words, &meetings, &words, &mut find, 2, |_| true);
            assert!(found.unwrap_err().to_string().starts_with("segmenter: "));
        }
    }
}
