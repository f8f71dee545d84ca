//! `CTC`: repetitions and padding dropped, word delimiters to spaces.

use std::borrow::Cow;
use std::sync::Arc;

use super::chain::Sink;
use super::piece::{on_text, replace};
use super::whole::{Whole, WholePieces};
use super::wordpiece::clean_up;

#[derive(Debug, Clone)]
pub(super) struct Ctc {
    pad_token: Arc<str>,
    word_delimiter_token: Arc<str>,
    cleanup: bool,
}

impl Ctc {
    pub(super) fn new(pad_token: &str, word_delimiter_token: &str, cleanup: bool) -> Self {
        Self {
            pad_token: pad_token.into(),
            word_delimiter_token: word_delimiter_token.into(),
            cleanup,
        }
    }

    pub(super) fn stage(&self) -> Whole<Running> {
        Whole::new(Running {
            options: self.clone(),
            previous: None,
        })
    }
}

#[derive(Debug, Clone)]
pub(super) struct Running {
    options: Ctc,
    previous: Option<Vec<u8>>,
}

impl WholePieces for Running {
    fn piece(&mut self, piece: &[u8], sink: &mut Sink<'_>) {
        if self.previous.as_deref() == Some(piece) {
            return;
        }
        self.previous = Some(piece.to_vec());
        let options = &self.options;
        let replaced = on_text(piece, |text| {
            let mut text = replace(Cow::Borrowed(text), &options.pad_token, "");
            // The delimiter belongs to the clean-up, as in the reference.
            if options.cleanup {
                text = replace(clean_up(text), &options.word_delimiter_token, " ");
            }
            text
        });
        if !replaced.is_empty() {
            sink(&replaced, true);
        }
    }
}
