//! `WordPiece`: spaces between words, continuation prefixes off.

use std::borrow::Cow;
use std::sync::Arc;

use super::chain::Sink;
use super::piece::{on_text, replace};
use super::whole::{Whole, WholePieces};

#[derive(Debug, Clone)]
pub(super) struct WordPiece {
    prefix: Arc<str>,
    cleanup: bool,
}

impl WordPiece {
    pub(super) fn new(prefix: &str, cleanup: bool) -> Self {
        Self {
            prefix: prefix.into(),
            cleanup,
        }
    }

    pub(super) fn stage(&self) -> Whole<Running> {
        Whole::new(Running {
            options: self.clone(),
            is_first: true,
        })
    }
}

#[derive(Debug, Clone)]
pub(super) struct Running {
    options: WordPiece,
    is_first: bool,
}

impl WholePieces for Running {
    fn piece(&mut self, piece: &[u8], sink: &mut Sink<'_>) {
        // Even the first piece keeps its prefix, as in the reference.
        let mut word = Cow::Borrowed(piece);
        if !std::mem::replace(&mut self.is_first, false) {
            word = match piece.strip_prefix(self.options.prefix.as_bytes()) {
                Some(continuation) => Cow::Borrowed(continuation),
                None => Cow::Owned([b" ", piece].concat()),
            };
        }
        if self.options.cleanup {
            let cleaned = on_text(&word, |text| clean_up(Cow::Borrowed(text)));
            sink(&cleaned, true);
        } else {
            sink(&word, true);
        }
    }
}

/// The spaces that tokenizing English put before punctuation and contractions.
/// The order matters: each replacement works on the result of the one before.
pub(super) fn clean_up(text: Cow<'_, str>) -> Cow<'_, str> {
    const REPLACEMENTS: [(&str, &str); 11] = [
        (" .", "."),
        (" ?", "?"),
        (" !", "!"),
        (" ,", ","),
        (" ' ", "'"),
        (" n't", "n't"),
        (" 'm", "'m"),
        (" do not", " don't"),
        (" 's", "'s"),
        (" 've", "'ve"),
        (" 're", "'re"),
    ];
    REPLACEMENTS
        .iter()
        .fold(text, |text, (from, to)| replace(text, from, to))
}
