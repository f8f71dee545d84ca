//! The natural logarithm of a count, correctly rounded: the same on every
//! platform.
//!
//! A logarithm of a platform's mathematical library may be off in the last bit,
//! and where two segmentations are as likely as each other, that bit decides.
//! Computed here with about twice the digits (Dekker, 1971) and rounded once, by
//! additions, multiplications and divisions, whose results IEEE 754 fixes.

use std::f64::consts::{LN_2, SQRT_2};

/// What `LN_2` lacks.
const LN_2_REST: f64 = 2.319_046_813_846_299_6e-17;

/// Terms of the series: the first that is left out is below 2^-110 of the sum.
const TERMS: i32 = 22;

/// The logarithm of a count; of 0, negative infinity.
///
/// Twice the digits leave about one case in 2^48 undecided, in which the result
/// may be the second nearest number.
///
/// # Complexity
/// Constant, about a microsecond.
pub(crate) fn natural_log(count: u64) -> f64 {
    if count == 0 {
        return f64::NEG_INFINITY;
    }
    let (mut mantissa, mut exponent) = (to_float(count), 0.0);
    while mantissa > SQRT_2 {
        mantissa *= 0.5;
        exponent += 1.0;
    }
    // ln m = 2 (s + s^3/3 + s^5/5 + ...) with s = (m - 1) / (m + 1), below 0.172.
    let ratio = Wide::from(mantissa - 1.0).over(Wide::sum(mantissa, 1.0));
    let square = ratio.times(ratio);
    let series = (0..TERMS).rev().fold(Wide::from(0.0), |sum, term| {
        let coefficient = Wide::from(1.0).over(Wide::from(f64::from(2 * term + 1)));
        sum.times(square).plus(coefficient)
    });
    let ln_2 = Wide {
        high: LN_2,
        low: LN_2_REST,
    };
    let powers_of_two = ln_2.times(Wide::from(exponent));
    let rest = ratio.times(series).times(Wide::from(2.0));
    powers_of_two.plus(rest).high
}

/// The nearest float, the even one of two.
#[allow(clippy::as_conversions)] // no `From` rounds
fn to_float(count: u64) -> f64 {
    count as f64
}

/// The sum of two floats, of which `high` is the sum rounded.
#[derive(Clone, Copy)]
struct Wide {
    high: f64,
    low: f64,
}

impl From<f64> for Wide {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Wide {
    /// Exact.
    fn sum(left: f64, right: f64) -> Self {
        let high = left + right;
        let of_right = high - left;
        let low = (left - (high - of_right)) + (right - of_right);
        Self { high, low }
    }

    /// Exact, for values far from the ends of the range.
    fn product(left: f64, right: f64) -> Self {
        let high = left * right;
        let (a, b) = (halves(left), halves(right));
        let low = ((a.0 * b.0 - high) + a.0 * b.1 + a.1 * b.0) + a.1 * b.1;
        Self { high, low }
    }

    fn plus(self, other: Self) -> Self {
        let (high, low) = (
            Self::sum(self.high, other.high),
            Self::sum(self.low, other.low),
        );
        let carried = Self::sum(high.high, high.low + low.high);
        Self::sum(carried.high, carried.low + low.low)
    }

    fn times(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let cross = self.high * other.low + self.low * other.high;
        Self::sum(product.high, product.low + cross)
    }

    fn over(self, other: Self) -> Self {
        // Long division, a float at a time.
        let (mut rest, mut quotient) = (self, Self::from(0.0));
        for _ in 0..3 {
            let digit = Self::from(rest.high / other.high);
            let taken = digit.times(other);
            rest = rest.plus(Self {
                high: -taken.high,
                low: -taken.low,
            });
            quotient = quotient.plus(digit);
        }
        quotient
    }
}

/// A float as the sum of two with half the digits each.
fn halves(value: f64) -> (f64, f64) {
    let scaled = value * 134_217_729.0; // 2^27 + 1
    let high = scaled - (scaled - value);
    (high, value - high)
}

#[cfg(test)]
mod tests {
    use super::natural_log;

    /// Computed with 40 decimal digits. Among them are numbers for which common
    /// libraries give a neighbour: 3, 14, 9170, 136837.
    const KNOWN: [(u64, u64); 15] = [
        (1, 0),
        (2, 0x3fe6_2e42_fefa_39ef),
        (3, 0x3ff1_93ea_7aad_030b),
        (5, 0x3ff9_c041_f7ed_8d33),
        (7, 0x3fff_2272_ae32_5a57),
        (14, 0x4005_1cca_16d7_bba7),
        (48, 0x400e_f838_3c50_bb75),
        (100, 0x4012_6bb1_bbb5_5516),
        (9170, 0x4022_3f54_a1c5_04c1),
        (136_837, 0x4027_a731_0000_e6db),
        (147_674, 0x4027_ce36_e040_6e43),
        (60_101_967, 0x4031_e95b_8bb8_4672),
        ((1 << 53) - 1, 0x4042_5e4f_7b27_37fa),
        ((1 << 53) + 1, 0x4042_5e4f_7b27_37fa),
        (u64::MAX, 0x4046_2e42_fefa_39ef),
    ];

    #[test]
    fn every_bit_is_right() {
        for (count, bits) in KNOWN {
            assert_eq!(natural_log(count), f64::from_bits(bits), "ln {count}");
        }
        assert_eq!(natural_log(0), f64::NEG_INFINITY);
    }

    #[test]
    fn it_is_within_one_unit_of_the_platforms_and_never_falls() {
        let mut before = f64::NEG_INFINITY;
        for count in (1..20_000_u32).chain((1..20_000).map(|step| step * 200_003)) {
            let (ours, theirs) = (natural_log(u64::from(count)), f64::from(count).ln());
            assert!(ours.to_bits().abs_diff(theirs.to_bits()) <= 1, "ln {count}");
            if count <= 20_000 {
                assert!(ours > before, "ln {count}");
                before = ours;
            }
        }
    }
}
