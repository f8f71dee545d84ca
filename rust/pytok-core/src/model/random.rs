//! The random numbers of dropout and sampling: SplitMix64 (Steele, Lea and
//! Flood, 2014).
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

    /// The source of one occurrence of a text: other texts, occurrences and
    /// seeds have other numbers.
    pub(crate) fn for_text(seed: u64, text: &str, occurrence: u64) -> Self {
        // FNV-1a (Fowler, Noll and Vo): the hash must never change, and the
        // mixing around it makes up for what it lacks.
        let hash = text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        Self::new(mix(mix(mix(seed) ^ hash).wrapping_add(occurrence)))
    }

    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// A number from 0 to below 1.
    #[inline]
    #[allow(clippy::as_conversions)] // 53 bits are exact in an f64
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True with probability `p`; never for 0, always for 1.
    #[inline]
    pub(crate) fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }
}

/// How far the state moves from number to number.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
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

    #[test]
    fn the_numbers_of_a_seed_never_change() {
        // The first ones of the authors' program for the seed 1234567.
        let mut random = Random::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973];
        assert_eq!(expected, [random.bits(), random.bits()]);
    }

    #[test]
    fn every_text_occurrence_and_seed_has_its_own_numbers() {
        let mut firsts = std::collections::HashSet::new();
        for seed in 0..20 {
            for text in ["", "a", "b", "ab", "ba", "中"] {
                for occurrence in 0..5 {
                    let mut random = Random::for_text(seed, text, occurrence);
                    assert!(firsts.insert(random.bits()));
                }
            }
        }
    }
}
