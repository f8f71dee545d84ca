//! The words of a plain text, for models that work on bytes.
//!
//! When a pre-tokenizer only cuts the text and then spells its bytes in the
//! byte alphabet, the bytes themselves can go to the model: no word has to be
//! built, and no alignment is needed.

use std::sync::Arc;

use super::matcher::Matcher;
use super::regex::Dialect;
use super::split::{Kept, Split};
use crate::definition::SplitBehavior;
use crate::error::Result;

/// Cuts a text into words that are byte ranges of it.
#[derive(Debug, Clone)]
pub struct RawSplitter {
    stages: Vec<(Arc<Split>, Kept)>,
}

impl RawSplitter {
    /// The splitter of `tiktoken`: the words are the matches of the pattern, and
    /// text between matches is lost.
    ///
    /// # Errors
    /// When `fancy-regex` refuses the pattern.
    ///
    /// # Examples
    /// ```
    /// use pytok_core::pretokenize::{RawSplitter, patterns};
    /// let splitter = RawSplitter::for_tiktoken(patterns::CL100K)?;
    /// let mut words = Vec::new();
    /// splitter.for_each_word("I'm here", &mut |start, end| {
    ///     words.push((start, end));
    ///     Ok(())
    /// })?;
    /// assert_eq!(words, [(0, 1), (1, 3), (3, 8)]);
    /// # Ok::<(), pytok_core::Error>(())
    /// ```
    pub fn for_tiktoken(pattern: &str) -> Result<Self> {
        let split = Split {
            matcher: Matcher::for_pattern(pattern, Dialect::FancyRegex)?,
            behavior: SplitBehavior::Removed,
            invert: true,
        };
        let kept = Kept {
            matches: true,
            gaps: false,
        };
        Ok(Self {
            stages: vec![(Arc::new(split), kept)],
        })
    }

    /// The splitter of these steps; `None` when one of them joins what it cut.
    pub(super) fn of<'a>(splits: impl IntoIterator<Item = &'a Arc<Split>>) -> Option<Self> {
        let stages = splits
            .into_iter()
            .map(|split| Some((Arc::clone(split), split.kept()?)));
        Some(Self {
            stages: stages.collect::<Option<_>>()?,
        })
    }

    /// Call `word` with the byte range of each word, from left to right. Words
    /// are never empty.
    ///
    /// # Errors
    /// When a regular expression gives up, or `word` fails.
    ///
    /// # Complexity
    /// Linear in the text for known patterns.
    pub fn for_each_word(
        &self,
        text: &str,
        word: &mut dyn FnMut(usize, usize) -> Result<()>,
    ) -> Result<()> {
        split(&self.stages, text, 0, word)
    }
}

/// Apply the first stage to a piece that begins at `base`, and the others to
/// what it leaves.
fn split(
    stages: &[(Arc<Split>, Kept)],
    piece: &str,
    base: usize,
    word: &mut dyn FnMut(usize, usize) -> Result<()>,
) -> Result<()> {
    if piece.is_empty() {
        return Ok(());
    }
    let Some(((stage, kept), rest)) = stages.split_first() else {
        return word(base, base + piece.len());
    };
    let mut pass = |keep: bool, start: usize, end: usize| {
        if !keep || start == end {
            Ok(())
        } else if rest.is_empty() {
            word(base + start, base + end)
        } else {
            split(rest, &piece[start..end], base + start, word)
        }
    };
    let mut done = 0;
    stage.matcher.for_each(piece, |start, end| {
        pass(kept.gaps, done, start)?;
        done = end;
        pass(kept.matches, start, end)
    })?;
    pass(kept.gaps, done, piece.len())
}
