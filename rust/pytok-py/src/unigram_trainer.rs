//! Unigram and hybrid training, as the facade calls it.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pytok_core::pipeline;
use pytok_core::train::segmenter::WordSegmenter as CoreSegmenter;
use pytok_core::train::unigram::{
    self, Estimate, FindBoundaries, UnigramConfig, UnigramInputs, UnigramReport,
};

use crate::errors::{ConfigError, raise};
use crate::segmenter::WordSegmenter;
use crate::tokenizer::Tokenizer;
use crate::trainer::{BpeOptions, WordCounts, with_progress};

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
    threads: usize,
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
            threads: self.threads,
        })
    }
}

/// Check the options without training.
#[pyfunction]
pub fn check_unigram(options: UnigramOptions) -> PyResult<()> {
    options.read()?.check().map_err(raise)
}

/// What finds word boundaries: a dictionary, or a Python function from a list of
/// texts to the byte offsets of each.
#[derive(FromPyObject)]
pub enum Segmenter<'py> {
    Words(PyRef<'py, WordSegmenter>),
    Function(Py<PyAny>),
}

/// Train a Unigram or hybrid tokenizer. A lexicon of `None` is that of the
/// segmenter's dictionary. `on_progress(stage, done, total)` is
/// called often; what it raises, or an interrupt, ends the run.
#[pyfunction]
#[pyo3(signature = (counts, counts_without_prior, segmenter, lexicon, options, on_progress))]
pub fn train_unigram<'py>(
    py: Python<'py>,
    counts: &WordCounts,
    counts_without_prior: Option<PyRef<'py, WordCounts>>,
    segmenter: Option<Segmenter<'py>>,
    lexicon: Option<Vec<String>>,
    options: UnigramOptions,
    on_progress: Py<PyAny>,
) -> PyResult<(Tokenizer, Bound<'py, PyDict>)> {
    let config = options.read()?;
    let counts = &counts.core;
    let counts_without_prior = counts_without_prior.as_ref().map(|counts| &*counts.core);
    let (words, function) = match &segmenter {
        Some(Segmenter::Words(words)) => (Some(&words.core), None),
        Some(Segmenter::Function(function)) => (None, Some(function)),
        None => (None, None),
    };
    let lexicon = lexicon.unwrap_or_else(|| {
        let owned =
            |words: &CoreSegmenter| words.words().map(|(word, _)| word.to_owned()).collect();
        words.map(owned).unwrap_or_default()
    });
    let mut raised = None;
    let result = with_progress(py, &on_progress, |on_progress| {
        let mut by_words = words.map(|words| by_dictionary(words, config.threads));
        let mut by_function = function.map(|function| by_function(function, &mut raised));
        let find_boundaries: Option<&mut FindBoundaries<'_>> =
            match (&mut by_words, &mut by_function) {
                (Some(find), _) => Some(find),
                (None, Some(find)) => Some(find),
                (None, None) => None,
            };
        let inputs = UnigramInputs {
            counts,
            counts_without_prior,
            find_boundaries,
            lexicon,
        };
        let trained = unigram::train_unigram(inputs, &config, on_progress)?;
        trained
            .map(|trained| {
                let tokenizer = pipeline::Tokenizer::compile(trained.definition)?;
                Ok((tokenizer, trained.report))
            })
            .transpose()
    });
    if let Some(error) = raised {
        return Err(error);
    }
    let (tokenizer, report) = result?;
    Ok((Tokenizer::new(tokenizer), report_fields(py, &report)?))
}

fn by_dictionary(
    words: &CoreSegmenter,
    threads: usize,
) -> impl FnMut(&[&str]) -> pytok_core::Result<Vec<Vec<u32>>> + '_ {
    move |texts| Ok(unigram::boundaries_of_all(words, texts, threads))
}

/// Calls a Python function; what it raises goes to `raised`.
fn by_function<'f>(
    function: &'f Py<PyAny>,
    raised: &'f mut Option<PyErr>,
) -> impl FnMut(&[&str]) -> pytok_core::Result<Vec<Vec<u32>>> + 'f {
    move |texts| {
        let found: PyResult<Vec<Vec<u32>>> = Python::attach(|py| {
            py.check_signals()?;
            function.call1(py, (texts.to_vec(),))?.extract(py)
        });
        found.map_err(|error| {
            let message = error.to_string();
            *raised = Some(error);
            pytok_core::Error::argument("segmenter", message)
        })
    }
}

fn report_fields<'py>(py: Python<'py>, report: &UnigramReport) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("unique_words", report.words)?;
    fields.set_item("unique_word_bytes", report.word_bytes)?;
    fields.set_item("segments", report.segments)?;
    fields.set_item("segment_bytes", report.segment_bytes)?;
    fields.set_item("tau", report.tau)?;
    fields.set_item("runs", report.runs)?;
    fields.set_item("candidates", report.candidates)?;
    fields.set_item("lexicon_words", report.lexicon_words)?;
    fields.set_item("protected", report.protected)?;
    fields.set_item("rounds", report.rounds)?;
    fields.set_item("tokens", report.tokens)?;
    fields.set_item("cost", report.cost)?;
    fields.set_item("log_likelihood", report.log_likelihood)?;
    Ok(fields)
}
