//! A trained model as a whole tokenizer.

use super::word_counts::WordCounts;
use crate::definition::{AddedToken, Decoder, Definition, Model, Source};
use crate::ids::offset;

/// A tokenizer that cuts words as the counts were made, with special tokens at
/// the first ids.
pub(super) fn definition(
    model: Model,
    counts: &WordCounts,
    special_tokens: &[String],
) -> Definition {
    let added_token = |(id, content): (usize, &String)| AddedToken {
        id: offset(id),
        content: content.clone(),
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: true,
    };
    Definition {
        source: Source::Tokenizers,
        chinese: None,
        added_tokens: special_tokens.iter().enumerate().map(added_token).collect(),
        normalizer: counts.source().normalizer.clone(),
        pre_tokenizer: counts.source().pre_tokenizer.clone(),
        model,
        post_processor: None,
        decoder: Some(Decoder::ByteLevel {
            add_prefix_space: true,
            trim_offsets: true,
            use_regex: true,
        }),
        truncation: None,
        padding: None,
    }
}
