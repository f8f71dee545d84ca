//! Streams over a whole tokenizer.

use std::sync::Arc;

use super::decode::Decoder;
use super::engine::Engine;
use super::stream::{ByteSource, DecodeStream, StreamSource, TokenSource, WindowSource};
use super::tokenizer::Tokenizer;
use crate::definition::Source;

/// A stream that owns its share of the tokenizer and may move between threads.
pub type LiveStream = DecodeStream<Box<dyn StreamSource + Send + Sync>>;

impl Tokenizer {
    /// A stream that turns ids into text as they come; the join of what it gives
    /// is what [`Tokenizer::decode`] gives for all of them.
    pub fn decode_stream(self: &Arc<Self>, skip_special_tokens: bool) -> LiveStream {
        let tokenizer = Arc::clone(self);
        let source: Box<dyn StreamSource + Send + Sync> =
            match (self.definition.source, &self.engine) {
                (Source::Tokenizers, _) => {
                    let decoder = self.decoder.clone().unwrap_or_else(Decoder::join_by_spaces);
                    Box::new(TokenSource::new(decoder, move |id| {
                        tokenizer.decoder_pieces(&[id], skip_special_tokens).pop()
                    }))
                }
                (_, Engine::SentencePiece(_)) => {
                    Box::new(WindowSource::new(move |ids: &[u32]| {
                        tokenizer
                            .decode(ids, skip_special_tokens)
                            .unwrap_or_default()
                    }))
                }
                _ => Box::new(ByteSource::new(move |id| {
                    Some(tokenizer.joined_bytes(&[id], skip_special_tokens))
                })),
            };
        DecodeStream::new(source)
    }
}
