//! Text to tokens: sections, normaliser, words, model.
//!
//! Two walks over the same steps. [`Tokenizer::raw_tokens`] keeps the alignment
//! and gives every token its span; [`Tokenizer::ids_into`] gives ids only.

use super::added_tokens::{Section, SpecialPolicy};
use super::engine::Engine;
use super::scratch::Scratch;
use super::spans::{RawToken, spans_of};
use super::tokenizer::Tokenizer;
use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::model::{ByteModel, Model, Token};
use crate::pretokenize::{PreTokenizer, RawSplitter};
use crate::sentencepiece::{PieceKind, SentencePiece, SpToken};
use crate::text::AlignedText;
use crate::zh::Normalized;

/// Spans are `u32`.
pub(super) fn check_length(text: &str) -> Result<()> {
    match u32::try_from(text.len()) {
        Ok(length) if length < u32::MAX => Ok(()),
        _ => Err(Error::argument(
            "text",
            format!("{} bytes; expected fewer than 4 GiB", text.len()),
        )),
    }
}

impl Tokenizer {
    /// Append the tokens of a text, with spans, without special tokens.
    pub(super) fn raw_tokens(
        &self,
        text: &str,
        policy: SpecialPolicy,
        scratch: &mut Scratch,
        tokens: &mut Vec<RawToken>,
    ) -> Result<()> {
        check_length(text)?;
        let mut sections = std::mem::take(&mut scratch.sections);
        self.added.split_original(text, policy, &mut sections)?;
        let mut word = 0;
        for section in &sections {
            let part = &text[section.start..section.end];
            match section.id {
                Some(id) => {
                    let span = (offset(section.start), offset(section.end));
                    tokens.push(self.added_token(id, word, span, part));
                    word += 1;
                }
                None => self.raw_section(text, section, policy, scratch, &mut word, tokens)?,
            }
        }
        scratch.sections = sections;
        Ok(())
    }

    fn added_token(&self, id: u32, word: u32, span: (u32, u32), text: &str) -> RawToken {
        RawToken {
            id,
            word,
            span,
            exact: span,
            surface: (self.added.get(id).map(|token| token.content.as_str()) != Some(text))
                .then(|| text.into()),
        }
    }

    fn raw_section(
        &self,
        original: &str,
        section: &Section,
        policy: SpecialPolicy,
        scratch: &mut Scratch,
        word: &mut u32,
        tokens: &mut Vec<RawToken>,
    ) -> Result<()> {
        let part = &original[section.start..section.end];
        if let Engine::SentencePiece(model) = &self.engine {
            let start = offset(section.start);
            scratch.sp_tokens.clear();
            let chinese = self.chinese_section(part)?;
            let seen = chinese.as_ref().map_or(part, |normalized| &normalized.text);
            model.encode(seen, &mut scratch.sentencepiece, &mut scratch.sp_tokens)?;
            let exact = byte_piece_spans(model, &scratch.sp_tokens);
            let original = |span| match &chinese {
                Some(normalized) => normalized.alignment.to_original(span),
                None => span,
            };
            for (token, exact) in scratch.sp_tokens.iter().zip(exact) {
                let (span, exact) = (original((token.start, token.end)), original(exact));
                let span = (span.0 + start, span.1 + start);
                let surface = token.surface.and_then(|_| {
                    let piece = model.token_piece(token, &scratch.sentencepiece)?;
                    Some(piece.into())
                });
                tokens.push(RawToken {
                    id: token.id,
                    word: *word,
                    span,
                    exact: (exact.0 + start, exact.1 + start),
                    surface,
                });
            }
            *word += 1;
            return Ok(());
        }
        let mut aligned = AlignedText::at(part, offset(section.start));
        if let Some(normalizer) = &self.normalizer {
            normalizer.apply(&mut aligned)?;
        }
        let mut inner = std::mem::take(&mut scratch.inner_sections);
        self.added
            .split_normalized(aligned.text(), policy, &mut inner)?;
        for section in &inner {
            let range = section.start..section.end;
            match section.id {
                Some(id) => {
                    let span = aligned.original_span(range.clone());
                    tokens.push(self.added_token(id, *word, span, &aligned.text()[range]));
                    *word += 1;
                }
                None if range == (0..aligned.text().len()) => {
                    // A slice even so: its origin is where what is left of the text
                    // begins, which decides on the prefix of the first word.
                    let whole = std::mem::take(&mut aligned).into_slice(range);
                    self.raw_words(original, whole, scratch, word, tokens)?;
                }
                None => {
                    let slice = aligned.slice(range);
                    self.raw_words(original, slice, scratch, word, tokens)?;
                }
            }
        }
        scratch.inner_sections = inner;
        Ok(())
    }

    /// A section as a SentencePiece model sees it, where Chinese steps change it.
    pub(super) fn chinese_section(&self, text: &str) -> Result<Option<Normalized>> {
        let normalized = self.chinese.as_ref().map(|steps| steps.run(text));
        normalized.transpose()
    }

    fn raw_words(
        &self,
        original: &str,
        text: AlignedText,
        scratch: &mut Scratch,
        word: &mut u32,
        tokens: &mut Vec<RawToken>,
    ) -> Result<()> {
        match &self.engine {
            Engine::Bytes {
                splitter, model, ..
            } => {
                let (buffers, ids) = (&mut scratch.bytes, &mut scratch.ids);
                splitter.for_each_word(text.text(), &mut |start, end| {
                    ids.clear();
                    model.encode(&text.text().as_bytes()[start..end], buffers, ids);
                    let mut position = start;
                    for &id in ids.iter() {
                        let next = position + model.token_bytes(id).map_or(0, <[u8]>::len);
                        let (span, exact) = spans_of(&text, original, position, next);
                        tokens.push(RawToken {
                            id,
                            word: *word,
                            span,
                            exact,
                            surface: None,
                        });
                        position = next;
                    }
                    *word += 1;
                    Ok(())
                })
            }
            Engine::Components {
                pre_tokenizer,
                model,
            } => component_words(
                pre_tokenizer.as_ref(),
                model,
                text,
                scratch,
                |part, found| {
                    for token in found {
                        let (start, end) = (index(token.start), index(token.end));
                        let (span, exact) = spans_of(part, original, start, end);
                        tokens.push(RawToken {
                            id: token.id,
                            word: *word,
                            span,
                            exact,
                            surface: token.surface.then(|| part.text()[start..end].into()),
                        });
                    }
                    *word += 1;
                },
            ),
            Engine::SentencePiece(_) => Ok(()),
        }
    }

    /// Append the ids of a text, without special tokens.
    pub(super) fn ids_into(
        &self,
        text: &str,
        policy: SpecialPolicy,
        scratch: &mut Scratch,
        ids: &mut Vec<u32>,
    ) -> Result<()> {
        check_length(text)?;
        if self.added.is_empty() {
            return self.section_ids(text, 0, policy, scratch, ids);
        }
        let mut sections = std::mem::take(&mut scratch.sections);
        self.added.split_original(text, policy, &mut sections)?;
        for section in &sections {
            match section.id {
                Some(id) => ids.push(id),
                None => {
                    let part = &text[section.start..section.end];
                    self.section_ids(part, section.start, policy, scratch, ids)?;
                }
            }
        }
        scratch.sections = sections;
        Ok(())
    }

    /// Append the ids of a section without added tokens of the original text; it
    /// begins at byte `start` of that.
    pub(super) fn section_ids(
        &self,
        text: &str,
        start: usize,
        policy: SpecialPolicy,
        scratch: &mut Scratch,
        ids: &mut Vec<u32>,
    ) -> Result<()> {
        match (&self.engine, &self.normalizer) {
            (Engine::SentencePiece(model), _) => {
                let chinese = self.chinese_section(text)?;
                let text = chinese.as_ref().map_or(text, |normalized| &normalized.text);
                model.encode_ids(text, &mut scratch.sentencepiece, ids)
            }
            (
                Engine::Bytes {
                    splitter, model, ..
                },
                normalizer,
            ) if normalizer.as_ref().is_none_or(|steps| steps.leaves(text)) => {
                if !self.added.has_normalized() {
                    return bytes_ids(splitter, model, text, scratch, ids);
                }
                let mut inner = std::mem::take(&mut scratch.inner_sections);
                self.added.split_normalized(text, policy, &mut inner)?;
                for section in &inner {
                    match section.id {
                        Some(id) => ids.push(id),
                        None => {
                            let part = &text[section.start..section.end];
                            bytes_ids(splitter, model, part, scratch, ids)?;
                        }
                    }
                }
                scratch.inner_sections = inner;
                Ok(())
            }
            _ => {
                let mut normalized = AlignedText::untracked(text, offset(start));
                if let Some(normalizer) = &self.normalizer {
                    normalizer.apply(&mut normalized)?;
                }
                let mut inner = std::mem::take(&mut scratch.inner_sections);
                self.added
                    .split_normalized(normalized.text(), policy, &mut inner)?;
                for section in &inner {
                    match section.id {
                        Some(id) => ids.push(id),
                        None => {
                            let part = normalized.slice(section.start..section.end);
                            self.word_ids(part, scratch, ids)?;
                        }
                    }
                }
                scratch.inner_sections = inner;
                Ok(())
            }
        }
    }

    fn word_ids(&self, text: AlignedText, scratch: &mut Scratch, ids: &mut Vec<u32>) -> Result<()> {
        match &self.engine {
            Engine::Bytes {
                splitter, model, ..
            } => bytes_ids(splitter, model, text.text(), scratch, ids),
            Engine::Components {
                pre_tokenizer,
                model,
            } => component_words(pre_tokenizer.as_ref(), model, text, scratch, |_, found| {
                ids.extend(found.iter().map(|token| token.id));
            }),
            Engine::SentencePiece(_) => Ok(()),
        }
    }
}

/// The bytes behind each token. The library gives a whole character to the last
/// of its byte pieces; here each byte piece has its own byte, or its part of
/// the character where normalisation changed the number of bytes.
fn byte_piece_spans(model: &SentencePiece, tokens: &[SpToken]) -> Vec<(u32, u32)> {
    let mut spans: Vec<(u32, u32)> = tokens.iter().map(|t| (t.start, t.end)).collect();
    let is_byte = |token: &SpToken| model.kind(token.id) == Some(PieceKind::Byte);
    let mut first = 0;
    for (place, token) in tokens.iter().enumerate() {
        if !is_byte(token) {
            first = place + 1;
        } else if token.end > token.start {
            let (start, length) = (token.start, u64::from(token.end - token.start));
            let pieces = u64::try_from(place + 1 - first).unwrap_or(1);
            let edge = |piece: u64| {
                start + u32::try_from(length * piece / pieces).unwrap_or(token.end - start)
            };
            for (piece, span) in (0..).zip(&mut spans[first..=place]) {
                *span = (edge(piece), edge(piece + 1));
            }
            first = place + 1;
        }
    }
    spans
}

/// Cut a text into words and hand each with its tokens to `visit`.
fn component_words(
    pre_tokenizer: Option<&PreTokenizer>,
    model: &Model,
    text: AlignedText,
    scratch: &mut Scratch,
    mut visit: impl FnMut(&AlignedText, &[Token]),
) -> Result<()> {
    let mut words = std::mem::take(&mut scratch.words);
    words.clear();
    words.push(text);
    if let Some(pre_tokenizer) = pre_tokenizer {
        pre_tokenizer.apply(&mut words)?;
    }
    for word in &words {
        scratch.tokens.clear();
        model.tokenize(word.text(), &mut scratch.model, &mut scratch.tokens)?;
        visit(word, &scratch.tokens);
    }
    scratch.words = words;
    Ok(())
}

fn bytes_ids(
    splitter: &RawSplitter,
    model: &ByteModel,
    text: &str,
    scratch: &mut Scratch,
    ids: &mut Vec<u32>,
) -> Result<()> {
    let buffers = &mut scratch.bytes;
    splitter.each_word(text, |start, end| {
        model.encode_part(text, start, end, buffers, ids);
        Ok(())
    })
}
