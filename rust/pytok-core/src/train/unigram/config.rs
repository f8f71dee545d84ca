//! The options of Unigram and hybrid training, checked once.

use crate::error::{Error, Result};
use crate::train::config::BpeConfig;

/// The largest price of a token, in nats. Beyond it nothing changes: all that
/// counts is the number of tokens.
const MOST_LAMBDA: f64 = 1000.0;

/// With soft counts a token's probability must not vanish.
const MOST_SOFT_LAMBDA: f64 = 64.0;

/// How often pieces are taken to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Estimate {
    /// In each segment's cheapest segmentation.
    #[default]
    Hard,
    /// In all segmentations by their probabilities, with digamma of the counts.
    Soft,
}

/// The options of [`super::train_unigram`].
#[derive(Debug, Clone, PartialEq)]
pub struct UnigramConfig {
    /// Size, special tokens, granularity: what both kinds of training know.
    /// `tau_w` is for words of the lexicon, and for all words with `span_bytes`.
    pub pieces: BpeConfig,
    /// The price of a token, in nats.
    pub lambda: f64,
    /// The weight of the word-boundary prior, in nats.
    pub gamma: f64,
    /// What a word of the lexicon is cheaper, in nats.
    pub beta: f64,
    /// The share of the candidates that a round of pruning keeps.
    pub keep: f64,
    /// Rounds in which pairs of pieces are tried as pieces after pruning.
    pub refinement: u32,
    /// How uses are estimated.
    pub estimate: Estimate,
}

impl UnigramConfig {
    /// The defaults of the hybrid for a vocabulary of this size, without a
    /// word-boundary prior.
    pub fn new(vocab_size: u32) -> Self {
        Self {
            pieces: BpeConfig {
                overshoot: 1.5,
                ..BpeConfig::new(vocab_size)
            },
            lambda: 16.0,
            gamma: 0.0,
            beta: 0.0,
            keep: 0.7,
            refinement: 0,
            estimate: Estimate::Hard,
        }
    }

    /// Check every option, and the options against each other.
    ///
    /// # Errors
    /// [`Error::Argument`] with the option's name.
    pub fn check(&self) -> Result<()> {
        self.pieces.check()?;
        if !self.pieces.char_align {
            return Err(Error::argument(
                "char_align",
                "False; expected True: pieces that straddle characters are for BPE",
            ));
        }
        let most_lambda = match self.estimate {
            Estimate::Hard => MOST_LAMBDA,
            Estimate::Soft => MOST_SOFT_LAMBDA,
        };
        check_range("lam", self.lambda, 0.0, most_lambda)?;
        check_range("boundary_prior", self.gamma, 0.0, MOST_LAMBDA)?;
        check_range("lexicon_prior", self.beta, 0.0, MOST_LAMBDA)?;
        check_range("keep", self.keep, 0.1, 0.99)?;
        if self.refinement > 100 {
            let message = format!("{}; expected at most 100", self.refinement);
            return Err(Error::argument("refinement", message));
        }
        Ok(())
    }
}

fn check_range(name: &'static str, value: f64, least: f64, most: f64) -> Result<()> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    let message = format!("{value}; expected a number from {least} to {most}");
    Err(Error::argument(name, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bad_option_is_named() {
        UnigramConfig::new(256).check().unwrap();
        let refused = |change: fn(&mut UnigramConfig)| {
            let mut config = UnigramConfig::new(1000);
            change(&mut config);
            config.check().unwrap_err().to_string()
        };
        for (start, error) in [
            ("vocab_size: 3", refused(|c| c.pieces.vocab_size = 3)),
            ("char_align: ", refused(|c| c.pieces.char_align = false)),
            ("lam: -1", refused(|c| c.lambda = -1.0)),
            ("lam: 1001", refused(|c| c.lambda = 1001.0)),
            ("lam: NaN", refused(|c| c.lambda = f64::NAN)),
            (
                "lam: 65",
                refused(|c| {
                    c.lambda = 65.0;
                    c.estimate = Estimate::Soft;
                }),
            ),
            ("boundary_prior: ", refused(|c| c.gamma = -0.5)),
            ("lexicon_prior: inf", refused(|c| c.beta = f64::INFINITY)),
            ("overshoot: 0.5", refused(|c| c.pieces.overshoot = 0.5)),
            ("keep: 1", refused(|c| c.keep = 1.0)),
            ("refinement: 101", refused(|c| c.refinement = 101)),
            ("threads: 0", refused(|c| c.pieces.threads = 0)),
        ] {
            assert!(error.starts_with(start), "{error}");
        }
    }
}
