//! Tokens to text.
//!
//! Every decoder of `tokenizers` is one stage of a chain. A stage receives the
//! pieces of the stage before it, in parts, and passes its own on as soon as
//! they can no longer change; so decoding at once and decoding token by token
//! ([`crate::pipeline::stream`]) are one implementation.
//!
//! Decoding never fails. Where the reference panics (a strip longer than its
//! piece, the limits of a regular expression) the text is left as far as it got.

mod bpe;
mod byte_fallback;
mod byte_level;
mod chain;
mod ctc;
mod metaspace;
mod piece;
mod replace;
mod strip;
mod whole;
mod wordpiece;

pub use self::chain::DecodeChain;

use self::chain::Stage;
use crate::definition::{self, Pattern, PrependScheme, Source};
use crate::error::Result;
use crate::pretokenize::regex::Dialect;

/// A compiled decoder.
#[derive(Debug, Clone)]
pub struct Decoder {
    steps: Vec<Step>,
}

#[derive(Debug, Clone)]
enum Step {
    Bpe(bpe::Bpe),
    ByteFallback,
    ByteLevel,
    Ctc(ctc::Ctc),
    Fuse,
    JoinBySpaces,
    Metaspace(metaspace::Metaspace),
    Replace(replace::Replace),
    Strip(strip::Strip),
    WordPiece(wordpiece::WordPiece),
}

/// What to make of bytes that are not a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Invalid {
    /// U+FFFD, as the reference does.
    Replace,
    /// Themselves.
    Keep,
}

impl Decoder {
    /// Compile a definition; `source` decides the regular-expression dialect.
    ///
    /// # Errors
    /// [`crate::Error::Format`] when a regular expression cannot be compiled.
    pub fn compile(definition: &definition::Decoder, source: Source) -> Result<Self> {
        let mut steps = Vec::new();
        compile_into(&mut steps, definition, source, "decoder")?;
        Ok(Self { steps })
    }

    /// Whether it is `ByteLevel` and nothing else.
    pub(super) fn is_byte_level(&self) -> bool {
        matches!(self.steps[..], [Step::ByteLevel])
    }

    /// What happens without a decoder: tokens with spaces between them.
    pub fn join_by_spaces() -> Self {
        Self {
            steps: vec![Step::JoinBySpaces],
        }
    }

    /// The pieces that the decoder makes of the tokens, not joined yet.
    pub fn decode_chain(&self, tokens: Vec<String>) -> Vec<String> {
        let mut pieces = Vec::new();
        let mut piece = Vec::new();
        self.run(tokens, Invalid::Replace, &mut |part, is_end| {
            piece.extend_from_slice(part);
            if is_end {
                pieces.push(piece::into_string(std::mem::take(&mut piece)));
            }
        });
        pieces
    }

    /// The text of the tokens.
    ///
    /// # Complexity
    /// Linear in the text and in the number of stages, regular expressions apart.
    pub fn decode<S: AsRef<str>>(&self, tokens: impl IntoIterator<Item = S>) -> String {
        let mut text = Vec::new();
        self.run(tokens, Invalid::Replace, &mut |part, _| {
            text.extend_from_slice(part);
        });
        piece::into_string(text)
    }

    /// The bytes of the tokens: those that [`Decoder::decode`] shows as U+FFFD
    /// are themselves here.
    pub fn decode_bytes<S: AsRef<str>>(&self, tokens: impl IntoIterator<Item = S>) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.run(tokens, Invalid::Keep, &mut |part, _| {
            bytes.extend_from_slice(part);
        });
        bytes
    }

    /// A chain that decodes one token after another.
    pub fn chain(&self) -> DecodeChain {
        DecodeChain::new(self.stages(Invalid::Replace))
    }

    fn run<S: AsRef<str>>(
        &self,
        tokens: impl IntoIterator<Item = S>,
        invalid: Invalid,
        sink: &mut dyn FnMut(&[u8], bool),
    ) {
        let mut stages = self.stages(invalid);
        for token in tokens {
            chain::feed(&mut stages, token.as_ref().as_bytes(), true, sink);
        }
        chain::finish(&mut stages, sink);
    }

    fn stages(&self, invalid: Invalid) -> Vec<Box<dyn Stage>> {
        self.steps.iter().map(|step| step.stage(invalid)).collect()
    }
}

impl Step {
    fn stage(&self, invalid: Invalid) -> Box<dyn Stage> {
        match self {
            Self::Bpe(step) => Box::new(step.stage()),
            Self::ByteFallback => Box::new(byte_fallback::stage(invalid)),
            Self::ByteLevel => Box::new(byte_level::stage(invalid)),
            Self::Ctc(step) => Box::new(step.stage()),
            Self::Fuse => Box::new(chain::Fuse),
            Self::JoinBySpaces => Box::new(chain::JoinBySpaces::default()),
            Self::Metaspace(step) => Box::new(step.stage()),
            Self::Replace(step) => step.stage(),
            Self::Strip(step) => Box::new(step.stage()),
            Self::WordPiece(step) => Box::new(step.stage()),
        }
    }
}

fn compile_into(
    steps: &mut Vec<Step>,
    definition: &definition::Decoder,
    source: Source,
    path: &str,
) -> Result<()> {
    use definition::Decoder as Definition;
    steps.push(match definition {
        Definition::BPEDecoder { suffix } => Step::Bpe(bpe::Bpe::new(suffix)),
        Definition::ByteFallback {} => Step::ByteFallback,
        // The options concern the pre-tokenizer of the same name.
        Definition::ByteLevel { .. } => Step::ByteLevel,
        Definition::CTC {
            pad_token,
            word_delimiter_token,
            cleanup,
        } => Step::Ctc(ctc::Ctc::new(pad_token, word_delimiter_token, *cleanup)),
        Definition::Fuse {} => Step::Fuse,
        Definition::Metaspace {
            replacement,
            prepend_scheme,
            split: _, // concerns the pre-tokenizer
        } => Step::Metaspace(metaspace::Metaspace {
            replacement: *replacement,
            drop_first: *prepend_scheme != PrependScheme::Never,
        }),
        Definition::Replace { pattern, content } => Step::Replace(match pattern {
            Pattern::String(literal) => replace::Replace::literal(literal, content),
            Pattern::Regex(regex) => {
                replace::Replace::regex(regex, Dialect::from(source), content, path)?
            }
        }),
        Definition::Sequence { decoders } => {
            for (at, decoder) in decoders.iter().enumerate() {
                compile_into(steps, decoder, source, &format!("{path}.decoders[{at}]"))?;
            }
            return Ok(());
        }
        Definition::Strip {
            content,
            start,
            stop,
        } => Step::Strip(strip::Strip::new(*content, *start, *stop)),
        Definition::WordPiece { prefix, cleanup } => {
            Step::WordPiece(wordpiece::WordPiece::new(prefix, *cleanup))
        }
    });
    Ok(())
}
