//! The core's errors as the exceptions of `pytok.errors`, one by one.

use pyo3::import_exception;
use pyo3::prelude::*;
use pytok_core::Error;

import_exception!(pytok.errors, ConfigError);
import_exception!(pytok.errors, EncodeError);
import_exception!(pytok.errors, ExportError);
import_exception!(pytok.errors, FormatError);
import_exception!(pytok.errors, VocabError);

/// A core error as the exception of its kind.
pub fn raise(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Format { .. } | Error::Unsupported { .. } => FormatError::new_err(message),
        Error::Vocabulary { .. } => VocabError::new_err(message),
        Error::Encode { .. } | Error::ControlToken { .. } => EncodeError::new_err(message),
        Error::Argument { .. } => ConfigError::new_err(message),
    }
}

/// A core error of writing a file: what a format cannot hold is an export error.
pub fn raise_export(error: Error) -> PyErr {
    match error {
        Error::Unsupported { .. } => ExportError::new_err(error.to_string()),
        other => raise(other),
    }
}
