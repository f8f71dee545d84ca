//! Scores in JSON, so that everybody reads back the same number.
//!
//! `tokenizers` reads a number by the default rule of serde_json: up to 19 or so
//! digits as an integer, rounded to a double, then one division by a power of
//! ten. That is not always the double nearest to the decimal, and equal sums
//! then stop being equal. Scores are therefore read by the same rule (this crate
//! does not turn on `float_roundtrip`), and written as a decimal that the rule
//! reads as exactly the score. Such a decimal exists for every score that was
//! read by the rule and for every multiple of 1/1024; for a double that the rule
//! cannot give, the shortest decimal is written.

use serde::Serializer;
use serde::ser::{Error, SerializeSeq};
use serde_json::value::RawValue;

/// Write a list of pieces and scores.
///
/// # Errors
/// When a score is not finite.
pub fn serialize<S: Serializer>(vocab: &[(String, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(Some(vocab.len()))?;
    for (piece, score) in vocab {
        let decimal = decimal(*score).ok_or_else(|| {
            S::Error::custom(format!("piece {piece:?}: the score {score} is not finite"))
        })?;
        let number = RawValue::from_string(decimal).map_err(S::Error::custom)?;
        list.serialize_element(&(piece, number))?;
    }
    list.end()
}

fn read(decimal: &str) -> Option<f64> {
    serde_json::from_str(decimal).ok()
}

/// A decimal that is read as `score`.
fn decimal(score: f64) -> Option<String> {
    if !score.is_finite() {
        return None;
    }
    let shortest = serde_json::to_string(&score).ok()?;
    let is_exact = |text: &String| read(text).map(f64::to_bits) == Some(score.to_bits());
    if is_exact(&shortest) {
        return Some(shortest);
    }
    quotients(score).find(is_exact).or(Some(shortest))
}

/// Decimals `m e-k` with an integer `m` below 2^64 near `score` times ten to
/// the power `k`: all ways in which the rule can come to a number of this size.
fn quotients(score: f64) -> impl Iterator<Item = String> {
    (1_i32..=308)
        // `powi` errs by several units in the last place for large powers.
        .filter_map(move |power| {
            let factor: f64 = format!("1e{power}").parse().ok()?;
            Some((power, score * factor))
        })
        .filter(|(_, product)| product.abs() < 18_446_744_073_709_549_568.0)
        .flat_map(|(power, product)| {
            (0_u64..=3).flat_map(move |distance| {
                let bits = product.to_bits();
                [bits.wrapping_add(distance), bits.wrapping_sub(distance)]
                    .map(|bits| format!("{:.0}e-{power}", f64::from_bits(bits)))
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_written_so_that_it_is_read_again() {
        let mut state = 1_u64;
        for round in 0..200_000_u64 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let digits = state >> (round % 40);
            let text = format!("-{}.{digits:019}", round % 23);
            let score = read(&text).unwrap();
            let written = decimal(score).unwrap();
            assert_eq!(read(&written), Some(score), "{text} {written}");
            if round % 40 == 0 {
                let tiny = read(&format!("{text}e-{}", round / 40 % 200)).unwrap();
                assert_eq!(read(&decimal(tiny).unwrap()), Some(tiny), "{text}");
            }
            let grid = -f64::from(u32::try_from(round).unwrap()) / 1024.0;
            assert_eq!(read(&decimal(grid).unwrap()), Some(grid));
        }
    }

    #[test]
    fn the_rule_is_that_of_the_reference() {
        // Read by `tokenizers` 0.23.3 as the double below the nearest one.
        let text = "-9.36854838709677407";
        assert_eq!(read(text), Some(-9.368_548_387_096_774));
        assert_eq!(decimal(f64::NAN), None);
    }
}
