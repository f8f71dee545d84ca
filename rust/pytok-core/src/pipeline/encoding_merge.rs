//! Joining encodings, overflow included.

use super::encoding::{Encoding, Offsets, SequenceRange};

impl Encoding {
    /// Join encodings one after another. With `growing_offsets` the offsets of
    /// each continue where those of the one before ended.
    ///
    /// # Complexity
    /// Linear in the result. Overflow is combined as by
    /// [`Encoding::merge_with`], so the result grows with the product of the
    /// numbers of overflowing parts.
    pub fn merge(encodings: impl IntoIterator<Item = Self>, growing_offsets: bool) -> Self {
        let mut merged = Self::default();
        for encoding in encodings {
            merged.merge_with(encoding, growing_offsets);
        }
        merged
    }

    /// Append another encoding.
    ///
    /// The new overflow is every combination of an encoding or overflow of
    /// `self` with one of `other`, the pair of the two encodings excepted; each
    /// part carries the overflow of its own combination, as in the reference.
    pub fn merge_with(&mut self, other: Self, growing_offsets: bool) {
        // Nothing before it: every list and every combination is that of `other`.
        if self.is_empty() && self.overflowing.is_empty() && self.sequence_ranges.is_empty() {
            *self = other;
            return;
        }
        let mut overflowing = Vec::new();
        for own in &self.overflowing {
            for second in std::iter::once(&other).chain(&other.overflowing) {
                overflowing.push(own.joined(second, growing_offsets));
            }
        }
        for second in &other.overflowing {
            overflowing.push(self.joined(second, growing_offsets));
        }

        let shift = self.len();
        for range in other.sequence_ranges {
            self.insert_range(SequenceRange {
                sequence: range.sequence,
                tokens: range.tokens.start + shift..range.tokens.end + shift,
            });
        }
        self.ids.extend(other.ids);
        self.tokens.append(&other.tokens);
        self.type_ids.extend(other.type_ids);
        self.attention_mask.extend(other.attention_mask);
        self.special_tokens_mask.extend(other.special_tokens_mask);
        self.word_ids.extend(other.word_ids);
        append_offsets(&mut self.offsets, other.offsets, growing_offsets);
        append_offsets(&mut self.byte_offsets, other.byte_offsets, growing_offsets);
        self.overflowing = overflowing;
    }

    fn joined(&self, other: &Self, growing_offsets: bool) -> Self {
        let mut joined = self.clone();
        joined.merge_with(other.clone(), growing_offsets);
        joined
    }
}

fn append_offsets(offsets: &mut Vec<Offsets>, other: Vec<Offsets>, growing: bool) {
    let shift = match offsets.last() {
        Some(last) if growing => last.1,
        _ => 0,
    };
    offsets.extend(
        other
            .into_iter()
            .map(|(start, end)| (start.saturating_add(shift), end.saturating_add(shift))),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::encoding::EncodingParts;

    #[test]
    fn growing_offsets_continue_where_the_last_token_ended() {
        let encoding = |characters: u32| {
            Encoding::from_parts(EncodingParts {
                ids: vec![1],
                tokens: ["x"].iter().collect(),
                offsets: vec![(0, characters)],
                byte_offsets: vec![(0, 3 * characters)],
                word_ids: vec![Some(0)],
                type_id: 0,
            })
            .unwrap()
        };
        let parts = || [encoding(2), encoding(1), encoding(4)];
        let merged = Encoding::merge(parts(), true);
        assert_eq!(merged.offsets(), [(0, 2), (2, 3), (3, 7)]);
        assert_eq!(merged.byte_offsets(), [(0, 6), (6, 9), (9, 21)]);
        let merged = Encoding::merge(parts(), false);
        assert_eq!(merged.offsets(), [(0, 2), (0, 1), (0, 4)]);
    }
}
