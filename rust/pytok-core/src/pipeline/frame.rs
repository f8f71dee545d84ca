//! What a post-processor puts around the ids of a single text.
//!
//! Encoding to ids does not build an [`Encoding`]; where the post-processor
//! only adds ids before and after the text, those two lists are enough.

use super::encoding::{Encoding, EncodingParts};
use super::postprocess::PostProcessor;
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
        let text = Encoding::from_parts(EncodingParts {
            ids: vec![TEXT],
            tokens: vec![String::from("x")],
            offsets: vec![(0, 1)],
            byte_offsets: vec![(0, 1)],
            word_ids: vec![Some(0)],
            type_id: 0,
        })?;
        let framed = processor.process(text, None, ["x", ""], true)?;
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
