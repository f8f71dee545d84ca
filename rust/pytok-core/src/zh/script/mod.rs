//! Conversion between traditional and simplified characters and the standards of
//! regions, with the dictionaries of OpenCC.
//!
//! A conversion is a chain of tables (`matcher`). A text is cut into segments
//! first; each table then replaces, from left to right, the longest key that the
//! rest of the segment begins with (`layer`). What the tables did one after the
//! other is told as one change (`changes`). With the segmentation of the
//! configuration file, or one segment where it has none, the result is that of
//! OpenCC. With care, no phrase reaches over the edge of a word (`edges`), and what
//! is in the target script already stays (`sentences`).

mod changes;
mod configuration;
mod description;
mod dictionary;
mod edges;
mod layer;
mod matcher;
mod sentences;

pub use self::configuration::ScriptDefinition;

use std::sync::Arc;

use self::edges::Folds;
use self::layer::{Care, Layer, Segment};
use self::matcher::Matcher;
use self::sentences::{ScriptsDefinition, Signs};
use super::rewrite::{Rewriter, Status};
use super::words::Words;
use crate::error::{Error, Result};
use crate::ids::{index, offset};

/// A conversion, compiled.
#[derive(Debug)]
pub(super) struct Script {
    keep: Option<Matcher>,
    normalization: Vec<Matcher>,
    phrases: Phrases,
    chain: Vec<Matcher>,
    /// The words of which no phrase takes a part and the next word.
    words: Option<Arc<Words>>,
    /// As what traditional characters are looked up in them, from which table on.
    folds: (Folds, usize),
    /// How scripts are told apart, and the table that changes the script.
    signs: Option<(usize, Signs)>,
}

/// The phrases that no rule may cross.
#[derive(Debug)]
enum Phrases {
    None,
    /// Those of the first dictionary of the chain.
    First,
    Own(Box<Matcher>),
}

impl Script {
    /// The conversion of a definition, with the words that it names.
    ///
    /// # Errors
    /// Names the file or the field that is not as expected.
    pub(super) fn new(definition: &ScriptDefinition, words: Option<&Arc<Words>>) -> Result<Self> {
        if definition.has_words() && words.is_none() {
            let message = "none, expected the words of the dictionary that the step names";
            return Err(Error::argument("words", message));
        }
        let signs = |scripts: &ScriptsDefinition| Ok((scripts.table, Signs::new(scripts)?));
        let compile = |tables: Vec<configuration::Table<'_>>| {
            let matchers = tables.iter().map(|table| Matcher::new(table));
            matchers.collect::<Result<Vec<_>>>()
        };
        let phrases = if definition.cuts_with_first() {
            Phrases::First
        } else {
            match definition.segmentation()? {
                Some(table) => Phrases::Own(Box::new(Matcher::new(&table)?)),
                None => Phrases::None,
            }
        };
        let keep = definition.keep_list();
        Ok(Self {
            keep: (!keep.is_empty())
                .then(|| Matcher::new(&keep))
                .transpose()?,
            normalization: compile(definition.normalization()?)?,
            phrases,
            chain: compile(definition.chain()?)?,
            words: words.filter(|_| definition.has_words()).cloned(),
            folds: definition.folds(),
            signs: definition.scripts.as_ref().map(signs).transpose()?,
        })
    }

    pub(super) fn rewrite(&self, text: &str, out: &mut Rewriter<'_>) {
        let mut layer = Layer::new(text, out.records());
        if let Some(keep) = &self.keep {
            layer.keep(keep);
        }
        for matcher in &self.normalization {
            layer.apply(matcher, false, Care::default());
        }
        if let Phrases::Own(phrases) = &self.phrases {
            layer.segments = longest_phrases(phrases, &layer.text, &layer.segments);
        }
        // Where no phrase of the first dictionary begins, none begins in the
        // rest of the segment either: to cut and to convert is one pass.
        let mut cuts = matches!(self.phrases, Phrases::First);
        for (number, matcher) in self.chain.iter().enumerate() {
            layer.apply(matcher, cuts, self.care(number));
            cuts = false;
        }
        write(&layer, text, out);
    }

    /// What one table of the chain has to look at.
    fn care(&self, table: usize) -> Care<'_> {
        let (folds, folds_from) = &self.folds;
        let folds = (table >= *folds_from).then_some(folds);
        Care {
            words: self.words.as_deref().map(|words| (words, folds)),
            signs: self
                .signs
                .as_ref()
                .and_then(|(number, signs)| (*number == table).then_some(signs)),
        }
    }
}

/// Cut segments into the phrases that they hold, from left to right the longest,
/// and what lies between.
fn longest_phrases(phrases: &Matcher, text: &str, segments: &[Segment]) -> Vec<Segment> {
    let mut cut: Vec<Segment> = Vec::new();
    let mut at = 0;
    for segment in segments {
        let mut end_at = |at: usize| {
            let end = offset(at);
            if cut.last().map_or(0, |last| last.end) < end {
                cut.push(Segment { end, ..*segment });
            }
        };
        let end = index(segment.end);
        while at < end {
            at = phrases.next_start(&text[..end], at);
            let rest = &text[at..end];
            match phrases.longest(rest) {
                Some((length, _)) => {
                    end_at(at);
                    at += length;
                    end_at(at);
                }
                None => at += description::length(rest),
            }
        }
        end_at(end);
    }
    cut
}

/// Write what came of a text.
fn write(layer: &Layer<'_>, text: &str, out: &mut Rewriter<'_>) {
    for change in &layer.changes {
        let range = index(change.before.0)..index(change.before.1);
        let after = &layer.text[index(change.after.0)..index(change.after.1)];
        let Some(remark) = &change.remark else {
            out.put(range, after);
            continue;
        };
        let mut candidates = vec![after.to_owned()];
        for other in &remark.others {
            if !candidates.contains(other) {
                candidates.push(other.clone());
            }
        }
        let changed = text[range.clone()] != *after;
        if candidates.len() == 1 {
            candidates.clear();
        }
        if changed {
            let status = match candidates.is_empty() {
                true => Status::Sure,
                false => Status::Ambiguous,
            };
            out.replace(range, after, status, candidates, remark.reason);
        } else if remark.kept || !candidates.is_empty() {
            out.keep(range, candidates, remark.reason);
        }
    }
}

#[cfg(test)]
mod tests;
