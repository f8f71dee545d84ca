//! Variation selectors behind ideographs, which choose a shape and no other word.

use std::ops::RangeInclusive;

use super::context::is_selector;
use super::rewrite::{Rewriter, Status};
use crate::error::{Error, Result};

/// Takes variation selectors away where they follow certain characters.
///
/// Elsewhere they stay: behind a symbol they choose between text and emoji.
#[derive(Debug)]
pub(super) struct VariationSequences {
    /// Ranges of the characters, ascending.
    bases: Vec<RangeInclusive<char>>,
}

impl VariationSequences {
    /// Selectors count behind characters of these ranges `first, last`.
    ///
    /// # Errors
    /// Names the range that is empty or does not lie behind the one before it.
    pub(super) fn new(bases: &[(char, char)]) -> Result<Self> {
        let mut last = None;
        for &(start, end) in bases {
            if start > end || last.is_some_and(|last| start <= last) {
                let message = format!("the range {start:?} to {end:?}, expected ascending ranges");
                return Err(Error::argument("bases", message));
            }
            last = Some(end);
        }
        let bases = bases.iter().map(|&(start, end)| start..=end).collect();
        Ok(Self { bases })
    }

    /// A regular expression that finds what goes.
    pub(super) fn pattern(&self) -> String {
        let class = |range: &RangeInclusive<char>| format!("{}-{}", range.start(), range.end());
        let bases: String = self.bases.iter().map(class).collect();
        format!("(?<=[{bases}])[{SELECTORS}]+")
    }

    fn is_base(&self, character: char) -> bool {
        let after = self.bases.partition_point(|range| *range.end() < character);
        self.bases
            .get(after)
            .is_some_and(|range| range.contains(&character))
    }

    pub(super) fn rewrite(&self, text: &str, out: &mut Rewriter<'_>) {
        let mut base = None;
        for (place, character) in text.char_indices() {
            // The base stays the same behind a selector that went, so that a second
            // one goes as well.
            if !is_selector(character) {
                base = Some(character);
            } else if base.is_some_and(|base| self.is_base(base)) {
                let range = place..place + character.len_utf8();
                out.replace(range, "", Status::Sure, Vec::new(), "variation selector");
            } else {
                base = None;
            }
        }
    }
}

/// The selectors as a class of a regular expression.
const SELECTORS: &str = "\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}";

#[cfg(test)]
mod tests;
