//! From characters to tokens to words, and back.
//!
//! Positions are character positions of the text of the sequence named. All
//! answers are those of `tokenizers`, so a question about a sequence that the
//! encoding does not have is answered for the whole encoding.

use std::ops::Range;

use super::encoding::{Encoding, Offsets};

impl Encoding {
    /// Number of sequences; 1 as long as nobody has said otherwise.
    pub fn n_sequences(&self) -> usize {
        self.sequence_ranges.len().max(1)
    }

    /// The tokens of a sequence; all tokens when nothing is known about it.
    pub fn sequence_range(&self, sequence: usize) -> Range<usize> {
        self.sequence_ranges
            .iter()
            .find(|range| range.sequence == sequence)
            .map_or(0..self.len(), |range| range.tokens.clone())
    }

    /// The sequence of each token; `None` for special tokens and padding.
    pub fn sequence_ids(&self) -> Vec<Option<usize>> {
        let mut sequence_ids = vec![None; self.len()];
        for sequence in 0..self.n_sequences() {
            let range = self.sequence_range(sequence);
            if let Some(tokens) = sequence_ids.get_mut(range) {
                tokens.fill(Some(sequence));
            }
        }
        sequence_ids
    }

    /// The sequence of a token.
    pub fn token_to_sequence(&self, token: usize) -> Option<usize> {
        // One past the end is accepted, as in the reference.
        if token > self.len() {
            None
        } else if self.sequence_ranges.is_empty() {
            Some(0)
        } else {
            self.sequence_ranges
                .iter()
                .find(|range| range.tokens.contains(&token))
                .map(|range| range.sequence)
        }
    }

    /// The sequence and the character offsets of a token.
    pub fn token_to_chars(&self, token: usize) -> Option<(usize, Offsets)> {
        Some((self.token_to_sequence(token)?, *self.offsets.get(token)?))
    }

    /// The sequence and the word of a token.
    pub fn token_to_word(&self, token: usize) -> Option<(usize, u32)> {
        Some((
            self.token_to_sequence(token)?,
            self.word_ids.get(token).copied().flatten()?,
        ))
    }

    /// The first token of a sequence that covers a character.
    ///
    /// # Complexity
    /// O(tokens).
    pub fn char_to_token(&self, position: usize, sequence: usize) -> Option<usize> {
        let range = self.sequence_range(sequence);
        let position = u32::try_from(position).ok()?;
        self.offsets
            .get(range.clone())?
            .iter()
            .position(|(start, end)| (*start..*end).contains(&position))
            .map(|token| range.start + token)
    }

    /// The word of a sequence that covers a character.
    pub fn char_to_word(&self, position: usize, sequence: usize) -> Option<u32> {
        let token = self.char_to_token(position, sequence)?;
        self.token_to_word(token).map(|(_, word)| word)
    }

    /// First token, and one past the last, of a word of a sequence.
    ///
    /// # Complexity
    /// O(tokens).
    pub fn word_to_tokens(&self, word: u32, sequence: usize) -> Option<(usize, usize)> {
        let range = self.sequence_range(sequence);
        let words = self.word_ids.get(range.clone())?;
        // Words are in ascending order, so nothing after a larger one counts;
        // a token without a word is smaller than all.
        let end = words
            .iter()
            .take_while(|found| **found <= Some(word))
            .count();
        let is_word = |found: &Option<u32>| *found == Some(word);
        let first = words[..end].iter().position(is_word)?;
        let last = words[..end].iter().rposition(is_word)?;
        Some((range.start + first, range.start + last + 1))
    }

    /// The character offsets of a word of a sequence.
    pub fn word_to_chars(&self, word: u32, sequence: usize) -> Option<Offsets> {
        let (first, end) = self.word_to_tokens(word, sequence)?;
        Some((self.offsets[first].0, self.offsets[end - 1].1))
    }
}
