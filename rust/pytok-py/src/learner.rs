//! Counting what a dynamic vocabulary encodes, as the facade calls it.

use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pytok_core::prune::Usage;

use crate::arguments::{Options, detached};
use crate::encoding::Encoding;
use crate::errors::raise;
use crate::tokenizer::Tokenizer;
use crate::values;

/// Ids, bounds, and the tokens since counts were taken.
type Counted<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<i64>>, u64);

/// Uses of each id, and wanted uses; tokens, probed ones, and these with all pieces.
type Seen<'py> = (
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray1<u64>>,
    u64,
    u64,
    u64,
);

/// Counts ids. All that changes is behind the lock of the core.
#[pyclass(frozen, module = "pytok._pytok")]
pub struct Learner {
    core: Usage,
}

#[pymethods]
impl Learner {
    #[new]
    fn new(py: Python<'_>, whole: &Tokenizer, share: f64, seed: u64) -> Self {
        let whole = Arc::clone(&whole.core);
        Self {
            core: py.detach(|| Usage::new(whole, share, seed)),
        }
    }

    /// Encode with the pieces of `present`, and count.
    fn encode_ids(
        &self,
        present: &Tokenizer,
        text: &Bound<'_, PyAny>,
        options: Options,
    ) -> PyResult<(Vec<u32>, u64)> {
        let (content, options) = (values::text(text, "text")?, options.read()?);
        let work = || {
            let ids = present.core.encode_ids(&content, &options)?;
            let end = i64::try_from(ids.len()).unwrap_or(i64::MAX);
            let pending = self.core.observe(&[&content], &ids, &[0, end], &options)?;
            Ok((ids, pending))
        };
        detached(text.py(), content.len(), work).map_err(raise)
    }

    /// Encode texts with the pieces of `present`, and count.
    fn encode_batch_ids<'py>(
        &self,
        py: Python<'py>,
        present: &Tokenizer,
        texts: &Bound<'py, PyAny>,
        options: Options,
        threads: Option<usize>,
    ) -> PyResult<Counted<'py>> {
        let (owned, options) = (values::texts(texts, "texts")?, options.read()?);
        let slices: Vec<&str> = owned.iter().map(|text| &**text).collect();
        let work = || {
            let (ids, bounds) = present.core.encode_batch_ids(&slices, &options, threads)?;
            let pending = self.core.observe(&slices, &ids, &bounds, &options)?;
            Ok((ids, bounds, pending))
        };
        let (ids, bounds, pending) = py.detach(work).map_err(raise)?;
        Ok((ids.into_pyarray(py), bounds.into_pyarray(py), pending))
    }

    /// Count the tokens of an encoding; a text is probed where it is all that was encoded.
    fn observe(
        &self,
        text: Option<&Bound<'_, PyAny>>,
        encoding: &Encoding,
        options: Options,
    ) -> PyResult<u64> {
        let options = options.read()?;
        let content = text.map(|text| values::text(text, "text")).transpose()?;
        let slices: Vec<&str> = content.iter().map(|text| &**text).collect();
        let ids = encoding.token_ids();
        let end = i64::try_from(ids.len()).unwrap_or(i64::MAX);
        let seen = self.core.observe(&slices, ids, &[0, end], &options);
        seen.map_err(raise)
    }

    fn pending(&self, py: Python<'_>) -> PyResult<(u64, u64, u64)> {
        py.detach(|| self.core.pending()).map_err(raise)
    }

    fn take<'py>(&self, py: Python<'py>) -> PyResult<Seen<'py>> {
        let seen = py.detach(|| self.core.take()).map_err(raise)?;
        Ok((
            seen.used.into_pyarray(py),
            seen.wanted.into_pyarray(py),
            seen.tokens,
            seen.probed_tokens,
            seen.probed_full,
        ))
    }
}
