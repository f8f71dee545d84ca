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

use rustc_hash::FxHashSet;

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
        self.find(
            text,
            sentence.clone(),
            |range, _| edges[range.start] && edges[range.end],
            &mut found,
        );
        let Some(words) = &self.words else {
            return found;
        };
        // Between them, words of the dialect that the dictionary has no word for.
        let mut gap = sentence.start;
        let mut more = Vec::new();
        let ends = found.iter().map(|found| found.range.clone());
        for next in ends.chain(std::iter::once(sentence.end..sentence.end)) {
            let likelier = |range: &Range<usize>, entries: &[Entry]| {
                entries.iter().any(|entry| entry.scope == Scope::Any)
                    && is_likelier(words, text, edges, range)
            };
            self.find(text, gap..next.start, likelier, &mut more);
            gap = next.end;
        }
        found.append(&mut more);
        found.sort_by_key(|found| found.range.start);
        found
    }

    /// The longest words of the table that are wanted, from left to right.
    fn find<'a>(
        &'a self,
        text: &str,
        part: Range<usize>,
        wanted: impl Fn(&Range<usize>, &[Entry]) -> bool,
        found: &mut Vec<Match<'a>>,
    ) {
        let mut place = part.start;
        while let Some(character) = text[place..part.end].chars().next() {
            let rest = &text[place..part.end];
            let mut words = self.table.beginning(rest);
            match words.find(|(length, entries)| wanted(&(place..place + length), entries)) {
                Some((length, entries)) => {
                    let range = place..place + length;
                    place = range.end;
                    found.push(Match { range, entries });
                }
                None => place += character.len_utf8(),
            }
        }
    }
}

/// How frequent a word of a dialect is taken to be, beside those of the dictionary.
const FREQUENCY: u64 = 2000;

/// How many bytes over its edges the words around it are looked at.
const NEAR: usize = 64;

/// Whether a word of two or more characters, in the place of the words that reach
/// over its edges, makes these characters likelier.
fn is_likelier(words: &WordSegmenter, text: &str, edges: &[bool], word: &Range<usize>) -> bool {
    if text[word.clone()].chars().nth(1).is_none() {
        return false;
    }
    let near = word.start.saturating_sub(NEAR)..=word.start;
    let start = near.rev().find(|&place| edges[place]);
    let end = (word.end..=text.len().min(word.end + NEAR)).find(|&place| edges[place]);
    let (Some(start), Some(end)) = (start, end) else {
        return false;
    };
    let score = |range: Range<usize>| words.score(&text[range]);
    match (
        score(start..end),
        score(start..word.start),
        score(word.end..end),
    ) {
        (Some(known), Some(before), Some(after)) => {
            before + words.score_of_frequency(FREQUENCY) + after > known
        }
        _ => false,
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
    for (place, entry) in found.entries.iter().enumerate() {
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
        let mut forms = Vec::new();
        if out.records() {
            forms.clone_from(&entry.standard);
            // Rows of the same rank that apply as well: the order of a file is no reason.
            for other in found.entries[place + 1..]
                .iter()
                .filter(|row| row.equals(entry))
            {
                let mut contexts = other.contexts.iter();
                if contexts.all(|&context| surroundings.hold(context, &range)) {
                    forms.extend_from_slice(&other.standard);
                }
            }
            let mut seen = FxHashSet::default();
            forms.retain(|form| seen.insert(form.clone()));
        }
        let (status, candidates) = match forms.len() {
            0 | 1 => (Status::Sure, Vec::new()),
            _ => (Status::Ambiguous, forms),
        };
        let standard = &entry.standard[0];
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
