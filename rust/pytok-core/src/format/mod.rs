//! Foreign formats: one file each, bytes to a [`crate::Definition`] and back.

mod piece_table;
pub mod tokenizer_json;
