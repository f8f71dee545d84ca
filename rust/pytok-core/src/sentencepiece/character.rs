//! Character models: one character or user-defined symbol after the other.

use super::segment::Segment;
use super::user_symbols::UserSymbols;
use super::vocabulary::Vocabulary;
use super::word::find;
use crate::ids::offset;

/// Append the segments of a normalised text.
pub(super) fn encode(
    vocabulary: &Vocabulary,
    symbols: Option<&UserSymbols>,
    text: &str,
    segments: &mut Vec<Segment>,
) {
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = symbols
            .and_then(|symbols| symbols.longest_prefix(rest.as_bytes()))
            .map_or(character.len_utf8(), |(length, _)| length);
        let (piece, after) = rest.split_at(length);
        rest = after;
        segments.push(Segment {
            id: find(vocabulary, piece),
            end: offset(text.len() - rest.len()),
        });
    }
}
