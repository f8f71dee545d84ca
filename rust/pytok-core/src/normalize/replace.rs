//! Every match of a literal or a regular expression replaced by a string.

use onig::{MatchParam, Regex, Region, SearchOptions};

use crate::definition::Pattern;
use crate::error::{Error, Result};
use crate::text::AlignedText;

/// A compiled replacement.
#[derive(Debug)]
pub(super) struct Replace {
    matcher: Matcher,
    content: String,
}

#[derive(Debug)]
enum Matcher {
    /// Not empty.
    Literal(String),
    Regex(Regex),
}

impl Replace {
    pub(super) fn compile(pattern: &Pattern, content: &str) -> Result<Self> {
        let matcher = match pattern {
            // An empty literal matches between all characters, as the empty
            // expression does.
            Pattern::String(literal) if !literal.is_empty() => Matcher::Literal(literal.clone()),
            Pattern::String(expression) | Pattern::Regex(expression) => {
                Matcher::Regex(Regex::new(expression).map_err(|error| {
                    Error::format(
                        "tokenizer",
                        "normalizer.pattern.Regex",
                        format!("{expression:?} is not an Oniguruma expression: {error}"),
                    )
                })?)
            }
        };
        Ok(Self {
            matcher,
            content: content.to_owned(),
        })
    }

    pub(super) fn apply(&self, text: &mut AlignedText) -> Result<()> {
        let source = text.clone();
        match &self.matcher {
            Matcher::Literal(literal) => {
                let matches = source.text().match_indices(literal.as_str());
                text.replace(
                    matches.map(|(start, found)| (start, start + found.len())),
                    &self.content,
                );
            }
            Matcher::Regex(regex) => text.replace(find_all(regex, source.text())?, &self.content),
        }
        Ok(())
    }
}

/// The matches of an expression from left to right, none overlapping; an empty
/// match is not taken directly after another match.
fn find_all(regex: &Regex, text: &str) -> Result<Vec<(usize, usize)>> {
    let mut matches: Vec<(usize, usize)> = Vec::new();
    let mut region = Region::new();
    let mut from = 0;
    while from <= text.len() {
        region.clear();
        let found = regex
            .search_with_param(
                text,
                from,
                text.len(),
                SearchOptions::SEARCH_OPTION_NONE,
                Some(&mut region),
                MatchParam::default(),
            )
            .map_err(|error| {
                Error::encode(format!(
                    "normalizer.pattern.Regex gave up on the text at byte {from}: {error}"
                ))
            })?;
        let (Some(_), Some((start, end))) = (found, region.pos(0)) else {
            break;
        };
        if start == end && matches.last().is_some_and(|last| last.1 == end) {
            from += text[from..].chars().next().map_or(1, char::len_utf8);
        } else {
            matches.push((start, end));
            from = end;
        }
    }
    Ok(matches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_those_of_the_reference_iterator() {
        for expression in ["", "a*", "b|", "(?=b)", r"\s+", "^", "$", r"\b", "中"] {
            let regex = Regex::new(expression).unwrap();
            for text in ["", "a", "aab ab中 b\n a", "é́"] {
                assert_eq!(
                    find_all(&regex, text).unwrap(),
                    regex.find_iter(text).collect::<Vec<_>>(),
                    "{expression:?} in {text:?}"
                );
            }
        }
    }

    #[test]
    fn an_expression_that_gives_up_is_an_error() {
        let pattern = Pattern::Regex("(a+)+(a+)+(a+)+$".to_owned());
        let replace = Replace::compile(&pattern, "x").unwrap();
        let mut text = AlignedText::new(&("a".repeat(60) + "b"));
        assert!(matches!(
            replace.apply(&mut text),
            Err(Error::Encode { .. })
        ));
    }

    #[test]
    fn a_broken_expression_names_its_field() {
        let error = Replace::compile(&Pattern::Regex("(".to_owned()), "").unwrap_err();
        assert!(error.to_string().contains("normalizer.pattern.Regex"));
    }
}
