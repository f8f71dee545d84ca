//! Where pieces stand in a text, and how badly they fit its words there.

use std::ops::Range;

use super::boundaries::{Boundaries, SURE};
use super::lattice::{Lattice, continues};
use crate::ids::index;
use crate::train::threads::share_out;
use crate::train::word_table::WordTable;

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
    use crate::train::meetings::Meetings;
    use crate::train::unigram::boundaries::Sums;

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
        let sums = Sums::new(&meetings, &segments);
        assert!(sums.find_by(&words, &mut find, 2, |_| true).unwrap());
        let boundaries = sums.finish(2);
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
}
