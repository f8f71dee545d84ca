//! Unigram: the best segmentation of a piece's text by the others stands for it.

use super::merges::fallback_ids;
use super::{Mode, Places};
use crate::error::Result;
use crate::ids::{index, offset};
use crate::model::trie::Trie;
use crate::model::vocabulary::Vocabulary;

/// How far below the least likely piece an unknown character is rated.
const UNKNOWN_PENALTY: f64 = 10.0;

/// Sums of scores are rounded by less.
const ROUNDING: f64 = 1e-3;

const NONE: u32 = u32::MAX;

/// All pieces of a model, by places.
#[derive(Debug)]
pub(super) struct Lattice {
    texts: Vec<Box<str>>,
    scores: Vec<f64>,
    trie: Trie,
    fallback: Option<Fallback>,
    unreachable: Vec<bool>,
}

/// What becomes of a character without a piece.
#[derive(Debug)]
struct Fallback {
    score: f64,
    /// The places of the bytes.
    bytes: Box<[u32; 256]>,
}

/// A piece as the search sees it.
pub(super) struct Entry<'v> {
    pub(super) text: &'v str,
    pub(super) score: f64,
    /// Whether it is found in texts.
    pub(super) is_found: bool,
}

/// The best segmentation that ends at a byte.
#[derive(Clone, Copy)]
struct Arrival {
    score: f64,
    start: u32,
    /// The last piece, or [`NONE`] for the bytes of a character.
    place: u32,
}

impl Lattice {
    /// The pieces of a Unigram model.
    pub(super) fn of_unigram(
        vocab: &[(String, f64)],
        unk_id: Option<usize>,
        byte_fallback: bool,
        places: &Places,
        mode: Mode,
    ) -> Result<Self> {
        let vocabulary = Vocabulary::new(
            vocab
                .iter()
                .zip(0..)
                .map(|((piece, _), id)| (piece.as_bytes(), id)),
        );
        // A character whose piece is there, if never used, is not unknown.
        let bytes = (byte_fallback && unk_id.is_some() && mode == Mode::Compact)
            .then(|| fallback_ids(&vocabulary))
            .flatten();
        let least = vocab
            .iter()
            .fold(f64::INFINITY, |least, &(_, score)| least.min(score));
        let entries = vocab.iter().zip(0_u32..).map(|((text, score), id)| {
            let entry = Entry {
                text,
                score: *score,
                is_found: vocabulary.id(text.as_bytes()) == Some(id),
            };
            (id, entry)
        });
        Self::new(entries, places, bytes.map(|bytes| (least, bytes)))
    }

    /// Entries by id, and the least score with the ids of the bytes.
    pub(super) fn new<'v>(
        entries: impl Iterator<Item = (u32, Entry<'v>)>,
        places: &Places,
        bytes: Option<(f64, Box<[u32; 256]>)>,
    ) -> Result<Self> {
        let mut texts = vec![Box::<str>::default(); places.len()];
        let mut scores = vec![0.0; places.len()];
        let mut found = vec![false; places.len()];
        for (id, entry) in entries {
            if let Some(&place) = places.get(&id) {
                texts[index(place)] = entry.text.into();
                scores[index(place)] = entry.score;
                found[index(place)] = entry.is_found;
            }
        }
        let keys = (0_u32..)
            .zip(&texts)
            .filter(|&(place, _)| found[index(place)]);
        let trie = Trie::build(keys.map(|(place, text)| (text.as_bytes(), place)))?;
        let fallback = bytes.and_then(|(least, ids)| {
            let mut bytes = ids;
            for id in bytes.iter_mut() {
                *id = *places.get(id)?;
            }
            Some(Fallback {
                score: least - UNKNOWN_PENALTY,
                bytes,
            })
        });
        let mut lattice = Self {
            unreachable: found.iter().map(|found| !found).collect(),
            texts,
            scores,
            trie,
            fallback,
        };
        let all = vec![true; places.len()];
        for place in (0..offset(places.len())).filter(|&place| found[index(place)]) {
            let best = lattice.search(place, &all);
            let score = best
                .last()
                .map_or(f64::NEG_INFINITY, |arrival| arrival.score);
            lattice.unreachable[index(place)] = score > lattice.scores[index(place)] + ROUNDING;
        }
        Ok(lattice)
    }

    /// The pieces of the best segmentation by active pieces.
    pub(super) fn parts(&self, place: u32, active: &[bool]) -> Option<Vec<u32>> {
        let text = self.texts[index(place)].as_bytes();
        let best = self.search(place, active);
        let mut end = text.len();
        let mut parts = Vec::new();
        while end > 0 {
            let arrival = best.get(end).filter(|arrival| arrival.start != NONE)?;
            let start = index(arrival.start);
            match (&self.fallback, arrival.place) {
                (Some(fallback), NONE) => {
                    let bytes = text[start..end].iter().rev();
                    parts.extend(bytes.map(|&byte| fallback.bytes[usize::from(byte)]));
                }
                (_, place) => parts.push(place),
            }
            end = start;
        }
        parts.reverse();
        (!parts.is_empty()).then_some(parts)
    }

    /// The best segmentations of a piece's text without the piece, by their ends.
    fn search(&self, excluded: u32, active: &[bool]) -> Vec<Arrival> {
        let text = &self.texts[index(excluded)];
        let unreached = Arrival {
            score: f64::NEG_INFINITY,
            start: NONE,
            place: NONE,
        };
        let mut best = vec![unreached; text.len() + 1];
        best[0].score = 0.0;
        for (start, character) in text.char_indices() {
            let here = best[start].score;
            if here == f64::NEG_INFINITY {
                continue;
            }
            let width = character.len_utf8();
            let mut is_piece = false;
            let mut offer = |length: usize, score: f64, place: u32| {
                if here + score > best[start + length].score {
                    best[start + length] = Arrival {
                        score: here + score,
                        start: offset(start),
                        place,
                    };
                }
            };
            for (length, place) in self.trie.prefixes(&text.as_bytes()[start..]) {
                if place != excluded && active[index(place)] {
                    offer(length, self.scores[index(place)], place);
                    is_piece |= length == width;
                }
            }
            if let (false, Some(fallback)) = (is_piece, &self.fallback) {
                offer(width, fallback.score, NONE);
            }
        }
        best
    }

    pub(super) fn is_unreachable(&self, place: u32) -> bool {
        self.unreachable[index(place)]
    }
}
