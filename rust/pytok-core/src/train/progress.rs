//! Progress of a training run, and how a caller stops it.

use std::ops::ControlFlow;

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Cutting words where no piece can grow across.
    Cut,
    /// Counting pairs of bytes.
    Pairs,
    /// Merging pairs; counted in pieces of the vocabulary.
    Merges,
    /// Finding word boundaries; counted in words.
    Segment,
    /// Estimating and pruning; counted in rounds.
    Prune,
}

impl Stage {
    /// Its name in reports and events.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cut => "cut",
            Self::Pairs => "pairs",
            Self::Merges => "merges",
            Self::Segment => "segment",
            Self::Prune => "prune",
        }
    }
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What it is doing.
    pub stage: Stage,
    /// How much of that is done.
    pub done: u64,
    /// How much there is.
    pub total: u64,
}

/// The caller's function: told how far the run is, says whether to go on.
pub type OnProgress<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// Merges between two calls of the caller's function.
const EVERY: u64 = 64;

/// Calls the caller's function, not too often.
pub(super) struct Meter<'a> {
    on_progress: &'a mut OnProgress<'a>,
    last: Option<(Stage, u64)>,
}

impl<'a> Meter<'a> {
    pub(super) fn new(on_progress: &'a mut OnProgress<'a>) -> Self {
        Self {
            on_progress,
            last: None,
        }
    }

    /// Pass on what another meter tells.
    pub(super) fn pass(&mut self, progress: Progress) -> ControlFlow<()> {
        self.last = None;
        (self.on_progress)(progress)
    }

    /// Tell how far the run is, when enough has changed.
    pub(super) fn show(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        match self.last {
            Some((last, shown)) if last == stage && done.abs_diff(shown) < EVERY => {
                ControlFlow::Continue(())
            }
            _ => {
                self.last = Some((stage, done));
                (self.on_progress)(Progress { stage, done, total })
            }
        }
    }

    /// Tell that a stage is done.
    pub(super) fn finish(&mut self, stage: Stage, total: u64) -> ControlFlow<()> {
        self.last = None;
        let done = total;
        (self.on_progress)(Progress { stage, done, total })
    }
}
