//! `ByteFallback`: `<0xE5>` and the like become bytes.
//!
//! A run of such pieces is text only as a whole: one byte too many and every
//! byte of the run becomes U+FFFD. So a run is held back until it ends.

use super::Invalid;
use super::chain::Sink;
use super::whole::{Whole, WholePieces};

pub(super) fn stage(invalid: Invalid) -> Whole<Running> {
    Whole::new(Running {
        invalid,
        run: Vec::new(),
    })
}

#[derive(Debug, Clone)]
pub(super) struct Running {
    invalid: Invalid,
    run: Vec<u8>,
}

impl WholePieces for Running {
    fn piece(&mut self, piece: &[u8], sink: &mut Sink<'_>) {
        if let Some(byte) = byte_of(piece) {
            self.run.push(byte);
        } else {
            self.finish(sink);
            sink(piece, true);
        }
    }

    fn finish(&mut self, sink: &mut Sink<'_>) {
        let run = std::mem::take(&mut self.run);
        if run.is_empty() {
            return;
        }
        if self.invalid == Invalid::Keep || std::str::from_utf8(&run).is_ok() {
            sink(&run, true);
        } else {
            for _ in run {
                sink("\u{FFFD}".as_bytes(), true);
            }
        }
    }
}

fn byte_of(piece: &[u8]) -> Option<u8> {
    let digits = piece.strip_prefix(b"<0x")?.strip_suffix(b">")?;
    if digits.len() != 2 {
        return None;
    }
    // Like the reference, this takes `+F` for a number.
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
