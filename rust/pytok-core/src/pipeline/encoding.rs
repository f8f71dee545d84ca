//! The result of encoding: parallel lists, one entry per token.
//!
//! Offsets are half-open and refer to the *original* text, in characters
//! ([`Encoding::offsets`]) and in bytes ([`Encoding::byte_offsets`]). Tokens
//! that a post-processor or padding added have the offsets `(0, 0)` and no
//! word. The behaviour, odd corners included, is that of `tokenizers`.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::token_texts::TokenTexts;
use crate::error::{Error, Result};

/// A half-open range in the original text, in the unit of the list it stands in.
pub type Offsets = (u32, u32);

/// The tokens that came from one of the input sequences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SequenceRange {
    pub(super) sequence: usize,
    pub(super) tokens: Range<usize>,
}

/// The tokens of a text or of a pair of texts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Encoding {
    pub(super) ids: Vec<u32>,
    pub(super) tokens: TokenTexts,
    pub(super) type_ids: Vec<u32>,
    pub(super) attention_mask: Vec<u32>,
    pub(super) special_tokens_mask: Vec<u32>,
    pub(super) offsets: Vec<Offsets>,
    pub(super) byte_offsets: Vec<Offsets>,
    pub(super) word_ids: Vec<Option<u32>>,
    /// Sorted by sequence; empty means one sequence that covers everything.
    pub(super) sequence_ranges: Vec<SequenceRange>,
    pub(super) overflowing: Vec<Encoding>,
}

/// What the model and the alignment know about the tokens of one sequence.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EncodingParts {
    /// Token ids.
    pub ids: Vec<u32>,
    /// The piece of each token.
    pub tokens: TokenTexts,
    /// Character offsets in the original text.
    pub offsets: Vec<Offsets>,
    /// Byte offsets in the original text.
    pub byte_offsets: Vec<Offsets>,
    /// The word that each token came from.
    pub word_ids: Vec<Option<u32>>,
    /// The type id of all tokens: 0 for a first sequence, 1 for a second.
    pub type_id: u32,
}

impl Encoding {
    /// An encoding of one sequence, before post-processing: everything attended
    /// to, nothing special.
    ///
    /// # Errors
    /// [`Error::Argument`] when the lists differ in length.
    pub fn from_parts(parts: EncodingParts) -> Result<Self> {
        let length = parts.ids.len();
        for (name, found) in [
            ("tokens", parts.tokens.len()),
            ("offsets", parts.offsets.len()),
            ("byte_offsets", parts.byte_offsets.len()),
            ("word_ids", parts.word_ids.len()),
        ] {
            if found != length {
                return Err(Error::argument(
                    name,
                    format!("{found} entries for {length} ids"),
                ));
            }
        }
        Ok(Self {
            ids: parts.ids,
            tokens: parts.tokens,
            type_ids: vec![parts.type_id; length],
            attention_mask: vec![1; length],
            special_tokens_mask: vec![0; length],
            offsets: parts.offsets,
            byte_offsets: parts.byte_offsets,
            word_ids: parts.word_ids,
            sequence_ranges: Vec::new(),
            overflowing: Vec::new(),
        })
    }

    /// Special tokens: masked as special, without words and offsets.
    pub(super) fn of_special_tokens(ids: &[u32], tokens: &[String], type_id: u32) -> Self {
        let length = ids.len();
        Self {
            ids: ids.to_vec(),
            tokens: tokens.iter().collect(),
            type_ids: vec![type_id; length],
            attention_mask: vec![1; length],
            special_tokens_mask: vec![1; length],
            offsets: vec![(0, 0); length],
            byte_offsets: vec![(0, 0); length],
            word_ids: vec![None; length],
            sequence_ranges: Vec::new(),
            overflowing: Vec::new(),
        }
    }

    /// The tokens in a range; sequence ranges and overflow are not carried over.
    pub(super) fn slice(&self, range: Range<usize>) -> Self {
        Self {
            ids: self.ids[range.clone()].to_vec(),
            tokens: self.tokens.slice(range.clone()),
            type_ids: self.type_ids[range.clone()].to_vec(),
            attention_mask: self.attention_mask[range.clone()].to_vec(),
            special_tokens_mask: self.special_tokens_mask[range.clone()].to_vec(),
            offsets: self.offsets[range.clone()].to_vec(),
            byte_offsets: self.byte_offsets[range.clone()].to_vec(),
            word_ids: self.word_ids[range].to_vec(),
            sequence_ranges: Vec::new(),
            overflowing: Vec::new(),
        }
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no tokens.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Token ids.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// The piece of each token.
    pub fn tokens(&self) -> &TokenTexts {
        &self.tokens
    }

    /// Type ids, as the post-processor set them.
    pub fn type_ids(&self) -> &[u32] {
        &self.type_ids
    }

    /// 1 for tokens to attend to, 0 for padding.
    pub fn attention_mask(&self) -> &[u32] {
        &self.attention_mask
    }

    /// 1 for tokens that the post-processor or padding added, else 0.
    pub fn special_tokens_mask(&self) -> &[u32] {
        &self.special_tokens_mask
    }

    /// Character offsets in the original text.
    pub fn offsets(&self) -> &[Offsets] {
        &self.offsets
    }

    /// Byte offsets in the original text.
    pub fn byte_offsets(&self) -> &[Offsets] {
        &self.byte_offsets
    }

    /// The word that each token came from; `None` for added tokens.
    pub fn word_ids(&self) -> &[Option<u32>] {
        &self.word_ids
    }

    /// What truncation cut off, in windows of the maximal length.
    pub fn overflowing(&self) -> &[Encoding] {
        &self.overflowing
    }

    /// Take the overflow out, leaving none.
    pub fn take_overflowing(&mut self) -> Vec<Encoding> {
        std::mem::take(&mut self.overflowing)
    }

    /// Set the type id of all tokens (not of the overflow).
    pub fn set_type_id(&mut self, type_id: u32) {
        self.type_ids.clear();
        self.type_ids.resize(self.ids.len(), type_id);
    }

    /// Declare that all tokens belong to a sequence (not those of the overflow).
    pub fn set_sequence_id(&mut self, sequence: usize) {
        let tokens = 0..self.len();
        self.insert_range(SequenceRange { sequence, tokens });
    }

    /// Set the tokens of a sequence, replacing what was said before.
    pub(super) fn insert_range(&mut self, range: SequenceRange) {
        let found = self
            .sequence_ranges
            .binary_search_by_key(&range.sequence, |known| known.sequence);
        match found {
            Ok(at) => self.sequence_ranges[at] = range,
            Err(at) => self.sequence_ranges.insert(at, range),
        }
    }
}
