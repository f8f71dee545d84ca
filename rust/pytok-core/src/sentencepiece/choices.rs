//! Segmentations besides the best one: random ones and the k best (Kudo, 2018).
//!
//! The lattice is the library's, its scores added in double precision. Only
//! user-defined symbols are not left to chance: those that encoding finds stay
//! whole, and what is between them is segmented.

use super::encode::SentencePieceScratch;
use super::processor::{Algorithm, SentencePiece};
use super::segment::{Segment, UNKNOWN};
use super::unigram::{Arrival, Unigram};
use super::vocabulary::PieceKind;
use crate::error::Result;
use crate::ids::{index, offset};
use crate::model::Sampler;
use crate::model::segmentations::{Cut, Lattice, Segmentation, Step, n_best};

/// The pieces of a stretch of a normalised text.
struct StretchLattice<'a> {
    model: &'a Unigram,
    text: &'a str,
}

impl Lattice for StretchLattice<'_> {
    fn length(&self) -> usize {
        self.text.len()
    }

    fn steps(&self, start: usize, mut each: impl FnMut(Step)) {
        self.model.pieces_at(self.text, start, |length, score, id| {
            each(Step {
                end: start + length,
                id,
                score: f64::from(score),
            });
        });
    }
}

/// A part of a normalised text: a user-defined symbol, or what is between two.
struct Stretch {
    start: usize,
    end: usize,
    is_symbol: bool,
    /// What encoding makes of it.
    best: Vec<Cut>,
}

impl Unigram {
    /// Append the segments of a normalised text, drawn at random.
    ///
    /// # Complexity
    /// O(n · p) for n bytes and pieces of at most p bytes.
    pub(super) fn sample(
        &self,
        text: &str,
        sampler: &mut Sampler,
        arrivals: &mut Vec<Arrival>,
        segments: &mut Vec<Segment>,
    ) {
        for stretch in self.stretches(text, arrivals) {
            let text = &text[stretch.start..stretch.end];
            let drawn = match stretch.is_symbol {
                true => &stretch.best,
                // Every character is a piece or unknown, so there is a way.
                false => sampler
                    .draw(&StretchLattice { model: self, text })
                    .unwrap_or(&stretch.best),
            };
            segments.extend(drawn.iter().map(|cut| Segment {
                id: cut.id,
                end: offset(stretch.start + cut.end),
            }));
        }
    }

    /// A text in which the user-defined symbols that encoding finds are cut out.
    fn stretches(&self, text: &str, arrivals: &mut Vec<Arrival>) -> Vec<Stretch> {
        let mut segments = Vec::new();
        self.encode(text, arrivals, &mut segments);
        let is_symbol = |segment: &Segment| self.is_user_defined(segment.id);
        let mut start = 0;
        segments
            .chunk_by(|left, right| !is_symbol(left) && !is_symbol(right))
            .map(|run| {
                let end = run.last().map_or(start, |last| index(last.end));
                let stretch = Stretch {
                    start,
                    end,
                    is_symbol: run.first().is_some_and(is_symbol),
                    best: run
                        .iter()
                        .map(|segment| Cut {
                            end: index(segment.end) - start,
                            id: segment.id,
                        })
                        .collect(),
                };
                start = end;
                stretch
            })
            .collect()
    }
}

impl SentencePiece {
    /// The best score of a normal piece; minus infinity without any.
    pub(crate) fn best_score(&self) -> f64 {
        let pieces = self.vocabulary.pieces().iter();
        let normal = pieces.filter(|piece| piece.kind == PieceKind::Normal);
        normal.fold(f64::NEG_INFINITY, |best, piece| {
            best.max(piece.score.into())
        })
    }

    /// The best segmentations of each part of a text, at most `count`, the
    /// first that of [`SentencePiece::encode`]; `None` for a model that is not
    /// a unigram model. `check` sees the length of the normalised text first.
    ///
    /// # Errors
    /// As [`SentencePiece::encode`], and those of `check`.
    pub(crate) fn n_best(
        &self,
        text: &str,
        count: usize,
        scratch: &mut SentencePieceScratch,
        check: impl FnOnce(usize) -> Result<()>,
    ) -> Result<Option<Vec<Vec<Segmentation>>>> {
        let Algorithm::Unigram(model) = &self.algorithm else {
            return Ok(None);
        };
        self.normalizer
            .normalize(text, self.user_symbols.as_ref(), &mut scratch.normalized)?;
        let normalized = &*scratch.normalized.text;
        check(normalized.len())?;
        let stretches = model.stretches(normalized, &mut scratch.arrivals);
        let parts = stretches.iter().map(|stretch| {
            let text = &normalized[stretch.start..stretch.end];
            let first = Segmentation {
                ids: self.ids_of(text, &stretch.best),
                score: stretch.best.iter().map(|cut| model.score(cut.id)).sum(),
            };
            if stretch.is_symbol {
                return Ok(vec![first]);
            }
            let lattice = StretchLattice { model, text };
            Segmentation::different(first, count, |count| {
                let ranked = n_best(&lattice, count).into_iter();
                let ids = ranked.map(|ranked| Segmentation {
                    ids: self.ids_of(text, &ranked.cuts),
                    score: ranked.score,
                });
                Ok(ids.collect())
            })
        });
        parts.collect::<Result<_>>().map(Some)
    }

    /// The ids of a segmentation: unknown characters as bytes, or joined.
    fn ids_of(&self, text: &str, cuts: &[Cut]) -> Vec<u32> {
        let (mut ids, mut start, mut after_unknown) = (Vec::new(), 0, false);
        for cut in cuts {
            let piece = &text.as_bytes()[start..cut.end];
            start = cut.end;
            match (cut.id, self.vocabulary.bytes()) {
                (UNKNOWN, Some(bytes)) => {
                    ids.extend(piece.iter().map(|&byte| bytes[usize::from(byte)]));
                }
                (UNKNOWN, None) if after_unknown => {}
                (UNKNOWN, None) => ids.extend(self.vocabulary.unknown()),
                (id, _) => ids.push(id),
            }
            after_unknown = cut.id == UNKNOWN;
        }
        ids
    }
}
