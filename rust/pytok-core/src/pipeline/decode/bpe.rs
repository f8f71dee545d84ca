//! `BPEDecoder`: the end-of-word suffix becomes a space, except in the last token.

use std::borrow::Cow;
use std::sync::Arc;

use super::chain::Sink;
use super::piece::{on_text, replace};
use super::whole::{Whole, WholePieces};

#[derive(Debug, Clone)]
pub(super) struct Bpe {
    suffix: Arc<str>,
}

impl Bpe {
    pub(super) fn new(suffix: &str) -> Self {
        Self {
            suffix: suffix.into(),
        }
    }

    pub(super) fn stage(&self) -> Whole<Running> {
        Whole::new(Running {
            suffix: Arc::clone(&self.suffix),
            held: None,
        })
    }
}

#[derive(Debug, Clone)]
pub(super) struct Running {
    suffix: Arc<str>,
    /// A piece with the suffix that may turn out to be the last one.
    held: Option<Vec<u8>>,
}

impl Running {
    fn release(&mut self, replacement: &str, sink: &mut Sink<'_>) {
        if let Some(piece) = self.held.take() {
            let replaced = on_text(&piece, |text| {
                replace(Cow::Borrowed(text), &self.suffix, replacement)
            });
            sink(&replaced, true);
        }
    }
}

impl WholePieces for Running {
    fn piece(&mut self, piece: &[u8], sink: &mut Sink<'_>) {
        self.release(" ", sink);
        let is_final = std::str::from_utf8(piece).is_ok_and(|text| !text.contains(&*self.suffix));
        if is_final {
            sink(piece, true);
        } else {
            self.held = Some(piece.to_vec());
        }
    }

    fn finish(&mut self, sink: &mut Sink<'_>) {
        self.release("", sink);
    }
}
