//! A run that goes on from the segmentation of the old model.

use std::ops::ControlFlow;

use super::config::ExtendConfig;
use super::rules::ExtendRules;
use super::symbols::Symbols;
use crate::error::{Error, Result};
use crate::pipeline::Tokenizer;
use crate::train::bpe::Run;
use crate::train::config::Tie;
use crate::train::progress::{Meter, Stage};
use crate::train::word_counts::WordCounts;

/// A run, and what it began with.
#[derive(Debug)]
pub(super) struct Growth {
    pub(super) run: Run<ExtendRules>,
    /// Old pieces.
    pub(super) old: u32,
    /// Old pieces, and symbols that are no pieces.
    pub(super) begun: u32,
    /// How often each of them occurs.
    pub(super) counts: Vec<u64>,
    pub(super) single_bytes: Vec<u64>,
}

impl Growth {
    /// Segment the words; `None` when the caller said stop.
    ///
    /// # Errors
    /// When there are no words, an option is wrong, or the model fails.
    pub(super) fn new(
        tokenizer: &Tokenizer,
        counts: &WordCounts,
        config: &ExtendConfig,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>> {
        if counts.words().unique() == 0 {
            return Err(Error::argument(
                "inputs",
                "no words; expected text that is not empty",
            ));
        }
        let rules = ExtendRules::new(config, tokenizer)?;
        if meter.show(Stage::Pairs, 0, 1).is_break() {
            return Ok(None);
        }
        let symbols = Symbols::new(tokenizer, counts)?;
        let counts = symbols.counts();
        Ok(Some(Self {
            old: symbols.old,
            begun: symbols.pieces.len(),
            counts,
            single_bytes: symbols.single_bytes,
            run: Run::new(
                symbols.pieces,
                symbols.arena,
                rules,
                Tie::Bytes,
                config.min_frequency,
            ),
        }))
    }

    /// Symbols that are no pieces and may become some: their counts, the highest
    /// first.
    pub(super) fn missing(&self, config: &ExtendConfig) -> Vec<(u64, u32)> {
        let pieces = &self.run.pieces;
        let mut missing: Vec<(u64, u32)> = (self.old..self.begun)
            .zip(&self.counts[crate::ids::index(self.old)..])
            .map(|(id, &count)| (count, id))
            .filter(|&(count, id)| {
                count >= config.min_frequency && self.run.rules.allows_piece(pieces.bytes(id))
            })
            .collect();
        missing.sort_by(|a, b| {
            let by_bytes = || pieces.bytes(a.1).cmp(pieces.bytes(b.1));
            b.0.cmp(&a.0).then_with(by_bytes)
        });
        missing
    }

    /// Find the pairs.
    pub(super) fn begin(&mut self) {
        self.run.find_pairs();
    }

    /// Make so many pieces more; `false` when there are no more.
    pub(super) fn grow(&mut self, more: u32, meter: &mut Meter<'_>) -> ControlFlow<(), bool> {
        let size = self.run.pieces.len().saturating_add(more);
        self.run.merge_all(size, meter)
    }
}

/// The error of a text with too few candidates.
pub(super) fn too_few(config: &ExtendConfig, found: usize) -> Error {
    Error::argument(
        "add",
        format!(
            "{}; the text gives {found} pieces that would be used; expected a smaller number, more \
             text, or a lower min_frequency",
            config.add
        ),
    )
}
