//! Text to words.
//!
//! A definition compiles to a list of steps; nearly all of them cut words at
//! the matches of a pattern (`split`), and three change the text of a word.
//! One pre-tokenizer per file; each reproduces its namesake of `tokenizers`,
//! Unicode tables included. Known patterns are scanned by hand ([`scan`]),
//! others by the engine that the reference uses ([`regex`]).

mod bert;
pub mod byte_alphabet;
mod byte_level;
mod char_delimiter;
mod digits;
mod fixed_length;
mod matcher;
mod metaspace;
pub mod patterns;
mod punctuation;
mod raw_splitter;
pub mod regex;
pub mod scan;
mod script_table;
pub mod special_tokens;
mod split;
mod unicode_scripts;
mod whitespace;
mod whitespace_split;

use std::sync::Arc;

pub use raw_splitter::RawSplitter;
pub(crate) use unicode_scripts::script;

use crate::definition::{self, PrependScheme, Source};
use crate::error::Result;
use crate::text::AlignedText;
use regex::Dialect;

/// A compiled pre-tokenizer.
#[derive(Debug)]
pub struct PreTokenizer {
    steps: Vec<Step>,
}

/// What is done to every word.
#[derive(Debug)]
enum Step {
    /// Cut it.
    Split(Arc<split::Split>),
    /// Put a space in front.
    PrefixSpace,
    /// Spell it in the byte alphabet.
    SpellBytes,
    /// Make its spaces visible.
    MarkSpaces {
        replacement: char,
        scheme: PrependScheme,
    },
}

impl PreTokenizer {
    /// Compile a definition; `source` decides the regular-expression dialect.
    ///
    /// # Errors
    /// When a regular expression cannot be compiled, or a length is 0.
    pub fn compile(definition: &definition::PreTokenizer, source: Source) -> Result<Self> {
        let mut steps = Vec::new();
        compile_into(&mut steps, definition, source.into())
            .map_err(|error| error.within("pre_tokenizer"))?;
        Ok(Self { steps })
    }

    /// Split every word of `words` further, in place. Words that become empty
    /// are dropped, as the reference does.
    ///
    /// # Errors
    /// When a regular expression gives up on a word.
    ///
    /// # Complexity
    /// Linear in the text for everything but unknown regular expressions.
    pub fn apply(&self, words: &mut Vec<AlignedText>) -> Result<()> {
        for step in &self.steps {
            match step {
                Step::Split(split) => {
                    let mut pieces = Vec::with_capacity(words.len());
                    for word in words.iter() {
                        pieces.append(&mut split.apply(word)?);
                    }
                    *words = pieces;
                }
                Step::PrefixSpace => words.iter_mut().for_each(byte_level::prefix_space),
                Step::SpellBytes => words.iter_mut().for_each(byte_level::spell_bytes),
                Step::MarkSpaces {
                    replacement,
                    scheme,
                } => words
                    .iter_mut()
                    .for_each(|word| metaspace::mark_spaces(word, *replacement, *scheme)),
            }
        }
        // Every step drops empty words; only no step at all leaves one as it is.
        if !self.steps.is_empty() {
            words.retain(|word| !word.is_empty());
        }
        Ok(())
    }

    /// The same words as byte ranges of the text, when all that is done to the
    /// text is to cut it and to spell the words in the byte alphabet; `None`
    /// otherwise.
    pub fn raw_splitter(&self) -> Option<RawSplitter> {
        let (Step::SpellBytes, cuts) = self.steps.split_last()? else {
            return None;
        };
        let splits = cuts.iter().map(|step| match step {
            Step::Split(split) => Some(split),
            _ => None,
        });
        RawSplitter::of(splits.collect::<Option<Vec<_>>>()?)
    }
}

fn compile_into(
    steps: &mut Vec<Step>,
    definition: &definition::PreTokenizer,
    dialect: Dialect,
) -> Result<()> {
    use definition::PreTokenizer as P;
    match definition {
        P::BertPreTokenizer {} => steps.extend(bert::compile()),
        P::ByteLevel {
            add_prefix_space,
            trim_offsets: _, // matters after the model only
            use_regex,
        } => steps.extend(byte_level::compile(*add_prefix_space, *use_regex)?),
        P::CharDelimiterSplit { delimiter } => steps.push(char_delimiter::compile(*delimiter)),
        P::Digits { individual_digits } => steps.push(digits::compile(*individual_digits)),
        P::FixedLength { length } => steps.push(fixed_length::compile(*length)?),
        P::Metaspace {
            replacement,
            prepend_scheme,
            split,
        } => steps.extend(metaspace::compile(*replacement, *prepend_scheme, *split)),
        P::Punctuation { behavior } => steps.push(punctuation::compile(*behavior)),
        P::Sequence { pretokenizers } => {
            for (at, part) in pretokenizers.iter().enumerate() {
                compile_into(steps, part, dialect)
                    .map_err(|error| error.within(&format!("pretokenizers[{at}]")))?;
            }
        }
        P::Split {
            pattern,
            behavior,
            invert,
        } => steps.push(split::compile(pattern, *behavior, *invert, dialect)?),
        P::UnicodeScripts {} => steps.push(unicode_scripts::compile()),
        P::Whitespace {} => steps.push(whitespace::compile()),
        P::WhitespaceSplit {} => steps.push(whitespace_split::compile()),
    }
    Ok(())
}
