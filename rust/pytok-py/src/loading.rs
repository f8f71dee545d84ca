//! File content to a compiled tokenizer.

use pyo3::prelude::*;
use pytok_core::format::{self, Format, LoadOptions};
use pytok_core::pipeline::Tokenizer;

use crate::errors::{ConfigError, raise};
use crate::zh::ChinesePipeline;

/// What the caller says about a tiktoken rank file.
pub struct LoadArguments {
    /// The splitting pattern.
    pub pattern: Option<String>,
    /// The special tokens and their ids.
    pub special_tokens: Option<Vec<(String, u32)>>,
    /// A published encoding.
    pub encoding: Option<String>,
    /// The encoding that the file's name suggests; nothing depends on it when
    /// the caller says more or the file is of another format.
    pub guess: Option<String>,
}

impl LoadArguments {
    /// Read and compile, without the interpreter; `chinese` makes the steps that
    /// the file names.
    pub fn load(
        self,
        py: Python<'_>,
        content: &[u8],
        chinese: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Tokenizer> {
        if let Some(argument) = self.given() {
            let format = format::detect(content).map_err(raise)?;
            if format != Format::Tiktoken {
                return Err(ConfigError::new_err(format!(
                    "{argument}: given, but the file is not a tiktoken rank file"
                )));
            }
        }
        let guess = self.guess.filter(|_| self.pattern.is_none());
        let options = LoadOptions {
            encoding: self.encoding.or(guess),
            pattern: self.pattern,
            special_tokens: self.special_tokens,
        };
        let definition = py
            .detach(|| format::load(content, &options))
            .map_err(raise)?;
        // Who calls knows how to make steps of what the file says about them.
        let steps = match (&definition.chinese, chinese) {
            (Some(spec), Some(make)) => {
                let made = make.call1((spec.to_string(),))?;
                Some(made.cast::<ChinesePipeline>()?.get().core())
            }
            _ => None,
        };
        py.detach(|| Tokenizer::compile_with(definition, steps))
            .map_err(raise)
    }

    /// The name of an argument that was given.
    fn given(&self) -> Option<&'static str> {
        let Self {
            pattern,
            special_tokens,
            encoding,
            guess: _,
        } = self;
        let pattern = pattern.as_ref().map(|_| "pattern");
        let special_tokens = special_tokens.as_ref().map(|_| "special_tokens");
        let encoding = encoding.as_ref().map(|_| "encoding");
        pattern.or(special_tokens).or(encoding)
    }
}
