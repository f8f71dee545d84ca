//! Punctuation: ASCII punctuation and Unicode's category P.

use super::Step;
use super::matcher::{CharacterTest, Matcher};
use super::split::Split;
use crate::definition::SplitBehavior;

/// Compile a `Punctuation`.
pub(super) fn compile(behavior: SplitBehavior) -> Step {
    Split::step(Matcher::Each(CharacterTest::Punctuation), behavior, false)
}
