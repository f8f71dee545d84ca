//! The random numbers of dropout: SplitMix64 (Steele, Lea and Flood, 2014).
//!
//! Seeded and the same on every platform, unlike the reference's generator,
//! whose seed is the operating system's.

/// A seeded source of random numbers.
#[derive(Debug, Clone, Default)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A source that always gives the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// True with probability `p`; never for 0, always for 1.
    #[allow(clippy::as_conversions)] // 24 bits are exact in an f32
    pub(crate) fn chance(&mut self, p: f32) -> bool {
        let unit = (self.bits() >> 40) as f32 / (1_u32 << 24) as f32;
        unit < p
    }
}

#[cfg(test)]
impl Random {
    /// A number below `bound`, for tests.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.bits() >> 11).unwrap() % bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_keeps_its_promise() {
        let mut random = Random::new(7);
        assert!((0..10_000).all(|_| !random.chance(0.0)));
        assert!((0..10_000).all(|_| random.chance(1.0)));
        let hits = (0..100_000).filter(|_| random.chance(0.25)).count();
        assert!((24_000..26_000).contains(&hits), "{hits}");
    }

    #[test]
    fn equal_seeds_give_equal_numbers() {
        let (mut left, mut right) = (Random::new(3), Random::new(3));
        assert!((0..100).all(|_| left.bits() == right.bits()));
        assert_ne!(Random::new(1).bits(), Random::new(2).bits());
    }
}
