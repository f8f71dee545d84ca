//! Chinese normalisation, as the facade calls it. Spans are characters.

use std::sync::Arc;

use pyo3::prelude::*;
use pytok_core::zh::alignment;
use pytok_core::zh::{self, Edit, Status};

use crate::arguments::detached;
use crate::errors::{ConfigError, raise};
use crate::values;

type Span = (u32, u32);

/// How a normalised text is aligned to its original. Immutable.
#[pyclass(frozen, eq, module = "pytok._pytok")]
#[derive(PartialEq)]
pub struct Alignment {
    core: alignment::Alignment,
}

impl Alignment {
    fn check(span: Span, length: u32) -> PyResult<Span> {
        if span.0 <= span.1 && span.1 <= length {
            return Ok(span);
        }
        Err(ConfigError::new_err(format!(
            "span: ({}, {}), expected 0 <= start <= end <= {length}",
            span.0, span.1
        )))
    }
}

#[pymethods]
impl Alignment {
    /// The alignment with blocks `(start, end, new start, new end)`.
    #[new]
    fn new(blocks: Vec<(u32, u32, u32, u32)>, original_length: u32) -> PyResult<Self> {
        let block = |(a, b, c, d)| alignment::Block {
            original: (a, b),
            normalized: (c, d),
        };
        let blocks = blocks.into_iter().map(block).collect();
        alignment::Alignment::from_blocks(blocks, original_length)
            .map(|core| Self { core })
            .ok_or_else(|| {
                ConfigError::new_err(
                    "blocks: expected ranges that ascend on both sides, lie in the text and have \
                     equal gaps between them",
                )
            })
    }

    fn to_original(&self, span: Span) -> PyResult<Span> {
        let span = Self::check(span, self.core.normalized_length())?;
        Ok(self.core.to_original(span))
    }

    fn to_normalized(&self, span: Span) -> PyResult<Span> {
        let span = Self::check(span, self.core.original_length())?;
        Ok(self.core.to_normalized(span))
    }

    fn compose(&self, next: &Self) -> PyResult<Self> {
        let joined = self.core.clone().compose(next.core.clone());
        joined.map(|core| Self { core }).ok_or_else(|| {
            ConfigError::new_err(format!(
                "next: its original has {} characters, expected {}",
                next.core.original_length(),
                self.core.normalized_length()
            ))
        })
    }

    fn inverse(&self) -> Self {
        Self {
            core: self.core.inverse(),
        }
    }

    fn blocks(&self) -> Vec<(u32, u32, u32, u32)> {
        let tuple = |block: alignment::Block| {
            let (original, normalized) = (block.original, block.normalized);
            (original.0, original.1, normalized.0, normalized.1)
        };
        self.core.blocks().into_iter().map(tuple).collect()
    }

    #[getter]
    fn original_length(&self) -> u32 {
        self.core.original_length()
    }

    #[getter]
    fn normalized_length(&self) -> u32 {
        self.core.normalized_length()
    }
}

/// `(step, original span, normalized span, before, after, status, candidates, reason)`
type EditTuple = (
    usize,
    Span,
    Span,
    String,
    String,
    &'static str,
    Vec<String>,
    String,
);

fn tuple(edit: Edit) -> EditTuple {
    let status = match edit.status {
        Status::Sure => "sure",
        Status::Ambiguous => "ambiguous",
        Status::Kept => "kept",
    };
    (
        edit.step,
        edit.original,
        edit.normalized,
        edit.before,
        edit.after,
        status,
        edit.candidates,
        edit.reason,
    )
}

/// Steps of normalisation. Immutable.
#[pyclass(frozen, module = "pytok._pytok")]
pub struct ChinesePipeline {
    core: Arc<zh::Pipeline>,
}

impl ChinesePipeline {
    /// The core's steps.
    pub fn core(&self) -> Arc<zh::Pipeline> {
        Arc::clone(&self.core)
    }
}

#[pymethods]
impl ChinesePipeline {
    /// The pipeline of a JSON list of step definitions.
    #[new]
    fn new(py: Python<'_>, definitions: &str) -> PyResult<Self> {
        let core = py.detach(|| zh::Pipeline::from_json(definitions));
        core.map(|core| Self {
            core: Arc::new(core),
        })
        .map_err(raise)
    }

    /// The text, its alignment, the edits and the ends of sentences.
    fn explain(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
    ) -> PyResult<(String, Alignment, Vec<EditTuple>, Vec<u32>)> {
        let text = values::text(text, "text")?;
        let found = detached(py, text.len(), || self.core.explain(&text)).map_err(raise)?;
        let edits = found.edits.into_iter().map(tuple).collect();
        let alignment = Alignment {
            core: found.alignment,
        };
        Ok((found.text, alignment, edits, found.breaks))
    }

    /// The text alone.
    fn text(&self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<String> {
        let text = values::text(text, "text")?;
        let found = detached(py, text.len(), || self.core.run(&text));
        found.map(|found| found.text).map_err(raise)
    }
}
