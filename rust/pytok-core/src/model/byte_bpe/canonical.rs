//! From ranks to merges: the one merge that makes each token.
//!
//! A rank file lists tokens, not merges: two neighbours merge when their
//! concatenation is a token, with the token's rank. Let t be formed somewhere
//! in a word. No merge crossed the borders of t before, so the merges inside t
//! came in the same order as when t is encoded alone, and the last one, which
//! makes t, is the one at which encoding t alone arrives: *every* occurrence
//! of t is made by the same pair. So one pair per token is enough, and pairs
//! with the same concatenation but another border never stand side by side.
//!
//! A token at which encoding alone does not arrive is never made by merging;
//! only a word that is this token finds it.

use std::cell::RefCell;

use super::super::bpe::chain::Chain;
use super::super::bpe::merges::{Merge, MergeTable, Merges};
use super::super::bpe::short::{SHORT, merge_short};
use super::super::vocabulary::Vocabulary;
use crate::max_span::MaxSpan;

/// Merging by looking up concatenations, as the rank file means it.
struct Concatenations<'a> {
    vocabulary: &'a Vocabulary,
    /// The token under study, which must not be made.
    excluded: u32,
    buffer: RefCell<Vec<u8>>,
}

impl Merges for Concatenations<'_> {
    fn get(&self, left: u32, right: u32) -> Option<Merge> {
        let mut buffer = self.buffer.borrow_mut();
        buffer.clear();
        buffer.extend_from_slice(self.vocabulary.piece(left)?);
        buffer.extend_from_slice(self.vocabulary.piece(right)?);
        let id = self.vocabulary.id(&buffer)?;
        (id != self.excluded).then_some(Merge { rank: id, id })
    }
}

/// The merges of a vocabulary of byte strings whose ids are their ranks, as far
/// as `max_span` allows their results, and the ids of the tokens that no merge
/// makes.
///
/// # Complexity
/// O(n log n) table look-ups for a token of n bytes.
pub(super) fn canonical_merges(
    vocabulary: &Vocabulary,
    bytes: &[u32; 256],
    max_span: Option<MaxSpan>,
) -> (MergeTable, Vec<u32>) {
    let mut table = MergeTable::with_capacity(vocabulary.len());
    let mut unreachable = Vec::new();
    let mut concatenations = Concatenations {
        vocabulary,
        excluded: 0,
        buffer: RefCell::default(),
    };
    let mut chain = Chain::default();
    for (piece, id) in vocabulary.iter().filter(|(piece, _)| piece.len() != 1) {
        // Parts of an allowed piece are allowed, so the others have no say.
        if !max_span.is_none_or(|span| span.allows(piece)) {
            unreachable.push(id);
            continue;
        }
        concatenations.excluded = id;
        let symbols = piece.iter().map(|&byte| bytes[usize::from(byte)]);
        let pair = if piece.len() <= SHORT {
            let mut ids = [0; SHORT];
            ids.iter_mut()
                .zip(symbols)
                .for_each(|(id, symbol)| *id = symbol);
            let ids = &mut ids[..piece.len()];
            let count = merge_short(&concatenations, ids, &mut [(); SHORT][..piece.len()]);
            (count == 2).then_some((ids[0], ids[1]))
        } else {
            chain.clear();
            symbols.for_each(|symbol| chain.push(symbol, 1));
            chain.merge(&concatenations);
            let mut rest = chain.symbols().map(|(id, _)| id);
            match (rest.next(), rest.next(), rest.next()) {
                (Some(left), Some(right), None) => Some((left, right)),
                _ => None,
            }
        };
        match pair {
            Some((left, right)) => table.insert(left, right, Merge { rank: id, id }),
            None => unreachable.push(id),
        }
    }
    table.check_ranks();
    (table, unreachable)
}
