//! One character for another: widths, compatibility forms, variants.

use rustc_hash::FxHashMap;

use super::rewrite::{Rewriter, Status};
use crate::error::{Error, Result};

/// A table of characters and what stands for each, which may be empty.
#[derive(Debug)]
pub(super) struct Characters {
    replacements: FxHashMap<char, (String, String)>,
    /// Whether a block of 256 code points has a character of the table.
    pages: Vec<bool>,
}

/// The number of blocks of 256 code points.
const PAGES: usize = 0x1100;

impl Characters {
    /// A table of rows `character, replacement, reason`.
    ///
    /// # Errors
    /// Names the row whose key is not one character, or that contradicts another.
    pub(super) fn new(rows: &[(String, String, String)]) -> Result<Self> {
        let mut replacements = FxHashMap::default();
        let mut pages = vec![false; PAGES];
        for (key, replacement, reason) in rows {
            let mut characters = key.chars();
            let (Some(character), None) = (characters.next(), characters.next()) else {
                let message = format!("the key {key:?}, expected one character");
                return Err(Error::argument("characters", message));
            };
            pages[page(character)] = true;
            let value = (replacement.clone(), reason.clone());
            if let Some((other, _)) = replacements.insert(character, value)
                && other != *replacement
            {
                let message = format!("{key:?} stands for both {other:?} and {replacement:?}");
                return Err(Error::argument("characters", message));
            }
        }
        Ok(Self {
            replacements,
            pages,
        })
    }

    /// Rules of one character each that do the same one after the other, if there
    /// are such: no rule may find what one before it put in.
    pub(super) fn rules(&self) -> Option<Vec<(char, &str)>> {
        let mut rules: Vec<(char, &str)> = self
            .replacements
            .iter()
            .map(|(&character, (replacement, _))| (character, replacement.as_str()))
            .collect();
        rules.sort_unstable();
        let separate = rules.iter().all(|(character, replacement)| {
            let mut put_in = replacement.chars();
            put_in.all(|new| new == *character || !self.replacements.contains_key(&new))
        });
        separate.then_some(rules)
    }

    pub(super) fn rewrite(&self, text: &str, out: &mut Rewriter<'_>) {
        for (place, character) in text.char_indices() {
            if !self.pages[page(character)] {
                continue;
            }
            if let Some((replacement, reason)) = self.replacements.get(&character) {
                let range = place..place + character.len_utf8();
                if out.records() {
                    out.replace(range, replacement, Status::Sure, Vec::new(), reason.clone());
                } else {
                    out.put(range, replacement);
                }
            }
        }
    }
}

fn page(character: char) -> usize {
    crate::ids::index(u32::from(character) >> 8)
}
