//! Where sentences end in punctuated text. Nothing is put in: a break is a place.
//!
//! A sentence ends behind `。！？` and the closing marks that follow. It goes on
//! when a mark follows that cannot begin a sentence: `「好！」，他說`.

use rustc_hash::FxHashSet;
use serde::Deserialize;

use super::context::{ends_line, is_closer};
use super::rewrite::Rewriter;

/// Which marks end a sentence.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentenceBreaksDefinition {
    /// The marks that end a sentence.
    pub ends: String,
    /// When an ellipsis ends one.
    pub ellipsis: Ellipsis,
    /// Whether a sentence ends before the end of a line.
    pub newline: bool,
}

/// When an ellipsis ends a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ellipsis {
    /// Before a closing mark or the end of a line.
    Closed,
    /// Always.
    Always,
    /// Never by itself.
    Never,
}

/// The marks, compiled.
#[derive(Debug)]
pub(super) struct SentenceBreaks {
    ends: FxHashSet<char>,
    ellipsis: Ellipsis,
    newline: bool,
}

impl SentenceBreaks {
    pub(super) fn new(definition: &SentenceBreaksDefinition) -> Self {
        Self {
            ends: definition.ends.chars().collect(),
            ellipsis: definition.ellipsis,
            newline: definition.newline,
        }
    }

    pub(super) fn rewrite(&self, text: &str, out: &mut Rewriter<'_>) {
        let mut straight = false;
        let mut content = false;
        let mut characters = text.char_indices().peekable();
        while let Some((place, character)) = characters.next() {
            if ends_line(character) {
                if self.newline && content {
                    out.break_at(place);
                }
                (straight, content) = (false, false);
                continue;
            }
            content |= !character.is_whitespace();
            straight ^= character == '"';
            let mut ends = self.ends.contains(&character);
            if !ends && !is_dots(character) {
                continue;
            }
            let mut dots = is_dots(character);
            let mut ascii = character.is_ascii();
            let mut end = place + character.len_utf8();
            while let Some((at, next)) =
                characters.next_if(|&(_, next)| self.ends.contains(&next) || is_dots(next))
            {
                ends |= self.ends.contains(&next);
                (dots, ascii) = (is_dots(next), next.is_ascii());
                end = at + next.len_utf8();
            }
            let mut closed = false;
            while let Some((at, next)) = characters
                .next_if(|&(_, next)| is_closer(next) || next == ')' || (next == '"' && straight))
            {
                straight ^= next == '"';
                (closed, ascii) = (true, false);
                end = at + next.len_utf8();
            }
            let after = characters.peek().map(|&(_, next)| next);
            let by_dots = match self.ellipsis {
                Ellipsis::Always => true,
                Ellipsis::Never => false,
                Ellipsis::Closed => closed || after.is_none_or(ends_line),
            };
            if (ends || (dots && by_dots)) && !after.is_some_and(|next| goes_on(next, ascii)) {
                out.break_at(end);
                content = false;
            }
        }
        if self.newline && content {
            out.break_at(text.len());
        }
    }
}

fn is_dots(character: char) -> bool {
    matches!(character, '…' | '⋯' | '‥')
}

/// Whether a sentence does not end before this character; behind an ASCII mark
/// letters and signs mean an address or a formula.
fn goes_on(next: char, ascii: bool) -> bool {
    "，、；：,;:".contains(next) || (ascii && next.is_ascii_graphic() && !"\"'([{".contains(next))
}
