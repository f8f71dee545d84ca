//! BPE models: of all neighbours whose text together is a piece, those with the
//! best score are merged first, from the left (Sennrich et al., 2016).
//!
//! A symbol is a character or a piece; texts and symbols correspond one to one,
//! so that neighbours are looked up by a pair of symbols instead of by their
//! text. Between two characters that stand side by side in no piece nothing can
//! ever merge: a text is cut there, and each part is merged on its own.

use rustc_hash::{FxHashMap, FxHashSet};

use super::agenda::{Agenda, Candidate, rank};
use super::segment::{Segment, UNKNOWN};
use super::user_symbols::UserSymbols;
use super::vocabulary::{PieceKind, Vocabulary};
use crate::ids::{index, offset};

/// An unused piece is taken apart to this depth, as in the library.
const DEPTH_LIMIT: u32 = 100;

const NONE: u32 = u32::MAX;

/// A compiled model.
#[derive(Debug, Clone)]
pub(super) struct Bpe {
    /// The symbol of every character that occurs in a piece: the piece of that
    /// text, or a number from `pieces` on.
    characters: FxHashMap<char, u32>,
    /// Left and right symbol to the piece that their texts make together.
    merges: FxHashMap<(u32, u32), u32>,
    /// Characters that stand side by side in a piece.
    neighbours: FxHashSet<(char, char)>,
    /// Of every symbol its length in bytes.
    lengths: Vec<u32>,
    /// Of every piece its score, as an integer of the same order.
    ranks: Vec<u32>,
    /// Of every piece whether it is unused; empty when none is.
    unused: Vec<bool>,
    /// The number of pieces.
    pieces: u32,
}

/// Buffers of one thread.
#[derive(Debug, Default)]
pub(super) struct BpeScratch {
    symbols: Vec<Symbol>,
    agenda: Agenda,
    /// How an unused piece was last offered: left and right symbol.
    splits: FxHashMap<u32, (u32, u32)>,
}

#[derive(Debug, Clone, Copy)]
struct Symbol {
    /// The symbol, or [`NONE`] for a character of no piece and for a symbol
    /// that was merged into the one before it.
    id: u32,
    start: u32,
    end: u32,
    previous: u32,
    next: u32,
    /// A user-defined symbol: never merged.
    frozen: bool,
}

impl BpeScratch {
    /// Append a symbol of so many bytes, linked to those beside it.
    #[inline]
    fn push(&mut self, id: u32, start: usize, length: usize, frozen: bool) {
        let place = offset(self.symbols.len());
        self.symbols.push(Symbol {
            id,
            start: offset(start),
            end: offset(start + length),
            previous: place.wrapping_sub(1),
            next: place + 1,
            frozen,
        });
    }
}

impl Bpe {
    /// Compile a vocabulary.
    ///
    /// # Complexity
    /// For each piece the number of its characters times its length.
    pub(super) fn compile(vocabulary: &Vocabulary) -> Self {
        let pieces = vocabulary.pieces();
        let mut model = Self {
            characters: FxHashMap::default(),
            merges: FxHashMap::default(),
            neighbours: FxHashSet::default(),
            lengths: pieces
                .iter()
                .map(|piece| offset(piece.text.len()))
                .collect(),
            ranks: pieces.iter().map(|piece| rank(piece.score)).collect(),
            unused: Vec::new(),
            pieces: offset(pieces.len()),
        };
        let is_unused = |kind| kind == PieceKind::Unused;
        if vocabulary
            .textual_pieces()
            .any(|(_, piece)| is_unused(piece.kind))
        {
            model.unused = pieces.iter().map(|piece| is_unused(piece.kind)).collect();
        }
        for (_, piece) in vocabulary.textual_pieces() {
            model.add_characters(vocabulary, &piece.text);
        }
        for (id, piece) in vocabulary.textual_pieces() {
            model.add_merges(vocabulary, id, &piece.text);
        }
        model
    }

    fn add_characters(&mut self, vocabulary: &Vocabulary, text: &str) {
        let mut before = None;
        for character in text.chars() {
            if let Some(before) = before {
                self.neighbours.insert((before, character));
            }
            before = Some(character);
            let Self {
                characters,
                lengths,
                ..
            } = self;
            characters.entry(character).or_insert_with(|| {
                let mut buffer = [0; 4];
                let text: &str = character.encode_utf8(&mut buffer);
                vocabulary.textual_id(text).unwrap_or_else(|| {
                    lengths.push(offset(text.len()));
                    offset(lengths.len() - 1)
                })
            });
        }
    }

    /// Enter every way to put a piece together from two symbols.
    fn add_merges(&mut self, vocabulary: &Vocabulary, id: u32, text: &str) {
        for (middle, _) in text.char_indices().skip(1) {
            let (left, right) = text.split_at(middle);
            // The right half is looked up only where the left one is a symbol.
            let halves = self
                .symbol(vocabulary, left)
                .and_then(|left| Some((left, self.symbol(vocabulary, right)?)));
            if let Some(halves) = halves {
                self.merges.insert(halves, id);
            }
        }
    }

    fn symbol(&self, vocabulary: &Vocabulary, text: &str) -> Option<u32> {
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => self.characters.get(&character).copied(),
            _ => vocabulary.textual_id(text),
        }
    }

    /// Append the segments of a normalised text, without the merges that `skip`
    /// is true for when their turn comes.
    ///
    /// # Complexity
    /// O(n log n) for n characters.
    pub(super) fn encode(
        &self,
        user_symbols: Option<&UserSymbols>,
        text: &str,
        mut skip: impl FnMut() -> bool,
        scratch: &mut BpeScratch,
        segments: &mut Vec<Segment>,
    ) {
        scratch.splits.clear();
        scratch.symbols.clear();
        let mut before = None;
        let mut start = 0;
        while let Some(character) = text[start..].chars().next() {
            let rest = &text.as_bytes()[start..];
            let user_symbol = user_symbols.and_then(|symbols| symbols.longest_prefix(rest));
            let (length, id) = match user_symbol {
                Some((length, id)) => (length, id),
                None => (
                    character.len_utf8(),
                    self.characters.get(&character).copied().unwrap_or(NONE),
                ),
            };
            // How unused pieces are taken apart depends on the order of merges
            // in the whole text; such a text is not cut.
            let apart = self.unused.is_empty()
                && !before.is_some_and(|before| self.neighbours.contains(&(before, character)));
            if apart {
                self.merge(&mut skip, scratch, segments);
                scratch.symbols.clear();
            }
            scratch.push(id, start, length, user_symbol.is_some());
            before = user_symbol.is_none().then_some(character);
            start += length;
        }
        self.merge(&mut skip, scratch, segments);
    }

    /// Call `found` with each symbol that merging makes of a word without
    /// user-defined symbols, and whether it is a piece. Unused pieces stay whole.
    pub(super) fn for_each_symbol(
        &self,
        word: &str,
        scratch: &mut BpeScratch,
        mut found: impl FnMut(&str, bool),
    ) {
        scratch.splits.clear();
        scratch.symbols.clear();
        for (start, character) in word.char_indices() {
            let id = self.characters.get(&character).copied().unwrap_or(NONE);
            scratch.push(id, start, character.len_utf8(), false);
        }
        self.merge_symbols(&mut || false, scratch);
        for symbol in merged(&scratch.symbols) {
            let text = &word[index(symbol.start)..index(symbol.end)];
            found(text, symbol.id < self.pieces);
        }
    }

    /// Merge the symbols of one part and append what becomes of them.
    fn merge(
        &self,
        skip: &mut impl FnMut() -> bool,
        scratch: &mut BpeScratch,
        segments: &mut Vec<Segment>,
    ) {
        self.merge_symbols(skip, scratch);
        for symbol in merged(&scratch.symbols) {
            self.push(symbol.id, symbol.end, 0, &scratch.splits, segments);
        }
    }

    /// Merge the symbols of one part; those that are left are linked by `next`.
    fn merge_symbols(&self, skip: &mut impl FnMut() -> bool, scratch: &mut BpeScratch) {
        let Some(last) = scratch.symbols.last_mut() else {
            return;
        };
        last.next = NONE;
        let BpeScratch {
            symbols,
            agenda,
            splits,
        } = scratch;
        let first = 0..symbols.len() - 1;
        agenda.fill(first.filter_map(|left| self.candidate(symbols, left, splits)));
        while let Some(candidate) = agenda.pop() {
            let left = candidate.left();
            let symbol = symbols[left];
            // Out of date: the left symbol is gone, or one of the two has grown.
            if symbol.id == NONE || symbol.next == NONE {
                continue;
            }
            let right = symbols[index(symbol.next)];
            if right.end - symbol.start != self.lengths[index(candidate.merged)] {
                continue;
            }
            if skip() {
                continue;
            }
            symbols[index(symbol.next)].id = NONE;
            symbols[left] = Symbol {
                id: candidate.merged,
                end: right.end,
                next: right.next,
                ..symbol
            };
            if right.next != NONE {
                symbols[index(right.next)].previous = offset(left);
            }
            if symbol.previous != NONE {
                let before = self.candidate(symbols, index(symbol.previous), splits);
                before.into_iter().for_each(|offer| agenda.push(offer));
            }
            let after = self.candidate(symbols, left, splits);
            after.into_iter().for_each(|offer| agenda.push(offer));
        }
    }

    /// The merge of a symbol with the next one, if there is one.
    #[inline]
    fn candidate(
        &self,
        symbols: &[Symbol],
        left: usize,
        splits: &mut FxHashMap<u32, (u32, u32)>,
    ) -> Option<Candidate> {
        let symbol = symbols[left];
        if symbol.next == NONE || symbol.frozen || symbol.id == NONE {
            return None;
        }
        let right = symbols[index(symbol.next)];
        if right.frozen || right.id == NONE {
            return None;
        }
        let &merged = self.merges.get(&(symbol.id, right.id))?;
        if self.is_unused(merged) {
            splits.insert(merged, (symbol.id, right.id));
        }
        let rank = self.ranks[index(merged)];
        Some(Candidate::new(rank, offset(left), merged))
    }

    fn is_unused(&self, piece: u32) -> bool {
        self.unused.get(index(piece)).copied().unwrap_or(false)
    }

    /// Append a symbol that ends at `end`, unused pieces taken apart.
    fn push(
        &self,
        symbol: u32,
        end: u32,
        depth: u32,
        splits: &FxHashMap<u32, (u32, u32)>,
        segments: &mut Vec<Segment>,
    ) {
        let mut id = if symbol < self.pieces {
            symbol
        } else {
            UNKNOWN
        };
        if id != UNKNOWN && self.is_unused(id) && depth <= DEPTH_LIMIT {
            if let Some(&(left, right)) = splits.get(&symbol) {
                let middle = end - self.lengths[index(right)];
                self.push(left, middle, depth + 1, splits, segments);
                self.push(right, end, depth + 1, splits, segments);
                return;
            }
            id = UNKNOWN;
        }
        segments.push(Segment { id, end });
    }
}

/// The symbols that are left after merging.
fn merged(symbols: &[Symbol]) -> impl Iterator<Item = &Symbol> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let symbol = symbols.get(index(next))?;
        next = symbol.next;
        Some(symbol)
    })
}
