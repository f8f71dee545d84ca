//! The file of word counts: small, sorted, and the same for the same counts.
//!
//! ```text
//! "pytok-counts" version:u32 source:u32+JSON texts:u64 text_bytes:u64 words:u64
//! then per word, in the order of their bytes:
//!     shared with the word before:varint  rest:varint+bytes  count:varint
//! FNV-1a of all that precedes:u64
//! ```
//! Numbers are little-endian. Being sorted, words share beginnings, and two
//! files of the same counts have the same bytes whatever the order of counting.

use std::io::{self, Read, Write};

use super::word_counts::WordCounts;
use super::word_source::WordSource;
use crate::error::{Error, Result};

const MAGIC: &[u8; 12] = b"pytok-counts";

/// The version that is written, and the only one that can be read.
pub const VERSION: u32 = 1;

const FORMAT: &str = "word counts";

/// Passes bytes on and digests them.
struct Digested<T> {
    inner: T,
    digest: u64,
}

impl<T> Digested<T> {
    fn new(inner: T) -> Self {
        let digest = 0xCBF2_9CE4_8422_2325;
        Self { inner, digest }
    }

    fn digest(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.digest = (self.digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}

impl<W: Write> Digested<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest(bytes);
        self.inner.write_all(bytes)
    }

    fn put_varint(&mut self, mut value: u64) -> io::Result<()> {
        let (mut bytes, mut length) = ([0_u8; 10], 0);
        loop {
            let low = u8::try_from(value & 0x7F).unwrap_or(0);
            value >>= 7;
            bytes[length] = low | if value > 0 { 0x80 } else { 0 };
            length += 1;
            if value == 0 {
                return self.put(&bytes[..length]);
            }
        }
    }
}

impl<R: Read> Digested<R> {
    fn take(&mut self, buffer: &mut [u8], what: &str) -> Result<()> {
        self.inner.read_exact(buffer).map_err(|error| {
            let message = match error.kind() {
                io::ErrorKind::UnexpectedEof => "the file ends here; expected more".to_owned(),
                _ => error.to_string(),
            };
            Error::format(FORMAT, what, message)
        })?;
        self.digest(buffer);
        Ok(())
    }

    fn take_u32(&mut self, what: &str) -> Result<u32> {
        let mut bytes = [0; 4];
        self.take(&mut bytes, what)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn take_u64(&mut self, what: &str) -> Result<u64> {
        let mut bytes = [0; 8];
        self.take(&mut bytes, what)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn take_varint(&mut self, what: &str) -> Result<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let mut byte = [0];
            self.take(&mut byte, what)?;
            let low = u64::from(byte[0] & 0x7F);
            if shift == 63 && low > 1 {
                break;
            }
            value |= low << shift;
            if byte[0] < 0x80 {
                return Ok(value);
            }
        }
        Err(Error::format(FORMAT, what, "a number of more than 64 bits"))
    }

    /// Append `length` bytes, in steps, so that a false length asks for no
    /// more memory than the file has bytes.
    fn take_onto(&mut self, word: &mut Vec<u8>, mut length: u64, what: &str) -> Result<()> {
        let mut buffer = [0; 4096];
        while length > 0 {
            let step = usize::try_from(length).map_or(buffer.len(), |l| l.min(buffer.len()));
            self.take(&mut buffer[..step], what)?;
            word.extend_from_slice(&buffer[..step]);
            length -= u64::try_from(step).unwrap_or(length);
        }
        Ok(())
    }
}

fn wide(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// Write counts. Equal counts give equal bytes.
///
/// # Errors
/// What the writer fails with.
///
/// # Complexity
/// O(n log n) in the words, for sorting.
pub fn write(counts: &WordCounts, writer: impl Write) -> io::Result<()> {
    let source = serde_json::to_vec(&counts.source).map_err(io::Error::other)?;
    let mut out = Digested::new(io::BufWriter::new(writer));
    out.put(MAGIC)?;
    out.put(&VERSION.to_le_bytes())?;
    let length = u32::try_from(source.len()).map_err(io::Error::other)?;
    out.put(&length.to_le_bytes())?;
    out.put(&source)?;
    for number in [counts.texts, counts.text_bytes, wide(counts.words.len())] {
        out.put(&number.to_le_bytes())?;
    }
    let mut last: &[u8] = b"";
    for (word, count) in counts.words.sorted() {
        let shared = last.iter().zip(word).take_while(|(a, b)| a == b).count();
        out.put_varint(wide(shared))?;
        out.put_varint(wide(word.len() - shared))?;
        out.put(&word[shared..])?;
        out.put_varint(count)?;
        last = word;
    }
    let digest = out.digest;
    out.put(&digest.to_le_bytes())?;
    out.inner.flush()
}

/// Read counts.
///
/// # Errors
/// [`Error::Format`] with the field or the number of the word that is wrong;
/// [`Error::Unsupported`] when the file is of another version.
pub fn read(reader: impl Read) -> Result<WordCounts> {
    let mut input = Digested::new(io::BufReader::new(reader));
    let mut magic = [0; MAGIC.len()];
    input.take(&mut magic, "the first bytes")?;
    if &magic != MAGIC {
        let message = "expected a file that pytok count-words wrote";
        return Err(Error::format(FORMAT, "the first bytes", message));
    }
    let version = input.take_u32("version")?;
    if version != VERSION {
        let supported = format!("version {VERSION}");
        return Err(Error::unsupported(
            "version",
            version.to_string(),
            supported,
        ));
    }
    let length = input.take_u32("source")?;
    let mut source = Vec::new();
    input.take_onto(&mut source, u64::from(length), "source")?;
    let source: WordSource = serde_json::from_slice(&source)
        .map_err(|error| Error::format(FORMAT, "source", error.to_string()))?;
    let mut counts = WordCounts::new(source);
    counts.texts = input.take_u64("texts")?;
    counts.text_bytes = input.take_u64("text_bytes")?;
    let words = input.take_u64("words")?;
    read_words(&mut input, words, &mut counts)?;
    let digest = input.digest;
    if input.take_u64("the digest")? != digest {
        let message = "does not match the content; the file is damaged";
        return Err(Error::format(FORMAT, "the digest", message));
    }
    if input.inner.read(&mut [0]).unwrap_or(0) > 0 {
        let message = "expected nothing after the digest";
        return Err(Error::format(FORMAT, "the end", message));
    }
    Ok(counts)
}

fn read_words<R: Read>(input: &mut Digested<R>, words: u64, counts: &mut WordCounts) -> Result<()> {
    let (mut word, mut last) = (Vec::new(), Vec::new());
    for number in 0..words {
        let place = format!("word {number}");
        let shared = input.take_varint(&place)?;
        let shared = usize::try_from(shared).ok().filter(|&s| s <= last.len());
        let Some(shared) = shared else {
            let message = "shares more than the word before it has";
            return Err(Error::format(FORMAT, place, message));
        };
        word.clear();
        word.extend_from_slice(&last[..shared]);
        let rest = input.take_varint(&place)?;
        input.take_onto(&mut word, rest, &place)?;
        if number > 0 && word <= last {
            return Err(Error::format(
                FORMAT,
                place,
                "not in the order of the bytes",
            ));
        }
        let count = input.take_varint(&place)?;
        if count == 0 {
            return Err(Error::format(FORMAT, place, "counted 0 times"));
        }
        counts.words.add(&word, count);
        std::mem::swap(&mut word, &mut last);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::scheme::pre_tokenizer;

    fn sample(texts: &[&str]) -> WordCounts {
        let source = WordSource {
            normalizer: None,
            pre_tokenizer: Some(pre_tokenizer("qwen", None).unwrap()),
        };
        let cutter = source.compile().unwrap();
        let mut counts = WordCounts::new(source);
        for text in texts {
            counts.add_text(&cutter, text).unwrap();
        }
        counts.words.add(b"many", u64::MAX);
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
        assert_eq!(read(bytes_of(&counts).as_slice()).unwrap(), counts);
        let empty = WordCounts::new(counts.source.clone());
        assert_eq!(read(bytes_of(&empty).as_slice()).unwrap(), empty);
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
