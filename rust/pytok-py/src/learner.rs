//! Counting what a dynamic vocabulary encodes, as the facade calls it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;
use pytok_core::prune::Usage;

use crate::arguments::{Options, detached, options};
use crate::encoding::Encoding;
use crate::errors::raise;
use crate::tokenizer::Tokenizer;
use crate::values;

/// Ids and bounds.
type Batch<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<i64>>);

/// Uses of each id, and wanted uses; tokens, probed ones, and these with all pieces.
type Seen<'py> = (
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray1<u64>>,
    u64,
    u64,
    u64,
);

/// Encodes with the pieces that are in use, and counts ids. What changes is behind
/// locks; encoding keeps none.
#[pyclass(frozen, module = "pytok._pytok")]
pub struct Learner {
    core: Usage,
    present: Mutex<Py<Tokenizer>>,
    is_learning: AtomicBool,
    /// So many tokens after the last decision comes the next.
    due: AtomicU64,
    /// Whose `decide` is called then; it owns this.
    engine: OnceLock<Py<PyWeakrefReference>>,
}

impl Learner {
    /// A reference to a Python object is counted without locks.
    fn present(&self, py: Python<'_>) -> Py<Tokenizer> {
        let present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        present.clone_ref(py)
    }

    /// Let the engine decide, if it is time.
    fn decide(&self, py: Python<'_>, pending: u64) -> PyResult<()> {
        if pending < self.due.load(Ordering::Relaxed) {
            return Ok(());
        }
        let engine = self.engine.get().map(|engine| engine.bind(py).upgrade());
        if let Some(Some(engine)) = engine {
            engine.call_method0("decide")?;
        }
        Ok(())
    }
}

#[pymethods]
impl Learner {
    #[new]
    fn new(whole: &Bound<'_, Tokenizer>, share: f64, seed: u64) -> Self {
        let (py, present) = (whole.py(), whole.clone().unbind());
        let whole = Arc::clone(&whole.get().core);
        Self {
            present: Mutex::new(present),
            core: py.detach(|| Usage::new(whole, share, seed)),
            is_learning: AtomicBool::new(true),
            due: AtomicU64::new(u64::MAX),
            engine: OnceLock::new(),
        }
    }

    /// Encode with the pieces of another tokenizer from now on.
    fn set_present(&self, present: Py<Tokenizer>) {
        let mut place = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *place, present);
        // Dropped without the lock: it may be the last reference.
        drop(place);
        drop(before);
    }

    /// Say who decides; once.
    fn set_engine(&self, engine: &Bound<'_, PyAny>) -> PyResult<()> {
        let engine = PyWeakrefReference::new(engine)?.unbind();
        self.engine.get_or_init(|| engine);
        Ok(())
    }

    fn set_due(&self, tokens: u64) {
        self.due.store(tokens, Ordering::Relaxed);
    }

    #[getter]
    fn learning(&self) -> bool {
        self.is_learning.load(Ordering::Relaxed)
    }

    #[setter]
    fn set_learning(&self, wanted: bool) {
        self.is_learning.store(wanted, Ordering::Relaxed);
    }

    // As that of the tokenizer: nothing is done here that need not be.
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
        let present = self.present(text.py());
        let present = &present.get().core;
        let is_learning = self.learning();
        let work = || {
            let ids = present.encode_ids(content, &options)?;
            let mut pending = 0;
            if is_learning {
                let end = i64::try_from(ids.len()).unwrap_or(i64::MAX);
                pending = self.core.observe(&[content], &ids, &[0, end], &options)?;
            }
            Ok((ids, pending))
        };
        let (ids, pending) = detached(text.py(), content.len(), work).map_err(raise)?;
        self.decide(text.py(), pending)?;
        Ok(ids)
    }

    fn encode_batch_ids<'py>(
        &self,
        texts: &Bound<'py, PyAny>,
        options: Options,
        threads: Option<usize>,
    ) -> PyResult<Batch<'py>> {
        let py = texts.py();
        let (owned, options) = (values::texts(texts, "texts")?, options.read()?);
        let slices: Vec<&str> = owned.iter().map(|text| &**text).collect();
        let present = self.present(py);
        let present = &present.get().core;
        let is_learning = self.learning();
        let work = || {
            let (ids, bounds) = present.encode_batch_ids(&slices, &options, threads)?;
            let mut pending = 0;
            if is_learning {
                pending = self.core.observe(&slices, &ids, &bounds, &options)?;
            }
            Ok((ids, bounds, pending))
        };
        let (ids, bounds, pending) = py.detach(work).map_err(raise)?;
        self.decide(py, pending)?;
        Ok((ids.into_pyarray(py), bounds.into_pyarray(py)))
    }

    /// Count the tokens of an encoding; a text is probed where it is all that was encoded.
    fn observe(
        &self,
        text: Option<&Bound<'_, PyAny>>,
        encoding: &Bound<'_, Encoding>,
        options: Options,
    ) -> PyResult<()> {
        let options = options.read()?;
        let content = text.map(|text| values::text(text, "text")).transpose()?;
        let slices: Vec<&str> = content.iter().map(|text| &**text).collect();
        let ids = encoding.get().token_ids();
        let end = i64::try_from(ids.len()).unwrap_or(i64::MAX);
        let pending = self.core.observe(&slices, ids, &[0, end], &options);
        self.decide(encoding.py(), pending.map_err(raise)?)
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
