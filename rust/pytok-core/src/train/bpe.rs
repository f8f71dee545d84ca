//! Byte-pair encoding: the most frequent pair becomes a piece, again and again.
//!
//! Sennrich, Haddow and Birch (2016), over words of bytes, with incremental
//! counts: a merge changes the counts of the pairs around its places and no
//! others. The queue holds one entry per pair, with a count that may be out of
//! date; it is compared when it comes out. Counts only fall ([`super::pairs`]),
//! so the entry at the top is never too low.
//!
//! Work is proportional to the places that are merged, and every merge of a
//! place takes one symbol away: the words are never scanned again, so one word
//! of a megabyte costs no more than many short ones.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::arena::{Arena, BOUNDARY, push_symbol};
use super::config::{BpeConfig, Tie};
use super::pairs::{PairNumber, Pairs, Symbols};
use super::pieces::Pieces;
use super::progress::{Meter, Stage};
use super::queue::Queue;
use super::rules::{JoinRules, Rules, han_prefixes};
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
    /// How often each piece stands in the words, in words of two bytes and more.
    pub(super) counts: Vec<u64>,
    /// The smallest count of a pair that was merged for its count.
    pub(super) least_count: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    pair: PairNumber,
    count: u64,
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
    /// The pairs of a step, kept to be used again.
    made: Vec<PairNumber>,
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
    let arena = lay_out(words, &pieces, first)?;
    let mut run = Run::new(pieces, arena, rules, config.tie, floor);
    let sure_merges = merges.len();
    run.merges = merges;
    if meter.show(Stage::Pairs, 0, 1).is_break() {
        return Ok(Outcome::Stopped);
    }
    run.count_pairs();
    run.fill_queue();
    let full = match run.merge_all(config.grown_size(), meter) {
        ControlFlow::Continue(full) => full,
        ControlFlow::Break(()) => return Ok(Outcome::Stopped),
    };
    let merged = Merged {
        least_count: run.least_count(),
        counts: run.arena.counts(&run.pieces),
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

/// Make the characters, and the prefixes that the config asks for, pieces
/// whatever their counts, and return the merges that make them.
fn make_sure(pieces: &mut Pieces, config: &BpeConfig, characters: &[char]) -> Vec<Symbols> {
    let mut merges = Vec::new();
    for character in characters {
        let mut buffer = [0; 4];
        make_bytes_sure(
            pieces,
            character.encode_utf8(&mut buffer).as_bytes(),
            &mut merges,
        );
    }
    if config.han_prefixes {
        for prefix in han_prefixes() {
            make_bytes_sure(pieces, &prefix, &mut merges);
        }
    }
    merges
}

fn make_bytes_sure(pieces: &mut Pieces, bytes: &[u8], merges: &mut Vec<Symbols>) {
    let Some(mut left) = pieces.id(&bytes[..1]) else {
        return;
    };
    for place in 1..bytes.len() {
        let Some(right) = pieces.id(&bytes[place..=place]) else {
            return;
        };
        if let Some(made) = pieces.id(&bytes[..=place]) {
            if pieces.is_special(made) {
                return; // a literal that is spelled like it has the piece
            }
            left = made;
            continue;
        }
        merges.push((left, right));
        left = pieces.push(bytes[..=place].into());
    }
}

/// Lay out the words with the pieces from `first` on merged, as their merges
/// would: each is the beginning of a character, so the longest one that begins a
/// character is what they come to.
fn lay_out(words: &WordTable, pieces: &Pieces, first: u32) -> Result<Arena> {
    let mut byte_ids = [0; 256];
    for byte in 0..=u8::MAX {
        byte_ids[usize::from(byte)] = pieces.id(&[byte]).unwrap_or(BOUNDARY);
    }
    let sure: FxHashMap<&[u8], u32> = (first..pieces.len())
        .map(|id| (pieces.bytes(id), id))
        .collect();
    Arena::lay_out(words, |word, symbols| {
        let mut rest = word;
        while let Some(&byte) = rest.first() {
            let most = match byte {
                0xC0..0xE0 => 2,
                0xE0..0xF0 => 3,
                0xF0.. => 4,
                _ => 1,
            };
            let longest = (2..=most.min(rest.len()))
                .rev()
                .find_map(|length| Some((length, *sure.get(&rest[..length])?)));
            let (length, id) = longest.unwrap_or((1, byte_ids[usize::from(byte)]));
            push_symbol(symbols, id, length);
            rest = &rest[length..];
        }
        Ok(())
    })
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
            made: Vec::new(),
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

    pub(super) fn count_pairs(&mut self) {
        let Self {
            arena,
            pairs,
            rules,
            pieces,
            ..
        } = self;
        arena.for_each_pair(pieces, |left, right, place, count| {
            pairs.gain((left, right), count, place, rules, pieces);
        });
        pairs.settle(0, |_| ());
    }

    pub(super) fn fill_queue(&mut self) {
        for number in self.pairs.numbers() {
            self.offer(number);
        }
    }

    /// Put a pair into the queue, or forget it when it is too rare.
    fn offer(&mut self, pair: PairNumber) {
        let count = self.pairs.get(pair).count;
        if count < self.floor {
            self.pairs.remove(pair);
            return;
        }
        if let Some(spelled) = &mut self.spelled {
            let symbols = self.pairs.get(pair).symbols;
            if let Some(id) = self.pieces.id(&self.pieces.join(symbols.0, symbols.1)) {
                spelled.insert((id, symbols));
                return;
            }
        }
        let before = order(self.tie, &self.pairs, &self.pieces);
        self.queue.push(Candidate { pair, count }, before);
    }

    /// Merge until the vocabulary has `size` pieces; `false` when the queue is
    /// empty before.
    pub(super) fn merge_all(&mut self, size: u32, meter: &mut Meter<'_>) -> ControlFlow<(), bool> {
        while self.pieces.len() < size {
            meter.show(Stage::Merges, self.pieces.len().into(), size.into())?;
            let before = order(self.tie, &self.pairs, &self.pieces);
            let Some(top) = self.queue.pop(before) else {
                return ControlFlow::Continue(false);
            };
            if self.pairs.get(top.pair).count == top.count {
                self.merge(top);
            } else {
                self.offer(top.pair);
            }
        }
        meter.finish(Stage::Merges, size.into())?;
        ControlFlow::Continue(true)
    }

    fn merge(&mut self, top: Candidate) {
        let pair = self.pairs.remove(top.pair);
        let (left, right) = pair.symbols;
        if top.count < self.rules.least_count(&self.pieces, left, right) {
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
        self.merges.push((left, right));
        self.merge_counts.push(top.count);
        self.put((left, right), &pair.places, id);
        if self.spelled.is_some() {
            self.put_spelled(id);
        }
    }

    /// Put a piece that was just made in the place of the other pairs that spell
    /// it, and older pieces in the place of pairs that spell them now. Where the
    /// places of two such pairs overlap, the engine takes the leftmost and this
    /// the older: counts may then be a little off, ids never.
    fn put_spelled(&mut self, made: u32) {
        let bytes = self.pieces.bytes(made).to_vec();
        for middle in 1..bytes.len() {
            let (left, right) = bytes.split_at(middle);
            let (Some(left), Some(right)) = (self.pieces.id(left), self.pieces.id(right)) else {
                continue;
            };
            if let Some(places) = self.pairs.take_places((left, right)) {
                self.put((left, right), &places, made);
            }
        }
        while let Some((id, pair)) = self.spelled.as_mut().and_then(BTreeSet::pop_first) {
            if let Some(known) = self.pairs.remove_symbols(pair) {
                self.put(pair, &known.places, id);
            }
        }
    }

    /// Put a piece in the place of a pair, and offer the pairs that this makes.
    fn put(&mut self, pair: Symbols, places: &[u32], id: u32) {
        self.merge_places(pair, places, id);
        let mut made = std::mem::take(&mut self.made);
        self.pairs.settle(self.floor, |pair| made.push(pair));
        for pair in made.drain(..) {
            self.offer(pair);
        }
        self.made = made;
    }

    fn merge_places(&mut self, (left, right): (u32, u32), places: &[u32], id: u32) {
        let (rules, pieces, pairs) = (&self.rules, &self.pieces, &mut self.pairs);
        for &start in places {
            let Some(place) = self.arena.pair_at(start, (left, right), pieces) else {
                continue;
            };
            if place.before != BOUNDARY {
                let start = place.start - pieces.length(place.before);
                // What the step made before, as in `abab`, it may take back.
                if place.before == id {
                    pairs.lose_fresh((id, left), place.count);
                } else {
                    pairs.lose((place.before, left), place.count);
                }
                pairs.gain((place.before, id), place.count, start, rules, pieces);
            }
            if place.after != BOUNDARY {
                pairs.lose((right, place.after), place.count);
                pairs.gain((id, place.after), place.count, place.start, rules, pieces);
            }
            self.arena.join(place, id);
        }
    }
}

/// Which of two candidates is merged first.
fn order<'a>(
    tie: Tie,
    pairs: &'a Pairs,
    pieces: &'a Pieces,
) -> impl Fn(&Candidate, &Candidate) -> bool + 'a {
    move |a: &Candidate, b: &Candidate| {
        if a.count != b.count {
            return a.count > b.count;
        }
        let (a, b) = (pairs.get(a.pair).symbols, pairs.get(b.pair).symbols);
        match tie {
            Tie::HuggingFace => a < b,
            Tie::Bytes => {
                let left = pieces.bytes(a.0).cmp(pieces.bytes(b.0));
                let right = || pieces.bytes(a.1).cmp(pieces.bytes(b.1));
                left.then_with(right).is_lt()
            }
        }
    }
}
