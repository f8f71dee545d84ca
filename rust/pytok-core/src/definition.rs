//! What a tokenizer file says, as plain data.
//!
//! The component enums have the field names and the `"type"` tags of
//! `tokenizer.json`, so that serde reads and writes that format directly; the
//! two models which that format does not know ([`Model::ByteRanks`] and
//! [`Model::SentencePiece`]) are written to `pytok.json` only. Unknown fields
//! are refused: a field that we do not know could change ids.

use serde::{Deserialize, Serialize};

mod tables;

pub use tables::{MergeList, PieceTable};

use crate::max_span::MaxSpan;

/// A whole tokenizer, before it is compiled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Where the definition came from; decides details of the reference's behaviour.
    pub source: Source,
    /// Tokens that are matched in the text before the model sees it.
    pub added_tokens: Vec<AddedToken>,
    /// What [`crate::zh::Pipeline`] stands before the normalizer, in the terms of
    /// whoever made it; the tables are not part of a definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chinese: Option<serde_json::Value>,
    /// Text to text.
    pub normalizer: Option<Normalizer>,
    /// Text to words.
    pub pre_tokenizer: Option<PreTokenizer>,
    /// Words to ids.
    pub model: Model,
    /// Ids to ids with special tokens around them.
    pub post_processor: Option<PostProcessor>,
    /// Pieces to text.
    pub decoder: Option<Decoder>,
    /// The `truncation` entry of the file, kept for saving and never applied.
    pub truncation: Option<serde_json::Value>,
    /// The `padding` entry of the file, kept for saving and never applied.
    pub padding: Option<serde_json::Value>,
}

/// The library whose behaviour a definition reproduces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// `tokenizers` (tokenizer.json).
    Tokenizers,
    /// `tiktoken` (rank files) and tekken.json.
    Tiktoken,
    /// `sentencepiece` (.model).
    SentencePiece,
}

/// A literal that is matched in the text before the model sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddedToken {
    /// Its id.
    pub id: u32,
    /// The literal.
    pub content: String,
    /// Match only when no word character stands on either side.
    #[serde(default)]
    pub single_word: bool,
    /// Take white space on the left into the match.
    #[serde(default)]
    pub lstrip: bool,
    /// Take white space on the right into the match.
    #[serde(default)]
    pub rstrip: bool,
    /// Match in the normalised text rather than in the original.
    #[serde(default)]
    pub normalized: bool,
    /// A control token: skipped by decoding on request, governed by the policy.
    #[serde(default)]
    pub special: bool,
}

/// A literal or a regular expression.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pattern {
    /// A literal.
    String(String),
    /// A regular expression in the dialect of [`Source`].
    Regex(String),
}

/// How the matches of a splitting pattern are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SplitBehavior {
    /// Matches are dropped.
    Removed,
    /// Each match is a word of its own.
    Isolated,
    /// A match ends the word before it.
    MergedWithPrevious,
    /// A match begins the word after it.
    MergedWithNext,
    /// Adjacent matches become one word.
    Contiguous,
}

fn yes() -> bool {
    true
}

/// Text to text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Normalizer {
    /// BERT's clean-up: control characters, Chinese characters, accents, case.
    #[serde(rename = "BertNormalizer", alias = "Bert")]
    Bert {
        clean_text: bool,
        handle_chinese_chars: bool,
        strip_accents: Option<bool>,
        lowercase: bool,
    },
    /// Bytes to the printable byte alphabet.
    ByteLevel {},
    /// Unicode lower case.
    Lowercase {},
    /// Canonical composition.
    NFC {},
    /// Canonical decomposition.
    NFD {},
    /// Compatibility composition.
    NFKC {},
    /// Compatibility decomposition.
    NFKD {},
    /// The rules of the Neural Machine Translation clean-up.
    Nmt {},
    /// SentencePiece's compiled character map, applied per grapheme. Base64.
    Precompiled { precompiled_charsmap: String },
    /// A string put before a text that is not empty.
    Prepend { prepend: String },
    /// Every match of a pattern replaced by a string.
    Replace { pattern: Pattern, content: String },
    /// One after another.
    Sequence { normalizers: Vec<Normalizer> },
    /// White space taken off the ends.
    Strip { strip_left: bool, strip_right: bool },
    /// Combining marks removed.
    StripAccents {},
}

/// When [`PreTokenizer::Metaspace`] puts its mark before a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrependScheme {
    /// Before the first word of the text only.
    First,
    /// Not at all.
    Never,
    /// Before every section between added tokens.
    #[default]
    Always,
}

/// Text to words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum PreTokenizer {
    /// Split at white space and at punctuation.
    BertPreTokenizer {},
    /// Bytes to the printable byte alphabet, after GPT-2's pattern if asked.
    ByteLevel {
        #[serde(default = "yes")]
        add_prefix_space: bool,
        #[serde(default = "yes")]
        trim_offsets: bool,
        #[serde(default = "yes")]
        use_regex: bool,
    },
    /// Split at one character, which is dropped.
    CharDelimiterSplit { delimiter: char },
    /// Split digits from the rest.
    Digits {
        #[serde(default)]
        individual_digits: bool,
    },
    /// Words of a fixed number of characters.
    FixedLength {
        #[serde(default = "five")]
        length: usize,
    },
    /// Spaces to a visible mark.
    Metaspace {
        replacement: char,
        #[serde(default)]
        prepend_scheme: PrependScheme,
        #[serde(default = "yes")]
        split: bool,
    },
    /// Split at punctuation.
    Punctuation {
        #[serde(default = "isolated")]
        behavior: SplitBehavior,
    },
    /// One after another.
    Sequence { pretokenizers: Vec<PreTokenizer> },
    /// Split at a pattern.
    Split {
        pattern: Pattern,
        behavior: SplitBehavior,
        invert: bool,
    },
    /// Split where the script changes.
    UnicodeScripts {},
    /// `\w+|[^\w\s]+`.
    Whitespace {},
    /// Split at white space.
    WhitespaceSplit {},
}

fn five() -> usize {
    5
}

/// Some files write an option that is off as `null`.
pub(crate) fn null_is_false<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<bool, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(false))
}

fn isolated() -> SplitBehavior {
    SplitBehavior::Isolated
}

/// Words to ids.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Model {
    /// Byte-pair encoding over characters or over the byte alphabet.
    BPE {
        #[serde(default)]
        dropout: Option<f32>,
        #[serde(default)]
        unk_token: Option<String>,
        #[serde(default)]
        continuing_subword_prefix: Option<String>,
        #[serde(default)]
        end_of_word_suffix: Option<String>,
        #[serde(default, deserialize_with = "null_is_false")]
        fuse_unk: bool,
        #[serde(default, deserialize_with = "null_is_false")]
        byte_fallback: bool,
        #[serde(default, deserialize_with = "null_is_false")]
        ignore_merges: bool,
        vocab: PieceTable,
        merges: MergeList,
    },
    /// A unigram language model.
    Unigram {
        unk_id: Option<usize>,
        #[serde(serialize_with = "crate::format::scores::serialize")]
        vocab: Vec<(String, f64)>,
        #[serde(default)]
        byte_fallback: bool,
    },
    /// Greedy longest match from the left.
    WordPiece {
        unk_token: String,
        continuing_subword_prefix: String,
        max_input_chars_per_word: usize,
        vocab: PieceTable,
    },
    /// Whole words only.
    WordLevel {
        vocab: PieceTable,
        unk_token: String,
    },
    /// Byte strings and their merge ranks (tiktoken, tekken). Rank = id.
    /// `max_span`: no longer byte string is used.
    ByteRanks {
        ranks: RankTable,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_span: Option<MaxSpan>,
    },
    /// A SentencePiece model file, whole (its serialised protobuf).
    SentencePiece { proto: Base64Bytes },
}

/// Byte strings and their ranks, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RankTable(pub Vec<(Vec<u8>, u32)>);

/// Bytes that are written as base64 in JSON.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Base64Bytes(pub Vec<u8>);

/// Which of the two sequences of a pair a template entry means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TemplateSequence {
    /// The first.
    A,
    /// The second.
    B,
}

/// One entry of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum TemplatePiece {
    /// The tokens of a sequence.
    Sequence { id: TemplateSequence, type_id: u32 },
    /// A special token, by its name in `special_tokens`.
    SpecialToken { id: String, type_id: u32 },
}

/// What a name in a template stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct TemplateSpecialToken {
    pub id: String,
    pub ids: Vec<u32>,
    pub tokens: Vec<String>,
}

/// Ids to ids with special tokens around them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum PostProcessor {
    BertProcessing {
        sep: (String, u32),
        cls: (String, u32),
    },
    RobertaProcessing {
        sep: (String, u32),
        cls: (String, u32),
        #[serde(default = "yes")]
        trim_offsets: bool,
        #[serde(default = "yes")]
        add_prefix_space: bool,
    },
    ByteLevel {
        #[serde(default = "yes")]
        add_prefix_space: bool,
        #[serde(default = "yes")]
        trim_offsets: bool,
        #[serde(default = "yes")]
        use_regex: bool,
    },
    TemplateProcessing {
        single: Vec<TemplatePiece>,
        pair: Vec<TemplatePiece>,
        special_tokens: std::collections::BTreeMap<String, TemplateSpecialToken>,
    },
    Sequence {
        processors: Vec<PostProcessor>,
    },
}

/// Pieces to text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Decoder {
    BPEDecoder {
        suffix: String,
    },
    ByteFallback {},
    ByteLevel {
        #[serde(default = "yes")]
        add_prefix_space: bool,
        #[serde(default = "yes")]
        trim_offsets: bool,
        #[serde(default = "yes")]
        use_regex: bool,
    },
    CTC {
        pad_token: String,
        word_delimiter_token: String,
        cleanup: bool,
    },
    Fuse {},
    Metaspace {
        replacement: char,
        #[serde(default)]
        prepend_scheme: PrependScheme,
        #[serde(default = "yes")]
        split: bool,
    },
    Replace {
        pattern: Pattern,
        content: String,
    },
    Sequence {
        decoders: Vec<Decoder>,
    },
    Strip {
        content: char,
        start: usize,
        stop: usize,
    },
    WordPiece {
        prefix: String,
        cleanup: bool,
    },
}
