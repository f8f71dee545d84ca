//! Text to the words that are counted: the first two stages of encoding.
//!
//! The words are the bytes that the model will see, so a trained tokenizer
//! meets at run time exactly the words that it was trained on.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::definition;
use crate::error::{Error, Result};
use crate::normalize::Normalizer;
use crate::pipeline::Tokenizer;
use crate::pretokenize::{PreTokenizer, RawSplitter, byte_alphabet};
use crate::text::AlignedText;

/// What makes words of a text. Counts of different sources cannot be merged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordSource {
    /// Text to text.
    pub normalizer: Option<definition::Normalizer>,
    /// Text to words, spelled in the byte alphabet.
    pub pre_tokenizer: Option<definition::PreTokenizer>,
    /// How often a word counts in a stretch of text; `None` for every time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<Cap>,
}

/// A word of more than two characters counts at most so many times in each
/// stretch of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cap {
    /// How often it counts, at least 1.
    pub times: u32,
    /// The bytes of a stretch, at least 1: all words of the text are laid end to
    /// end and cut every so many bytes. A word belongs where it begins.
    pub bytes: usize,
}

impl WordSource {
    /// Compile the source.
    ///
    /// # Errors
    /// When a regular expression or a component cannot be compiled, or a number
    /// of the cap is 0.
    pub fn compile(&self) -> Result<WordCutter> {
        if self.cap.is_some_and(|cap| cap.times == 0 || cap.bytes == 0) {
            return Err(Error::argument("cap", "0; expected at least 1"));
        }
        let normalizer = self
            .normalizer
            .as_ref()
            .map(Normalizer::compile)
            .transpose()?;
        let Some(pre_tokenizer) = &self.pre_tokenizer else {
            return Err(Error::argument(
                "pretokenizer",
                "missing; expected one that spells words in the byte alphabet",
            ));
        };
        let pre = PreTokenizer::compile(pre_tokenizer, definition::Source::Tokenizers)?;
        let cuts = match pre.raw_splitter() {
            Some(splitter) => Cuts::Ranges(splitter),
            None => Cuts::Words(pre),
        };
        Ok(WordCutter { normalizer, cuts })
    }
}

/// A compiled [`WordSource`].
#[derive(Debug)]
pub struct WordCutter {
    normalizer: Option<Normalizer>,
    cuts: Cuts,
}

#[derive(Debug)]
enum Cuts {
    /// Words are byte ranges of the text.
    Ranges(RawSplitter),
    /// Words are texts of their own, spelled in the byte alphabet.
    Words(PreTokenizer),
    /// Words are what the model of a tokenizer sees.
    Tokenizer(Arc<Tokenizer>),
}

/// How a tokenizer makes words; its added tokens are left out.
impl From<&Tokenizer> for WordSource {
    fn from(tokenizer: &Tokenizer) -> Self {
        let definition = tokenizer.definition();
        Self {
            normalizer: definition.normalizer.clone(),
            pre_tokenizer: definition.pre_tokenizer.clone(),
            cap: None,
        }
    }
}

impl From<Arc<Tokenizer>> for WordCutter {
    fn from(tokenizer: Arc<Tokenizer>) -> Self {
        Self {
            normalizer: None,
            cuts: Cuts::Tokenizer(tokenizer),
        }
    }
}

impl WordCutter {
    /// Call `found` with the bytes of each word, from left to right.
    ///
    /// # Errors
    /// When the text has 4 GiB or more, when a regular expression gives up, when
    /// the pre-tokenizer makes characters that are not of the byte alphabet, or
    /// when `found` fails.
    ///
    /// # Complexity
    /// Linear in the text for the named schemes.
    pub fn for_each_word(
        &self,
        text: &str,
        found: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        if let Cuts::Tokenizer(tokenizer) = &self.cuts {
            return tokenizer.for_each_word(text, found);
        }
        if let (Cuts::Ranges(splitter), None) = (&self.cuts, &self.normalizer) {
            return splitter
                .for_each_word(text, &mut |start, end| found(&text.as_bytes()[start..end]));
        }
        if u32::try_from(text.len()).is_err() {
            let message = format!("{} bytes; expected fewer than 4 GiB", text.len());
            return Err(Error::argument("text", message));
        }
        let mut aligned = AlignedText::untracked(text, 0);
        if let Some(normalizer) = &self.normalizer {
            normalizer.apply(&mut aligned)?;
        }
        match &self.cuts {
            Cuts::Ranges(splitter) => {
                let text = aligned.text();
                splitter.for_each_word(text, &mut |start, end| found(&text.as_bytes()[start..end]))
            }
            Cuts::Tokenizer(_) => Ok(()),
            Cuts::Words(pre_tokenizer) => {
                let mut words = vec![aligned];
                pre_tokenizer.apply(&mut words)?;
                words.iter().try_for_each(|word| {
                    let bytes = byte_alphabet::decode(word.text()).ok_or_else(|| {
                        Error::unsupported(
                            "pre_tokenizer",
                            format!("{:?}, which is not spelled in bytes,", word.text()),
                            "training on words in the byte alphabet: ByteLevel as the last step",
                        )
                    })?;
                    found(&bytes)
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::scheme::pre_tokenizer;

    #[test]
    fn a_normalizer_comes_first() {
        let source = WordSource {
            normalizer: Some(definition::Normalizer::NFKC {}),
            pre_tokenizer: Some(pre_tokenizer("qwen", None).unwrap()),
            cap: None,
        };
        let mut words = Vec::new();
        let cutter = source.compile().unwrap();
        cutter
            .for_each_word("Ａ！", &mut |word| {
                words.push(word.to_vec());
                Ok(())
            })
            .unwrap();
        assert_eq!(words, [b"A".to_vec(), b"!".to_vec()]);
    }

    #[test]
    fn characters_outside_the_alphabet_are_refused() {
        let section = r#"{"type": "Sequence", "pretokenizers": [
            {"type": "ByteLevel"}, {"type": "Metaspace", "replacement": "▁"}]}"#;
        let source = WordSource {
            normalizer: None,
            pre_tokenizer: Some(pre_tokenizer(section, None).unwrap()),
            cap: None,
        };
        let cutter = source.compile().unwrap();
        let error = cutter.for_each_word("a", &mut |_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("byte alphabet"), "{error}");
    }
}
