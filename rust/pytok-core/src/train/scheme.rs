//! Pre-token schemes: how training text is cut into words, by name.
//!
//! Every scheme is a list of components that a stock `tokenizer.json` can hold:
//! a splitting pattern, then the byte alphabet. `qwen` is the pattern published
//! with Qwen's tokenizers. `han` keeps runs of Han characters apart from all
//! other letters. `iso` also makes every CJK and full-width mark a word of its
//! own, which gives the best word boundaries and costs a few percent of tokens.

use crate::definition::{Pattern, PreTokenizer, SplitBehavior};
use crate::error::{Error, Result};
use crate::format::tokenizer_json;
use crate::pretokenize::patterns;

/// The names that [`pre_tokenizer`] knows.
pub const NAMES: [&str; 3] = ["qwen", "han", "iso"];

/// CJK and full-width marks: the punctuation and signs of the CJK blocks.
const MARKS: &str = "\u{3001}-\u{3003}\u{3008}-\u{3020}\u{3030}\u{303D}-\u{303F}\u{FE30}-\u{FE6B}\
                     \u{FF01}-\u{FF0F}\u{FF1A}-\u{FF20}\u{FF3B}-\u{FF40}\u{FF5B}-\u{FF65}\
                     \u{FFE0}-\u{FFE6}";

/// How digits are grouped by the named schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Digits {
    /// Each digit is a word.
    #[default]
    Single,
    /// Runs of up to three digits, from the left. (From the right would need a
    /// look-ahead over the rest of the run at every group: quadratic.)
    Triples,
}

/// The pre-tokenizer of a scheme: one of [`NAMES`], a regular expression, or the
/// `pre_tokenizer` section of a `tokenizer.json` as JSON. A section that does
/// not spell words in the byte alphabet gets a step that does.
///
/// `digits` is for the named schemes; other schemes say themselves what they do.
///
/// # Errors
/// [`Error::Argument`] when the name is unknown, or `digits` is given with a
/// scheme that is not named; as for a tokenizer file when the section is not valid.
///
/// # Examples
/// ```
/// use pytok_core::train::scheme::pre_tokenizer;
/// assert!(pre_tokenizer("qwen", None).is_ok());
/// assert!(pre_tokenizer(r"\p{Han}|\P{Han}+", None).is_ok());
/// assert!(pre_tokenizer("qwem", None).is_err());
/// ```
pub fn pre_tokenizer(scheme: &str, digits: Option<Digits>) -> Result<PreTokenizer> {
    let grouped = digits.unwrap_or_default();
    let pattern = match scheme {
        "qwen" => match grouped {
            Digits::Single => patterns::QWEN.to_owned(),
            Digits::Triples => patterns::LLAMA3.to_owned(),
        },
        "han" => separate_han("", grouped),
        "iso" => separate_han(MARKS, grouped),
        _ if digits.is_some() => {
            return Err(Error::argument(
                "digits",
                "given with a pre-tokenizer of its own; expected one of the named schemes, or no \
                 digits",
            ));
        }
        section if section.trim_start().starts_with('{') => return read_section(section),
        name if is_name(name) => {
            return Err(Error::argument(
                "pretokenizer",
                format!(
                    "{name:?}; expected {}, a regular expression, or the pre_tokenizer section of \
                     a tokenizer.json",
                    NAMES.join(", ")
                ),
            ));
        }
        pattern => pattern.to_owned(),
    };
    Ok(split_then_spell(pattern))
}

/// Qwen's pattern with Han runs, and each of `marks`, taken out of the others.
fn separate_han(marks: &str, digits: Digits) -> String {
    let alone = if marks.is_empty() {
        String::new()
    } else {
        format!("[{marks}]|")
    };
    let group = match digits {
        Digits::Single => "",
        Digits::Triples => "{1,3}",
    };
    format!(
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|\p{{Han}}+|{alone}[^\r\n\p{{L}}\p{{N}}\p{{Han}}{marks}]?[\p{{L}}&&[^\p{{Han}}]]+|[\p{{N}}&&[^\p{{Han}}]]{group}| ?[^\s\p{{L}}\p{{N}}\p{{Han}}{marks}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    )
}

fn is_name(scheme: &str) -> bool {
    scheme
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

fn byte_level() -> PreTokenizer {
    PreTokenizer::ByteLevel {
        add_prefix_space: false,
        trim_offsets: true,
        use_regex: false,
    }
}

fn split_then_spell(pattern: String) -> PreTokenizer {
    let split = PreTokenizer::Split {
        pattern: Pattern::Regex(pattern),
        behavior: SplitBehavior::Isolated,
        invert: false,
    };
    PreTokenizer::Sequence {
        pretokenizers: vec![split, byte_level()],
    }
}

fn read_section(section: &str) -> Result<PreTokenizer> {
    let parsed = tokenizer_json::read_pre_tokenizer(section)?;
    if spells_bytes(&parsed) {
        return Ok(parsed);
    }
    let mut pretokenizers = match parsed {
        PreTokenizer::Sequence { pretokenizers } => pretokenizers,
        single => vec![single],
    };
    pretokenizers.push(byte_level());
    Ok(PreTokenizer::Sequence { pretokenizers })
}

fn spells_bytes(section: &PreTokenizer) -> bool {
    match section {
        PreTokenizer::ByteLevel { .. } => true,
        PreTokenizer::Sequence { pretokenizers } => pretokenizers.iter().any(spells_bytes),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{WordCounts, WordSource};

    fn words(scheme: &str, digits: Option<Digits>, text: &str) -> Vec<String> {
        let source = WordSource {
            normalizer: None,
            pre_tokenizer: Some(pre_tokenizer(scheme, digits).unwrap()),
            cap: None,
        };
        let mut found = Vec::new();
        let cutter = source.compile().unwrap();
        cutter
            .for_each_word(text, &mut |word| {
                found.push(String::from_utf8(word.to_vec()).unwrap());
                Ok(())
            })
            .unwrap();
        found
    }

    #[test]
    fn schemes_cut_where_they_say() {
        let text = "他說「DNA在2024年」，ok。中文abc";
        assert_eq!(
            words("qwen", None, text),
            [
                "他說",
                "「DNA在",
                "2",
                "0",
                "2",
                "4",
                "年",
                "」，",
                "ok",
                "。中文abc"
            ]
        );
        assert_eq!(
            words("qwen", Some(Digits::Triples), text),
            [
                "他說",
                "「DNA在",
                "202",
                "4",
                "年",
                "」，",
                "ok",
                "。中文abc"
            ]
        );
        assert_eq!(
            words("han", None, text),
            [
                "他說", "「DNA", "在", "2", "0", "2", "4", "年", "」，", "ok", "。", "中文", "abc"
            ]
        );
        assert_eq!(
            words("iso", Some(Digits::Triples), text),
            [
                "他說", "「", "DNA", "在", "202", "4", "年", "」", "，", "ok", "。", "中文", "abc"
            ]
        );
    }

    #[test]
    fn numbers_that_are_han_stay_with_han() {
        assert_eq!(words("han", None, "二〇二四年"), ["二〇二四年"]);
        assert_eq!(words("iso", None, " x⺀y"), [" x", "⺀", "y"]);
    }

    #[test]
    fn every_scheme_keeps_every_byte() {
        let text = "a  b\n\n  c，。…—— ‘x’\t१२ ㍿\u{3000}｡ﾊ 'S don't\r\n〇";
        for scheme in NAMES {
            for digits in [Digits::Single, Digits::Triples] {
                assert_eq!(words(scheme, Some(digits), text).concat(), text, "{scheme}");
            }
        }
    }

    #[test]
    fn a_section_gets_the_byte_alphabet_when_it_has_none() {
        let section = r#"{"type": "WhitespaceSplit"}"#;
        assert_eq!(words(section, None, "é 中文"), ["é", "中文"]);
        let spelled = r#"{"type": "ByteLevel", "add_prefix_space": true}"#;
        assert_eq!(words(spelled, None, "é"), [" é"]);
    }

    #[test]
    fn bad_schemes_are_named() {
        for (scheme, digits) in [
            ("wide-open", None),
            ("", None),
            ("{\"type\": 3}", None),
            (r"\p{Han}+", Some(Digits::Single)),
        ] {
            let error = pre_tokenizer(scheme, digits).unwrap_err().to_string();
            assert!(
                ["pretokenizer: ", "pre_tokenizer", "digits: "]
                    .iter()
                    .any(|name| error.contains(name)),
                "{error}"
            );
        }
        let broken = WordSource {
            normalizer: None,
            pre_tokenizer: Some(pre_tokenizer("(", None).unwrap()),
            cap: None,
        };
        assert!(WordCounts::new(broken.clone()).texts() == 0 && broken.compile().is_err());
    }
}
