//! Split: words made of the matches of a pattern and of what lies between them.

use super::Step;
use super::matcher::Matcher;
use super::regex::Dialect;
use crate::definition::{Pattern, SplitBehavior};
use crate::error::Result;
use crate::text::{AlignedText, with_gaps};

/// One splitting step. All pre-tokenizers that only cut are made of these.
#[derive(Debug)]
pub(super) struct Split {
    pub(super) matcher: Matcher,
    pub(super) behavior: SplitBehavior,
    /// Whether what lies between the matches counts as the matches.
    pub(super) invert: bool,
}

/// Compile a `Split`.
pub(super) fn compile(
    pattern: &Pattern,
    behavior: SplitBehavior,
    invert: bool,
    dialect: Dialect,
) -> Result<Step> {
    let matcher = match pattern {
        // The empty string matches everywhere, by the rules of the regular expressions.
        Pattern::String(literal) if literal.is_empty() => Matcher::for_pattern("", dialect)?,
        Pattern::String(literal) => Matcher::Literal(literal.clone()),
        Pattern::Regex(pattern) => Matcher::for_pattern(pattern, dialect)?,
    };
    Ok(Split::step(matcher, behavior, invert))
}

impl Split {
    pub(super) fn step(matcher: Matcher, behavior: SplitBehavior, invert: bool) -> Step {
        Step::Split(std::sync::Arc::new(Self {
            matcher,
            behavior,
            invert,
        }))
    }

    /// The words of one word.
    pub(super) fn apply(&self, word: &AlignedText) -> Result<Vec<AlignedText>> {
        let text = word.text();
        let mut matches = Vec::new();
        self.matcher.for_each(text, |begin, end| {
            matches.push((begin, end));
            Ok(())
        })?;
        let sections = with_gaps(matches, text.len())
            .map(|(range, is_match)| (range, is_match != self.invert));
        Ok(word.split(sections, self.behavior))
    }

    /// Whether the words are the matches, whether they are the gaps (both,
    /// either); `None` when words are put together from several of them.
    pub(super) fn kept(&self) -> Option<Kept> {
        match self.behavior {
            SplitBehavior::Isolated => Some(Kept {
                matches: true,
                gaps: true,
            }),
            SplitBehavior::Removed => Some(Kept {
                matches: self.invert,
                gaps: !self.invert,
            }),
            _ => None,
        }
    }
}

/// What becomes a word of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) matches: bool,
    pub(super) gaps: bool,
}
