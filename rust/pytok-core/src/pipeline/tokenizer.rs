//! The compiled tokenizer.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::added_tokens::{AddedTokens, is_control};
use super::batch;
use super::byte_table::ByteTable;
use super::decode::Decoder;
use super::engine::Engine;
use super::frame::IdFrame;
use super::options::EncodeOptions;
use super::pieces::PieceReading;
use super::postprocess::PostProcessor;
use super::scratch::{Scratch, ScratchPool};
use super::spans::RawToken;
use crate::definition::{self, AddedToken, Definition, Model, Source};
use crate::error::{Error, Result};
use crate::normalize::Normalizer;
use crate::text::ByteSpan;
use crate::zh::Pipeline;

/// A compiled, immutable tokenizer; share it between threads as it is.
#[derive(Debug)]
pub struct Tokenizer {
    pub(super) definition: Arc<Definition>,
    /// The definition's model before pieces were taken out of use.
    pub(super) unlimited: Option<Arc<Model>>,
    /// The definition's, behind the Chinese steps.
    pub(super) normalizer: Option<Arc<Normalizer>>,
    /// The Chinese steps.
    pub(super) chinese: Option<Arc<Pipeline>>,
    pub(super) engine: Engine,
    pub(super) added: Arc<AddedTokens>,
    pub(super) post_processor: Option<PostProcessor>,
    pub(super) decoder: Option<Decoder>,
    pub(super) reading: PieceReading,
    /// What the post-processor puts around the ids of a single text; `None`
    /// when it does more than that.
    pub(super) frame: Option<IdFrame>,
    pub(super) scratches: ScratchPool,
    /// Found when first asked for.
    pub(super) default_alpha: OnceLock<f64>,
    /// Made by the first decoding.
    pub(super) byte_table: OnceLock<Option<ByteTable>>,
}

impl Tokenizer {
    /// Compile a definition; everything in it is checked here, once.
    ///
    /// # Errors
    /// When the parts contradict each other or a pattern cannot be compiled.
    pub fn compile(definition: Definition) -> Result<Self> {
        Self::compile_with(definition, None)
    }

    /// Compile a definition with the Chinese steps that it speaks of.
    ///
    /// # Errors
    /// As [`Self::compile`]; also when only one of both is there.
    pub fn compile_with(definition: Definition, chinese: Option<Arc<Pipeline>>) -> Result<Self> {
        if definition.chinese.is_some() != chinese.is_some() {
            return Err(Error::unsupported(
                "chinese",
                if chinese.is_some() {
                    "null"
                } else {
                    "steps of Chinese normalisation"
                },
                "the steps, compiled, exactly where a definition speaks of them",
            ));
        }
        let normalizer = definition
            .normalizer
            .as_ref()
            .map(Normalizer::compile)
            .transpose()?;
        let normalizer = match &chinese {
            Some(pipeline) => {
                let behind = normalizer.unwrap_or_else(Normalizer::identity);
                Some(behind.behind(Arc::clone(pipeline)))
            }
            None => normalizer.filter(|normalizer| !normalizer.is_identity()),
        };
        let engine = Engine::compile(&definition)?;
        let added = AddedTokens::compile(
            &definition.added_tokens,
            definition.source,
            engine.len(),
            |piece| engine.model_id(piece),
            normalizer.as_ref(),
        )?;
        let post_processor = definition
            .post_processor
            .as_ref()
            .map(PostProcessor::compile)
            .transpose()?;
        let decoder = definition
            .decoder
            .as_ref()
            .map(|decoder| Decoder::compile(decoder, definition.source))
            .transpose()?;
        let frame = match &post_processor {
            Some(processor) => IdFrame::of(processor)?,
            None => Some(IdFrame::default()),
        };
        Ok(Self {
            reading: PieceReading::of(definition.decoder.as_ref()),
            normalizer: normalizer.map(Arc::new),
            chinese,
            engine,
            added: Arc::new(added),
            post_processor,
            decoder,
            frame,
            definition: Arc::new(definition),
            unlimited: None,
            scratches: ScratchPool::default(),
            default_alpha: OnceLock::new(),
            byte_table: OnceLock::new(),
        })
    }

    /// The same tokenizer with Chinese steps before everything else that changes
    /// the text, or with none. What they are, in JSON, is kept in the definition
    /// for whoever loads it.
    ///
    /// # Errors
    /// As [`Self::compile_with`]; also when it is not JSON.
    pub fn with_chinese(&self, chinese: Option<(&str, Arc<Pipeline>)>) -> Result<Self> {
        let (spec, pipeline) = chinese.unzip();
        let spec = spec.map(serde_json::from_str).transpose();
        let spec = spec.map_err(|error| Error::argument("spec", error.to_string()))?;
        let definition = Definition {
            chinese: spec,
            ..Definition::clone(&self.definition)
        };
        let mut tokenizer = Self::compile_with(definition, pipeline)?;
        tokenizer.unlimited.clone_from(&self.unlimited);
        Ok(tokenizer)
    }

    /// The definition with its Chinese steps as normalizers of `tokenizers`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] with the names of the steps that these cannot do.
    pub fn portable(&self) -> Result<Definition> {
        let mut definition = Definition::clone(&self.definition);
        definition.chinese = None;
        let Some(chinese) = &self.chinese else {
            return Ok(definition);
        };
        let mut normalizers = chinese.portable().map_err(|steps| {
            let supported = "steps that replace single characters";
            Error::unsupported("normalizer", steps.join(", "), supported)
        })?;
        normalizers.extend(definition.normalizer.take());
        definition.normalizer = Some(definition::Normalizer::Sequence { normalizers });
        Ok(definition)
    }

    /// The Chinese steps.
    pub fn chinese(&self) -> Option<&Arc<Pipeline>> {
        self.chinese.as_ref()
    }

    /// What this tokenizer was compiled from.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The ids of a text.
    ///
    /// # Errors
    /// [`Error::ControlToken`] under the policy `Error`; [`Error::Encode`] when
    /// the model has no token for a piece and no unknown token.
    pub fn encode_ids(&self, text: &str, options: &EncodeOptions) -> Result<Vec<u32>> {
        // Chinese gives about one id for four bytes; a second growth is cheap.
        let mut ids = Vec::with_capacity(text.len() / 4 + 8);
        self.scratches
            .with(|scratch| self.framed_ids(text, options, scratch, &mut ids))?;
        Ok(ids)
    }

    /// The number of ids of a text.
    ///
    /// # Errors
    /// As [`Tokenizer::encode_ids`].
    pub fn count(&self, text: &str, options: &EncodeOptions) -> Result<usize> {
        self.scratches.with(|scratch| {
            let mut ids = std::mem::take(&mut scratch.counted);
            ids.clear();
            self.framed_ids(text, options, scratch, &mut ids)?;
            let count = ids.len();
            scratch.counted = ids;
            Ok(count)
        })
    }

    /// Append the ids of a text with the special tokens around them.
    pub(super) fn framed_ids(
        &self,
        text: &str,
        options: &EncodeOptions,
        scratch: &mut Scratch,
        ids: &mut Vec<u32>,
    ) -> Result<()> {
        self.begin_frame(options, ids)?;
        if self.frame.is_some() {
            self.ids_into(text, options.special, scratch, ids)?;
        } else {
            // A template may repeat the text even where no special token is added.
            let inner = EncodeOptions {
                bos: false,
                eos: false,
                ..*options
            };
            let input = super::Input::Text(text);
            ids.extend_from_slice(self.encode(input, None, &inner, None)?.ids());
        }
        self.end_frame(options, ids)
    }

    pub(super) fn required(&self, id: Option<u32>, argument: &'static str) -> Result<u32> {
        id.ok_or_else(|| {
            Error::argument(
                argument,
                "this tokenizer's file names no such token; put its id there yourself",
            )
        })
    }

    /// The ids of a text and the bytes that each covers in it, as exactly as
    /// they are known; no special tokens are added.
    ///
    /// # Errors
    /// As [`Tokenizer::encode_ids`].
    pub fn encode_spans(
        &self,
        text: &str,
        options: &EncodeOptions,
    ) -> Result<(Vec<u32>, Vec<ByteSpan>)> {
        let mut tokens: Vec<RawToken> = Vec::new();
        self.scratches
            .with(|scratch| self.raw_tokens(text, options.special, scratch, &mut tokens))?;
        Ok(tokens.iter().map(|token| (token.id, token.exact)).unzip())
    }

    /// [`Tokenizer::encode_spans`] of many texts: ids, spans (start, end, start,
    /// end, …) and where each text begins in the ids.
    ///
    /// # Errors
    /// As [`Tokenizer::encode_ids`], for the first text that fails.
    pub fn encode_batch_spans(
        &self,
        texts: &[&str],
        options: &EncodeOptions,
        threads: Option<usize>,
    ) -> Result<(Vec<u32>, Vec<i64>, Vec<i64>)> {
        let blocks = batch::in_order(
            texts,
            |text| text.len(),
            threads,
            |block| {
                block
                    .iter()
                    .map(|text| self.encode_spans(text, options))
                    .collect::<Result<Vec<_>>>()
            },
        )?;
        let mut bounds = Bounds::new(texts.len());
        let (mut flat, mut flat_spans) = (Vec::new(), Vec::new());
        for (ids, spans) in blocks.into_iter().flatten() {
            bounds.extend(&[ids.len()]);
            flat.extend_from_slice(&ids);
            flat_spans.extend(spans.iter().flat_map(|s| [i64::from(s.0), i64::from(s.1)]));
        }
        Ok((flat, flat_spans, bounds.0))
    }

    /// Free the buffers and caches that idle threads left behind.
    pub fn clear_cache(&self) {
        self.scratches.clear();
    }

    /// Added tokens, by id.
    pub fn added_tokens(&self) -> Vec<AddedToken> {
        self.added.iter().cloned().collect()
    }

    /// The added tokens that steer a model rather than stand for text, by id.
    pub fn control_tokens(&self) -> Vec<(String, u32)> {
        self.added
            .iter()
            .filter(|token| is_control(token))
            .map(|token| (token.content.clone(), token.id))
            .collect()
    }

    /// A new tokenizer that also knows these tokens.
    ///
    /// Contents that the vocabulary has keep their id; others get the ids after
    /// the last one. The `id` of the given tokens is ignored.
    ///
    /// # Errors
    /// As [`Tokenizer::compile`].
    pub fn with_added_tokens(&self, tokens: Vec<AddedToken>) -> Result<Self> {
        let mut definition = Definition::clone(&self.definition);
        definition.added_tokens = self.added_tokens();
        let mut places: FxHashMap<String, usize> = definition
            .added_tokens
            .iter()
            .enumerate()
            .map(|(place, token)| (token.content.clone(), place))
            .collect();
        let last = self.vocab().into_iter().map(|(_, id)| id).max();
        let mut free = last.map_or(0, u64::from) + u64::from(last.is_some());
        for mut token in tokens {
            if token.content.is_empty() {
                return Err(Error::argument(
                    "tokens",
                    "an added token must not be empty",
                ));
            }
            if let Some(&place) = places.get(&token.content) {
                token.id = definition.added_tokens[place].id;
                definition.added_tokens[place] = token;
                continue;
            }
            token.id = match self.token_to_id(&token.content) {
                Some(id) => id,
                None => {
                    let id = u32::try_from(free).map_err(|_| {
                        Error::argument("tokens", "no id below 2^32 is left for another token")
                    })?;
                    free += 1;
                    id
                }
            };
            places.insert(token.content.clone(), definition.added_tokens.len());
            definition.added_tokens.push(token);
        }
        definition.added_tokens.sort_by_key(|token| token.id);
        let mut tokenizer = Self::compile_with(definition, self.chinese.clone())?;
        tokenizer.unlimited.clone_from(&self.unlimited);
        Ok(tokenizer)
    }

    /// The id of the unknown token.
    pub fn unk_id(&self) -> Option<u32> {
        match &self.definition.model {
            Model::BPE { unk_token, .. } => unk_token.as_deref().and_then(|t| self.token_to_id(t)),
            Model::Unigram { unk_id, .. } => unk_id.and_then(|id| u32::try_from(id).ok()),
            Model::WordPiece { unk_token, .. } | Model::WordLevel { unk_token, .. } => {
                self.token_to_id(unk_token)
            }
            Model::ByteRanks { .. } => None,
            Model::SentencePiece { .. } => match &self.engine {
                Engine::SentencePiece(model) => model.unk_id(),
                _ => None,
            },
        }
    }

    /// The begin-of-sequence token that the file names.
    pub fn bos_id(&self) -> Option<u32> {
        match &self.engine {
            Engine::SentencePiece(model) => model.bos_id(),
            _ => self.named(&["<|begin_of_text|>", "[BOS]", "<s>"]),
        }
    }

    /// The end-of-sequence token that the file names.
    pub fn eos_id(&self) -> Option<u32> {
        match &self.engine {
            Engine::SentencePiece(model) => model.eos_id(),
            _ => self.named(&["<|end_of_text|>", "[EOS]", "</s>", "<|endoftext|>"]),
        }
    }

    /// The first of these contents that is a special token of a rank file,
    /// where a special token's name is all that the file says about its role.
    fn named(&self, contents: &[&str]) -> Option<u32> {
        if self.definition.source != Source::Tiktoken {
            return None;
        }
        contents.iter().find_map(|content| self.added.id(content))
    }
}

/// Running ends of the texts of a batch.
pub(super) struct Bounds(pub(super) Vec<i64>);

impl Bounds {
    pub(super) fn new(texts: usize) -> Self {
        let mut bounds = Vec::with_capacity(texts + 1);
        bounds.push(0);
        Self(bounds)
    }

    /// Ids and bounds of blocks of texts: the ids, and how many each text has.
    pub(super) fn join(texts: usize, blocks: Vec<(Vec<u32>, Vec<usize>)>) -> (Vec<u32>, Vec<i64>) {
        let mut bounds = Self::new(texts);
        let mut flat = Vec::with_capacity(blocks.iter().map(|(ids, _)| ids.len()).sum());
        for (ids, lengths) in blocks {
            flat.extend_from_slice(&ids);
            bounds.extend(&lengths);
        }
        (flat, bounds.0)
    }

    pub(super) fn extend(&mut self, lengths: &[usize]) {
        let mut end = self.0.last().copied().unwrap_or(0);
        for &length in lengths {
            end += i64::try_from(length).unwrap_or(i64::MAX);
            self.0.push(end);
        }
    }
}
