//! Pre-token schemes: how training text is cut into words, by name.
//!
//! Every scheme is a list of components that a stock `tokenizer.json` can hold:
//! a splitting pattern, then the byte alphabet. `qwen` is the pattern published
//! with Qwen's tokenizers. `han` keeps runs of Han characters apart from all
//! other letters. `iso` also makes every CJK and full-width mark a word of its
//! own, which gives the best word boundaries and costs a few percent of tokens.
//! `wide` makes words of whole sentences: it cuts at digits, after `。！？` with the
//! quotes and brackets that these close, and after line breaks. So pieces may span
//! several words, as SuperBPE's may (Liu et al., 2025); there they do so late in
//! training, here a grammar of pieces says what may grow.

use crate::definition::{Pattern, PreTokenizer, SplitBehavior};
use crate::error::{Error, Result};
use crate::format::tokenizer_json;
use crate::pretokenize::patterns;

/// The names that [`pre_tokenizer`] knows.
pub const NAMES: [&str; 4] = ["qwen", "han", "iso", "wide"];

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
    let one_by_one = digits.unwrap_or_default() == Digits::Single;
    let pattern = match scheme {
        "qwen" if one_by_one => patterns::QWEN,
        "qwen" => patterns::LLAMA3,
        "han" if one_by_one => patterns::HAN,
        "han" => patterns::HAN_TRIPLES,
        "iso" if one_by_one => patterns::ISO,
        "iso" => patterns::ISO_TRIPLES,
        "wide" if one_by_one => patterns::WIDE,
        "wide" => patterns::WIDE_TRIPLES,
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
        pattern => pattern,
    };
    Ok(split_then_spell(pattern.to_owned()))
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
    fn wide_words_are_sentences() {
        for (text, expected) in [
            (
                "他說：「走吧！」於是，走了。 The end. Of it\n\n\tif x:\r\n",
                &[
                    "他說：「走吧！」",
                    "於是，走了。",
                    " The end. Of it\n\n",
                    "\tif x:\r\n",
                ][..],
            ),
            (
                "二〇二四年：x = 12\n",
                &["二〇二四年：x = ", "1", "2", "\n"],
            ),
            (
                "真的？！」）好……吧。）\n  \n",
                &["真的？！」）", "好……吧。）\n", "  \n"],
            ),
            ("。。\n！", &["。。\n", "！"]),
        ] {
            assert_eq!(words("wide", None, text), expected);
        }
        assert_eq!(
            words("wide", Some(Digits::Triples), "a1234"),
            ["a", "123", "4"]
        );
    }

    #[test]
    fn numbers_that_are_han_stay_with_han() {
        assert_eq!(words("han", None, "二〇二四年"), ["二〇二四年"]);
        assert_eq!(words("iso", None, " x⺀y"), [" x", "⺀", "y"]);
        assert_eq!(words("wide", None, "二〇1"), ["二〇", "1"]);
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
