//! The rows of a dialect table, checked and found by their words.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::context::ContextDefinition;
use crate::error::{Error, Result};

/// Where a row applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// A form of address: in its contexts.
    Honorific,
    /// No word of Mandarin: everywhere.
    Any,
    /// Also a word of Mandarin: in a sentence with another sign of the dialect.
    Dialect,
}

/// A row.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryDefinition {
    /// The word of the dialect.
    pub token: String,
    /// What Mandarin has for it, the best first; the empty string for nothing.
    pub standard: Vec<String>,
    /// Where it applies.
    pub scope: Scope,
    /// The contexts that must all hold.
    #[serde(default)]
    pub contexts: Vec<String>,
    /// What edits give as the reason.
    #[serde(default)]
    pub reason: String,
}

/// A checked row.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) standard: Vec<String>,
    pub(super) scope: Scope,
    pub(super) contexts: Vec<usize>,
    pub(super) reason: String,
}

impl Entry {
    /// Whether neither of two rows of a word is narrower than the other.
    pub(super) fn equals(&self, other: &Self) -> bool {
        self.scope == other.scope && self.contexts.len() == other.contexts.len()
    }
}

/// Rows by their words.
#[derive(Debug)]
pub(super) struct Table {
    contexts: Vec<ContextDefinition>,
    /// By first character, the words that begin with it, the longest first; and
    /// the rows of each, the narrowest first.
    words: FxHashMap<char, Vec<(String, Vec<Entry>)>>,
}

fn refused(message: String) -> Error {
    Error::argument("entries", message)
}

impl Table {
    pub(super) fn new(
        entries: Vec<EntryDefinition>,
        contexts: Vec<ContextDefinition>,
    ) -> Result<Self> {
        let mut rows: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        for entry in entries {
            let token = entry.token.clone();
            let checked = check(entry, &contexts)?;
            let known = rows.entry(token.clone()).or_default();
            let same =
                |other: &&Entry| other.scope == checked.scope && other.contexts == checked.contexts;
            match known.iter().find(same) {
                Some(other) if other.standard == checked.standard => {}
                Some(other) => {
                    return Err(refused(format!(
                        "{token:?} has two standard forms in one context: {:?} and {:?}",
                        other.standard, checked.standard
                    )));
                }
                None => known.push(checked),
            }
        }
        check_cycles(&rows)?;
        let mut words: FxHashMap<char, Vec<(String, Vec<Entry>)>> = FxHashMap::default();
        for (token, mut entries) in rows {
            entries.sort_by_key(|entry| (std::cmp::Reverse(entry.contexts.len()), entry.scope));
            if let Some(first) = token.chars().next() {
                words.entry(first).or_default().push((token, entries));
            }
        }
        for list in words.values_mut() {
            list.sort_by_key(|(token, _)| std::cmp::Reverse(token.len()));
        }
        Ok(Self { contexts, words })
    }

    pub(super) fn contexts(&self) -> &[ContextDefinition] {
        &self.contexts
    }

    /// The words with which a text begins, the longest first: their bytes and rows.
    pub(super) fn beginning<'a, 't>(
        &'a self,
        text: &'t str,
    ) -> impl Iterator<Item = (usize, &'a [Entry])> + use<'a, 't> {
        let first = text.chars().next();
        let words = first.and_then(|first| self.words.get(&first));
        words
            .into_iter()
            .flatten()
            .filter(|(token, _)| text.starts_with(&**token))
            .map(|(token, entries)| (token.len(), entries.as_slice()))
    }
}

fn check(entry: EntryDefinition, contexts: &[ContextDefinition]) -> Result<Entry> {
    let token = &entry.token;
    if token.is_empty() {
        return Err(refused("an empty token, expected a word".to_owned()));
    }
    if entry.standard.is_empty() || entry.standard.contains(token) {
        return Err(refused(format!(
            "{token:?}: the standard forms {:?}, expected others than the token itself",
            entry.standard
        )));
    }
    if entry.scope == Scope::Honorific && entry.contexts.is_empty() {
        let message = format!("{token:?}: honorific without a context, expected one");
        return Err(refused(message));
    }
    let number = |name: &String| {
        let place = contexts.iter().position(|context| context.name == *name);
        place.ok_or_else(|| refused(format!("{token:?}: no context is called {name:?}")))
    };
    let mut numbers: Vec<usize> = entry.contexts.iter().map(number).collect::<Result<_>>()?;
    numbers.sort_unstable();
    numbers.dedup();
    Ok(Entry {
        standard: entry.standard,
        scope: entry.scope,
        contexts: numbers,
        reason: entry.reason,
    })
}

/// Fail when going from a word to its standard form, which may be a word of the
/// table again, comes back.
fn check_cycles(rows: &BTreeMap<String, Vec<Entry>>) -> Result<()> {
    // Words from which no way comes back.
    let mut safe: FxHashMap<&str, bool> = FxHashMap::default();
    for token in rows.keys() {
        let mut way: Vec<(&str, Vec<&str>)> = vec![(token, next_words(rows, token))];
        while let Some((word, rest)) = way.last_mut() {
            let word = *word;
            safe.entry(word).or_insert(false);
            let Some(next) = rest.pop() else {
                safe.insert(word, true);
                way.pop();
                continue;
            };
            match safe.get(next) {
                Some(true) => {}
                Some(false) => {
                    let mut names: Vec<&str> = way.iter().map(|(word, _)| *word).collect();
                    let start = names.iter().position(|&word| word == next).unwrap_or(0);
                    names.push(next);
                    let cycle = names[start..].join(" -> ");
                    return Err(refused(format!("the words go in a circle: {cycle}")));
                }
                None => way.push((next, next_words(rows, next))),
            }
        }
    }
    Ok(())
}

fn next_words<'a>(rows: &'a BTreeMap<String, Vec<Entry>>, token: &str) -> Vec<&'a str> {
    let entries = rows.get(token).into_iter().flatten();
    let forms = entries.flat_map(|entry| &entry.standard);
    forms
        .filter_map(|form| rows.get_key_value(form))
        .map(|(word, _)| word.as_str())
        .collect()
}
