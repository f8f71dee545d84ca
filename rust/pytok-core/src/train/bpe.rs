//! Byte-pair encoding: the most frequent pair becomes a piece, again and again.
//!
//! Sennrich, Haddow and Birch (2016), over words of bytes, with incremental
//! counts: a merge changes the counts of the pairs around its places and no
//! others ([`super::step`]).
//!
//! Work is proportional to the places that are merged, and every merge of a
//! place takes one symbol away: the words are never scanned again, so one word
//! of a megabyte costs no more than many short ones.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::arena::Arena;
use super::config::{BpeConfig, Tie};
use super::layout::lay_out;
use super::order::{Candidate, order};
use super::pairs::{Pair, PairNumber, Pairs, Symbols};
use super::pieces::Pieces;
use super::progress::{Meter, Stage};
use super::queue::Queue;
use super::rules::{JoinRules, Rules};
use super::step::{Beside, Step};
use super::sure_pieces::make_sure;
use super::word_table::WordTable;
use crate::error::{Error, Result};

/// What came of a run.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The vocabulary has its size.
    Full(Merged),
    /// No pair is left that may be merged.
    Exhausted(Merged),
    /// The caller said stop.
    Stopped,
}

/// Pieces and merges.
#[derive(Debug)]
pub(super) struct Merged {
    pub(super) pieces: Pieces,
    pub(super) merges: Vec<Symbols>,
    /// Characters that were made pieces first.
    pub(super) sure_chars: usize,
    /// Merges that were made first: those of these characters and of prefixes.
    pub(super) sure_merges: usize,
    arena: Arena,
    /// The smallest count of a pair that was merged for its count.
    pub(super) least_count: Option<u64>,
}

/// A run, and how far it is.
#[derive(Debug)]
pub(super) struct Run<R> {
    tie: Tie,
    pub(super) pieces: Pieces,
    pub(super) rules: R,
    pub(super) arena: Arena,
    pairs: Pairs,
    queue: Queue<Candidate>,
    beside: Beside,
    /// The pairs of a step, kept to be used again.
    made: Vec<PairNumber>,
    /// The places of a step, kept to be used again.
    places: Vec<u32>,
    /// Pairs with a smaller count do not enter the queue.
    floor: u64,
    pub(super) merges: Vec<Symbols>,
    /// The count of each pair that was merged for its count.
    pub(super) merge_counts: Vec<u64>,
    /// Where any two neighbours are merged that spell a piece: such pairs, each
    /// behind its piece, that wait to be merged.
    spelled: Option<BTreeSet<(u32, Symbols)>>,
}

/// Merge pairs until the vocabulary has its grown size. `sure` are the characters
/// that are pieces first. Pairs with a count below `floor` are not merged.
///
/// # Errors
/// When the words are too many, or the vocabulary is too small for the
/// characters that must be in it.
pub(super) fn run(
    words: &WordTable,
    sure: &[char],
    rules: &Rules,
    config: &BpeConfig,
    floor: u64,
    meter: &mut Meter<'_>,
) -> Result<Outcome> {
    let mut pieces = Pieces::new(&config.special_tokens);
    let first = pieces.len();
    let merges = make_sure(&mut pieces, config, sure);
    if pieces.len() > config.vocab_size {
        return Err(Error::argument(
            "vocab_size",
            format!(
                "{}; expected at least {} for the special tokens, the bytes, and the {} characters \
                 and the prefixes that tau_c, required_chars and han_prefixes ask for",
                config.vocab_size,
                pieces.len(),
                sure.len()
            ),
        ));
    }
    let arena = lay_out(words, &mut pieces, first, config.char_align, config.threads)?;
    let mut run = Run::new(pieces, arena, rules, config.tie, floor);
    let sure_merges = merges.len();
    run.merges = merges;
    if meter.show(Stage::Pairs, 0, 1).is_break() {
        return Ok(Outcome::Stopped);
    }
    run.find_pairs();
    let full = match run.merge_all(config.grown_size(), meter) {
        ControlFlow::Continue(full) => full,
        ControlFlow::Break(()) => return Ok(Outcome::Stopped),
    };
    let merged = Merged {
        least_count: run.least_count(),
        arena: run.arena,
        merges: run.merges,
        pieces: run.pieces,
        sure_chars: sure.len(),
        sure_merges,
    };
    Ok(if full {
        Outcome::Full(merged)
    } else {
        Outcome::Exhausted(merged)
    })
}

impl Merged {
    /// How often each piece stands in the words, in words of two bytes and more.
    pub(super) fn counts(&self) -> Vec<u64> {
        self.arena.counts(&self.pieces)
    }
}

impl<R: JoinRules> Run<R> {
    /// A run that merges nothing yet.
    pub(super) fn new(pieces: Pieces, arena: Arena, rules: R, tie: Tie, floor: u64) -> Self {
        Self {
            tie,
            pieces,
            rules,
            arena,
            pairs: Pairs::default(),
            queue: Queue::default(),
            beside: Beside::default(),
            made: Vec::new(),
            places: Vec::new(),
            floor,
            merges: Vec::new(),
            merge_counts: Vec::new(),
            spelled: None,
        }
    }

    /// The smallest count of a pair that was merged for its count.
    pub(super) fn least_count(&self) -> Option<u64> {
        self.merge_counts.iter().copied().min()
    }

    /// From now on any two neighbours are merged that spell a piece, the oldest
    /// piece first, as in a rank vocabulary.
    pub(super) fn merge_what_is_spelled(&mut self) {
        self.spelled = Some(BTreeSet::new());
    }

    /// Find the pairs that there are before the first merge.
    pub(super) fn find_pairs(&mut self) {
        let (rules, pieces) = (&self.rules, &self.pieces);
        let mut found: FxHashMap<Symbols, Option<(u64, Vec<u32>)>> = FxHashMap::default();
        self.arena
            .for_each_pair(pieces, |left, right, place, count| {
                if !rules.may_join(pieces, left, right) {
                    return;
                }
                let symbols = (left, right);
                let pair = found
                    .entry(symbols)
                    .or_insert_with(|| rules.allows(pieces, left, right).then(Default::default));
                if let Some((known, places)) = pair {
                    *known = known.saturating_add(count);
                    places.push(place);
                }
            });
        for (symbols, pair) in found {
            let Some((count, places)) = pair.filter(|&(count, _)| count >= self.floor) else {
                continue;
            };
            let number = self.pairs.add(symbols, count, places.len());
            self.pairs.places_mut(number).copy_from_slice(&places);
            self.offer(number);
        }
    }

    /// Put a pair into the queue, or forget it when it is too rare.
    fn offer(&mut self, number: PairNumber) {
        let &Pair { symbols, count, .. } = self.pairs.get(number);
        let (left, right) = symbols;
        if count < self.floor {
            self.pairs.remove(number);
            return;
        }
        if let Some(spelled) = &mut self.spelled {
            if let Some(id) = self.pieces.id(&self.pieces.join(left, right)) {
                spelled.insert((id, symbols));
                return;
            }
        }
        let candidate = Candidate::new(number, symbols, self.tie, &self.pieces);
        let order = order(self.tie, &self.pairs, &self.pieces);
        let before = |a: &Candidate, b: &Candidate| order(a, b).is_lt();
        self.queue.push(count, candidate, before);
    }

    /// Merge until the vocabulary has `size` pieces; `false` when the queue is
    /// empty before.
    pub(super) fn merge_all(&mut self, size: u32, meter: &mut Meter<'_>) -> ControlFlow<(), bool> {
        while self.pieces.len() < size {
            meter.show(Stage::Merges, self.pieces.len().into(), size.into())?;
            let Some(next) = self.next() else {
                return ControlFlow::Continue(false);
            };
            self.merge(next);
        }
        meter.finish(Stage::Merges, size.into())?;
        ControlFlow::Continue(true)
    }

    /// The pair that is merged next.
    fn next(&mut self) -> Option<PairNumber> {
        loop {
            let top = {
                let order = order(self.tie, &self.pairs, &self.pieces);
                self.queue.pop(|a, b| order(a, b).is_lt())
            };
            match top {
                None => self.open_queue()?,
                Some((count, top)) if self.pairs.get(top.pair).count == count => {
                    return Some(top.pair);
                }
                Some((_, top)) => self.offer(top.pair),
            }
        }
    }

    /// Put the pairs in order that have the highest count that is left.
    fn open_queue(&mut self) -> Option<()> {
        let (count, entries) = self.queue.take_highest()?;
        let is_true = |entry: &Candidate| self.pairs.get(entry.pair).count == count;
        let (mut entries, late): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_true);
        entries.sort_unstable_by(order(self.tie, &self.pairs, &self.pieces));
        self.queue.open(count, entries);
        late.iter().for_each(|entry| self.offer(entry.pair));
        Some(())
    }

    fn merge(&mut self, number: PairNumber) {
        let mut places = std::mem::take(&mut self.places);
        let pair = self.pairs.take(number, &mut places);
        self.merge_at(pair, &places);
        self.places = places;
    }

    fn merge_at(&mut self, pair: Pair, places: &[u32]) {
        let (left, right) = pair.symbols;
        if pair.count < self.rules.least_count(&self.pieces, left, right) {
            return;
        }
        let joined = self.pieces.join(left, right);
        let id = match self.pieces.id(&joined) {
            // A piece that is spelled like a special token would be that token
            // in the file. The reference gives it the token's id.
            Some(_) if self.tie == Tie::Bytes => return,
            Some(id) => id,
            None => self.pieces.push(joined),
        };
        self.merges.push(pair.symbols);
        self.merge_counts.push(pair.count);
        self.put(pair.symbols, places, id);
        if self.spelled.is_some() {
            self.put_spelled(id);
        }
    }

    /// Put a piece that was just made in the place of the other pairs that spell
    /// it, and older pieces in the place of pairs that spell them now. Where the
    /// places of two such pairs overlap, the engine takes the leftmost and this
    /// the older: counts may then be a little off, ids never.
    fn put_spelled(&mut self, made: u32) {
        let (bytes, mut places) = (self.pieces.bytes(made).to_vec(), Vec::new());
        for middle in 1..bytes.len() {
            let (left, right) = bytes.split_at(middle);
            let (Some(left), Some(right)) = (self.pieces.id(left), self.pieces.id(right)) else {
                continue;
            };
            if let Some(number) = self.pairs.number((left, right)) {
                self.pairs.empty(number, &mut places);
                self.put((left, right), &places, made);
            }
        }
        while let Some((id, pair)) = self.spelled.as_mut().and_then(BTreeSet::pop_first) {
            if let Some(number) = self.pairs.number(pair) {
                self.pairs.take(number, &mut places);
                self.put(pair, &places, id);
            }
        }
    }

    /// Put a piece in the place of a pair, and offer the pairs that this makes.
    fn put(&mut self, symbols: Symbols, places: &[u32], piece: u32) {
        let mut made = std::mem::take(&mut self.made);
        let step = Step {
            symbols,
            piece,
            pieces: &self.pieces,
            rules: &self.rules,
            arena: &mut self.arena,
            pairs: &mut self.pairs,
            beside: &mut self.beside,
        };
        step.run(places, self.floor, |pair| made.push(pair));
        made.drain(..).for_each(|pair| self.offer(pair));
        self.made = made;
    }
}
