//! What a split looks for in a text.

use unicode_categories::UnicodeCategories;

use super::regex::{Dialect, Regex};
use super::scan::{Scanner, classes};
use super::{fixed_length, unicode_scripts, whitespace};
use crate::error::Result;

/// Finds the places at which a text is split.
#[derive(Debug)]
pub(super) enum Matcher {
    /// A known pattern.
    Scanner(Scanner),
    /// Any other regular expression.
    Regex(Regex),
    /// A string that is not empty.
    Literal(String),
    /// Each character that passes a test.
    Each(CharacterTest),
    /// Each run of characters that pass a test.
    Runs(CharacterTest),
    /// `\w+|[^\w\s]+`
    Words,
    /// Runs of one script.
    Scripts,
    /// That many characters.
    FixedLength(usize),
}

/// A property of characters.
#[derive(Debug, Clone, Copy)]
pub(super) enum CharacterTest {
    Whitespace,
    Numeric,
    Punctuation,
    Is(char),
}

impl CharacterTest {
    #[inline]
    pub(super) fn passes(self, character: char) -> bool {
        match self {
            Self::Whitespace => character.is_whitespace(),
            // Not the standard library: its Unicode moves with the compiler.
            Self::Numeric => classes::regex_syntax()
                .class(u32::from(character))
                .is_numeric(),
            Self::Punctuation => {
                if character.is_ascii() {
                    character.is_ascii_punctuation()
                } else {
                    character.is_punctuation()
                }
            }
            Self::Is(one) => character == one,
        }
    }
}

impl Matcher {
    /// The scanner of a known pattern, or its regular expression.
    pub(super) fn for_pattern(pattern: &str, dialect: Dialect) -> Result<Self> {
        Ok(match Scanner::for_pattern(pattern, dialect) {
            Some(scanner) => Self::Scanner(scanner),
            None => Self::Regex(Regex::new(pattern, dialect)?),
        })
    }

    /// Call `found` with the byte range of each match, from left to right.
    /// Matches do not overlap; only those of a [`Regex`] can be empty.
    ///
    /// # Errors
    /// When the regular expression gives up, or `found` fails.
    pub(super) fn for_each(
        &self,
        text: &str,
        mut found: impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<()> {
        match self {
            Self::Scanner(scanner) => scanner.for_each(text, found),
            Self::Regex(regex) => regex.find_iter(text).try_for_each(|range| {
                let (begin, end) = range?;
                found(begin, end)
            }),
            Self::Literal(literal) => text
                .match_indices(literal.as_str())
                .try_for_each(|(begin, part)| found(begin, begin + part.len())),
            Self::Each(test) => text
                .char_indices()
                .filter(|(_, c)| test.passes(*c))
                .try_for_each(|(begin, c)| found(begin, begin + c.len_utf8())),
            Self::Runs(test) => {
                let mut run = 0..0;
                for (begin, c) in text.char_indices().filter(|(_, c)| test.passes(*c)) {
                    if begin != run.end {
                        if !run.is_empty() {
                            found(run.start, run.end)?;
                        }
                        run.start = begin;
                    }
                    run.end = begin + c.len_utf8();
                }
                if run.is_empty() {
                    Ok(())
                } else {
                    found(run.start, run.end)
                }
            }
            Self::Words => whitespace::for_each_word(text, found),
            Self::Scripts => unicode_scripts::for_each_run(text, found),
            Self::FixedLength(length) => fixed_length::for_each_chunk(text, *length, found),
        }
    }
}
