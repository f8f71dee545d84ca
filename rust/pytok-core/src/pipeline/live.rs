//! Streams over a whole tokenizer.

use std::sync::Arc;

use super::decode::Decoder;
use super::engine::Engine;
use super::stream::{ByteSource, DecodeStream, StreamSource, TokenSource, WindowSource};
use super::tokenizer::Tokenizer;
use crate::definition::Source;

/// A stream that owns its share of the tokenizer, may move between threads, and
/// can be copied with its state.
pub type LiveStream = DecodeStream<Box<dyn LiveSource>>;

/// What a [`LiveStream`] is made of.
pub trait LiveSource: StreamSource + Send + Sync {
    /// A copy that goes its own way from here.
    fn boxed_clone(&self) -> Box<dyn LiveSource>;
}

impl<S: StreamSource + Clone + Send + Sync + 'static> LiveSource for S {
    fn boxed_clone(&self) -> Box<dyn LiveSource> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn LiveSource> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

impl Tokenizer {
    /// A stream that turns ids into text as they come; the join of what it gives
    /// is what [`Tokenizer::decode`] gives for all of them.
    pub fn decode_stream(self: &Arc<Self>, skip_special_tokens: bool) -> LiveStream {
        let tokenizer = Arc::clone(self);
        let source: Box<dyn LiveSource> = match (self.definition.source, &self.engine) {
            (Source::Tokenizers, _) => {
                let decoder = self.decoder.clone().unwrap_or_else(Decoder::join_by_spaces);
                Box::new(TokenSource::new(decoder, move |id| {
                    tokenizer.decoder_pieces(&[id], skip_special_tokens).pop()
                }))
            }
            (_, Engine::SentencePiece(_)) => Box::new(WindowSource::new(move |ids: &[u32]| {
                tokenizer
                    .decode(ids, skip_special_tokens)
                    .unwrap_or_default()
            })),
            _ => Box::new(ByteSource::new(move |id| {
                Some(tokenizer.joined_bytes(&[id], skip_special_tokens))
            })),
        };
        DecodeStream::new(source)
    }
}
