//! Words to segments: Chinese clauses are long, rarely repeat, and fall apart.
//!
//! A word is cut wherever [`Cuts`] allows and each segment is encoded on its
//! own. On modern Chinese a segment has 1.7 characters on average: it is a
//! single character, whose token stands in a table, or short enough for the
//! cache. Only merging is local: that a whole word may be a token without being
//! made by merges is settled before a word is cut.

use super::super::cuts::Cuts;
use crate::ids::index;

/// No token has this id.
const NO_ID: u32 = u32::MAX;

/// Code points below this have an entry in the table.
const BASIC: u32 = 0x1_0000;

/// The cuts of a vocabulary and the tokens of single characters.
#[derive(Debug)]
pub(super) struct Segments {
    cuts: Cuts,
    /// The token that merging makes of each character, if it is one token.
    characters: Vec<u32>,
}

impl Segments {
    /// For a vocabulary of `pieces`, where `encode` gives what merging makes
    /// of a character if that is a single token.
    pub(super) fn new<'a>(
        pieces: impl Iterator<Item = &'a [u8]>,
        mut encode: impl FnMut(&str) -> Option<u32>,
    ) -> Self {
        let mut buffer = [0; 4];
        Self {
            cuts: Cuts::new(pieces),
            characters: (0..BASIC)
                .map(|code| {
                    char::from_u32(code)
                        .and_then(|character| encode(character.encode_utf8(&mut buffer)))
                        .unwrap_or(NO_ID)
                })
                .collect(),
        }
    }

    /// The token of a character, if merging makes one token of it.
    #[inline]
    pub(super) fn character(&self, character: char) -> Option<u32> {
        let id = self.characters.get(index(u32::from(character)));
        id.copied().filter(|&id| id != NO_ID)
    }

    /// Cut a word and give each segment in turn, with its character if it is
    /// only one.
    #[inline]
    pub(super) fn split(&self, word: &str, mut each: impl FnMut(&str, Option<char>)) {
        let mut characters = word.char_indices();
        let Some((mut start, mut last)) = characters.next() else {
            return;
        };
        let mut alone = true;
        for (place, character) in characters {
            if self.cuts.between(last, character) {
                each(&word[start..place], alone.then_some(last));
                start = place;
                alone = true;
            } else {
                alone = false;
            }
            last = character;
        }
        each(&word[start..], alone.then_some(last));
    }
}
