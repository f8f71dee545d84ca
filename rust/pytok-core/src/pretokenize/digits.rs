//! Digits: numeric characters apart from the rest, singly or in runs.

use super::Step;
use super::matcher::{CharacterTest, Matcher};
use super::split::Split;
use crate::definition::SplitBehavior;

/// Compile a `Digits`.
pub(super) fn compile(individual_digits: bool) -> Step {
    let matcher = if individual_digits {
        Matcher::Each(CharacterTest::Numeric)
    } else {
        Matcher::Runs(CharacterTest::Numeric)
    };
    Split::step(matcher, SplitBehavior::Isolated, false)
}
