//! Pieces taken out of use: the library's own type for them is UNUSED.
//!
//! The file is changed in place, so that what this crate does not read stays.

use prost::Message;
use prost::encoding::{decode_varint, encode_varint};

use super::proto::PieceProto;
use super::{SPACE_MARK, format_error};
use crate::error::Result;

/// Field 1, a message: a piece.
const PIECE: u64 = 1 << 3 | LENGTH_DELIMITED;
const LENGTH_DELIMITED: u64 = 2;

/// Field 3 of a piece, a number: 5, UNUSED. The last entry of a field counts.
const UNUSED: [u8; 2] = [3 << 3, 5];

/// The type of pieces that are found in texts.
const NORMAL: i32 = 1;

/// A model file whose normal pieces are unused unless `keep` holds for their
/// bytes in a text.
///
/// # Errors
/// When the bytes are no protobuf message.
pub(crate) fn mark_unused(file: &[u8], keep: impl Fn(&[u8]) -> bool) -> Result<Vec<u8>> {
    let broken = |message: String| format_error("protobuf", message);
    let mut result = Vec::with_capacity(file.len() + file.len() / 8);
    let mut rest = file;
    while !rest.is_empty() {
        let field = rest;
        let number =
            |rest: &mut &[u8]| decode_varint(rest).map_err(|error| broken(error.to_string()));
        let key = number(&mut rest)?;
        let length = match key & 7 {
            0 => number(&mut rest).map(|_| 0)?,
            1 => 8,
            LENGTH_DELIMITED => number(&mut rest)?,
            5 => 4,
            kind => return Err(broken(format!("a field of wire type {kind}"))),
        };
        let length = usize::try_from(length)
            .ok()
            .filter(|&length| length <= rest.len());
        let Some(length) = length else {
            return Err(broken("a field is longer than the file".to_owned()));
        };
        let (content, after) = rest.split_at(length);
        rest = after;
        if key == PIECE && !is_kept(content, &keep)? {
            encode_varint(PIECE, &mut result);
            encode_varint(
                (length + UNUSED.len()).try_into().unwrap_or(u64::MAX),
                &mut result,
            );
            result.extend_from_slice(content);
            result.extend_from_slice(&UNUSED);
        } else {
            result.extend_from_slice(&field[..field.len() - rest.len()]);
        }
    }
    Ok(result)
}

fn is_kept(content: &[u8], keep: &impl Fn(&[u8]) -> bool) -> Result<bool> {
    let piece =
        PieceProto::decode(content).map_err(|error| format_error("protobuf", error.to_string()))?;
    let text = piece.piece.unwrap_or_default().replace(SPACE_MARK, " ");
    Ok(piece.kind.is_some_and(|kind| kind != NORMAL) || keep(text.as_bytes()))
}
