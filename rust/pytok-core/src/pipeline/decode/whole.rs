//! Stages that can only work on whole pieces.

use std::borrow::Cow;

use super::chain::{Sink, Stage};

/// What a stage does with a whole piece.
pub(super) trait WholePieces: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// Take a piece.
    fn piece(&mut self, piece: &[u8], sink: &mut Sink<'_>);

    /// There are no more pieces; pass on what was held back.
    fn finish(&mut self, sink: &mut Sink<'_>) {
        let _ = sink;
    }
}

/// Collects the parts of each piece for a [`WholePieces`].
#[derive(Debug, Clone)]
pub(super) struct Whole<W> {
    work: W,
    parts: Vec<u8>,
}

impl<W: WholePieces> Whole<W> {
    pub(super) fn new(work: W) -> Self {
        Self {
            work,
            parts: Vec::new(),
        }
    }
}

impl<W: WholePieces> Stage for Whole<W> {
    fn part(&mut self, part: &[u8], is_end: bool, sink: &mut Sink<'_>) {
        let piece = if self.parts.is_empty() && is_end {
            Cow::Borrowed(part)
        } else {
            self.parts.extend_from_slice(part);
            if !is_end {
                return;
            }
            Cow::Owned(std::mem::take(&mut self.parts))
        };
        self.work.piece(&piece, sink);
    }

    fn finish(&mut self, sink: &mut Sink<'_>) {
        self.work.finish(sink);
    }
}
