//! Bringing encodings to one length.

use super::encoding::Encoding;
use crate::error::{Error, Result};

/// An end of a list of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Side {
    /// The beginning.
    Left,
    /// The end.
    #[default]
    Right,
}

/// The length to which a batch is padded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaddingLength {
    /// That of its longest encoding.
    Longest,
    /// A number of tokens.
    Fixed(usize),
}

/// How to pad.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Padding {
    /// The length to reach.
    pub length: PaddingLength,
    /// Where the padding goes.
    pub side: Side,
    /// Round the length up to a multiple of this; 0 and `None` mean as it is.
    pub multiple_of: Option<usize>,
    /// Id of the padding token.
    pub id: u32,
    /// Type id of the padding token.
    pub type_id: u32,
    /// The padding token.
    pub token: String,
}

/// Pad all encodings of a batch to one length; longer ones are left alone.
///
/// # Errors
/// [`Error::Argument`] when the length does not fit in a `usize`.
///
/// # Complexity
/// Linear in the padded batch.
pub fn pad_batch(encodings: &mut [Encoding], padding: &Padding) -> Result<()> {
    let length = match padding.length {
        PaddingLength::Fixed(length) => length,
        PaddingLength::Longest => encodings.iter().map(Encoding::len).max().unwrap_or(0),
    };
    let length = match padding.multiple_of {
        None | Some(0) => length,
        Some(multiple) => length.checked_next_multiple_of(multiple).ok_or_else(|| {
            Error::argument(
                "pad_to_multiple_of",
                format!("{multiple} is too large to round {length} tokens up to"),
            )
        })?,
    };
    for encoding in encodings {
        encoding.pad(
            length,
            padding.id,
            padding.type_id,
            &padding.token,
            padding.side,
        );
    }
    Ok(())
}

impl Encoding {
    /// Pad to `target_length` tokens, the overflow included. An encoding that
    /// is long enough stays as it is.
    pub fn pad(
        &mut self,
        target_length: usize,
        pad_id: u32,
        pad_type_id: u32,
        pad_token: &str,
        side: Side,
    ) {
        for part in &mut self.overflowing {
            part.pad(target_length, pad_id, pad_type_id, pad_token, side);
        }
        let Some(missing @ 1..) = target_length.checked_sub(self.len()) else {
            return;
        };
        fill(&mut self.ids, pad_id, missing, side);
        self.tokens.pad(pad_token, missing, side);
        fill(&mut self.type_ids, pad_type_id, missing, side);
        fill(&mut self.attention_mask, 0, missing, side);
        fill(&mut self.special_tokens_mask, 1, missing, side);
        fill(&mut self.offsets, (0, 0), missing, side);
        fill(&mut self.byte_offsets, (0, 0), missing, side);
        fill(&mut self.word_ids, None, missing, side);
        if side == Side::Left {
            for range in &mut self.sequence_ranges {
                range.tokens = range.tokens.start + missing..range.tokens.end + missing;
            }
        }
    }
}

fn fill<T: Clone>(list: &mut Vec<T>, value: T, count: usize, side: Side) {
    let length = list.len();
    list.resize(length + count, value);
    if side == Side::Left {
        list.rotate_right(count);
    }
}
