//! Extending a tokenizer, as the facade calls it.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pytok_core::train::extend as core_extend;

use crate::tokenizer::Tokenizer;
use crate::trainer::{WordCounts, with_progress};

/// The options, from the facade's dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct ExtendOptions {
    add: u32,
    min_frequency: u64,
    max_token_bytes: u32,
    max_chars: Option<u32>,
    char_align: bool,
    only: Option<String>,
}

impl From<ExtendOptions> for core_extend::ExtendConfig {
    fn from(options: ExtendOptions) -> Self {
        Self {
            add: options.add,
            min_frequency: options.min_frequency,
            max_token_bytes: options.max_token_bytes,
            max_chars: options.max_chars,
            char_align: options.char_align,
            only: options.only,
        }
    }
}

/// A tokenizer, its new pieces, the id of the first, and the lowest count.
type Extended<'py> = (Tokenizer, Vec<Bound<'py, PyBytes>>, u32, u64);

/// Add pieces to a tokenizer. `on_progress` is as in training.
#[pyfunction]
pub fn extend<'py>(
    py: Python<'py>,
    tokenizer: &Tokenizer,
    counts: &WordCounts,
    options: ExtendOptions,
    on_progress: Py<PyAny>,
) -> PyResult<Extended<'py>> {
    let config = core_extend::ExtendConfig::from(options);
    let core = &tokenizer.core;
    let extended = with_progress(py, &on_progress, |on_progress| {
        core_extend::extend(core, &counts.core, &config, on_progress)
    })?;
    let pieces = extended.pieces.iter();
    Ok((
        Tokenizer::new(extended.tokenizer),
        pieces.map(|piece| PyBytes::new(py, piece)).collect(),
        extended.first_id,
        extended.least_count,
    ))
}
