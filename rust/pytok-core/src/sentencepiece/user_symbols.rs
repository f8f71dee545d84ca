//! User-defined symbols, matched in texts before anything else looks at them.

use super::vocabulary::{PieceKind, Vocabulary};
use crate::error::Result;
use crate::model::trie::Trie;

/// The library looks at this many matches at one place, the shortest first.
const MATCH_LIMIT: usize = 64;

/// The user-defined symbols of a model.
#[derive(Debug, Clone)]
pub(super) struct UserSymbols {
    trie: Trie,
}

impl UserSymbols {
    /// The symbols of a vocabulary; `None` when it has none.
    ///
    /// # Errors
    /// When the pieces are too large for a trie.
    pub(super) fn compile(vocabulary: &Vocabulary) -> Result<Option<Self>> {
        let symbols = || {
            vocabulary
                .textual_pieces()
                .filter(|(_, piece)| piece.kind == PieceKind::UserDefined)
        };
        if symbols().next().is_none() {
            return Ok(None);
        }
        let trie = Trie::build(symbols().map(|(id, piece)| (piece.text.as_bytes(), id)))?;
        Ok(Some(Self { trie }))
    }

    /// Whether a symbol begins with `bytes`, or `bytes` with a symbol.
    pub(super) fn begin_with(&self, bytes: &[u8]) -> bool {
        let mut cursor = self.trie.root();
        for &byte in bytes {
            match self.trie.step(cursor, byte) {
                Some(next) if self.trie.value(next).is_none() => cursor = next,
                next => return next.is_some(),
            }
        }
        true
    }

    /// The longest symbol that `text` begins with: its length in bytes and id.
    #[inline]
    pub(super) fn longest_prefix(&self, text: &[u8]) -> Option<(usize, u32)> {
        self.trie.prefixes(text).take(MATCH_LIMIT).last()
    }
}
