//! FixedLength: words of a fixed number of characters; the last may be shorter.

use super::Step;
use super::matcher::Matcher;
use super::split::Split;
use crate::definition::SplitBehavior;
use crate::error::{Error, Result};

/// Compile a `FixedLength`.
///
/// # Errors
/// When the length is 0, of which no words can be made.
pub(super) fn compile(length: usize) -> Result<Step> {
    if length == 0 {
        return Err(Error::unsupported("length", "0", "a length of 1 or more"));
    }
    Ok(Split::step(
        Matcher::FixedLength(length),
        SplitBehavior::Isolated,
        false,
    ))
}

/// Call `found` with each chunk of `length` characters.
pub(super) fn for_each_chunk(
    text: &str,
    length: usize,
    mut found: impl FnMut(usize, usize) -> Result<()>,
) -> Result<()> {
    let (mut start, mut count) = (0, 0);
    for (place, _) in text.char_indices() {
        if count == length {
            found(start, place)?;
            (start, count) = (place, 0);
        }
        count += 1;
    }
    found(start, text.len())
}
