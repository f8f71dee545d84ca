//! One of several segmentations of a text, as ids.

use rustc_hash::FxHashSet;

use super::Ranked;
use crate::error::Result;

/// Among this many times as many segmentations are those with different ids
/// looked for.
const ASKED_MOST: usize = 4;

/// A segmentation and how likely it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Segmentation {
    /// The ids.
    pub ids: Vec<u32>,
    /// The sum of the pieces' scores.
    pub score: f64,
}

impl From<Ranked> for Segmentation {
    fn from(ranked: Ranked) -> Self {
        Self {
            ids: ranked.cuts.iter().map(|cut| cut.id).collect(),
            score: ranked.score,
        }
    }
}

impl Segmentation {
    /// The `count` best segmentations with different ids, the encoder's
    /// `first`: sums that are rounded in another way may put it elsewhere.
    /// `ranked` gives as many segmentations as it is asked for, if there are.
    ///
    /// Two segmentations have equal ids only where unknown characters are
    /// joined.
    pub(crate) fn different(
        first: Self,
        count: usize,
        mut ranked: impl FnMut(usize) -> Result<Vec<Self>>,
    ) -> Result<Vec<Self>> {
        if count == 1 {
            return Ok(vec![first]);
        }
        let mut asked = count;
        loop {
            let all = ranked(asked)?;
            let exhausted = all.len() < asked || asked >= count * ASKED_MOST;
            let mut seen = FxHashSet::default();
            let mut different: Vec<Self> = std::iter::once(first.clone())
                .chain(all)
                .filter(|one| seen.insert(one.ids.clone()))
                .collect();
            if different.len() >= count || exhausted {
                different.truncate(count);
                return Ok(different);
            }
            asked *= 2;
        }
    }
}
