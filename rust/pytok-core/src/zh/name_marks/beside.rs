//! Rows of marks on both sides of a name or a title.

use std::ops::Range;

use super::{Change, NAME, NO_PARTNER, NameMarks, Of, TITLE, TOO_MANY};
use crate::zh::context::{is_han, is_selector};

/// The most characters of a name or title between two marks.
const LONGEST: usize = 20;

/// A row of equal marks that has no partner yet.
#[derive(Debug)]
struct Row {
    mark: char,
    range: Range<usize>,
    /// How many characters there are before it.
    before: usize,
}

impl NameMarks {
    /// Names and titles between two equal rows of marks, also one inside another.
    ///
    /// A row takes only the last open one, and what is between two rows that stay
    /// never goes as a whole, so none come to stand side by side.
    pub(super) fn beside<'a>(
        &'a self,
        text: &str,
        line: Range<usize>,
        changes: &mut Vec<Change<'a>>,
    ) {
        let mut open: Vec<Row> = Vec::new();
        let mut seen = 0;
        // Whether a character comes before that bears the marks which follow.
        let mut bears = false;
        let mut place = line.start;
        while let Some(mark) = text[place..line.end].chars().next() {
            let Some(&(of, most)) = self.beside.get(&mark) else {
                place += mark.len_utf8();
                if bears && self.is_on_character(mark) {
                    continue;
                }
                bears = is_han(mark);
                if bears || "·‧・•".contains(mark) {
                    seen += 1;
                } else {
                    keep_open(&mut open, changes);
                }
                continue;
            };
            let rest = text[place..line.end].trim_start_matches(mark);
            let range = place..line.end - rest.len();
            let row = range.len();
            place = range.end;
            bears = false;
            let matches = open.last().is_some_and(|last| {
                let inside = seen - last.before;
                let length = last.range.len();
                last.mark == mark
                    && (1..=LONGEST).contains(&inside)
                    && (row == length || row == 2 * length)
            });
            if rest.starts_with(|next| self.is_on_character(next)) {
                // Without it the marks that it bears were those of another character.
                keep_open(&mut open, changes);
                changes.push(Change::keep(range, NO_PARTNER));
            } else if let Some(first) = matches.then(|| open.pop()).flatten() {
                let middle = range.start + first.range.len();
                self.change_pair(of, first.range, range.start..middle, changes);
                if middle < range.end {
                    let range = middle..range.end;
                    let before = seen;
                    open.push(Row {
                        mark,
                        range,
                        before,
                    });
                }
            } else if row > most * mark.len_utf8() {
                keep_open(&mut open, changes);
                changes.push(Change::keep(range, TOO_MANY));
            } else {
                let before = seen;
                open.push(Row {
                    mark,
                    range,
                    before,
                });
            }
        }
        keep_open(&mut open, changes);
    }

    fn is_on_character(&self, mark: char) -> bool {
        is_selector(mark) || self.on.contains_key(&mark)
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
                changes.push(Change::put(first, "", NAME));
                changes.push(Change::put(second, "", NAME));
            }
            (Of::Title, Some((open, close))) => {
                changes.push(Change::put(first, open, TITLE));
                changes.push(Change::put(second, close, TITLE));
            }
            _ => {}
        }
    }
}

fn keep_open(open: &mut Vec<Row>, changes: &mut Vec<Change<'_>>) {
    let rows = open.drain(..);
    changes.extend(rows.map(|row| Change::keep(row.range, NO_PARTNER)));
}
