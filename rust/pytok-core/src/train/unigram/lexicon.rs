//! Words of a lexicon as candidates: those that the text holds often enough.

use super::boundary_prior::for_each_piece;
use super::lattice::Lattice;
use crate::error::Result;
use crate::ids::index;
use crate::train::threads::share_out;
use crate::train::words::Words;

/// The words of a lexicon that stand in the texts at least `least` times, as
/// strings.
///
/// # Errors
/// When the lexicon has more than about 16 million bytes, or texts that lie in a
/// file cannot be read.
///
/// # Complexity
/// O(n * p) for n bytes of texts and words of at most p bytes.
pub(super) fn frequent_words(
    lexicon: &[Box<[u8]>],
    texts: &dyn Words,
    least: u64,
    threads: usize,
) -> Result<Vec<Box<[u8]>>> {
    let lattice = Lattice::new(lexicon)?;
    let count_in = |text: &[u8], count: u64, counts: &mut [u64]| {
        for_each_piece(&lattice, text, &mut |_, _, id| {
            let known = &mut counts[index(id)];
            *known = known.saturating_add(count);
        });
    };
    let none = || vec![0_u64; lexicon.len()];
    let parts = match texts.table() {
        Some(table) => share_out(table.len(), threads, |ranges| {
            let mut counts = none();
            for (text, count) in ranges.flat_map(|range| table.range(range)) {
                count_in(text, count, &mut counts);
            }
            counts
        }),
        None => {
            let mut counts = none();
            texts.for_each(&mut |text, count| {
                count_in(text, count, &mut counts);
                Ok(())
            })?;
            vec![counts]
        }
    };
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
    use crate::train::budget::{Budget, LEAST_BUDGET};
    use crate::train::run::Shelf;
    use crate::train::word_table::WordTable;

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
        // The same of words that lie in a file.
        let budget = Budget::new(LEAST_BUDGET, std::env::temp_dir()).unwrap();
        let shelf = Shelf::create(&budget).unwrap();
        let run = shelf.append(|found| segments.drain_sorted(found)).unwrap();
        assert_eq!(frequent_words(&lexicon, &run, 4, 2).unwrap(), lexicon[..1]);
    }
}
