//! A word's characters to its first symbols.
//!
//! Characters after the first carry the continuing prefix, the last one the
//! end-of-word suffix. What is not in the vocabulary becomes bytes, the
//! unknown token, or nothing, in this order of preference.
//!
//! The reference's details are kept: bytes of a fallback go before unknown
//! characters that are still pending; the bytes of prefix and suffix are
//! counted as one byte of the word each; a character that becomes nothing
//! moves the offsets of all that follow.

use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::ids::offset;
use crate::model::vocabulary::Vocabulary;

/// What stands for characters outside the vocabulary.
#[derive(Debug, Clone)]
enum Unknown {
    /// Nothing: they are dropped.
    Dropped,
    /// This id.
    Token(u32),
    /// A token that is not in the vocabulary itself: an error if needed.
    Missing(String),
}

/// The rules for the first symbols of a word.
#[derive(Debug, Clone)]
pub(super) struct Symbols {
    /// The id of each character inside a word, prefix included.
    inner: FxHashMap<char, u32>,
    prefix: String,
    suffix: String,
    unknown: Unknown,
    fuse_unknown: bool,
    /// The ids of `<0x00>` to `<0xFF>`; empty without byte fallback.
    bytes: Vec<Option<u32>>,
}

impl Symbols {
    pub(super) fn new(
        vocabulary: &Vocabulary,
        prefix: Option<&str>,
        suffix: Option<&str>,
        unknown: Option<&str>,
        fuse_unknown: bool,
        byte_fallback: bool,
    ) -> Self {
        let prefix = prefix.unwrap_or_default().to_owned();
        let inner = vocabulary
            .iter()
            .filter_map(|(piece, id)| {
                let text = std::str::from_utf8(piece).ok()?;
                let mut characters = text.strip_prefix(prefix.as_str())?.chars();
                match (characters.next(), characters.next()) {
                    (Some(character), None) => Some((character, id)),
                    _ => None,
                }
            })
            .collect();
        let bytes = match byte_fallback {
            true => (0..=u8::MAX)
                .map(|byte| vocabulary.id(format!("<0x{byte:02X}>").as_bytes()))
                .collect(),
            false => Vec::new(),
        };
        let unknown = match unknown {
            None => Unknown::Dropped,
            Some(piece) => match vocabulary.id(piece.as_bytes()) {
                Some(id) => Unknown::Token(id),
                None => Unknown::Missing(piece.to_owned()),
            },
        };
        Self {
            inner,
            prefix,
            suffix: suffix.unwrap_or_default().to_owned(),
            unknown,
            fuse_unknown,
            bytes,
        }
    }

    /// Give each first symbol of `word` and its length in bytes to `push`.
    ///
    /// # Errors
    /// [`Error::Encode`] when the unknown token is needed and missing.
    pub(super) fn split(
        &self,
        word: &str,
        vocabulary: &Vocabulary,
        mut push: impl FnMut(u32, u32),
    ) -> Result<()> {
        let mut pending: Option<(u32, u32)> = None;
        for (start, character) in word.char_indices() {
            let length = character.len_utf8();
            let first = start == 0;
            let last = start + length == word.len();
            let affixed = (first && !self.prefix.is_empty()) || (last && !self.suffix.is_empty());
            let known = if affixed {
                vocabulary.id(self.spell(character, first, last).as_bytes())
            } else {
                self.inner.get(&character).copied()
            };
            if let Some(id) = known {
                if let Some((unknown, length)) = pending.take() {
                    push(unknown, length);
                }
                push(id, offset(length));
                continue;
            }
            if !self.bytes.is_empty() {
                let spelling = self.spell(character, first, last);
                let byte = |byte: u8| self.bytes[usize::from(byte)];
                if spelling.bytes().all(|value| byte(value).is_some()) {
                    spelling.bytes().filter_map(byte).for_each(|id| push(id, 1));
                    continue;
                }
            }
            let id = match &self.unknown {
                Unknown::Dropped => continue,
                Unknown::Token(id) => *id,
                Unknown::Missing(piece) => {
                    return Err(Error::encode(format!(
                        "the character {character:?} is not in the vocabulary, and neither is \
                         the unknown token {piece:?}; set model.unk_token to a piece of \
                         model.vocab"
                    )));
                }
            };
            pending = match pending {
                Some((unknown, before)) if self.fuse_unknown => {
                    Some((unknown, before + offset(length)))
                }
                before => {
                    if let Some((unknown, length)) = before {
                        push(unknown, length);
                    }
                    Some((id, offset(length)))
                }
            };
        }
        if let Some((unknown, length)) = pending {
            push(unknown, length);
        }
        Ok(())
    }

    fn spell(&self, character: char, first: bool, last: bool) -> String {
        let mut spelling = String::new();
        if !first {
            spelling.push_str(&self.prefix);
        }
        spelling.push(character);
        if last {
            spelling.push_str(&self.suffix);
        }
        spelling
    }
}
