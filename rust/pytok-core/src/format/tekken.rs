//! `tekken.json`, the format of Mistral's byte-level tokenizers.
//!
//! The file lists byte strings by rank and, in newer versions, the special
//! tokens. Special tokens take the first `default_num_special_tokens` ids; the id
//! of a byte string is its rank plus that number. Only the first
//! `default_vocab_size - default_num_special_tokens` byte strings are used.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustc_hash::FxHashSet;
use serde::Deserialize;

use super::json_error;
use super::tiktoken::byte_rank_definition;
use crate::definition::{AddedToken, Definition};
use crate::error::{Error, Result};

const FORMAT: &str = "tekken.json";

#[derive(Deserialize)]
struct File {
    config: Config,
    vocab: Vec<Entry>,
    special_tokens: Option<Vec<SpecialEntry>>,
}

#[derive(Deserialize)]
struct Config {
    pattern: String,
    default_vocab_size: u32,
    default_num_special_tokens: u32,
}

#[derive(Deserialize)]
struct Entry {
    rank: u32,
    token_bytes: String,
}

#[derive(Deserialize)]
struct SpecialEntry {
    rank: u32,
    token_str: String,
}

/// The special tokens of files that do not list them, from rank 0 on.
/// Source: Mistral's tekken tokenizers v3 (mistral-common, Apache-2.0).
const DEFAULT_SPECIAL_TOKENS: [&str; 20] = [
    "<unk>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CALLS]",
    "[IMG]",
    "<pad>",
    "[IMG_BREAK]",
    "[IMG_END]",
    "[PREFIX]",
    "[MIDDLE]",
    "[SUFFIX]",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]",
];

/// Each of them gets a name when the file is read, so there must not be too many.
const MAX_SPECIAL_TOKENS: u32 = 1 << 20;

/// Read a tekken file.
///
/// # Errors
/// [`Error::Format`] with the path of the field that is wrong.
pub fn read(bytes: &[u8]) -> Result<Definition> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let file: File = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| json_error(FORMAT, "", &error))?;
    let specials = file.config.default_num_special_tokens;
    if specials > MAX_SPECIAL_TOKENS {
        return Err(Error::format(
            FORMAT,
            "config.default_num_special_tokens",
            format!("expected at most {MAX_SPECIAL_TOKENS}, found {specials}"),
        ));
    }
    let used = file
        .config
        .default_vocab_size
        .checked_sub(specials)
        .ok_or_else(|| {
            Error::format(
                FORMAT,
                "config.default_vocab_size",
                format!("expected at least default_num_special_tokens = {specials}"),
            )
        })?;
    let mut ranks = Vec::with_capacity(file.vocab.len());
    for (index, entry) in file.vocab.iter().enumerate() {
        if entry.rank >= used {
            continue;
        }
        let piece = STANDARD.decode(&entry.token_bytes).map_err(|error| {
            Error::format(
                FORMAT,
                format!("vocab[{index}].token_bytes"),
                format!("expected base64: {error}"),
            )
        })?;
        ranks.push((piece, entry.rank + specials));
    }
    let added = special_tokens(file.special_tokens.as_deref(), specials)?;
    byte_rank_definition(FORMAT, ranks, added, &file.config.pattern)
}

fn special_tokens(listed: Option<&[SpecialEntry]>, count: u32) -> Result<Vec<AddedToken>> {
    let mut names: Vec<(u32, String)> = match listed {
        Some(entries) => entries
            .iter()
            .map(|entry| (entry.rank, entry.token_str.clone()))
            .collect(),
        None => (0..)
            .zip(DEFAULT_SPECIAL_TOKENS)
            .map(|(rank, name)| (rank, name.to_owned()))
            .collect(),
    };
    if let Some((rank, name)) = names.iter().find(|(rank, _)| *rank >= count) {
        if listed.is_some() {
            return Err(Error::format(
                FORMAT,
                "special_tokens",
                format!("{name:?} has rank {rank}; expected ranks below {count}"),
            ));
        }
        names.retain(|(rank, _)| *rank < count);
    }
    let known: FxHashSet<u32> = names.iter().map(|(rank, _)| *rank).collect();
    let unnamed = (0..count).filter(|rank| !known.contains(rank));
    names.extend(unnamed.map(|rank| (rank, format!("<SPECIAL_{rank}>"))));
    names.sort();
    Ok(names
        .into_iter()
        .map(|(id, content)| special_token(content, id))
        .collect())
}

/// A control token that is matched literally.
pub(super) fn special_token(content: String, id: u32) -> AddedToken {
    AddedToken {
        id,
        content,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: true,
    }
}
