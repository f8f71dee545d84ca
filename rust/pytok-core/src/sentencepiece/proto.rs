//! The protobuf messages of a `.model` file, as far as they change results or say
//! what a piece may be.
//!
//! Field numbers and defaults are those of `sentencepiece_model.proto`; what a
//! trainer only notes (its input files, its sampling) is skipped.

use prost::Message;

use super::format_error;
use crate::error::Result;

/// The whole file.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ModelProto {
    #[prost(message, repeated, tag = "1")]
    pub(super) pieces: Vec<PieceProto>,
    #[prost(message, optional, tag = "2")]
    pub(super) trainer_spec: Option<TrainerSpec>,
    #[prost(message, optional, tag = "3")]
    pub(super) normalizer_spec: Option<NormalizerSpec>,
    #[prost(message, optional, tag = "5")]
    pub(super) denormalizer_spec: Option<NormalizerSpec>,
}

/// One piece of the vocabulary; its position is its id.
#[derive(Clone, PartialEq, Message)]
pub(super) struct PieceProto {
    #[prost(string, optional, tag = "1")]
    pub(super) piece: Option<String>,
    #[prost(float, optional, tag = "2")]
    pub(super) score: Option<f32>,
    #[prost(int32, optional, tag = "3")]
    pub(super) kind: Option<i32>,
}

/// How the model was trained.
#[derive(Clone, PartialEq, Message)]
pub(super) struct TrainerSpec {
    #[prost(int32, optional, tag = "3")]
    pub(super) model_type: Option<i32>,
    #[prost(int32, optional, tag = "20", default = "16")]
    pub(super) max_sentencepiece_length: Option<i32>,
    #[prost(bool, optional, tag = "21", default = "true")]
    pub(super) split_by_unicode_script: Option<bool>,
    #[prost(bool, optional, tag = "22", default = "true")]
    pub(super) split_by_whitespace: Option<bool>,
    #[prost(bool, optional, tag = "23", default = "true")]
    pub(super) split_by_number: Option<bool>,
    #[prost(bool, optional, tag = "24")]
    pub(super) treat_whitespace_as_suffix: Option<bool>,
    #[prost(bool, optional, tag = "25")]
    pub(super) split_digits: Option<bool>,
    #[prost(bool, optional, tag = "26")]
    pub(super) allow_whitespace_only_pieces: Option<bool>,
    #[prost(bool, optional, tag = "35")]
    pub(super) byte_fallback: Option<bool>,
    #[prost(string, optional, tag = "44")]
    pub(super) unk_surface: Option<String>,
    #[prost(string, optional, tag = "46")]
    pub(super) bos_piece: Option<String>,
    #[prost(string, optional, tag = "47")]
    pub(super) eos_piece: Option<String>,
    #[prost(string, optional, tag = "48")]
    pub(super) pad_piece: Option<String>,
}

/// How a text is normalised before or after the model.
#[derive(Clone, PartialEq, Message)]
pub(super) struct NormalizerSpec {
    #[prost(bytes = "vec", optional, tag = "2")]
    pub(super) precompiled_charsmap: Option<Vec<u8>>,
    #[prost(bool, optional, tag = "3", default = "true")]
    pub(super) add_dummy_prefix: Option<bool>,
    #[prost(bool, optional, tag = "4", default = "true")]
    pub(super) remove_extra_whitespaces: Option<bool>,
    #[prost(bool, optional, tag = "5", default = "true")]
    pub(super) escape_whitespaces: Option<bool>,
}

/// Read a file.
///
/// # Errors
/// When the bytes are no protobuf message of this shape.
pub(super) fn parse(bytes: &[u8]) -> Result<ModelProto> {
    ModelProto::decode(bytes).map_err(|error| format_error("protobuf", error.to_string()))
}
