//! Words to ids: the closed set of models.
//!
//! A model sees one word at a time, after normalisation and pre-tokenisation,
//! and knows nothing of the text around it. Each model is one folder or file;
//! this one only tells them apart.

mod blocks;
pub(crate) mod bpe;
mod byte_bpe;
mod byte_model;
mod byte_unigram;
mod cuts;
mod identity;
mod long_words;
#[cfg(test)]
mod oracle;
mod piece_index;
mod random;
mod sampler;
mod scratch;
pub(crate) mod segmentations;
#[cfg(test)]
mod tests;
pub(crate) mod trie;
mod unigram;
pub(crate) mod vocabulary;
mod word_cache;
mod word_level;
mod word_piece;

pub use bpe::Bpe;
pub use byte_bpe::{BpeScratch, ByteBpe};
pub use byte_model::{ByteModel, ByteScratch};
pub use byte_unigram::{ByteUnigram, ByteUnigramScratch};
pub use random::Random;
pub use sampler::{Sampler, Sampling};
pub use scratch::ModelScratch;
pub use segmentations::Segmentation;
pub(crate) use unigram::NEVER;
pub use unigram::Unigram;
pub use word_level::WordLevel;
pub use word_piece::WordPiece;

use crate::definition::{self, PieceTable};
use crate::error::{Error, Result};
use vocabulary::Vocabulary;

/// A token of one word: its id and its byte range in the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// The id.
    pub id: u32,
    /// First byte in the word.
    pub start: u32,
    /// One past the last byte in the word.
    pub end: u32,
    /// The token's text is the word's slice, not the vocabulary's piece
    /// (unknown pieces of Unigram).
    pub surface: bool,
}

/// A compiled model.
#[derive(Debug)]
pub enum Model {
    /// Byte-pair encoding over characters.
    Bpe(Bpe),
    /// Byte-pair encoding over bytes, from ranks. Words are plain text.
    ByteBpe(ByteBpe),
    /// Greedy longest match from the left.
    WordPiece(WordPiece),
    /// Whole words only.
    WordLevel(WordLevel),
    /// The most likely segmentation.
    Unigram(Unigram),
}

impl Model {
    /// Compile a definition.
    ///
    /// # Errors
    /// [`Error::Vocabulary`] when the vocabulary contradicts itself, and
    /// [`Error::Argument`] for [`definition::Model::SentencePiece`], which
    /// works on whole texts and not on words.
    pub fn compile(definition: &definition::Model) -> Result<Self> {
        Ok(match definition {
            definition::Model::BPE { .. } => Self::Bpe(Bpe::compile(definition)?),
            definition::Model::ByteRanks { ranks, max_span } => {
                Self::ByteBpe(ByteBpe::from_ranks(ranks, *max_span)?)
            }
            definition::Model::WordPiece {
                unk_token,
                continuing_subword_prefix,
                max_input_chars_per_word,
                vocab,
            } => Self::WordPiece(WordPiece::new(
                pieces(vocab),
                unk_token,
                continuing_subword_prefix,
                *max_input_chars_per_word,
            )),
            definition::Model::WordLevel { vocab, unk_token } => {
                Self::WordLevel(WordLevel::new(pieces(vocab), unk_token))
            }
            definition::Model::Unigram {
                unk_id,
                vocab,
                byte_fallback,
            } => Self::Unigram(Unigram::compile(vocab, *unk_id, *byte_fallback)?),
            definition::Model::SentencePiece { .. } => {
                return Err(Error::argument(
                    "definition",
                    "a SentencePiece model works on whole texts; expected a model of words",
                ));
            }
        })
    }

    /// Append the tokens of one word to `tokens`.
    ///
    /// # Errors
    /// [`Error::Encode`] when a piece is unknown and the model has no unknown
    /// token.
    ///
    /// # Complexity
    /// O(n log n) for n bytes; WordPiece O(n m) for a longest piece of m
    /// characters.
    pub fn tokenize(
        &self,
        word: &str,
        scratch: &mut ModelScratch,
        tokens: &mut Vec<Token>,
    ) -> Result<()> {
        match self {
            Self::Bpe(model) => model.tokenize(word, scratch, tokens),
            Self::WordPiece(model) => model.tokenize(word, tokens),
            Self::WordLevel(model) => model.tokenize(word, tokens),
            Self::Unigram(model) => model.tokenize(word, &mut scratch.unigram, tokens),
            Self::ByteBpe(model) => {
                scratch.ids.clear();
                model.encode(word.as_bytes(), &mut scratch.bytes, &mut scratch.ids);
                push_ids(model, &scratch.ids, tokens);
                Ok(())
            }
        }
    }

    /// Append tokens of one word, drawn at random: Unigram by a sampled
    /// segmentation, BPE with dropout, others as [`Model::tokenize`].
    ///
    /// # Errors
    /// As [`Model::tokenize`].
    ///
    /// # Complexity
    /// As [`Model::tokenize`]; BPE with dropout p < 1 expected
    /// O(n log n / (1 - p)).
    pub fn sample(&self, word: &str, sampler: &mut Sampler, tokens: &mut Vec<Token>) -> Result<()> {
        match self {
            Self::Bpe(model) => model.sample(word, sampler, tokens),
            Self::Unigram(model) => model.sample(word, sampler, tokens),
            Self::WordPiece(model) => model.tokenize(word, tokens),
            Self::WordLevel(model) => model.tokenize(word, tokens),
            Self::ByteBpe(model) => {
                let mut ids = Vec::new();
                model.sample(word.as_bytes(), sampler, &mut ids);
                push_ids(model, &ids, tokens);
                Ok(())
            }
        }
    }

    /// The piece of an id, in the notation of the format: for byte-level
    /// models the byte alphabet.
    pub fn piece(&self, id: u32) -> Option<&str> {
        match self {
            // Of a piece that stands twice both ids are good for decoding.
            Self::Unigram(model) => model.piece(id),
            _ => self.vocabulary().text(id),
        }
    }

    /// The id of a piece.
    pub fn id(&self, piece: &str) -> Option<u32> {
        self.vocabulary().id(piece.as_bytes())
    }

    /// Every piece and its id, in the order of the file.
    pub fn pieces(&self) -> impl Iterator<Item = (&str, u32)> {
        self.vocabulary().texts()
    }

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.vocabulary().len()
    }

    /// There is no piece at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn vocabulary(&self) -> &Vocabulary {
        match self {
            Self::Bpe(model) => model.vocabulary(),
            Self::ByteBpe(model) => model.spelled(),
            Self::WordPiece(model) => model.vocabulary(),
            Self::WordLevel(model) => model.vocabulary(),
            Self::Unigram(model) => model.vocabulary(),
        }
    }
}

fn push_ids(model: &ByteBpe, ids: &[u32], tokens: &mut Vec<Token>) {
    model.spans(ids, |id, start, end| {
        tokens.push(Token {
            id,
            start,
            end,
            surface: false,
        });
    });
}

fn pieces(table: &PieceTable) -> Vocabulary {
    Vocabulary::of(table)
}
