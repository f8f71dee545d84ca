//! Characters as single steps through the lattice.
//!
//! When no piece begins or ends inside a character that it does not stay
//! inside, a way through a character either follows a piece that goes beyond
//! it or is the cheapest segmentation of the character alone. That one is
//! known beforehand, so that no search begins inside a character. Ties stay as
//! they are: pieces from further left are offered before it, as their starts
//! are smaller than all starts inside.

use super::lattice::{Lattice, NO_ID};
use crate::ids::index;
use crate::model::trie::{Cursor, Trie};

/// Code points below this have an entry.
const BASIC: u32 = 0x1_0000;

/// A character on its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    /// The cost of its cheapest segmentation.
    pub(super) cost: u32,
    /// The piece that it is; [`NO_ID`] if it is several.
    pub(super) id: u32,
    /// Where the longer pieces that begin with it continue.
    pub(super) cursor: Option<Cursor>,
}

/// The characters of the basic plane.
#[derive(Debug)]
pub(super) struct Characters {
    edges: Vec<Edge>,
    /// The piece that each is, by itself: it is asked for more often.
    ids: Vec<u32>,
}

impl Characters {
    /// Segment every character once.
    pub(super) fn new(trie: &Trie, costs: &[u32]) -> Self {
        let (mut buffer, mut lattice) = ([0; 4], Lattice::default());
        let edges: Vec<Edge> = (0..BASIC)
            .map(|code| {
                // Surrogates are never looked up.
                let character = char::from_u32(code).unwrap_or_default();
                let bytes = character.encode_utf8(&mut buffer).as_bytes();
                lattice.begin(bytes.len());
                for start in 0..bytes.len() {
                    lattice.extend(trie, costs, bytes, start);
                }
                let mut id = NO_ID;
                lattice.steps_back(|start, end, step| {
                    if end - start == bytes.len() {
                        id = step;
                    }
                });
                Edge {
                    // Three bytes at most, whose costs the compiler limits.
                    cost: u32::try_from(lattice.cost()).unwrap_or(u32::MAX),
                    id,
                    cursor: bytes
                        .iter()
                        .try_fold(Cursor::ROOT, |cursor, &byte| trie.step(cursor, byte)),
                }
            })
            .collect();
        let ids = edges.iter().map(|edge| edge.id).collect();
        Self { edges, ids }
    }

    /// The piece that a code point is; [`NO_ID`] if it is several or outside of
    /// the basic plane.
    #[inline]
    pub(super) fn id(&self, code: u32) -> u32 {
        self.ids.get(index(code)).copied().unwrap_or(NO_ID)
    }

    /// A character of the basic plane.
    #[inline]
    pub(super) fn get(&self, character: char) -> Option<&Edge> {
        self.edges.get(index(u32::from(character)))
    }
}
