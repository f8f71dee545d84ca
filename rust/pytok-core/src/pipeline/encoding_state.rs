//! An encoding as bytes and back, so that it can be sent to another process.

use super::encoding::Encoding;
use crate::error::{Error, Result};

const FORMAT: &str = "encoding";

impl Encoding {
    /// Everything that the encoding holds, overflow included, as JSON.
    ///
    /// # Errors
    /// Never in practice: no field can fail to be written.
    pub fn to_state(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self)
            .map_err(|error| Error::format(FORMAT, "the whole value", error.to_string()))
    }

    /// Read what [`Encoding::to_state`] wrote.
    ///
    /// # Errors
    /// [`Error::Format`] when the bytes are damaged: not JSON, lists of
    /// different lengths, a sequence that reaches beyond the tokens.
    ///
    /// # Examples
    /// ```
    /// use pytok_core::pipeline::encoding::Encoding;
    ///
    /// let encoding = Encoding::default();
    /// assert_eq!(Encoding::from_state(&encoding.to_state()?)?, encoding);
    /// # Ok::<(), pytok_core::Error>(())
    /// ```
    pub fn from_state(state: &[u8]) -> Result<Self> {
        let encoding: Self = serde_json::from_slice(state)
            .map_err(|error| Error::format(FORMAT, "the whole value", error.to_string()))?;
        encoding.check()?;
        Ok(encoding)
    }

    /// All lists have the length of the ids, and all ranges lie within it.
    fn check(&self) -> Result<()> {
        let length = self.ids.len();
        for (name, found) in [
            ("tokens", self.tokens.len()),
            ("type_ids", self.type_ids.len()),
            ("attention_mask", self.attention_mask.len()),
            ("special_tokens_mask", self.special_tokens_mask.len()),
            ("offsets", self.offsets.len()),
            ("byte_offsets", self.byte_offsets.len()),
            ("word_ids", self.word_ids.len()),
        ] {
            if found != length {
                let message = format!("{found} entries for {length} ids");
                return Err(Error::format(FORMAT, name, message));
            }
        }
        let outside = self
            .sequence_ranges
            .iter()
            .find(|range| range.tokens.start > range.tokens.end || range.tokens.end > length);
        if let Some(range) = outside {
            let message = format!("{:?} reaches beyond {length} tokens", range.tokens);
            return Err(Error::format(FORMAT, "sequence_ranges", message));
        }
        self.overflowing.iter().try_for_each(Self::check)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::encoding::EncodingParts;
    use crate::pipeline::padding::Side;

    fn example() -> Encoding {
        let mut encoding = Encoding::from_parts(EncodingParts {
            ids: vec![7, 8, 9],
            tokens: ["学", "\"", "a"].iter().collect(),
            offsets: vec![(0, 1), (1, 2), (2, 3)],
            byte_offsets: vec![(0, 3), (3, 4), (4, 5)],
            word_ids: vec![Some(0), None, Some(1)],
            type_id: 1,
        })
        .unwrap();
        encoding.truncate(2, 0, Side::Right).unwrap();
        encoding.set_sequence_id(1);
        encoding
    }

    #[test]
    fn what_was_written_is_read_back() {
        let encoding = example();
        assert!(!encoding.overflowing.is_empty());
        let state = encoding.to_state().unwrap();
        assert_eq!(Encoding::from_state(&state).unwrap(), encoding);
    }

    #[test]
    fn damaged_states_are_refused() {
        let mut longer = example();
        longer.overflowing[0].tokens.push("b");
        let mut beyond = example();
        beyond.sequence_ranges[0].tokens = 1..3;
        for damaged in [longer, beyond] {
            assert!(Encoding::from_state(&damaged.to_state().unwrap()).is_err());
        }
        let state = example().to_state().unwrap();
        for length in 0..state.len() {
            assert!(Encoding::from_state(&state[..length]).is_err());
        }
    }
}
