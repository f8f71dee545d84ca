//! The core's errors as the exceptions of `pytok.errors`, one by one.

use pyo3::prelude::*;
use pyo3::types::IntoPyDict;
use pyo3::{PyTypeInfo, import_exception};
use pytok_core::Error;

import_exception!(pytok.errors, ConfigError);
import_exception!(pytok.errors, CorpusError);
import_exception!(pytok.errors, EncodeError);
import_exception!(pytok.errors, ExportError);
import_exception!(pytok.errors, FormatError);
import_exception!(pytok.errors, VocabError);

/// A core error as the exception of its kind.
pub fn raise(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Format { .. } => with_hint::<FormatError>(
            message,
            "check that the file is whole and is a tokenizer file",
        ),
        Error::Unsupported { .. } => with_hint::<FormatError>(
            message,
            "change that field of the file, or use the library that the file is of",
        ),
        Error::Vocabulary { .. } => with_hint::<VocabError>(
            message,
            "make the file again with the library that it is of",
        ),
        Error::Encode { .. } => with_hint::<EncodeError>(
            message,
            "use a tokenizer with an unknown token or with byte pieces",
        ),
        Error::Storage { .. } => with_hint::<CorpusError>(
            message,
            "make room there, or name another folder: work, or the variable TMPDIR",
        ),
        // These messages say what to do.
        Error::ControlToken { .. } => EncodeError::new_err(message),
        Error::Argument { .. } => ConfigError::new_err(message),
    }
}

/// An exception of a class of `pytok.errors`, with its hint.
pub fn with_hint<E: PyTypeInfo>(message: String, hint: &str) -> PyErr {
    Python::attach(|py| {
        let build = || {
            let keywords = [("hint", hint)].into_py_dict(py)?;
            E::type_object(py).call((message,), Some(&keywords))
        };
        build().map_or_else(|error| error, PyErr::from_value)
    })
}

/// A core error of writing a file: what a format cannot hold is an export error.
pub fn raise_export(error: Error) -> PyErr {
    match error {
        Error::Unsupported { .. } => ExportError::new_err(error.to_string()),
        other => raise(other),
    }
}
