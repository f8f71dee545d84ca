//! The cheapest segmentation of bytes, from left to right.
//!
//! Every byte is a piece, so every position is reached. The rule for ties is
//! that of [`super::super::Unigram`]: starts ascend and only a smaller sum
//! replaces an earlier one, so of equal sums the longest last piece stays.

use super::characters::Edge;
use crate::ids::{index, offset};
use crate::model::trie::{Cursor, Trie};

/// No piece has this id.
pub(super) const NO_ID: u32 = u32::MAX;

/// The cheapest way to a position.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    cost: u64,
    /// Where its last step begins.
    start: u32,
    /// What its last step stands for: an id, or [`NO_ID`] for all pieces of a
    /// character.
    id: u32,
}

const UNREACHED: Arrival = Arrival {
    cost: u64::MAX,
    start: 0,
    id: NO_ID,
};

/// The ways to the positions of one word.
#[derive(Debug, Default)]
pub(super) struct Lattice {
    arrivals: Vec<Arrival>,
}

impl Lattice {
    /// Begin a word of `length` bytes.
    #[inline]
    pub(super) fn begin(&mut self, length: usize) {
        self.arrivals.clear();
        self.arrivals.resize(length + 1, UNREACHED);
        self.arrivals[0].cost = 0;
    }

    #[inline]
    fn offer(&mut self, start: usize, end: usize, cost: u64, id: u32) {
        let arrival = &mut self.arrivals[end];
        if cost < arrival.cost {
            *arrival = Arrival {
                cost,
                start: offset(start),
                id,
            };
        }
    }

    /// Follow all pieces of `trie` that begin at byte `start` of `word`.
    #[inline]
    pub(super) fn extend(&mut self, trie: &Trie, costs: &[u32], word: &[u8], start: usize) {
        self.walk(trie, costs, word, start, start, Cursor::ROOT);
    }

    /// Follow all pieces that begin with the character at `start`, whose own
    /// segmentation and place in the trie are known.
    #[inline]
    pub(super) fn extend_character(
        &mut self,
        trie: &Trie,
        costs: &[u32],
        word: &[u8],
        start: usize,
        length: usize,
        edge: &Edge,
    ) {
        let cost = self.arrivals[start].cost + u64::from(edge.cost);
        self.offer(start, start + length, cost, edge.id);
        if let Some(cursor) = edge.cursor {
            self.walk(trie, costs, word, start, start + length, cursor);
        }
    }

    #[inline]
    fn walk(
        &mut self,
        trie: &Trie,
        costs: &[u32],
        word: &[u8],
        start: usize,
        from: usize,
        mut cursor: Cursor,
    ) {
        let here = self.arrivals[start].cost;
        for (place, &byte) in word.iter().enumerate().skip(from) {
            match trie.step(cursor, byte) {
                Some(next) => cursor = next,
                None => break,
            }
            if let Some(id) = trie.value(cursor) {
                self.offer(start, place + 1, here + u64::from(costs[index(id)]), id);
            }
        }
    }

    /// The cost of the word.
    pub(super) fn cost(&self) -> u64 {
        self.arrivals.last().map_or(0, |arrival| arrival.cost)
    }

    /// The steps of the cheapest segmentation, the last one first: start, end
    /// and id.
    #[inline]
    pub(super) fn steps_back(&self, mut step: impl FnMut(usize, usize, u32)) {
        let mut end = self.arrivals.len().saturating_sub(1);
        while end > 0 {
            let arrival = self.arrivals[end];
            let start = index(arrival.start);
            step(start, end, arrival.id);
            end = start;
        }
    }
}
