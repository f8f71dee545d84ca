//! The three ways from a section of text to tokens.
//!
//! Which one serves a definition is decided once, when it is compiled:
//!
//! * [`Engine::Bytes`]: byte-level BPE and Unigram whose words can be cut in the
//!   raw text. The byte alphabet is never written out.
//! * [`Engine::Components`]: any other combination of `tokenizers` components.
//! * [`Engine::SentencePiece`]: the whole section at once.

use rustc_hash::FxHashMap;

use crate::definition::{
    Definition, Model as ModelDefinition, Pattern, PreTokenizer as Pre, Source,
};
use crate::error::{Error, Result};
use crate::model::{ByteBpe, ByteModel, Model};
use crate::pretokenize::{PreTokenizer, RawSplitter, byte_alphabet};
use crate::sentencepiece::SentencePiece;

/// A compiled way from text to tokens.
#[derive(Debug)]
pub(super) enum Engine {
    Bytes {
        splitter: RawSplitter,
        model: ByteModel,
        literals: Literals,
    },
    Components {
        pre_tokenizer: Option<PreTokenizer>,
        model: Model,
    },
    SentencePiece(SentencePiece),
}

impl Engine {
    /// Choose and compile the engine of a definition.
    pub(super) fn compile(definition: &Definition) -> Result<Self> {
        if let ModelDefinition::SentencePiece { proto } = &definition.model {
            return SentencePiece::compile(&proto.0).map(Self::SentencePiece);
        }
        let pre_tokenizer = definition
            .pre_tokenizer
            .as_ref()
            .map(|pre| PreTokenizer::compile(pre, definition.source))
            .transpose()?;
        if let ModelDefinition::ByteRanks { ranks, max_span } = &definition.model {
            return Ok(Self::Bytes {
                splitter: rank_splitter(definition.pre_tokenizer.as_ref())?,
                model: ByteModel::Bpe(ByteBpe::from_ranks(ranks, *max_span)?),
                literals: Literals::default(),
            });
        }
        let splitter = pre_tokenizer.as_ref().and_then(PreTokenizer::raw_splitter);
        if let Some(splitter) = splitter {
            if let Some(model) = ByteModel::from_spelled(&definition.model) {
                let model = model?;
                return Ok(Self::Bytes {
                    splitter,
                    literals: Literals::of(&definition.model, &model),
                    model,
                });
            }
        }
        Ok(Self::Components {
            pre_tokenizer,
            model: Model::compile(&definition.model)?,
        })
    }

    /// The same without the use of pieces, where that is quickly made.
    pub(super) fn without(&self, is_gone: &[bool]) -> Option<Self> {
        match self {
            Self::Bytes {
                splitter,
                model: ByteModel::Bpe(model),
                literals,
            } => Some(Self::Bytes {
                splitter: splitter.clone(),
                model: ByteModel::Bpe(model.without(is_gone)?),
                literals: literals.clone(),
            }),
            _ => None,
        }
    }

    /// The number of pieces that the model has.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Bytes {
                model, literals, ..
            } => model.len() + literals.by_id.len(),
            Self::Components { model, .. } => model.len(),
            Self::SentencePiece(model) => model.len(),
        }
    }
}

/// Pieces of a byte-level vocabulary that are not written in the byte alphabet.
/// No text encodes to them; they have ids and decode to themselves.
#[derive(Debug, Clone, Default)]
pub(super) struct Literals {
    pub(super) by_id: FxHashMap<u32, String>,
    pub(super) by_piece: FxHashMap<String, u32>,
}

impl Literals {
    /// Those of a definition, given the model over bytes that was compiled from it.
    fn of(model: &ModelDefinition, compiled: &ByteModel) -> Self {
        let mut literals = Self::default();
        let mut add = |piece: &str, id| {
            if compiled.token_bytes(id).is_none() {
                literals.add(piece, id);
            }
        };
        match model {
            ModelDefinition::BPE { vocab, .. } => {
                vocab.iter().for_each(|(piece, id)| add(piece, id));
            }
            ModelDefinition::Unigram { vocab, .. } => {
                (0..).zip(vocab).for_each(|(id, (piece, _))| add(piece, id));
            }
            _ => {}
        }
        literals
    }

    /// Add a piece if it is a literal.
    fn add(&mut self, piece: &str, id: u32) {
        if piece
            .chars()
            .any(|c| byte_alphabet::char_to_byte(c).is_none())
        {
            self.by_id.insert(id, piece.to_owned());
            self.by_piece.insert(piece.to_owned(), id);
        }
    }
}

/// The splitter of a rank vocabulary: the matches of its pattern, or the pieces
/// that several patterns leave, each applied to those of the one before.
fn rank_splitter(pre_tokenizer: Option<&Pre>) -> Result<RawSplitter> {
    let refused = || {
        Error::unsupported(
            "pre_tokenizer.type",
            "a component that changes the text",
            "Split with a regular expression before a rank vocabulary",
        )
    };
    match pre_tokenizer {
        Some(Pre::Split {
            pattern: Pattern::Regex(pattern),
            ..
        }) => RawSplitter::for_tiktoken(pattern),
        Some(Pre::Sequence { pretokenizers }) => {
            let mut pretokenizers = pretokenizers.clone();
            pretokenizers.push(Pre::ByteLevel {
                add_prefix_space: false,
                trim_offsets: false,
                use_regex: false,
            });
            PreTokenizer::compile(&Pre::Sequence { pretokenizers }, Source::Tiktoken)?
                .raw_splitter()
                .ok_or_else(refused)
        }
        _ => Err(refused()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with the 256 bytes and a literal.
    fn file(score: f64, add_prefix_space: bool) -> String {
        let bytes = (0..=u8::MAX).map(|byte| {
            let piece = byte_alphabet::encode(&[byte]);
            serde_json::json!([piece, score])
        });
        let vocab: Vec<_> = bytes.chain([serde_json::json!(["中", -1.0])]).collect();
        serde_json::json!({
            "version": "1.0",
            "added_tokens": [],
            "normalizer": null,
            "pre_tokenizer": {
                "type": "ByteLevel",
                "add_prefix_space": add_prefix_space,
                "use_regex": true,
            },
            "post_processor": null,
            "decoder": null,
            "model": {"type": "Unigram", "unk_id": null, "vocab": vocab},
        })
        .to_string()
    }

    fn engine(file: &str) -> Engine {
        let definition = crate::format::tokenizer_json::read(file.as_bytes()).unwrap();
        Engine::compile(&definition).unwrap()
    }

    #[test]
    fn unigram_over_bytes_has_its_engine_and_keeps_its_literals() {
        let exact = engine(&file(-1.5, false));
        let Engine::Bytes {
            model: ByteModel::Unigram(_),
            literals,
            ..
        } = &exact
        else {
            panic!("{exact:?}");
        };
        assert_eq!(literals.by_piece.get("中"), Some(&256));
        assert_eq!((exact.len(), exact.model_id("中")), (257, Some(256)));
        for other in [file(-0.1, false), file(-1.5, true)] {
            assert!(matches!(engine(&other), Engine::Components { .. }));
        }
    }
}
