//! Decoding one id at a time, as the facade calls it.

use pyo3::prelude::*;
use pytok_core::pipeline::LiveStream;

use crate::tokenizer::Tokenizer;
use crate::values;

/// The text of ids as they arrive.
#[pyclass(module = "pytok._pytok")]
pub struct DecodeStream {
    core: LiveStream,
    id_limit: u64,
}

#[pymethods]
impl DecodeStream {
    #[new]
    fn new(tokenizer: &Tokenizer, skip_special_tokens: bool) -> Self {
        Self {
            core: tokenizer.core.decode_stream(skip_special_tokens),
            id_limit: tokenizer.id_limit(),
        }
    }

    fn step(&mut self, id: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let id = values::id(id, self.id_limit)?;
        Ok(self.core.step(id))
    }

    fn flush(&mut self) -> Option<String> {
        self.core.flush()
    }

    fn copy(&self) -> Self {
        Self {
            core: self.core.clone(),
            id_limit: self.id_limit,
        }
    }
}
