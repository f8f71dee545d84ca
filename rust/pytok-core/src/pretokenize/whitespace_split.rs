//! WhitespaceSplit: words at white space, which is dropped.

use super::Step;
use super::matcher::{CharacterTest, Matcher};
use super::split::Split;
use crate::definition::SplitBehavior;

/// Compile a `WhitespaceSplit`.
pub(super) fn compile() -> Step {
    Split::step(
        Matcher::Each(CharacterTest::Whitespace),
        SplitBehavior::Removed,
        false,
    )
}
