//! Which sentences of a text are in the script already to which it is converted.
//!
//! Many characters are of both scripts (台 面 里 于 后 干). A sentence in which more
//! characters are of the target script alone than of the source script alone is in the
//! target script; one that has neither is what its line is, and then what the text is.
//! Where nothing tells, it is converted.

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::ids::{index, offset};

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

/// A part of a text, behind the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sentence {
    /// Its end in bytes.
    pub(super) end: u32,
    /// Whether it is in the target script.
    pub(super) is_target: bool,
}

/// How many characters of a part are of one script alone.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    source: u64,
    target: u64,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.source += other.source;
        self.target += other.target;
    }

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

    /// The sentences of a text; none where no sentence is in the target script.
    ///
    /// # Complexity
    /// O(n) for n bytes.
    pub(super) fn sentences(&self, text: &str) -> Vec<Sentence> {
        let is_sign = |character| self.sign(character) == Sign::Target;
        if !text.contains(is_sign) {
            return Vec::new();
        }
        let mut whole = Count::default();
        // Sentences with what they are, if that is known, by the line that they are in.
        let mut found: Vec<(u32, Option<bool>)> = Vec::new();
        for line in text.split_inclusive('\n') {
            let start = found.len();
            let from = found.last().map_or(0, |&(end, _)| end);
            let mut in_line = Count::default();
            let mut end = from;
            for sentence in line.split_inclusive(['。', '！', '？', '!', '?']) {
                let count = self.count(sentence);
                in_line.add(count);
                end += offset(sentence.len());
                found.push((end, count.is_target()));
            }
            for (_, is_target) in &mut found[start..] {
                *is_target = is_target.or(in_line.is_target());
            }
            whole.add(in_line);
        }
        let whole = whole.is_target().unwrap_or(false);
        let sentences = found.into_iter().map(|(end, is_target)| Sentence {
            end,
            is_target: is_target.unwrap_or(whole),
        });
        sentences.collect()
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

#[cfg(test)]
mod tests;
