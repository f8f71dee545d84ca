//! Word models: the text between space marks, whole.

use super::SPACE_MARK;
use super::segment::{Segment, UNKNOWN};
use super::vocabulary::{PieceKind, Vocabulary};
use crate::ids::{index, offset};

/// Append the segments of a normalised text: a new one begins at every mark.
pub(super) fn encode(vocabulary: &Vocabulary, text: &str, segments: &mut Vec<Segment>) {
    let mut start = 0;
    let ends = text
        .match_indices(SPACE_MARK)
        .map(|(position, _)| position)
        .filter(|&position| position > 0)
        .chain(std::iter::once(text.len()));
    for end in ends {
        if end > start {
            segments.push(Segment {
                id: find(vocabulary, &text[start..end]),
                end: offset(end),
            });
        }
        start = end;
    }
}

/// The piece with a text; unused pieces count as unknown.
pub(super) fn find(vocabulary: &Vocabulary, text: &str) -> u32 {
    vocabulary
        .textual_id(text)
        .filter(|&id| vocabulary.pieces()[index(id)].kind != PieceKind::Unused)
        .unwrap_or(UNKNOWN)
}
