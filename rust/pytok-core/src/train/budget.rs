//! How much memory counting may take.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The least memory that a budget may have.
pub const LEAST_BUDGET: usize = 1 << 16;

/// What the process takes beside tables: the interpreter, texts that are read.
const BESIDE: usize = 96 << 20;

/// How much memory the words of a count may take, and where the rest goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    bytes: usize,
    folder: PathBuf,
}

impl Budget {
    /// A budget of `bytes` of memory; what is more is written to files in `folder`.
    ///
    /// # Errors
    /// [`Error::Argument`] when it is less than [`LEAST_BUDGET`].
    pub fn new(bytes: usize, folder: PathBuf) -> Result<Self> {
        if bytes < LEAST_BUDGET {
            return Err(Error::argument(
                "memory",
                format!("{bytes} bytes; expected at least {LEAST_BUDGET}"),
            ));
        }
        Ok(Self { bytes, folder })
    }

    /// The memory, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The memory that all tables of words may take together.
    pub(super) fn tables(&self) -> usize {
        self.bytes - (self.bytes / 8).min(BESIDE)
    }

    /// Where the rest goes.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The bytes that are read and written at once.
    pub(super) fn buffer(&self) -> usize {
        (self.bytes / 256).clamp(1 << 12, 1 << 18)
    }

    /// How many runs are merged at once: their buffers fit into half of the memory.
    pub(super) fn fan_in(&self) -> usize {
        (self.bytes / self.buffer() / 2).clamp(2, 1024)
    }
}
