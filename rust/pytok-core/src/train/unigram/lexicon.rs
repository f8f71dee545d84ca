//! Words of a lexicon as candidates: those that the text holds often enough.

use crate::error::{Error, Result};
use crate::ids::index;
use crate::model::trie::Trie;
use crate::train::rules::Rules;
use crate::train::segmenter::WordSegmenter;
use crate::train::threads::share_out;
use crate::train::words::Words;

/// Words that are candidates when they are frequent enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lexicon {
    /// These.
    Words(Vec<String>),
    /// Those of the dictionary.
    Dictionary,
}

impl Lexicon {
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::Words(words) if words.is_empty())
    }
}

/// The words that may be pieces, in order.
pub(super) fn allowed_words<'w>(
    words: impl Iterator<Item = &'w str>,
    rules: &Rules,
) -> Vec<Box<[u8]>> {
    let allowed = words.filter(|word| rules.allows_word(word));
    let mut allowed: Vec<Box<[u8]>> = allowed.map(|word| word.as_bytes().into()).collect();
    allowed.sort_unstable();
    allowed.dedup();
    allowed
}

/// The words, allowed and in order, that stand in the texts at least `least`
/// times, as strings.
///
/// # Errors
/// When the words have more than about 16 million bytes, or texts that lie in a
/// file cannot be read.
///
/// # Complexity
/// O(n * p) for n bytes of texts and words of at most p bytes.
pub(super) fn frequent_words(
    words: &[Box<[u8]>],
    texts: &dyn Words,
    least: u64,
    threads: usize,
) -> Result<Vec<Box<[u8]>>> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let trie = Trie::build(words.iter().map(|word| &**word).zip(0..))
        .map_err(|error| Error::argument("lexicon", error.to_string()))?;
    let counts = counts(&trie, words.len(), texts, threads)?;
    let frequent = words
        .iter()
        .zip(counts)
        .filter(|&(_, count)| count >= least);
    Ok(frequent.map(|(word, _)| word.clone()).collect())
}

/// As [`frequent_words`], of those words of a dictionary that are allowed. Its
/// own tree of words is used: only the frequent are looked at one by one.
///
/// # Errors
/// When texts that lie in a file cannot be read.
pub(super) fn frequent_of_dictionary(
    dictionary: &WordSegmenter,
    rules: &Rules,
    texts: &dyn Words,
    least: u64,
    threads: usize,
) -> Result<Vec<Box<[u8]>>> {
    let (trie, words) = dictionary.numbered();
    let counts = counts(trie, words, texts, threads)?;
    let words = dictionary.words().map(|(word, _)| word).zip(counts);
    let frequent = words.filter(|&(word, count)| count >= least && rules.allows_word(word));
    Ok(frequent.map(|(word, _)| word.as_bytes().into()).collect())
}

/// How often each of so many keys stands in the texts.
fn counts(trie: &Trie, keys: usize, texts: &dyn Words, threads: usize) -> Result<Vec<u64>> {
    let count_in = |text: &[u8], count: u64, counts: &mut [u64]| {
        for start in 0..text.len() {
            for (_, key) in trie.prefixes(&text[start..]) {
                let known = &mut counts[index(key)];
                *known = known.saturating_add(count);
            }
        }
    };
    let Some(table) = texts.table() else {
        let mut counts = vec![0_u64; keys];
        texts.for_each(&mut |text, count| {
            count_in(text, count, &mut counts);
            Ok(())
        })?;
        return Ok(counts);
    };
    let parts = share_out(table.len(), threads, |ranges| {
        let mut counts = vec![0_u64; keys];
        for (text, count) in ranges.flat_map(|range| table.range(range)) {
            count_in(text, count, &mut counts);
        }
        counts
    });
    let sum = |mut sums: Vec<u64>, part: Vec<u64>| {
        for (sum, count) in sums.iter_mut().zip(part) {
            *sum = sum.saturating_add(count);
        }
        sums
    };
    Ok(parts.into_iter().reduce(sum).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::BpeConfig;
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

    #[test]
    fn words_of_a_dictionary_are_those_of_a_list() {
        let mut segments = WordTable::default();
        segments.add("学而学而".as_bytes(), 2);
        segments.add("不学，学".as_bytes(), 3);
        let text = "学 9\n学而 3 v\n不学 3\n不学 0\n而学 1\n学，学 2\n之 7\n";
        let dictionary = WordSegmenter::from_dictionary(text).unwrap();
        let config = BpeConfig {
            tau_w: Some(2),
            max_chars: Some(2),
            ..BpeConfig::new(300)
        };
        let rules = Rules::new(&config, &[], &segments).unwrap();
        let list = allowed_words(dictionary.words().map(|(word, _)| word), &rules);
        for least in 1..5 {
            let expected = frequent_words(&list, &segments, least, 1).unwrap();
            for threads in [1, 2] {
                let mut found =
                    frequent_of_dictionary(&dictionary, &rules, &segments, least, threads).unwrap();
                found.sort();
                assert_eq!(found, expected, "{least}");
            }
        }
        assert_eq!(frequent_words(&list, &segments, 1, 1).unwrap().len(), 2);
    }
}
