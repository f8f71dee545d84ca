//! The options of BPE training, checked once.

use std::ops::RangeInclusive;

use crate::error::{Error, Result};
use crate::pretokenize::byte_alphabet;

/// The longest piece by default, in bytes.
pub const MAX_TOKEN_BYTES: u32 = 48;

/// Which of two pairs with the same count is merged first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tie {
    /// The one whose left piece, then whose right piece, has the smaller bytes.
    /// It does not depend on ids, and so not on special tokens or the order in
    /// which pieces were made.
    #[default]
    Bytes,
    /// The one with the smaller ids: the merges of the trainer of `tokenizers`.
    HuggingFace,
}

/// The options of [`super::train_bpe`].
#[derive(Debug, Clone, PartialEq)]
pub struct BpeConfig {
    /// Ids of the result: special tokens, 256 bytes and merged pieces.
    pub vocab_size: u32,
    /// Literals with the first ids, in this order.
    pub special_tokens: Vec<String>,
    /// The least count of a pair that is merged.
    pub min_frequency: u64,
    /// The least count of two neighbouring characters that training keeps
    /// together; a larger one is tried first. It saves work and never changes the
    /// result: see [`super::tau_cut`].
    pub tau: u64,
    /// The least count of a Han character to be a piece: from there on it is
    /// one, below it stays bytes.
    pub tau_c: Option<u64>,
    /// `tau_c` is at least one in so many Han characters of the text: what is rare
    /// in a large text need not be a piece.
    pub tau_c_part: Option<u64>,
    /// The least count of a piece of `min_chars` characters or more.
    pub tau_w: Option<u64>,
    /// The number of characters from which a piece counts as a word.
    pub min_chars: u32,
    /// The most characters of a word.
    pub max_chars: Option<u32>,
    /// The least and the most bytes of a word.
    pub span_bytes: Option<RangeInclusive<u32>>,
    /// The most bytes of a piece; `None` for no limit.
    pub max_token_bytes: Option<u32>,
    /// Characters that are pieces whatever their count.
    pub required_chars: Vec<char>,
    /// The first two bytes of the Han characters of the basic plane, of kana and
    /// CJK marks, and of full-width forms are pieces whatever their count, so
    /// that each of these characters takes two tokens at most.
    pub han_prefixes: bool,
    /// Pieces that are made before the least useful are removed, as a multiple
    /// of those that stay.
    pub overshoot: f64,
    /// Words are sentences, and pieces follow the grammar for them
    /// (`grammar.rs`).
    pub grammar: bool,
    /// Pieces are whole characters, or a part of one.
    pub char_align: bool,
    /// The order of pairs with the same count.
    pub tie: Tie,
    /// Threads; they change nothing but time.
    pub threads: usize,
}

impl BpeConfig {
    /// The defaults for a vocabulary of this size.
    pub fn new(vocab_size: u32) -> Self {
        Self {
            vocab_size,
            special_tokens: Vec::new(),
            min_frequency: 1,
            tau: 10,
            tau_c: None,
            tau_c_part: None,
            tau_w: None,
            min_chars: 2,
            max_chars: None,
            span_bytes: None,
            max_token_bytes: Some(MAX_TOKEN_BYTES),
            required_chars: Vec::new(),
            han_prefixes: false,
            overshoot: 1.0,
            grammar: false,
            char_align: true,
            tie: Tie::Bytes,
            threads: 1,
        }
    }

    /// Check every option, and the options against each other.
    ///
    /// # Errors
    /// [`Error::Argument`] with the option's name.
    pub fn check(&self) -> Result<()> {
        self.check_special_tokens()?;
        let least = self.special_tokens.len() + 256;
        if usize::try_from(self.vocab_size).is_ok_and(|size| size < least) {
            return Err(Error::argument(
                "vocab_size",
                format!(
                    "{}; expected at least {least}: {} special tokens and 256 bytes",
                    self.vocab_size,
                    self.special_tokens.len()
                ),
            ));
        }
        if self.vocab_size > 1 << 30 {
            let message = format!("{}; expected at most 2^30", self.vocab_size);
            return Err(Error::argument("vocab_size", message));
        }
        let positive = [
            ("min_frequency", Some(self.min_frequency)),
            ("tau", Some(self.tau)),
            ("tau_c", self.tau_c),
            ("tau_c_part", self.tau_c_part),
            ("tau_w", self.tau_w),
            ("min_chars", Some(self.min_chars.into())),
            ("max_chars", self.max_chars.map(u64::from)),
        ];
        for (name, value) in positive {
            if value == Some(0) {
                return Err(Error::argument(name, "0; expected at least 1"));
            }
        }
        if let Some(bytes) = self.max_token_bytes.filter(|&bytes| bytes < 4) {
            let message = format!("{bytes}; expected at least 4, the bytes of one character");
            return Err(Error::argument("max_token_bytes", message));
        }
        if let Some(span) = &self.span_bytes {
            if span.is_empty() || *span.start() == 0 || *span.end() > 8 {
                return Err(Error::argument(
                    "span_bytes",
                    format!(
                        "({}, {}); expected 1 <= least <= most <= 8",
                        span.start(),
                        span.end()
                    ),
                ));
            }
        }
        if self.threads == 0 {
            return Err(Error::argument("threads", "0; expected at least 1"));
        }
        if !(1.0..=100.0).contains(&self.overshoot) {
            let message = format!("{}; expected a number from 1 to 100", self.overshoot);
            return Err(Error::argument("overshoot", message));
        }
        if self.overshoot > 1.0 && self.tie == Tie::HuggingFace {
            let message = "above 1 with tie=\"hf\"; expected 1: the reference removes no merges";
            return Err(Error::argument("overshoot", message));
        }
        self.check_alignment()
    }

    /// The size of the vocabulary before the least useful pieces are removed.
    #[allow(clippy::as_conversions)] // clamped to the range
    pub(super) fn grown_size(&self) -> u32 {
        let fixed = self.special_tokens.len() + 256;
        let merged = crate::ids::index(self.vocab_size).saturating_sub(fixed);
        let wanted = libm::ceil(merged as f64 * self.overshoot) + fixed as f64;
        wanted.clamp(0.0, f64::from(1_u32 << 30)) as u32
    }

    /// What speaks of characters needs pieces that are made of characters.
    fn check_alignment(&self) -> Result<()> {
        if self.char_align {
            return Ok(());
        }
        let needing = [
            ("tau_c", self.tau_c.is_some()),
            ("tau_w", self.tau_w.is_some()),
            ("max_chars", self.max_chars.is_some()),
            ("span_bytes", self.span_bytes.is_some()),
            ("required_chars", !self.required_chars.is_empty()),
            ("han_prefixes", self.han_prefixes),
            ("grammar", self.grammar),
        ];
        match needing.into_iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(Error::argument(
                name,
                "given with char_align=False; expected char_align=True, which keeps characters \
                 whole",
            )),
            None => Ok(()),
        }
    }

    fn check_special_tokens(&self) -> Result<()> {
        let mut seen = std::collections::HashSet::new();
        for token in &self.special_tokens {
            if token.is_empty() || !seen.insert(token) {
                let message = format!("{token:?}; expected different literals that are not empty");
                return Err(Error::argument("special_tokens", message));
            }
            if byte_alphabet::decode(token).is_some_and(|bytes| bytes.len() == 1) {
                return Err(Error::argument(
                    "special_tokens",
                    format!("{token:?} is the piece of a byte; expected a longer literal"),
                ));
            }
        }
        Ok(())
    }

    /// The count below which no two characters can end up in one piece, whatever
    /// the text is.
    pub(super) fn sure_tau(&self) -> u64 {
        match self.tau_w {
            Some(tau_w) if self.min_chars <= 2 => tau_w.max(self.min_frequency),
            _ => self.min_frequency,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: impl FnOnce(&mut BpeConfig)) -> String {
        let mut config = BpeConfig::new(1000);
        change(&mut config);
        config.check().unwrap_err().to_string()
    }

    #[test]
    fn every_bad_option_is_named() {
        BpeConfig::new(256).check().unwrap();
        for (start, error) in [
            ("vocab_size: 255", refused(|c| c.vocab_size = 255)),
            (
                "vocab_size: 257",
                refused(|c| {
                    c.vocab_size = 257;
                    c.special_tokens = vec!["<a>".into(), "<b>".into()];
                }),
            ),
            ("vocab_size", refused(|c| c.vocab_size = u32::MAX)),
            ("min_frequency", refused(|c| c.min_frequency = 0)),
            ("tau:", refused(|c| c.tau = 0)),
            ("tau_c", refused(|c| c.tau_c = Some(0))),
            ("max_chars", refused(|c| c.max_chars = Some(0))),
            ("max_token_bytes", refused(|c| c.max_token_bytes = Some(3))),
            (
                "span_bytes: (0, 4)",
                refused(|c| c.span_bytes = Some(0..=4)),
            ),
            (
                "span_bytes: (1, 9)",
                refused(|c| c.span_bytes = Some(1..=9)),
            ),
            (
                "special_tokens: \"\"",
                refused(|c| c.special_tokens = vec![String::new()]),
            ),
            (
                "special_tokens: \"<a>\"",
                refused(|c| c.special_tokens = vec!["<a>".into(), "<a>".into()]),
            ),
            (
                "special_tokens: \"Ġ\"",
                refused(|c| c.special_tokens = vec!["Ġ".into()]),
            ),
            ("threads: 0", refused(|c| c.threads = 0)),
            ("overshoot: 0.9", refused(|c| c.overshoot = 0.9)),
            ("overshoot: NaN", refused(|c| c.overshoot = f64::NAN)),
            (
                "overshoot: above 1",
                refused(|c| {
                    c.overshoot = 1.5;
                    c.tie = Tie::HuggingFace;
                }),
            ),
            (
                "tau_w: given",
                refused(|c| {
                    c.char_align = false;
                    c.tau_w = Some(3);
                }),
            ),
        ] {
            assert!(error.starts_with(start), "{error}");
        }
    }
}
