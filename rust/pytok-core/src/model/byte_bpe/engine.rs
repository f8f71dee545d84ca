//! The compiled model over bytes.

use std::sync::OnceLock;

use super::super::bpe::chain::Chain;
use super::super::bpe::merges::MergeTable;
use super::super::bpe::short::{SHORT, merge_short};
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
    pub(super) vocabulary: Vocabulary,
    /// The symbol of each byte.
    pub(super) bytes: Box<[u32; 256]>,
    pub(super) merges: MergeTable,
    /// Where words can be cut before merging.
    pub(super) segments: Segments,
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
    chain: Chain,
    cache: WordCache,
}

impl ByteBpe {
    /// Append the ids of a word.
    ///
    /// # Complexity
    /// O(n log n) for n bytes.
    #[inline]
    pub fn encode(&self, word: &[u8], scratch: &mut BpeScratch, ids: &mut Vec<u32>) {
        match word {
            [] => {}
            [byte] => ids.push(self.bytes[usize::from(*byte)]),
            _ => self.cached(Key::word(word), scratch, ids, |scratch, ids| {
                self.encode_word(word, scratch, ids);
            }),
        }
    }

    /// Append the ids that stand under `key`, or those that `encode` appends.
    #[inline]
    fn cached(
        &self,
        key: Option<Key>,
        scratch: &mut BpeScratch,
        ids: &mut Vec<u32>,
        encode: impl FnOnce(&mut BpeScratch, &mut Vec<u32>),
    ) {
        let Some(key) = key else {
            return encode(scratch, ids);
        };
        scratch.cache.serve(self.identity);
        if !scratch.cache.get(key, ids) {
            let before = ids.len();
            encode(scratch, ids);
            scratch.cache.put(key, &ids[before..]);
        }
    }

    fn encode_word(&self, word: &[u8], scratch: &mut BpeScratch, ids: &mut Vec<u32>) {
        if self.whole_words
            && self.max_span.is_none_or(|span| span.allows(word))
            && let Some(id) = self.vocabulary.id(word)
        {
            ids.push(id);
            return;
        }
        match std::str::from_utf8(word) {
            Ok(text) if !text.is_ascii() => {
                self.segments.split(text, |segment, character| {
                    match character.and_then(|character| self.segments.character(character)) {
                        Some(id) => ids.push(id),
                        None => {
                            let bytes = segment.as_bytes();
                            self.cached(Key::segment(bytes), scratch, ids, |scratch, ids| {
                                merge(&self.merges, &self.bytes, bytes, &mut scratch.chain, ids);
                            });
                        }
                    }
                });
            }
            _ => merge(&self.merges, &self.bytes, word, &mut scratch.chain, ids),
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

/// Append what merging makes of a byte string.
pub(super) fn merge(
    merges: &MergeTable,
    bytes: &[u32; 256],
    word: &[u8],
    chain: &mut Chain,
    ids: &mut Vec<u32>,
) {
    let symbols = word.iter().map(|&byte| bytes[usize::from(byte)]);
    if word.len() <= SHORT {
        let before = ids.len();
        ids.extend(symbols);
        let extents = &mut [(); SHORT][..word.len()];
        let count = merge_short(merges, &mut ids[before..], extents);
        ids.truncate(before + count);
    } else {
        chain.clear();
        symbols.for_each(|symbol| chain.push(symbol, 1));
        chain.merge(merges);
        ids.extend(chain.symbols().map(|(id, _)| id));
    }
}
