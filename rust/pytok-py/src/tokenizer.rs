//! The compiled tokenizer, as the facade calls it.

use std::sync::{Arc, OnceLock};

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use pytok_core::format;
use pytok_core::pipeline;

use crate::added_tokens::{self, AddedTokenFields};
use crate::arguments::{CallArguments, Options, SamplingArguments, detached, options, span};
use crate::encoding::Encoding;
use crate::errors::{raise, raise_export};
use crate::loading::LoadArguments;
use crate::sequences::{Call, Sequence};
use crate::values;
use crate::zh::ChinesePipeline;

/// Ids and bounds.
type BatchIds<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<i64>>);

/// Ids, byte spans and bounds.
type BatchSpans<'py> = (
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray2<i64>>,
    Bound<'py, PyArray1<i64>>,
);

/// A compiled tokenizer. Immutable.
#[pyclass(frozen, module = "pytok._pytok")]
pub struct Tokenizer {
    pub core: Arc<pipeline::Tokenizer>,
    id_limit: OnceLock<u64>,
}

impl Tokenizer {
    /// The Python object of a compiled tokenizer.
    pub fn new(core: pipeline::Tokenizer) -> Self {
        Self {
            core: Arc::new(core),
            id_limit: OnceLock::new(),
        }
    }

    /// One past the largest id that has a piece.
    pub fn id_limit(&self) -> u64 {
        *self.id_limit.get_or_init(|| self.core.id_limit())
    }

    fn ids(&self, values: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        values::ids(values, self.id_limit())
    }
}

#[pymethods]
impl Tokenizer {
    #[staticmethod]
    #[pyo3(signature = (content, pattern=None, special_tokens=None, encoding=None, guess=None, chinese=None))]
    fn load(
        py: Python<'_>,
        content: &[u8],
        pattern: Option<String>,
        special_tokens: Option<Vec<(String, u32)>>,
        encoding: Option<String>,
        guess: Option<String>,
        chinese: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let arguments = LoadArguments {
            pattern,
            special_tokens,
            encoding,
            guess,
        };
        arguments.load(py, content, chinese.as_ref()).map(Self::new)
    }

    fn pytok_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| format::pytok_json::write(self.core.definition()));
        bytes.map(|bytes| PyBytes::new(py, &bytes)).map_err(raise)
    }

    fn tokenizer_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| {
            let portable = self.core.portable()?;
            format::tokenizer_json::write(&portable)
        });
        bytes
            .map(|bytes| PyBytes::new(py, &bytes))
            .map_err(raise_export)
    }

    fn own_file<'py>(&self, py: Python<'py>) -> Option<(&'static str, Bound<'py, PyBytes>)> {
        let file = py.detach(|| format::own_file(self.core.definition()));
        file.map(|(name, content)| (name, PyBytes::new(py, &content)))
    }

    fn same_definition(&self, py: Python<'_>, other: &Self) -> bool {
        Arc::ptr_eq(&self.core, &other.core)
            || py.detach(|| self.core.definition() == other.core.definition())
    }

    fn with_added_tokens(&self, py: Python<'_>, tokens: Vec<AddedTokenFields>) -> PyResult<Self> {
        let added = tokens.into_iter().map(added_tokens::from_fields).collect();
        py.detach(|| self.core.with_added_tokens(added))
            .map(Self::new)
            .map_err(raise)
    }

    /// With Chinese steps and what they are in JSON, or without any.
    fn with_chinese(
        &self,
        py: Python<'_>,
        chinese: Option<(String, Py<ChinesePipeline>)>,
    ) -> PyResult<Self> {
        let steps = chinese.map(|(spec, steps)| (spec, steps.get().core()));
        let steps = steps.as_ref();
        let borrowed = steps.map(|(spec, steps)| (spec.as_str(), Arc::clone(steps)));
        py.detach(|| self.core.with_chinese(borrowed))
            .map(Self::new)
            .map_err(raise)
    }

    /// What the Chinese steps are, in JSON.
    fn chinese(&self) -> Option<String> {
        let spec = self.core.definition().chinese.as_ref();
        spec.map(ToString::to_string)
    }

    #[pyo3(signature = (limit, unit))]
    fn with_max_span(&self, py: Python<'_>, limit: Option<u32>, unit: &str) -> PyResult<Self> {
        let span = span(limit, unit)?;
        py.detach(|| self.core.with_max_span(span))
            .map(Self::new)
            .map_err(raise)
    }

    // Not a tuple of options: a call with a short text would take longer over it
    // than over the text.
    fn encode_ids(
        &self,
        text: &Bound<'_, PyAny>,
        special: &str,
        add_special_tokens: bool,
        bos: bool,
        eos: bool,
    ) -> PyResult<Vec<u32>> {
        let content = values::borrowed_text(text, "text")?;
        let options = options(special, add_special_tokens, bos, eos)?;
        let work = || self.core.encode_ids(content, &options);
        detached(text.py(), content.len(), work).map_err(raise)
    }

    fn count(&self, text: &Bound<'_, PyAny>, options: Options) -> PyResult<usize> {
        let (content, options) = (values::text(text, "text")?, options.read()?);
        let work = || self.core.count(&content, &options);
        detached(text.py(), content.len(), work).map_err(raise)
    }

    fn encode_bytes(&self, py: Python<'_>, data: &[u8], options: Options) -> PyResult<Vec<u32>> {
        let options = options.read()?;
        let work = || {
            self.core
                .encode_ids(&String::from_utf8_lossy(data), &options)
        };
        detached(py, data.len(), work).map_err(raise)
    }

    fn encode_batch_ids<'py>(
        &self,
        py: Python<'py>,
        texts: &Bound<'py, PyAny>,
        options: Options,
        threads: Option<usize>,
    ) -> PyResult<BatchIds<'py>> {
        let (owned, options) = (values::texts(texts, "texts")?, options.read()?);
        let slices: Vec<&str> = owned.iter().map(|text| &**text).collect();
        let work = || self.core.encode_batch_ids(&slices, &options, threads);
        let (ids, bounds) = py.detach(work).map_err(raise)?;
        Ok((ids.into_pyarray(py), bounds.into_pyarray(py)))
    }

    fn sample_ids(
        &self,
        text: &Bound<'_, PyAny>,
        seed: u64,
        sampling: SamplingArguments,
        options: Options,
    ) -> PyResult<Vec<u32>> {
        let (content, options) = (values::text(text, "text")?, options.read()?);
        let sampling = sampling.read(&self.core)?;
        let work = || self.core.sample_ids(&content, seed, sampling, &options);
        detached(text.py(), content.len(), work).map_err(raise)
    }

    fn sample_batch_ids<'py>(
        &self,
        py: Python<'py>,
        texts: &Bound<'py, PyAny>,
        seed: u64,
        sampling: SamplingArguments,
        options: Options,
        threads: Option<usize>,
    ) -> PyResult<BatchIds<'py>> {
        let (owned, options) = (values::texts(texts, "texts")?, options.read()?);
        let sampling = sampling.read(&self.core)?;
        let slices: Vec<&str> = owned.iter().map(|text| &**text).collect();
        let core = &self.core;
        let work = || core.sample_batch_ids(&slices, seed, sampling, &options, threads);
        let (ids, bounds) = py.detach(work).map_err(raise)?;
        Ok((ids.into_pyarray(py), bounds.into_pyarray(py)))
    }

    fn nbest_ids(
        &self,
        text: &Bound<'_, PyAny>,
        count: usize,
        options: Options,
    ) -> PyResult<Vec<(Vec<u32>, f64)>> {
        let (content, options) = (values::text(text, "text")?, options.read()?);
        let work = || self.core.nbest_ids(&content, count, &options);
        let best = detached(text.py(), content.len(), work).map_err(raise)?;
        Ok(best.into_iter().map(|one| (one.ids, one.score)).collect())
    }

    fn encode_batch_spans<'py>(
        &self,
        py: Python<'py>,
        texts: &Bound<'py, PyAny>,
        options: Options,
        threads: Option<usize>,
    ) -> PyResult<BatchSpans<'py>> {
        let (owned, options) = (values::texts(texts, "texts")?, options.read()?);
        let slices: Vec<&str> = owned.iter().map(|text| &**text).collect();
        let work = || self.core.encode_batch_spans(&slices, &options, threads);
        let (ids, spans, bounds) = py.detach(work).map_err(raise)?;
        let shape = [ids.len(), 2];
        let spans = spans.into_pyarray(py).reshape(shape)?;
        Ok((ids.into_pyarray(py), spans, bounds.into_pyarray(py)))
    }

    fn encode(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        pair: Option<&Bound<'_, PyAny>>,
        is_pretokenized: bool,
        call: CallArguments,
    ) -> PyResult<Option<Encoding>> {
        let call = Call::read(call)?;
        let text = Sequence::read(text, is_pretokenized, "text")?;
        let pair = pair
            .map(|pair| Sequence::read(pair, is_pretokenized, "pair"))
            .transpose()?;
        let size = text.size() + pair.as_ref().map_or(0, Sequence::size);
        let inputs = [(text, pair)];
        let encodings = detached(py, size, || call.encode(&self.core, &inputs, Some(1)));
        Ok(encodings.map_err(raise)?.pop().map(Encoding::from))
    }

    fn encode_batch(
        &self,
        py: Python<'_>,
        inputs: Vec<(Bound<'_, PyAny>, Option<Bound<'_, PyAny>>)>,
        is_pretokenized: bool,
        call: CallArguments,
        threads: Option<usize>,
    ) -> PyResult<Vec<Encoding>> {
        let call = Call::read(call)?;
        let read = |value: &Bound<'_, PyAny>, place: &str, index: usize| {
            Sequence::read(value, is_pretokenized, &format!("{place}[{index}]"))
        };
        let mut sequences = Vec::with_capacity(inputs.len());
        for (index, (text, pair)) in inputs.iter().enumerate() {
            let pair = pair
                .as_ref()
                .map(|pair| read(pair, "pairs", index))
                .transpose()?;
            sequences.push((read(text, "inputs", index)?, pair));
        }
        let encodings = py
            .detach(|| call.encode(&self.core, &sequences, threads))
            .map_err(raise)?;
        Ok(encodings.into_iter().map(Encoding::from).collect())
    }

    fn decode(&self, ids: &Bound<'_, PyAny>, skip_special_tokens: bool) -> PyResult<String> {
        let list = self.ids(ids)?;
        let work = || self.core.decode(&list, skip_special_tokens);
        detached(ids.py(), list.len(), work).map_err(raise)
    }

    fn decode_bytes<'py>(
        &self,
        ids: &Bound<'py, PyAny>,
        skip_special_tokens: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let list = self.ids(ids)?;
        let work = || self.core.decode_bytes(&list, skip_special_tokens);
        let bytes = detached(ids.py(), list.len(), work).map_err(raise)?;
        Ok(PyBytes::new(ids.py(), &bytes))
    }

    fn decode_batch(
        &self,
        py: Python<'_>,
        ids: Vec<Bound<'_, PyAny>>,
        skip_special_tokens: bool,
    ) -> PyResult<Vec<String>> {
        let lists: Vec<Vec<u32>> = ids
            .iter()
            .map(|ids| self.ids(ids))
            .collect::<PyResult<_>>()?;
        let decode = |ids: &Vec<u32>| self.core.decode(ids, skip_special_tokens);
        py.detach(|| lists.iter().map(decode).collect::<Result<_, _>>())
            .map_err(raise)
    }

    fn token_bytes<'py>(&self, id: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let number = values::id(id, self.id_limit())?;
        let bytes = self.core.token_bytes(number).unwrap_or_default();
        Ok(PyBytes::new(id.py(), &bytes))
    }

    fn id_to_token(&self, id: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        Ok(values::small(id)?.and_then(|id| self.core.id_to_token(id)))
    }

    fn clear_cache(&self) {
        self.core.clear_cache();
    }

    fn token_to_id(&self, token: &Bound<'_, PyString>) -> Option<u32> {
        self.core.token_to_id(token.to_str().ok()?)
    }

    fn vocab<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let vocab = PyDict::new(py);
        for (piece, id) in self.core.vocab() {
            vocab.set_item(piece, id)?;
        }
        Ok(vocab)
    }

    fn vocab_size(&self) -> usize {
        self.core.vocab_size()
    }

    /// The ids of the unknown, begin- and end-of-sequence tokens.
    fn role_ids(&self) -> (Option<u32>, Option<u32>, Option<u32>) {
        (self.core.unk_id(), self.core.bos_id(), self.core.eos_id())
    }

    /// In a few words: library, model type, components.
    fn summary(&self) -> (&'static str, &'static str, Vec<(&'static str, String)>) {
        let core = &self.core;
        (core.library(), core.model_type(), core.components())
    }

    fn control_tokens(&self) -> Vec<(String, u32)> {
        self.core.control_tokens()
    }

    fn added_tokens(&self) -> Vec<(u32, AddedTokenFields)> {
        let tokens = self.core.added_tokens();
        tokens.into_iter().map(added_tokens::to_fields).collect()
    }
}
