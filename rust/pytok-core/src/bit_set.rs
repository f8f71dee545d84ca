//! A set of small numbers, a bit each.

/// Numbers below a size; no other number is ever in the set.
#[derive(Debug, Clone, Default)]
pub(crate) struct BitSet(Vec<u64>);

impl BitSet {
    /// For numbers below `size`, a multiple of 64.
    pub(crate) fn new(size: usize) -> Self {
        Self(vec![0; size / 64])
    }

    /// Add a number below the size.
    pub(crate) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Whether a number is in the set.
    #[inline]
    pub(crate) fn contains(&self, number: usize) -> bool {
        let bits = self.0.get(number / 64).copied().unwrap_or_default();
        (bits >> (number % 64)) & 1 == 1
    }
}
