//! Marks that come in pairs: quotation marks, and brackets around titles.
//!
//! The marks of a paragraph are paired with a stack. A closing mark takes the
//! last open one of its kind; marks that were opened in between have no partner.
//! Only pairs are folded, so what cannot be paired stays as it is and is
//! reported. Every mark is pushed once and taken once: linear time.

use serde::Deserialize;

use super::context::{is_closer, is_han, is_letter, is_opener, lines};
use super::rewrite::{Rewriter, Status};
use crate::error::{Error, Result};

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

/// A mark of the text.
#[derive(Debug)]
struct Mark {
    place: usize,
    character: char,
    pair: usize,
    role: Role,
    paired: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Open,
    Close,
    /// A mark that opens and closes.
    Either,
}

/// A pair that is open where marks are put: its set, the level of its marks and
/// the level that it got.
type Enclosing<'a> = (&'a str, u8, u8);

const NOT_CLOSED: &str = "opening mark without its closing mark";
const NOT_OPENED: &str = "closing mark without its opening mark";
const ODD: &str = "odd number of marks that open and close";

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
        Ok(Self {
            pairs: definition.pairs.into_iter().map(pair).collect(),
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
        let mut enclosing: Vec<Enclosing<'_>> = Vec::new();
        for mark in &marks {
            let pair = &self.pairs[mark.pair];
            let action = match (mark.paired, mark.role) {
                (false, _) if odd[mark.pair] => Action::Keep(ODD),
                (false, Role::Close) => Action::Keep(NOT_OPENED),
                (false, _) => Action::Keep(NOT_CLOSED),
                (true, Role::Close) => {
                    let level = enclosing.pop().map_or(0, |(_, _, level)| level);
                    Action::Put(self.to[usize::from(level)].1, &pair.reason)
                }
                (true, _) => {
                    let level = self.level(pair, enclosing.last());
                    enclosing.push((&pair.system, pair.level, level));
                    Action::Put(self.to[usize::from(level)].0, &pair.reason)
                }
            };
            actions.push((start + mark.place, mark.character, action));
        }
    }

    fn level(&self, pair: &Pair, around: Option<&Enclosing<'_>>) -> u8 {
        match (self.levels, around) {
            (Levels::Depth, around) => around.map_or(0, |&(_, _, level)| 1 - level),
            (Levels::Marks, None) => pair.level,
            // Levels that were turned round outside are turned round inside too.
            (Levels::Marks, Some(&(system, had, got))) if system == pair.system => {
                pair.level ^ had ^ got
            }
            (Levels::Marks, Some(&(_, _, got))) => 1 - got,
        }
    }

    fn marks(&self, text: &str) -> Vec<Mark> {
        let mut marks = Vec::new();
        let mut before = None;
        let mut characters = text.char_indices().peekable();
        while let Some((place, character)) = characters.next() {
            let after = characters.peek().map(|&(_, character)| character);
            if let Some((pair, role)) = self.role(character, before, after) {
                marks.push(Mark {
                    place,
                    character,
                    pair,
                    role,
                    paired: false,
                });
            }
            before = Some(character);
        }
        marks
    }

    fn role(
        &self,
        character: char,
        before: Option<char>,
        after: Option<char>,
    ) -> Option<(usize, Role)> {
        if character.is_ascii_alphanumeric() || is_han(character) {
            return None;
        }
        let holds = |pair: &Pair| pair.open == character || pair.close.contains(&character);
        let number = self.pairs.iter().position(holds)?;
        let pair = &self.pairs[number];
        let role = match (pair.open == character, pair.close.contains(&character)) {
            (true, true) => Role::Either,
            (true, false) => Role::Open,
            _ => Role::Close,
        };
        let word = before.is_some_and(is_letter) && after.is_some_and(is_letter);
        if word && matches!(character, '\'' | '‘' | '’' | '＇') {
            return None;
        }
        let inside = |next: Option<char>, bracket: fn(char) -> bool| {
            next.is_some_and(|next| is_han(next) || bracket(next))
        };
        let stands = match role {
            _ if !pair.around_han => true,
            Role::Close => inside(before, is_closer),
            _ => inside(after, is_opener),
        };
        stands.then_some((number, role))
    }

    /// Give a role to marks that open and close: they take turns. Of an odd number
    /// nobody can say which one is alone; whether a pair has such.
    fn resolve(&self, marks: &mut [Mark]) -> Vec<bool> {
        let mut odd = vec![false; self.pairs.len()];
        for mark in marks.iter().filter(|mark| mark.role == Role::Either) {
            odd[mark.pair] = !odd[mark.pair];
        }
        let mut open = vec![false; self.pairs.len()];
        for mark in marks {
            if mark.role == Role::Either && !odd[mark.pair] {
                mark.role = if open[mark.pair] {
                    Role::Close
                } else {
                    Role::Open
                };
                open[mark.pair] = !open[mark.pair];
            }
        }
        odd
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

fn pair_up(marks: &mut [Mark], pairs: usize) {
    let mut stack: Vec<usize> = Vec::new();
    let mut open = vec![0_usize; pairs];
    for number in 0..marks.len() {
        let Mark { pair, role, .. } = marks[number];
        match role {
            Role::Open => {
                stack.push(number);
                open[pair] += 1;
            }
            Role::Close if open[pair] > 0 => {
                while let Some(last) = stack.pop() {
                    open[marks[last].pair] -= 1;
                    if marks[last].pair == pair {
                        marks[last].paired = true;
                        marks[number].paired = true;
                        break;
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
