//! A step: one piece is put in the place of a pair, wherever it stands.

use super::arena::{Arena, Place, Wanted, is_piece};
use super::neighbours::{Neighbour, Neighbours};
use super::pairs::{PairNumber, Pairs, Symbols};
use super::pieces::Pieces;
use super::rules::JoinRules;
use crate::ids::index;

/// Places that are read ahead.
const AHEAD: usize = 32;

/// What a step looks at and changes.
pub(super) struct Step<'a, R> {
    /// The pair.
    pub(super) symbols: Symbols,
    pub(super) piece: u32,
    pub(super) pieces: &'a Pieces,
    pub(super) rules: &'a R,
    pub(super) arena: &'a mut Arena,
    pub(super) pairs: &'a mut Pairs,
    pub(super) beside: &'a mut Beside,
}

/// What stands beside the places of a step, kept to be used again.
#[derive(Debug, Default)]
pub(super) struct Beside {
    before: Neighbours,
    after: Neighbours,
}

impl<R: JoinRules> Step<'_, R> {
    /// Merge at the places of the pair, and call `made` with the pairs that this
    /// makes and that have a count of `floor`.
    pub(super) fn run(mut self, places: &[u32], floor: u64, mut made: impl FnMut(PairNumber)) {
        self.beside.before.make_room(self.pieces.len());
        self.beside.after.make_room(self.pieces.len());
        match self.pieces.character(self.piece) {
            Some(character) if self.pieces.spans_chars() => self.bear(character, places),
            _ => self.merge(places),
        }
        self.settle(floor.max(1), &mut made);
    }

    fn merge(&mut self, places: &[u32]) {
        let wanted = Wanted::new(self.symbols, self.pieces);
        let mut run = 0;
        for chunk in places.chunks(AHEAD) {
            self.arena.fetch(chunk);
            for &start in chunk {
                if let Some(place) = self.arena.pair_at(start, wanted, &mut run) {
                    self.note(place, true);
                    self.arena.join(place, self.piece);
                }
            }
        }
    }

    /// Put a piece in the place of a character, and take away the word in which
    /// its bytes were merged.
    fn bear(&mut self, character: char, places: &[u32]) {
        let wanted = Wanted::new(self.symbols, self.pieces);
        let mut run = 0;
        for &start in places {
            if let Some(place) = self.arena.pair_at(start, wanted, &mut run) {
                self.arena.clear(place);
            }
        }
        run = 0;
        for chunk in self.arena.take_unborn(character).chunks(AHEAD) {
            self.arena.fetch(chunk);
            for &start in chunk {
                let place = self.arena.bear(start, self.piece, &mut run);
                self.note(place, false);
            }
        }
    }

    /// Note what a place changes beside it; whether symbols go that had pairs
    /// there.
    #[inline]
    fn note(&mut self, place: Place, has_pairs: bool) {
        let Beside { before, after } = &mut *self.beside;
        let (pieces, rules, piece) = (self.pieces, self.rules, self.piece);
        let count = place.count;
        if is_piece(place.before) {
            let joins = || rules.may_join(pieces, place.before, piece);
            let entry = before.entry(place.before, joins);
            // What the step made before, as in `abab`, it may take back.
            if place.before == piece {
                after.take_back(self.symbols.0, count);
            } else if has_pairs {
                before.lose(entry, count);
            }
            before.gain(entry, count, place.start - pieces.span(place.before));
        }
        if is_piece(place.after) {
            let joins = || rules.may_join(pieces, piece, place.after);
            let entry = after.entry(place.after, joins);
            if has_pairs {
                after.lose(entry, count);
            }
            if place.after == piece {
                // The pair of the piece with itself is one pair.
                let entry = before.entry(piece, || rules.may_join(pieces, piece, piece));
                before.gain(entry, count, place.start);
            } else {
                after.gain(entry, count, place.start);
            }
        }
    }

    /// Count what is there less often, and remember what is there now.
    fn settle(&mut self, floor: u64, made: &mut impl FnMut(PairNumber)) {
        let Beside { before, after } = &mut *self.beside;
        let (pairs, pieces, rules, piece) = (&mut *self.pairs, self.pieces, self.rules, self.piece);
        let (left, right) = self.symbols;
        let mut settle = |neighbour: &mut Neighbour, gone: Symbols, symbols: Symbols| {
            if neighbour.lost > 0 {
                pairs.lose(gone, neighbour.lost);
            }
            let count = neighbour.gained;
            if count >= floor && rules.allows(pieces, symbols.0, symbols.1) {
                neighbour.pair = pairs.add(symbols, count, index(neighbour.places));
                made(neighbour.pair);
            }
        };
        before.for_each(|n| settle(n, (n.symbol, left), (n.symbol, piece)));
        after.for_each(|n| settle(n, (right, n.symbol), (piece, n.symbol)));
        before.settle(pairs);
        after.settle(pairs);
    }
}
