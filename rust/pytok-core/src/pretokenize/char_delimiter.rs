//! CharDelimiterSplit: words at one character, which is dropped.

use super::Step;
use super::matcher::{CharacterTest, Matcher};
use super::split::Split;
use crate::definition::SplitBehavior;

/// Compile a `CharDelimiterSplit`.
pub(super) fn compile(delimiter: char) -> Step {
    Split::step(
        Matcher::Each(CharacterTest::Is(delimiter)),
        SplitBehavior::Removed,
        false,
    )
}
