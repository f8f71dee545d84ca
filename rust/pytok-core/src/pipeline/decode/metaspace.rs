//! `Metaspace`: the mark becomes a space, in the first piece nothing.

use std::borrow::Cow;

use super::chain::{Sink, Stage};
use super::piece::{on_text, replace};

#[derive(Debug, Clone, Copy)]
pub(super) struct Metaspace {
    pub(super) replacement: char,
    /// All marks of the first piece are dropped.
    pub(super) drop_first: bool,
}

impl Metaspace {
    pub(super) fn stage(self) -> Running {
        Running {
            mark: self.replacement.to_string(),
            drop: self.drop_first,
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Running {
    mark: String,
    drop: bool,
}

impl Stage for Running {
    fn part(&mut self, part: &[u8], is_end: bool, sink: &mut Sink<'_>) {
        let space = if self.drop { "" } else { " " };
        let text = on_text(part, |text| replace(Cow::Borrowed(text), &self.mark, space));
        sink(&text, is_end);
        self.drop &= !is_end;
    }
}
