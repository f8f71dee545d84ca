//! A model of where clauses end in text without punctuation: its file and scores.
//!
//! The score of a break between two characters is a sum of weights, one for each
//! pattern of characters around the place that the model knows. Patterns are found by
//! a hash: its upper half names a slot of a table, its lowest byte must be the one
//! that the slot has. Weights are whole numbers, so scores are the same on every
//! machine.
//!
//! The file, little-endian: `pytokbrk`, then `u32` version (1), `u32` slots of the
//! table, `f32` size of one unit in nats, `i32` bias; `u32` number of lengths and an
//! `i32` for clauses of 1, 2, ... characters, the last one for longer ones; `u32`
//! number of folds and `u32` pairs of characters, the second read for the first;
//! then for each slot the byte of the hash and the weight, `i8`.

use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::ids::{index, offset};

/// Where the characters of each pattern stand: 0 is the first one behind the place,
/// -1 the last one before it.
const PATTERNS: [&[i8]; 20] = [
    &[-1],
    &[0],
    &[-2],
    &[1],
    &[-3],
    &[2],
    &[-2, -1],
    &[-1, 0],
    &[0, 1],
    &[-3, -2],
    &[1, 2],
    &[-2, 0],
    &[-1, 1],
    &[-3, -2, -1],
    &[-2, -1, 0],
    &[-1, 0, 1],
    &[0, 1, 2],
    &[-4, -3, -2, -1],
    &[-2, -1, 0, 1],
    &[0, 1, 2, 3],
];

/// How far patterns reach to either side.
const REACH: usize = 4;

const MAGIC: &[u8] = b"pytokbrk";
const VERSION: u32 = 1;
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// A model, read and checked.
#[derive(Debug)]
pub(super) struct BreakModel {
    slots: Vec<(u8, i8)>,
    bias: i64,
    /// Nats of one unit.
    unit: f64,
    /// For clauses of 1, 2, ... characters; the last one for longer ones.
    pub(super) lengths: Vec<i64>,
    folds: FxHashMap<u32, u32>,
}

/// The rest of a file.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn array<const N: usize>(&mut self, field: &str) -> Result<[u8; N]> {
        let Some((first, rest)) = self.0.split_first_chunk::<N>() else {
            return Err(wrong(format!(
                "{field}: the file ends, expected {N} more bytes"
            )));
        };
        self.0 = rest;
        Ok(*first)
    }

    fn unsigned(&mut self, field: &str) -> Result<u32> {
        self.array(field).map(u32::from_le_bytes)
    }

    fn signed(&mut self, field: &str) -> Result<i64> {
        self.array(field)
            .map(|bytes| i64::from(i32::from_le_bytes(bytes)))
    }
}

fn wrong(message: String) -> Error {
    Error::argument("model", message)
}

impl BreakModel {
    /// # Errors
    /// Names the field of the file that is not as described above.
    pub(super) fn read(file: &[u8]) -> Result<Self> {
        let Some(rest) = file.strip_prefix(MAGIC) else {
            return Err(wrong(
                "magic: expected a file that begins with \"pytokbrk\"".to_owned(),
            ));
        };
        let mut bytes = Bytes(rest);
        let version = bytes.unsigned("version")?;
        if version != VERSION {
            return Err(wrong(format!("version: {version}, expected {VERSION}")));
        }
        let slots = bytes.unsigned("slots")?;
        if !(1..=1 << 24).contains(&slots) {
            return Err(wrong(format!("slots: {slots}, expected 1 to {}", 1 << 24)));
        }
        let unit = f64::from(f32::from_le_bytes(bytes.array("unit")?));
        if !unit.is_finite() || unit <= 0.0 {
            return Err(wrong(format!("unit: {unit}, expected a positive number")));
        }
        let bias = bytes.signed("bias")?;
        let count = bytes.unsigned("lengths")?;
        if !(1..=256).contains(&count) {
            return Err(wrong(format!("lengths: {count}, expected 1 to 256")));
        }
        let lengths = (0..count)
            .map(|_| bytes.signed("lengths"))
            .collect::<Result<_>>()?;
        let mut folds = FxHashMap::default();
        for _ in 0..bytes.unsigned("folds")? {
            folds.insert(bytes.unsigned("folds")?, bytes.unsigned("folds")?);
        }
        let expected = 2 * index(slots);
        if bytes.0.len() != expected {
            let found = bytes.0.len();
            return Err(wrong(format!(
                "weights: {found} bytes, expected {expected}"
            )));
        }
        let slot = |pair: &[u8]| (pair[0], i8::from_le_bytes([pair[1]]));
        Ok(Self {
            slots: bytes.0.chunks_exact(2).map(slot).collect(),
            bias,
            unit,
            lengths,
            folds,
        })
    }

    /// Nats in units, to the nearest one; for numbers of ordinary size.
    pub(super) fn units(&self, nats: f64) -> i64 {
        let units = libm::round(nats / self.unit);
        // The standard library has no checked conversion of floats: search for the
        // number by halves, which is exact up to 2^31.
        let (mut low, mut high) = (i64::from(i32::MIN), i64::from(i32::MAX));
        while low < high {
            let middle = low + (high - low) / 2;
            if f64::from(i32::try_from(middle).unwrap_or(i32::MAX)) < units {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The score of a break before each character, of the first one too, which
    /// means nothing.
    pub(super) fn scores(&self, characters: &[char]) -> Vec<i64> {
        let mut padded = vec![0_u64; REACH];
        padded.extend(characters.iter().map(|&character| {
            let code = u32::from(character);
            u64::from(*self.folds.get(&code).unwrap_or(&code))
        }));
        padded.resize(padded.len() + REACH, 0);
        (0..characters.len())
            .map(|place| self.score(&padded[place..place + 2 * REACH]))
            .collect()
    }

    /// The score of a break in the middle of a window.
    fn score(&self, window: &[u64]) -> i64 {
        let mut score = self.bias;
        for (number, pattern) in (1_u64..).zip(PATTERNS) {
            let mut hash = number;
            for &place in pattern {
                let place =
                    usize::try_from(4 + place).expect("patterns reach four characters back");
                hash = (hash ^ window[place]).wrapping_mul(MULTIPLIER);
                hash ^= hash >> 29;
            }
            let (slot, byte) = self.place_of(hash.wrapping_mul(MULTIPLIER));
            let (known, weight) = self.slots[slot];
            if known == byte {
                score += i64::from(weight);
            }
        }
        score
    }

    /// The slot of a hash, and the byte that the slot must have.
    fn place_of(&self, hash: u64) -> (usize, u8) {
        let count = u64::from(offset(self.slots.len()));
        let slot = ((hash >> 32) * count) >> 32;
        let slot = u32::try_from(slot).expect("less than the number of slots");
        (index(slot), hash.to_le_bytes()[0])
    }
}
