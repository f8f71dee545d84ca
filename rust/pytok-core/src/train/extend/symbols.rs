//! The words of the new text as symbols of the old model.

use crate::error::Result;
use crate::ids::{index, offset};
use crate::pipeline::Tokenizer;
use crate::pretokenize::byte_alphabet;
use crate::train::arena::{Arena, Builder, check_size, in_order};
use crate::train::pieces::Pieces;
use crate::train::word_counts::WordCounts;
use crate::train::word_table::WordTable;

/// The words of a text, segmented.
#[derive(Debug)]
pub(super) struct Symbols {
    /// Old pieces, the lowest ids first, then symbols that are no pieces.
    pub(super) pieces: Pieces,
    /// The number of old pieces.
    pub(super) old: u32,
    pub(super) arena: Arena,
    /// How often words of one byte occur, which the arena leaves out.
    pub(super) single_bytes: Vec<u64>,
}

impl Symbols {
    /// Segment the words.
    ///
    /// # Errors
    /// When words cannot be read, or the model fails on one.
    pub(super) fn new(tokenizer: &Tokenizer, counts: &WordCounts) -> Result<Self> {
        let mut pieces = old_pieces(tokenizer);
        let old = pieces.len();
        let read;
        let words = if let Some(table) = counts.table() {
            table
        } else {
            let mut table = WordTable::default();
            counts.words().for_each(&mut |word, count| {
                table.add(word, count);
                Ok(())
            })?;
            read = table;
            &read
        };
        let mut single_bytes = vec![0; 256];
        for (word, count) in words.iter().filter(|(word, _)| word.len() == 1) {
            single_bytes[usize::from(word[0])] = count;
        }
        let order = in_order(words.iter());
        check_size(order.iter())?;
        let mut arena = Builder::new(words.total_bytes() + words.len());
        for (word, count) in order {
            tokenizer.for_each_symbol(word, &mut |bytes, _| {
                let id = pieces
                    .id(bytes)
                    .unwrap_or_else(|| pieces.push(bytes.into()));
                arena.push(id, bytes.len());
            })?;
            arena.end_word(count);
        }
        Ok(Self {
            pieces,
            old,
            arena: arena.finish(),
            single_bytes,
        })
    }

    /// How often each symbol occurs, by its id here.
    pub(super) fn counts(&self) -> Vec<u64> {
        let mut counts = self.arena.counts(&self.pieces);
        add_single_bytes(&mut counts, &self.single_bytes, &self.pieces);
        counts
    }
}

/// Add the words of one byte to the counts of an arena.
pub(super) fn add_single_bytes(counts: &mut [u64], single_bytes: &[u64], pieces: &Pieces) {
    for (byte, &count) in (0..=u8::MAX).zip(single_bytes) {
        if let Some(id) = pieces.id(&[byte]) {
            let known = &mut counts[index(id)];
            *known = known.saturating_add(count);
        }
    }
}

/// The pieces of the model that stand for text, by id.
fn old_pieces(tokenizer: &Tokenizer) -> Pieces {
    let in_bytes = tokenizer.spells_bytes();
    let mut pieces = Pieces::empty();
    if let Some(model) = tokenizer.sentencepiece() {
        for (text, ..) in model.textual_pieces() {
            pieces.push(text.as_bytes().into());
        }
        return pieces;
    }
    for (spelling, id) in tokenizer.vocab() {
        if tokenizer.model_id(&spelling) != Some(id) {
            continue; // an added token
        }
        let bytes = if in_bytes {
            byte_alphabet::decode(&spelling)
        } else {
            Some(spelling.into_bytes())
        };
        if let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty()) {
            pieces.push(bytes.into());
        }
    }
    debug_assert!(pieces.len() <= offset(tokenizer.vocab_size()));
    pieces
}
