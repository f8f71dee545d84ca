//! Words that lie in a file, in the order of their bytes.
//!
//! What does not fit into the memory budget goes into files without a name:
//! they vanish when they are closed, however the process ends, and hold many
//! runs each, so the number of open files does not grow with the text. A run is
//! the body of a counts file, so a counts file can be read in place as well.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::budget::Budget;
use super::front_coding::{Digested, wide};
use super::words::{OnWord, Ordered, Words};
use crate::error::{Error, Result};

/// A file that holds runs.
#[derive(Debug)]
pub(super) struct Shelf {
    file: Mutex<File>,
    /// Its folder or path, for errors.
    place: PathBuf,
    buffer: usize,
}

fn failed(place: &Path, error: &io::Error) -> Error {
    Error::Storage {
        place: place.display().to_string(),
        message: format!("words cannot be kept there: {error}"),
    }
}

/// A file that vanishes when it is closed.
fn nameless_file(folder: &Path) -> io::Result<File> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".pytok-words-{}-{number}", std::process::id()));
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        #[cfg(windows)] // FILE_FLAG_DELETE_ON_CLOSE
        std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, 0x0400_0000);
        match options.open(&path) {
            // A process of the same number was killed just here once.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => {
                #[cfg(not(windows))]
                std::fs::remove_file(&path)?;
                return Ok(file);
            }
        }
    }
}

impl Shelf {
    /// A nameless file in the folder of the budget.
    pub(super) fn create(budget: &Budget) -> Result<Arc<Self>> {
        let place = budget.folder().to_owned();
        let file = nameless_file(&place).map_err(|error| failed(&place, &error))?;
        Ok(Self::of(file, place, budget))
    }

    /// A file that somebody else wrote.
    pub(super) fn of(file: File, place: PathBuf, budget: &Budget) -> Arc<Self> {
        Arc::new(Self {
            file: Mutex::new(file),
            place,
            buffer: budget.buffer(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Append a run of words in the order of their bytes, which `write` puts.
    /// They must not come from this shelf.
    pub(super) fn append(
        self: &Arc<Self>,
        write: impl FnOnce(&mut OnWord<'_>) -> Result<()>,
    ) -> Result<Run> {
        let failed = |error: io::Error| failed(&self.place, &error);
        let mut file = self.lock();
        let start = file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut out = Digested::new(BufWriter::with_capacity(self.buffer, &mut *file));
        let (mut last, mut words, mut bytes) = (Vec::new(), 0_u64, 0_u64);
        write(&mut |word, count| {
            words += 1;
            bytes += wide(word.len());
            out.put_word(&mut last, word, count).map_err(failed)
        })?;
        out.inner
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        let shelf = Arc::clone(self);
        Ok(Run::new(shelf, start, words, bytes))
    }
}

/// Sorted words in a file.
#[derive(Debug, Clone)]
pub(super) struct Run {
    shelf: Arc<Shelf>,
    start: u64,
    words: u64,
    bytes: u64,
}

impl Run {
    /// The run that begins at a byte of a shelf: so many words of so many bytes.
    pub(super) fn new(shelf: Arc<Shelf>, start: u64, words: u64, bytes: u64) -> Self {
        Self {
            shelf,
            start,
            words,
            bytes,
        }
    }

    pub(super) fn reader(&self) -> RunReader<'_> {
        let section = Section {
            shelf: &self.shelf,
            position: self.start,
        };
        RunReader {
            input: Digested::new(BufReader::with_capacity(self.shelf.buffer, section)),
            place: &self.shelf.place,
            words: self.words,
            number: 0,
        }
    }
}

impl Words for Run {
    fn unique(&self) -> usize {
        usize::try_from(self.words).unwrap_or(usize::MAX)
    }

    fn total_bytes(&self) -> usize {
        usize::try_from(self.bytes).unwrap_or(usize::MAX)
    }

    fn for_each(&self, found: &mut OnWord<'_>) -> Result<()> {
        pass_on(&mut self.reader(), found)
    }

    fn ordered(&self) -> Box<dyn Ordered + '_> {
        Box::new(self.reader())
    }
}

/// Call `found` with all words that are left.
pub(super) fn pass_on(words: &mut dyn Ordered, found: &mut OnWord<'_>) -> Result<()> {
    let mut word = Vec::new();
    while let Some(count) = words.next(&mut word)? {
        found(&word, count)?;
    }
    Ok(())
}

/// The bytes of a shelf from a place on. Readers of one shelf do not disturb
/// each other.
struct Section<'a> {
    shelf: &'a Shelf,
    position: u64,
}

impl Read for Section<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.shelf.lock();
        file.seek(SeekFrom::Start(self.position))?;
        let length = file.read(buffer)?;
        self.position += wide(length);
        Ok(length)
    }
}

/// The words of a run that are left.
pub(super) struct RunReader<'a> {
    input: Digested<BufReader<Section<'a>>>,
    place: &'a Path,
    words: u64,
    number: u64,
}

impl Ordered for RunReader<'_> {
    fn next(&mut self, word: &mut Vec<u8>) -> Result<Option<u64>> {
        if self.number == self.words {
            return Ok(None);
        }
        let count = self.input.take_word(word, self.number);
        self.number += 1;
        count.map(Some).map_err(|error| Error::Storage {
            place: self.place.display().to_string(),
            message: format!("words cannot be read back: {error}"),
        })
    }
}
