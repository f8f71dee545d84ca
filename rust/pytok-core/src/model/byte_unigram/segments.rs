//! Words to segments: what most segments become stands in tables.
//!
//! A word is cut where no piece crosses. Of modern Chinese four characters in
//! ten then stand alone, and another four stand in pairs. A piece that takes
//! part in the search is no dearer than other pieces for the same bytes, and of
//! equal sums the longest last piece stays (see [`super::lattice`]): so two
//! characters that are a piece become that piece, and else their own two.

use super::characters::Characters;
use super::lattice::NO_ID;
use super::pairs::{Pair, Pairs};
use crate::ids::{index, offset};
use crate::model::blocks::{Alphabet, BLOCK, Block, Joint, Seen};
use crate::model::cuts::Cuts;
use crate::model::trie::Trie;

/// The cuts of a vocabulary whose pieces never have a part of a character and
/// more, its characters and its pairs.
#[derive(Debug)]
pub(super) struct Segments {
    pub(super) cuts: Cuts,
    pub(super) characters: Characters,
    pub(super) pairs: Pairs,
}

/// What the pieces of a segment are looked up in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pieces<'a> {
    pub(super) trie: &'a Trie,
    pub(super) costs: &'a [u32],
}

impl Segments {
    /// Cut a word, append the ids of each segment, and hand those segments to
    /// `search` for which the tables are not enough.
    ///
    /// # Complexity
    /// O(n · p) for n bytes and pieces of at most p bytes, besides searching.
    #[inline]
    pub(super) fn encode(
        &self,
        word: &str,
        pieces: Pieces<'_>,
        block: &mut Block<Self>,
        ids: &mut Vec<u32>,
        search: impl FnMut(&str, &mut Vec<u32>),
    ) {
        block.each_segment(
            self,
            word,
            &mut (ids, search),
            |block, start, end, (ids, search)| {
                if !block.is_smooth(start, end) {
                    return search(&word[block.place(start)..block.place(end)], ids);
                }
                match *block.known(start, end) {
                    [alone] => ids.push(alone),
                    [first, second] => match block.pair(start + 1).id() {
                        Some(id) => ids.push(id),
                        None => ids.extend_from_slice(&[first, second]),
                    },
                    [first, second, third] => {
                        let pairs = [block.pair(start + 1), block.pair(start + 2)];
                        let last = &word.as_bytes()[block.place(start + 2)..block.place(end)];
                        self.three(pieces, [first, second, third], pairs, last, ids);
                    }
                    _ => self.several(word, pieces, block, start, end, ids),
                }
            },
            |segment, (ids, search)| search(segment, ids),
        );
    }

    /// Append the ids of three characters, given the bytes of the last one.
    #[inline]
    fn three(
        &self,
        Pieces { trie, costs }: Pieces<'_>,
        [first, second, third]: [u32; 3],
        [left, right]: [Pair; 2],
        last: &[u8],
        ids: &mut Vec<u32>,
    ) {
        if left.is_longer() {
            let end = trie.follow(self.pairs.cursor(left), last);
            if let Some(id) = end.and_then(|end| trie.value(end)) {
                return ids.push(id);
            }
        }
        let sum = |left: u32, right: u32| costs[index(left)] + costs[index(right)];
        match (left.id(), right.id()) {
            (Some(left), Some(right)) if sum(left, third) >= sum(first, right) => {
                ids.extend_from_slice(&[first, right]);
            }
            (Some(left), _) => ids.extend_from_slice(&[left, third]),
            (None, Some(right)) => ids.extend_from_slice(&[first, right]),
            (None, None) => ids.extend_from_slice(&[first, second, third]),
        }
    }

    /// Append the ids of the characters `start..end` of a block: the search of
    /// [`super::lattice`], by characters. A block costs less than 2^30 units.
    fn several(
        &self,
        word: &str,
        Pieces { trie, costs }: Pieces<'_>,
        block: &Block<Self>,
        start: usize,
        end: usize,
        ids: &mut Vec<u32>,
    ) {
        let count = end - start;
        let arrivals = &mut [UNREACHED; BLOCK + 1][..=count];
        arrivals[0].cost = 0;
        let offer = |arrivals: &mut [Arrival], from: usize, to: usize, id: u32| {
            let cost = arrivals[from].cost + costs[index(id)];
            if cost < arrivals[to].cost {
                let start = offset(from);
                arrivals[to] = Arrival { cost, id, start };
            }
        };
        for (from, &alone) in block.known(start, end).iter().enumerate() {
            offer(arrivals, from, from + 1, alone);
            if from + 1 == count {
                break;
            }
            let pair = block.pair(start + from + 1);
            if let Some(id) = pair.id() {
                offer(arrivals, from, from + 2, id);
            }
            if !pair.is_longer() {
                continue;
            }
            let mut cursor = self.pairs.cursor(pair);
            for to in from + 3..=count {
                let places = block.place(start + to - 1)..block.place(start + to);
                match trie.follow(cursor, &word.as_bytes()[places]) {
                    Some(next) => cursor = next,
                    None => break,
                }
                if let Some(id) = trie.value(cursor) {
                    offer(arrivals, from, to, id);
                }
            }
        }
        let before = ids.len();
        let mut at = count;
        while at > 0 {
            ids.push(arrivals[at].id);
            at = index(arrivals[at].start);
        }
        ids[before..].reverse();
    }
}

/// The cheapest way to a character of a segment.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    cost: u32,
    id: u32,
    start: u32,
}

const UNREACHED: Arrival = Arrival {
    cost: u32::MAX,
    id: NO_ID,
    start: 0,
};

impl Alphabet for Segments {
    /// The piece that a character is, or [`NO_ID`].
    type Known = u32;
    type Pair = Pair;

    #[inline]
    fn known(&self, code: u32) -> u32 {
        self.characters.id(code)
    }

    #[inline]
    fn is_smooth(known: u32) -> bool {
        known != NO_ID
    }

    #[inline]
    fn joint(&self, before: Seen<u32>, after: Seen<u32>) -> Joint {
        let either = before.code | after.code;
        let ascii = either < 0x80;
        let joined = ascii || either >= 0x1_0000 || self.cuts.may_join(before.code, after.code);
        Joint {
            joined,
            rough: ascii,
        }
    }

    #[inline]
    fn pair(&self, before: Seen<u32>, after: Seen<u32>) -> Pair {
        self.pairs.get(before.code, after.code)
    }

    fn segment_end(&self, word: &str, begin: usize) -> usize {
        self.cuts.segment_end(word, begin)
    }
}
