//! How sorted words are written: what each shares with the one before is left out.
//!
//! ```text
//! per word, in the order of their bytes:
//!     shared with the word before:varint  rest:varint+bytes  count:varint
//! ```
//! Everything that passes is digested (FNV-1a), so that damage can be noticed.

use std::fmt;
use std::io::{self, Read, Write};

use crate::error::{Error, Result};

pub(super) const FORMAT: &str = "word counts";

/// Passes bytes on and digests them.
pub(super) struct Digested<T> {
    pub(super) inner: T,
    pub(super) digest: u64,
}

/// What is being read, for an error.
#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    Field(&'static str),
    Word(u64),
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => f.write_str(name),
            Self::Word(number) => write!(f, "word {number}"),
        }
    }
}

impl What {
    pub(super) fn error(self, message: impl Into<String>) -> Error {
        Error::format(FORMAT, self.to_string(), message)
    }
}

pub(super) fn wide(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

impl<T> Digested<T> {
    pub(super) fn new(inner: T) -> Self {
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
    pub(super) fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
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

    /// Write a word after `last`, which becomes the word.
    pub(super) fn put_word(
        &mut self,
        last: &mut Vec<u8>,
        word: &[u8],
        count: u64,
    ) -> io::Result<()> {
        let shared = last.iter().zip(word).take_while(|(a, b)| a == b).count();
        self.put_varint(wide(shared))?;
        self.put_varint(wide(word.len() - shared))?;
        self.put(&word[shared..])?;
        self.put_varint(count)?;
        last.truncate(shared);
        last.extend_from_slice(&word[shared..]);
        Ok(())
    }
}

impl<R: Read> Digested<R> {
    pub(super) fn take(&mut self, buffer: &mut [u8], what: What) -> Result<()> {
        self.inner.read_exact(buffer).map_err(|error| {
            what.error(match error.kind() {
                io::ErrorKind::UnexpectedEof => "the file ends here; expected more".to_owned(),
                _ => error.to_string(),
            })
        })?;
        self.digest(buffer);
        Ok(())
    }

    pub(super) fn take_u32(&mut self, what: What) -> Result<u32> {
        let mut bytes = [0; 4];
        self.take(&mut bytes, what)?;
        Ok(u32::from_le_bytes(bytes))
    }

    pub(super) fn take_u64(&mut self, what: What) -> Result<u64> {
        let mut bytes = [0; 8];
        self.take(&mut bytes, what)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn take_varint(&mut self, what: What) -> Result<u64> {
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
        Err(what.error("a number of more than 64 bits"))
    }

    /// Append `length` bytes, in steps, so that a false length asks for no
    /// more memory than the file has bytes.
    pub(super) fn take_onto(
        &mut self,
        word: &mut Vec<u8>,
        mut length: u64,
        what: What,
    ) -> Result<()> {
        let mut buffer = [0; 4096];
        while length > 0 {
            let step = usize::try_from(length).map_or(buffer.len(), |l| l.min(buffer.len()));
            self.take(&mut buffer[..step], what)?;
            word.extend_from_slice(&buffer[..step]);
            length -= wide(step);
        }
        Ok(())
    }

    /// Read the word that follows the one in `word` into its place, and return
    /// its count. `number` is how many words precede it.
    pub(super) fn take_word(&mut self, word: &mut Vec<u8>, number: u64) -> Result<u64> {
        let what = What::Word(number);
        let shared = self.take_varint(what)?;
        let shared = usize::try_from(shared).ok().filter(|&s| s <= word.len());
        let Some(shared) = shared else {
            return Err(what.error("shares more than the word before it has"));
        };
        let least = word.get(shared).copied();
        word.truncate(shared);
        let rest = self.take_varint(what)?;
        self.take_onto(word, rest, what)?;
        // The first byte that is not shared decides the order.
        let rises = word.get(shared) > least.as_ref();
        if number > 0 && !rises {
            return Err(what.error("not in the order of the bytes"));
        }
        match self.take_varint(what)? {
            0 => Err(what.error("counted 0 times")),
            count => Ok(count),
        }
    }
}
