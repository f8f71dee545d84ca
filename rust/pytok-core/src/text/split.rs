//! Splitting an aligned text at the matches of a pattern.

use super::AlignedText;
use crate::definition::SplitBehavior;

/// A byte range of a text and whether it is a match.
type Section = ((usize, usize), bool);

/// The matches of a pattern, which come in order, and what lies between them,
/// so that the result covers a text of `length` bytes.
///
/// # Examples
/// ```
/// use pytok_core::text::with_gaps;
/// let sections: Vec<_> = with_gaps([(1, 2)], 3).collect();
/// assert_eq!(sections, [((0, 1), false), ((1, 2), true), ((2, 3), false)]);
/// ```
pub fn with_gaps(
    matches: impl IntoIterator<Item = (usize, usize)>,
    length: usize,
) -> impl Iterator<Item = Section> {
    let mut done = 0;
    matches
        .into_iter()
        .map(|(start, end)| ((start, end), true))
        // An end that is no match: only the gap before it counts.
        .chain(std::iter::once(((length, length), false)))
        .flat_map(move |((start, end), is_match)| {
            let gap = (done < start).then_some(((done, start), false));
            done = end;
            gap.into_iter()
                .chain(is_match.then_some(((start, end), true)))
        })
}

impl AlignedText {
    /// Split into the words that `behavior` makes of `sections`, which cover the
    /// text in order. Empty words are dropped.
    ///
    /// # Panics
    /// When a section cuts a character.
    ///
    /// # Complexity
    /// O(n) in the number of sections; no bytes are copied.
    pub fn split(
        &self,
        sections: impl IntoIterator<Item = Section>,
        behavior: SplitBehavior,
    ) -> Vec<Self> {
        let mut words = Vec::new();
        // The word under construction: a byte range and the kind of its last section.
        let mut word: Option<((usize, usize), bool)> = None;
        let mut emit = |(start, end): (usize, usize)| {
            if start < end {
                words.push(self.slice(start..end));
            }
        };
        for (range, is_match) in sections {
            if behavior == SplitBehavior::Removed {
                if !is_match {
                    emit(range);
                }
                continue;
            }
            let joins = match (word, behavior) {
                (Some((_, before)), SplitBehavior::Contiguous) => is_match == before,
                (Some((_, before)), SplitBehavior::MergedWithPrevious) => is_match && !before,
                (Some((_, before)), SplitBehavior::MergedWithNext) => before && !is_match,
                _ => false,
            };
            word = match word {
                Some(((start, _), _)) if joins => Some(((start, range.1), is_match)),
                _ => {
                    if let Some((finished, _)) = word {
                        emit(finished);
                    }
                    Some((range, is_match))
                }
            };
        }
        if let Some((last, _)) = word {
            emit(last);
        }
        words
    }
}
