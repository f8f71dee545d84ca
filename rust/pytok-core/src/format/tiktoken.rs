//! Rank files of tiktoken: one line a byte string, base64, a space, its rank.
//!
//! The file holds neither the splitting pattern nor the special tokens: both
//! come from the caller or from the name of a published encoding.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustc_hash::FxHashSet;

use super::LoadOptions;
use super::tekken::special_token;
use crate::definition::{
    AddedToken, Definition, Model, Pattern, PreTokenizer, RankTable, Source, SplitBehavior,
};
use crate::error::{Error, Result};
use crate::pretokenize::{patterns, special_tokens};

const FORMAT: &str = "tiktoken rank";

/// What such a file is called in a folder.
pub const FILE_NAME: &str = "tokenizer.tiktoken";

/// Ranks and ids stay below this, so that special tokens fit behind them.
const ID_LIMIT: u32 = 1 << 31;

/// The published encodings whose pattern and special tokens are known.
pub const KNOWN_ENCODINGS: [&str; 9] = [
    "gpt2", "r50k", "p50k", "cl100k", "o200k", "qwen", "kimi-k2", "llama3", "deepseek",
];

/// Whether the bytes begin like a rank file.
pub fn looks_like(bytes: &[u8]) -> bool {
    let first = bytes
        .split(|&byte| byte == b'\n')
        .find(|line| !line.trim_ascii().is_empty());
    first.is_some_and(|line| line.len() < 65_536 && parse_line(line.trim_ascii()).is_ok())
}

fn parse_line(line: &[u8]) -> std::result::Result<(Vec<u8>, u32), String> {
    let text = std::str::from_utf8(line).map_err(|_| "expected ASCII text".to_owned())?;
    let mut fields = text.split_ascii_whitespace();
    let (Some(piece), Some(rank), None) = (fields.next(), fields.next(), fields.next()) else {
        return Err("expected base64, a space and a rank".to_owned());
    };
    let piece = STANDARD
        .decode(piece)
        .map_err(|error| format!("expected base64: {error}"))?;
    let rank = rank
        .parse()
        .ok()
        .filter(|rank| *rank < ID_LIMIT)
        .ok_or_else(|| format!("expected a rank below {ID_LIMIT}, found {rank:?}"))?;
    Ok((piece, rank))
}

/// Read a rank file.
///
/// # Errors
/// [`Error::Format`] with the line that is wrong; [`Error::Argument`] when
/// neither `pattern` nor `encoding` is given or the encoding is unknown.
pub fn read(bytes: &[u8], options: &LoadOptions) -> Result<Definition> {
    let mut ranks = Vec::new();
    for (number, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        ranks.push(
            parse_line(line).map_err(|message| {
                Error::format(FORMAT, format!("line {}", number + 1), message)
            })?,
        );
    }
    let published = options
        .encoding
        .as_deref()
        .map(canonical_name)
        .transpose()?;
    let stages: Vec<String> = match (&options.pattern, published) {
        (Some(pattern), _) => vec![pattern.clone()],
        (None, Some(name)) => patterns::stages(name)
            .unwrap_or_default()
            .iter()
            .map(|&stage| stage.to_owned())
            .collect(),
        (None, None) => {
            return Err(Error::argument(
                "encoding",
                format!(
                    "a tiktoken rank file needs encoding= (one of {}) or pattern=",
                    KNOWN_ENCODINGS.join(", ")
                ),
            ));
        }
    };
    let count = ranks.iter().map(|(_, rank)| rank + 1).max().unwrap_or(0);
    let specials = match (&options.special_tokens, published) {
        (Some(given), _) => given.clone(),
        (None, Some(name)) => special_tokens::special_tokens(name, count),
        (None, None) => Vec::new(),
    };
    let added = specials
        .into_iter()
        .map(|(content, id)| special_token(content, id))
        .collect();
    match stages.as_slice() {
        [pattern] => byte_rank_definition(FORMAT, ranks, added, pattern),
        _ => {
            let splits = stages.iter().map(|stage| split(stage)).collect();
            definition(
                FORMAT,
                ranks,
                added,
                PreTokenizer::Sequence {
                    pretokenizers: splits,
                },
            )
        }
    }
}

/// Write ranks in the order of the table.
pub fn write(ranks: &RankTable) -> Vec<u8> {
    let mut file = String::new();
    for (piece, rank) in &ranks.0 {
        STANDARD.encode_string(piece, &mut file);
        file.push(' ');
        file.push_str(&rank.to_string());
        file.push('\n');
    }
    file.into_bytes()
}

fn canonical_name(name: &str) -> Result<&'static str> {
    let wanted = name.to_lowercase().replace('_', "-");
    let wanted = wanted.strip_suffix("-base").unwrap_or(&wanted);
    KNOWN_ENCODINGS
        .into_iter()
        .find(|&known| known == wanted)
        .ok_or_else(|| {
            Error::argument(
                "encoding",
                format!(
                    "{name:?} is unknown; expected one of {}",
                    KNOWN_ENCODINGS.join(", ")
                ),
            )
        })
}

/// The definition of a byte-level rank vocabulary that is split by one pattern.
pub(super) fn byte_rank_definition(
    format: &'static str,
    ranks: Vec<(Vec<u8>, u32)>,
    added_tokens: Vec<AddedToken>,
    pattern: &str,
) -> Result<Definition> {
    definition(format, ranks, added_tokens, split(pattern))
}

fn split(pattern: &str) -> PreTokenizer {
    PreTokenizer::Split {
        pattern: Pattern::Regex(pattern.to_owned()),
        behavior: SplitBehavior::Isolated,
        invert: false,
    }
}

fn definition(
    format: &'static str,
    ranks: Vec<(Vec<u8>, u32)>,
    added_tokens: Vec<AddedToken>,
    pre_tokenizer: PreTokenizer,
) -> Result<Definition> {
    check(format, &ranks, &added_tokens)?;
    Ok(Definition {
        chinese: None,
        source: Source::Tiktoken,
        added_tokens,
        normalizer: None,
        pre_tokenizer: Some(pre_tokenizer),
        model: Model::ByteRanks {
            max_span: None,
            ranks: RankTable(ranks),
        },
        post_processor: None,
        decoder: None,
        truncation: None,
        padding: None,
    })
}

/// Every byte has a piece, and every special token has a content and an id of its own.
fn check(format: &'static str, ranks: &[(Vec<u8>, u32)], added: &[AddedToken]) -> Result<()> {
    let mut seen = [false; 256];
    for (piece, _) in ranks {
        if let [byte] = piece.as_slice() {
            seen[usize::from(*byte)] = true;
        }
    }
    if let Some(missing) = seen.iter().position(|&known| !known) {
        return Err(Error::format(
            format,
            "the whole file",
            format!("expected a piece for each of the 256 bytes; byte 0x{missing:02X} has none"),
        ));
    }
    let mut taken: FxHashSet<u32> = ranks.iter().map(|&(_, rank)| rank).collect();
    let mut contents = FxHashSet::default();
    for AddedToken { content, id, .. } in added {
        let wrong = if content.is_empty() {
            "expected at least one character"
        } else if *id >= ID_LIMIT {
            "expected an id below 2147483648"
        } else if !contents.insert(content) {
            "it is listed twice"
        } else if !taken.insert(*id) {
            "that is a rank of the file or the id of another special token"
        } else {
            continue;
        };
        let message = format!("{content:?} has id {id}: {wrong}");
        return Err(Error::argument("special_tokens", message));
    }
    Ok(())
}
