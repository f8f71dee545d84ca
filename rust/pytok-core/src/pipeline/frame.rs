//! What a post-processor puts around the ids of a single text.
//!
//! Encoding to ids does not build an [`Encoding`]; where the post-processor
//! only adds ids before and after the text, those two lists are enough.

use super::encoding::{Encoding, EncodingParts};
use super::options::EncodeOptions;
use super::postprocess::PostProcessor;
use super::tokenizer::Tokenizer;
use crate::error::Result;

/// Ids before and after a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct IdFrame {
    pub(super) before: Vec<u32>,
    pub(super) after: Vec<u32>,
}

/// Stands for the text; no vocabulary has this id.
const TEXT: u32 = u32::MAX;

impl IdFrame {
    /// The frame of a post-processor; `None` when it does more than to put ids
    /// around one copy of the text.
    pub(super) fn of(processor: &PostProcessor) -> Result<Option<Self>> {
        let framed = processor.process(stand_in(&[TEXT])?, None, ["x", ""], true)?;
        let ids = framed.ids();
        let mut places = ids.iter().enumerate().filter(|&(_, &id)| id == TEXT);
        Ok(match (places.next(), places.next()) {
            (Some((place, _)), None) => Some(Self {
                before: ids[..place].to_vec(),
                after: ids[place + 1..].to_vec(),
            }),
            _ => None,
        })
    }
}

/// An encoding of which only the ids are true: every token is `x`.
fn stand_in(ids: &[u32]) -> Result<Encoding> {
    Encoding::from_parts(EncodingParts {
        ids: ids.to_vec(),
        tokens: ids.iter().map(|_| "x").collect(),
        offsets: vec![(0, 1); ids.len()],
        byte_offsets: vec![(0, 1); ids.len()],
        word_ids: vec![Some(0); ids.len()],
        type_id: 0,
    })
}

impl Tokenizer {
    /// Append the ids of a text, however they were found, with what the options
    /// put around them.
    ///
    /// # Errors
    /// When the file names no token for an end that is asked for.
    pub(super) fn put_frame(
        &self,
        text: &[u32],
        options: &EncodeOptions,
        ids: &mut Vec<u32>,
    ) -> Result<()> {
        self.begin_frame(options, ids)?;
        match (&self.frame, &self.post_processor) {
            (None, Some(processor)) => {
                let special = options.add_special_tokens;
                let framed = processor.process(stand_in(text)?, None, ["x", ""], special)?;
                ids.extend_from_slice(framed.ids());
            }
            _ => ids.extend_from_slice(text),
        }
        self.end_frame(options, ids)
    }

    /// Append what stands before a text, but for what only a template can say.
    ///
    /// # Errors
    /// As [`Tokenizer::put_frame`].
    pub(super) fn begin_frame(&self, options: &EncodeOptions, ids: &mut Vec<u32>) -> Result<()> {
        if options.bos {
            ids.push(self.required(self.bos_id(), "bos")?);
        }
        if let Some(frame) = self.frame.as_ref().filter(|_| options.add_special_tokens) {
            ids.extend_from_slice(&frame.before);
        }
        Ok(())
    }

    /// Append what stands behind it.
    ///
    /// # Errors
    /// As [`Tokenizer::put_frame`].
    pub(super) fn end_frame(&self, options: &EncodeOptions, ids: &mut Vec<u32>) -> Result<()> {
        if let Some(frame) = self.frame.as_ref().filter(|_| options.add_special_tokens) {
            ids.extend_from_slice(&frame.after);
        }
        if options.eos {
            ids.push(self.required(self.eos_id(), "eos")?);
        }
        Ok(())
    }
}
