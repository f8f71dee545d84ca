//! Pruning a tokenizer, as the facade calls it.

use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pytok_core::pipeline;
use pytok_core::prune::{self, Limit, Mode};

use crate::errors::{ConfigError, raise};
use crate::tokenizer::Tokenizer;
use crate::values;

/// Ids in the order in which they go, and their utilities.
type Plan<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u64>>);

/// Ids, and where those of each begin.
type Parts<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<i64>>);

/// A tokenizer, the old ids that stay, and what they are now.
type Applied<'py> = (
    Tokenizer,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u32>>,
);

/// A tokenizer whose pieces can be taken out. Immutable.
#[pyclass(frozen, module = "pytok._pytok")]
pub struct Pruner {
    tokenizer: Arc<pipeline::Tokenizer>,
    core: prune::Pruner,
    mode: Mode,
}

fn read_mode(mode: &str) -> PyResult<Mode> {
    match mode {
        "compact" => Ok(Mode::Compact),
        "stable" => Ok(Mode::Stable),
        _ => Err(ConfigError::new_err(format!(
            "mode: {mode:?}, expected \"compact\" or \"stable\""
        ))),
    }
}

/// Ids in an array or a list; those that the vocabulary has not are passed over later.
fn ids_of(values: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    values::ids(values, u64::from(u32::MAX) + 1)
}

#[pymethods]
impl Pruner {
    #[new]
    fn new(py: Python<'_>, tokenizer: &Tokenizer, protect: Vec<u32>, mode: &str) -> PyResult<Self> {
        let mode = read_mode(mode)?;
        let tokenizer = Arc::clone(&tokenizer.core);
        let core = py.detach(|| prune::Pruner::new(&tokenizer, &protect, mode));
        Ok(Self {
            core: core.map_err(raise)?,
            tokenizer,
            mode,
        })
    }

    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.core.ids().to_vec().into_pyarray(py)
    }

    fn protected<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.core.protected().into_pyarray(py)
    }

    fn unreachable<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.core.unreachable().into_pyarray(py)
    }

    #[pyo3(signature = (counts, removed, pieces, utility, kept=None))]
    fn plan<'py>(
        &self,
        py: Python<'py>,
        counts: PyReadonlyArray1<'py, u64>,
        removed: &Bound<'py, PyAny>,
        pieces: usize,
        utility: Option<u64>,
        kept: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Plan<'py>> {
        let removed = ids_of(removed)?;
        let kept = kept.map_or(Ok(Vec::new()), ids_of)?;
        let counts = counts.as_array().to_vec();
        let limit = Limit { pieces, utility };
        let plan = py.detach(|| self.core.plan_keeping(&counts, &removed, &kept, limit));
        let plan = plan.map_err(raise)?.into_iter();
        let (ids, utilities): (Vec<u32>, Vec<u64>) = plan.map(|one| (one.id, one.utility)).unzip();
        Ok((ids.into_pyarray(py), utilities.into_pyarray(py)))
    }

    fn alternatives<'py>(
        &self,
        py: Python<'py>,
        ids: &Bound<'py, PyAny>,
        removed: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let (ids, removed) = (ids_of(ids)?, ids_of(removed)?);
        let found = py.detach(|| self.core.alternatives(&ids, &removed));
        Ok(found.into_pyarray(py))
    }

    fn made_of<'py>(
        &self,
        py: Python<'py>,
        ids: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let ids = ids_of(ids)?;
        Ok(py.detach(|| self.core.made_of(&ids)).into_pyarray(py))
    }

    /// For each id what it is made of, one after another, and where each begins.
    fn made_of_each<'py>(&self, py: Python<'py>, ids: &Bound<'py, PyAny>) -> PyResult<Parts<'py>> {
        let ids = ids_of(ids)?;
        let (flat, bounds) = py.detach(|| self.core.made_of_each(&ids));
        Ok((flat.into_pyarray(py), bounds.into_pyarray(py)))
    }

    /// What encodes without pieces, where that is quickly made.
    fn encoder(&self, py: Python<'_>, removed: &Bound<'_, PyAny>) -> PyResult<Option<Tokenizer>> {
        let removed = ids_of(removed)?;
        let encoder = py.detach(|| self.core.encoder(&self.tokenizer, &removed));
        Ok(encoder.map_err(raise)?.map(Tokenizer::new))
    }

    /// Without pieces; of the mode that is given, or of the pruner's.
    #[pyo3(signature = (removed, special_ids, mode=None))]
    fn apply<'py>(
        &self,
        py: Python<'py>,
        removed: &Bound<'py, PyAny>,
        special_ids: Vec<(String, u32)>,
        mode: Option<&str>,
    ) -> PyResult<Applied<'py>> {
        let mode = mode.map_or(Ok(self.mode), read_mode)?;
        let removed = ids_of(removed)?;
        let work = || {
            self.core
                .apply(&self.tokenizer, &removed, mode, &special_ids)
        };
        let pruned = py.detach(work).map_err(raise)?;
        let (old, new): (Vec<u32>, Vec<u32>) = pruned.id_map.into_iter().unzip();
        Ok((
            Tokenizer::new(pruned.tokenizer),
            old.into_pyarray(py),
            new.into_pyarray(py),
        ))
    }
}
