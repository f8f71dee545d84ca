//! Definitions to [`ByteBpe`].

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashSet;

use super::super::bpe::compile_merges;
use super::super::bpe::merges::MergeTable;
use super::super::bpe::packed::WordMerges;
use super::super::cuts::Cuts;
use super::super::identity;
use super::super::vocabulary::Vocabulary;
use super::canonical::canonical_merges;
use super::engine::ByteBpe;
use super::segments::Segments;
use super::spelled::Spelled;
use crate::both::both;
use crate::definition::{self, RankTable};
use crate::error::{Error, Result};
use crate::max_span::MaxSpan;

impl ByteBpe {
    /// Compile byte strings and their merge ranks, which are also their ids.
    /// Those that `max_span` does not allow are known and never used.
    ///
    /// # Errors
    /// [`Error::Vocabulary`] when two entries share a rank or a byte string,
    /// a byte string is empty, one of the 256 bytes is missing, or a rank is
    /// `u32::MAX`.
    pub fn from_ranks(ranks: &RankTable, max_span: Option<MaxSpan>) -> Result<Self> {
        let entries = ranks
            .0
            .iter()
            .map(|(bytes, rank)| (bytes.as_slice(), *rank));
        let vocabulary = Vocabulary::new(entries.clone());
        check_ranks(ranks, &vocabulary)?;
        let bytes = byte_symbols(&vocabulary).map_err(|byte| {
            Error::vocabulary(format!(
                "model.ranks: the byte 0x{byte:02X} is missing; all 256 bytes must be tokens"
            ))
        })?;
        let ((mut merges, unreachable), cuts) = both(
            || canonical_merges(&vocabulary, &bytes, max_span),
            || cuts(&vocabulary, max_span),
        );
        let (segments, word_merges) = tables(&vocabulary, &bytes, &merges, cuts);
        merges.forget_order();
        Ok(Self {
            identity: identity::next(),
            segments,
            word_merges,
            vocabulary: Arc::new(vocabulary),
            bytes,
            merges,
            whole_words: !unreachable.is_empty(),
            max_span,
            unreachable,
            spelled: OnceLock::new(),
        })
    }

    /// Compile a [`definition::Model::BPE`] whose pieces are written in the
    /// byte alphabet: encoding the bytes of a word then gives the same ids as
    /// encoding its spelling with [`super::super::Bpe`].
    ///
    /// `None` if the model is none of that kind: the 256 characters of the
    /// alphabet must all be pieces with ids of their own, and there must be no
    /// unknown token in use, prefix, suffix, byte fallback or dropout. Pieces
    /// with other characters, such as added tokens, are never made from bytes
    /// and have no place in the result.
    ///
    /// # Errors
    /// Those of [`super::super::Bpe::compile`].
    pub fn from_bpe(definition: &definition::Model) -> Option<Result<Self>> {
        let definition::Model::BPE {
            dropout,
            unk_token: _,
            continuing_subword_prefix,
            end_of_word_suffix,
            fuse_unk: _,
            byte_fallback: _,
            ignore_merges,
            vocab,
            merges,
        } = definition
        else {
            return None;
        };
        let affixed = [continuing_subword_prefix, end_of_word_suffix]
            .into_iter()
            .flatten()
            .any(|affix| !affix.is_empty());
        if affixed || dropout.is_some_and(|dropout| dropout != 0.0) {
            return None;
        }
        let pieces = Spelled::new(vocab)?;
        let bytes = byte_symbols(&pieces.vocabulary).ok()?;
        let (made, cuts) = both(|| pieces.merges(merges), || cuts(&pieces.vocabulary, None));
        let mut merges = match made {
            Some(merges) => merges,
            // As an error has it, or a model whose merges are less simple.
            None => {
                return compile_merges(&Vocabulary::of(vocab), merges, 0)
                    .err()
                    .map(Err);
            }
        };
        let vocabulary = pieces.vocabulary;
        let (segments, word_merges) = tables(&vocabulary, &bytes, &merges, cuts);
        merges.forget_order();
        Some(Ok(Self {
            identity: identity::next(),
            segments,
            word_merges,
            vocabulary: Arc::new(vocabulary),
            bytes,
            merges,
            whole_words: *ignore_merges,
            max_span: None,
            unreachable: Vec::new(),
            spelled: OnceLock::new(),
        }))
    }
}

/// The ids of the 256 bytes, or the first byte that has none.
fn byte_symbols(vocabulary: &Vocabulary) -> Result<Box<[u32; 256]>, u8> {
    let mut symbols = Box::new([0; 256]);
    for byte in 0..=u8::MAX {
        symbols[usize::from(byte)] = vocabulary.id(&[byte]).ok_or(byte)?;
    }
    Ok(symbols)
}

/// The places that no piece in use crosses.
fn cuts(vocabulary: &Vocabulary, max_span: Option<MaxSpan>) -> Cuts {
    let pieces = vocabulary.iter().map(|(piece, _)| piece);
    Cuts::new(pieces.filter(|piece| max_span.is_none_or(|span| span.allows(piece))))
}

/// What words are encoded by, beside the merges themselves.
pub(super) fn tables(
    vocabulary: &Vocabulary,
    bytes: &[u32; 256],
    merges: &MergeTable,
    cuts: Cuts,
) -> (Option<Box<Segments>>, Option<Box<WordMerges>>) {
    both(
        || Segments::new(vocabulary, bytes, merges, cuts).map(Box::new),
        || WordMerges::new(merges, bytes).map(Box::new),
    )
}

fn check_ranks(ranks: &RankTable, vocabulary: &Vocabulary) -> Result<()> {
    let show = |bytes: &[u8]| bytes.escape_ascii().to_string();
    let mut seen = FxHashSet::default();
    for (bytes, rank) in &ranks.0 {
        if bytes.is_empty() || *rank == u32::MAX {
            return Err(Error::vocabulary(format!(
                "model.ranks: b\"{}\" with rank {rank}: expected at least one byte and a rank \
                 below {}",
                show(bytes),
                u32::MAX
            )));
        }
        if !seen.insert(bytes.as_slice()) {
            let other = ranks.0.iter().find(|(first, _)| first == bytes);
            return Err(Error::vocabulary(format!(
                "model.ranks: b\"{}\" has two ranks: {} and {rank}",
                show(bytes),
                other.map_or(*rank, |&(_, rank)| rank)
            )));
        }
        match vocabulary.piece(*rank) {
            Some(first) if first != bytes.as_slice() => {
                return Err(Error::vocabulary(format!(
                    "model.ranks: rank {rank} has two byte strings: b\"{}\" and b\"{}\"",
                    show(first),
                    show(bytes)
                )));
            }
            _ => {}
        }
    }
    Ok(())
}
