//! ByteLevel: GPT-2's words, spelled in the byte alphabet.

use super::Step;
use super::byte_alphabet::byte_to_char;
use super::matcher::Matcher;
use super::patterns;
use super::regex::Dialect;
use super::split::Split;
use crate::definition::SplitBehavior;
use crate::error::Result;
use crate::text::AlignedText;

/// Compile a `ByteLevel`.
///
/// # Errors
/// Never; the pattern is a known one.
pub(super) fn compile(add_prefix_space: bool, use_regex: bool) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    if add_prefix_space {
        steps.push(Step::PrefixSpace);
    }
    if use_regex {
        let matcher = Matcher::for_pattern(patterns::GPT2, Dialect::Oniguruma)?;
        steps.push(Split::step(matcher, SplitBehavior::Isolated, false));
    }
    steps.push(Step::SpellBytes);
    Ok(steps)
}

/// Put a space before a word that has none. An empty word stays empty.
pub(super) fn prefix_space(word: &mut AlignedText) {
    if !word.text().starts_with(' ') {
        word.prepend(" ");
    }
}

/// Spell each byte as a character; all are aligned to the character they come from.
pub(super) fn spell_bytes(word: &mut AlignedText) {
    let before = word.clone();
    let text = before.text();
    word.transform(
        text.bytes().enumerate().map(|(place, byte)| {
            (
                byte_to_char(byte),
                isize::from(!text.is_char_boundary(place)),
            )
        }),
        0,
    );
}
