//! Many runs to one, as a stream.

use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::budget::Budget;
use super::run::{Run, RunReader, Shelf, pass_on};
use super::words::Ordered;
use crate::error::Result;

/// Several runs as one: equal words are one word, their counts summed.
struct Merged<'a> {
    heads: BinaryHeap<Head<'a>>,
}

/// A run that is being merged, at one of its words.
struct Head<'a> {
    word: Vec<u8>,
    count: u64,
    rest: RunReader<'a>,
}

impl Ord for Head<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.word.cmp(&self.word) // the heap gives the greatest first
    }
}

impl PartialOrd for Head<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

impl Eq for Head<'_> {}

impl<'a> Merged<'a> {
    fn new(runs: &'a [Run]) -> Result<Self> {
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for run in runs {
            let (mut rest, mut word) = (run.reader(), Vec::new());
            if let Some(count) = rest.next(&mut word)? {
                heads.push(Head { word, count, rest });
            }
        }
        Ok(Self { heads })
    }
}

impl Ordered for Merged<'_> {
    fn next(&mut self, word: &mut Vec<u8>) -> Result<Option<u64>> {
        let mut total: Option<u64> = None;
        while let Some(mut head) = self.heads.peek_mut() {
            match total {
                None => {
                    word.clear();
                    word.extend_from_slice(&head.word);
                    total = Some(head.count);
                }
                Some(_) if *word != head.word => break,
                Some(known) => total = Some(known.saturating_add(head.count)),
            }
            let Head { word, count, rest } = &mut *head;
            match rest.next(word)? {
                Some(next) => *count = next,
                None => {
                    PeekMut::pop(head);
                }
            }
        }
        Ok(total)
    }
}

/// Merge runs to one, as many at once as the budget allows.
///
/// # Complexity
/// O(n log k) for n bytes in k runs, times the passes: one, unless there are
/// more runs than buffers fit into the budget. On disk are two passes at a time.
pub(super) fn merge_runs(mut runs: Vec<Run>, budget: &Budget) -> Result<Run> {
    loop {
        if runs.len() == 1 {
            if let Some(run) = runs.pop() {
                return Ok(run);
            }
        }
        let shelf = Shelf::create(budget)?;
        if runs.is_empty() {
            return shelf.append(|_| Ok(()));
        }
        runs = runs
            .chunks(budget.fan_in())
            .map(|group| {
                let mut merged = Merged::new(group)?;
                shelf.append(|found| pass_on(&mut merged, found))
            })
            .collect::<Result<_>>()?;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::Random;
    use crate::train::budget::LEAST_BUDGET;
    use crate::train::words::{OnWord, Words};

    #[test]
    fn merged_runs_are_the_sums_of_their_words() {
        let budget = Budget::new(LEAST_BUDGET, std::env::temp_dir()).unwrap();
        let mut random = Random::new(8);
        for number_of_runs in [0, 1, 2, 7, 8, 9, 70] {
            let shelf = Shelf::create(&budget).unwrap();
            let mut sums: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
            let mut runs = Vec::new();
            for _ in 0..number_of_runs {
                let mut words: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
                for _ in 0..random.below(40) {
                    let word = vec![b'x'; random.below(9)];
                    words.insert([&word[..], b"yz"].concat(), 1);
                    words.insert(word, u64::try_from(1 + random.below(300)).unwrap());
                }
                for (word, count) in &words {
                    *sums.entry(word.clone()).or_default() += count;
                }
                let put = |found: &mut OnWord<'_>| {
                    words
                        .iter()
                        .try_for_each(|(word, &count)| found(word, count))
                };
                runs.push(shelf.append(put).unwrap());
            }
            let merged = merge_runs(runs, &budget).unwrap();
            let mut found = Vec::new();
            let mut gather = |word: &[u8], count| {
                found.push((word.to_vec(), count));
                Ok(())
            };
            merged.for_each(&mut gather).unwrap();
            assert_eq!(found, sums.into_iter().collect::<Vec<_>>());
            assert_eq!(merged.unique(), found.len());
        }
    }
}
