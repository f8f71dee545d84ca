//! Hand-written scanners for the patterns that published tokenizers use.
//!
//! A scanner finds exactly the matches of its pattern in its dialect (tests run
//! the regular expression beside it over every code point and over all short
//! combinations), in time linear in the text for every text, where the
//! backtracking engines are not.

mod cl100k;
pub(crate) mod classes;
mod deepseek;
mod gpt2;
mod han;
mod kimi;
mod o200k;
mod spaces;
mod tables_oniguruma;
mod tables_regex_syntax;
mod wide;

use super::patterns;
use super::regex::Dialect;
use classes::ClassTable;
use spaces::Spaces;

/// A pattern for which there is a scanner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Gpt2,
    Cl100k(cl100k::Family),
    O200k(o200k::Family),
    Kimi,
    Han(han::Family),
    Wide {
        digits: u32,
    },
    Numbers,
    ChineseAndJapanese,
    DeepSeekRest,
    /// The three stages in one.
    DeepSeek,
}

/// A scanner for one known pattern in one dialect.
#[derive(Debug, Clone, Copy)]
pub struct Scanner {
    scheme: Scheme,
    table: &'static ClassTable,
}

impl Scanner {
    /// The scanner for a pattern, if the pattern is exactly a known one that
    /// the dialect reads as intended.
    pub fn for_pattern(pattern: &str, dialect: Dialect) -> Option<Self> {
        let [numbers, chinese, rest] = patterns::DEEPSEEK;
        // In Oniguruma's syntax `$` also matches before a line break and `{1,3}+` is not
        // possessive, so tiktoken's own patterns mean something else there.
        let fancy = dialect == Dialect::FancyRegex;
        let scheme = match pattern {
            patterns::GPT2 => Scheme::Gpt2,
            patterns::R50K if fancy => Scheme::Gpt2,
            patterns::R50K_IN_BOTH => Scheme::Gpt2,
            patterns::CL100K if !fancy => return None,
            patterns::CL100K | patterns::CL100K_IN_BOTH => Scheme::Cl100k(cl100k::Family {
                digits: 3,
                spaces: Spaces::EndThenLines,
            }),
            patterns::LLAMA3 => Scheme::Cl100k(cl100k::Family {
                digits: 3,
                spaces: Spaces::Lines,
            }),
            patterns::QWEN => Scheme::Cl100k(cl100k::Family {
                digits: 1,
                spaces: Spaces::Lines,
            }),
            patterns::O200K => Scheme::O200k(o200k::Family {
                digits: 3,
                contractions: true,
                without_han: false,
                slashes: true,
            }),
            patterns::TEKKEN => Scheme::O200k(o200k::Family {
                digits: 1,
                contractions: false,
                without_han: false,
                slashes: true,
            }),
            patterns::KIMI_K2 => Scheme::Kimi,
            patterns::HAN => Scheme::Han(han::Family {
                digits: 1,
                marks: false,
            }),
            patterns::HAN_TRIPLES => Scheme::Han(han::Family {
                digits: 3,
                marks: false,
            }),
            patterns::ISO => Scheme::Han(han::Family {
                digits: 1,
                marks: true,
            }),
            patterns::ISO_TRIPLES => Scheme::Han(han::Family {
                digits: 3,
                marks: true,
            }),
            patterns::WIDE => Scheme::Wide { digits: 1 },
            patterns::WIDE_TRIPLES => Scheme::Wide { digits: 3 },
            _ if pattern == numbers => Scheme::Numbers,
            _ if pattern == chinese => Scheme::ChineseAndJapanese,
            _ if pattern == rest => Scheme::DeepSeekRest,
            _ => return None,
        };
        let table = match dialect {
            Dialect::Oniguruma => classes::oniguruma(),
            Dialect::FancyRegex => classes::regex_syntax(),
        };
        Some(Self { scheme, table })
    }

    /// One scanner for several patterns, each applied to what the one before it
    /// leaves, where both what matches and what does not is a word: as one match
    /// after another, without gaps.
    pub(super) fn for_stages(stages: &[&Self]) -> Option<Self> {
        let schemes: Vec<Scheme> = stages.iter().map(|stage| stage.scheme).collect();
        let deepseek = [
            Scheme::Numbers,
            Scheme::ChineseAndJapanese,
            Scheme::DeepSeekRest,
        ];
        (schemes == deepseek).then(|| Self {
            scheme: Scheme::DeepSeek,
            table: stages[0].table,
        })
    }

    /// Call `found` with the byte range of each match, from left to right.
    #[inline]
    pub(super) fn for_each<E>(
        &self,
        text: &str,
        found: impl FnMut(usize, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each_from(text, 0, found)
    }

    /// [`Scanner::for_each`] from a byte of the text on: what stands before it
    /// decides nothing.
    ///
    /// # Panics
    /// When `start` is not on a character boundary.
    #[inline]
    pub(super) fn for_each_from<E>(
        &self,
        text: &str,
        mut start: usize,
        mut found: impl FnMut(usize, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        while let Some(character) = text[start..].chars().next() {
            match self.match_end(text, start) {
                Some(end) => {
                    found(start, end)?;
                    start = end;
                }
                None => start += character.len_utf8(),
            }
        }
        Ok(())
    }

    /// The leftmost match that begins at byte `start` or later, as a byte range.
    ///
    /// # Panics
    /// When `start` is not on a character boundary.
    ///
    /// # Complexity
    /// Linear in the bytes up to the end of the match; over a whole text, every
    /// byte is looked at a bounded number of times.
    pub fn find_at(&self, text: &str, start: usize) -> Option<(usize, usize)> {
        if let Some(end) = self.match_end(text, start) {
            return Some((start, end));
        }
        let rest = text[start..].char_indices().skip(1);
        rest.map(|(place, _)| start + place)
            .find_map(|from| Some((from, self.match_end(text, from)?)))
    }

    #[inline]
    fn match_end(&self, text: &str, start: usize) -> Option<usize> {
        let table = self.table;
        match self.scheme {
            Scheme::Gpt2 => gpt2::match_end(table, text, start),
            Scheme::Cl100k(family) => family.match_end(table, text, start),
            Scheme::O200k(family) => family.match_end(table, text, start),
            Scheme::Han(family) => family.match_end(table, text, start),
            Scheme::Wide { digits } => wide::match_end(table, text, start, digits),
            Scheme::Kimi => kimi::match_end(table, text, start),
            Scheme::Numbers => deepseek::numbers(table, text, start),
            Scheme::ChineseAndJapanese => deepseek::chinese_and_japanese(text, start),
            Scheme::DeepSeekRest => deepseek::rest(table, text, start),
            Scheme::DeepSeek => deepseek::word(table, text, start),
        }
    }
}

#[cfg(test)]
mod tests;
