//! Word counts: all that training needs to know about a corpus.
//!
//! Counting is a sum, so counts of parts can be merged in any order, and
//! merging them equals counting the whole. They remember how the words were
//! made: counts of different pre-tokenizers do not mix. The words lie in memory
//! or, under a memory budget, in a file ([`super::WordCounter`]).

use super::budget::Budget;
use super::run::Run;
use super::word_counter::WordCounter;
use super::word_source::WordSource;
use super::word_table::WordTable;
use super::words::Words;
use crate::error::{Error, Result};

/// The words of a corpus and how often each occurs.
#[derive(Debug, Clone)]
pub struct WordCounts {
    pub(super) source: WordSource,
    pub(super) words: Stored,
    pub(super) texts: u64,
    pub(super) text_bytes: u64,
    /// What merging them may take.
    pub(super) budget: Option<Budget>,
}

/// Where words lie.
#[derive(Debug, Clone)]
pub(super) enum Stored {
    Table(WordTable),
    Run(Run),
}

impl WordCounts {
    /// No words yet.
    pub fn new(source: WordSource) -> Self {
        Self {
            source,
            words: Stored::Table(WordTable::default()),
            texts: 0,
            text_bytes: 0,
            budget: None,
        }
    }

    /// How the words are made.
    pub fn source(&self) -> &WordSource {
        &self.source
    }

    /// The words.
    pub fn words(&self) -> &dyn Words {
        match &self.words {
            Stored::Table(table) => table,
            Stored::Run(run) => run,
        }
    }

    /// The words, when they are in memory.
    pub fn table(&self) -> Option<&WordTable> {
        match &self.words {
            Stored::Table(table) => Some(table),
            Stored::Run(_) => None,
        }
    }

    /// The number of texts that were counted.
    pub fn texts(&self) -> u64 {
        self.texts
    }

    /// The bytes of UTF-8 of the texts that were counted.
    pub fn text_bytes(&self) -> u64 {
        self.text_bytes
    }

    /// Add the counts of other texts, within the memory budget of either.
    ///
    /// # Errors
    /// [`Error::Argument`] when their words were made in another way;
    /// [`Error::Storage`] when words cannot be kept in files.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        other.check_source(&self.source)?;
        let budget = self.budget.as_ref().or(other.budget.as_ref());
        if let (None, Stored::Table(all), Stored::Table(table)) =
            (budget, &mut self.words, &other.words)
        {
            all.merge(table);
            self.texts = self.texts.saturating_add(other.texts);
            self.text_bytes = self.text_bytes.saturating_add(other.text_bytes);
            return Ok(());
        }
        let mut counter = WordCounter::new(&self.source, 1, budget.cloned())?;
        counter.add_counts(self)?;
        counter.add_counts(other)?;
        *self = counter.finish()?;
        Ok(())
    }

    /// Fail unless the words were made like those of `source`.
    pub(super) fn check_source(&self, source: &WordSource) -> Result<()> {
        if self.source == *source {
            return Ok(());
        }
        Err(Error::argument(
            "counts",
            "made with different pre-tokenizers or normalizers; expected counts that were made \
             in one way",
        ))
    }

    /// Whether the words, their counts, how they were made and the size of the
    /// texts are the same.
    ///
    /// # Errors
    /// [`Error::Storage`] when words that lie in a file cannot be read.
    ///
    /// # Complexity
    /// O(n log n) in the words.
    pub fn same_as(&self, other: &Self) -> Result<bool> {
        let numbers = |counts: &Self| (counts.texts, counts.text_bytes, counts.words().unique());
        if self.source != other.source || numbers(self) != numbers(other) {
            return Ok(false);
        }
        if let (Stored::Table(left), Stored::Table(right)) = (&self.words, &other.words) {
            return Ok(left == right);
        }
        let (mut left, mut right) = (self.words().ordered(), other.words().ordered());
        let (mut word, mut twin) = (Vec::new(), Vec::new());
        loop {
            let (count, its) = (left.next(&mut word)?, right.next(&mut twin)?);
            if count != its || word != twin {
                return Ok(false);
            }
            if count.is_none() {
                return Ok(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::scheme::pre_tokenizer;

    fn source(scheme: &str) -> WordSource {
        WordSource {
            normalizer: None,
            pre_tokenizer: Some(pre_tokenizer(scheme, None).unwrap()),
            cap: None,
        }
    }

    const TEXTS: [&str; 5] = ["学而时习之，不亦说乎", "a b a", "", "b\n\n  x", "不亦说乎"];

    fn count(texts: &[&str]) -> WordCounts {
        let mut counter = WordCounter::new(&source("qwen"), 1, None).unwrap();
        counter.add(texts).unwrap();
        counter.finish().unwrap()
    }

    #[test]
    fn merged_counts_are_the_counts_of_the_whole() {
        let whole = count(&TEXTS);
        let table = whole.table().unwrap();
        assert_eq!(table.get("不亦说乎".as_bytes()), 1);
        assert_eq!((whole.texts(), table.get(b" a")), (5, 1));
        for cut in 0..TEXTS.len() {
            let (mut left, right) = (count(&TEXTS[cut..]), count(&TEXTS[..cut]));
            assert!(!left.same_as(&whole).unwrap() || cut == 0);
            left.merge(&right).unwrap();
            assert!(left.same_as(&whole).unwrap());
        }
    }

    #[test]
    fn counts_of_different_words_do_not_mix() {
        let mut counts = WordCounts::new(source("qwen"));
        let error = counts.merge(&WordCounts::new(source("han"))).unwrap_err();
        assert!(error.to_string().starts_with("counts: "), "{error}");
    }
}
