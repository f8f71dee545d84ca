//! Marks of a text: which of them open, which close, and which are partners.

use super::{Pair, Pairs};
use crate::zh::context::{is_closer, is_han, is_letter, is_opener, is_selector};

/// A mark of the text.
#[derive(Debug)]
pub(super) struct Mark {
    pub(super) place: usize,
    pub(super) character: char,
    pub(super) pair: usize,
    pub(super) role: Role,
    /// The characters beside it, but for variation selectors before it.
    pub(super) before: Option<char>,
    pub(super) after: Option<char>,
    /// The number of the other mark of its pair.
    pub(super) partner: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Open,
    Close,
    /// A mark that opens and closes.
    Either,
}

impl Pairs {
    pub(super) fn marks(&self, text: &str) -> Vec<Mark> {
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
                    before,
                    after,
                    partner: None,
                });
            }
            if !is_selector(character) {
                before = Some(character);
            }
        }
        self.keep_standing(&mut marks);
        marks
    }

    /// Take out marks that are some only where a Chinese character is inside, next
    /// to them or behind other marks.
    fn keep_standing(&self, marks: &mut Vec<Mark>) {
        if !marks.iter().any(|mark| self.pairs[mark.pair].around_han) {
            return;
        }
        let mut stands = vec![true; marks.len()];
        // Whether the mark that was looked at last is inside and stands.
        let mut inside = None;
        for (mark, stands) in marks.iter().zip(&mut stands) {
            if mark.role == Role::Close {
                let next = mark.before;
                let bears_out = |next| is_han(next) || is_closer(next) || inside == Some(next);
                *stands = !self.pairs[mark.pair].around_han || next.is_some_and(bears_out);
            }
            inside = (mark.role == Role::Close && *stands).then_some(mark.character);
        }
        let mut inside = None;
        for (mark, stands) in marks.iter().zip(&mut stands).rev() {
            if mark.role != Role::Close {
                let next = mark.after;
                let bears_out = |next| is_han(next) || is_opener(next) || inside == Some(next);
                *stands = !self.pairs[mark.pair].around_han || next.is_some_and(bears_out);
            }
            inside = (mark.role != Role::Close && *stands).then_some(mark.character);
        }
        let mut stands = stands.into_iter();
        marks.retain(|_| stands.next() == Some(true));
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
        if is_apostrophe(character) && is_in_word(before, after) {
            return None;
        }
        Some((number, role))
    }

    /// Give a role to marks that open and close: they take turns. Of an odd number
    /// nobody can say which one is alone; whether a pair has such.
    pub(super) fn resolve(&self, marks: &mut [Mark]) -> Vec<bool> {
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

impl Mark {
    /// Whether this character in the place of the mark were an apostrophe.
    pub(super) fn were_apostrophe(&self, character: char) -> bool {
        is_apostrophe(character) && is_in_word(self.before, self.after)
    }
}

fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '‘' | '’' | '＇')
}

fn is_in_word(before: Option<char>, after: Option<char>) -> bool {
    before.is_some_and(is_letter) && after.is_some_and(is_letter)
}

/// The numbers of the marks of a pair that have no partner.
pub(super) fn single(marks: &[Mark], pair: Option<usize>) -> Vec<usize> {
    let numbered = marks.iter().enumerate();
    numbered
        .filter(|(_, mark)| mark.partner.is_none() && Some(mark.pair) == pair)
        .map(|(number, _)| number)
        .collect()
}

pub(super) fn pair_up(marks: &mut [Mark], pairs: usize) {
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
                        marks[last].partner = Some(number);
                        marks[number].partner = Some(last);
                        break;
                    }
                }
            }
            _ => {}
        }
    }
}
