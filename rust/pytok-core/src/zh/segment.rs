//! Where clauses end in text that has no punctuation: zero-width breaks.
//!
//! The best way to divide a run of Chinese characters is the one whose breaks and
//! clause lengths have the highest sum of scores (a semi-Markov model; Sarawagi and
//! Cohen, 2004), found by Viterbi search. Scores are whole numbers; of equal ways
//! the one with the shorter last clause is taken, so the result does not depend on
//! the machine.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::break_model::BreakModel;
use super::context::{is_han, lines};
use super::rewrite::Rewriter;
use crate::error::{Error, Result};

/// A model of breaks and how ready it is to put them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentDefinition {
    /// The model's file, in base64.
    pub model: String,
    /// What is added to the score of each break, in nats.
    pub bias: f64,
}

/// The model, read.
#[derive(Debug)]
pub(super) struct Segment {
    model: BreakModel,
    bias: i64,
}

/// Marks of lines that are punctuated.
const MARKS: &str = "。，；：、！？．｡";

impl Segment {
    /// # Errors
    /// Names the field of the model that is wrong.
    pub(super) fn new(definition: &SegmentDefinition) -> Result<Self> {
        let file = STANDARD
            .decode(&definition.model)
            .map_err(|error| Error::argument("model", error.to_string()))?;
        let model = BreakModel::read(&file)?;
        let bias = model.units(definition.bias);
        Ok(Self { model, bias })
    }

    /// # Complexity
    /// O(n l) for n characters and l lengths of the model.
    pub(super) fn rewrite(&self, text: &str, out: &mut Rewriter<'_>) {
        for line in lines(text) {
            let part = &text[line.clone()];
            if part.contains(|character| MARKS.contains(character)) {
                continue;
            }
            let mut run: Vec<char> = Vec::new();
            let mut start = line.start;
            for (place, character) in part.char_indices() {
                if is_han(character) {
                    if run.is_empty() {
                        start = line.start + place;
                    }
                    run.push(character);
                } else {
                    self.divide(start, &run, out);
                    run.clear();
                }
            }
            self.divide(start, &run, out);
        }
    }

    fn divide(&self, start: usize, run: &[char], out: &mut Rewriter<'_>) {
        let mut ends = self.clauses(run).into_iter().peekable();
        let mut byte = start;
        for (place, character) in run.iter().enumerate() {
            if ends.next_if_eq(&place).is_some() {
                out.break_at(byte);
            }
            byte += character.len_utf8();
        }
    }

    /// The places inside a run where a clause ends, in characters, ascending.
    fn clauses(&self, run: &[char]) -> Vec<usize> {
        let scores = self.model.scores(run);
        let lengths = &self.model.lengths;
        let longest = lengths.len();
        // The best way to divide what is before a place, and where its last clause
        // begins; of clauses of the greatest length or longer, the best beginning.
        let mut best: Vec<(i64, usize)> = vec![(0, 0); run.len() + 1];
        let mut long = (i64::MIN, 0);
        for end in 1..=run.len() {
            if let Some(from) = end.checked_sub(longest)
                && best[from].0 >= long.0
            {
                long = (best[from].0, from);
            }
            let far = end
                .checked_sub(longest)
                .map(|_| (long.0 + lengths[longest - 1], long.1));
            let near = (end.saturating_sub(longest - 1)..end)
                .map(|from| (best[from].0 + lengths[end - from - 1], from));
            let (score, from) = far
                .into_iter()
                .chain(near)
                .max_by_key(|&(score, _)| score)
                .expect("a clause of one character is always possible");
            let here = scores.get(end).map_or(0, |score| score + self.bias);
            best[end] = (score + here, from);
        }
        let mut places = Vec::new();
        let mut end = run.len();
        while end > 0 {
            end = best[end].1;
            if end > 0 {
                places.push(end);
            }
        }
        places.reverse();
        places
    }
}
