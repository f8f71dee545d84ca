//! What every algorithm returns: the normalised text, cut.

/// The id of a segment that is no piece of the vocabulary.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// One cut of the normalised text. Segments tile it: each begins where the one
/// before ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    /// The piece's id, or [`UNKNOWN`].
    pub(super) id: u32,
    /// One past the last byte in the normalised text.
    pub(super) end: u32,
}
