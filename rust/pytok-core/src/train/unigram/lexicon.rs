//! Words of a lexicon as candidates: those that the text holds often enough.

use super::boundary_prior::for_each_piece;
use super::lattice::Lattice;
use crate::error::Result;
use crate::ids::index;
use crate::train::threads::over_ranges;
use crate::train::word_table::WordTable;

/// The words of a lexicon that stand in the segments at least `least` times, as
/// strings.
///
/// # Errors
/// When the lexicon has more than about 16 million bytes.
///
/// # Complexity
/// O(n * p) for n bytes of segments and words of at most p bytes.
pub(super) fn frequent_words(
    lexicon: &[Box<[u8]>],
    segments: &WordTable,
    least: u64,
    threads: usize,
) -> Result<Vec<Box<[u8]>>> {
    let lattice = Lattice::new(lexicon)?;
    let parts = over_ranges(segments.len(), threads, |range| {
        let mut counts = vec![0_u64; lexicon.len()];
        for (segment, count) in segments.range(range) {
            for_each_piece(&lattice, segment, &mut |_, _, id| {
                let known = &mut counts[index(id)];
                *known = known.saturating_add(count);
            });
        }
        counts
    });
    let count = |id: usize| {
        let of = |part: &Vec<u64>| part[id];
        parts.iter().map(of).fold(0, u64::saturating_add)
    };
    let numbered = lexicon.iter().enumerate();
    Ok(numbered
        .filter(|&(id, _)| count(id) >= least)
        .map(|(_, word)| word.clone())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_as_strings() {
        let mut segments = WordTable::default();
        segments.add("学而学而".as_bytes(), 2);
        segments.add("不学".as_bytes(), 3);
        let words = ["学而", "学而学", "不学", "不而"];
        let lexicon: Vec<Box<[u8]>> = words.iter().map(|word| word.as_bytes().into()).collect();
        let found = |least, threads| {
            let found = frequent_words(&lexicon, &segments, least, threads).unwrap();
            let text = |word: Box<[u8]>| String::from_utf8(word.into()).unwrap();
            found.into_iter().map(text).collect::<Vec<_>>()
        };
        for threads in [1, 2] {
            assert_eq!(found(2, threads), ["学而", "学而学", "不学"]);
            assert_eq!(found(4, threads), ["学而"]);
            assert!(found(5, threads).is_empty());
        }
    }
}
