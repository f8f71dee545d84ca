//! Unigram and hybrid training, as the facade calls it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pytok_core::pipeline;
use pytok_core::train::segmenter::WordSegmenter as WordSegmenterCore;
use pytok_core::train::unigram::{
    self, Estimate, Lexicon, UnigramConfig, UnigramInputs, UnigramReport,
};

use crate::errors::{ConfigError, raise};
use crate::segmenter::WordSegmenter;
use crate::tokenizer::Tokenizer;
use crate::trainer::{BpeOptions, WordCounts, cut_fields, with_progress};

/// The options of the trainer, from the facade's dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct UnigramOptions {
    pieces: BpeOptions,
    lam: f64,
    boundary_prior: f64,
    lexicon_prior: f64,
    keep: f64,
    refinement: u32,
    estimate: String,
}

impl UnigramOptions {
    fn read(self) -> PyResult<UnigramConfig> {
        let estimate = match self.estimate.as_str() {
            "hard" => Estimate::Hard,
            "soft" => Estimate::Soft,
            other => {
                let message = format!("estimate: {other:?}, expected one of \"hard\", \"soft\"");
                return Err(ConfigError::new_err(message));
            }
        };
        Ok(UnigramConfig {
            pieces: self.pieces.read()?,
            lambda: self.lam,
            gamma: self.boundary_prior,
            beta: self.lexicon_prior,
            keep: self.keep,
            refinement: self.refinement,
            estimate,
        })
    }
}

/// Check the options without training.
#[pyfunction]
pub fn check_unigram(options: UnigramOptions) -> PyResult<()> {
    options.read()?.check().map_err(raise)
}

/// What finds words, as Python functions.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Segmentation {
    /// Gives the dictionary, a `WordSegmenter`; called when it is needed.
    open_words: Option<Py<PyAny>>,
    /// From a list of texts to the byte offsets of each, instead of a dictionary.
    boundaries: Option<Py<PyAny>>,
    /// Words of a lexicon; `None` for those of the dictionary.
    lexicon: Option<Vec<String>>,
}

/// Train a Unigram or hybrid tokenizer. `on_progress(stage, done, total)` is
/// called often; what it raises, or an interrupt, ends the run.
#[pyfunction]
#[pyo3(signature = (counts, counts_without_prior, segmentation, options, on_progress))]
pub fn train_unigram<'py>(
    py: Python<'py>,
    counts: &WordCounts,
    counts_without_prior: Option<PyRef<'py, WordCounts>>,
    segmentation: Segmentation,
    options: UnigramOptions,
    on_progress: Py<PyAny>,
) -> PyResult<(Tokenizer, Bound<'py, PyDict>)> {
    let config = options.read()?;
    let counts = &counts.core;
    let counts_without_prior = counts_without_prior.as_ref().map(|counts| &*counts.core);
    let Segmentation {
        open_words,
        boundaries,
        lexicon,
    } = segmentation;
    let python = Calls {
        open_words,
        words: OnceLock::new(),
        raised: Mutex::new(None),
    };
    let result = with_progress(py, &on_progress, |on_progress| {
        let open_dictionary = || python.words();
        let mut by_function = |texts: &[&str]| {
            let texts = texts.to_vec();
            python.call(|py| match &boundaries {
                Some(function) => function.call1(py, (texts,))?.extract(py),
                None => Ok(Vec::new()),
            })
        };
        let mut inputs = UnigramInputs {
            counts,
            counts_without_prior,
            dictionary: None,
            find_boundaries: None,
            lexicon: lexicon.map_or(Lexicon::Dictionary, Lexicon::Words),
        };
        if python.open_words.is_some() {
            inputs.dictionary = Some(&open_dictionary);
        }
        if boundaries.is_some() {
            inputs.find_boundaries = Some(&mut by_function);
        }
        let trained = unigram::train_unigram(inputs, &config, on_progress)?;
        trained
            .map(|trained| {
                let tokenizer = pipeline::Tokenizer::compile(trained.definition)?;
                Ok((tokenizer, trained.report))
            })
            .transpose()
    });
    if let Some(error) = python.raised() {
        return Err(error);
    }
    let (tokenizer, report) = result?;
    Ok((Tokenizer::new(tokenizer), report_fields(py, &report)?))
}

/// Calls into Python from a run, and what they raised.
struct Calls {
    open_words: Option<Py<PyAny>>,
    words: OnceLock<Arc<WordSegmenterCore>>,
    raised: Mutex<Option<PyErr>>,
}

impl Calls {
    /// Call Python; what it raises is kept, and the run ends.
    fn call<T>(&self, work: impl FnOnce(Python<'_>) -> PyResult<T>) -> pytok_core::Result<T> {
        let result = Python::attach(|py| {
            py.check_signals()?;
            work(py)
        });
        result.map_err(|error| {
            let message = error.to_string();
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            pytok_core::Error::argument("segmenter", message)
        })
    }

    fn raised(&self) -> Option<PyErr> {
        self.raised
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// The dictionary, opened at the first call.
    fn words(&self) -> pytok_core::Result<Arc<WordSegmenterCore>> {
        if let Some(words) = self.words.get() {
            return Ok(Arc::clone(words));
        }
        let opened = self.call(|py| {
            let open = self.open_words.as_ref().ok_or_else(|| {
                ConfigError::new_err("segmenter: None, expected one for the lexicon")
            })?;
            let words = open.call0(py)?;
            let words: PyRef<'_, WordSegmenter> = words.extract(py)?;
            Ok(Arc::clone(&words.core))
        })?;
        Ok(Arc::clone(self.words.get_or_init(|| opened)))
    }
}

fn report_fields<'py>(py: Python<'py>, report: &UnigramReport) -> PyResult<Bound<'py, PyDict>> {
    let fields = cut_fields(py, &report.cut)?;
    fields.set_item("candidates", report.candidates)?;
    fields.set_item("lexicon_words", report.lexicon_words)?;
    fields.set_item("protected", report.protected)?;
    fields.set_item("rounds", report.rounds)?;
    fields.set_item("tokens", report.tokens)?;
    fields.set_item("cost", report.cost)?;
    fields.set_item("log_likelihood", report.log_likelihood)?;
    Ok(fields)
}
