//! Scores of new pieces on the scale of a Unigram model.
//!
//! A model's scores are logarithms of shares, often with something added to
//! each: a price per token, or what differs between its text and this one. So
//! the scale is read off the new text: with c uses of a piece among N tokens,
//!
//! ```text
//! d = mean over the tokens, segmented by the old model, of score - ln(c / N)
//! score of a new piece = ln(c' / N') + d    (c', N' after growing)
//! ```
//! but not above the best old score that is used, and not below the score of the
//! best other segmentation of the piece plus 1/1024, shorter new pieces
//! included, so that the piece is what its own text is encoded to; and not below
//! the least old score, on which the score of unknown characters depends. Where
//! all scores are multiples of 1/1024, so are the new ones. SentencePiece adds
//! scores in single precision: there they are such numbers, and the distance to the
//! best other segmentation grows by what its sum may be rounded by.

use rustc_hash::FxHashMap;

use crate::pretokenize::byte_alphabet;
use crate::train::natural_log::natural_log;

/// What a nat has of the smallest differences between scores.
const UNITS: f64 = 1024.0;

/// How far below the least score an unknown character is.
const UNKNOWN_PENALTY: f64 = 10.0;

/// The scores of a model, by the bytes of pieces.
#[derive(Debug)]
pub(super) struct Scores {
    by_bytes: FxHashMap<Box<[u8]>, f64>,
    least: f64,
    highest: f64,
    longest: usize,
    shift: f64,
    /// All scores are whole numbers of units.
    is_grid: bool,
    /// Characters may be unknown.
    has_unknown: bool,
    /// Scores are numbers of single precision.
    is_single: bool,
}

impl Scores {
    /// The scores of a vocabulary.
    pub(super) fn new(vocab: &[(String, f64)], in_bytes: bool, has_unknown: bool) -> Self {
        let bytes_of = |piece: &String| {
            if in_bytes {
                byte_alphabet::decode(piece)
            } else {
                Some(piece.as_bytes().to_vec())
            }
        };
        let entries = vocab
            .iter()
            .filter_map(|(piece, score)| Some((bytes_of(piece)?, *score)));
        let by_bytes: FxHashMap<Box<[u8]>, f64> = entries
            .map(|(bytes, score)| (bytes.into(), score))
            .collect();
        Self {
            least: vocab
                .iter()
                .fold(f64::INFINITY, |least, entry| least.min(entry.1)),
            highest: f64::NEG_INFINITY,
            longest: by_bytes.keys().map(|piece| piece.len()).max().unwrap_or(0),
            by_bytes,
            shift: 0.0,
            is_grid: vocab.iter().all(|entry| (entry.1 * UNITS).fract() == 0.0),
            has_unknown,
            is_single: false,
        }
    }

    /// The scores of a SentencePiece model's normal pieces.
    pub(super) fn single<'a>(pieces: impl Iterator<Item = (&'a str, f32)>) -> Self {
        let vocab: Vec<(String, f64)> = pieces
            .map(|(piece, score)| (piece.to_owned(), score.into()))
            .collect();
        Self {
            is_single: true,
            ..Self::new(&vocab, false, true)
        }
    }

    /// The least score of the old model.
    pub(super) fn least(&self) -> f64 {
        self.least
    }

    /// Find out the scale, from old pieces and how often the old model uses each.
    pub(super) fn fit<'a>(&mut self, counts: impl Iterator<Item = (&'a [u8], u64)> + Clone) {
        let used = || counts.clone().filter(|&(_, count)| count > 0);
        let total = used().fold(0_u64, |sum, (_, count)| sum.saturating_add(count));
        if total == 0 {
            return;
        }
        let mut sum = 0.0;
        for (piece, count) in used() {
            if let Some(&score) = self.by_bytes.get(piece) {
                self.highest = self.highest.max(score);
                sum += float(count) * (score - natural_log(count) + natural_log(total));
            }
        }
        self.shift = sum / float(total);
    }

    /// The score of a piece with so many uses among so many tokens; later pieces
    /// meet it. Shorter pieces come first.
    pub(super) fn add(&mut self, piece: &[u8], count: u64, total: u64) -> f64 {
        let share = natural_log(count) - natural_log(total) + self.shift;
        let share = if self.highest.is_finite() {
            share.min(self.highest)
        } else {
            share
        };
        let best = self.best(piece);
        let other = best + 1.0 / UNITS + self.rounding(best, piece);
        let mut score = share.max(other).max(self.least);
        if self.is_grid {
            score = libm::ceil(score * UNITS) / UNITS;
        }
        if self.is_single {
            score = single(score).into();
        }
        self.longest = self.longest.max(piece.len());
        self.by_bytes.insert(piece.into(), score);
        score
    }

    /// What sums over the characters of a piece may be off by.
    fn rounding(&self, sum: f64, piece: &[u8]) -> f64 {
        if !self.is_single {
            return 0.0;
        }
        let length = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        float(length) * sum.abs() * f64::from(f32::EPSILON)
    }

    /// The score of the best segmentation; negative infinity without any.
    fn best(&self, bytes: &[u8]) -> f64 {
        let unknown = self.least - UNKNOWN_PENALTY;
        let starts_character =
            |place: usize| bytes.get(place).is_none_or(|b| !(0x80..0xC0).contains(b));
        let mut best = vec![f64::NEG_INFINITY; bytes.len() + 1];
        best[0] = 0.0;
        for end in 1..=bytes.len() {
            for start in end.saturating_sub(self.longest)..end {
                if best[start] == f64::NEG_INFINITY {
                    continue;
                }
                if let Some(score) = self.by_bytes.get(&bytes[start..end]) {
                    best[end] = best[end].max(best[start] + score);
                }
            }
            if self.has_unknown && starts_character(end) {
                let start = (0..end)
                    .rev()
                    .find(|&place| starts_character(place))
                    .unwrap_or(0);
                best[end] = best[end].max(best[start] + unknown);
            }
        }
        best[bytes.len()]
    }
}

#[allow(clippy::as_conversions)] // counts below 2^53; above, the nearest float will do
fn float(count: u64) -> f64 {
    count as f64
}

/// The nearest number of single precision.
#[allow(clippy::as_conversions, clippy::cast_possible_truncation)] // scores are small
pub(super) fn single(score: f64) -> f32 {
    score as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(entries: &[(&str, f64)]) -> Scores {
        let vocab: Vec<_> = entries.iter().map(|&(p, s)| (p.to_owned(), s)).collect();
        Scores::new(&vocab, false, true)
    }

    #[test]
    fn the_best_segmentation_may_have_unknown_characters() {
        let scores = scores(&[("a", -1.0), ("b", -2.0), ("ab", -2.5), ("中", -4.0)]);
        assert_eq!(scores.best(b"ab"), -2.5);
        assert_eq!(scores.best("b中".as_bytes()), -6.0);
        assert_eq!(scores.best("文a".as_bytes()), -15.0);
    }

    #[test]
    fn scores_are_on_the_scale_of_the_model() {
        // Shares of 1/2 and a price of 3 a token.
        let half = -std::f64::consts::LN_2 - 3.0;
        let mut scores = scores(&[("a", half), ("b", half), ("c", -100.0)]);
        scores.fit([(&b"a"[..], 8), (&b"b"[..], 8)].into_iter());
        assert!((scores.shift + 3.0).abs() < 1e-12);
        let score = scores.add(b"ab", 4, 16);
        assert!((score - (-2.0 * std::f64::consts::LN_2 - 3.0)).abs() < 1e-12);
        // Rare pieces are still better than their parts, and none is above all old ones.
        assert_eq!(scores.add(b"aab", 1, u64::MAX), half + score + 1.0 / 1024.0);
        assert_eq!(scores.add(b"cc", 16, 16), half);
    }

    #[test]
    fn single_scores_win_over_sums_that_are_rounded() {
        let old = [("a", -20.1_f32), ("b", -17.3), ("z", -300_000.0)];
        let mut scores = Scores::single(old.into_iter());
        scores.shift = -1e6;
        let piece = "ab".repeat(200);
        let score = scores.add(piece.as_bytes(), 1, u64::MAX);
        assert_eq!(f64::from(single(score)), score);
        let sum = (0..200).fold(0.0_f32, |sum, _| (sum + -20.1) + -17.3);
        assert!(single(score) > sum, "{score} {sum}");
        assert!(score < f64::from(sum) + 1.0);
    }

    #[test]
    fn whole_units_stay_whole() {
        let mut scores = scores(&[("a", -1.5), ("b", -2.0), ("z", -30.0)]);
        scores.fit([(&b"a"[..], 3), (&b"b"[..], 1)].into_iter());
        let score = scores.add(b"ab", 1, 9);
        assert_eq!((score * 1024.0).fract(), 0.0);
        assert!(score > -3.5);
    }
}
