//! The words of a text and the symbols that a model makes of each: what more pieces
//! are found on.

use super::encode::SentencePieceScratch;
use super::normalizer::Normalized;
use super::piece_rules::PieceRules;
use super::processor::{Algorithm, SentencePiece};
use super::segment::UNKNOWN;
use super::vocabulary::PieceKind;
use crate::error::Result;
use crate::ids::index;

impl SentencePiece {
    /// What a piece may be by the file.
    pub(crate) fn piece_rules(&self) -> &PieceRules {
        &self.piece_rules
    }

    /// The pieces that stand for their text, each with its kind and score.
    pub(crate) fn textual_pieces(&self) -> impl Iterator<Item = (&str, PieceKind, f32)> {
        let pieces = self.vocabulary.textual_pieces();
        pieces.map(|(_, piece)| (&*piece.text, piece.kind, piece.score))
    }

    /// The pieces that do not: control, unknown and byte pieces.
    pub(crate) fn reserved_pieces(&self) -> impl Iterator<Item = &str> {
        let pieces = self.vocabulary.pieces().iter();
        pieces
            .filter(|piece| !piece.kind.is_textual())
            .map(|piece| &*piece.text)
    }

    /// Whether characters without a piece become bytes.
    pub(crate) fn falls_back_to_bytes(&self) -> bool {
        self.vocabulary.bytes().is_some()
    }

    /// Call `found` with each word of a text, normalised. User-defined symbols are
    /// left out, and what no piece may have.
    ///
    /// # Errors
    /// When the text is too long, or `found` fails.
    pub(crate) fn for_each_word(
        &self,
        text: &str,
        found: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let symbols = self.user_symbols.as_ref();
        let mut normalized = Normalized::default();
        self.normalizer.normalize(text, symbols, &mut normalized)?;
        let text = normalized.text.as_str();
        let mut cut = |stretch: &str| {
            self.piece_rules
                .for_each_word(stretch, |word| found(word.as_bytes()))
        };
        let (mut start, mut place) = (0, 0);
        while let Some(character) = text.get(place..).and_then(|rest| rest.chars().next()) {
            let rest = &text.as_bytes()[place..];
            match symbols.and_then(|symbols| symbols.longest_prefix(rest)) {
                Some((length, _)) => {
                    cut(&text[start..place])?;
                    place += length;
                    start = place;
                }
                None => place += character.len_utf8(),
            }
        }
        cut(text.get(start..).unwrap_or_default())
    }

    /// Call `found` with each symbol that the algorithm makes of a word, and whether
    /// it is a piece. Characters without a piece come one by one; a piece that is
    /// unused comes whole where merges make it.
    pub(crate) fn for_each_symbol(
        &self,
        word: &str,
        scratch: &mut SentencePieceScratch,
        mut found: impl FnMut(&str, bool),
    ) {
        match &self.algorithm {
            Algorithm::Unigram(model) => {
                scratch.segments.clear();
                model.encode(word, &mut scratch.arrivals, &mut scratch.segments);
                let mut start = 0;
                for segment in &scratch.segments {
                    let end = index(segment.end);
                    found(&word[start..end], segment.id != UNKNOWN);
                    start = end;
                }
            }
            Algorithm::Bpe(model) => model.for_each_symbol(word, &mut scratch.bpe, found),
            Algorithm::Word | Algorithm::Character => {}
        }
    }
}
