//! Foreign formats: one file each, bytes to a [`Definition`] and back.
//!
//! [`load`] finds the format from the content: a JSON object is `tokenizer.json`,
//! `tekken.json` or `pytok.json` by its keys; lines of base64 and a number are
//! tiktoken ranks; anything else is tried as a SentencePiece model.

mod merge_list;
mod own_file;
mod piece_table;
mod plain_bpe;
pub mod pytok_json;
pub mod scores;
pub mod sentencepiece_model;
pub mod tekken;
pub mod tiktoken;
pub mod tokenizer_json;

pub use own_file::own_file;

use crate::definition::Definition;
use crate::error::{Error, Result};

/// What the caller knows about a file that does not say everything itself.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// The splitting pattern of a tiktoken file.
    pub pattern: Option<String>,
    /// The special tokens of a tiktoken file and their ids.
    pub special_tokens: Option<Vec<(String, u32)>>,
    /// A published tiktoken encoding, for its pattern and special tokens:
    /// one of [`tiktoken::KNOWN_ENCODINGS`].
    pub encoding: Option<String>,
}

/// The formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `pytok.json`.
    PytokJson,
    /// `tokenizer.json` of Hugging Face `tokenizers`.
    TokenizerJson,
    /// `tekken.json` of Mistral.
    Tekken,
    /// Rank files of tiktoken.
    Tiktoken,
    /// SentencePiece models.
    SentencePiece,
}

const EXPECTED: &str =
    "expected tokenizer.json, pytok.json, tekken.json, tiktoken ranks or a SentencePiece model";

/// Read a tokenizer file whose format is found from its content.
///
/// # Errors
/// [`Error::Format`] when the content is none of the formats or breaks off,
/// [`Error::Unsupported`] when it asks for something that cannot be honoured.
pub fn load(bytes: &[u8], options: &LoadOptions) -> Result<Definition> {
    // The format of a large file is not worth a pass of its own.
    if let Some(definition) = tokenizer_json::read_plain_bpe(bytes) {
        return Ok(definition);
    }
    match detect(bytes)? {
        Format::PytokJson => pytok_json::read(bytes),
        Format::TokenizerJson => tokenizer_json::read_any(bytes),
        Format::Tekken => tekken::read(bytes),
        Format::Tiktoken => tiktoken::read(bytes, options),
        Format::SentencePiece => sentencepiece_model::read(bytes),
    }
}

/// Find the format of a tokenizer file from its content.
///
/// # Errors
/// [`Error::Format`] when it is none of the formats.
pub fn detect(bytes: &[u8]) -> Result<Format> {
    let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let body = body.trim_ascii_start();
    if body.is_empty() {
        return Err(Error::format(
            "tokenizer",
            "the whole file",
            format!("the file is empty; {EXPECTED}"),
        ));
    }
    if body.starts_with(b"{") {
        return detect_json(body);
    }
    if tiktoken::looks_like(body) {
        return Ok(Format::Tiktoken);
    }
    if sentencepiece_model::looks_like(bytes) {
        return Ok(Format::SentencePiece);
    }
    Err(Error::format(
        "tokenizer",
        "the first bytes",
        format!("the content is none of the known formats; {EXPECTED}"),
    ))
}

fn detect_json(body: &[u8]) -> Result<Format> {
    use serde::de::IgnoredAny;

    #[derive(serde::Deserialize)]
    struct Keys {
        format: Option<serde_json::Value>,
        model: Option<IgnoredAny>,
        config: Option<IgnoredAny>,
        vocab: Option<IgnoredAny>,
    }
    let keys: Keys = serde_json::from_slice(body).map_err(|error| {
        Error::format(
            "JSON",
            format!("line {} column {}", error.line(), error.column()),
            format!("{error}; {EXPECTED}"),
        )
    })?;
    if keys.format == Some(serde_json::Value::from(pytok_json::FORMAT)) {
        return Ok(Format::PytokJson);
    }
    if keys.model.is_some() {
        return Ok(Format::TokenizerJson);
    }
    if keys.config.is_some() && keys.vocab.is_some() {
        return Ok(Format::Tekken);
    }
    Err(Error::format(
        "tokenizer",
        "the top level",
        format!(
            "a JSON object without `model` (tokenizer.json), `config` and `vocab` (tekken.json) or \
             `format` (pytok.json); {EXPECTED}"
        ),
    ))
}

/// Turn an error of serde at a known path into ours.
fn json_error(
    format: &'static str,
    prefix: &str,
    error: &serde_path_to_error::Error<serde_json::Error>,
) -> Error {
    let path = error.path().to_string();
    let field = match (prefix, path.as_str()) {
        ("", path) => path.to_owned(),
        (prefix, "." | "?") => prefix.to_owned(),
        (prefix, path) => format!("{prefix}.{path}"),
    };
    let message = error.inner().to_string();
    let unknown = message
        .strip_prefix("unknown variant ")
        .or_else(|| message.strip_prefix("unknown field "));
    if let Some((value, supported)) = unknown.and_then(|rest| rest.split_once(", expected ")) {
        let supported = supported
            .trim_start_matches("one of ")
            .split(" at line ")
            .next()
            .unwrap_or(supported);
        let supported = supported
            .replace(", `ByteRanks`, `SentencePiece`", "")
            .replace('`', "");
        return Error::unsupported(field, value.replace('`', ""), supported);
    }
    Error::format(format, field, message)
}
