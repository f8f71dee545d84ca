//! `Strip`: a number of equal characters taken off the ends of each piece.

use super::chain::{Sink, Stage};

#[derive(Debug, Clone)]
pub(super) struct Strip {
    content: String,
    start: usize,
    stop: usize,
}

impl Strip {
    pub(super) fn new(content: char, start: usize, stop: usize) -> Self {
        Self {
            content: content.to_string(),
            start,
            stop,
        }
    }

    pub(super) fn stage(&self) -> Running {
        Running {
            left_at_start: self.start,
            options: self.clone(),
            held: 0,
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Running {
    options: Strip,
    /// How many characters may still be taken off the beginning of the piece.
    left_at_start: usize,
    /// How many characters at the end of the piece so far may have to go; at
    /// most `stop`.
    held: usize,
}

impl Stage for Running {
    fn part(&mut self, part: &[u8], is_end: bool, sink: &mut Sink<'_>) {
        let Strip {
            content,
            start,
            stop,
        } = &self.options;
        let mut rest = part;
        while self.left_at_start > 0 {
            if let Some(stripped) = rest.strip_prefix(content.as_bytes()) {
                rest = stripped;
                self.left_at_start -= 1;
            } else {
                if !rest.is_empty() {
                    self.left_at_start = 0;
                }
                break;
            }
        }
        let mut kept = rest;
        let mut at_end = 0;
        while at_end < *stop {
            let Some(shorter) = kept.strip_suffix(content.as_bytes()) else {
                break;
            };
            kept = shorter;
            at_end += 1;
        }
        // What was held is final as far as it is not among the last `stop`.
        let total = self.held + at_end;
        let released = if kept.is_empty() {
            total.saturating_sub(*stop)
        } else {
            self.held
        };
        for _ in 0..released {
            sink(content.as_bytes(), false);
        }
        self.held = total - released;
        if is_end {
            self.held = 0;
            self.left_at_start = *start;
        }
        sink(kept, is_end);
    }
}
