//! The compiled model over bytes.

use std::sync::{Arc, OnceLock};

use super::super::blocks::Block;
use super::super::bpe::chain::Chain;
use super::super::bpe::merges::MergeTable;
use super::super::bpe::packed::WordMerges;
use super::super::bpe::short::{SHORT, merge_short, merge_short_from};
use super::super::long_words::{LongKey, LongWords};
use super::super::sampler::Sampler;
use super::super::vocabulary::Vocabulary;
use super::super::word_cache::{Key, WordCache};
use super::segments::Segments;
use crate::ids::offset;
use crate::max_span::MaxSpan;
use crate::pretokenize::byte_alphabet;

/// Byte-pair encoding over bytes.
#[derive(Debug)]
pub struct ByteBpe {
    /// Tells the words of this model in a cache from those of others.
    pub(super) identity: u64,
    pub(super) vocabulary: Arc<Vocabulary>,
    /// The symbol of each byte.
    pub(super) bytes: Box<[u32; 256]>,
    pub(super) merges: MergeTable,
    /// The same, for words, unless ids are too large.
    pub(super) word_merges: Option<Box<WordMerges>>,
    /// Where words can be cut before merging, unless ids are too large.
    pub(super) segments: Option<Box<Segments>>,
    /// A word that is a piece is that piece, whatever merging makes of it.
    pub(super) whole_words: bool,
    /// Longer pieces are never used.
    pub(super) max_span: Option<MaxSpan>,
    /// Pieces that merging never makes.
    pub(super) unreachable: Vec<u32>,
    /// The pieces in the byte alphabet, made when first asked for.
    pub(super) spelled: OnceLock<Vocabulary>,
}

/// Buffers of one thread, reused between words.
#[derive(Debug, Default)]
pub struct BpeScratch {
    merging: Merging,
    block: Block<Segments>,
}

/// What merging of bytes needs, and what it has found.
#[derive(Debug, Default)]
struct Merging {
    chain: Chain,
    cache: WordCache,
    long_words: LongWords,
}

impl ByteBpe {
    /// Append the ids of a word.
    ///
    /// # Complexity
    /// O(n log n) for n bytes.
    #[inline]
    pub fn encode(&self, word: &[u8], scratch: &mut BpeScratch, ids: &mut Vec<u32>) {
        match std::str::from_utf8(word) {
            Ok(text) => self.encode_part(text, 0, text.len(), scratch, ids),
            Err(_) => {
                if !self.whole_word(word, ids) {
                    self.merge(word, &mut scratch.merging.chain, ids);
                }
            }
        }
    }

    /// Append the ids of the word `start..end` of a text.
    #[inline]
    pub(crate) fn encode_part(
        &self,
        text: &str,
        start: usize,
        end: usize,
        scratch: &mut BpeScratch,
        ids: &mut Vec<u32>,
    ) {
        let bytes = text.as_bytes();
        let word = &text[start..end];
        match Key::part(bytes, start, end) {
            Some(key) if key.is_ascii() => {
                if let [byte] = *word.as_bytes() {
                    return ids.push(self.bytes[usize::from(byte)]);
                }
                let Merging { chain, cache, .. } = &mut scratch.merging;
                cache.get_or(self.identity, key, ids, |ids| {
                    if !self.whole_word(word.as_bytes(), ids) {
                        self.merge(word.as_bytes(), chain, ids);
                    }
                });
            }
            _ if self.whole_word(word.as_bytes(), ids) => {}
            _ => self.encode_segments(word, scratch, ids),
        }
    }

    /// Append the id of a word that is a piece, where that is asked first.
    #[inline]
    fn whole_word(&self, word: &[u8], ids: &mut Vec<u32>) -> bool {
        let id = (self.whole_words && self.max_span.is_none_or(|span| span.allows(word)))
            .then(|| self.vocabulary.id(word))
            .flatten();
        ids.extend(id);
        id.is_some()
    }

    /// Append what merging makes of a word.
    fn encode_segments(&self, word: &str, scratch: &mut BpeScratch, ids: &mut Vec<u32>) {
        let BpeScratch { merging, block } = scratch;
        match &self.segments {
            Some(segments) if !word.is_ascii() => {
                segments.encode(word, block, ids, |segment, ids| {
                    self.merge_once(segment.as_bytes(), merging, ids);
                });
            }
            _ => self.merge_once(word.as_bytes(), merging, ids),
        }
    }

    /// Append what merging makes of a byte string, from memory if it is not long.
    fn merge_once(&self, bytes: &[u8], merging: &mut Merging, ids: &mut Vec<u32>) {
        let Merging {
            chain,
            cache,
            long_words,
        } = merging;
        let mut merge = |ids: &mut Vec<u32>| self.merge(bytes, chain, ids);
        if let Some(key) = Key::segment(bytes) {
            cache.get_or(self.identity, key, ids, merge);
        } else if let Some(key) = LongKey::new(bytes) {
            long_words.get_or(self.identity, key, ids, merge);
        } else {
            merge(ids);
        }
    }

    /// Append ids of a word with BPE-dropout (Provilkov et al., 2020). Only
    /// merges make pieces here: a word that is a piece is not looked up.
    pub(crate) fn sample(&self, word: &[u8], sampler: &mut Sampler, ids: &mut Vec<u32>) {
        sampler.chain.clear();
        for &byte in word {
            sampler.chain.push(self.bytes[usize::from(byte)], 1);
        }
        sampler.merge(&self.merges);
        ids.extend(sampler.chain.symbols().map(|(id, _)| id));
    }

    /// The bytes of a token.
    #[inline]
    pub fn token_bytes(&self, id: u32) -> Option<&[u8]> {
        self.vocabulary.piece(id)
    }

    /// The token of a byte string.
    #[inline]
    pub fn token_id(&self, bytes: &[u8]) -> Option<u32> {
        self.vocabulary.id(bytes)
    }

    /// The tokens and their ids.
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The merges that make the tokens.
    pub(crate) fn merges(&self) -> &MergeTable {
        &self.merges
    }

    /// The token of each byte.
    pub(crate) fn byte_ids(&self) -> &[u32; 256] {
        &self.bytes
    }

    /// Every token and its id, in the order of the file.
    pub fn tokens(&self) -> impl Iterator<Item = (&[u8], u32)> {
        self.vocabulary.iter()
    }

    /// Tokens that merging never makes, in the order of the file: they are
    /// found only by words that are these tokens, if at all.
    pub fn unreachable(&self) -> &[u32] {
        &self.unreachable
    }

    /// The pieces in the byte alphabet.
    pub(crate) fn spelled(&self) -> &Vocabulary {
        self.spelled.get_or_init(|| {
            let pieces: Vec<(String, u32)> = self
                .vocabulary
                .iter()
                .map(|(bytes, id)| (byte_alphabet::encode(bytes), id))
                .collect();
            Vocabulary::new(pieces.iter().map(|(piece, id)| (piece.as_bytes(), *id)))
        })
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.vocabulary.len()
    }

    /// Never: the 256 bytes are always there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The byte range of each token of a word, given its ids.
    pub(crate) fn spans(&self, ids: &[u32], mut each: impl FnMut(u32, u32, u32)) {
        let mut start = 0;
        for &id in ids {
            let end = start + offset(self.token_bytes(id).map_or(0, <[u8]>::len));
            each(id, start, end);
            start = end;
        }
    }
}

impl ByteBpe {
    /// Append what merging makes of a byte string.
    fn merge(&self, word: &[u8], chain: &mut Chain, ids: &mut Vec<u32>) {
        let symbols = word.iter().map(|&byte| self.bytes[usize::from(byte)]);
        if word.len() > SHORT {
            chain.clear();
            symbols.for_each(|symbol| chain.push(symbol, 1));
            chain.merge(&self.merges);
            return ids.extend(chain.symbols().map(|(id, _)| id));
        }
        let before = ids.len();
        ids.extend(symbols);
        let symbols = &mut ids[before..];
        let extents = &mut [(); SHORT][..word.len()];
        let count = match &self.word_merges {
            Some(merges) => {
                let pairs = |right: usize| merges.byte_pair(word[right - 1], word[right]);
                merge_short_from(&**merges, pairs, symbols, extents)
            }
            None => merge_short(&self.merges, symbols, extents),
        };
        ids.truncate(before + count);
    }
}
