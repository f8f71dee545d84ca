//! The compiled model.

use std::sync::OnceLock;

use super::super::cuts::Cuts;
use super::super::trie::Trie;
use super::super::vocabulary::Vocabulary;
use super::super::word_cache::{Key, WordCache};
use super::characters::Characters;
use super::lattice::{Lattice, NO_ID};

/// A unigram model over bytes with integer costs.
#[derive(Debug)]
pub struct ByteUnigram {
    /// Tells the words of this model in a cache from those of others.
    pub(super) identity: u64,
    pub(super) vocabulary: Vocabulary,
    /// The ids of the bytes.
    pub(super) bytes: Box<[u32; 256]>,
    /// The pieces that some text is made of.
    pub(super) trie: Trie,
    /// The cost of each id: its score, times -1024.
    pub(super) costs: Vec<u32>,
    /// Where no piece of `trie` crosses.
    pub(super) cuts: Cuts,
    pub(super) characters: Characters,
    /// All pieces that may be used, made when first asked for.
    pub(super) all: OnceLock<Trie>,
    /// No piece of `trie` crosses a border of characters with a part of one.
    pub(super) aligned: bool,
}

/// Buffers of one thread, reused between words.
#[derive(Debug, Default)]
pub struct ByteUnigramScratch {
    cache: WordCache,
    lattice: Lattice,
    /// For the inside of a character, while the steps of `lattice` are read.
    inner: Lattice,
}

impl ByteUnigram {
    /// Append the ids of a word.
    ///
    /// # Complexity
    /// O(n · p) for n bytes and pieces of at most p bytes.
    #[inline]
    pub fn encode(&self, word: &[u8], scratch: &mut ByteUnigramScratch, ids: &mut Vec<u32>) {
        match word {
            [] => {}
            [byte] => ids.push(self.bytes[usize::from(*byte)]),
            _ => self.cached(
                word,
                scratch,
                ids,
                |scratch, ids| match std::str::from_utf8(word) {
                    Ok(text) => self.encode_text(text, scratch, ids),
                    Err(_) => self.search_bytes(word, scratch, ids),
                },
            ),
        }
    }

    /// Append the ids that are kept for these bytes, or those that `encode`
    /// appends.
    #[inline]
    fn cached(
        &self,
        bytes: &[u8],
        scratch: &mut ByteUnigramScratch,
        ids: &mut Vec<u32>,
        encode: impl FnOnce(&mut ByteUnigramScratch, &mut Vec<u32>),
    ) {
        // Parts of words are as whole words: a cut changes nothing.
        let Some(key) = Key::word(bytes) else {
            return encode(scratch, ids);
        };
        scratch.cache.serve(self.identity);
        if !scratch.cache.get(key, ids) {
            let before = ids.len();
            encode(scratch, ids);
            scratch.cache.put(key, &ids[before..]);
        }
    }

    /// Cut a word and encode each segment on its own.
    fn encode_text(&self, word: &str, scratch: &mut ByteUnigramScratch, ids: &mut Vec<u32>) {
        let mut characters = word.char_indices();
        let Some((mut start, mut last)) = characters.next() else {
            return;
        };
        let mut alone = true;
        for (place, character) in characters {
            if self.cuts.between(last, character) {
                self.segment(&word[start..place], alone.then_some(last), scratch, ids);
                start = place;
                alone = true;
            } else {
                alone = false;
            }
            last = character;
        }
        let alone = alone.then_some(last);
        if start == 0 {
            // The cache has been asked for the whole word already.
            self.search(word, scratch, ids);
        } else {
            self.segment(&word[start..], alone, scratch, ids);
        }
    }

    /// Append the ids of a segment, and of which character it is if only one.
    #[inline]
    fn segment(
        &self,
        segment: &str,
        alone: Option<char>,
        scratch: &mut ByteUnigramScratch,
        ids: &mut Vec<u32>,
    ) {
        let edge = alone.and_then(|character| self.characters.get(character));
        match edge.filter(|edge| edge.id != NO_ID) {
            Some(edge) => ids.push(edge.id),
            None => self.cached(segment.as_bytes(), scratch, ids, |scratch, ids| {
                self.search(segment, scratch, ids);
            }),
        }
    }

    fn search(&self, text: &str, scratch: &mut ByteUnigramScratch, ids: &mut Vec<u32>) {
        if !self.aligned {
            return self.search_bytes(text.as_bytes(), scratch, ids);
        }
        let bytes = text.as_bytes();
        scratch.lattice.begin(bytes.len());
        for (start, character) in text.char_indices() {
            let length = character.len_utf8();
            let (trie, costs) = (&self.trie, &self.costs);
            match self.characters.get(character) {
                Some(edge) => scratch
                    .lattice
                    .extend_character(trie, costs, bytes, start, length, edge),
                None => (start..start + length)
                    .for_each(|start| scratch.lattice.extend(trie, costs, bytes, start)),
            }
        }
        self.read(bytes, scratch, ids);
    }

    /// Search from every byte, whatever the pieces are.
    fn search_bytes(&self, bytes: &[u8], scratch: &mut ByteUnigramScratch, ids: &mut Vec<u32>) {
        scratch.lattice.begin(bytes.len());
        for start in 0..bytes.len() {
            scratch
                .lattice
                .extend(&self.trie, &self.costs, bytes, start);
        }
        self.read(bytes, scratch, ids);
    }

    /// Append the ids of the cheapest segmentation that was found.
    fn read(&self, bytes: &[u8], scratch: &mut ByteUnigramScratch, ids: &mut Vec<u32>) {
        let before = ids.len();
        let ByteUnigramScratch { lattice, inner, .. } = scratch;
        lattice.steps_back(|start, end, id| {
            if id != NO_ID {
                return ids.push(id);
            }
            let character = &bytes[start..end];
            inner.begin(character.len());
            for start in 0..character.len() {
                inner.extend(&self.trie, &self.costs, character, start);
            }
            inner.steps_back(|_, _, id| ids.push(id));
        });
        ids[before..].reverse();
    }

    #[cfg(test)]
    pub(super) fn is_aligned(&self) -> bool {
        self.aligned
    }

    /// The pieces and their ids.
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }
}
