//! Word counts and training, as the facade calls them.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use pytok_core::format::tokenizer_json;
use pytok_core::pipeline;
use pytok_core::train::scheme::{self, Digits};
use pytok_core::train::tau_cut::CutReport;
use pytok_core::train::{self, BpeConfig, OnProgress, Progress, Tie, TrainReport, counts_file};

use crate::errors::{ConfigError, raise};
use crate::tokenizer::Tokenizer;
use crate::values;

fn budget(memory: Option<(usize, PathBuf)>) -> pytok_core::Result<Option<train::Budget>> {
    memory
        .map(|(bytes, folder)| train::Budget::new(bytes, folder))
        .transpose()
}

/// Counts words, batch by batch.
#[pyclass(module = "pytok._pytok")]
pub struct WordCounter {
    core: Option<train::WordCounter>,
}

fn finished() -> PyErr {
    ConfigError::new_err("counter: is finished; expected one that still counts")
}

#[pymethods]
impl WordCounter {
    /// `cap` is (times, bytes); `memory` is (bytes, folder for what is more).
    #[new]
    #[pyo3(signature = (pretokenizer, digits, normalizer, threads, cap=None, memory=None))]
    fn new(
        pretokenizer: &str,
        digits: Option<u8>,
        normalizer: Option<&str>,
        threads: usize,
        cap: Option<(u32, usize)>,
        memory: Option<(usize, PathBuf)>,
    ) -> PyResult<Self> {
        let digits = match digits {
            None => None,
            Some(1) => Some(Digits::Single),
            Some(3) => Some(Digits::Triples),
            Some(other) => {
                let message = format!("digits: {other}, expected 1, 3 or None");
                return Err(ConfigError::new_err(message));
            }
        };
        let read_normalizer = |json| tokenizer_json::read_normalizer(json);
        let source = || {
            Ok(train::WordSource {
                normalizer: normalizer.map(read_normalizer).transpose()?,
                pre_tokenizer: Some(scheme::pre_tokenizer(pretokenizer, digits)?),
                cap: cap.map(|(times, bytes)| train::Cap { times, bytes }),
            })
        };
        let core =
            source().and_then(|source| train::WordCounter::new(&source, threads, budget(memory)?));
        core.map(|core| Self { core: Some(core) }).map_err(raise)
    }

    /// A counter of the words that the model of a tokenizer sees.
    #[staticmethod]
    #[pyo3(signature = (tokenizer, threads, memory=None))]
    fn of_tokenizer(
        tokenizer: &Tokenizer,
        threads: usize,
        memory: Option<(usize, PathBuf)>,
    ) -> PyResult<Self> {
        let core = Arc::clone(&tokenizer.core);
        let counter = budget(memory)
            .and_then(|budget| train::WordCounter::of_tokenizer(core, threads, budget));
        counter.map(|core| Self { core: Some(core) }).map_err(raise)
    }

    /// Texts are `str`, or their UTF-8 in `bytes`.
    fn add(&mut self, py: Python<'_>, texts: &Bound<'_, PyAny>) -> PyResult<()> {
        let texts = values::texts_or_bytes(texts, "texts")?;
        let core = self.core.as_mut().ok_or_else(finished)?;
        let slices: Vec<&[u8]> = texts.iter().map(AsRef::as_ref).collect();
        py.detach(|| core.add_utf8(&slices)).map_err(raise)
    }

    fn add_counts(&mut self, py: Python<'_>, counts: &WordCounts) -> PyResult<()> {
        let core = self.core.as_mut().ok_or_else(finished)?;
        py.detach(|| core.add_counts(&counts.core)).map_err(raise)
    }

    fn finish(&mut self, py: Python<'_>) -> PyResult<WordCounts> {
        let core = self.core.take().ok_or_else(finished)?;
        py.detach(|| core.finish()).map_err(raise).map(Into::into)
    }
}

/// The words of a corpus and how often each occurs. Immutable.
#[pyclass(frozen, module = "pytok._pytok")]
pub struct WordCounts {
    pub(crate) core: Arc<train::WordCounts>,
}

impl From<train::WordCounts> for WordCounts {
    fn from(core: train::WordCounts) -> Self {
        let core = Arc::new(core);
        Self { core }
    }
}

#[pymethods]
impl WordCounts {
    /// With `memory`, (bytes, folder), the words stay in the file.
    #[staticmethod]
    #[pyo3(signature = (path, memory=None))]
    fn read(py: Python<'_>, path: PathBuf, memory: Option<(usize, PathBuf)>) -> PyResult<Self> {
        let file = File::open(&path)?;
        let budget = budget(memory).map_err(raise)?;
        let core = py.detach(|| match budget {
            Some(budget) => counts_file::open(file, path, budget),
            None => counts_file::read(file),
        });
        core.map(Into::into).map_err(raise)
    }

    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| {
            let file = File::create(path)?;
            counts_file::write(&self.core, &file)?;
            file.sync_all()
        })?;
        Ok(())
    }

    fn merge(&self, py: Python<'_>, others: Vec<PyRef<'_, Self>>) -> PyResult<Self> {
        let others: Vec<Arc<train::WordCounts>> =
            others.iter().map(|other| Arc::clone(&other.core)).collect();
        py.detach(|| {
            let mut total = (*self.core).clone();
            others.iter().try_for_each(|other| total.merge(other))?;
            Ok(total.into())
        })
        .map_err(raise)
    }

    fn items<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, PyBytes>, u64)>> {
        let (mut words, mut word, mut items) =
            (self.core.words().ordered(), Vec::new(), Vec::new());
        while let Some(count) = words.next(&mut word).map_err(raise)? {
            items.push((PyBytes::new(py, &word), count));
        }
        Ok(items)
    }

    fn same_counts(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        py.detach(|| self.core.same_as(&other.core)).map_err(raise)
    }

    fn unique_words(&self) -> usize {
        self.core.words().unique()
    }

    fn texts(&self) -> u64 {
        self.core.texts()
    }

    fn text_bytes(&self) -> u64 {
        self.core.text_bytes()
    }
}

/// The options of the trainer, from the facade's dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct BpeOptions {
    vocab_size: u32,
    special_tokens: Vec<String>,
    min_frequency: u64,
    tau: u64,
    tau_c: Option<u64>,
    tau_c_part: Option<u64>,
    tau_w: Option<u64>,
    min_chars: u32,
    max_chars: Option<u32>,
    span_bytes: Option<(u32, u32)>,
    max_token_bytes: Option<u32>,
    required_chars: Vec<char>,
    han_prefixes: bool,
    overshoot: f64,
    grammar: bool,
    char_align: bool,
    tie: String,
    threads: usize,
}

impl BpeOptions {
    pub(crate) fn read(self) -> PyResult<BpeConfig> {
        let tie = match self.tie.as_str() {
            "bytes" => Tie::Bytes,
            "hf" => Tie::HuggingFace,
            other => {
                let message = format!("tie: {other:?}, expected one of \"bytes\", \"hf\"");
                return Err(ConfigError::new_err(message));
            }
        };
        Ok(BpeConfig {
            vocab_size: self.vocab_size,
            special_tokens: self.special_tokens,
            min_frequency: self.min_frequency,
            tau: self.tau,
            tau_c: self.tau_c,
            tau_c_part: self.tau_c_part,
            tau_w: self.tau_w,
            min_chars: self.min_chars,
            max_chars: self.max_chars,
            span_bytes: self.span_bytes.map(|(least, most)| least..=most),
            max_token_bytes: self.max_token_bytes,
            required_chars: self.required_chars,
            han_prefixes: self.han_prefixes,
            overshoot: self.overshoot,
            grammar: self.grammar,
            char_align: self.char_align,
            tie,
            threads: self.threads,
        })
    }
}

/// Check the options without training.
#[pyfunction]
pub fn check_bpe(options: BpeOptions) -> PyResult<()> {
    options.read()?.check().map_err(raise)
}

/// Call `work` without the interpreter's lock. Its function tells `on_progress`
/// how far the run is, as (stage, done, total); what that raises, or an
/// interrupt, stops the run and is raised here.
pub(crate) fn with_progress<T: Send>(
    py: Python<'_>,
    on_progress: &Py<PyAny>,
    work: impl FnOnce(&mut OnProgress<'_>) -> pytok_core::Result<Option<T>> + Send,
) -> PyResult<T> {
    let mut raised = None;
    let result = py.detach(|| {
        work(&mut |Progress { stage, done, total }| {
            let told = Python::attach(|py| {
                py.check_signals()?;
                on_progress.call1(py, (stage.name(), done, total)).map(drop)
            });
            match told {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    raised = Some(error);
                    ControlFlow::Break(())
                }
            }
        })
    });
    if let Some(error) = raised {
        return Err(error);
    }
    result
        .map_err(raise)?
        .ok_or_else(|| ConfigError::new_err("on_progress: stopped the run"))
}

/// Train a BPE tokenizer. `on_progress(stage, done, total)` is called often;
/// what it raises, or an interrupt, ends the run.
#[pyfunction]
pub fn train_bpe<'py>(
    py: Python<'py>,
    counts: &WordCounts,
    options: BpeOptions,
    on_progress: Py<PyAny>,
) -> PyResult<(Tokenizer, Bound<'py, PyDict>)> {
    let config = options.read()?;
    let (tokenizer, report) = with_progress(py, &on_progress, |on_progress| {
        let trained = train::train_bpe(&counts.core, &config, on_progress)?;
        trained
            .map(|trained| {
                let tokenizer = pipeline::Tokenizer::compile(trained.definition)?;
                Ok((tokenizer, trained.report))
            })
            .transpose()
    })?;
    Ok((Tokenizer::new(tokenizer), report_fields(py, &report)?))
}

/// The beginning of a report.
pub(crate) fn cut_fields<'py>(py: Python<'py>, cut: &CutReport) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("unique_words", cut.words)?;
    fields.set_item("unique_word_bytes", cut.word_bytes)?;
    fields.set_item("segments", cut.segments)?;
    fields.set_item("segment_bytes", cut.segment_bytes)?;
    fields.set_item("tau", cut.tau)?;
    fields.set_item("runs", cut.runs)?;
    Ok(fields)
}

fn report_fields<'py>(py: Python<'py>, report: &TrainReport) -> PyResult<Bound<'py, PyDict>> {
    let fields = cut_fields(py, &report.cut)?;
    fields.set_item("merges", report.merges)?;
    fields.set_item("sure_chars", report.sure_chars)?;
    fields.set_item("least_count", report.least_count)?;
    Ok(fields)
}
