//! The dictionaries of OpenCC: what stands for what.

use crate::error::{Error, Result};

/// A key and what can stand for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    /// What is replaced.
    pub(super) key: &'a str,
    /// What can stand for it, the best first; at least one.
    pub(super) values: Vec<&'a str>,
    /// Whether the best was passed over because few fonts have it.
    pub(super) rare: bool,
    /// Whether it is from the first dictionary of its group.
    pub(super) first_tier: bool,
}

impl<'a> Entry<'a> {
    /// A key and what can stand for it.
    pub(super) fn new(key: &'a str, values: Vec<&'a str>) -> Self {
        Self {
            key,
            values,
            rare: false,
            first_tier: false,
        }
    }

    /// Whether the key is one character.
    pub(super) fn is_character(&self) -> bool {
        self.key.chars().nth(1).is_none()
    }

    /// Put the key in its own place, before what could stand there.
    pub(super) fn keep_key(&mut self) {
        self.values.retain(|value| *value != self.key);
        self.values.insert(0, self.key);
        self.rare = true;
    }

    /// Say that the key stays because few fonts have what could stand for it.
    pub(super) fn mark_rare(&mut self) {
        self.rare |= self.values[0] == self.key && !self.values.iter().all(|it| self.is_common(it));
    }

    /// Move the first value to the front that has no character beyond the basic
    /// plane but those of the key. Where there is none the key stays; whether
    /// there is one.
    pub(super) fn put_common(&mut self) -> bool {
        match self.values.iter().position(|value| self.is_common(value)) {
            Some(0) => true,
            Some(place) => {
                self.values[..=place].rotate_right(1);
                self.rare = true;
                true
            }
            None => {
                self.keep_key();
                false
            }
        }
    }

    fn is_common(&self, value: &str) -> bool {
        let common = |character| character <= '\u{ffff}' || self.key.contains(character);
        value.chars().all(common)
    }
}

/// Read lines `key TAB value[ value ...]`; empty lines and those that begin with
/// `#` are skipped, and of a key that is listed twice the first line counts.
///
/// # Errors
/// Names the line that is not like that.
pub(super) fn parse<'a>(file: &str, text: &'a str) -> Result<Vec<Entry<'a>>> {
    let mut entries = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let refuse = || {
            let message = format!(
                "{file}, line {}: {line:?}, expected a key, a tab and values with spaces between",
                number + 1
            );
            Error::argument("files", message)
        };
        let (key, values) = line.split_once('\t').ok_or_else(refuse)?;
        let values: Vec<&str> = values.split(' ').collect();
        if key.is_empty() || values[0].is_empty() {
            return Err(refuse());
        }
        entries.push(Entry::new(key, values));
    }
    Ok(entries)
}
