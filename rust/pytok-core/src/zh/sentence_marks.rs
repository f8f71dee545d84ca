//! Old marks of sentences and clauses, 句讀: what they are by what is around them.
//!
//! A reader of woodblock prints set a circle where a sentence ends and a drop
//! where it pauses. Transcriptions write them in many ways, some of which mean
//! other things as well: `○` is also a zero, a lost character or a new section,
//! `．` also stands between the parts of a name. They are taken as sentence marks
//! only where they stand alone between Chinese characters, in a line that has no
//! `。` of its own.

use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::context::{is_closer, is_han, is_numeral, is_opener, lines};
use super::rewrite::{Rewriter, Status};
use crate::error::{Error, Result};

/// The marks, and what is to be done with them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentenceMarksDefinition {
    /// Rows `mark, what stands for it, rule, reason`.
    pub rows: Vec<(char, String, Rule, String)>,
    /// What `、` becomes in lines that have no `，`.
    pub reading_mark: char,
}

/// What a mark is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Another form of the mark that stands for it.
    Form,
    /// A circle: a full stop, or something else.
    Circle,
    /// A point: a full stop, or between the parts of a name or title.
    Point,
    /// Says how the mark before it is drawn; goes.
    Selector,
    /// Nobody can say; stays.
    Unclear,
}

/// A compiled table of marks.
#[derive(Debug)]
pub(super) struct SentenceMarks {
    rows: FxHashMap<char, (String, Rule, String)>,
    reading_mark: char,
}

/// A mark of a line with what is around it.
#[derive(Debug)]
struct Place {
    range: Range<usize>,
    mark: char,
    /// The characters beside it, but for selectors.
    before: Option<char>,
    after: Option<char>,
    in_title: bool,
}

/// What there is in a line.
#[derive(Debug, Default)]
struct Line {
    places: Vec<Place>,
    has_stop: bool,
    has_comma: bool,
    /// How many circles and how many points may be full stops.
    circles: usize,
    points: usize,
}

const ALONE: &str = "the only such mark of its line, which has no other full stop";
const NOT_BEHIND_HAN: &str = "not behind a Chinese character";
const NOT_BETWEEN_HAN: &str = "not between Chinese characters";
const HAS_STOP: &str = "in a line that has full stops of its own";
const BESIDE_ANOTHER: &str = "beside another such mark: characters left out or lost";
const ZERO: &str = "in a number";
const IN_TITLE: &str = "between the parts of a title or a name";
const READING_MARK: &str = "reading mark in a line without a comma";

impl SentenceMarks {
    /// # Errors
    /// Names the mark that has two rows.
    pub(super) fn new(definition: SentenceMarksDefinition) -> Result<Self> {
        let mut rows = FxHashMap::default();
        for (mark, replacement, rule, reason) in definition.rows {
            if rows.insert(mark, (replacement, rule, reason)).is_some() {
                let message = format!("{mark:?} has two rows, expected one");
                return Err(Error::argument("sentence-marks", message));
            }
        }
        Ok(Self {
            rows,
            reading_mark: definition.reading_mark,
        })
    }

    pub(super) fn rewrite(&self, text: &str, out: &mut Rewriter<'_>) {
        for line in lines(text) {
            let found = self.line(&text[line.clone()], line.start);
            let reading = self.reading_mark != '、' && !found.has_comma;
            // What the last mark has become, and where it ended.
            let mut folded = None;
            for place in &found.places {
                let is_reading = place.mark == '、' || self.is_form_of(place.mark, '、');
                if is_reading && reading && between_han(place) {
                    let candidates = [self.reading_mark, '、'];
                    put(out, place, Status::Ambiguous, &candidates, READING_MARK);
                    folded = Some((self.reading_mark, place.range.end));
                } else if place.mark != '、' {
                    let before = match folded {
                        Some((mark, end)) if end == place.range.start => Some(mark),
                        _ => place.before,
                    };
                    let now = self.decide(place, before, &found, out);
                    folded = now.map(|mark| (mark, place.range.end));
                }
            }
        }
    }

    fn line(&self, text: &str, start: usize) -> Line {
        let mut line = Line::default();
        // The marks that nothing but selectors has come after.
        let mut waiting = 0;
        let mut titles = 0_usize;
        let mut before = None;
        for (byte, mark) in text.char_indices() {
            let selects = matches!(self.rows.get(&mark), Some((_, Rule::Selector, _)));
            if !selects {
                for place in &mut line.places[waiting..] {
                    place.after = Some(mark);
                }
                waiting = line.places.len();
            }
            match mark {
                '《' | '〈' => titles += 1,
                '》' | '〉' => titles = titles.saturating_sub(1),
                _ => {}
            }
            line.has_stop |= mark == '。' || self.is_form_of(mark, '。');
            line.has_comma |= mark == '，' || self.is_form_of(mark, '，');
            if mark == '、' || self.rows.contains_key(&mark) {
                line.places.push(Place {
                    range: start + byte..start + byte + mark.len_utf8(),
                    mark,
                    before,
                    after: None,
                    in_title: titles > 0,
                });
            }
            if !selects {
                before = Some(mark);
            }
        }
        line.circles = self.count(&line, Rule::Circle);
        line.points = self.count(&line, Rule::Point);
        line
    }

    fn count(&self, line: &Line, rule: Rule) -> usize {
        let of_rule =
            |place: &&Place| matches!(self.rows.get(&place.mark), Some(row) if row.1 == rule);
        let places = line.places.iter().filter(of_rule);
        places
            .filter(|place| self.why_not(place, line).is_none())
            .count()
    }

    /// Fold a mark or leave it. Returns what it has become; of a selector that
    /// went, the mark `before` it.
    fn decide(
        &self,
        place: &Place,
        before: Option<char>,
        line: &Line,
        out: &mut Rewriter<'_>,
    ) -> Option<char> {
        let (replacement, rule, reason) = &self.rows[&place.mark];
        let first = replacement.chars().next();
        let alike = match rule {
            Rule::Circle => line.circles,
            _ => line.points,
        };
        match rule {
            Rule::Form if behind_han(place) => {
                put_row(out, place, replacement, reason);
                return first;
            }
            Rule::Selector if before.is_some_and(|mark| "、。！，．：；？".contains(mark)) =>
            {
                put_row(out, place, replacement, reason);
                return before;
            }
            Rule::Form => keep(out, place, replacement, NOT_BEHIND_HAN),
            Rule::Selector => {}
            Rule::Unclear => keep(out, place, replacement, reason),
            Rule::Circle | Rule::Point => match self.why_not(place, line) {
                Some(why) => keep(out, place, replacement, why),
                // Several of a line bear each other out, as does the end of the line.
                None if alike > 1 || place.after.is_none() => {
                    put_row(out, place, replacement, reason);
                    return first;
                }
                None if *rule == Rule::Point => keep(out, place, replacement, ALONE),
                None => {
                    let mark = first.unwrap_or(place.mark);
                    put(out, place, Status::Ambiguous, &[mark, place.mark], ALONE);
                    return Some(mark);
                }
            },
        }
        None
    }

    /// Why a circle or a point is not a full stop.
    fn why_not(&self, place: &Place, line: &Line) -> Option<&'static str> {
        let again = |next: Option<char>| next.is_some_and(|next| self.may_be_stop(next));
        let number = place.before.is_some_and(is_numeral)
            && place
                .after
                .is_some_and(|next| is_numeral(next) || "年月日號号頁页章回卷".contains(next));
        if again(place.before) || again(place.after) {
            Some(BESIDE_ANOTHER)
        } else if !between_han(place) {
            Some(NOT_BETWEEN_HAN)
        } else if number {
            Some(ZERO)
        } else if place.in_title {
            Some(IN_TITLE)
        } else if line.has_stop {
            Some(HAS_STOP)
        } else {
            None
        }
    }

    fn is_form_of(&self, mark: char, of: char) -> bool {
        matches!(self.rows.get(&mark), Some((other, Rule::Form, _)) if other.starts_with(of))
    }

    fn may_be_stop(&self, mark: char) -> bool {
        matches!(
            self.rows.get(&mark),
            Some((_, Rule::Circle | Rule::Point, _))
        )
    }
}

/// Whether a mark stands behind a character and before one, or before the end of
/// its line; brackets may be between.
fn between_han(place: &Place) -> bool {
    let after = place
        .after
        .is_none_or(|c| is_han(c) || is_closer(c) || is_opener(c) || c.is_whitespace());
    behind_han(place) && after
}

fn behind_han(place: &Place) -> bool {
    place.before.is_some_and(|c| is_han(c) || is_closer(c))
}

fn put_row(out: &mut Rewriter<'_>, place: &Place, replacement: &str, reason: &str) {
    if out.records() {
        let range = place.range.clone();
        out.replace(
            range,
            replacement,
            Status::Sure,
            Vec::new(),
            reason.to_owned(),
        );
    } else {
        out.put(place.range.clone(), replacement);
    }
}

fn put(
    out: &mut Rewriter<'_>,
    place: &Place,
    status: Status,
    candidates: &[char],
    reason: &'static str,
) {
    let replacement = candidates[0].to_string();
    if out.records() {
        let candidates = candidates.iter().map(ToString::to_string).collect();
        out.replace(
            place.range.clone(),
            &replacement,
            status,
            candidates,
            reason,
        );
    } else {
        out.put(place.range.clone(), &replacement);
    }
}

fn keep(out: &mut Rewriter<'_>, place: &Place, replacement: &str, reason: &str) {
    if out.records() {
        let candidates = vec![place.mark.to_string(), replacement.to_owned()];
        out.keep(place.range.clone(), candidates, reason.to_owned());
    }
}
