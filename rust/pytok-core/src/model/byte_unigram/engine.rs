//! The compiled model.

use std::sync::OnceLock;

use super::super::blocks::Block;
use super::super::trie::Trie;
use super::super::vocabulary::Vocabulary;
use super::super::word_cache::{Key, WordCache};
use super::lattice::{Lattice, NO_ID};
use super::segments::{Pieces, Segments};

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
    pub(super) segments: Segments,
    /// All pieces that may be used, made when first asked for.
    pub(super) all: OnceLock<Trie>,
    /// No piece of `trie` crosses a border of characters with a part of one.
    pub(super) aligned: bool,
}

/// Buffers of one thread, reused between words.
#[derive(Debug, Default)]
pub struct ByteUnigramScratch {
    searching: Searching,
    block: Block<Segments>,
}

/// What the search needs, and what it has found.
#[derive(Debug, Default)]
struct Searching {
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
        match std::str::from_utf8(word) {
            Ok(text) => self.encode_part(text, 0, text.len(), scratch, ids),
            Err(_) => self.search_bytes(word, &mut scratch.searching, ids),
        }
    }

    /// Append the ids of the word `start..end` of a text.
    #[inline]
    pub(crate) fn encode_part(
        &self,
        text: &str,
        start: usize,
        end: usize,
        scratch: &mut ByteUnigramScratch,
        ids: &mut Vec<u32>,
    ) {
        let word = &text[start..end];
        let ByteUnigramScratch { searching, block } = scratch;
        match Key::part(text.as_bytes(), start, end) {
            Some(key) if key.is_ascii() => match *word.as_bytes() {
                [byte] => ids.push(self.bytes[usize::from(byte)]),
                _ => self.search_once(key, word, searching, ids),
            },
            // Parts of words are as whole words: a cut changes nothing.
            _ if self.aligned && !word.is_ascii() => {
                let pieces = Pieces {
                    trie: &self.trie,
                    costs: &self.costs,
                };
                self.segments
                    .encode(word, pieces, block, ids, |segment, ids| {
                        match Key::word(segment.as_bytes()) {
                            Some(key) => self.search_once(key, segment, searching, ids),
                            None => self.search(segment, searching, ids),
                        }
                    });
            }
            Some(key) => self.search_once(key, word, searching, ids),
            None => self.search(word, searching, ids),
        }
    }

    /// Append the ids of a word or a part of one, from memory if they are there.
    #[inline]
    fn search_once(&self, key: Key, word: &str, searching: &mut Searching, ids: &mut Vec<u32>) {
        searching.cache.serve(self.identity);
        if !searching.cache.get(key, ids) {
            let before = ids.len();
            self.search(word, searching, ids);
            searching.cache.put(key, &ids[before..]);
        }
    }

    fn search(&self, text: &str, searching: &mut Searching, ids: &mut Vec<u32>) {
        if !self.aligned {
            return self.search_bytes(text.as_bytes(), searching, ids);
        }
        let bytes = text.as_bytes();
        searching.lattice.begin(bytes.len());
        for (start, character) in text.char_indices() {
            let length = character.len_utf8();
            let (trie, costs) = (&self.trie, &self.costs);
            match self.segments.characters.get(character) {
                Some(edge) => searching
                    .lattice
                    .extend_character(trie, costs, bytes, start, length, edge),
                None => (start..start + length)
                    .for_each(|start| searching.lattice.extend(trie, costs, bytes, start)),
            }
        }
        self.read(bytes, searching, ids);
    }

    /// Search from every byte, whatever the pieces are.
    fn search_bytes(&self, bytes: &[u8], searching: &mut Searching, ids: &mut Vec<u32>) {
        searching.lattice.begin(bytes.len());
        for start in 0..bytes.len() {
            searching
                .lattice
                .extend(&self.trie, &self.costs, bytes, start);
        }
        self.read(bytes, searching, ids);
    }

    /// Append the ids of the cheapest segmentation that was found.
    fn read(&self, bytes: &[u8], searching: &mut Searching, ids: &mut Vec<u32>) {
        let before = ids.len();
        let Searching { lattice, inner, .. } = searching;
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
