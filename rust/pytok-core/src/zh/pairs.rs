//! Marks that come in pairs: quotation marks, and brackets around titles.
//!
//! The marks of a paragraph are paired with a stack. A closing mark takes the
//! last open one of its kind; marks that were opened in between have no partner.
//! Only pairs are folded, so what cannot be paired stays as it is and is
//! reported. Nor is a pair folded around a single mark of the kind that it would
//! get, for nobody could tell afterwards which of them was the partner, or where one
//! of its marks would be read as an apostrophe; so a second pass changes nothing.
//! Every mark is pushed once and taken once: linear time, but for a binary search by
//! pair.

use serde::Deserialize;

use super::context::lines;
use super::rewrite::{Rewriter, Status};
use crate::error::{Error, Result};

mod marks;

use marks::{Role, pair_up, single};

/// Pairs of marks, and the two pairs that stand for them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairsDefinition {
    /// The pairs that are looked for.
    pub pairs: Vec<PairDefinition>,
    /// What stands for them: the outer pair, then the inner one.
    pub to: [(char, char); 2],
    /// How the level of a pair is found.
    pub levels: Levels,
    /// How far a pair may reach.
    pub within: Within,
}

/// One pair of marks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairDefinition {
    /// The opening mark.
    pub open: char,
    /// The closing marks; where one is the opening mark, the two take turns.
    pub close: String,
    /// The set of marks that it belongs to.
    pub system: String,
    /// 0 for the outer pair of its set, 1 for the inner one.
    pub level: u8,
    /// Whether it is a mark only where a Chinese character is inside, next to it.
    #[serde(default)]
    pub around_han: bool,
}

/// How the level of a pair is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Levels {
    /// By its marks; inside a pair of another set, the level which that has not.
    Marks,
    /// By its depth: the outermost pair is the outer one, then they alternate.
    Depth,
}

/// How far a pair may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Within {
    /// To the end of its line.
    Line,
    /// To the end of the text.
    Text,
}

/// A compiled table of pairs.
#[derive(Debug)]
pub(super) struct Pairs {
    pairs: Vec<Pair>,
    to: [(char, char); 2],
    /// Which of the pairs stand for the others, if they are looked for as well.
    targets: [Option<usize>; 2],
    levels: Levels,
    within: Within,
}

#[derive(Debug)]
struct Pair {
    open: char,
    close: Vec<char>,
    system: String,
    level: u8,
    around_han: bool,
    reason: String,
}

/// A pair that is open where marks are put.
#[derive(Debug, Clone, Copy)]
struct Open<'a> {
    /// The pair that has been folded or stands for others, this one or the last
    /// around it: its set, the level of its marks and the level that it got.
    folded: Option<(&'a str, u8, u8)>,
    /// The level that this one gets, or why it stays.
    fate: std::result::Result<u8, &'static str>,
}

const NOT_CLOSED: &str = "opening mark without its closing mark";
const NOT_OPENED: &str = "closing mark without its opening mark";
const ODD: &str = "odd number of marks that open and close";
const IN_WORD: &str = "between letters, where it would be an apostrophe";
const AROUND_SINGLE: &str = "around a mark without its partner of the kind that this one would be";

impl Pairs {
    /// # Errors
    /// Names the pair that has no closing mark, a level other than 0 and 1, or a
    /// mark of another pair.
    pub(super) fn new(definition: PairsDefinition) -> Result<Self> {
        let mut seen: Vec<char> = Vec::new();
        for pair in &definition.pairs {
            let marks: Vec<char> = pair
                .close
                .chars()
                .filter(|&mark| mark != pair.open)
                .collect();
            let repeated = seen.contains(&pair.open) || marks.iter().any(|m| seen.contains(m));
            if pair.close.is_empty() || pair.level > 1 || repeated {
                let message = format!(
                    "{:?} and {:?} of level {}, expected marks of no other pair and level 0 or 1",
                    pair.open, pair.close, pair.level
                );
                return Err(Error::argument("pairs", message));
            }
            seen.push(pair.open);
            seen.extend(marks);
        }
        let pair = |pair: PairDefinition| Pair {
            open: pair.open,
            close: pair.close.chars().collect(),
            level: pair.level,
            around_han: pair.around_han,
            reason: format!("paired {} marks", pair.system),
            system: pair.system,
        };
        let pairs: Vec<Pair> = definition.pairs.into_iter().map(pair).collect();
        let place = |(open, _)| pairs.iter().position(|pair| pair.open == open);
        Ok(Self {
            targets: definition.to.map(place),
            pairs,
            to: definition.to,
            levels: definition.levels,
            within: definition.within,
        })
    }

    pub(super) fn rewrite(&self, text: &str, out: &mut Rewriter<'_>) {
        for (place, character, action) in self.actions(text) {
            action.apply(place, character, out);
        }
    }

    /// What is to be done with each mark, from left to right.
    pub(super) fn actions(&self, text: &str) -> Vec<(usize, char, Action<'_>)> {
        let mut actions = Vec::new();
        match self.within {
            Within::Text => self.paragraph(text, 0, &mut actions),
            Within::Line => {
                for line in lines(text) {
                    self.paragraph(&text[line.clone()], line.start, &mut actions);
                }
            }
        }
        actions
    }

    fn paragraph<'a>(
        &'a self,
        text: &str,
        start: usize,
        actions: &mut Vec<(usize, char, Action<'a>)>,
    ) {
        let mut marks = self.marks(text);
        let odd = self.resolve(&mut marks);
        pair_up(&mut marks, self.pairs.len());
        let single = self.targets.map(|target| single(&marks, target));
        let mut open: Vec<Open<'_>> = Vec::new();
        for (number, mark) in marks.iter().enumerate() {
            let pair = &self.pairs[mark.pair];
            let put = |fate, side: fn((char, char)) -> char| match fate {
                Ok(level) => Action::Put(side(self.to[usize::from(level)]), &pair.reason),
                Err(why) => Action::Keep(why),
            };
            let action = match (mark.partner, mark.role) {
                (None, _) if odd[mark.pair] => Action::Keep(ODD),
                (None, Role::Close) => Action::Keep(NOT_OPENED),
                (None, _) => Action::Keep(NOT_CLOSED),
                (Some(_), Role::Close) => {
                    put(open.pop().map_or(Ok(0), |open| open.fate), |pair| pair.1)
                }
                (Some(partner), _) => {
                    let around = open.last().and_then(|open| open.folded);
                    let of = self.open(mark.pair, around, |level| {
                        let level = usize::from(level);
                        let next = single[level].partition_point(|&single| single < number);
                        let (opening, closing) = self.to[level];
                        if single[level].get(next).is_some_and(|&next| next < partner) {
                            Some(AROUND_SINGLE)
                        } else if mark.were_apostrophe(opening)
                            || marks[partner].were_apostrophe(closing)
                        {
                            Some(IN_WORD)
                        } else {
                            None
                        }
                    });
                    open.push(of);
                    put(of.fate, |pair| pair.0)
                }
            };
            actions.push((start + mark.place, mark.character, action));
        }
    }

    /// What becomes of a pair; why it cannot get a level, if there is a reason.
    fn open<'a>(
        &'a self,
        number: usize,
        around: Option<(&'a str, u8, u8)>,
        why_not: impl Fn(u8) -> Option<&'static str>,
    ) -> Open<'a> {
        let pair = &self.pairs[number];
        let has = self
            .targets
            .iter()
            .position(|&target| target == Some(number));
        let level = self.level(pair, around);
        // In a pair of its own set, a second pass finds it in one of another set.
        let other = around.map_or(level, |(_, _, level)| 1 - level);
        let mut fate = Err("");
        for level in [level, other] {
            let why = match has == Some(usize::from(level)) {
                true => None,
                false => why_not(level),
            };
            fate = why.map_or(Ok(level), Err);
            if fate.is_ok() {
                break;
            }
        }
        let folded = match (fate, has) {
            (Ok(level), _) => Some((pair.system.as_str(), pair.level, level)),
            (Err(_), Some(_)) => Some((pair.system.as_str(), pair.level, pair.level)),
            (Err(_), None) => around,
        };
        Open { folded, fate }
    }

    fn level(&self, pair: &Pair, around: Option<(&str, u8, u8)>) -> u8 {
        match (self.levels, around) {
            (Levels::Depth, around) => around.map_or(0, |(_, _, level)| 1 - level),
            (Levels::Marks, None) => pair.level,
            // Levels that were turned round outside are turned round inside too.
            (Levels::Marks, Some((system, had, got))) if system == pair.system => {
                pair.level ^ had ^ got
            }
            (Levels::Marks, Some((_, _, got))) => 1 - got,
        }
    }
}

/// What is to be done with a mark.
#[derive(Debug, Clone, Copy)]
pub(super) enum Action<'a> {
    /// Another mark takes its place, for this reason.
    Put(char, &'a str),
    /// It stays, for this reason.
    Keep(&'static str),
}

impl Action<'_> {
    /// Do it with the mark that stands at `place`.
    pub(super) fn apply(self, place: usize, character: char, out: &mut Rewriter<'_>) {
        let range = place..place + character.len_utf8();
        match self {
            Self::Put(mark, _) if mark == character => {}
            Self::Put(mark, reason) => {
                let mark = mark.to_string();
                if out.records() {
                    out.replace(range, &mark, Status::Sure, Vec::new(), reason.to_owned());
                } else {
                    out.put(range, &mark);
                }
            }
            Self::Keep(reason) if out.records() => out.keep(range, Vec::new(), reason),
            Self::Keep(_) => {}
        }
    }
}

#[cfg(test)]
mod tests;
