//! The compiled model over characters.

use super::chain::Chain;
use super::compile::compile_merges;
use super::merges::MergeTable;
use super::short::{SHORT, merge_short};
use super::symbols::Symbols;
use crate::definition;
use crate::error::{Error, Result};
use crate::ids::offset;
use crate::model::vocabulary::Vocabulary;
use crate::model::{ModelScratch, Sampler, Token};

/// Byte-pair encoding over characters.
#[derive(Debug, Clone)]
pub struct Bpe {
    vocabulary: Vocabulary,
    symbols: Symbols,
    merges: MergeTable,
    /// Off at 0.
    dropout: f64,
    ignore_merges: bool,
}

impl Bpe {
    /// Compile a [`definition::Model::BPE`].
    ///
    /// # Errors
    /// [`Error::Argument`] for another model or a dropout outside of 0 to 1;
    /// [`Error::Vocabulary`] when a merge names or makes a piece that is not
    /// in the vocabulary.
    pub fn compile(definition: &definition::Model) -> Result<Self> {
        let definition::Model::BPE {
            dropout,
            unk_token,
            continuing_subword_prefix,
            end_of_word_suffix,
            fuse_unk,
            byte_fallback,
            ignore_merges,
            vocab,
            merges,
        } = definition
        else {
            return Err(Error::argument("definition", "expected a BPE model"));
        };
        let dropout = dropout.unwrap_or(0.0);
        if !(0.0..=1.0).contains(&dropout) {
            return Err(Error::argument(
                "model.dropout",
                format!("found {dropout}, expected a probability from 0 to 1"),
            ));
        }
        let vocabulary = Vocabulary::of(vocab).checked();
        let prefix = continuing_subword_prefix.as_deref();
        Ok(Self {
            merges: compile_merges(&vocabulary, merges, prefix.map_or(0, str::len))?,
            symbols: Symbols::new(
                &vocabulary,
                prefix,
                end_of_word_suffix.as_deref(),
                unk_token.as_deref(),
                *fuse_unk,
                *byte_fallback,
            ),
            vocabulary,
            dropout: f64::from(dropout),
            ignore_merges: *ignore_merges,
        })
    }

    /// Append the tokens of a word.
    ///
    /// Offsets are counted in the symbols' bytes; with byte fallback of a
    /// prefix or suffix they can pass the end of the word, as the reference's
    /// do. Dropout draws from the scratch.
    ///
    /// # Errors
    /// [`Error::Encode`] when the unknown token is needed and missing.
    ///
    /// # Complexity
    /// O(n log n) for n characters; with dropout p < 1 expected
    /// O(n log n / (1 - p)).
    pub fn tokenize(
        &self,
        word: &str,
        scratch: &mut ModelScratch,
        tokens: &mut Vec<Token>,
    ) -> Result<()> {
        if word.is_empty() {
            return Ok(());
        }
        if self.dropout > 0.0 {
            let chain = &mut scratch.chain;
            self.begin(word, chain)?;
            chain.merge_with_dropout(&self.merges, self.dropout, &mut scratch.random);
            append(chain.symbols(), tokens);
            return Ok(());
        }
        if self.ignore_merges
            && let Some(id) = self.vocabulary.id(word.as_bytes())
        {
            tokens.push(Token {
                id,
                start: 0,
                end: offset(word.len()),
                surface: false,
            });
            return Ok(());
        }
        // Byte fallback makes several symbols of a character, prefix and
        // suffix included, so that the length of the word does not tell.
        let chain = &mut scratch.chain;
        let (mut ids, mut lengths, mut count) = ([0; SHORT], [0_u32; SHORT], 0);
        chain.clear();
        self.symbols.split(word, &self.vocabulary, |id, length| {
            if count < SHORT {
                (ids[count], lengths[count]) = (id, length);
            } else {
                if count == SHORT {
                    (0..SHORT).for_each(|at| chain.push(ids[at], lengths[at]));
                }
                chain.push(id, length);
            }
            count += 1;
        })?;
        if count > SHORT {
            chain.merge(&self.merges);
            append(chain.symbols(), tokens);
        } else if self.merges.is_regular() {
            let count = merge_short(&self.merges, &mut ids[..count], &mut lengths[..count]);
            append(ids.into_iter().zip(lengths).take(count), tokens);
        } else {
            (0..count).for_each(|at| chain.push(ids[at], lengths[at]));
            chain.merge(&self.merges);
            append(chain.symbols(), tokens);
        }
        Ok(())
    }

    /// Append tokens of a word with BPE-dropout (Provilkov et al., 2020).
    /// `ignore_merges` has no say, as in the reference's dropout.
    ///
    /// # Errors
    /// As [`Bpe::tokenize`].
    pub(crate) fn sample(
        &self,
        word: &str,
        sampler: &mut Sampler,
        tokens: &mut Vec<Token>,
    ) -> Result<()> {
        self.begin(word, &mut sampler.chain)?;
        sampler.merge(&self.merges);
        append(sampler.chain.symbols(), tokens);
        Ok(())
    }

    /// The symbols of a word, none merged.
    fn begin(&self, word: &str, chain: &mut Chain) -> Result<()> {
        chain.clear();
        self.symbols
            .split(word, &self.vocabulary, |id, length| chain.push(id, length))
    }

    /// The vocabulary.
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }
}

fn append(symbols: impl Iterator<Item = (u32, u32)>, tokens: &mut Vec<Token>) {
    let mut start = 0;
    tokens.extend(symbols.map(|(id, length)| {
        let end = start + length;
        let token = Token {
            id,
            start,
            end,
            surface: false,
        };
        start = end;
        token
    }));
}
