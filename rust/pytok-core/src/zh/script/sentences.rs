//! Which sentences of a text are in the script already to which it is converted.
//!
//! Many characters are of both scripts (台 面 里 于 后 干). A sentence in which more
//! characters are of the target script alone than of the source script alone is in the
//! target script; one that has neither is what its line is, and then what the text is.
//! Where nothing tells, it is converted.

use std::ops::Range;

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::ids::index;

/// The characters by which scripts are told apart.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScriptsDefinition {
    /// The number of the table that changes the script.
    pub(super) table: usize,
    /// Characters of the script that is converted which the other one does not have.
    source: String,
    /// Characters of the other script which this one does not have.
    target: String,
}

/// What a character says of its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    None,
    Source,
    Target,
}

/// The signs of characters, compiled.
#[derive(Debug)]
pub(super) struct Signs {
    /// Of the characters of the basic plane.
    signs: Vec<Sign>,
}

/// How many characters of a part are of one script alone.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    source: u64,
    target: u64,
}

impl Count {
    fn is_target(self) -> Option<bool> {
        (self.source + self.target > 0).then_some(self.target > self.source)
    }
}

impl Signs {
    /// # Errors
    /// When a character is beyond the basic plane, or in both lists.
    pub(super) fn new(definition: &ScriptsDefinition) -> Result<Self> {
        let mut signs = vec![Sign::None; 0x1_0000];
        let source = definition
            .source
            .chars()
            .zip(std::iter::repeat(Sign::Source));
        let target = definition
            .target
            .chars()
            .zip(std::iter::repeat(Sign::Target));
        for (character, sign) in source.chain(target) {
            match signs.get_mut(index(u32::from(character))) {
                Some(place) if *place == Sign::None || *place == sign => *place = sign,
                _ => {
                    let message = format!(
                        "{character:?}, expected a character of the basic plane in one list"
                    );
                    return Err(Error::argument("scripts", message));
                }
            }
        }
        Ok(Self { signs })
    }

    fn sign(&self, character: char) -> Sign {
        let place = self.signs.get(index(u32::from(character)));
        *place.unwrap_or(&Sign::None)
    }

    /// Whether a part has a character of the source script alone.
    pub(super) fn has_source(&self, part: &str) -> bool {
        part.chars()
            .any(|character| self.sign(character) == Sign::Source)
    }

    /// The sentences of a text, of which none is looked at yet.
    pub(super) fn sentences<'a>(&'a self, text: &'a str) -> Sentences<'a> {
        Sentences {
            signs: self,
            text,
            sentence: Known::default(),
            line: Known::default(),
            whole: None,
        }
    }

    fn count(&self, part: &str) -> Count {
        let mut count = Count::default();
        for character in part.chars() {
            match self.sign(character) {
                Sign::None => {}
                Sign::Source => count.source += 1,
                Sign::Target => count.target += 1,
            }
        }
        count
    }
}

/// A part of a text, and what it is in, if that is known.
#[derive(Debug, Default)]
struct Known<T> {
    range: Range<usize>,
    is_target: T,
}

/// The sentences of a text, for places that are asked for from left to right. A text
/// in which little changes is not read to the end for it.
#[derive(Debug)]
pub(super) struct Sentences<'a> {
    signs: &'a Signs,
    text: &'a str,
    /// The sentence and the line that were looked at last.
    sentence: Known<bool>,
    line: Known<Option<bool>>,
    /// What the text is in, if that was asked for.
    whole: Option<bool>,
}

impl Sentences<'_> {
    /// Whether the sentence of a place is in the target script. The place does not lie
    /// before the sentence that was asked for last.
    ///
    /// # Complexity
    /// O(n) in all for a text of n bytes, however often it is asked.
    pub(super) fn is_target(&mut self, place: usize) -> bool {
        if place >= self.sentence.range.end {
            let range = part(self.text, self.sentence.range.end, place, &SENTENCE_ENDS);
            let is_target = self.signs.count(&self.text[range.clone()]).is_target();
            let is_target = is_target.unwrap_or_else(|| self.line_is_target(place));
            self.sentence = Known { range, is_target };
        }
        self.sentence.is_target
    }

    fn line_is_target(&mut self, place: usize) -> bool {
        if place >= self.line.range.end {
            let range = part(self.text, self.line.range.end, place, &['\n']);
            let is_target = self.signs.count(&self.text[range.clone()]).is_target();
            self.line = Known { range, is_target };
        }
        self.line.is_target.unwrap_or_else(|| {
            let count = || self.signs.count(self.text).is_target().unwrap_or(false);
            *self.whole.get_or_insert_with(count)
        })
    }
}

const SENTENCE_ENDS: [char; 6] = ['。', '！', '？', '!', '?', '\n'];

/// The part of a text around a place that ends behind one of these characters; a part
/// begins at `from`.
fn part(text: &str, from: usize, place: usize, ends: &[char]) -> Range<usize> {
    let mut before = text[from..place].char_indices().rev();
    let mut after = text[place..].char_indices();
    let is_end = |(_, character): &(usize, char)| ends.contains(character);
    let behind = |(at, character): (usize, char)| at + character.len_utf8();
    let start = before.find(is_end).map_or(from, |end| from + behind(end));
    let end = after
        .find(is_end)
        .map_or(text.len(), |end| place + behind(end));
    start..end
}

#[cfg(test)]
mod tests;
