//! The inputs of an encoding call: texts, words, and pairs of either.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pytok_core::Result;
use pytok_core::pipeline::{
    EncodeOptions, Encoding, Input, Padding, Tokenizer, Truncation, pad_batch,
};

use crate::arguments::{CallArguments, PaddingArguments};
use crate::values::{text, texts};

/// One sequence, owned: a text, or words.
pub enum Sequence {
    Text(PyBackedStr),
    Words(Vec<PyBackedStr>),
}

impl Sequence {
    /// Read a text or, if `pretokenized`, an iterable of words.
    pub fn read(value: &Bound<'_, PyAny>, pretokenized: bool, place: &str) -> PyResult<Self> {
        if pretokenized {
            texts(value, place).map(Self::Words)
        } else {
            text(value, place).map(Self::Text)
        }
    }

    /// Bytes of UTF-8.
    pub fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Words(words) => words.iter().map(|word| word.len()).sum(),
        }
    }

    /// The words as slices; empty for a text.
    pub fn words(&self) -> Vec<&str> {
        match self {
            Self::Text(_) => Vec::new(),
            Self::Words(words) => words.iter().map(|word| &**word).collect(),
        }
    }

    /// The core's input, given the slices of [`Sequence::words`].
    pub fn input<'a>(&'a self, words: &'a [&'a str]) -> Input<'a> {
        match self {
            Self::Text(text) => Input::Text(text),
            Self::Words(_) => Input::Words(words),
        }
    }
}

/// What all encodings of a call have in common.
pub struct Call {
    options: EncodeOptions,
    truncation: Option<Truncation>,
    padding: Option<Padding>,
}

impl Call {
    /// Check the options of a call.
    pub fn read(CallArguments(options, truncation, padding): CallArguments) -> PyResult<Self> {
        Ok(Self {
            options: options.read()?,
            truncation: truncation.map(|given| given.read()).transpose()?,
            padding: padding.map(PaddingArguments::read).transpose()?,
        })
    }

    /// Encode and pad.
    pub fn encode(
        &self,
        tokenizer: &Tokenizer,
        sequences: &[(Sequence, Option<Sequence>)],
        threads: Option<usize>,
    ) -> Result<Vec<Encoding>> {
        let words: Vec<_> = sequences
            .iter()
            .map(|(first, second)| (first.words(), second.as_ref().map(Sequence::words)))
            .collect();
        let inputs: Vec<_> = sequences
            .iter()
            .zip(&words)
            .map(|((first, second), (first_words, second_words))| {
                let pair = second.as_ref().zip(second_words.as_ref());
                (
                    first.input(first_words),
                    pair.map(|(pair, words)| pair.input(words)),
                )
            })
            .collect();
        let truncation = self.truncation.as_ref();
        let mut encodings = tokenizer.encode_batch(&inputs, &self.options, truncation, threads)?;
        if let Some(padding) = &self.padding {
            pad_batch(&mut encodings, padding)?;
        }
        Ok(encodings)
    }
}
