//! Lines beside names and titles, as marks in the text: 專名號, and the wavy 書名號.
//!
//! In print a straight line runs along a name and a wavy one along a title. Plain
//! text shows them as a combining line on each character (`孔̲子̲`), or as a mark
//! on both sides (`＿孔子＿`, `﹏論語﹏`). Lines of names go; a wavy line becomes a
//! pair of brackets. A mark that has no partner, or too long a row of marks,
//! stays: it may be a blank to fill in. Marks on characters (`on_characters.rs`), marks
//! on both sides (`beside.rs`) and brackets are found so that what one of them takes
//! away is nothing that another would have waited for: a second pass changes nothing.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::context::lines;
use super::pairs::{Action, Pairs, PairsDefinition};
use super::rewrite::{Rewriter, Status};
use crate::error::{Error, Result};

mod beside;
mod on_characters;

/// The marks of names and titles.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameMarksDefinition {
    /// Marks that stand on every character: rows `mark, of a name or of a title`.
    pub combining: Vec<(char, Of)>,
    /// Marks on both sides: rows `mark, of a name or of a title, the most in a row`.
    pub beside: Vec<(char, Of, usize)>,
    /// Whether marks of names go.
    pub remove_names: bool,
    /// What stands around a title instead of its marks: two brackets or nothing;
    /// absent: they stay.
    pub title: Option<(String, String)>,
    /// Brackets of titles that become others.
    pub brackets: Option<PairsDefinition>,
}

/// What a line runs along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Of {
    /// A proper name.
    Name,
    /// The title of a work.
    Title,
}

/// A compiled table of marks.
#[derive(Debug)]
pub(super) struct NameMarks {
    on: FxHashMap<char, Of>,
    beside: FxHashMap<char, (Of, usize)>,
    remove_names: bool,
    title: Option<(String, String)>,
    brackets: Option<Pairs>,
}

/// What is to be put in the place of a range, or `None` where it stays.
#[derive(Debug)]
struct Change<'a> {
    range: Range<usize>,
    put: Option<Cow<'a, str>>,
    reason: &'static str,
}

impl<'a> Change<'a> {
    fn put(range: Range<usize>, put: &'a str, reason: &'static str) -> Self {
        let put = Some(Cow::Borrowed(put));
        Self { range, put, reason }
    }

    fn keep(range: Range<usize>, reason: &'static str) -> Self {
        let put = None;
        Self { range, put, reason }
    }

    fn apply(self, out: &mut Rewriter<'_>) {
        let Self { range, put, reason } = self;
        match put {
            Some(put) if out.records() => {
                out.replace(range, &put, Status::Sure, Vec::new(), reason);
            }
            Some(put) => {
                out.put(range, &put);
            }
            None if out.records() => out.keep(range, Vec::new(), reason),
            None => {}
        }
    }
}

const NAME: &str = "mark of a name";
const TITLE: &str = "mark of a title";
const NO_PARTNER: &str = "mark of a name or title without its partner";
const TOO_MANY: &str = "a row of marks: a blank or a line";

impl NameMarks {
    /// # Errors
    /// Names the mark that has two rows; also as [`Pairs::new`].
    pub(super) fn new(definition: NameMarksDefinition) -> Result<Self> {
        let mut on = FxHashMap::default();
        let mut beside = FxHashMap::default();
        let twice = |mark: char| {
            Error::argument("name-marks", format!("{mark:?} has two rows, expected one"))
        };
        for (mark, of) in definition.combining {
            if on.insert(mark, of).is_some() {
                return Err(twice(mark));
            }
        }
        for (mark, of, most) in definition.beside {
            if beside.insert(mark, (of, most)).is_some() {
                return Err(twice(mark));
            }
        }
        Ok(Self {
            on,
            beside,
            remove_names: definition.remove_names,
            title: definition.title,
            brackets: definition.brackets.map(Pairs::new).transpose()?,
        })
    }

    pub(super) fn rewrite(&self, text: &str, out: &mut Rewriter<'_>) {
        let mut changes = Vec::new();
        for line in lines(text) {
            self.on_characters(text, line.clone(), &mut changes);
            self.beside(text, line, &mut changes);
        }
        changes.sort_by_key(|change| (change.range.start, change.range.end));
        match &self.brackets {
            Some(pairs) => with_brackets(pairs, text, changes, out),
            None => changes.into_iter().for_each(|change| change.apply(out)),
        }
    }
}

/// Fold the brackets of the text that has the changes, those that were put in
/// among them: one of these may stand inside another, or beside a mark that is a
/// bracket only there.
fn with_brackets(pairs: &Pairs, text: &str, changes: Vec<Change<'_>>, out: &mut Rewriter<'_>) {
    let folded = match changes.is_empty() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(folded(text, &changes)),
    };
    let mut actions = pairs.actions(&folded).into_iter().peekable();
    // Where the last change ended, in the text and in the folded text.
    let (mut from, mut to) = (0, 0);
    for mut change in changes {
        let start = to + (change.range.start - from);
        while let Some((place, mark, action)) = actions.next_if(|next| next.0 < start) {
            action.apply(from + (place - to), mark, out);
        }
        let length = change
            .put
            .as_ref()
            .map_or(change.range.len(), |put| put.len());
        (from, to) = (change.range.end, start + length);
        if let Some((.., Action::Put(bracket, _))) = actions.next_if(|next| next.0 < to) {
            change.put = Some(Cow::Owned(bracket.to_string()));
        }
        change.apply(out);
    }
    for (place, mark, action) in actions {
        action.apply(from + (place - to), mark, out);
    }
}

/// The text after the changes.
fn folded(text: &str, changes: &[Change<'_>]) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut done = 0;
    for Change { range, put, .. } in changes {
        if let Some(put) = put {
            folded.push_str(&text[done..range.start]);
            folded.push_str(put);
            done = range.end;
        }
    }
    folded.push_str(&text[done..]);
    folded
}
