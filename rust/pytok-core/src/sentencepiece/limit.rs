//! Pieces taken out of use: the library's own type for them is UNUSED.

use prost::Message;

use super::append::PIECE;
use super::proto::PieceProto;
use super::wire::{fields, number, push_message, push_number};
use super::{SPACE_MARK, format_error};
use crate::error::Result;

/// Field 3 of a piece. The last entry of a field counts.
const TYPE: u64 = number(3);
const UNUSED: u64 = 5;

/// The type of pieces that are found in texts.
const NORMAL: i32 = 1;

/// A model file whose normal pieces are unused unless `keep` holds for their
/// bytes in a text.
///
/// # Errors
/// When the bytes are no protobuf message.
pub(crate) fn mark_unused(file: &[u8], keep: impl Fn(&[u8]) -> bool) -> Result<Vec<u8>> {
    mark(file, |_, content| is_kept(content, &keep))
}

/// A model file whose pieces are unused unless `keep` holds for their ids.
///
/// # Errors
/// When the bytes are no protobuf message.
pub(crate) fn mark_ids_unused(file: &[u8], keep: impl Fn(u32) -> bool) -> Result<Vec<u8>> {
    mark(file, |id, _| Ok(keep(id)))
}

fn mark(file: &[u8], keep: impl Fn(u32, &[u8]) -> Result<bool>) -> Result<Vec<u8>> {
    let mut result = Vec::with_capacity(file.len() + file.len() / 8);
    let mut id = 0;
    for field in fields(file) {
        let field = field?;
        if field.key != PIECE {
            result.extend_from_slice(field.whole);
            continue;
        }
        if keep(id, field.content)? {
            result.extend_from_slice(field.whole);
        } else {
            let mut piece = field.content.to_vec();
            push_number(TYPE, UNUSED, &mut piece);
            push_message(PIECE, &piece, &mut result);
        }
        id += 1;
    }
    Ok(result)
}

fn is_kept(content: &[u8], keep: &impl Fn(&[u8]) -> bool) -> Result<bool> {
    let piece =
        PieceProto::decode(content).map_err(|error| format_error("protobuf", error.to_string()))?;
    let text = piece.piece.unwrap_or_default().replace(SPACE_MARK, " ");
    Ok(piece.kind.is_some_and(|kind| kind != NORMAL) || keep(text.as_bytes()))
}
