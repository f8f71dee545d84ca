//! Conversion between traditional and simplified characters and the standards of
//! regions, with the dictionaries of OpenCC.
//!
//! A conversion is a chain of tables (`matcher`). A text is cut into segments
//! first; each table then replaces, from left to right, the longest key that the
//! rest of the segment begins with (`layer`). What the tables did one after the
//! other is told as one change (`changes`). With the segmentation of the
//! configuration file, or one segment where it has none, the result is that of
//! OpenCC.

mod changes;
mod configuration;
mod description;
mod dictionary;
mod layer;
mod matcher;

pub use self::configuration::ScriptDefinition;

use self::layer::{Layer, Segment};
use self::matcher::Matcher;
use super::rewrite::{Rewriter, Status};
use crate::error::Result;
use crate::ids::{index, offset};
use crate::train::segmenter::WordSegmenter;

/// A conversion, compiled.
#[derive(Debug)]
pub(super) struct Script {
    keep: Option<Matcher>,
    normalization: Vec<Matcher>,
    phrases: Phrases,
    chain: Vec<Matcher>,
    /// The words of which no phrase takes a part and the next word.
    words: Option<WordSegmenter>,
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
    /// The conversion of a definition.
    ///
    /// # Errors
    /// Names the file or the field that is not as expected.
    pub(super) fn new(definition: &ScriptDefinition) -> Result<Self> {
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
            words: definition.words()?,
        })
    }

    pub(super) fn rewrite(&self, text: &str, out: &mut Rewriter<'_>) {
        let mut layer = Layer::new(text, out.records());
        if let Some(keep) = &self.keep {
            layer.keep(keep);
        }
        for matcher in &self.normalization {
            layer.apply(matcher, false, None);
        }
        if let Phrases::Own(phrases) = &self.phrases {
            layer.segments = longest_phrases(phrases, &layer.text, &layer.segments);
        }
        // Where no phrase of the first dictionary begins, none begins in the
        // rest of the segment either: to cut and to convert is one pass.
        let mut cuts = matches!(self.phrases, Phrases::First);
        for matcher in &self.chain {
            layer.apply(matcher, cuts, self.words.as_ref());
            cuts = false;
        }
        write(&layer, text, out);
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
