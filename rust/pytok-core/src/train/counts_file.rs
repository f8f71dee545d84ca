//! The file of word counts: small, sorted, and the same for the same counts.
//!
//! ```text
//! "pytok-counts" version:u32 source:u32+JSON texts:u64 text_bytes:u64 words:u64
//! then the words as in [`super::front_coding`], in the order of their bytes
//! FNV-1a of all that precedes:u64
//! ```
//! Numbers are little-endian. Being sorted, words share beginnings, and two
//! files of the same counts have the same bytes whatever the order of counting.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;

use super::budget::Budget;
use super::front_coding::{Digested, FORMAT, What, wide};
use super::run::{Run, Shelf};
use super::word_counts::{Stored, WordCounts};
use super::word_source::WordSource;
use super::word_table::WordTable;
use super::words::OnWord;
use crate::error::{Error, Result};

const MAGIC: &[u8; 12] = b"pytok-counts";

/// The version that is written, and the only one that can be read.
pub const VERSION: u32 = 1;

/// Write counts. Equal counts give equal bytes.
///
/// # Errors
/// What the writer fails with, or when words that lie in a file cannot be read.
///
/// # Complexity
/// O(n log n) in the words, for sorting.
pub fn write(counts: &WordCounts, writer: impl Write) -> io::Result<()> {
    let source = serde_json::to_vec(&counts.source).map_err(io::Error::other)?;
    let mut out = Digested::new(BufWriter::with_capacity(1 << 16, writer));
    out.put(MAGIC)?;
    out.put(&VERSION.to_le_bytes())?;
    let length = u32::try_from(source.len()).map_err(io::Error::other)?;
    out.put(&length.to_le_bytes())?;
    out.put(&source)?;
    for number in [
        counts.texts,
        counts.text_bytes,
        wide(counts.words().unique()),
    ] {
        out.put(&number.to_le_bytes())?;
    }
    let (mut words, mut word, mut last) = (counts.words().ordered(), Vec::new(), Vec::new());
    while let Some(count) = words.next(&mut word).map_err(io::Error::other)? {
        out.put_word(&mut last, &word, count)?;
    }
    let digest = out.digest;
    out.put(&digest.to_le_bytes())?;
    out.inner.flush()
}

/// Read counts into memory.
///
/// # Errors
/// [`Error::Format`] with the field or the number of the word that is wrong;
/// [`Error::Unsupported`] when the file is of another version.
pub fn read(reader: impl Read) -> Result<WordCounts> {
    let mut table = WordTable::default();
    let (mut counts, _) = read_through(reader, &mut |word, count| {
        table.add(word, count);
        Ok(())
    })?;
    counts.words = Stored::Table(table);
    Ok(counts)
}

/// Check the counts of a file, and leave the words there: they are read when
/// they are needed. The file must stay as it is as long as the counts are used.
/// `path` is only for errors.
///
/// # Errors
/// As [`read`].
///
/// # Complexity
/// One pass over the file, with the memory of a buffer.
pub fn open(file: File, path: PathBuf, budget: Budget) -> Result<WordCounts> {
    let (mut words, mut bytes) = (0, 0);
    let (mut counts, start) = read_through(&file, &mut |word, _| {
        words += 1;
        bytes += wide(word.len());
        Ok(())
    })?;
    let shelf = Shelf::of(file, path, &budget);
    counts.words = Stored::Run(Run::new(shelf, start, words, bytes));
    counts.budget = Some(budget);
    Ok(counts)
}

/// Read a file to its end: all but the words is returned, with the byte where
/// the words begin.
fn read_through(reader: impl Read, found: &mut OnWord<'_>) -> Result<(WordCounts, u64)> {
    let mut input = Digested::new(BufReader::with_capacity(1 << 16, reader));
    let mut magic = [0; MAGIC.len()];
    input.take(&mut magic, What::Field("the first bytes"))?;
    if &magic != MAGIC {
        let message = "expected a file that pytok count-words wrote";
        return Err(Error::format(FORMAT, "the first bytes", message));
    }
    let version = input.take_u32(What::Field("version"))?;
    if version != VERSION {
        let supported = format!("version {VERSION}");
        return Err(Error::unsupported(
            "version",
            version.to_string(),
            supported,
        ));
    }
    let length = input.take_u32(What::Field("source"))?;
    let mut source = Vec::new();
    input.take_onto(&mut source, u64::from(length), What::Field("source"))?;
    let source: WordSource = serde_json::from_slice(&source)
        .map_err(|error| Error::format(FORMAT, "source", error.to_string()))?;
    let mut counts = WordCounts::new(source);
    counts.texts = input.take_u64(What::Field("texts"))?;
    counts.text_bytes = input.take_u64(What::Field("text_bytes"))?;
    let words = input.take_u64(What::Field("words"))?;
    // The fields above: two numbers of 4 bytes, three of 8.
    let start = wide(MAGIC.len()) + 4 + 4 + u64::from(length) + 3 * 8;
    let mut word = Vec::new();
    for number in 0..words {
        let count = input.take_word(&mut word, number)?;
        found(&word, count)?;
    }
    let digest = input.digest;
    if input.take_u64(What::Field("the digest"))? != digest {
        let message = "does not match the content; the file is damaged";
        return Err(Error::format(FORMAT, "the digest", message));
    }
    if input.inner.read(&mut [0]).unwrap_or(0) > 0 {
        let message = "expected nothing after the digest";
        return Err(Error::format(FORMAT, "the end", message));
    }
    Ok((counts, start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::WordCounter;
    use crate::train::budget::LEAST_BUDGET;
    use crate::train::scheme::pre_tokenizer;

    fn sample(texts: &[&str]) -> WordCounts {
        let source = WordSource {
            normalizer: None,
            pre_tokenizer: Some(pre_tokenizer("qwen", None).unwrap()),
            cap: None,
        };
        let mut counter = WordCounter::new(&source, 1, None).unwrap();
        counter.add(texts).unwrap();
        let mut counts = counter.finish().unwrap();
        let Stored::Table(table) = &mut counts.words else {
            panic!("nothing is spilled without a budget");
        };
        table.add(b"many", u64::MAX);
        table.add(b"more", (1 << 32) + 1);
        counts
    }

    fn bytes_of(counts: &WordCounts) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(counts, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_is_written_is_read_back() {
        let counts = sample(&["学而时习之 学而 x", "", "\u{10FFFF}"]);
        let empty = WordCounts::new(counts.source.clone());
        for counts in [counts, empty] {
            let again = read(bytes_of(&counts).as_slice()).unwrap();
            assert!(again.same_as(&counts).unwrap());
        }
    }

    /// Open counts whose words stay in the file.
    fn opened(bytes: &[u8]) -> Result<WordCounts> {
        let folder = std::env::temp_dir();
        let budget = Budget::new(LEAST_BUDGET, folder.clone()).unwrap();
        let path = folder.join(format!("pytok-{:p}-{}", bytes, std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        let counts = open(File::open(&path).unwrap(), path.clone(), budget);
        std::fs::remove_file(path).unwrap();
        counts
    }

    #[test]
    fn what_is_opened_in_place_is_what_is_read() {
        let counts = sample(&["学而时习之 学而 x", "", "\u{10FFFF}"]);
        let bytes = bytes_of(&counts);
        let in_place = opened(&bytes).unwrap();
        assert!(in_place.table().is_none());
        assert!(in_place.same_as(&counts).unwrap());
        assert_eq!(in_place.words().total_bytes(), counts.words().total_bytes());
        assert_eq!(bytes_of(&in_place), bytes);
        for place in (0..bytes.len()).step_by(7) {
            let mut bad = bytes.clone();
            bad[place] ^= 0x41;
            assert!(opened(&bad).is_err(), "byte {place}");
        }
    }

    #[test]
    fn the_source_of_older_files_is_unchanged() {
        // Before there were caps, the source had two fields.
        let counts = sample(&["x"]);
        let source = serde_json::to_string(&counts.source).unwrap();
        assert!(source.starts_with(r#"{"normalizer":null,"pre_tokenizer":{"#));
        assert!(!source.contains("cap"), "{source}");
    }

    #[test]
    fn the_order_of_texts_does_not_change_the_file() {
        let (one, other) = (sample(&["a b", "c a"]), sample(&["c a", "a b"]));
        assert_eq!(bytes_of(&one), bytes_of(&other));
    }

    #[test]
    fn every_damaged_byte_and_every_cut_is_noticed() {
        let counts = sample(&["学而时习之 学而 x"]);
        let good = bytes_of(&counts);
        for place in 0..good.len() {
            let mut bad = good.clone();
            bad[place] ^= 0x41;
            assert!(read(bad.as_slice()).is_err(), "byte {place}");
            assert!(read(&good[..place]).is_err(), "cut at {place}");
        }
        let longer = [good.as_slice(), b"x"].concat();
        assert!(read(longer.as_slice()).is_err());
    }

    #[test]
    fn a_newer_file_is_refused_by_name() {
        let mut bytes = bytes_of(&sample(&[]));
        bytes[MAGIC.len()] = 2;
        let error = read(bytes.as_slice()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "version: 2 is not supported; supported: version 1"
        );
        let error = read(&b"a text file, say"[..]).unwrap_err();
        assert!(error.to_string().contains("count-words"), "{error}");
    }
}
