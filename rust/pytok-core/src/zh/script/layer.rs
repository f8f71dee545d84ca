//! A text on its way through the tables of a conversion.

use std::borrow::Cow;
use std::ops::Range;

use super::changes::{Change, Remark, compose};
use super::description;
use super::edges::{Edges, Folds};
use super::matcher::{Matcher, Rule};
use super::sentences::{Sentences, Signs};
use crate::ids::{index, offset};
use crate::zh::words::Words;

/// A part of a text that no rule crosses, behind the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    /// Its end in bytes.
    pub(super) end: u32,
    /// Whether it is converted.
    pub(super) converts: bool,
}

/// What a table looks at besides its keys.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Care<'a> {
    /// Words over whose edges no phrase reaches, and as what characters are looked up
    /// in them.
    pub(super) words: Option<(&'a Words, Option<&'a Folds>)>,
    /// How to tell what is in the target script already and stays.
    pub(super) signs: Option<&'a Signs>,
}

/// What has come of a text so far.
#[derive(Debug)]
pub(super) struct Layer<'a> {
    pub(super) text: Cow<'a, str>,
    /// They cover the text.
    pub(super) segments: Vec<Segment>,
    /// What differs from the text at the beginning, and what else is to be told.
    pub(super) changes: Vec<Change>,
    records: bool,
}

impl<'a> Layer<'a> {
    /// A text before anything is done.
    pub(super) fn new(text: &'a str, records: bool) -> Self {
        let whole = Segment {
            end: offset(text.len()),
            converts: true,
        };
        Self {
            text: Cow::Borrowed(text),
            segments: vec![whole],
            changes: Vec::new(),
            records,
        }
    }

    /// Convert nothing that is in a list; of several that begin at one place the
    /// longest stays. Before any table is applied.
    pub(super) fn keep(&mut self, list: &Matcher) {
        let mut pass = Pass::new(&self.text, list, false);
        let mut at = 0;
        while at < self.text.len() {
            at = list.next_start(&self.text, at);
            let rest = &self.text[at..];
            let Some((length, _)) = list.longest(rest) else {
                at += rest.chars().next().map_or(0, char::len_utf8);
                continue;
            };
            let span = (offset(at), offset(at + length));
            pass.end_segment(at, true);
            at += length;
            pass.end_segment(at, false);
            if self.records {
                pass.changes.push(Change {
                    before: span,
                    after: span,
                    remark: Some(Box::new(Remark {
                        others: Vec::new(),
                        reason: "keep list",
                        kept: true,
                    })),
                });
            }
        }
        pass.end_segment(at, true);
        (self.segments, self.changes) = (pass.segments, pass.changes);
    }

    /// Replace what `matcher` matches, from left to right, in each segment. With
    /// `cuts` the phrases of its first dictionary are segments from then on.
    /// With care, no phrase is replaced that begins or ends inside a word and
    /// reaches into another one, and nothing that is in the target script already.
    pub(super) fn apply(&mut self, matcher: &Matcher, cuts: bool, care: Care<'_>) {
        let mut pass = Pass::new(&self.text, matcher, self.records);
        pass.cuts = cuts;
        pass.edges = care
            .words
            .map(|(words, folds)| Edges::new(&self.text, words, folds));
        pass.target = care.signs.map(|signs| (signs, signs.sentences(&self.text)));
        let mut start = 0;
        for &segment in &self.segments {
            let end = index(segment.end);
            if segment.converts {
                pass.convert(start..end);
            }
            pass.end_segment(end, segment.converts);
            start = end;
        }
        let (changes, segments) = (
            std::mem::take(&mut pass.changes),
            std::mem::take(&mut pass.segments),
        );
        self.segments = segments;
        if pass.done > 0 {
            self.text = Cow::Owned(pass.finish());
        }
        let convert = |text: &str| {
            let mut pass = Pass::new(text, matcher, false);
            pass.convert(0..text.len());
            pass.finish()
        };
        self.changes = compose(std::mem::take(&mut self.changes), changes, &convert);
    }
}

/// A text that is being rewritten.
struct Pass<'a> {
    source: &'a str,
    matcher: &'a Matcher,
    /// How much of the source is in `text`.
    done: usize,
    text: String,
    segments: Vec<Segment>,
    changes: Vec<Change>,
    records: bool,
    cuts: bool,
    edges: Option<Edges<'a>>,
    /// How to tell what is in the target script already.
    target: Option<(&'a Signs, Sentences<'a>)>,
}

impl<'a> Pass<'a> {
    fn new(source: &'a str, matcher: &'a Matcher, records: bool) -> Self {
        Self {
            source,
            matcher,
            done: 0,
            text: String::new(),
            segments: Vec::new(),
            changes: Vec::new(),
            records,
            cuts: false,
            edges: None,
            target: None,
        }
    }

    fn longest(&self, rest: &str, at: usize) -> Option<(usize, Rule)> {
        let (length, rule) = self.matcher.longest(rest)?;
        match &self.edges {
            Some(edges) if !rule.character && edges.crosses(at..at + length) => {
                let fits = |length| !edges.crosses(at..at + length);
                self.matcher.longest_fitting(rest, &fits)
            }
            _ => Some((length, rule)),
        }
    }

    fn convert(&mut self, range: Range<usize>) {
        let source = &self.source[..range.end];
        let mut at = range.start;
        loop {
            at = self.matcher.next_start(source, at);
            let rest = &source[at..];
            match self.longest(rest, at) {
                Some((length, rule)) => {
                    let cuts = self.cuts && rule.first_tier;
                    if cuts {
                        self.end_segment(at, true);
                    }
                    self.put(at, length, rule);
                    at += length;
                    if cuts {
                        self.end_segment(at, true);
                    }
                }
                None if rest.is_empty() => return,
                None => at += description::length(rest),
            }
        }
    }

    /// A segment ends at a byte of the source.
    fn end_segment(&mut self, at: usize, converts: bool) {
        let end = offset(self.text.len() + (at - self.done));
        if self.segments.last().map_or(0, |last| last.end) < end {
            self.segments.push(Segment { end, converts });
        }
    }

    fn put(&mut self, at: usize, length: usize, rule: Rule) {
        let start = self.text.len() + (at - self.done);
        let mut put = length;
        let stays = rule.changes && self.is_in_target(at..at + length);
        if stays && !self.records {
            return;
        }
        if rule.changes && !stays {
            let value = self.matcher.value(rule);
            if self.done == 0 {
                self.text.reserve(self.source.len());
            }
            self.text.push_str(&self.source[self.done..at]);
            self.text.push_str(value);
            self.done = at + length;
            put = value.len();
        } else if !(self.records && rule.is_ambiguous()) {
            return;
        }
        self.changes.push(Change {
            before: (offset(at), offset(at + length)),
            after: (offset(start), offset(start + put)),
            remark: self.records.then(|| {
                Box::new(match stays {
                    true => self.remark_of_what_stays(rule),
                    false => self.remark(rule),
                })
            }),
        });
    }

    /// Whether a part of the source is in the target script already: its sentence is,
    /// and none of its characters is of the other script alone. Parts come from left
    /// to right.
    fn is_in_target(&mut self, range: Range<usize>) -> bool {
        self.target.as_mut().is_some_and(|(signs, sentences)| {
            sentences.is_target(range.start) && !signs.has_source(&self.source[range])
        })
    }

    fn remark_of_what_stays(&self, rule: Rule) -> Remark {
        let value = std::iter::once(self.matcher.value(rule));
        Remark {
            others: value
                .chain(self.matcher.others(rule))
                .map(str::to_owned)
                .collect(),
            reason: "in the target script",
            kept: true,
        }
    }

    fn remark(&self, rule: Rule) -> Remark {
        Remark {
            others: self.matcher.others(rule).map(str::to_owned).collect(),
            kept: false,
            reason: match (rule.rare, rule.character) {
                (true, _) => "rare glyph",
                (false, true) => "character",
                (false, false) => "phrase",
            },
        }
    }

    fn finish(mut self) -> String {
        self.text.push_str(&self.source[self.done..]);
        self.text
    }
}
