//! The result of encoding, as Python sees it.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyType};
use pytok_core::pipeline::{self, encoding::Offsets};

use crate::arguments::side;
use crate::errors::raise;

/// What pickle calls, and with which arguments.
type Reduced<'py> = (Bound<'py, PyType>, (Bound<'py, PyBytes>,));

/// The tokens of a text or of a pair of texts: parallel lists, one entry per token.
///
/// Offsets are half-open and refer to the original text. Tokens that a
/// post-processor or padding added have the offsets (0, 0) and no word.
/// An encoding is immutable: `pad`, `truncate` and `set_sequence_id` return
/// another one.
#[pyclass(frozen, eq, module = "pytok", from_py_object)]
#[derive(Clone, PartialEq)]
pub struct Encoding {
    core: pipeline::Encoding,
}

impl From<pipeline::Encoding> for Encoding {
    fn from(core: pipeline::Encoding) -> Self {
        Self { core }
    }
}

impl Encoding {
    /// Token ids.
    pub fn token_ids(&self) -> &[u32] {
        self.core.ids()
    }

    fn changed<E>(
        &self,
        change: impl FnOnce(&mut pipeline::Encoding) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut core = self.core.clone();
        change(&mut core).map(|()| Self { core })
    }
}

/// Offsets as tuples. Where one begins at the end of the one before, which is
/// most of the time, both have the same integer.
fn pairs<'py>(py: Python<'py>, offsets: &[Offsets]) -> PyResult<Bound<'py, PyList>> {
    let Ok(mut last) = 0_u32.into_pyobject(py);
    let mut last_end = 0;
    let tuples = offsets.iter().map(|&(start, end)| {
        let first = if start == last_end {
            last.clone()
        } else {
            let Ok(first) = start.into_pyobject(py);
            first
        };
        if end != last_end {
            let Ok(new) = end.into_pyobject(py);
            (last, last_end) = (new, end);
        }
        (first, last.clone())
    });
    PyList::new(py, tuples)
}

#[pymethods]
impl Encoding {
    #[new]
    fn new(state: &[u8]) -> PyResult<Self> {
        let core = pipeline::Encoding::from_state(state).map_err(raise)?;
        Ok(Self { core })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let state = self.core.to_state().map_err(raise)?;
        Ok((py.get_type::<Self>(), (PyBytes::new(py, &state),)))
    }

    /// Token ids.
    #[getter]
    fn ids(&self) -> &[u32] {
        self.core.ids()
    }

    /// The piece of each token.
    #[getter]
    fn tokens(&self) -> Vec<&str> {
        self.core.tokens().iter().collect()
    }

    /// 0 for the tokens of a first sequence, 1 for those of a second, as the file says.
    #[getter]
    fn type_ids(&self) -> &[u32] {
        self.core.type_ids()
    }

    /// 1 for tokens to attend to, 0 for padding.
    #[getter]
    fn attention_mask(&self) -> &[u32] {
        self.core.attention_mask()
    }

    /// 1 for tokens that the post-processor or padding added, else 0.
    #[getter]
    fn special_tokens_mask(&self) -> &[u32] {
        self.core.special_tokens_mask()
    }

    /// Half-open offsets in the original text, in characters.
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        pairs(py, self.core.offsets())
    }

    /// Half-open offsets in the original text, in bytes of its UTF-8.
    #[getter]
    fn byte_offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        pairs(py, self.core.byte_offsets())
    }

    /// The word that each token came from; None for added tokens.
    #[getter]
    fn word_ids(&self) -> &[Option<u32>] {
        self.core.word_ids()
    }

    /// The same as `word_ids`.
    #[getter]
    fn words(&self) -> &[Option<u32>] {
        self.core.word_ids()
    }

    /// The sequence that each token came from; None for added tokens.
    #[getter]
    fn sequence_ids(&self) -> Vec<Option<usize>> {
        self.core.sequence_ids()
    }

    /// Number of sequences: 1, or 2 for a pair.
    #[getter]
    fn n_sequences(&self) -> usize {
        self.core.n_sequences()
    }

    /// What truncation cut off, in windows of the maximal length.
    #[getter]
    fn overflowing(&self) -> Vec<Self> {
        self.core
            .overflowing()
            .iter()
            .cloned()
            .map(Self::from)
            .collect()
    }

    /// The first token that covers a character of a sequence, or None.
    #[pyo3(signature = (char_pos, sequence_index=0))]
    fn char_to_token(&self, char_pos: usize, sequence_index: usize) -> Option<usize> {
        self.core.char_to_token(char_pos, sequence_index)
    }

    /// The word that covers a character of a sequence, or None.
    #[pyo3(signature = (char_pos, sequence_index=0))]
    fn char_to_word(&self, char_pos: usize, sequence_index: usize) -> Option<u32> {
        self.core.char_to_word(char_pos, sequence_index)
    }

    /// The offsets of a token in characters of its sequence, or None.
    fn token_to_chars(&self, token_index: usize) -> Option<Offsets> {
        self.core
            .token_to_chars(token_index)
            .map(|(_, offsets)| offsets)
    }

    /// The word of a token in its sequence, or None.
    fn token_to_word(&self, token_index: usize) -> Option<u32> {
        self.core.token_to_word(token_index).map(|(_, word)| word)
    }

    /// The sequence of a token, or None.
    fn token_to_sequence(&self, token_index: usize) -> Option<usize> {
        self.core.token_to_sequence(token_index)
    }

    /// The offsets of a word of a sequence in characters, or None.
    #[pyo3(signature = (word_index, sequence_index=0))]
    fn word_to_chars(&self, word_index: u32, sequence_index: usize) -> Option<Offsets> {
        self.core.word_to_chars(word_index, sequence_index)
    }

    /// First token, and one past the last, of a word of a sequence, or None.
    #[pyo3(signature = (word_index, sequence_index=0))]
    fn word_to_tokens(&self, word_index: u32, sequence_index: usize) -> Option<(usize, usize)> {
        self.core.word_to_tokens(word_index, sequence_index)
    }

    /// This encoding padded to `length` tokens, its overflow included.
    #[pyo3(signature = (length, *, direction="right", pad_id=0, pad_type_id=0, pad_token="[PAD]"))]
    fn pad(
        &self,
        length: usize,
        direction: &str,
        pad_id: u32,
        pad_type_id: u32,
        pad_token: &str,
    ) -> PyResult<Self> {
        let side = side("direction", direction)?;
        self.changed(|core| {
            core.pad(length, pad_id, pad_type_id, pad_token, side);
            Ok(())
        })
    }

    /// This encoding cut to `max_length` tokens; `overflowing` holds the rest.
    #[pyo3(signature = (max_length, *, stride=0, direction="right"))]
    fn truncate(&self, max_length: usize, stride: usize, direction: &str) -> PyResult<Self> {
        let side = side("direction", direction)?;
        self.changed(|core| core.truncate(max_length, stride, side))
            .map_err(raise)
    }

    /// This encoding with all its tokens in one sequence.
    fn set_sequence_id(&self, sequence_id: usize) -> PyResult<Self> {
        self.changed(|core| {
            core.set_sequence_id(sequence_id);
            Ok(())
        })
    }

    /// Encodings joined one after another.
    #[staticmethod]
    #[pyo3(signature = (encodings, *, growing_offsets=true))]
    fn merge(encodings: Vec<Self>, growing_offsets: bool) -> Self {
        let cores = encodings.into_iter().map(|encoding| encoding.core);
        pipeline::Encoding::merge(cores, growing_offsets).into()
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "Encoding(tokens={}, sequences={}, overflowing={})",
            self.core.len(),
            self.core.n_sequences(),
            self.core.overflowing().len()
        )
    }
}
