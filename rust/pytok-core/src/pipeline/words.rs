//! Words as the model sees them, and the symbols that it makes of each: what a
//! vocabulary is extended on.
//!
//! Words are bytes of text: where the model's pieces are spelled in the byte
//! alphabet, the bytes that the spelling stands for. A SentencePiece model works on
//! whole texts; its words are what its own trainer would make of them.

use super::added_tokens::SpecialPolicy;
use super::encode::check_length;
use super::engine::Engine;
use super::pieces::fallback_byte;
use super::tokenizer::Tokenizer;
use crate::definition::{self, Normalizer};
use crate::error::{Error, Result};
use crate::ids::offset;
use crate::model::Token;
use crate::pretokenize::byte_alphabet;
use crate::sentencepiece::{SPACE_MARK, SentencePiece};
use crate::text::AlignedText;

impl Tokenizer {
    /// Whether the model's pieces are spelled in the byte alphabet.
    pub(crate) fn spells_bytes(&self) -> bool {
        matches!(self.engine, Engine::Bytes { .. })
            || self
                .definition
                .pre_tokenizer
                .as_ref()
                .is_some_and(pre_spells_bytes)
            || self
                .definition
                .normalizer
                .as_ref()
                .is_some_and(normalizer_spells_bytes)
    }

    /// Whether pieces were taken out of use.
    pub(crate) fn is_limited(&self) -> bool {
        self.unlimited.is_some()
    }

    /// The model of a SentencePiece file.
    pub(crate) fn sentencepiece(&self) -> Option<&SentencePiece> {
        match &self.engine {
            Engine::SentencePiece(model) => Some(model),
            _ => None,
        }
    }

    /// The id of a piece of the model itself, added tokens left aside.
    pub(crate) fn model_id(&self, piece: &str) -> Option<u32> {
        self.engine.model_id(piece)
    }

    /// Call `found` with each word of a text. Special tokens are plain text,
    /// other added tokens are left out.
    ///
    /// # Errors
    /// When the text cannot be cut, or `found` fails.
    pub(crate) fn for_each_word(
        &self,
        text: &str,
        found: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        check_length(text)?;
        let mut sections = Vec::new();
        let policy = SpecialPolicy::Text;
        self.added.split_original(text, policy, &mut sections)?;
        for section in sections.iter().filter(|section| section.id.is_none()) {
            let part = &text[section.start..section.end];
            let mut normalized = AlignedText::untracked(part, offset(section.start));
            if let Some(normalizer) = &self.normalizer {
                normalizer.apply(&mut normalized)?;
            }
            let mut inner = Vec::new();
            self.added
                .split_normalized(normalized.text(), policy, &mut inner)?;
            for section in inner.iter().filter(|section| section.id.is_none()) {
                self.cut(normalized.slice(section.start..section.end), found)?;
            }
        }
        Ok(())
    }

    fn cut(&self, text: AlignedText, found: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let pre_tokenizer = match &self.engine {
            Engine::Bytes { splitter, .. } => {
                let text = text.text();
                return splitter
                    .for_each_word(text, &mut |start, end| found(&text.as_bytes()[start..end]));
            }
            Engine::Components { pre_tokenizer, .. } => pre_tokenizer,
            Engine::SentencePiece(model) => return model.for_each_word(text.text(), found),
        };
        let mut words = vec![text];
        if let Some(pre_tokenizer) = pre_tokenizer {
            pre_tokenizer.apply(&mut words)?;
        }
        for word in &words {
            let text = word.text();
            if !self.spells_bytes() {
                for part in parts(text) {
                    found(part.as_bytes())?;
                }
                continue;
            }
            let bytes = byte_alphabet::decode(text).ok_or_else(|| {
                Error::unsupported(
                    "pre_tokenizer",
                    format!("{text:?}, which is not spelled in bytes,"),
                    "words in the byte alphabet: ByteLevel as the last step",
                )
            })?;
            found(&bytes)?;
        }
        Ok(())
    }

    /// Call `found` with the bytes of each symbol that the model makes of a word,
    /// and whether the symbol is a piece. What is no piece (unknown characters,
    /// characters as fallback bytes) comes character by character.
    ///
    /// # Errors
    /// When the model has no token for a part of the word.
    pub(crate) fn for_each_symbol(
        &self,
        word: &[u8],
        found: &mut dyn FnMut(&[u8], bool),
    ) -> Result<()> {
        self.scratches.with(|scratch| {
            let model = match &self.engine {
                Engine::Bytes { model, .. } => {
                    scratch.ids.clear();
                    model.encode(word, &mut scratch.bytes, &mut scratch.ids);
                    let pieces = scratch.ids.iter().filter_map(|&id| model.token_bytes(id));
                    pieces.for_each(|piece| found(piece, true));
                    return Ok(());
                }
                Engine::Components { model, .. } => model,
                Engine::SentencePiece(model) => {
                    let word = String::from_utf8_lossy(word);
                    let mut show = |text: &str, is_piece| found(text.as_bytes(), is_piece);
                    model.for_each_symbol(&word, &mut scratch.sentencepiece, &mut show);
                    return Ok(());
                }
            };
            let is_spelled = self.spells_bytes();
            let spelled = if is_spelled {
                byte_alphabet::encode(word)
            } else {
                String::from_utf8_lossy(word).into_owned()
            };
            scratch.tokens.clear();
            model.tokenize(&spelled, &mut scratch.model, &mut scratch.tokens)?;
            let unknown = self.unk_id();
            let pieces = scratch.tokens.iter().filter_map(|token: &Token| {
                let piece = model.piece(token.id).filter(|_| !token.surface)?;
                let is_text = Some(token.id) != unknown && !piece.is_empty();
                // A fallback byte is not what the text says.
                (is_text && fallback_byte(piece).is_none()).then_some(piece)
            });
            let mut rest = spelled.as_str();
            let mut show = |text: &str, is_piece| match byte_alphabet::decode(text) {
                Some(bytes) if is_spelled => found(&bytes, is_piece),
                _ => found(text.as_bytes(), is_piece),
            };
            let first = |text: &str| text.chars().next().map_or(0, char::len_utf8);
            for piece in pieces {
                while !rest.starts_with(piece) && !rest.is_empty() {
                    let (character, others) = rest.split_at(first(rest));
                    show(character, false);
                    rest = others;
                }
                if let Some(others) = rest.strip_prefix(piece) {
                    show(piece, true);
                    rest = others;
                }
            }
            while !rest.is_empty() {
                let (character, others) = rest.split_at(first(rest));
                show(character, false);
                rest = others;
            }
            Ok(())
        })
    }
}

/// A text cut before space marks and after ends of lines: words, where there is
/// no pre-tokenizer that finds them.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut before = None;
        let cut = rest.char_indices().find_map(|(place, character)| {
            let starts = character == SPACE_MARK && before.is_some_and(|b| b != SPACE_MARK);
            let ends = before == Some('\n') && character != '\n';
            before = Some(character);
            (starts || ends).then_some(place)
        });
        let (part, others) = rest.split_at(cut.unwrap_or(rest.len()));
        rest = others;
        (!part.is_empty()).then_some(part)
    })
}

fn pre_spells_bytes(pre_tokenizer: &definition::PreTokenizer) -> bool {
    match pre_tokenizer {
        definition::PreTokenizer::ByteLevel { .. } => true,
        definition::PreTokenizer::Sequence { pretokenizers } => {
            pretokenizers.iter().any(pre_spells_bytes)
        }
        _ => false,
    }
}

fn normalizer_spells_bytes(normalizer: &Normalizer) -> bool {
    match normalizer {
        Normalizer::ByteLevel {} => true,
        Normalizer::Sequence { normalizers } => normalizers.iter().any(normalizer_spells_bytes),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_at_space_marks_and_after_lines() {
        let cut = |text| parts(text).collect::<Vec<_>>();
        assert_eq!(cut("▁ab▁▁c\n\nd"), ["▁ab", "▁▁c\n\n", "d"]);
        assert_eq!(cut("中文"), ["中文"]);
        assert!(cut("").is_empty());
    }
}
