//! Tokens with spans to an [`Encoding`]: offsets in characters, strings of
//! tokens, truncation, special tokens.

use std::borrow::Cow;

use super::added_tokens::SpecialPolicy;
use super::batch;
use super::encoding::{Encoding, EncodingParts};
use super::engine::Engine;
use super::options::{EncodeOptions, Input};
use super::postprocess::join_sequences;
use super::scratch::Scratch;
use super::spans::{CharOffsets, RawToken};
use super::token_texts::TokenTexts;
use super::tokenizer::Tokenizer;
use super::truncation::{Truncation, truncate_sequences};
use crate::error::Result;

impl Input<'_> {
    /// The text, or all words one after another.
    fn joined(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Self::Text(text) => (*text).into(),
            Self::Words(words) => words.concat().into(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Words(words) => words.iter().map(|word| word.len()).sum(),
        }
    }
}

impl Tokenizer {
    /// Encode a text or a pair, with everything that is known about each token.
    ///
    /// # Errors
    /// [`crate::Error::ControlToken`] under the policy `Error`;
    /// [`crate::Error::Encode`] when the model has no token for a piece;
    /// [`crate::Error::Argument`] when the truncation cannot be done.
    ///
    /// # Examples
    /// See [`Tokenizer::compile`].
    pub fn encode(
        &self,
        input: Input<'_>,
        pair: Option<Input<'_>>,
        options: &EncodeOptions,
        truncation: Option<&Truncation>,
    ) -> Result<Encoding> {
        let texts = [
            input.joined(),
            pair.as_ref().map_or_else(Default::default, Input::joined),
        ];
        let (mut first, mut second) = self.scratches.with(|scratch| -> Result<_> {
            let first = self.sequence(input, 0, options, scratch)?;
            let second = pair
                .map(|pair| self.sequence(pair, 1, options, scratch))
                .transpose()?;
            Ok((first, second))
        })?;
        let processor = self
            .post_processor
            .as_ref()
            .filter(|_| options.add_special_tokens);
        if let Some(truncation) = truncation {
            let frame = processor.map_or(0, |p| p.added_tokens(second.is_some()));
            let ends = usize::from(options.bos) + usize::from(options.eos);
            (first, second) = truncate_sequences(first, second, truncation, frame + ends)?;
        }
        let mut encoding = match &self.post_processor {
            Some(processor) => processor.process(
                first,
                second,
                [&texts[0], &texts[1]],
                options.add_special_tokens,
            )?,
            None => join_sequences(first, second),
        };
        if options.bos || options.eos {
            self.put_ends(&mut encoding, options)?;
        }
        Ok(encoding)
    }

    /// Encode many inputs; the result is in their order.
    ///
    /// # Errors
    /// As [`Tokenizer::encode`], for the first input that fails.
    pub fn encode_batch(
        &self,
        inputs: &[(Input<'_>, Option<Input<'_>>)],
        options: &EncodeOptions,
        truncation: Option<&Truncation>,
        threads: Option<usize>,
    ) -> Result<Vec<Encoding>> {
        let size = |(input, pair): &(Input<'_>, Option<Input<'_>>)| {
            input.bytes() + pair.as_ref().map_or(0, Input::bytes)
        };
        let blocks = batch::in_order(inputs, size, threads, |block| {
            block
                .iter()
                .map(|&(input, pair)| self.encode(input, pair, options, truncation))
                .collect::<Result<Vec<_>>>()
        })?;
        Ok(blocks.into_iter().flatten().collect())
    }

    fn put_ends(&self, encoding: &mut Encoding, options: &EncodeOptions) -> Result<()> {
        let one = |id: u32| {
            let token = self.id_to_token(id).unwrap_or_default();
            Encoding::of_special_tokens(&[id], &[token], 0)
        };
        let mut overflowing = encoding.take_overflowing();
        for part in std::iter::once(&mut *encoding).chain(&mut overflowing) {
            let mut middle = std::mem::take(part);
            if middle.sequence_ranges.is_empty() {
                middle.set_sequence_id(0);
            }
            let mut parts = Vec::with_capacity(3);
            if options.bos {
                parts.push(one(self.required(self.bos_id(), "bos")?));
            }
            parts.push(middle);
            if options.eos {
                parts.push(one(self.required(self.eos_id(), "eos")?));
            }
            *part = Encoding::merge(parts, false);
        }
        encoding.overflowing = overflowing;
        Ok(())
    }

    /// One sequence, before truncation.
    fn sequence(
        &self,
        input: Input<'_>,
        type_id: u32,
        options: &EncodeOptions,
        scratch: &mut Scratch,
    ) -> Result<Encoding> {
        match input {
            Input::Text(text) => self.part(text, None, type_id, options, scratch),
            Input::Words(words) => {
                let parts = (0..)
                    .zip(words)
                    .map(|(index, word)| self.part(word, Some(index), type_id, options, scratch))
                    .collect::<Result<Vec<_>>>()?;
                Ok(Encoding::merge(parts, false))
            }
        }
    }

    fn part(
        &self,
        text: &str,
        word: Option<u32>,
        type_id: u32,
        options: &EncodeOptions,
        scratch: &mut Scratch,
    ) -> Result<Encoding> {
        let about = text.len() / 3 + 1;
        let mut parts = EncodingParts {
            type_id,
            ids: Vec::with_capacity(about),
            tokens: TokenTexts::with_capacity(about, text.len() * 3 / 2),
            offsets: Vec::with_capacity(about),
            byte_offsets: Vec::with_capacity(about),
            word_ids: Vec::with_capacity(about),
        };
        if !self.unchanged_parts(text, word, options.special, scratch, &mut parts)? {
            self.aligned_parts(text, word, options.special, scratch, &mut parts)?;
        }
        Encoding::from_parts(parts)
    }

    /// Append the tokens of a text that a step may change, all of them in `word`
    /// if it is given.
    pub(super) fn aligned_parts(
        &self,
        text: &str,
        word: Option<u32>,
        policy: SpecialPolicy,
        scratch: &mut Scratch,
        parts: &mut EncodingParts,
    ) -> Result<()> {
        let mut tokens = Vec::with_capacity(text.len() / 3 + 1);
        self.raw_tokens(text, policy, scratch, &mut tokens)?;
        let characters = CharOffsets::new(text, self.definition.source);
        for token in &tokens {
            parts.ids.push(token.id);
            parts.offsets.push(characters.convert(token.span));
            parts.byte_offsets.push(token.exact);
            parts.word_ids.push(word.or(Some(token.word)));
            parts.tokens.push(&self.token_text(token));
        }
        Ok(())
    }

    fn token_text<'a>(&'a self, token: &'a RawToken) -> Cow<'a, str> {
        match (&token.surface, self.added.get(token.id), &self.engine) {
            (Some(surface), _, _) => (**surface).into(),
            // A token of the model may share its id with an added token.
            (None, Some(added), _) => added.content.as_str().into(),
            (None, None, Engine::Components { model, .. }) => {
                model.piece(token.id).unwrap_or_default().into()
            }
            (None, None, _) => self.model_piece(token.id).unwrap_or_default().into(),
        }
    }
}
