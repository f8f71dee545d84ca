//! Lines that are marks on each character.

use std::ops::Range;

use super::{Change, NAME, NameMarks, Of, TITLE};
use crate::zh::context::{is_han, is_selector};

/// Characters side by side that all bear the line of a title.
#[derive(Debug, Default)]
struct Run {
    start: usize,
    /// Behind all marks of the last character.
    end: usize,
    marks: Vec<Range<usize>>,
}

impl NameMarks {
    /// Lines of names go; around a run of characters with those of a title, brackets.
    ///
    /// A character may bear several marks, with variation selectors among them.
    pub(super) fn on_characters<'a>(
        &'a self,
        text: &str,
        line: Range<usize>,
        changes: &mut Vec<Change<'a>>,
    ) {
        let mut run = Run::default();
        // The character whose marks these are, and whether one is that of a title.
        let (mut base, mut titled) = (None, false);
        let start = line.start;
        for (place, character) in text[line].char_indices() {
            let range = start + place..start + place + character.len_utf8();
            match (base, self.on.get(&character)) {
                (Some(base), Some(Of::Title)) => {
                    if run.marks.is_empty() {
                        run.start = base;
                    }
                    (titled, run.end) = (true, range.end);
                    run.marks.push(range);
                }
                (Some(_), Some(Of::Name)) => {
                    if titled {
                        run.end = range.end;
                    }
                    if self.remove_names {
                        changes.push(Change::put(range, "", NAME));
                    }
                }
                (Some(_), None) if is_selector(character) => {
                    if titled {
                        run.end = range.end;
                    }
                }
                _ => {
                    if !titled {
                        self.end_run(&mut run, changes);
                    }
                    (base, titled) = (is_han(character).then_some(range.start), false);
                }
            }
        }
        self.end_run(&mut run, changes);
    }

    fn end_run<'a>(&'a self, run: &mut Run, changes: &mut Vec<Change<'a>>) {
        let Some((open, close)) = &self.title else {
            return run.marks.clear();
        };
        let Some(last) = run.marks.pop() else {
            return;
        };
        if !open.is_empty() {
            changes.push(Change::put(run.start..run.start, open, TITLE));
        }
        changes.extend(run.marks.drain(..).map(|mark| Change::put(mark, "", TITLE)));
        if last.end == run.end {
            changes.push(Change::put(last, close, TITLE));
        } else {
            changes.push(Change::put(last, "", TITLE));
            changes.push(Change::put(run.end..run.end, close, TITLE));
        }
    }
}
