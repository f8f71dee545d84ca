//! Pairs of characters with which a longer key begins.

use crate::ids::index;

/// A set of pairs that may say yes to some that it does not have: of the pairs of a
/// text few begin a phrase, and what holds all phrases does not fit into the nearest
/// cache.
#[derive(Debug)]
pub(super) struct PairSet {
    bits: Vec<u64>,
    /// How far the hash of a pair is shifted to give its bit.
    shift: u32,
}

/// The number of bits; the phrases of `s2t` begin with some 35,000 pairs, the words
/// of jieba with some 190,000.
const PAIR_BITS: u32 = 20;

impl Default for PairSet {
    fn default() -> Self {
        Self::with_bits(PAIR_BITS)
    }
}

impl PairSet {
    /// A set of 2 to the power of `bits` bits, 6 or more: for one pair in ten.
    pub(super) fn with_bits(bits: u32) -> Self {
        Self {
            bits: vec![0; 1 << (bits - 6)],
            shift: u32::BITS - bits,
        }
    }

    pub(super) fn add(&mut self, first: char, second: char) {
        let (word, bit) = self.place(first, second);
        self.bits[word] |= 1 << bit;
    }

    #[inline]
    pub(super) fn has(&self, first: char, second: char) -> bool {
        let (word, bit) = self.place(first, second);
        self.bits[word] >> bit & 1 == 1
    }

    #[inline]
    fn place(&self, first: char, second: char) -> (usize, u32) {
        // Multiplicative hashing (Knuth, 1973) of both code points.
        let both = u32::from(first)
            .wrapping_mul(0x9e37_79b1)
            .wrapping_add(u32::from(second))
            .wrapping_mul(0x85eb_ca6b);
        let bit = both >> self.shift;
        (index(bit / u64::BITS), bit % u64::BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_pairs_has_what_was_added() {
        let mut pairs = PairSet::default();
        let all = || ('\u{4e00}'..'\u{4f00}').flat_map(|first| [(first, '一'), ('一', first)]);
        all().for_each(|(first, second)| pairs.add(first, second));
        assert!(all().all(|(first, second)| pairs.has(first, second)));
        let wrong = ('\u{5000}'..'\u{9000}').filter(|&first| pairs.has(first, '发'));
        assert!(wrong.count() < 100);
    }
}
