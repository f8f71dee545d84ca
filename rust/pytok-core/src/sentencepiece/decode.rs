//! Tokens to text, as the library's `decode` of ids.

use super::SPACE_MARK;
use super::normalizer::Normalized;
use super::processor::SentencePiece;
use super::vocabulary::{PieceKind, parse_byte};
use crate::error::{Error, Result};

impl SentencePiece {
    /// The text of a sequence of ids.
    ///
    /// Bytes that make no character become U+FFFD, one each; control pieces are
    /// invisible; the space that normalisation put before the text is removed.
    ///
    /// # Errors
    /// When an id is not in the vocabulary.
    ///
    /// # Complexity
    /// O(n) for n bytes of pieces.
    pub fn decode(&self, ids: &[u32]) -> Result<String> {
        let mut text = String::new();
        self.join(ids, |run| match run {
            Run::Text(run) => text.push_str(run),
            Run::Bytes(bytes) => push_replacing(bytes, &mut text),
        })?;
        self.denormalize(text)
    }

    /// The bytes of a sequence of ids: as [`SentencePiece::decode`], but bytes
    /// that make no character stay as they are. Such a text is not denormalised.
    ///
    /// # Errors
    /// When an id is not in the vocabulary.
    pub fn decode_bytes(&self, ids: &[u32]) -> Result<Vec<u8>> {
        let mut output = Vec::new();
        self.join(ids, |run| match run {
            Run::Text(run) => output.extend_from_slice(run.as_bytes()),
            Run::Bytes(bytes) => output.extend_from_slice(bytes),
        })?;
        match String::from_utf8(output) {
            Ok(text) => Ok(self.denormalize(text)?.into_bytes()),
            Err(error) => Ok(error.into_bytes()),
        }
    }

    /// Hand the visible runs of a sequence to `push`, in order.
    fn join(&self, ids: &[u32], mut push: impl FnMut(Run<'_>)) -> Result<()> {
        let trims = self.normalizer.removes_extra_whitespaces();
        let strips = trims || self.normalizer.adds_affix();
        // A mark that begins a piece is dropped before the first visible text:
        // of every piece where spaces are trimmed, else of one.
        let mut at_beginning = true;
        let mut bytes = Vec::new();
        for &id in ids {
            let piece = self.vocabulary.get(id).ok_or_else(|| self.no_such_id(id))?;
            if piece.kind == PieceKind::Byte {
                bytes.extend(parse_byte(&piece.text));
                continue;
            }
            if !bytes.is_empty() {
                push(Run::Bytes(&bytes));
                bytes.clear();
                at_beginning = false;
            }
            if piece.kind == PieceKind::Control {
                continue;
            }
            let stripped = (at_beginning && strips)
                .then(|| piece.text.strip_prefix(SPACE_MARK))
                .flatten();
            let shown = if piece.kind == PieceKind::Unknown {
                &*self.unknown_surface
            } else {
                stripped.unwrap_or(&piece.text)
            };
            if !shown.is_empty() || (stripped.is_some() && !trims) {
                at_beginning = false;
            }
            if piece.kind == PieceKind::Unknown || !piece.has_mark {
                push(Run::Text(shown));
                continue;
            }
            for (part, run) in shown.split(SPACE_MARK).enumerate() {
                if part > 0 {
                    push(Run::Text(" "));
                }
                push(Run::Text(run));
            }
        }
        if !bytes.is_empty() {
            push(Run::Bytes(&bytes));
        }
        Ok(())
    }

    fn denormalize(&self, text: String) -> Result<String> {
        let Some(denormalizer) = &self.denormalizer else {
            return Ok(text);
        };
        let mut output = Normalized::default();
        denormalizer.normalize(&text, None, &mut output)?;
        Ok(output.text)
    }

    fn no_such_id(&self, id: u32) -> Error {
        Error::argument(
            "ids",
            format!("{id} is not in the vocabulary of {} pieces", self.len()),
        )
    }
}

/// A part of a decoded text.
enum Run<'r> {
    Text(&'r str),
    /// Consecutive byte pieces.
    Bytes(&'r [u8]),
}

/// Append bytes, each that begins no character replaced by U+FFFD.
fn push_replacing(mut bytes: &[u8], text: &mut String) {
    while !bytes.is_empty() {
        let (valid, rest) = match std::str::from_utf8(bytes) {
            Ok(valid) => (valid, &bytes[bytes.len()..]),
            Err(error) => {
                let (valid, rest) = bytes.split_at(error.valid_up_to());
                (std::str::from_utf8(valid).unwrap_or_default(), rest)
            }
        };
        text.push_str(valid);
        bytes = match rest.split_first() {
            Some((_, rest)) => {
                text.push(char::REPLACEMENT_CHARACTER);
                rest
            }
            None => rest,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_of_a_broken_character_is_replaced() {
        let mut text = String::new();
        push_replacing(b"a\xE4\xB8\xE4\xB8\xAD\xFF", &mut text);
        assert_eq!(text, "a\u{FFFD}\u{FFFD}中\u{FFFD}");
    }
}
