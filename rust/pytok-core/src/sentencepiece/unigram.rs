//! Unigram models: the segmentation with the highest sum of scores (Kudo, 2018),
//! in the library's single precision.
//!
//! Sums are carried over the whole text, so a rounding early in a text can
//! decide a tie late in it. The order of additions, and the moment at which the
//! library subtracts a common offset from all sums, are therefore kept exactly.

use rustc_hash::FxHashSet;

use super::format_error;
use super::segment::{Segment, UNKNOWN};
use super::vocabulary::{PieceKind, Vocabulary};
use crate::error::Result;
use crate::ids::{index, offset};
use crate::model::trie::Trie;

/// How far below the least likely piece an unknown character is rated.
const UNKNOWN_PENALTY: f32 = 10.0;

/// Sums beyond this are set back to zero, with all sums that compete with them.
const SUM_LIMIT: f32 = 100_000.0;

const NONE: u32 = u32::MAX;

/// A node of the trie of pieces: see [`Trie::units`].
#[derive(Debug, Clone, Copy)]
struct Unit {
    base: u32,
    parent: u32,
    /// The piece that ends here, or [`UNKNOWN`].
    id: u32,
    /// Its score.
    score: f32,
}

/// A compiled model.
#[derive(Debug, Clone)]
pub(super) struct Unigram {
    /// The trie of pieces with their scores, so that a step is a single look.
    units: Vec<Unit>,
    scores: Vec<f32>,
    unknown_score: f32,
    user_defined: FxHashSet<u32>,
}

/// The best segmentation that ends at a byte.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    score: f32,
    /// Where its last piece begins; [`NONE`] where no segmentation ends.
    start: u32,
    /// The last piece, or [`UNKNOWN`].
    id: u32,
}

const UNREACHED: Arrival = Arrival {
    score: 0.0,
    start: NONE,
    id: UNKNOWN,
};

impl Unigram {
    /// Compile a vocabulary.
    ///
    /// # Errors
    /// When it has no pieces to find, or a score is not a number.
    pub(super) fn compile(vocabulary: &Vocabulary) -> Result<Self> {
        let pieces = vocabulary.pieces();
        if let Some(position) = pieces.iter().position(|piece| !piece.score.is_finite()) {
            return Err(format_error(
                format!("pieces[{position}].score"),
                "the score is not a finite number",
            ));
        }
        if vocabulary.textual_pieces().next().is_none() {
            return Err(format_error(
                "pieces",
                "there are no normal pieces (type 1)",
            ));
        }
        let trie = Trie::build(
            vocabulary
                .textual_pieces()
                .filter(|(_, piece)| piece.kind != PieceKind::Unused)
                .map(|(id, piece)| (piece.text.as_bytes(), id)),
        )?;
        let least = pieces
            .iter()
            .filter(|piece| piece.kind == PieceKind::Normal)
            .fold(f32::MAX, |least, piece| least.min(piece.score));
        let scores: Vec<f32> = pieces
            .iter()
            .map(|piece| match piece.kind {
                PieceKind::UserDefined => user_defined_score(piece.text.len()),
                _ => piece.score,
            })
            .collect();
        let unit = |(base, parent, id)| Unit {
            base,
            parent,
            id,
            score: scores.get(index(id)).copied().unwrap_or_default(),
        };
        Ok(Self {
            units: trie.units().map(unit).collect(),
            scores,
            unknown_score: least - UNKNOWN_PENALTY,
            user_defined: (0..)
                .zip(pieces)
                .filter(|(_, piece)| piece.kind == PieceKind::UserDefined)
                .map(|(id, _)| id)
                .collect(),
        })
    }

    /// Whether a segment's id is that of a user-defined symbol.
    pub(super) fn is_user_defined(&self, id: u32) -> bool {
        self.user_defined.contains(&id)
    }

    /// The score of a segment's id.
    pub(super) fn score(&self, id: u32) -> f64 {
        let score = self.scores.get(index(id)).copied();
        f64::from(score.unwrap_or(self.unknown_score))
    }

    /// Give the pieces that begin at byte `start` of a text, each with its
    /// length, score and id: none inside a character, and a character that is
    /// no piece as [`UNKNOWN`].
    #[inline]
    pub(super) fn pieces_at(
        &self,
        text: &str,
        start: usize,
        mut each: impl FnMut(usize, f32, u32),
    ) {
        let rest = text.get(start..).unwrap_or_default();
        let Some(width) = rest.chars().next().map(char::len_utf8) else {
            return;
        };
        let mut character_is_a_piece = false;
        self.walk(rest.as_bytes(), |length, unit| {
            if unit.id != UNKNOWN {
                each(length, unit.score, unit.id);
                character_is_a_piece |= length == width;
            }
        });
        if !character_is_a_piece {
            each(width, self.unknown_score, UNKNOWN);
        }
    }

    /// Give the nodes on the way that a text leads, each with its depth.
    #[inline]
    fn walk(&self, text: &[u8], mut each: impl FnMut(usize, &Unit)) {
        let (mut node, mut base) = (0, self.units[0].base);
        for (place, &byte) in text.iter().enumerate() {
            let child = base ^ u32::from(byte);
            let unit = &self.units[index(child)];
            if unit.parent != node {
                break;
            }
            (node, base) = (child, unit.base);
            each(place + 1, unit);
        }
    }

    /// Append the segments of a normalised text.
    ///
    /// # Complexity
    /// O(n · p) for n bytes and pieces of at most p bytes.
    pub(super) fn encode(
        &self,
        text: &str,
        arrivals: &mut Vec<Arrival>,
        segments: &mut Vec<Segment>,
    ) {
        self.search(text, arrivals);
        let first = segments.len();
        let mut end = offset(text.len());
        while end > 0 {
            let arrival = arrivals[index(end)];
            segments.push(Segment {
                id: arrival.id,
                end,
            });
            end = arrival.start;
        }
        segments[first..].reverse();
    }

    fn search(&self, text: &str, arrivals: &mut Vec<Arrival>) {
        arrivals.clear();
        arrivals.resize(text.len() + 1, UNREACHED);
        let mut frontier = 0;
        for (start, character) in text.char_indices() {
            let mut sum = arrivals[start].score;
            if !(-SUM_LIMIT..=SUM_LIMIT).contains(&sum) && !sum.is_nan() {
                set_back(&mut arrivals[start..=frontier.max(start)], sum);
                sum = 0.0;
            }
            let width = character.len_utf8();
            let mut character_is_a_piece = false;
            self.walk(&text.as_bytes()[start..], |length, unit| {
                if unit.id != UNKNOWN {
                    frontier = frontier.max(start + length);
                    character_is_a_piece |= length == width;
                    arrivals[start + length].offer(unit.score + sum, start, unit.id);
                }
            });
            if !character_is_a_piece {
                frontier = frontier.max(start + width);
                arrivals[start + width].offer(self.unknown_score + sum, start, UNKNOWN);
            }
        }
    }
}

impl Arrival {
    /// Take a way that comes here if it is better. Of equal sums the earlier
    /// start, found first, stays.
    #[inline]
    fn offer(&mut self, score: f32, start: usize, id: u32) {
        if self.start == NONE || score > self.score {
            *self = Self {
                score,
                start: offset(start),
                id,
            };
        }
    }
}

/// Subtract `sum` from every sum that a later piece can still build on.
#[cold]
fn set_back(arrivals: &mut [Arrival], sum: f32) {
    for (distance, arrival) in arrivals.iter_mut().enumerate() {
        if distance == 0 || arrival.start != NONE {
            arrival.score -= sum;
        }
    }
}

/// A score above zero that grows with the length: no split of a user-defined
/// symbol can win against it.
#[allow(clippy::as_conversions, clippy::cast_possible_truncation)] // the library's rounding
fn user_defined_score(bytes: usize) -> f32 {
    // Pieces are shorter than 8000 bytes, so the conversion to f64 is exact.
    (0.1 * (bytes as f64 - 1.0)) as f32
}
