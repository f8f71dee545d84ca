//! A list of merges of pieces to a table of merges of ids.

use super::merges::{Merge, MergeTable};
use crate::definition::MergeList;
use crate::error::{Error, Result};
use crate::ids::offset;
use crate::model::vocabulary::Vocabulary;

/// Compile the merges of a definition. A pair that is listed twice has the
/// rank of its last listing. The right piece gives its text after the first
/// `prefix` bytes to the result, whatever those bytes are.
///
/// # Errors
/// [`Error::Vocabulary`] when a piece or the result of a merge is not in the
/// vocabulary.
pub(crate) fn compile_merges(
    vocabulary: &Vocabulary,
    merges: &MergeList,
    prefix: usize,
) -> Result<MergeTable> {
    let mut table = MergeTable::with_capacity(merges.len());
    let mut results = Vec::with_capacity(merges.len());
    let mut regular = vocabulary.ids_are_unique();
    let mut result = Vec::new();
    for (rank, (left, right)) in merges.iter().enumerate() {
        let missing = |piece: &str| {
            Error::vocabulary(format!(
                "model.merges: merge {rank} ({left:?}, {right:?}): {piece:?} is not in model.vocab"
            ))
        };
        let id = |piece: &str| {
            vocabulary
                .id(piece.as_bytes())
                .ok_or_else(|| missing(piece))
        };
        let (left_id, right_id) = (id(left)?, id(right)?);
        let added = right.as_bytes().get(prefix..).ok_or_else(|| {
            Error::vocabulary(format!(
                "model.merges: merge {rank} ({left:?}, {right:?}): the right piece is shorter \
                 than model.continuing_subword_prefix"
            ))
        })?;
        result.clear();
        result.extend_from_slice(left.as_bytes());
        result.extend_from_slice(added);
        let merged = vocabulary
            .id(&result)
            .ok_or_else(|| missing(&String::from_utf8_lossy(&result)))?;
        regular &= !left.is_empty() && !added.is_empty();
        results.push(merged);
        table.insert(
            left_id,
            right_id,
            Merge {
                rank: offset(rank),
                id: merged,
            },
        );
    }
    // With distinct ids and merges that always lengthen their left side, the
    // piece that a pair at one place can make only grows: a queued merge that
    // still makes the same id is the same merge.
    if !regular {
        table.recognise_by_result(results);
    }
    table.check_ranks();
    table.forget_order();
    Ok(table)
}
