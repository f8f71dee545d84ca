//! The longest key that a text begins with.

mod starts;

use self::starts::Starts;
use super::dictionary::Entry;
use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::model::trie::{Cursor, Trie};
use crate::zh::pair_set::PairSet;

/// A table, compiled.
#[derive(Debug)]
pub(super) struct Matcher {
    /// The characters with which a key begins.
    starts: Starts,
    /// The two characters with which a longer key begins.
    pairs: PairSet,
    trie: Trie,
    /// By block of 256 code points, its place in `cells`; the first page is empty.
    pages: Vec<u16>,
    cells: Vec<[Cell; PAGE]>,
    rules: Vec<Rule>,
    /// The values of all rules.
    text: String,
    /// Where each value ends in `text`; it begins where the one before it ends.
    ends: Vec<u32>,
}

/// What is known of the keys that begin with a character.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Where it leads in the trie; to the root where no longer key begins with it.
    longer: Cursor,
    /// The rule of the character itself, or [`NONE`].
    rule: u32,
}

const NONE: u32 = u32::MAX;
const PAGE: usize = 256;
const PAGES: usize = 0x11_0000 / PAGE;

/// What stands for a key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// The first of its values, which is put, and one past the last.
    values: (u32, u32),
    /// Whether the value differs from the key.
    pub(super) changes: bool,
    /// Whether the key is one character.
    pub(super) character: bool,
    /// Whether a better value was passed over because few fonts have it.
    pub(super) rare: bool,
    /// Whether it is from the first of the dictionaries.
    pub(super) first_tier: bool,
}

impl Rule {
    /// Whether something else could be put.
    pub(super) fn is_ambiguous(&self) -> bool {
        self.values.1 - self.values.0 > 1
    }
}

impl Matcher {
    /// The matcher of these entries.
    ///
    /// # Errors
    /// When the keys have more than 16 MB in all.
    pub(super) fn new(table: &[Entry<'_>]) -> Result<Self> {
        let keys = table.iter().map(|entry| entry.key.as_bytes());
        let trie = Trie::build(keys.zip(0..))
            .map_err(|error| Error::argument("files", error.to_string()))?;
        let empty = Cell {
            longer: trie.root(),
            rule: NONE,
        };
        let mut matcher = Self {
            starts: Starts::default(),
            pairs: PairSet::default(),
            trie,
            pages: vec![0; PAGES],
            cells: vec![[empty; PAGE]],
            rules: Vec::with_capacity(table.len()),
            text: String::new(),
            ends: Vec::new(),
        };
        for entry in table {
            matcher.add(entry);
        }
        Ok(matcher)
    }

    fn add(&mut self, entry: &Entry<'_>) {
        let number = offset(self.rules.len());
        let first_value = offset(self.ends.len());
        for value in &entry.values {
            self.text.push_str(value);
            self.ends.push(offset(self.text.len()));
        }
        self.rules.push(Rule {
            values: (first_value, offset(self.ends.len())),
            changes: entry.values[0] != entry.key,
            character: entry.is_character(),
            rare: entry.rare,
            first_tier: entry.first_tier,
        });
        let mut characters = entry.key.chars();
        let Some(first) = characters.next() else {
            return;
        };
        self.starts.add(first);
        let (page, place) = place(first);
        if self.pages[page] == 0 {
            self.pages[page] =
                u16::try_from(self.cells.len()).expect("Unicode has fewer than 2^16 pages");
            self.cells.push(self.cells[0].map(|empty| empty));
        }
        let cell = &mut self.cells[usize::from(self.pages[page])][place];
        match characters.next() {
            None => cell.rule = number,
            Some(second) => {
                self.pairs.add(first, second);
                let bytes = &entry.key.as_bytes()[..first.len_utf8()];
                let step = |cursor, &byte| self.trie.step(cursor, byte);
                if let Some(cursor) = bytes.iter().try_fold(self.trie.root(), step) {
                    cell.longer = cursor;
                }
            }
        }
    }

    /// The first place from `at` on with which a key or a description sequence
    /// may begin; `at` is where a character begins.
    #[inline]
    pub(super) fn next_start(&self, text: &str, at: usize) -> usize {
        self.starts.next(text.as_bytes(), at)
    }

    /// The length in bytes of the longest key that `text` begins with, and its
    /// rule.
    #[inline]
    pub(super) fn longest(&self, text: &str) -> Option<(usize, Rule)> {
        let mut characters = text.chars();
        let first = characters.next()?;
        let (page, place) = place(first);
        let cell = &self.cells[usize::from(self.pages[page])][place];
        let length = first.len_utf8();
        let single = (cell.rule != NONE).then_some((length, cell.rule));
        let longer = cell.longer != self.trie.root()
            && characters
                .next()
                .is_some_and(|next| self.pairs.has(first, next));
        let found = if longer {
            self.longest_from(cell.longer, length, text.as_bytes())
                .or(single)
        } else {
            single
        };
        found.map(|(length, rule)| (length, self.rules[index(rule)]))
    }

    /// As [`Self::longest`], of the keys of which `fits` takes the length; a
    /// character alone always fits.
    pub(super) fn longest_fitting(
        &self,
        text: &str,
        fits: &dyn Fn(usize) -> bool,
    ) -> Option<(usize, Rule)> {
        let first = text.chars().next()?;
        let (page, place) = place(first);
        let cell = &self.cells[usize::from(self.pages[page])][place];
        let length = first.len_utf8();
        let single = (cell.rule != NONE).then_some((length, cell.rule));
        let mut found = single;
        let mut cursor = cell.longer;
        let next = text[length..].chars().next();
        if cursor != self.trie.root() && next.is_some_and(|next| self.pairs.has(first, next)) {
            let mut fitting = |length, rule| {
                if fits(length) {
                    found = Some((length, rule));
                }
            };
            for (length, &byte) in (length + 1..).zip(&text.as_bytes()[length..]) {
                let Some(next) = self.trie.step(cursor, byte) else {
                    break;
                };
                cursor = next;
                if let Some(rule) = self.trie.value(cursor) {
                    fitting(length, rule);
                }
            }
        }
        found.map(|(length, rule)| (length, self.rules[index(rule)]))
    }

    fn longest_from(&self, mut cursor: Cursor, start: usize, text: &[u8]) -> Option<(usize, u32)> {
        let mut found = None;
        for (length, &byte) in (start + 1..).zip(&text[start..]) {
            let Some(next) = self.trie.step(cursor, byte) else {
                break;
            };
            cursor = next;
            if let Some(rule) = self.trie.value(cursor) {
                found = Some((length, rule));
            }
        }
        found
    }

    /// What a rule puts.
    #[inline]
    pub(super) fn value(&self, rule: Rule) -> &str {
        self.values_at(rule.values.0)
    }

    /// What could stand there instead, the best first.
    pub(super) fn others(&self, rule: Rule) -> impl Iterator<Item = &str> {
        (rule.values.0 + 1..rule.values.1).map(|number| self.values_at(number))
    }

    #[inline]
    fn values_at(&self, number: u32) -> &str {
        let number = index(number);
        let start = number.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.text[index(start)..index(self.ends[number])]
    }
}

fn place(character: char) -> (usize, usize) {
    let code = index(u32::from(character));
    (code / PAGE, code % PAGE)
}

#[cfg(test)]
mod tests;
