//! The models whose words are bytes of the text itself.

use super::byte_bpe::{BpeScratch, ByteBpe};
use super::byte_unigram::{ByteUnigram, ByteUnigramScratch};
use super::sampler::Sampler;
use super::vocabulary::Vocabulary;
use crate::definition;
use crate::error::Result;

/// A compiled model over bytes.
#[derive(Debug)]
pub enum ByteModel {
    /// Byte-pair encoding.
    Bpe(ByteBpe),
    /// The most likely segmentation.
    Unigram(ByteUnigram),
}

/// Buffers of one thread, reused between words.
#[derive(Debug, Default)]
pub struct ByteScratch {
    bpe: BpeScratch,
    unigram: ByteUnigramScratch,
}

impl ByteModel {
    /// Compile a model whose pieces are written in the byte alphabet; `None`
    /// if it is none that can be moved to bytes.
    ///
    /// # Errors
    /// Those of [`ByteBpe::from_bpe`] and [`ByteUnigram::from_unigram`].
    pub fn from_spelled(definition: &definition::Model) -> Option<Result<Self>> {
        match definition {
            definition::Model::Unigram { .. } => {
                Some(ByteUnigram::from_unigram(definition)?.map(Self::Unigram))
            }
            _ => Some(ByteBpe::from_bpe(definition)?.map(Self::Bpe)),
        }
    }

    /// Append the ids of a word.
    ///
    /// # Complexity
    /// That of [`ByteBpe::encode`] or [`ByteUnigram::encode`].
    #[inline]
    pub fn encode(&self, word: &[u8], scratch: &mut ByteScratch, ids: &mut Vec<u32>) {
        match self {
            Self::Bpe(model) => model.encode(word, &mut scratch.bpe, ids),
            Self::Unigram(model) => model.encode(word, &mut scratch.unigram, ids),
        }
    }

    /// Append the ids of the word `start..end` of a text.
    #[inline]
    pub(crate) fn encode_part(
        &self,
        text: &str,
        start: usize,
        end: usize,
        scratch: &mut ByteScratch,
        ids: &mut Vec<u32>,
    ) {
        match self {
            Self::Bpe(model) => model.encode_part(text, start, end, &mut scratch.bpe, ids),
            Self::Unigram(model) => {
                model.encode_part(text, start, end, &mut scratch.unigram, ids);
            }
        }
    }

    /// Append ids of a word, drawn at random: Unigram by a sampled
    /// segmentation, BPE with dropout.
    ///
    /// # Complexity
    /// Unigram O(n · p) for n bytes and pieces of at most p bytes; BPE with
    /// dropout q < 1 expected O(n log n / (1 - q)).
    pub fn sample(&self, word: &[u8], sampler: &mut Sampler, ids: &mut Vec<u32>) {
        match self {
            Self::Bpe(model) => model.sample(word, sampler, ids),
            Self::Unigram(model) => model.sample(word, sampler, ids),
        }
    }

    /// The bytes of a token.
    #[inline]
    pub fn token_bytes(&self, id: u32) -> Option<&[u8]> {
        self.vocabulary().piece(id)
    }

    /// The token of a byte string.
    pub fn token_id(&self, bytes: &[u8]) -> Option<u32> {
        self.vocabulary().id(bytes)
    }

    /// Every token and its id, in the order of the file.
    pub fn tokens(&self) -> impl Iterator<Item = (&[u8], u32)> {
        self.vocabulary().iter()
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.vocabulary().len()
    }

    /// Never: the 256 bytes are always there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn vocabulary(&self) -> &Vocabulary {
        match self {
            Self::Bpe(model) => model.vocabulary(),
            Self::Unigram(model) => model.vocabulary(),
        }
    }
}
