//! Regular expressions in the dialect of the library that is reproduced.
//!
//! `tokenizers` compiles patterns with Oniguruma, `tiktoken` with
//! `fancy-regex`; the dialects differ in syntax, in Unicode tables and in what
//! an empty match does to the search after it, so each pattern goes to its own
//! engine. Both backtrack: a pattern can exceed the engine's limit, which is an
//! error here (the references abort).

use onig::{MatchParam, Region, SearchOptions};

use crate::definition::Source;
use crate::error::{Error, Result};

/// Whose regular expressions a pattern is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Oniguruma with its default (Ruby-like) syntax.
    Oniguruma,
    /// The `fancy-regex` crate.
    FancyRegex,
}

impl From<Source> for Dialect {
    fn from(source: Source) -> Self {
        match source {
            // SentencePiece has no patterns of its own.
            Source::Tokenizers | Source::SentencePiece => Self::Oniguruma,
            Source::Tiktoken => Self::FancyRegex,
        }
    }
}

/// A compiled regular expression.
#[derive(Debug)]
pub struct Regex(Engine);

#[derive(Debug)]
enum Engine {
    Oniguruma(onig::Regex),
    FancyRegex(Box<fancy_regex::Regex>),
}

impl Regex {
    /// Compile a pattern.
    ///
    /// # Errors
    /// [`Error::Unsupported`] when the dialect's engine refuses the pattern.
    pub fn new(pattern: &str, dialect: Dialect) -> Result<Self> {
        let refused = |reason: String| {
            Error::unsupported(
                "pattern",
                format!("{pattern:?}"),
                format!("regular expressions of {dialect:?} ({reason})"),
            )
        };
        Ok(Self(match dialect {
            Dialect::Oniguruma => {
                let regex = onig::Regex::new(pattern).map_err(|e| refused(e.to_string()))?;
                Engine::Oniguruma(regex)
            }
            Dialect::FancyRegex => {
                let regex = fancy_regex::Regex::new(pattern).map_err(|e| refused(e.to_string()))?;
                Engine::FancyRegex(Box::new(regex))
            }
        }))
    }

    /// The leftmost match that begins at byte `start` or later, as a byte range.
    ///
    /// # Errors
    /// [`Error::Encode`] when the engine gives up.
    pub fn find_at(&self, text: &str, start: usize) -> Result<Option<(usize, usize)>> {
        match &self.0 {
            Engine::Oniguruma(regex) => find_with(regex, text, start, &mut Region::new()),
            Engine::FancyRegex(regex) => {
                let found = regex
                    .find_from_pos(text, start)
                    .map_err(|e| gave_up(e.to_string()))?;
                Ok(found.map(|m| (m.start(), m.end())))
            }
        }
    }

    /// All matches from left to right, none overlapping; an empty match does
    /// not directly follow another match.
    pub fn find_iter<'a>(&'a self, text: &'a str) -> Matches<'a> {
        Matches(match &self.0 {
            Engine::Oniguruma(regex) => Search::Oniguruma {
                regex,
                region: Region::new(),
                text,
                start: 0,
                last_end: None,
            },
            Engine::FancyRegex(regex) => Search::FancyRegex(Box::new(regex.find_iter(text))),
        })
    }
}

fn gave_up(reason: String) -> Error {
    Error::encode(format!(
        "the splitting pattern gave up on this text ({reason}); split the text first, or use a \
         pattern that does not backtrack"
    ))
}

/// One search with Oniguruma; `region` is its scratch memory.
fn find_with(
    regex: &onig::Regex,
    text: &str,
    start: usize,
    region: &mut Region,
) -> Result<Option<(usize, usize)>> {
    region.clear();
    let found = regex
        .search_with_param(
            text,
            start,
            text.len(),
            SearchOptions::SEARCH_OPTION_NONE,
            Some(region),
            MatchParam::default(),
        )
        .map_err(|e| gave_up(e.to_string()))?;
    Ok(found.and_then(|_| region.pos(0)))
}

/// The matches of a [`Regex`] in a text; ends after the first error.
#[derive(Debug)]
pub struct Matches<'a>(Search<'a>);

#[derive(Debug)]
enum Search<'a> {
    Oniguruma {
        regex: &'a onig::Regex,
        region: Region,
        text: &'a str,
        /// Where to search from; past the text when done.
        start: usize,
        last_end: Option<usize>,
    },
    FancyRegex(Box<fancy_regex::Matches<'a, 'a, str>>),
    Failed,
}

impl Iterator for Matches<'_> {
    type Item = Result<(usize, usize)>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = match &mut self.0 {
            Search::Failed => return None,
            Search::FancyRegex(matches) => matches
                .next()?
                .map(|m| (m.start(), m.end()))
                .map_err(|e| gave_up(e.to_string())),
            Search::Oniguruma {
                regex,
                region,
                text,
                start,
                last_end,
            } => next_of_oniguruma(regex, region, text, start, last_end).transpose()?,
        };
        if found.is_err() {
            self.0 = Search::Failed;
        }
        Some(found)
    }
}

/// The `onig` crate's iteration: an empty match right after a match is passed
/// over by one character, and a match after that is accepted as it comes.
fn next_of_oniguruma(
    regex: &onig::Regex,
    region: &mut Region,
    text: &str,
    start: &mut usize,
    last_end: &mut Option<usize>,
) -> Result<Option<(usize, usize)>> {
    while *start <= text.len() {
        let Some((begin, end)) = find_with(regex, text, *start, region)? else {
            break;
        };
        if begin == end && *last_end == Some(end) {
            let passed = text[*start..].chars().next();
            *start += passed.map_or(1, char::len_utf8);
            continue;
        }
        *start = end;
        *last_end = Some(end);
        return Ok(Some((begin, end)));
    }
    *start = text.len() + 1;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, dialect: Dialect, text: &str) -> Vec<(usize, usize)> {
        let regex = Regex::new(pattern, dialect).unwrap();
        regex.find_iter(text).collect::<Result<_>>().unwrap()
    }

    #[test]
    fn empty_matches_follow_the_rules_of_each_engine() {
        let text = "a中aab";
        let onig = onig::Regex::new("a*").unwrap();
        let reference: Vec<_> = onig.find_iter(text).collect();
        assert_eq!(matches("a*", Dialect::Oniguruma, text), reference);
        let fancy = fancy_regex::Regex::new("a*").unwrap();
        let reference: Vec<_> = fancy
            .find_iter(text)
            .map(|m| m.map(|m| (m.start(), m.end())).unwrap())
            .collect();
        assert_eq!(matches("a*", Dialect::FancyRegex, text), reference);
        for pattern in ["", "(?=b)", "b?", "$", "^", r"\b"] {
            let onig = onig::Regex::new(pattern).unwrap();
            for text in ["", "b", "ab\nb", "é b中"] {
                let reference: Vec<_> = onig.find_iter(text).collect();
                assert_eq!(matches(pattern, Dialect::Oniguruma, text), reference);
            }
        }
    }

    #[test]
    fn bad_patterns_are_errors() {
        for dialect in [Dialect::Oniguruma, Dialect::FancyRegex] {
            for pattern in ["(", "[", "*", r"\p{Nonsense}"] {
                let error = Regex::new(pattern, dialect).unwrap_err();
                assert!(
                    error.to_string().contains(&format!("{pattern:?}")),
                    "{error}"
                );
            }
        }
        assert!(Regex::new("(?<=a+)b", Dialect::Oniguruma).is_ok());
    }

    #[test]
    fn runaway_backtracking_is_an_error() {
        let text = "a".repeat(200);
        for dialect in [Dialect::Oniguruma, Dialect::FancyRegex] {
            let regex = Regex::new(r"(a|aa)+(?!a|$)", dialect).unwrap();
            let mut found = regex.find_iter(&text);
            let error = found.next().unwrap().unwrap_err();
            assert!(error.to_string().contains("gave up"), "{error}");
            assert!(found.next().is_none());
        }
    }
}
