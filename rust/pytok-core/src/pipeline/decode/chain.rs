//! The chain: pieces from one stage to the next, in parts.
//!
//! A part is some bytes of the current piece and whether the piece ends with
//! it. Parts never cut a character in two; bytes that are no character at all
//! only occur when [`super::Invalid::Keep`] is asked for.

use std::fmt;

use super::piece::into_string;

/// Receives parts.
pub(super) type Sink<'s> = dyn FnMut(&[u8], bool) + 's;

/// One decoder at work.
pub(super) trait Stage: CloneStage + fmt::Debug + Send + Sync {
    /// Take a part of the current piece; `is_end` when the piece ends with it.
    fn part(&mut self, part: &[u8], is_end: bool, sink: &mut Sink<'_>);

    /// There are no more pieces; pass on what was held back.
    fn finish(&mut self, sink: &mut Sink<'_>) {
        let _ = sink;
    }
}

/// A stage can be copied with its state, so that a stream can be.
pub(super) trait CloneStage {
    fn boxed_clone(&self) -> Box<dyn Stage>;
}

impl<S: Stage + Clone + 'static> CloneStage for S {
    fn boxed_clone(&self) -> Box<dyn Stage> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Stage> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

/// Pass a part through all stages.
pub(super) fn feed(stages: &mut [Box<dyn Stage>], part: &[u8], is_end: bool, sink: &mut Sink<'_>) {
    match stages.split_first_mut() {
        None => sink(part, is_end),
        Some((stage, rest)) => stage.part(part, is_end, &mut |part, is_end| {
            feed(rest, part, is_end, sink);
        }),
    }
}

/// Finish all stages, the first one first.
pub(super) fn finish(stages: &mut [Box<dyn Stage>], sink: &mut Sink<'_>) {
    if let Some((stage, rest)) = stages.split_first_mut() {
        stage.finish(&mut |part, is_end| feed(rest, part, is_end, sink));
        finish(rest, sink);
    }
}

/// Joins all pieces to one.
#[derive(Debug, Clone)]
pub(super) struct Fuse;

impl Stage for Fuse {
    fn part(&mut self, part: &[u8], _: bool, sink: &mut Sink<'_>) {
        sink(part, false);
    }

    fn finish(&mut self, sink: &mut Sink<'_>) {
        // Without any piece the one that comes out is empty.
        sink(&[], true);
    }
}

/// A space between two pieces.
#[derive(Debug, Clone, Default)]
pub(super) struct JoinBySpaces {
    is_later: bool,
}

impl Stage for JoinBySpaces {
    fn part(&mut self, part: &[u8], is_end: bool, sink: &mut Sink<'_>) {
        if self.is_later {
            sink(b" ", false);
        }
        self.is_later = true;
        sink(part, is_end);
    }
}

/// A decoder in the middle of a list of tokens.
#[derive(Debug, Clone)]
pub struct DecodeChain {
    stages: Vec<Box<dyn Stage>>,
}

impl DecodeChain {
    pub(super) fn new(stages: Vec<Box<dyn Stage>>) -> Self {
        Self { stages }
    }

    /// Take a token and append the text that can no longer change.
    pub fn push(&mut self, token: &str, text: &mut String) {
        feed(&mut self.stages, token.as_bytes(), true, &mut append(text));
    }

    /// There are no more tokens: append the rest of the text.
    pub fn finish(&mut self, text: &mut String) {
        finish(&mut self.stages, &mut append(text));
    }
}

fn append(text: &mut String) -> impl FnMut(&[u8], bool) {
    |part, _| match std::str::from_utf8(part) {
        Ok(part) => text.push_str(part),
        Err(_) => text.push_str(&into_string(part.to_vec())),
    }
}
