//! Word counts: all that training needs to know about a corpus.
//!
//! Counting is a sum, so counts of parts can be merged in any order, and
//! merging them equals counting the whole. They remember how the words were
//! made: counts of different pre-tokenizers do not mix.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::word_source::{WordCutter, WordSource};
use super::word_table::WordTable;
use super::words::Words;
use crate::error::{Error, Result};

/// The words of a corpus and how often each occurs.
#[derive(Debug, Clone, PartialEq)]
pub struct WordCounts {
    pub(super) source: WordSource,
    pub(super) words: WordTable,
    pub(super) texts: u64,
    pub(super) text_bytes: u64,
}

impl WordCounts {
    /// No words yet.
    pub fn new(source: WordSource) -> Self {
        Self {
            source,
            words: WordTable::default(),
            texts: 0,
            text_bytes: 0,
        }
    }

    /// How the words are made.
    pub fn source(&self) -> &WordSource {
        &self.source
    }

    /// The words.
    pub fn words(&self) -> &dyn Words {
        &self.words
    }

    /// The words, when they are in memory.
    pub fn table(&self) -> Option<&WordTable> {
        Some(&self.words)
    }

    /// The number of texts that were counted.
    pub fn texts(&self) -> u64 {
        self.texts
    }

    /// The bytes of UTF-8 of the texts that were counted.
    pub fn text_bytes(&self) -> u64 {
        self.text_bytes
    }

    /// Count the words of a text. `cutter` must be compiled from the same source.
    ///
    /// # Errors
    /// As [`WordCutter::for_each_word`].
    pub fn add_text(&mut self, cutter: &WordCutter, text: &str) -> Result<()> {
        self.texts += 1;
        self.text_bytes += u64::try_from(text.len()).unwrap_or(u64::MAX);
        cutter.for_each_word(text, &mut |word| {
            self.words.add(word, 1);
            Ok(())
        })
    }

    /// Add the counts of other texts.
    ///
    /// # Errors
    /// [`Error::Argument`] when their words were made in another way.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.source != other.source {
            return Err(Error::argument(
                "counts",
                "made with different pre-tokenizers or normalizers; expected counts that were made \
                 in one way",
            ));
        }
        self.words.merge(&other.words);
        self.texts = self.texts.saturating_add(other.texts);
        self.text_bytes = self.text_bytes.saturating_add(other.text_bytes);
        Ok(())
    }
}

/// Counts the words of many texts on several threads, each with a table of its own.
#[derive(Debug)]
pub struct WordCounter {
    cutter: WordCutter,
    parts: Vec<WordCounts>,
}

impl WordCounter {
    /// A counter with `threads` threads.
    ///
    /// # Errors
    /// When the source cannot be compiled, or `threads` is 0.
    pub fn new(source: &WordSource, threads: usize) -> Result<Self> {
        if threads == 0 {
            return Err(Error::argument("threads", "0; expected at least 1"));
        }
        Ok(Self {
            cutter: source.compile()?,
            parts: vec![WordCounts::new(source.clone()); threads],
        })
    }

    /// Count the words of a batch of texts. Which thread takes which text does
    /// not matter: the counts are summed in [`WordCounter::finish`].
    ///
    /// # Errors
    /// As [`WordCutter::for_each_word`]: that of the first text that failed.
    pub fn add(&mut self, texts: &[&str]) -> Result<()> {
        let cutter = &self.cutter;
        if let [part] = self.parts.as_mut_slice() {
            return texts
                .iter()
                .try_for_each(|text| part.add_text(cutter, text));
        }
        let next = AtomicUsize::new(0);
        let failed: Mutex<Option<(usize, Error)>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for part in &mut self.parts {
                let (next, failed) = (&next, &failed);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(text) = texts.get(number) else {
                            return;
                        };
                        let Err(error) = part.add_text(cutter, text) else {
                            continue;
                        };
                        let mut first = failed
                            .lock()
                            .unwrap_or_else(std::sync::PoisonError::into_inner);
                        if first.as_ref().is_none_or(|(known, _)| number < *known) {
                            *first = Some((number, error));
                        }
                    }
                });
            }
        });
        let failed = failed
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        failed.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// The sum of all threads.
    ///
    /// # Errors
    /// Never: the parts have one source.
    pub fn finish(self) -> Result<WordCounts> {
        // The largest first: the others are added to it.
        let mut parts = self.parts;
        parts.sort_by_key(|part| std::cmp::Reverse(part.words.len()));
        let mut parts = parts.into_iter();
        let Some(mut total) = parts.next() else {
            return Err(Error::argument("threads", "0; expected at least 1"));
        };
        for part in parts {
            total.merge(&part)?;
        }
        Ok(total)
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
        }
    }

    const TEXTS: [&str; 5] = ["学而时习之，不亦说乎", "a b a", "", "b\n\n  x", "不亦说乎"];

    fn count(texts: &[&str], threads: usize) -> WordCounts {
        let mut counter = WordCounter::new(&source("qwen"), threads).unwrap();
        counter.add(texts).unwrap();
        counter.finish().unwrap()
    }

    #[test]
    fn merged_counts_are_the_counts_of_the_whole() {
        let whole = count(&TEXTS, 1);
        assert_eq!(whole.table().unwrap().get("不亦说乎".as_bytes()), 1);
        assert_eq!((whole.texts(), whole.table().unwrap().get(b" a")), (5, 1));
        for cut in 0..TEXTS.len() {
            let (mut left, right) = (count(&TEXTS[cut..], 1), count(&TEXTS[..cut], 1));
            left.merge(&right).unwrap();
            assert_eq!(left, whole);
        }
    }

    #[test]
    fn threads_do_not_change_the_counts() {
        let many: Vec<&str> = TEXTS.iter().copied().cycle().take(500).collect();
        let one = count(&many, 1);
        assert_eq!(count(&many, 2), one);
        assert_eq!(count(&many, 4), one);
    }

    #[test]
    fn counts_of_different_words_do_not_mix() {
        let mut counts = WordCounts::new(source("qwen"));
        let error = counts.merge(&WordCounts::new(source("han"))).unwrap_err();
        assert!(error.to_string().starts_with("counts: "), "{error}");
    }
}
