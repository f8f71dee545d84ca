//! The parts of a text that tokens do not cross, in order: added tokens, and
//! what the model gets to see.
//!
//! The walk of [`super::encode`] for those who do more with a word than to
//! encode it.

use super::added_tokens::SpecialPolicy;
use super::encode::check_length;
use super::engine::Engine;
use super::scratch::Scratch;
use super::tokenizer::Tokenizer;
use crate::error::Result;
use crate::ids::offset;
use crate::model::{ByteModel, Model};
use crate::sentencepiece::SentencePiece;
use crate::text::AlignedText;

/// A part of a text.
pub(super) enum Part<'a> {
    /// An added token.
    Added(u32),
    /// A word, and the model that works on its bytes.
    Bytes(&'a ByteModel, &'a [u8]),
    /// A word, normalised and pre-tokenised, and its model.
    Word(&'a Model, &'a str),
    /// All text between two added tokens, not yet normalised, and its model.
    Section(&'a SentencePiece, &'a str),
}

/// What is done with a part.
pub(super) type Visit<'v> = dyn FnMut(Part<'_>, &mut Scratch) -> Result<()> + 'v;

impl Tokenizer {
    /// Give the parts of a text.
    ///
    /// # Errors
    /// Those of encoding that do not come from the model, and those of `visit`.
    pub(super) fn for_each_part(
        &self,
        text: &str,
        policy: SpecialPolicy,
        scratch: &mut Scratch,
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        check_length(text)?;
        let mut sections = std::mem::take(&mut scratch.sections);
        self.added.split_original(text, policy, &mut sections)?;
        for section in &sections {
            let part = &text[section.start..section.end];
            match (section.id, &self.engine) {
                (Some(id), _) => visit(Part::Added(id), scratch)?,
                (None, Engine::SentencePiece(model)) => {
                    let chinese = self.chinese_section(part)?;
                    let part = chinese.as_ref().map_or(part, |normalized| &normalized.text);
                    visit(Part::Section(model, part), scratch)?;
                }
                (None, _) => self.section_parts(part, section.start, policy, scratch, visit)?,
            }
        }
        scratch.sections = sections;
        Ok(())
    }

    fn section_parts(
        &self,
        text: &str,
        start: usize,
        policy: SpecialPolicy,
        scratch: &mut Scratch,
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        let mut normalized = AlignedText::untracked(text, offset(start));
        if let Some(normalizer) = &self.normalizer {
            normalizer.apply(&mut normalized)?;
        }
        let mut inner = std::mem::take(&mut scratch.inner_sections);
        self.added
            .split_normalized(normalized.text(), policy, &mut inner)?;
        for section in &inner {
            match section.id {
                Some(id) => visit(Part::Added(id), scratch)?,
                None => {
                    let part = normalized.slice(section.start..section.end);
                    self.word_parts(part, scratch, visit)?;
                }
            }
        }
        scratch.inner_sections = inner;
        Ok(())
    }

    fn word_parts(
        &self,
        text: AlignedText,
        scratch: &mut Scratch,
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        match &self.engine {
            Engine::Bytes {
                splitter, model, ..
            } => splitter.for_each_word(text.text(), &mut |start, end| {
                let word = &text.text().as_bytes()[start..end];
                visit(Part::Bytes(model, word), scratch)
            }),
            Engine::Components {
                pre_tokenizer,
                model,
            } => {
                let mut words = vec![text];
                if let Some(pre_tokenizer) = pre_tokenizer {
                    pre_tokenizer.apply(&mut words)?;
                }
                words
                    .iter()
                    .try_for_each(|word| visit(Part::Word(model, word.text()), scratch))
            }
            Engine::SentencePiece(_) => Ok(()),
        }
    }
}
