//! All ways to cut a text into scored pieces, as a graph that is never written
//! down: a model only says which pieces begin at a position.

mod nbest;
mod sample;
mod segmentation;
#[cfg(test)]
mod tests;

pub(crate) use nbest::{Ranked, n_best};
pub use segmentation::Segmentation;

/// A piece that begins at some position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Step {
    /// One past its last byte.
    pub(crate) end: usize,
    pub(crate) id: u32,
    pub(crate) score: f64,
}

/// One piece of a segmentation; it begins where the one before ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Cut {
    /// One past its last byte.
    pub(crate) end: usize,
    pub(crate) id: u32,
}

/// The pieces of a text by where they begin. Every step ends behind its start
/// and at most at the length.
pub(crate) trait Lattice {
    /// The length of the text in bytes.
    fn length(&self) -> usize;

    /// Give every piece that begins at byte `start`, in the same order always.
    fn steps(&self, start: usize, each: impl FnMut(Step));
}
