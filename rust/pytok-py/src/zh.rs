//! Chinese normalisation, as the facade calls it. Spans are characters.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyType;
use pytok_core::ids::index;
use pytok_core::zh::alignment;
use pytok_core::zh::{self, Edit, Status};

use crate::arguments::detached;
use crate::errors::{ConfigError, raise};
use crate::values;

type Span = (u32, u32);

/// A span as it is given; anything that is no span of the text is refused.
type GivenSpan = (i64, i64);

/// `(start, end, new start, new end)`
type BlockTuple = (u32, u32, u32, u32);

/// How a normalised text is aligned to its original. Immutable.
#[pyclass(frozen, eq, hash, module = "pytok._pytok")]
#[derive(PartialEq, Hash)]
pub struct Alignment {
    core: alignment::Alignment,
}

impl Alignment {
    fn check(span: GivenSpan, length: u32) -> PyResult<Span> {
        match (u32::try_from(span.0), u32::try_from(span.1)) {
            (Ok(start), Ok(end)) if start <= end && end <= length => Ok((start, end)),
            _ => Err(ConfigError::new_err(format!(
                "span: ({}, {}), expected 0 <= start <= end <= {length}",
                span.0, span.1
            ))),
        }
    }
}

#[pymethods]
impl Alignment {
    /// The alignment with blocks `(start, end, new start, new end)`.
    #[new]
    fn new(blocks: Vec<(i64, i64, i64, i64)>, original_length: i64) -> PyResult<Self> {
        let number = |value: i64| u32::try_from(value).ok();
        let block = |(a, b, c, d)| {
            Some(alignment::Block {
                original: (number(a)?, number(b)?),
                normalized: (number(c)?, number(d)?),
            })
        };
        let blocks: Option<Vec<_>> = blocks.into_iter().map(block).collect();
        let length = number(original_length).ok_or_else(|| {
            ConfigError::new_err(format!(
                "original_length: {original_length}, expected a number of characters"
            ))
        })?;
        blocks
            .and_then(|blocks| alignment::Alignment::from_blocks(blocks, length))
            .map(|core| Self { core })
            .ok_or_else(|| ConfigError::new_err(BLOCKS))
    }

    /// The alignment with the blocks of each step; what pickle calls.
    #[staticmethod]
    fn _of_links(links: Vec<Vec<BlockTuple>>, original_length: u32) -> PyResult<Self> {
        let block = |(a, b, c, d)| alignment::Block {
            original: (a, b),
            normalized: (c, d),
        };
        let links = links
            .into_iter()
            .map(|link| link.into_iter().map(block).collect())
            .collect();
        alignment::Alignment::from_links(links, original_length)
            .map(|core| Self { core })
            .ok_or_else(|| ConfigError::new_err(BLOCKS))
    }

    #[expect(clippy::type_complexity)]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Vec<Vec<BlockTuple>>, u32))> {
        let core = &slf.get().core;
        let links = core.links().iter();
        let links = links.map(|link| link.iter().map(block_tuple).collect());
        let make = slf.get_type().getattr("_of_links")?;
        Ok((make, (links.collect(), core.original_length())))
    }

    fn __repr__(&self) -> String {
        let (from, to) = (self.core.original_length(), self.core.normalized_length());
        let blocks = match self.core.blocks().len() {
            1 => "1 block".to_owned(),
            count => format!("{count} blocks"),
        };
        format!("<Alignment of {from} characters to {to}: {blocks}>")
    }

    fn to_original(&self, span: GivenSpan) -> PyResult<Span> {
        let span = Self::check(span, self.core.normalized_length())?;
        Ok(self.core.to_original(span))
    }

    fn to_normalized(&self, span: GivenSpan) -> PyResult<Span> {
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

    fn blocks(&self) -> Vec<BlockTuple> {
        self.core.blocks().iter().map(block_tuple).collect()
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

const BLOCKS: &str = "blocks: expected ranges that ascend on both sides, lie in the text and have \
                      equal gaps between them";

fn block_tuple(block: &alignment::Block) -> BlockTuple {
    let (original, normalized) = (block.original, block.normalized);
    (original.0, original.1, normalized.0, normalized.1)
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

/// What steps said of a text; made into Python objects when asked. Immutable.
#[pyclass(frozen, eq, hash, module = "pytok._pytok")]
#[derive(PartialEq, Hash)]
pub struct Edits {
    core: Vec<Edit>,
}

/// As [`EditTuple`].
type GivenEdit = (
    usize,
    Span,
    Span,
    String,
    String,
    String,
    Vec<String>,
    String,
);

#[pymethods]
impl Edits {
    /// The edits of tuples, as [`Self::tuples`] gives them; what pickle calls.
    #[new]
    fn new(tuples: Vec<GivenEdit>) -> PyResult<Self> {
        let edit = |(step, original, normalized, before, after, status, candidates, reason)| {
            let status: String = status;
            Ok(Edit {
                step,
                original,
                normalized,
                before,
                after,
                status: match status.as_str() {
                    "sure" => Status::Sure,
                    "ambiguous" => Status::Ambiguous,
                    "kept" => Status::Kept,
                    _ => {
                        let message = format!("status: {status:?}, expected a status of edits");
                        return Err(ConfigError::new_err(message));
                    }
                },
                candidates,
                reason,
            })
        };
        let core: PyResult<_> = tuples.into_iter().map(edit).collect();
        Ok(Self { core: core? })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Vec<EditTuple>,)) {
        (slf.get_type(), (slf.get().tuples(),))
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    /// One tuple for each edit.
    fn tuples(&self) -> Vec<EditTuple> {
        self.core.iter().cloned().map(tuple).collect()
    }
}

/// The words of a dictionary, which several pipelines may share. Immutable.
#[pyclass(frozen, module = "pytok._pytok")]
pub struct ChineseWords {
    core: Arc<zh::Words>,
}

#[pymethods]
impl ChineseWords {
    /// The words of lines `word frequency[ tag]`.
    #[new]
    fn new(py: Python<'_>, dictionary: &str) -> PyResult<Self> {
        let core = py.detach(|| zh::Words::from_dictionary(dictionary));
        core.map(|core| Self {
            core: Arc::new(core),
        })
        .map_err(raise)
    }
}

/// The parts of a text that blocks replace, one behind the other.
fn replaced(text: &str, blocks: &[alignment::Block]) -> String {
    let mut characters = text.chars();
    let mut done = 0;
    let mut parts = String::new();
    for block in blocks {
        let (start, end) = block.original;
        // An iterator that skips does so only when something is taken from it.
        if let Some(last) = index(start - done).checked_sub(1) {
            characters.nth(last);
        }
        parts.extend(characters.by_ref().take(index(end - start)));
        done = end;
    }
    parts
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
    /// The pipeline of a JSON list of step definitions, with the words that some of
    /// them name.
    #[new]
    #[pyo3(signature = (definitions, words=None))]
    fn new(py: Python<'_>, definitions: &str, words: Option<Py<ChineseWords>>) -> PyResult<Self> {
        let words = words.map(|words| Arc::clone(&words.get().core));
        let core = py.detach(|| zh::Pipeline::from_json_with_words(definitions, words.as_ref()));
        core.map(|core| Self {
            core: Arc::new(core),
        })
        .map_err(raise)
    }

    /// The text, its alignment, the edits, the ends of sentences, and what the blocks
    /// of the alignment replace.
    fn explain(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
    ) -> PyResult<(String, Alignment, Edits, Vec<u32>, String)> {
        let text = values::text(text, "text")?;
        let explain = || {
            let found = self.core.explain(&text)?;
            let replaced = replaced(&text, &found.alignment.blocks());
            Ok((found, replaced))
        };
        let (found, replaced) = detached(py, text.len(), explain).map_err(raise)?;
        let alignment = Alignment {
            core: found.alignment,
        };
        let edits = Edits { core: found.edits };
        Ok((found.text, alignment, edits, found.breaks, replaced))
    }

    /// The text alone.
    fn text(&self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<String> {
        let text = values::text(text, "text")?;
        let found = detached(py, text.len(), || self.core.run(&text));
        found.map(|found| found.text).map_err(raise)
    }
}
