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
    /// `forms` gives words, in lines, in another form, in as many lines.
    #[staticmethod]
    #[pyo3(signature = (text, forms=None))]
    fn from_dictionary(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        forms: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let text = values::text(text, "dictionary")?;
        let mut raised = None;
        let core = py.detach(|| match forms {
            None => segmenter::WordSegmenter::from_dictionary(&text),
            // Other threads may run Python between two calls.
            Some(forms) => segmenter::WordSegmenter::with_forms(&text, &mut |lines| {
                let converted = Python::attach(|py| forms.call1(py, (lines,))?.extract(py));
                converted.map_err(|error: PyErr| {
                    let message = error.to_string();
                    raised = Some(error);
                    pytok_core::Error::argument("dictionary", message)
                })
            }),
        });
        if let Some(error) = raised {
            return Err(error);
        }
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
