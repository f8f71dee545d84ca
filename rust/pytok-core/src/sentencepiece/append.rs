//! More pieces in a model file. All else stays as it is, byte for byte.

use prost::Message;

use super::proto::PieceProto;
use super::wire::{fields, message, number, push_message, push_number};
use crate::error::Result;
use crate::ids::offset;

/// Field 1: a piece.
pub(super) const PIECE: u64 = message(1);

/// Field 2: how the model was trained, with the number of its pieces.
pub(super) const TRAINER_SPEC: u64 = message(2);
const VOCAB_SIZE: u64 = number(4);

/// Field 4, of older versions of the library: texts with their segmentations,
/// which it compares when it loads the file. New pieces change them.
pub(super) const SELF_TEST_DATA: u64 = message(4);

/// A model file with normal pieces after its last one.
///
/// # Errors
/// When the bytes are no protobuf message.
pub(crate) fn with_pieces(file: &[u8], new: &[(String, f32)]) -> Result<Vec<u8>> {
    let old = fields(file).filter(|field| matches!(field, Ok(field) if field.key == PIECE));
    let old = old.count();
    let size = u64::from(offset(old + new.len()));
    let mut result = Vec::with_capacity(file.len() + 32 * new.len());
    let mut seen = 0;
    for field in fields(file) {
        let field = field?;
        match field.key {
            TRAINER_SPEC => {
                push_message(TRAINER_SPEC, &with_size(field.content, size)?, &mut result);
            }
            SELF_TEST_DATA => {}
            _ => result.extend_from_slice(field.whole),
        }
        if field.key == PIECE {
            seen += 1;
            if seen == old {
                new.iter().for_each(|piece| push_piece(piece, &mut result));
            }
        }
    }
    Ok(result)
}

fn push_piece((text, score): &(String, f32), file: &mut Vec<u8>) {
    let piece = PieceProto {
        piece: Some(text.clone()),
        score: Some(*score),
        kind: None,
    };
    push_message(PIECE, &piece.encode_to_vec(), file);
}

/// A trainer's message with another number of pieces, at its place in the order of
/// fields.
pub(super) fn with_size(trainer_spec: &[u8], size: u64) -> Result<Vec<u8>> {
    let mut result = Vec::with_capacity(trainer_spec.len() + 8);
    let mut is_written = false;
    for field in fields(trainer_spec) {
        let field = field?;
        if !is_written && field.key >= VOCAB_SIZE {
            push_number(VOCAB_SIZE, size, &mut result);
            is_written = true;
        }
        if field.key != VOCAB_SIZE {
            result.extend_from_slice(field.whole);
        }
    }
    if !is_written {
        push_number(VOCAB_SIZE, size, &mut result);
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::super::proto;
    use super::*;

    fn piece(text: &str) -> Vec<u8> {
        let mut file = Vec::new();
        push_piece(&(text.to_owned(), -1.5), &mut file);
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
    fn pieces_follow_the_old_ones_and_all_else_stays() {
        // A field that nobody knows, and one of an extension behind the pieces.
        let mut unknown = Vec::new();
        push_message(message(77), b"what", &mut unknown);
        push_number(number(250), 9, &mut unknown);
        let old = [
            piece("a"),
            spec(&[(3, 2), (4, 1), (35, 1)]),
            unknown.clone(),
        ]
        .concat();
        let new = [("bc".to_owned(), -1.5), ("中".to_owned(), -1.5)];
        let expected = [
            piece("a"),
            piece("bc"),
            piece("中"),
            spec(&[(3, 2), (4, 3), (35, 1)]),
            unknown,
        ];
        assert_eq!(with_pieces(&old, &new).unwrap(), expected.concat());
        assert_eq!(with_pieces(&old, &[]).unwrap(), old);
    }

    #[test]
    fn the_size_is_written_where_it_was_not() {
        let new = [("b".to_owned(), -1.5)];
        for (before, after) in [
            (&[][..], &[(4, 2)][..]),
            (&[(3, 2)], &[(3, 2), (4, 2)]),
            (&[(35, 1)], &[(4, 2), (35, 1)]),
            // Of a field that stands twice the last entry counts.
            (&[(4, 9), (3, 1), (4, 8)], &[(4, 2), (3, 1)]),
        ] {
            let file = with_pieces(&[piece("a"), spec(before)].concat(), &new).unwrap();
            assert_eq!(file, [piece("a"), piece("b"), spec(after)].concat());
        }
        let without = with_pieces(&piece("a"), &new).unwrap();
        assert_eq!(without, [piece("a"), piece("b")].concat());
    }

    #[test]
    fn texts_that_test_the_old_pieces_are_left_out() {
        let mut file = [piece("a"), spec(&[(4, 1)])].concat();
        push_message(SELF_TEST_DATA, b"", &mut file);
        let file = with_pieces(&file, &[("b".to_owned(), 0.0)]).unwrap();
        assert_eq!(proto::parse(&file).unwrap().pieces.len(), 2);
        assert!(file.ends_with(&spec(&[(4, 2)])));
    }

    #[test]
    fn what_breaks_off_is_refused() {
        let file = [piece("a"), spec(&[(4, 1)])].concat();
        for end in 1..file.len() {
            let _ = with_pieces(&file[..end], &[]);
        }
        let error = with_pieces(&file[..file.len() - 1], &[]).unwrap_err();
        assert!(
            error.to_string().contains("longer than the file"),
            "{error}"
        );
    }
}
