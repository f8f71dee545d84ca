//! Protobuf fields as they stand in a file, so that a file can be changed in one
//! place and keep all else, what this crate does not read included.

use prost::encoding::{decode_varint, encode_varint};

use super::format_error;
use crate::error::{Error, Result};

/// The wire type of messages, strings and bytes.
const LENGTH_DELIMITED: u64 = 2;

/// The key of a field that is a message or a string.
pub(super) const fn message(field: u64) -> u64 {
    field << 3 | LENGTH_DELIMITED
}

/// The key of a field that is a number.
pub(super) const fn number(field: u64) -> u64 {
    field << 3
}

/// One field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'a> {
    /// Its number and wire type.
    pub(super) key: u64,
    /// Its content; of a message or string without the length before it.
    pub(super) content: &'a [u8],
    /// All of it.
    pub(super) whole: &'a [u8],
}

/// The fields of a message, in order.
///
/// # Errors
/// Each item, when the bytes are no message.
pub(super) fn fields(bytes: &[u8]) -> impl Iterator<Item = Result<Field<'_>>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let field = next_field(&mut rest);
        if field.is_err() {
            rest = &[];
        }
        Some(field)
    })
}

fn next_field<'a>(rest: &mut &'a [u8]) -> Result<Field<'a>> {
    let begin = *rest;
    let varint =
        |rest: &mut &'a [u8]| decode_varint(rest).map_err(|error| broken(&error.to_string()));
    let key = varint(rest)?;
    let mut content_begin = *rest;
    let length = match key & 7 {
        0 => {
            varint(rest)?;
            0
        }
        1 => 8,
        LENGTH_DELIMITED => {
            let length = varint(rest)?;
            content_begin = *rest;
            length
        }
        5 => 4,
        kind => return Err(broken(&format!("a field of wire type {kind}"))),
    };
    let length = usize::try_from(length)
        .ok()
        .filter(|&length| length <= rest.len())
        .ok_or_else(|| broken("a field is longer than the file"))?;
    *rest = &rest[length..];
    Ok(Field {
        key,
        content: &content_begin[..content_begin.len() - rest.len()],
        whole: &begin[..begin.len() - rest.len()],
    })
}

/// Append a message or a string.
pub(super) fn push_message(key: u64, content: &[u8], output: &mut Vec<u8>) {
    encode_varint(key, output);
    encode_varint(u64::try_from(content.len()).unwrap_or(u64::MAX), output);
    output.extend_from_slice(content);
}

/// Append a number.
pub(super) fn push_number(key: u64, number: u64, output: &mut Vec<u8>) {
    encode_varint(key, output);
    encode_varint(number, output);
}

fn broken(message: &str) -> Error {
    format_error("protobuf", message)
}
