//! Whitespace: the matches of `\w+|[^\w\s]+`, as the `regex` crate reads it.

use super::Step;
use super::matcher::Matcher;
use super::scan::classes::{self, Class, Look, Set};
use super::split::Split;
use crate::definition::SplitBehavior;
use crate::error::Result;

/// Compile a `Whitespace`.
pub(super) fn compile() -> Step {
    Split::step(Matcher::Words, SplitBehavior::Removed, true)
}

/// Call `found` with each match: runs of word characters, and runs of
/// characters that are neither that nor white space.
pub(super) fn for_each_word(
    text: &str,
    mut found: impl FnMut(usize, usize) -> Result<()>,
) -> Result<()> {
    let table = classes::regex_syntax();
    let kind = |class: Class| (class.is_word(), Set::SPACES.has(class));
    let mut start = 0;
    while start < text.len() {
        let (first, mut end) = table.at(text, start);
        while end < text.len() {
            let (class, next) = table.at(text, end);
            if kind(class) != kind(first) {
                break;
            }
            end = next;
        }
        if !Set::SPACES.has(first) {
            found(start, end)?;
        }
        start = end;
    }
    Ok(())
}
