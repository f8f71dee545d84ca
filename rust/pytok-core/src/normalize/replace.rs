//! Every match of a literal or a regular expression replaced by a string.

use crate::definition::Pattern;
use crate::error::{Error, Result};
use crate::pretokenize::regex::{Dialect, Regex};
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
                let regex = Regex::new(expression, Dialect::Oniguruma);
                Matcher::Regex(regex.map_err(in_normalizer)?)
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
            Matcher::Regex(regex) => {
                let matches: Result<Vec<_>> = regex.find_iter(source.text()).collect();
                text.replace(matches.map_err(in_normalizer)?, &self.content);
            }
        }
        Ok(())
    }
}

/// Say that it is the normaliser's expression that failed.
fn in_normalizer(error: Error) -> Error {
    const FIELD: &str = "normalizer.pattern.Regex";
    match error {
        Error::Unsupported {
            value, supported, ..
        } => Error::unsupported(FIELD, value, supported),
        _ => Error::encode(format!(
            "{FIELD} gave up on this text; split the text first, or use a pattern that does not \
             backtrack"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_that_gives_up_is_an_error() {
        let pattern = Pattern::Regex("(a+)+(a+)+(a+)+$".to_owned());
        let replace = Replace::compile(&pattern, "x").unwrap();
        let mut text = AlignedText::new(&("a".repeat(60) + "b"));
        let error = replace.apply(&mut text).unwrap_err();
        assert!(matches!(error, Error::Encode { .. }), "{error}");
        assert!(error.to_string().contains("normalizer.pattern.Regex"));
    }

    #[test]
    fn a_broken_expression_names_its_field() {
        let error = Replace::compile(&Pattern::Regex("(".to_owned()), "").unwrap_err();
        assert!(error.to_string().contains("normalizer.pattern.Regex"));
    }
}
