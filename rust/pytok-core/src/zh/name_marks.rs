//! Lines beside names and titles, as marks in the text: 專名號, and the wavy 書名號.
//!
//! In print a straight line runs along a name and a wavy one along a title. Plain
//! text shows them as a combining line on each character (`孔̲子̲`), or as a mark
//! on both sides (`＿孔子＿`, `﹏論語﹏`). Lines of names go; a wavy line becomes a
//! pair of brackets. A mark that has no partner, or too long a row of marks,
//! stays: it may be a blank to fill in.

use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::context::{is_han, lines};
use super::pairs::{Action, Pairs, PairsDefinition};
use super::rewrite::{Rewriter, Status};
use crate::error::{Error, Result};

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
    combining: FxHashMap<char, Of>,
    beside: FxHashMap<char, (Of, usize)>,
    remove_names: bool,
    title: Option<(String, String)>,
    brackets: Option<Pairs>,
}

/// What is to be put in the place of a range, or `None` where it stays.
type Change<'a> = (Range<usize>, Option<&'a str>, &'static str);

const NAME: &str = "mark of a name";
const TITLE: &str = "mark of a title";
const NO_PARTNER: &str = "mark of a name or title without its partner";
const TOO_MANY: &str = "a row of marks: a blank or a line";

/// The most characters of a name or title between two marks.
const LONGEST: usize = 20;

impl NameMarks {
    /// # Errors
    /// Names the mark that has two rows; also as [`Pairs::new`].
    pub(super) fn new(definition: NameMarksDefinition) -> Result<Self> {
        let mut combining = FxHashMap::default();
        let mut beside = FxHashMap::default();
        let twice = |mark: char| {
            Error::argument("name-marks", format!("{mark:?} has two rows, expected one"))
        };
        for (mark, of) in definition.combining {
            if combining.insert(mark, of).is_some() {
                return Err(twice(mark));
            }
        }
        for (mark, of, most) in definition.beside {
            if beside.insert(mark, (of, most)).is_some() {
                return Err(twice(mark));
            }
        }
        Ok(Self {
            combining,
            beside,
            remove_names: definition.remove_names,
            title: definition.title,
            brackets: definition.brackets.map(Pairs::new).transpose()?,
        })
    }

    pub(super) fn rewrite(&self, text: &str, out: &mut Rewriter<'_>) {
        let brackets = self
            .brackets
            .as_ref()
            .map_or_else(Vec::new, |pairs| pairs.actions(text));
        let mut brackets = brackets.into_iter().peekable();
        let mut changes = Vec::new();
        for line in lines(text) {
            self.combining(text, line.clone(), &mut changes);
            self.beside(text, line, &mut changes);
        }
        changes.sort_by_key(|(range, _, _)| (range.start, range.end));
        for change in changes {
            while let Some((place, mark, action)) = brackets.next_if(|next| next.0 < change.0.start)
            {
                action.apply(place, mark, out);
            }
            apply(change, out);
        }
        for (place, mark, action) in brackets {
            Action::apply(action, place, mark, out);
        }
    }

    /// Runs of characters that all bear the same mark.
    fn combining<'a>(&'a self, text: &str, line: Range<usize>, changes: &mut Vec<Change<'a>>) {
        let base = line.start;
        let mut characters = text[line].char_indices().peekable();
        let mut run: Vec<Range<usize>> = Vec::new();
        let mut start = base;
        let mut of = None;
        let mut last = None;
        while let Some((place, character)) = characters.next() {
            let range = base + place..base + place + character.len_utf8();
            match self.combining.get(&character) {
                Some(&kind) if last.is_some_and(is_han) => {
                    if of != Some(kind) || run.is_empty() {
                        self.change_run(of, start, &mut run, changes);
                        (of, start) = (Some(kind), previous_start(text, range.start));
                    }
                    run.push(range);
                    last = None;
                    continue;
                }
                _ => {}
            }
            let goes_on = characters
                .peek()
                .is_some_and(|(_, next)| self.combining.get(next) == of.as_ref());
            if !(is_han(character) && goes_on) {
                self.change_run(of, start, &mut run, changes);
                of = None;
            }
            last = Some(character);
        }
        self.change_run(of, start, &mut run, changes);
    }

    fn change_run<'a>(
        &'a self,
        of: Option<Of>,
        start: usize,
        run: &mut Vec<Range<usize>>,
        changes: &mut Vec<Change<'a>>,
    ) {
        let Some(count) = run.len().checked_sub(1) else {
            return;
        };
        match (of, &self.title) {
            (Some(Of::Name), _) if self.remove_names => {
                changes.extend(run.drain(..).map(|range| (range, Some(""), NAME)));
            }
            (Some(Of::Title), Some((open, close))) => {
                if !open.is_empty() {
                    changes.push((start..start, Some(open), TITLE));
                }
                for (number, range) in run.drain(..).enumerate() {
                    let put = if number == count { close.as_str() } else { "" };
                    changes.push((range, Some(put), TITLE));
                }
            }
            _ => run.clear(),
        }
    }

    /// Names and titles between two equal rows of marks.
    fn beside<'a>(&'a self, text: &str, line: Range<usize>, changes: &mut Vec<Change<'a>>) {
        let mut open: Option<(char, Range<usize>)> = None;
        let mut inside = 0;
        let mut place = line.start;
        while let Some(character) = text[place..line.end].chars().next() {
            let Some(&(of, most)) = self.beside.get(&character) else {
                place += character.len_utf8();
                inside += 1;
                if !(is_han(character) || "·‧・•".contains(character)) || inside > LONGEST {
                    keep_open(&mut open, changes);
                }
                continue;
            };
            let rest = &text[place..line.end];
            let row = rest.len() - rest.trim_start_matches(character).len();
            let range = place..place + row;
            let opened = open
                .as_ref()
                .filter(|(mark, _)| *mark == character && inside > 0);
            let length = opened.map_or(0, |(_, opened)| opened.len());
            place += row;
            if length > 0 && (row == length || row == 2 * length) {
                let middle = range.start + length;
                if let Some((_, first)) = open.take() {
                    self.change_pair(of, first, range.start..middle, changes);
                }
                if row > length {
                    open = Some((character, middle..range.end));
                }
            } else {
                keep_open(&mut open, changes);
                if row > most * character.len_utf8() {
                    changes.push((range, None, TOO_MANY));
                } else {
                    open = Some((character, range));
                }
            }
            inside = 0;
        }
        keep_open(&mut open, changes);
    }

    fn change_pair<'a>(
        &'a self,
        of: Of,
        first: Range<usize>,
        second: Range<usize>,
        changes: &mut Vec<Change<'a>>,
    ) {
        match (of, &self.title) {
            (Of::Name, _) if self.remove_names => {
                changes.extend([(first, Some(""), NAME), (second, Some(""), NAME)]);
            }
            (Of::Title, Some((open, close))) => {
                changes.extend([
                    (first, Some(open.as_str()), TITLE),
                    (second, Some(close), TITLE),
                ]);
            }
            _ => {}
        }
    }
}

fn keep_open(open: &mut Option<(char, Range<usize>)>, changes: &mut Vec<Change<'_>>) {
    if let Some((_, range)) = open.take() {
        changes.push((range, None, NO_PARTNER));
    }
}

fn previous_start(text: &str, end: usize) -> usize {
    text[..end]
        .char_indices()
        .next_back()
        .map_or(0, |(place, _)| place)
}

fn apply((range, put, reason): Change<'_>, out: &mut Rewriter<'_>) {
    match put {
        Some(put) if out.records() => out.replace(range, put, Status::Sure, Vec::new(), reason),
        Some(put) => {
            out.put(range, put);
        }
        None if out.records() => out.keep(range, Vec::new(), reason),
        None => {}
    }
}
