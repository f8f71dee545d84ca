//! The word segmenter, as the facade calls it.

use std::sync::Arc;

use pyo3::prelude::*;
use pytok_core::train::segmenter;

use crate::errors::raise;
use crate::values;

/// Cuts text into the words of a dictionary. Immutable.
#[pyclass(frozen, module = "pytok._pytok")]
pub struct WordSegmenter {
    pub(crate) core: Arc<segmenter::WordSegmenter>,
}

#[pymethods]
impl WordSegmenter {
    #[staticmethod]
    fn from_dictionary(py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        let text = values::text(text, "dictionary")?;
        let core = py.detach(|| segmenter::WordSegmenter::from_dictionary(&text));
        core.map(|core| Self {
            core: Arc::new(core),
        })
        .map_err(raise)
    }

    /// The characters at which a word begins, the first word excepted.
    fn boundaries(&self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let text = values::text(text, "text")?;
        Ok(py.detach(|| {
            let mut boundaries = Vec::new();
            let (mut start, mut characters) = (0, 0);
            self.core.boundaries(&text, &mut |byte| {
                characters += text[start..byte].chars().count();
                start = byte;
                boundaries.push(characters);
            });
            boundaries
        }))
    }
}
