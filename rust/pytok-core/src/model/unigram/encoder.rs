//! The best segmentation of a word, by a single pass from left to right.

use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::model::Token;
use crate::model::trie::Trie;
use crate::model::vocabulary::Vocabulary;

/// How far below the least likely piece an unknown character is rated.
const UNKNOWN_PENALTY: f64 = 10.0;

const NONE: u32 = u32::MAX;

/// A compiled unigram model.
#[derive(Debug, Clone)]
pub struct Unigram {
    vocabulary: Vocabulary,
    /// Pieces that stand again later, by the id that counts no more.
    repeated: FxHashMap<u32, Box<str>>,
    pub(super) trie: Trie,
    pub(super) scores: Vec<f64>,
    pub(super) unknown: Option<u32>,
    pub(super) unknown_score: f64,
    /// The ids of `<0x00>` to `<0xFF>` where byte fallback is on.
    bytes: Option<Box<[Option<u32>; 256]>>,
}

/// The best segmentation that ends at a byte.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    score: f64,
    /// Where its last piece begins; [`NONE`] where no segmentation ends.
    start: u32,
    /// The last piece.
    id: u32,
}

const UNREACHED: Arrival = Arrival {
    score: 0.0,
    start: NONE,
    id: NONE,
};

/// Buffers of one thread, reused between words.
#[derive(Debug, Default)]
pub struct UnigramScratch {
    arrivals: Vec<Arrival>,
    /// Pieces of the best segmentation: end and id, the last piece first.
    path: Vec<(u32, u32)>,
}

impl UnigramScratch {
    /// The score of the word that was encoded last.
    pub(super) fn score(&self) -> f64 {
        self.arrivals.last().map_or(0.0, |arrival| arrival.score)
    }
}

impl Unigram {
    /// Compile a vocabulary of pieces and their log-probabilities; a piece's
    /// position is its id.
    ///
    /// # Errors
    /// When `unk_id` is not a position in `vocab`, or `vocab` is too large.
    pub fn compile(
        vocab: &[(String, f64)],
        unk_id: Option<usize>,
        byte_fallback: bool,
    ) -> Result<Self> {
        if u32::try_from(vocab.len()).is_err() {
            return Err(Error::vocabulary("model.vocab has more than 2^32 pieces"));
        }
        if let Some(id) = unk_id.filter(|&id| id >= vocab.len()) {
            return Err(Error::vocabulary(format!(
                "model.unk_id is {id}, but model.vocab has {} pieces",
                vocab.len()
            )));
        }
        // Of a piece that stands twice both tables keep the last id.
        let entries = vocab
            .iter()
            .zip(0..)
            .map(|((piece, _), id)| (piece.as_bytes(), id));
        let vocabulary = Vocabulary::new(entries.clone()).checked();
        let trie = Trie::build(entries)?;
        let least = vocab
            .iter()
            .fold(f64::INFINITY, |least, &(_, score)| least.min(score));
        let bytes = byte_fallback.then(|| {
            Box::new(std::array::from_fn(|byte| {
                vocabulary.id(format!("<0x{byte:02X}>").as_bytes())
            }))
        });
        Ok(Self {
            scores: vocab.iter().map(|&(_, score)| score).collect(),
            unknown: unk_id.map(offset),
            unknown_score: least - UNKNOWN_PENALTY,
            repeated: vocab
                .iter()
                .zip(0..)
                .filter(|((piece, _), id)| vocabulary.id(piece.as_bytes()) != Some(*id))
                .map(|((piece, _), id)| (id, piece.as_str().into()))
                .collect(),
            vocabulary,
            trie,
            bytes,
        })
    }

    /// The piece of an id.
    pub(crate) fn piece(&self, id: u32) -> Option<&str> {
        self.vocabulary
            .text(id)
            .or_else(|| self.repeated.get(&id).map(|piece| &**piece))
    }

    /// The pieces and their ids.
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Append the tokens of one word to `tokens`.
    ///
    /// # Errors
    /// When a character is in no piece and the model has no unknown piece.
    ///
    /// # Complexity
    /// O(n · p) for n bytes and pieces of at most p bytes.
    pub fn tokenize(
        &self,
        word: &str,
        scratch: &mut UnigramScratch,
        tokens: &mut Vec<Token>,
    ) -> Result<()> {
        self.search(word, &mut scratch.arrivals)?;
        scratch.path.clear();
        let mut end = offset(word.len());
        while end > 0 {
            let arrival = scratch.arrivals[index(end)];
            scratch.path.push((end, arrival.id));
            end = arrival.start;
        }
        self.push_path(word, scratch.path.drain(..).rev(), tokens)
    }

    /// Append the tokens of a segmentation: the end and id of each piece.
    pub(super) fn push_path(
        &self,
        word: &str,
        path: impl Iterator<Item = (u32, u32)>,
        tokens: &mut Vec<Token>,
    ) -> Result<()> {
        let mut path = path.peekable();
        let mut start = 0;
        while let Some((mut end, id)) = path.next() {
            let mut found = Some(id);
            if Some(id) == self.unknown {
                // Unknown pieces side by side are one piece, and its text is
                // looked up again: the unknown piece's own name stands here too.
                while let Some((next, _)) = path.next_if(|&(_, id)| Some(id) == self.unknown) {
                    end = next;
                }
                found = self
                    .vocabulary
                    .id(&word.as_bytes()[index(start)..index(end)]);
            }
            match found {
                Some(id) => tokens.push(Token {
                    id,
                    start,
                    end,
                    surface: false,
                }),
                None => self.push_unknown(word, start, end, tokens)?,
            }
            start = end;
        }
        Ok(())
    }

    /// Fill `arrivals` for every byte of `word` at which a segmentation ends.
    fn search(&self, word: &str, arrivals: &mut Vec<Arrival>) -> Result<()> {
        let bytes = word.as_bytes();
        arrivals.clear();
        arrivals.resize(bytes.len() + 1, UNREACHED);
        for (start, character) in word.char_indices() {
            let score_here = arrivals[start].score;
            let width = character.len_utf8();
            let mut character_is_a_piece = false;
            let mut offer = |length: usize, piece_score: f64, id: Option<u32>| {
                let target = &mut arrivals[start + length];
                let score = piece_score + score_here;
                // Strictly greater: of equal sums the earlier start, found
                // first, stays.
                if target.start == NONE || score > target.score {
                    *target = Arrival {
                        score,
                        start: offset(start),
                        id: id.ok_or_else(missing_unknown)?,
                    };
                }
                Ok(())
            };
            for (length, id) in self.trie.prefixes(&bytes[start..]) {
                offer(length, self.scores[index(id)], Some(id))?;
                character_is_a_piece |= length == width;
            }
            if !character_is_a_piece {
                offer(width, self.unknown_score, self.unknown)?;
            }
        }
        Ok(())
    }

    /// An unknown run: its bytes where all of them are pieces, else one token.
    fn push_unknown(
        &self,
        word: &str,
        start: u32,
        end: u32,
        tokens: &mut Vec<Token>,
    ) -> Result<()> {
        let run = &word.as_bytes()[index(start)..index(end)];
        let token = |id, surface| Token {
            id,
            start,
            end,
            surface,
        };
        if let Some(bytes) = &self.bytes {
            let known = tokens.len();
            tokens.extend(
                run.iter()
                    .map_while(|&byte| bytes[usize::from(byte)])
                    .map(|id| token(id, false)),
            );
            if tokens.len() - known == run.len() {
                return Ok(());
            }
            tokens.truncate(known);
        }
        tokens.push(token(self.unknown.ok_or_else(missing_unknown)?, true));
        Ok(())
    }
}

pub(super) fn missing_unknown() -> Error {
    Error::encode(
        "the text has a character that is in no piece, and the model has no unknown piece \
         (model.unk_id is null)",
    )
}
