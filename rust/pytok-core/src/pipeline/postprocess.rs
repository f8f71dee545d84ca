//! Special tokens around one or two sequences, and trimmed offsets.
//!
//! A post-processor receives the sequences after truncation and gives one
//! encoding, exactly as its namesake of `tokenizers` does. The overflow of each
//! sequence is treated as the sequence itself.

mod special;
mod template;
mod trim;

use self::special::Frame;
use self::template::Template;
use self::trim::Trim;
use super::encoding::Encoding;
use crate::definition;
use crate::error::Result;

/// A compiled post-processor.
#[derive(Debug, Clone)]
pub struct PostProcessor(Step);

#[derive(Debug, Clone)]
enum Step {
    Bert(Frame),
    Roberta { frame: Frame, trim: Option<Trim> },
    ByteLevel { trim: Option<Trim> },
    Template { single: Template, pair: Template },
    Sequence(Vec<Step>),
}

impl PostProcessor {
    /// Compile a definition.
    ///
    /// # Errors
    /// [`crate::Error::Format`] naming the field when a template uses a special
    /// token that is not listed, lists ids and tokens of different number, or
    /// when the template for a single text uses the second.
    pub fn compile(definition: &definition::PostProcessor) -> Result<Self> {
        Step::compile(definition, "post_processor").map(Self)
    }

    /// Number of special tokens that are added to a text or to a pair of texts.
    pub fn added_tokens(&self, is_pair: bool) -> usize {
        self.0.added_tokens(is_pair)
    }

    /// Make one encoding of one or two sequences.
    ///
    /// `texts` are the texts of the two sequences. Trimming moves offsets by
    /// characters, so they are needed to keep the byte offsets in step; where a
    /// byte offset does not lie in its text, a character counts as one byte.
    /// The type ids of overflow are those that it came with.
    ///
    /// # Errors
    /// [`crate::Error::Encode`] when a template cannot be applied: the one for
    /// pairs lacks a sequence, or one follows another in a sequence of
    /// post-processors and finds neither one nor two parts.
    pub fn process(
        &self,
        first: Encoding,
        second: Option<Encoding>,
        texts: [&str; 2],
        add_special_tokens: bool,
    ) -> Result<Encoding> {
        let mut encodings = Vec::with_capacity(2);
        for (sequence, mut encoding) in std::iter::once(first).chain(second).enumerate() {
            encoding.set_sequence_id(sequence);
            encoding.set_type_id(crate::ids::offset(sequence));
            for part in &mut encoding.overflowing {
                part.set_sequence_id(sequence);
            }
            encodings.push(encoding);
        }
        let encodings = self.0.apply(encodings, texts, add_special_tokens)?;
        Ok(Encoding::merge(encodings, false))
    }
}

/// What happens without a post-processor: a single sequence stays as it is, a
/// pair is joined.
pub fn join_sequences(first: Encoding, second: Option<Encoding>) -> Encoding {
    let Some(mut second) = second else {
        return first;
    };
    let mut joined = first;
    joined.set_sequence_id(0);
    second.set_sequence_id(1);
    joined.merge_with(second, false);
    joined
}

impl Step {
    fn compile(definition: &definition::PostProcessor, path: &str) -> Result<Self> {
        use definition::PostProcessor as Definition;
        Ok(match definition {
            Definition::BertProcessing { sep, cls } => Self::Bert(Frame::new(cls, sep)),
            Definition::RobertaProcessing {
                sep,
                cls,
                trim_offsets,
                add_prefix_space,
            } => Self::Roberta {
                frame: Frame::new(cls, sep),
                trim: Trim::new(*trim_offsets, *add_prefix_space),
            },
            Definition::ByteLevel {
                add_prefix_space,
                trim_offsets,
                use_regex: _, // concerns the pre-tokenizer of the same name
            } => Self::ByteLevel {
                trim: Trim::new(*trim_offsets, *add_prefix_space),
            },
            Definition::TemplateProcessing {
                single,
                pair,
                special_tokens,
            } => Self::Template {
                single: Template::single(single, special_tokens, &format!("{path}.single"))?,
                pair: Template::pair(pair, special_tokens, &format!("{path}.pair"))?,
            },
            Definition::Sequence { processors } => Self::Sequence(
                processors
                    .iter()
                    .enumerate()
                    .map(|(at, step)| Self::compile(step, &format!("{path}.processors[{at}]")))
                    .collect::<Result<_>>()?,
            ),
        })
    }

    fn added_tokens(&self, is_pair: bool) -> usize {
        match self {
            Self::Bert(_) => 2 + usize::from(is_pair),
            Self::Roberta { .. } => 2 + 2 * usize::from(is_pair),
            Self::ByteLevel { .. } => 0,
            Self::Template { single, pair } => {
                if is_pair {
                    pair.added_tokens()
                } else {
                    single.added_tokens()
                }
            }
            Self::Sequence(steps) => steps.iter().map(|step| step.added_tokens(is_pair)).sum(),
        }
    }

    fn apply(
        &self,
        mut encodings: Vec<Encoding>,
        texts: [&str; 2],
        add_special_tokens: bool,
    ) -> Result<Vec<Encoding>> {
        match self {
            Self::Bert(frame) => {
                if add_special_tokens {
                    encodings = frame.bert(encodings);
                }
            }
            Self::Roberta { frame, trim } => {
                if let Some(trim) = trim {
                    trim.apply(&mut encodings, texts);
                }
                // This format knows one type only, pairs included.
                for encoding in &mut encodings {
                    encoding.set_type_id(0);
                }
                if add_special_tokens {
                    encodings = frame.roberta(encodings);
                }
            }
            Self::ByteLevel { trim } => {
                if let Some(trim) = trim {
                    trim.apply(&mut encodings, texts);
                }
                for (sequence, encoding) in encodings.iter_mut().enumerate() {
                    encoding.set_sequence_id(sequence);
                }
            }
            Self::Template { single, pair } => {
                let template = if encodings.len() == 1 { single } else { pair };
                encodings = template.apply(encodings, add_special_tokens)?;
            }
            Self::Sequence(steps) => {
                for step in steps {
                    encodings = step.apply(encodings, texts, add_special_tokens)?;
                }
            }
        }
        Ok(encodings)
    }
}
