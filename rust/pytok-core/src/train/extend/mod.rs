//! More pieces for a tokenizer that exists: old ids stay, old merges and scores
//! stay, and texts without a new piece are encoded as before.
//!
//! ```text
//! words of the new text --old model--> symbols --merge pairs--> new pieces
//! ```
//! The words of the new text are segmented by the tokenizer itself, and training
//! goes on from there as if it had never stopped: the most frequent pair of
//! neighbours becomes a piece, again and again.
//!
//! * BPE of `tokenizers`: each pair is a merge, after all old ones. A new piece
//!   is reached from its own text: its two sides stood side by side when the old
//!   and the earlier new merges were done, so no merge crossed its ends, and the
//!   same merges happen when the piece stands alone.
//! * Rank vocabularies: the new ranks are above all old ones. Any two neighbours
//!   that spell a piece are merged there, so the run merges them too.
//! * Unigram: the pieces are candidates, and get scores with which they are used.
//! * SentencePiece: BPE is as among ranks, with scores for ranks; Unigram as above.
//!   Pieces are such as the file's own trainer makes.
//!
//! New ids follow the highest id in use, so a rank vocabulary keeps the ids of
//! its special tokens, with a gap in its ranks where those stand. `tokenizers`
//! numbers added tokens that are not in the vocabulary after its last piece:
//! they are written into the vocabulary, where their ids are fixed.

mod bpe;
mod config;
mod grow;
mod rules;
mod score;
mod sentencepiece;
#[cfg(test)]
mod sentencepiece_tests;
mod symbols;
#[cfg(test)]
mod tests;
mod unigram;

pub use config::ExtendConfig;

use super::progress::{Meter, OnProgress};
use super::word_counts::WordCounts;
use crate::definition::{Definition, Model, RankTable, Source};
use crate::error::{Error, Result};
use crate::pipeline::{EncodeOptions, SpecialPolicy, Tokenizer};
use crate::pretokenize::byte_alphabet;

/// Ids stay below this.
const ID_LIMIT: u64 = 1 << 31;

/// A tokenizer with more pieces, and what they are.
#[derive(Debug)]
pub struct Extended {
    /// The tokenizer.
    pub tokenizer: Tokenizer,
    /// The new pieces as bytes of text, in the order of their ids.
    pub pieces: Vec<Box<[u8]>>,
    /// The id of the first; the others follow.
    pub first_id: u32,
    /// The lowest count of a new piece when it was chosen.
    pub least_count: u64,
}

/// New pieces, before the definition knows them.
#[derive(Debug)]
struct Chosen {
    pieces: Vec<Box<[u8]>>,
    least_count: u64,
    /// The model with the new pieces.
    model: Model,
}

/// Add pieces to a tokenizer. `None` when `on_progress` said stop.
///
/// `counts` are those of [`super::WordCounter::of_tokenizer`].
///
/// # Errors
/// [`Error::Argument`] when an option is out of its range, the tokenizer cannot
/// be extended, or the text has too few candidates.
///
/// # Complexity
/// O(n log n) for n bytes of different words.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use pytok_core::train::{BpeConfig, WordCounter, WordSource, scheme, train_bpe};
/// use pytok_core::train::extend::{ExtendConfig, extend};
/// use pytok_core::{Tokenizer, pipeline::EncodeOptions};
/// use std::ops::ControlFlow;
///
/// let source = WordSource {
///     normalizer: None,
///     pre_tokenizer: Some(scheme::pre_tokenizer("qwen", None)?),
///     cap: None,
/// };
/// let counts = WordCounter::new(&source, 1, None)?.finish()?;
/// let mut go_on = |_| ControlFlow::Continue(());
/// let bytes = train_bpe(&counts, &BpeConfig::new(256), &mut go_on)?.unwrap();
/// let tokenizer = Arc::new(Tokenizer::compile(bytes.definition)?);
///
/// let mut counter = WordCounter::of_tokenizer(tokenizer.clone(), 1, None)?;
/// counter.add(&["学而 学而"])?;
/// let extended = extend(&tokenizer, &counter.finish()?, &ExtendConfig::new(5), &mut go_on)?;
/// let extended = extended.unwrap();
/// assert_eq!(extended.first_id, 256);
/// assert_eq!(&*extended.pieces[4], "学而".as_bytes());
/// let ids = extended.tokenizer.encode_ids("学而", &EncodeOptions::default())?;
/// assert_eq!(ids, [260]);
/// # Ok::<(), pytok_core::Error>(())
/// ```
pub fn extend(
    tokenizer: &Tokenizer,
    counts: &WordCounts,
    config: &ExtendConfig,
    on_progress: &mut OnProgress<'_>,
) -> Result<Option<Extended>> {
    config.check()?;
    check_tokenizer(tokenizer)?;
    counts.check_source(&tokenizer.into())?;
    let first_id = first_free_id(tokenizer, config.add)?;
    let mut on_progress = |progress| on_progress(progress);
    let mut meter = Meter::new(&mut on_progress);
    let chosen = match &tokenizer.definition().model {
        Model::Unigram { .. } => unigram::choose(tokenizer, counts, config, first_id, &mut meter)?,
        Model::SentencePiece { .. } => {
            sentencepiece::choose(tokenizer, counts, config, &mut meter)?
        }
        _ => bpe::choose(tokenizer, counts, config, first_id, &mut meter)?,
    };
    let Some(chosen) = chosen else {
        return Ok(None);
    };
    let definition = Definition {
        added_tokens: tokenizer.added_tokens(),
        model: chosen.model,
        ..without_model(tokenizer.definition())
    };
    let extended = Tokenizer::compile_with(definition, tokenizer.chinese().cloned())?;
    check_literals(tokenizer, &extended)?;
    Ok(Some(Extended {
        tokenizer: extended,
        pieces: chosen.pieces,
        first_id,
        least_count: chosen.least_count,
    }))
}

/// Fail unless the tokenizer is of a kind that can be extended.
///
/// # Errors
/// [`Error::Argument`] that says what it is.
pub(super) fn check_tokenizer(tokenizer: &Tokenizer) -> Result<()> {
    let refused = |what: &str| Err(Error::argument("tokenizer", what));
    if tokenizer.is_limited() {
        return refused(
            "its longest pieces are out of use; expected it as it was before with_max_span",
        );
    }
    match &tokenizer.definition().model {
        Model::BPE {
            continuing_subword_prefix,
            end_of_word_suffix,
            ..
        } => {
            let affixes = [continuing_subword_prefix, end_of_word_suffix];
            if affixes.into_iter().flatten().any(|affix| !affix.is_empty()) {
                return refused(
                    "a tokenizer.json with BPE whose pieces have a prefix or suffix by their \
                     place in a word; expected BPE without",
                );
            }
            Ok(())
        }
        Model::Unigram { .. } | Model::ByteRanks { max_span: None, .. } => Ok(()),
        Model::ByteRanks { .. } => {
            refused("its longest pieces are out of use; expected it as it was before with_max_span")
        }
        Model::WordPiece { .. } => {
            refused("a tokenizer.json with WordPiece; expected BPE or Unigram")
        }
        Model::WordLevel { .. } => {
            refused("a tokenizer.json with WordLevel; expected BPE or Unigram")
        }
        Model::SentencePiece { .. } => sentencepiece::check(tokenizer),
    }
}

/// One past the highest id in use.
fn first_free_id(tokenizer: &Tokenizer, add: u32) -> Result<u32> {
    let highest = tokenizer.vocab().into_iter().map(|(_, id)| id).max();
    let first = highest.map_or(0, |id| u64::from(id) + 1);
    match u32::try_from(first) {
        Ok(id) if first + u64::from(add) <= ID_LIMIT => Ok(id),
        _ => Err(Error::argument(
            "add",
            format!("{add} pieces after id {first}; expected ids below 2^31"),
        )),
    }
}

/// Added tokens whose ids nothing but their place after the vocabulary fixes.
fn unfixed_literals(tokenizer: &Tokenizer) -> Vec<(String, u32)> {
    if tokenizer.definition().source != Source::Tokenizers {
        return Vec::new();
    }
    let tokens = tokenizer.added_tokens().into_iter();
    tokens
        .filter(|token| tokenizer.model_id(&token.content).is_none())
        .map(|token| (token.content, token.id))
        .collect()
}

/// Literals in the vocabulary must not be what plain text is encoded to.
fn check_literals(before: &Tokenizer, after: &Tokenizer) -> Result<()> {
    let options = EncodeOptions {
        special: SpecialPolicy::Text,
        add_special_tokens: false,
        ..EncodeOptions::default()
    };
    for (literal, id) in unfixed_literals(before) {
        let is_kept =
            before.encode_ids(&literal, &options)? == after.encode_ids(&literal, &options)?;
        if !is_kept || after.token_to_id(&literal) != Some(id) {
            return Err(Error::argument(
                "tokenizer",
                format!(
                    "the added token {literal:?} can keep its id only in model.vocab, where plain \
                     text would be encoded to it; expected a file whose model.vocab has it"
                ),
            ));
        }
    }
    Ok(())
}

fn without_model(definition: &Definition) -> Definition {
    Definition {
        source: definition.source,
        chinese: definition.chinese.clone(),
        added_tokens: Vec::new(),
        normalizer: definition.normalizer.clone(),
        pre_tokenizer: definition.pre_tokenizer.clone(),
        model: Model::ByteRanks {
            ranks: RankTable::default(),
            max_span: None,
        },
        post_processor: definition.post_processor.clone(),
        decoder: definition.decoder.clone(),
        truncation: definition.truncation.clone(),
        padding: definition.padding.clone(),
    }
}

/// A piece as the file spells it.
fn spell(bytes: &[u8], in_bytes: bool) -> String {
    if in_bytes {
        byte_alphabet::encode(bytes)
    } else {
        String::from_utf8_lossy(bytes).into_owned()
    }
}
