//! Words of a dialect and what Mandarin has for them.
//!
//! A word is replaced where it stands as a word of its own: no word of the
//! segmenter reaches over its edges. Where words of the table overlap, the
//! leftmost longest wins. What is also ordinary Mandarin is touched only in a
//! sentence with other signs of the dialect, and what is a form of address only
//! in the contexts that its row names.

mod context;
mod table;

use std::ops::Range;

pub use self::context::ContextDefinition;
use self::context::Surroundings;
use self::table::{Entry, Table};
pub use self::table::{EntryDefinition, Scope};
use super::rewrite::{Rewriter, Status};
use crate::error::Result;
use crate::train::segmenter::WordSegmenter;

/// A compiled table.
#[derive(Debug)]
pub(super) struct Dialect {
    table: Table,
    words: Option<WordSegmenter>,
}

/// A word of the table in a text.
struct Match<'a> {
    range: Range<usize>,
    entries: &'a [Entry],
}

impl Dialect {
    /// A table, and the dictionary of the words that must not be cut.
    ///
    /// # Errors
    /// Names the entry that contradicts another, is part of a cycle, or asks for
    /// a context that there is not.
    pub(super) fn new(
        entries: Vec<EntryDefinition>,
        contexts: Vec<ContextDefinition>,
        dictionary: &str,
    ) -> Result<Self> {
        let words = (!dictionary.is_empty()).then(|| WordSegmenter::from_dictionary(dictionary));
        Ok(Self {
            table: Table::new(entries, contexts)?,
            words: words.transpose()?,
        })
    }

    pub(super) fn rewrite(&self, text: &str, out: &mut Rewriter<'_>) {
        let edges = self.edges(text);
        let mut document = Surroundings::of_document(text, self.table.contexts());
        for sentence in sentences(text) {
            let found = self.matches(text, sentence.clone(), &edges);
            if found.is_empty() {
                continue;
            }
            document.enter(sentence);
            let signs = found.iter().any(|found| is_sign(found, &mut document));
            for found in found {
                apply(&found, signs, &mut document, out);
            }
        }
    }

    /// Where words begin and end: a bit for each byte, and one for the end.
    fn edges(&self, text: &str) -> Vec<bool> {
        let Some(words) = &self.words else {
            return vec![true; text.len() + 1];
        };
        let mut edges = vec![false; text.len() + 1];
        edges[0] = true;
        edges[text.len()] = true;
        words.boundaries(text, &mut |byte| edges[byte] = true);
        edges
    }

    /// The words of the table in a sentence, from left to right.
    fn matches(&self, text: &str, sentence: Range<usize>, edges: &[bool]) -> Vec<Match<'_>> {
        let mut found = Vec::new();
        let mut place = sentence.start;
        while let Some(character) = text[place..sentence.end].chars().next() {
            let rest = &text[place..sentence.end];
            let longest = self
                .table
                .beginning(rest)
                .find(|(length, _)| edges[place] && edges[place + length]);
            if let Some((length, entries)) = longest {
                found.push(Match {
                    range: place..place + length,
                    entries,
                });
                place += length;
            } else {
                place += character.len_utf8();
            }
        }
        found
    }
}

/// Whether a word shows that its sentence is in the dialect.
fn is_sign(found: &Match<'_>, surroundings: &mut Surroundings<'_>) -> bool {
    let mut entries = found.entries.iter();
    entries.any(|entry| {
        let mut contexts = entry.contexts.iter();
        entry.scope == Scope::Any
            && contexts.all(|&context| surroundings.hold(context, &found.range))
    })
}

/// Replace a word by what the first of its entries that applies says.
fn apply(
    found: &Match<'_>,
    signs: bool,
    surroundings: &mut Surroundings<'_>,
    out: &mut Rewriter<'_>,
) {
    let range = found.range.clone();
    let mut missing = None;
    for entry in found.entries {
        if entry.scope == Scope::Dialect && !signs {
            continue;
        }
        let unmet = entry
            .contexts
            .iter()
            .find(|&&context| !surroundings.hold(context, &range));
        if let Some(&context) = unmet {
            missing.get_or_insert((entry, context));
            continue;
        }
        let standard = &entry.standard[0];
        let (status, candidates) = match entry.standard.len() {
            1 => (Status::Sure, Vec::new()),
            _ if out.records() => (Status::Ambiguous, entry.standard.clone()),
            _ => (Status::Ambiguous, Vec::new()),
        };
        out.replace(range, standard, status, candidates, entry.reason.clone());
        return;
    }
    if let (Some((entry, context)), true) = (missing, out.records()) {
        let reason = format!("{}: not {}", entry.reason, surroundings.name(context));
        out.keep(range, entry.standard.clone(), reason);
    }
}

/// The sentences of a text, each with the marks that end it.
fn sentences(text: &str) -> impl Iterator<Item = Range<usize>> {
    let ends = |character| {
        matches!(
            character,
            '。' | '！' | '？' | '!' | '?' | '；' | ';' | '\n'
        )
    };
    let mut start = 0;
    std::iter::from_fn(move || {
        if start == text.len() {
            return None;
        }
        let end = match text[start..].find(ends) {
            Some(mark) => {
                let rest = &text[start + mark..];
                let marks = rest.find(|character| !ends(character));
                start + mark + marks.unwrap_or(rest.len())
            }
            None => text.len(),
        };
        let sentence = start..end;
        start = end;
        Some(sentence)
    })
}

#[cfg(test)]
mod tests;
