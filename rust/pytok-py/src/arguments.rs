//! The options of a call, from the facade's tuples, checked once, here.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pytok_core::max_span::{MaxSpan, SpanUnit};
use pytok_core::model::Sampling;
use pytok_core::pipeline::{
    EncodeOptions, Padding, PaddingLength, Side, SpecialPolicy, Tokenizer, Truncation,
    TruncationStrategy,
};

use crate::errors::{ConfigError, raise};

/// Work on fewer bytes than this takes about as long as letting go of the
/// interpreter and taking it back.
const DETACH_BYTES: usize = 128;

/// Do work on `bytes` bytes, without the interpreter when that pays.
pub fn detached<T: Send>(py: Python<'_>, bytes: usize, work: impl FnOnce() -> T + Send) -> T {
    if bytes < DETACH_BYTES {
        work()
    } else {
        py.detach(work)
    }
}

/// One of a few words, by its name.
fn choice<T: Copy>(argument: &str, found: &str, choices: &[(&str, T)]) -> PyResult<T> {
    let known = choices.iter().find(|(name, _)| *name == found);
    known.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<String> = choices
            .iter()
            .map(|(name, _)| format!("{name:?}"))
            .collect();
        let names = names.join(", ");
        ConfigError::new_err(format!("{argument}: {found:?}, expected one of {names}"))
    })
}

/// `"left"` or `"right"`.
pub fn side(argument: &str, found: &str) -> PyResult<Side> {
    let choices = [("left", Side::Left), ("right", Side::Right)];
    choice(argument, found, &choices)
}

/// A limit on the length of pieces; the unit is checked even without one.
pub fn span(limit: Option<u32>, unit: &str) -> PyResult<Option<MaxSpan>> {
    let choices = [("chars", SpanUnit::Chars), ("bytes", SpanUnit::Bytes)];
    let unit = choice("unit", unit, &choices)?;
    let span = limit.map(|limit| MaxSpan::new(limit, unit)).transpose();
    span.map_err(raise)
}

/// `(special, add_special_tokens, bos, eos)`.
#[derive(FromPyObject)]
pub struct Options(PyBackedStr, bool, bool, bool);

impl Options {
    /// The core's options.
    pub fn read(&self) -> PyResult<EncodeOptions> {
        options(&self.0, self.1, self.2, self.3)
    }
}

/// The core's options.
pub fn options(
    special: &str,
    add_special_tokens: bool,
    bos: bool,
    eos: bool,
) -> PyResult<EncodeOptions> {
    let choices = [
        ("error", SpecialPolicy::Error),
        ("text", SpecialPolicy::Text),
        ("special", SpecialPolicy::Special),
    ];
    Ok(EncodeOptions {
        special: choice("special", special, &choices)?,
        add_special_tokens,
        bos,
        eos,
    })
}

/// `(alpha, dropout)`, each only where it is given.
#[derive(FromPyObject)]
pub struct SamplingArguments(Option<f64>, Option<f64>);

impl SamplingArguments {
    /// The core's sampling.
    pub fn read(&self, tokenizer: &Tokenizer) -> PyResult<Sampling> {
        tokenizer.sampling(self.0, self.1).map_err(raise)
    }
}

/// `(max_length, stride, strategy, side)`.
#[derive(FromPyObject)]
pub struct TruncationArguments(usize, usize, PyBackedStr, PyBackedStr);

impl TruncationArguments {
    /// The core's truncation.
    pub fn read(&self) -> PyResult<Truncation> {
        let choices = [
            ("longest_first", TruncationStrategy::LongestFirst),
            ("only_first", TruncationStrategy::OnlyFirst),
            ("only_second", TruncationStrategy::OnlySecond),
        ];
        Ok(Truncation {
            max_length: self.0,
            stride: self.1,
            strategy: choice("truncation_strategy", &self.2, &choices)?,
            side: side("truncation_side", &self.3)?,
        })
    }
}

/// `(length or None for the longest, multiple_of, side, id, type_id, token)`.
#[derive(FromPyObject)]
pub struct PaddingArguments(Option<usize>, Option<usize>, PyBackedStr, u32, u32, String);

impl PaddingArguments {
    /// The core's padding.
    pub fn read(self) -> PyResult<Padding> {
        Ok(Padding {
            length: self.0.map_or(PaddingLength::Longest, PaddingLength::Fixed),
            multiple_of: self.1,
            side: side("padding_side", &self.2)?,
            id: self.3,
            type_id: self.4,
            token: self.5,
        })
    }
}

/// Everything that `encode` and `encode_batch` have in common.
#[derive(FromPyObject)]
pub struct CallArguments(
    pub Options,
    pub Option<TruncationArguments>,
    pub Option<PaddingArguments>,
);
