//! One character for another: widths, compatibility forms, variants.

use std::cmp::Reverse;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::rewrite::{Rewriter, Status};
use crate::error::{Error, Result};
use crate::ids::{index, offset};

/// A table of characters and what stands for each, which may be empty.
///
/// A key of several characters is for what is written with a base and marks; the
/// longest key that stands at a place is the one that counts.
#[derive(Debug)]
pub(super) struct Characters {
    /// Where the block of each 256 code points begins in `cells`; most blocks are
    /// the first one, which is empty.
    blocks: Vec<u32>,
    /// For each code point of a block, the number of its rules and 1, or 0.
    cells: Vec<u32>,
    /// The rules of each character that begins a key, the longest key first.
    rules: Vec<(char, Vec<Rule>)>,
}

#[derive(Debug)]
struct Rule {
    /// What must follow the first character.
    rest: String,
    replacement: String,
    reason: String,
}

const BLOCK: usize = 0x100;
const BLOCKS: usize = 0x11_0000 / BLOCK;

impl Characters {
    /// A table of rows `key, replacement, reason`.
    ///
    /// # Errors
    /// Names the row whose key is empty, or that contradicts another.
    pub(super) fn new(rows: &[(String, String, String)]) -> Result<Self> {
        let mut table = Self {
            blocks: vec![0; BLOCKS],
            cells: vec![0; BLOCK],
            rules: Vec::new(),
        };
        let mut seen = FxHashMap::default();
        for (key, replacement, reason) in rows {
            let mut characters = key.chars();
            let Some(first) = characters.next() else {
                let message = format!("the key {key:?}, expected a character");
                return Err(Error::argument("characters", message));
            };
            match seen.insert(key, replacement) {
                Some(other) if other == replacement => continue,
                Some(other) => {
                    let message = format!("{key:?} stands for both {other:?} and {replacement:?}");
                    return Err(Error::argument("characters", message));
                }
                None => {}
            }
            let cell = table.cell(first);
            if table.cells[cell] == 0 {
                table.rules.push((first, Vec::new()));
                table.cells[cell] = offset(table.rules.len());
            }
            let entry = index(table.cells[cell]) - 1;
            table.rules[entry].1.push(Rule {
                rest: characters.as_str().to_owned(),
                replacement: replacement.clone(),
                reason: reason.clone(),
            });
        }
        for (_, rules) in &mut table.rules {
            rules.sort_by_key(|rule| Reverse(rule.rest.len()));
        }
        Ok(table)
    }

    /// The cell of a character, in a block of its own.
    fn cell(&mut self, character: char) -> usize {
        let (block, place) = split(character);
        if self.blocks[block] == 0 {
            self.blocks[block] = offset(self.cells.len());
            self.cells.resize(self.cells.len() + BLOCK, 0);
        }
        index(self.blocks[block]) + place
    }

    /// Replacements that do the same one after the other, if there are such: none
    /// may find what one before it put in, and longer keys go before shorter ones.
    pub(super) fn replacements(&self) -> Option<Vec<(String, &str)>> {
        let mut rows: Vec<(String, &str)> = Vec::new();
        for (first, rules) in &self.rules {
            rows.extend(rules.iter().map(|rule| {
                let key = format!("{first}{}", rule.rest);
                (key, rule.replacement.as_str())
            }));
        }
        rows.sort_unstable_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        // A longer key must not overlap another, or its end would hide a start.
        let begins = |c: char| self.find(c).is_some_and(|rules| !rules[0].rest.is_empty());
        let marks: FxHashSet<char> = rows
            .iter()
            .flat_map(|(key, _)| key.chars().skip(1))
            .collect();
        let apart = rows.iter().all(|(key, replacement)| {
            let own = |new: char| key.chars().eq([new]);
            replacement
                .chars()
                .all(|new| own(new) || (self.find(new).is_none() && !marks.contains(&new)))
        });
        let fits = apart && !marks.into_iter().any(begins);
        fits.then_some(rows)
    }

    /// The rules of a character.
    #[inline]
    fn find(&self, character: char) -> Option<&[Rule]> {
        let (block, place) = split(character);
        let cell = self.cells[index(self.blocks[block]) + place];
        let entry = index(cell).checked_sub(1)?;
        self.rules.get(entry).map(|(_, rules)| rules.as_slice())
    }

    pub(super) fn rewrite(&self, text: &str, out: &mut Rewriter<'_>) {
        let mut done = 0;
        for (place, character) in text.char_indices() {
            let Some(rules) = self.find(character) else {
                continue;
            };
            if place < done {
                continue;
            }
            let behind = place + character.len_utf8();
            let fits = |rule: &&Rule| text[behind..].starts_with(rule.rest.as_str());
            if let Some(rule) = rules.iter().find(fits) {
                done = behind + rule.rest.len();
                rule.apply(place..done, out);
            }
        }
    }
}

impl Rule {
    fn apply(&self, range: Range<usize>, out: &mut Rewriter<'_>) {
        if out.records() {
            let reason = self.reason.clone();
            out.replace(range, &self.replacement, Status::Sure, Vec::new(), reason);
        } else {
            out.put(range, &self.replacement);
        }
    }
}

/// The number of a character's block, and its place in the block.
#[inline]
fn split(character: char) -> (usize, usize) {
    let code = index(u32::from(character));
    (code / BLOCK, code % BLOCK)
}

#[cfg(test)]
mod tests;
