//! Metaspace: spaces become a visible mark, and the text is cut before each.

use super::Step;
use super::matcher::{CharacterTest, Matcher};
use super::split::Split;
use crate::definition::{PrependScheme, SplitBehavior};
use crate::text::AlignedText;

/// Compile a `Metaspace`.
pub(super) fn compile(replacement: char, scheme: PrependScheme, split: bool) -> Vec<Step> {
    let mut steps = vec![Step::MarkSpaces {
        replacement,
        scheme,
    }];
    if split {
        steps.push(Split::step(
            Matcher::Each(CharacterTest::Is(replacement)),
            SplitBehavior::MergedWithNext,
            false,
        ));
    }
    steps
}

/// Replace the spaces by the mark, and put one in front if asked.
pub(super) fn mark_spaces(word: &mut AlignedText, replacement: char, scheme: PrependScheme) {
    let mut buffer = [0; 4];
    let mark: &str = replacement.encode_utf8(&mut buffer);
    let before = word.clone();
    word.replace(
        before
            .text()
            .match_indices(' ')
            .map(|(place, _)| (place, place + 1)),
        mark,
    );
    let wanted = match scheme {
        PrependScheme::Always => true,
        PrependScheme::First => word.origin().0 == 0,
        PrependScheme::Never => false,
    };
    if wanted && !word.text().starts_with(replacement) {
        word.prepend(mark);
    }
}
