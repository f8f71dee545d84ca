//! Counts words on several threads, within a memory budget.
//!
//! Without a budget the threads fill one table. With a budget each has a table of
//! its own: one that has used its share is written to a file as a sorted run and
//! emptied; at the end the runs are merged as a stream. A sum does not depend on
//! where it was interrupted, so neither threads nor the budget change the counts.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::budget::Budget;
use super::merge_runs::merge_runs;
use super::parted_table::{PartedTable, Writer};
use super::run::{Run, Shelf};
use super::threads::over_items;
use super::word_cap::Window;
use super::word_counts::{Stored, WordCounts};
use super::word_source::{WordCutter, WordSource};
use super::word_table::WordTable;
use crate::error::{Error, Result};
use crate::pipeline::Tokenizer;

/// Counts the words of many texts.
///
/// # Examples
/// ```
/// use pytok_core::train::{WordCounter, WordSource, scheme};
/// let source = WordSource {
///     normalizer: None,
///     pre_tokenizer: Some(scheme::pre_tokenizer("qwen", None)?),
///     cap: None,
/// };
/// let mut counter = WordCounter::new(&source, 2, None)?;
/// counter.add(&["a b", "a"])?;
/// let counts = counter.finish()?;
/// assert_eq!((counts.texts(), counts.words().unique()), (2, 2));
/// # Ok::<(), pytok_core::Error>(())
/// ```
#[derive(Debug)]
pub struct WordCounter {
    source: WordSource,
    cutter: WordCutter,
    budget: Option<Budget>,
    /// What is counted without a budget.
    table: PartedTable,
    parts: Vec<Part>,
}

/// Below this a table is too small to be worth a thread.
const LEAST_SHARE: usize = 1 << 16;

impl WordCounter {
    /// A counter with `threads` threads, or fewer when the budget is too small
    /// for a useful table each.
    ///
    /// # Errors
    /// When the source cannot be compiled, or `threads` is 0.
    pub fn new(source: &WordSource, threads: usize, budget: Option<Budget>) -> Result<Self> {
        let cutter = source.compile()?;
        Self::with_cutter(source.clone(), cutter, threads, budget)
    }

    /// A counter of the words that the model of a tokenizer sees, special tokens
    /// as plain text, for [`super::extend`].
    ///
    /// # Errors
    /// When `threads` is 0, or the tokenizer cannot be extended.
    pub fn of_tokenizer(
        tokenizer: Arc<Tokenizer>,
        threads: usize,
        budget: Option<Budget>,
    ) -> Result<Self> {
        super::extend::check_tokenizer(&tokenizer)?;
        Self::with_cutter((&*tokenizer).into(), tokenizer.into(), threads, budget)
    }

    fn with_cutter(
        source: WordSource,
        cutter: WordCutter,
        threads: usize,
        budget: Option<Budget>,
    ) -> Result<Self> {
        if threads == 0 {
            return Err(Error::argument("threads", "0; expected at least 1"));
        }
        let room = budget.as_ref().map(Budget::tables);
        let threads = room.map_or(threads, |room| threads.min(room / LEAST_SHARE).max(1));
        let limit = room.map(|room| room / threads);
        Ok(Self {
            source,
            cutter,
            table: PartedTable::new(threads),
            parts: (0..threads).map(|_| Part::new(limit)).collect(),
            budget,
        })
    }

    /// Count the words of a batch of texts. Which thread takes which text does
    /// not matter: the counts are summed in [`WordCounter::finish`].
    ///
    /// # Errors
    /// As [`WordCutter::for_each_word`], or [`Error::Storage`] when words cannot
    /// be written: that of the first text that failed. The counts are of no use
    /// then.
    pub fn add(&mut self, texts: &[&str]) -> Result<()> {
        self.add_all(texts, |_, text| Ok(text))
    }

    /// The same of texts in UTF-8.
    ///
    /// # Errors
    /// As [`WordCounter::add`], and when a text is not UTF-8.
    pub fn add_utf8(&mut self, texts: &[&[u8]]) -> Result<()> {
        self.add_all(texts, |number, bytes| {
            std::str::from_utf8(bytes).map_err(|error| {
                let place = error.valid_up_to();
                Error::argument("texts", format!("[{number}]: byte {place}: not UTF-8"))
            })
        })
    }

    fn add_all<'t, T: Copy + Sync>(
        &mut self,
        texts: &[T],
        text_of: impl Fn(usize, T) -> Result<&'t str> + Sync,
    ) -> Result<()> {
        let job = Job {
            source: &self.source,
            cutter: &self.cutter,
            budget: self.budget.as_ref(),
        };
        if let [part] = self.parts.as_mut_slice() {
            let (mut texts, mut writer) = (texts.iter().enumerate(), self.table.writer());
            return texts.try_for_each(|(number, &text)| {
                part.add_text(job, text_of(number, text)?, &mut writer)
            });
        }
        let next = AtomicUsize::new(0);
        let failed: Mutex<Option<(usize, Error)>> = Mutex::new(None);
        let (parts, table) = (self.parts.iter_mut().take(texts.len()), &self.table);
        over_items(parts.collect(), |part: &mut Part| {
            let mut writer = table.writer();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(&text) = texts.get(number) else {
                    return;
                };
                let added =
                    text_of(number, text).and_then(|text| part.add_text(job, text, &mut writer));
                let Err(error) = added else {
                    continue;
                };
                let mut first = failed.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|(known, _)| number < *known) {
                    *first = Some((number, error));
                }
            }
        });
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Add counts of other texts.
    ///
    /// # Errors
    /// [`Error::Argument`] when their words were made in another way;
    /// [`Error::Storage`] when words cannot be read or written.
    pub fn add_counts(&mut self, counts: &WordCounts) -> Result<()> {
        counts.check_source(&self.source)?;
        let (part, mut writer) = (&mut self.parts[0], self.table.writer());
        part.add_numbers(counts);
        counts.words().for_each(&mut |word, count| {
            match (&mut part.own, &self.budget) {
                (Some(own), Some(budget)) => own.add(budget, word, count)?,
                _ if count > 0 => writer.add(word, count),
                _ => {}
            }
            Ok(())
        })
    }

    /// The sum of all threads.
    ///
    /// # Errors
    /// [`Error::Storage`] when words cannot be read or written.
    pub fn finish(self) -> Result<WordCounts> {
        let parts = self.parts;
        let sum = |number: fn(&Part) -> u64| parts.iter().map(number).fold(0, u64::saturating_add);
        let (texts, text_bytes) = (sum(|part| part.texts), sum(|part| part.text_bytes));
        let words = match &self.budget {
            Some(budget) => sum_own(parts, budget)?,
            None => Stored::Table(self.table.finish()),
        };
        Ok(WordCounts {
            source: self.source,
            words,
            texts,
            text_bytes,
            budget: self.budget,
        })
    }
}

/// The sum of what threads counted in tables of their own.
fn sum_own(parts: Vec<Part>, budget: &Budget) -> Result<Stored> {
    let own: Vec<Own> = parts.into_iter().filter_map(|part| part.own).collect();
    let memory: usize = own.iter().map(|own| own.table.memory()).sum();
    let is_spilled = own.iter().any(|own| !own.runs.is_empty());
    // While tables are merged, the largest grows beside the others.
    if is_spilled || memory > budget.bytes() / 2 {
        let mut runs = Vec::new();
        for mut own in own {
            own.spill(budget)?;
            runs.append(&mut own.runs);
        }
        return Ok(Stored::Run(merge_runs(runs, budget)?));
    }
    let mut tables: Vec<WordTable> = own.into_iter().map(|own| own.table).collect();
    tables.sort_by_key(|table| std::cmp::Reverse(table.len()));
    let add = |mut all: WordTable, table: WordTable| {
        all.merge(&table);
        all
    };
    Ok(Stored::Table(
        tables.into_iter().reduce(add).unwrap_or_default(),
    ))
}

/// What all threads share.
#[derive(Clone, Copy)]
struct Job<'a> {
    source: &'a WordSource,
    cutter: &'a WordCutter,
    budget: Option<&'a Budget>,
}

/// What one thread counts.
#[derive(Debug)]
struct Part {
    /// With a budget.
    own: Option<Own>,
    window: Window,
    texts: u64,
    text_bytes: u64,
}

/// A table within a budget.
#[derive(Debug)]
struct Own {
    table: WordTable,
    /// The memory that the table may take.
    limit: usize,
    shelf: Option<Arc<Shelf>>,
    runs: Vec<Run>,
}

impl Part {
    fn new(limit: Option<usize>) -> Self {
        Self {
            own: limit.map(|limit| Own {
                table: WordTable::default(),
                limit,
                shelf: None,
                runs: Vec::new(),
            }),
            window: Window::default(),
            texts: 0,
            text_bytes: 0,
        }
    }

    fn add_numbers(&mut self, counts: &WordCounts) {
        self.texts = self.texts.saturating_add(counts.texts);
        self.text_bytes = self.text_bytes.saturating_add(counts.text_bytes);
    }

    fn add_text(&mut self, job: Job<'_>, text: &str, writer: &mut Writer<'_>) -> Result<()> {
        self.texts += 1;
        self.text_bytes += u64::try_from(text.len()).unwrap_or(u64::MAX);
        self.window.begin();
        job.cutter.for_each_word(text, &mut |word| {
            let is_counted = |cap| self.window.admits(cap, word);
            if job.source.cap.is_none_or(is_counted) {
                match (&mut self.own, job.budget) {
                    (Some(own), Some(budget)) => own.add(budget, word, 1)?,
                    _ => writer.add(word, 1),
                }
            }
            Ok(())
        })
    }
}

impl Own {
    fn add(&mut self, budget: &Budget, word: &[u8], count: u64) -> Result<()> {
        if self.table.memory_with(word.len()) > self.limit {
            self.spill(budget)?;
        }
        self.table.add(word, count);
        Ok(())
    }

    /// Write the table to a file and empty it.
    fn spill(&mut self, budget: &Budget) -> Result<()> {
        if self.table.is_empty() {
            return Ok(());
        }
        let shelf = match &self.shelf {
            Some(shelf) => Arc::clone(shelf),
            None => Arc::clone(self.shelf.insert(Shelf::create(budget)?)),
        };
        let run = shelf.append(|found| self.table.drain_sorted(found))?;
        self.runs.push(run);
        // One word may be longer than all that the table may take.
        if self.table.memory() > self.limit {
            self.table = WordTable::default();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Random;
    use crate::train::budget::LEAST_BUDGET;
    use crate::train::counts_file;
    use crate::train::scheme::pre_tokenizer;
    use crate::train::word_source::Cap;

    fn source() -> WordSource {
        WordSource {
            normalizer: None,
            pre_tokenizer: Some(pre_tokenizer("qwen", None).unwrap()),
            cap: None,
        }
    }

    fn budget(bytes: usize) -> Budget {
        Budget::new(bytes, std::env::temp_dir()).unwrap()
    }

    fn file_of(counts: &WordCounts) -> Vec<u8> {
        let mut bytes = Vec::new();
        counts_file::write(counts, &mut bytes).unwrap();
        bytes
    }

    fn count(texts: &[&str], threads: usize, budget: Option<Budget>) -> WordCounts {
        let mut counter = WordCounter::new(&source(), threads, budget).unwrap();
        for batch in texts.chunks(100) {
            counter.add(batch).unwrap();
        }
        counter.finish().unwrap()
    }

    /// Texts of many different words, some of them frequent.
    fn texts(words: usize) -> Vec<String> {
        let mut random = Random::new(3);
        let mut word = || {
            let most = if random.below(3) == 0 { 9 } else { 90_000 };
            format!("{} ", "学而时习之".repeat(1 + random.below(3))) + &letters(random.below(most))
        };
        let text = |_| (0..20).map(|_| word()).collect();
        (0..words / 20).map(text).collect()
    }

    fn letters(mut number: usize) -> String {
        let mut word = String::new();
        while number > 0 {
            word.push(char::from(b'a' + u8::try_from(number % 26).unwrap()));
            number /= 26;
        }
        word
    }

    #[test]
    fn neither_threads_nor_the_budget_change_the_counts() {
        let texts = texts(60_000);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let whole = count(&texts, 1, None);
        assert!(whole.table().unwrap().memory() > 20 * LEAST_BUDGET);
        let file = file_of(&whole);
        for threads in [1, 2, 4] {
            assert_eq!(file_of(&count(&texts, threads, None)), file);
            for room in [LEAST_BUDGET, 5 * LEAST_BUDGET, 1 << 28] {
                let counts = count(&texts, threads, Some(budget(room)));
                assert_eq!(counts.table().is_some(), room == 1 << 28);
                assert_eq!(file_of(&counts), file, "{threads} threads, {room} bytes");
                assert!(counts.same_as(&whole).unwrap() && whole.same_as(&counts).unwrap());
            }
        }
    }

    #[test]
    fn more_runs_than_are_merged_at_once_take_several_passes() {
        let texts = texts(60_000);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut counter = WordCounter::new(&source(), 1, Some(budget(LEAST_BUDGET))).unwrap();
        counter.add(&texts).unwrap();
        assert!(
            counter.parts[0].own.as_ref().unwrap().runs.len() > 3 * 8,
            "fan-in is 8"
        );
        let counts = counter.finish().unwrap();
        assert!(counts.same_as(&count(&texts, 1, None)).unwrap());
        // Every pass gives the same words.
        let words = counts.words();
        for _ in 0..2 {
            let (mut unique, mut bytes) = (0, 0);
            words
                .for_each(&mut |word, _| {
                    unique += 1;
                    bytes += word.len();
                    Ok(())
                })
                .unwrap();
            assert_eq!((unique, bytes), (words.unique(), words.total_bytes()));
        }
    }

    #[test]
    fn counts_are_merged_within_the_budget() {
        let texts = texts(30_000);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let whole = count(&texts, 1, None);
        let (left, right) = texts.split_at(500);
        for (one, other) in [(None, Some(1)), (Some(1), None), (Some(1), Some(3))] {
            let room = |times: Option<usize>| times.map(|times| budget(times * LEAST_BUDGET));
            let mut counts = count(left, 1, room(one));
            counts.merge(&count(right, 2, room(other))).unwrap();
            assert!(counts.table().is_none());
            assert!(counts.same_as(&whole).unwrap());
        }
    }

    #[test]
    fn a_word_larger_than_the_budget_is_counted() {
        let long = "a".repeat(3 * LEAST_BUDGET);
        let texts = ["x", &long, "x", &long, "学"];
        let counts = count(&texts, 1, Some(budget(LEAST_BUDGET)));
        assert!(counts.same_as(&count(&texts, 1, None)).unwrap());
    }

    #[test]
    fn sums_of_runs_are_wide_and_never_wrap() {
        let mut counter = WordCounter::new(&source(), 1, Some(budget(LEAST_BUDGET))).unwrap();
        let room = counter.budget.clone().unwrap();
        for count in [1_u64 << 31, 1 << 33, 1] {
            let own = counter.parts[0].own.as_mut().unwrap();
            own.add(&room, b"many", count).unwrap();
            own.add(&room, b"most", u64::MAX - 2).unwrap();
            own.spill(&room).unwrap();
        }
        let mut found = Vec::new();
        let counts = counter.finish().unwrap();
        counts
            .words()
            .for_each(&mut |word, count| {
                found.push((word.to_vec(), count));
                Ok(())
            })
            .unwrap();
        let many = (1 << 31) + (1 << 33) + 1;
        assert_eq!(
            found,
            [(b"many".to_vec(), many), (b"most".to_vec(), u64::MAX)]
        );
    }

    #[test]
    fn no_words_are_no_words_under_a_budget() {
        let counts = count(&[], 3, Some(budget(LEAST_BUDGET)));
        assert_eq!((counts.words().unique(), counts.texts()), (0, 0));
        let error = Budget::new(LEAST_BUDGET - 1, std::env::temp_dir()).unwrap_err();
        assert!(error.to_string().starts_with("memory: 65535"), "{error}");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_named() {
        let folder = std::path::PathBuf::from("/no/such/folder");
        let budget = Budget::new(LEAST_BUDGET, folder).unwrap();
        let mut counter = WordCounter::new(&source(), 1, Some(budget)).unwrap();
        let texts = texts(10_000);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let error = counter.add(&texts).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("/no/such/folder: words cannot be kept")
        );
    }

    #[test]
    fn a_cap_is_part_of_the_source_and_independent_of_threads() {
        let mut capped = source();
        capped.cap = Some(Cap {
            times: 2,
            bytes: 100,
        });
        let texts = ["same words ".repeat(40), "same words ".repeat(3)];
        let texts: Vec<&str> = texts.iter().map(String::as_str).cycle().take(50).collect();
        let files: Vec<Vec<u8>> = [1, 3]
            .map(|threads| {
                let mut counter = WordCounter::new(&capped, threads, None).unwrap();
                counter.add(&texts).unwrap();
                let counts = counter.finish().unwrap();
                // 440 bytes are 5 stretches, 33 are one; the first word has no space.
                assert_eq!(counts.table().unwrap().get(b" words"), 25 * (5 * 2 + 2));
                file_of(&counts)
            })
            .into();
        assert_eq!(files[0], files[1]);
        let mut counts = counts_file::read(files[0].as_slice()).unwrap();
        assert_eq!(counts.source(), &capped);
        assert!(counts.merge(&WordCounts::new(source())).is_err());
    }
}
