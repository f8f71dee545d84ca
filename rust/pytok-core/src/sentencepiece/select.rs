//! Some of the pieces of a model file, in another order. All else stays as it is.

use prost::encoding::decode_varint;

use super::append::{PIECE, SELF_TEST_DATA, TRAINER_SPEC, with_size};
use super::format_error;
use super::wire::{fields, number, push_message, push_number};
use crate::error::Result;
use crate::ids::{index, offset};

/// Ids that a trainer's message names, and what they are where it does not:
/// the unknown, begin, end and padding pieces. The library goes by their texts;
/// converters go by these numbers.
const NAMED_IDS: [(u64, Option<u32>); 4] =
    [(40, Some(0)), (41, Some(1)), (42, Some(2)), (43, None)];

/// A model file with the pieces of these ids, in this order.
///
/// # Errors
/// When the bytes are no protobuf message, or have no piece with such an id.
pub(crate) fn select_pieces(file: &[u8], order: &[u32]) -> Result<Vec<u8>> {
    let mut pieces = Vec::new();
    for field in fields(file) {
        let field = field?;
        if field.key == PIECE {
            pieces.push(field.whole);
        }
    }
    let mut result = Vec::with_capacity(file.len());
    for &id in order {
        let piece = pieces.get(index(id)).ok_or_else(|| {
            format_error(
                "pieces",
                format!("{} pieces, none with id {id}", pieces.len()),
            )
        })?;
        result.extend_from_slice(piece);
    }
    for field in fields(file) {
        let field = field?;
        match field.key {
            PIECE | SELF_TEST_DATA => {}
            TRAINER_SPEC => {
                let spec = with_size(field.content, u64::from(offset(order.len())))?;
                push_message(TRAINER_SPEC, &with_named_ids(&spec, order)?, &mut result);
            }
            _ => result.extend_from_slice(field.whole),
        }
    }
    Ok(result)
}

/// A trainer's message that names the new ids of the pieces that it names.
fn with_named_ids(trainer_spec: &[u8], order: &[u32]) -> Result<Vec<u8>> {
    let new_id = |old: u32| order.iter().position(|&id| id == old).map(offset);
    let mut result = Vec::with_capacity(trainer_spec.len() + 8);
    let mut unnamed = NAMED_IDS.to_vec();
    for field in fields(trainer_spec) {
        let field = field?;
        let place = unnamed
            .iter()
            .position(|&(name, _)| number(name) == field.key);
        let old = place.and_then(|_| decode_varint(&mut &*field.content).ok());
        place.map(|place| unnamed.remove(place));
        match old.and_then(|old| u32::try_from(old).ok()).and_then(new_id) {
            Some(new) => push_number(field.key, new.into(), &mut result),
            None => result.extend_from_slice(field.whole),
        }
    }
    for (name, default) in unnamed {
        if let Some(new) = default.and_then(new_id).filter(|&new| Some(new) != default) {
            push_number(number(name), new.into(), &mut result);
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::super::proto;
    use super::super::wire::message;
    use super::*;

    fn piece(text: &str) -> Vec<u8> {
        let (mut content, mut file) = (Vec::new(), Vec::new());
        push_message(message(1), text.as_bytes(), &mut content);
        push_message(PIECE, &content, &mut file);
        file
    }

    fn spec(fields: &[(u64, u64)]) -> Vec<u8> {
        let (mut content, mut file) = (Vec::new(), Vec::new());
        for &(field, value) in fields {
            push_number(number(field), value, &mut content);
        }
        push_message(TRAINER_SPEC, &content, &mut file);
        file
    }

    #[test]
    fn pieces_move_and_the_ids_that_are_named_with_them() {
        let mut unknown = Vec::new();
        push_message(message(77), b"what", &mut unknown);
        let old = [
            piece("<unk>"),
            piece("<s>"),
            piece("a"),
            piece("b"),
            spec(&[(3, 1), (4, 4), (41, 1), (43, u64::MAX)]),
            unknown.clone(),
        ]
        .concat();
        let new = select_pieces(&old, &[3, 0, 1]).unwrap();
        let expected = [
            piece("b"),
            piece("<unk>"),
            piece("<s>"),
            spec(&[(3, 1), (4, 3), (41, 2), (43, u64::MAX), (40, 1)]),
            unknown,
        ];
        assert_eq!(new, expected.concat());
        assert_eq!(proto::parse(&new).unwrap().pieces.len(), 3);
        assert!(select_pieces(&old, &[4]).is_err());
    }
}
