//! WordPiece: the longest piece that fits, from the left (Schuster and
//! Nakajima, 2012; greedy as in BERT).
//!
//! Pieces stand in a trie over characters. Pieces inside a word are those
//! below the node that the continuing prefix leads to, so that one trie serves
//! both kinds.

use rustc_hash::FxHashMap;

use super::Token;
use super::vocabulary::Vocabulary;
use super::word_level::missing_unknown;
use crate::error::Result;
use crate::ids::{index, offset};

const ROOT: u32 = 0;

/// Greedy longest match from the left.
#[derive(Debug, Clone)]
pub struct WordPiece {
    vocabulary: Vocabulary,
    unknown_piece: String,
    unknown: Option<u32>,
    max_characters: usize,
    children: FxHashMap<(u32, char), u32>,
    /// The id of the piece that ends at each node.
    pieces: Vec<Option<u32>>,
    /// Where pieces inside a word begin, if any has the prefix.
    inside: Option<u32>,
}

impl WordPiece {
    pub(crate) fn new(
        vocabulary: Vocabulary,
        unknown_piece: &str,
        prefix: &str,
        max_characters: usize,
    ) -> Self {
        let mut children = FxHashMap::default();
        let mut pieces = vec![None];
        for (piece, id) in vocabulary.iter() {
            let mut node = ROOT;
            for character in String::from_utf8_lossy(piece).chars() {
                node = *children.entry((node, character)).or_insert_with(|| {
                    pieces.push(None);
                    offset(pieces.len() - 1)
                });
            }
            pieces[index(node)] = Some(id);
        }
        let inside = prefix.chars().try_fold(ROOT, |node, character| {
            children.get(&(node, character)).copied()
        });
        Self {
            unknown: vocabulary.id(unknown_piece.as_bytes()),
            vocabulary,
            unknown_piece: unknown_piece.to_owned(),
            max_characters,
            children,
            pieces,
            inside,
        }
    }

    /// Append the tokens of a word: its pieces, or the unknown token alone if
    /// it is too long or some part of it has no piece.
    ///
    /// # Errors
    /// [`crate::Error::Encode`] when the unknown token is needed and missing.
    ///
    /// # Complexity
    /// O(n m) for n characters and a longest piece of m.
    pub fn tokenize(&self, word: &str, tokens: &mut Vec<Token>) -> Result<()> {
        let before = tokens.len();
        let fits = word.chars().nth(self.max_characters).is_none();
        if fits && self.pieces_of(word, tokens) {
            return Ok(());
        }
        tokens.truncate(before);
        let id = self
            .unknown
            .ok_or_else(|| missing_unknown(word, &self.unknown_piece))?;
        tokens.push(Token {
            id,
            start: 0,
            end: offset(word.len()),
            surface: false,
        });
        Ok(())
    }

    /// Append pieces from the left as far as there are any; whether they
    /// cover the whole word.
    fn pieces_of(&self, word: &str, tokens: &mut Vec<Token>) -> bool {
        let mut start = 0;
        let mut root = Some(ROOT);
        while start < word.len() {
            let Some((id, length)) = root.and_then(|root| self.longest(root, &word[start..]))
            else {
                return false;
            };
            tokens.push(Token {
                id,
                start: offset(start),
                end: offset(start + length),
                surface: false,
            });
            start += length;
            root = self.inside;
        }
        true
    }

    /// The id and the length in bytes of the longest piece, at least one
    /// character below `root`, that `text` begins with.
    fn longest(&self, root: u32, text: &str) -> Option<(u32, usize)> {
        let mut node = root;
        let mut found = None;
        for (start, character) in text.char_indices() {
            match self.children.get(&(node, character)) {
                Some(&child) => node = child,
                None => break,
            }
            if let Some(id) = self.pieces[index(node)] {
                found = Some((id, start + character.len_utf8()));
            }
        }
        found
    }

    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }
}
