//! How often each piece is expected when every segmentation has its probability:
//! the first half of a round of soft EM (Kudo 2018), by a forward and a backward
//! pass over each segment.
//!
//! Probabilities of long segments leave the range of a double. They are kept as
//! a double and a power of 2^512, so that there are products and sums only, the
//! same on every platform. Segments are summed in a fixed number of parts, in
//! order: the number of threads does not change a digit.

use super::costs::{REMOVED, UNITS};
use super::expected_sums::Sums;
use super::lattice::Lattice;
use crate::ids::{index, offset};
use crate::train::threads::share_out;
use crate::train::word_table::WordTable;

/// Parts that are summed apart.
const PARTS: usize = 64;

/// 2^512 and its inverse.
const STEP: f64 = f64::from_bits((1023 + 512) << 52);
const STEP_BACK: f64 = f64::from_bits((1023 - 512) << 52);

/// What the pieces of a text are expected to be.
#[derive(Debug, Clone, Default)]
pub(super) struct Expected {
    /// By piece.
    pub(super) counts: Vec<f64>,
    /// The logarithm of the text's probability, in nats.
    pub(super) log_likelihood: f64,
}

/// A probability: `value * 2^(512 * step)`.
#[derive(Debug, Clone, Copy)]
struct Scaled {
    value: f64,
    step: i32,
}

const NOTHING: Scaled = Scaled {
    value: 0.0,
    step: 0,
};
const CERTAIN: Scaled = Scaled {
    value: 1.0,
    step: 0,
};

impl Scaled {
    fn times(self, factor: f64) -> Self {
        let value = self.value * factor;
        if value < STEP_BACK && value > 0.0 {
            return Self {
                value: value * STEP,
                step: self.step - 1,
            };
        }
        Self { value, ..self }
    }

    fn add(&mut self, other: Self) {
        if self.value == 0.0 {
            *self = other;
            return;
        }
        // What is 2^512 times smaller does not change a double.
        match self.step.cmp(&other.step) {
            std::cmp::Ordering::Equal => self.value += other.value,
            std::cmp::Ordering::Less => {
                let known = std::mem::replace(self, other);
                self.value += known.value * power(known.step - other.step);
            }
            std::cmp::Ordering::Greater => {
                self.value += other.value * power(other.step - self.step);
            }
        }
    }
}

/// 2^(512 * step) for what is left of a step; 0 where a double holds no more.
fn power(step: i32) -> f64 {
    match step {
        0 => 1.0,
        1 => STEP,
        -1 => STEP_BACK,
        _ => 0.0,
    }
}

/// Expect the pieces of all segments. The order of the segments must not depend
/// on how they were counted: a sum of doubles does.
///
/// # Complexity
/// O(n * p) for n bytes and pieces of at most p bytes.
#[allow(clippy::as_conversions)] // counts are far below 2^53
pub(super) fn expect(
    lattice: &Lattice,
    costs: &[u32],
    segments: &WordTable,
    threads: usize,
) -> Expected {
    let chances: Vec<f64> = costs
        .iter()
        .map(|&cost| match cost {
            REMOVED => 0.0,
            _ => libm::exp(-f64::from(cost) / UNITS),
        })
        .collect();
    let groups = share_out(PARTS, threads, |parts| {
        let (mut passes, mut sums) = (Passes::default(), Sums::new(costs.len()));
        let sum = |part: usize| {
            let bound = |part: usize| segments.len() * part / PARTS;
            for (segment, count) in segments.range(bound(part)..bound(part + 1)) {
                passes.run(lattice, &chances, segment, count as f64, &mut sums);
            }
            (part, sums.take())
        };
        parts.flatten().map(sum).collect::<Vec<_>>()
    });
    let mut groups: Vec<_> = groups.into_iter().flatten().collect();
    groups.sort_unstable_by_key(|&(part, _)| part);
    let mut total = Expected {
        counts: vec![0.0; costs.len()],
        log_likelihood: 0.0,
    };
    for (_, part) in groups {
        for (id, count) in part.counts {
            total.counts[index(id)] += count;
        }
        total.log_likelihood += part.log_likelihood;
    }
    total
}

/// Bytes whose edges are held at once: one segment may have millions of bytes,
/// and tens of pieces begin at each of them.
const BLOCK: usize = 1 << 12;

/// Buffers of the two passes.
#[derive(Debug, Default)]
struct Passes {
    forward: Vec<Scaled>,
    backward: Vec<Scaled>,
    /// Start, end and piece of each edge of a block that can be reached.
    edges: Vec<(u32, u32, u32)>,
}

impl Passes {
    fn run(
        &mut self,
        lattice: &Lattice,
        chances: &[f64],
        segment: &[u8],
        count: f64,
        sums: &mut Sums,
    ) {
        let length = segment.len();
        self.forward.clear();
        self.forward.resize(length + 1, NOTHING);
        self.forward[0] = CERTAIN;
        let blocks = length.div_ceil(BLOCK);
        for block in 0..blocks {
            self.go_forward(lattice, chances, segment, block, true);
        }
        let all = self.forward[length];
        if all.value == 0.0 {
            return; // never: all bytes are pieces
        }
        self.backward.clear();
        self.backward.resize(length + 1, NOTHING);
        self.backward[length] = CERTAIN;
        for block in (0..blocks).rev() {
            if block + 1 < blocks {
                self.go_forward(lattice, chances, segment, block, false);
            }
            for &(start, end, id) in self.edges.iter().rev() {
                let chance = chances[index(id)];
                let after = self.backward[index(end)].times(chance);
                let before = self.forward[index(start)];
                let share = before.value / all.value
                    * after.value
                    * power(before.step + after.step - all.step);
                sums.add(id, share * count);
                self.backward[index(start)].add(after);
            }
        }
        let step = f64::from(all.step) * 512.0 * std::f64::consts::LN_2;
        sums.log_likelihood += (libm::log(all.value) + step) * count;
    }

    /// Find the edges of a block, and unless that has been done, what is before
    /// their ends.
    fn go_forward(
        &mut self,
        lattice: &Lattice,
        chances: &[f64],
        segment: &[u8],
        block: usize,
        first_time: bool,
    ) {
        self.edges.clear();
        for start in block * BLOCK..segment.len().min((block + 1) * BLOCK) {
            let here = self.forward[start];
            if here.value == 0.0 {
                continue;
            }
            for (bytes, id) in lattice.trie.prefixes(&segment[start..]) {
                let chance = chances[index(id)];
                if chance > 0.0 {
                    if first_time {
                        self.forward[start + bytes].add(here.times(chance));
                    }
                    self.edges.push((offset(start), offset(start + bytes), id));
                }
            }
        }
    }
}

/// The logarithms of the pieces' probabilities that follow, by piece: those of a
/// Dirichlet posterior, which takes from the rare (Kudo 2018; Liang and Klein 2007).
pub(super) fn log_shares(counts: &[f64], least: f64) -> impl Fn(usize) -> f64 + Sync {
    let total = digamma(counts.iter().map(|&count| count.max(least)).sum());
    move |id| digamma(counts[id].max(least)) - total
}

/// The derivative of the logarithm of the gamma function, for x > 0, within
/// 1e-10: the recurrence up to 8, then its asymptotic series.
fn digamma(mut x: f64) -> f64 {
    let mut below = 0.0;
    while x < 8.0 {
        below += 1.0 / x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let tail =
        square * (1.0 / 12.0 - square * (1.0 / 120.0 - square * (1.0 / 252.0 - square / 240.0)));
    libm::log(x) - 0.5 / x - tail - below
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-9 * right.abs().max(1.0)
    }

    #[test]
    fn digamma_has_its_known_values() {
        // Abramowitz and Stegun, table 6.1.
        assert!(near(digamma(1.0), -0.577_215_664_901_532_9));
        assert!(near(digamma(0.5), -1.963_510_026_021_423));
        assert!(near(digamma(10.0), 2.251_752_589_066_721));
    }

    /// All segmentations, one by one.
    fn all_ways(pieces: &[&[u8]], word: &[u8]) -> Vec<Vec<usize>> {
        if word.is_empty() {
            return vec![Vec::new()];
        }
        let mut ways = Vec::new();
        for (id, piece) in pieces.iter().enumerate() {
            if let Some(rest) = word.strip_prefix(*piece) {
                for mut way in all_ways(pieces, rest) {
                    way.push(id);
                    ways.push(way);
                }
            }
        }
        ways
    }

    #[test]
    fn expectations_are_those_of_all_segmentations() {
        let texts: [&[u8]; 5] = [b"a", b"b", b"ab", b"aa", b"bab"];
        let pieces: Vec<Box<[u8]>> = texts.iter().map(|&text| text.into()).collect();
        let lattice = Lattice::new(&pieces).unwrap();
        let costs = [1500, 2100, 2000, 2500, 3000];
        let mut segments = WordTable::default();
        segments.add(b"aabab", 3);
        segments.add(b"abba", 2);
        let found = expect(&lattice, &costs, &segments, 2);
        let (mut counts, mut likelihood) = ([0.0; 5], 0.0);
        for (word, count) in [(&b"aabab"[..], 3.0), (b"abba", 2.0)] {
            let chance = |way: &Vec<usize>| -> f64 {
                way.iter()
                    .map(|&id| (-f64::from(costs[id]) / UNITS).exp())
                    .product()
            };
            let ways = all_ways(&texts, word);
            let total: f64 = ways.iter().map(chance).sum();
            likelihood += total.ln() * count;
            for way in &ways {
                for &id in way {
                    counts[id] += chance(way) / total * count;
                }
            }
        }
        assert!(near(found.log_likelihood, likelihood));
        for (found, expected) in found.counts.iter().zip(counts) {
            assert!(near(*found, expected));
        }
    }

    #[test]
    fn long_segments_stay_in_range() {
        let pieces: Vec<Box<[u8]>> = vec![(*b"a").into(), (*b"aa").into()];
        let lattice = Lattice::new(&pieces).unwrap();
        let mut segments = WordTable::default();
        let length = 3 * BLOCK + 1;
        segments.add(&vec![b'a'; length], 1);
        let length = f64::from(offset(length));
        let found = expect(&lattice, &[20_000, 39_000], &segments, 1);
        assert!(near(found.counts[0] + 2.0 * found.counts[1], length));
        // The dominant root of x^2 = p x + q, to the power of the length.
        let (p, q) = ((-20_000.0_f64 / UNITS).exp(), (-39_000.0_f64 / UNITS).exp());
        let root = f64::midpoint(p, (p * p + 4.0 * q).sqrt());
        assert!((found.log_likelihood / (length * root.ln()) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn threads_change_nothing() {
        let pieces: Vec<Box<[u8]>> = (b'a'..=b'f').map(|byte| [byte].into()).collect();
        let lattice = Lattice::new(&pieces).unwrap();
        let mut segments = WordTable::default();
        for number in 0_u64..500 {
            let digits = number.to_string();
            let word: Vec<u8> = digits.bytes().map(|digit| b'a' + digit % 6).collect();
            segments.add(&word, number % 7 + 1);
        }
        let costs = [1000, 1100, 1200, 1300, 1400, 1500];
        let one = expect(&lattice, &costs, &segments, 1);
        for threads in [2, 3, 8] {
            let other = expect(&lattice, &costs, &segments, threads);
            assert_eq!(one.counts, other.counts);
            assert_eq!(one.log_likelihood.to_bits(), other.log_likelihood.to_bits());
        }
    }
}
