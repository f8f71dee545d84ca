//! WordPiece: the longest pieces from the left stand for a piece that is gone.
//!
//! A word in which the search from the left gets stuck is unknown as a whole.
//! Single characters, alone and as continuations, therefore stay, and only pieces
//! all of whose characters are such pieces may go.

use rustc_hash::FxHashSet;

use super::Places;
use crate::definition::PieceTable;
use crate::error::Result;
use crate::ids::index;
use crate::model::trie::Trie;

/// All pieces of a model, by places.
#[derive(Debug)]
pub(super) struct Greedy {
    texts: Vec<Box<str>>,
    prefix: String,
    trie: Trie,
    may_go: Vec<bool>,
}

impl Greedy {
    pub(super) fn of(vocab: &PieceTable, prefix: &str, places: &Places) -> Result<Self> {
        let pieces: FxHashSet<&str> = vocab.iter().map(|(piece, _)| piece).collect();
        let mut texts = vec![Box::<str>::default(); places.len()];
        let mut may_go = vec![false; places.len()];
        for (piece, id) in vocab.iter() {
            if let Some(&place) = places.get(&id) {
                texts[index(place)] = piece.into();
                may_go[index(place)] = is_spelled(piece, prefix, &pieces);
            }
        }
        let trie = Trie::build(
            texts
                .iter()
                .zip(0..)
                .map(|(text, place)| (text.as_bytes(), place)),
        )?;
        Ok(Self {
            texts,
            prefix: prefix.to_owned(),
            trie,
            may_go,
        })
    }

    /// The longest active pieces from the left.
    pub(super) fn parts(&self, place: u32, active: &[bool]) -> Option<Vec<u32>> {
        if !self.may_go[index(place)] {
            return None;
        }
        let text = &*self.texts[index(place)];
        let prefix = self.prefix.len();
        let mut parts = Vec::new();
        // What is left, with the prefix before it once it continues a word.
        let mut rest = text.to_owned();
        let mut head = if is_continuation(text, &self.prefix) {
            prefix
        } else {
            0
        };
        while rest.len() > head {
            let fits = |&(length, part): &(usize, u32)| {
                length > head && part != place && active[index(part)]
            };
            let (length, part) = self.trie.prefixes(rest.as_bytes()).filter(fits).last()?;
            parts.push(part);
            rest = format!("{}{}", self.prefix, rest.get(length..)?);
            head = prefix;
        }
        (!parts.is_empty()).then_some(parts)
    }
}

fn is_continuation(piece: &str, prefix: &str) -> bool {
    !prefix.is_empty() && piece.len() > prefix.len() && piece.starts_with(prefix)
}

/// Whether a piece has several characters, which are pieces themselves.
fn is_spelled(piece: &str, prefix: &str, pieces: &FxHashSet<&str>) -> bool {
    let continues = is_continuation(piece, prefix);
    let body = if continues {
        &piece[prefix.len()..]
    } else {
        piece
    };
    let single = |(at, character): (usize, char)| {
        let text = if at == 0 && !continues {
            character.to_string()
        } else {
            format!("{prefix}{character}")
        };
        pieces.contains(text.as_str())
    };
    body.chars().nth(1).is_some() && body.chars().enumerate().all(single)
}
