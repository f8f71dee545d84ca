//! Text to text, the alignment to the original kept.
//!
//! One normaliser per file. Each reproduces its namesake of `tokenizers`,
//! Unicode tables included. A normaliser that has nothing to change leaves the
//! text alone, without copying it.

mod bert;
mod byte_level;
pub mod charsmap;
mod ideograph;
mod lowercase;
mod nmt;
mod precompiled;
mod replace;
mod strip_accents;
mod unicode_form;

use std::sync::Arc;

use crate::definition;
use crate::error::Result;
use crate::text::AlignedText;
use crate::zh::Pipeline;

use bert::Bert;
use precompiled::Precompiled;
use replace::Replace;
use unicode_form::Form;

/// A compiled normaliser.
///
/// # Examples
/// ```
/// use pytok_core::{definition, normalize::Normalizer, text::AlignedText};
/// let nfkc = Normalizer::compile(&definition::Normalizer::NFKC {})?;
/// let mut text = AlignedText::new("㍿！");
/// nfkc.apply(&mut text)?;
/// assert_eq!(text.text(), "株式会社!");
/// assert_eq!(text.original_span(0..12), (0, 3));
/// # Ok::<(), pytok_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Normalizer {
    steps: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    Bert(Bert),
    ByteLevel,
    Chinese(Arc<Pipeline>),
    Form(Form),
    Lowercase,
    Nmt,
    Precompiled(Precompiled),
    Prepend(String),
    Replace(Replace),
    Strip { left: bool, right: bool },
    StripAccents,
}

impl Normalizer {
    /// Compile a definition.
    ///
    /// # Errors
    /// When a regular expression or a character map cannot be read.
    pub fn compile(definition: &definition::Normalizer) -> Result<Self> {
        let mut steps = Vec::new();
        collect(definition, &mut steps)?;
        Ok(Self { steps })
    }

    /// The steps of a pipeline, before those of this normaliser.
    #[must_use]
    pub fn behind(mut self, pipeline: Arc<Pipeline>) -> Self {
        self.steps.insert(0, Step::Chinese(pipeline));
        self
    }

    /// A normaliser that does nothing.
    pub fn identity() -> Self {
        Self { steps: Vec::new() }
    }

    /// Whether it never changes a text.
    pub fn is_identity(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether it is certain, at a glance, that a text and every part of it stay
    /// as they are.
    ///
    /// # Complexity
    /// O(n) in the bytes of the text, far less than normalising it.
    pub fn leaves(&self, text: &str) -> bool {
        self.steps.iter().all(|step| match step {
            Step::Form(form) => form.leaves(text),
            _ => false,
        })
    }

    /// Normalise in place.
    ///
    /// # Errors
    /// When a regular expression gives up on the text.
    ///
    /// # Complexity
    /// O(n) in the bytes of the text for each step, but for what a regular
    /// expression needs and for sorting runs of combining marks.
    pub fn apply(&self, text: &mut AlignedText) -> Result<()> {
        for step in &self.steps {
            match step {
                Step::Bert(bert) => bert.apply(text),
                Step::ByteLevel => byte_level::apply(text),
                Step::Chinese(pipeline) => pipeline.apply(text)?,
                Step::Form(form) => form.apply(text),
                Step::Lowercase => lowercase::apply(text),
                Step::Nmt => nmt::apply(text),
                Step::Precompiled(precompiled) => precompiled.apply(text),
                Step::Prepend(content) => text.prepend(content),
                Step::Replace(replace) => replace.apply(text)?,
                Step::Strip { left, right } => text.strip(*left, *right),
                Step::StripAccents => strip_accents::apply(text),
            }
        }
        Ok(())
    }
}

/// Compile a definition into steps, nested sequences laid flat.
fn collect(definition: &definition::Normalizer, steps: &mut Vec<Step>) -> Result<()> {
    use definition::Normalizer as D;
    steps.push(match definition {
        D::Bert {
            clean_text,
            handle_chinese_chars,
            strip_accents,
            lowercase,
        } => Step::Bert(Bert {
            clean_text: *clean_text,
            handle_chinese_chars: *handle_chinese_chars,
            strip_accents: strip_accents.unwrap_or(*lowercase),
            lowercase: *lowercase,
        }),
        D::ByteLevel {} => Step::ByteLevel,
        D::Lowercase {} => Step::Lowercase,
        D::NFC {} => Step::Form(Form::Nfc),
        D::NFD {} => Step::Form(Form::Nfd),
        D::NFKC {} => Step::Form(Form::Nfkc),
        D::NFKD {} => Step::Form(Form::Nfkd),
        D::Nmt {} => Step::Nmt,
        D::Precompiled {
            precompiled_charsmap,
        } => Step::Precompiled(Precompiled::compile(precompiled_charsmap)?),
        D::Prepend { prepend } => Step::Prepend(prepend.clone()),
        D::Replace { pattern, content } => Step::Replace(Replace::compile(pattern, content)?),
        D::Sequence { normalizers } => {
            for normalizer in normalizers {
                collect(normalizer, steps)?;
            }
            return Ok(());
        }
        D::Strip {
            strip_left,
            strip_right,
        } => Step::Strip {
            left: *strip_left,
            right: *strip_right,
        },
        D::StripAccents {} => Step::StripAccents,
    });
    Ok(())
}
