//! Which pieces may grow where words are whole sentences.
//!
//! Without rules such pieces remember phrases: half a word with the next one, the
//! end of one clause with the start of another, a year with its sentence. The
//! grammar speaks of a piece alone, so a merge can be judged when its pair is first
//! seen, and what it allows can grow from parts that it allows.
//!
//! A *word* is a run of letters that are not Han, with apostrophes and underscores
//! after the first: `don't` and `is_valid` are one word each. A *gap* is a run of
//! anything but letters and Han characters.
//!
//! * White space alone may be a piece; else a line break only ends one. A space may
//!   end a piece: forbidding it, so that words have no second form with the space
//!   after them, made code almost 3 % longer, where `return `, ` = ` and `, ` are worth
//!   more than names with a space before them.
//! * Digits are with digits only.
//! * A piece has at most [`MOST_WORDS`] words.
//! * A piece of several words that begins with a letter begins with a whole word:
//!   one that has begun a sentence or a line [`LEAST_STARTS`] times. (Any word that is
//!   so frequent anywhere, or none of one letter, gave 0.3 % more tokens for code.)
//! * A piece with a Han character has at most one gap, at its start or its end.

use rustc_hash::{FxHashMap, FxHashSet};

use super::words::Words;
use crate::error::Result;
use crate::pretokenize::scan::classes::{self, Class, Set};

/// The most words of a piece.
const MOST_WORDS: u32 = 4;

/// How often a word begins a sentence or a line before pieces of several words may
/// begin with it.
const LEAST_STARTS: u64 = 20;

/// The rules, with the words that pieces may begin with.
#[derive(Debug, Default)]
pub(super) struct Grammar {
    starts: FxHashSet<Box<str>>,
}

impl Grammar {
    /// The grammar for these words, which are sentences and lines.
    ///
    /// # Errors
    /// When words that lie in a file cannot be read.
    ///
    /// # Complexity
    /// Linear in the words; memory for what begins them.
    pub(super) fn new(words: &dyn Words) -> Result<Self> {
        let mut counts: FxHashMap<Box<str>, u64> = FxHashMap::default();
        words.for_each(&mut |word, count| {
            let text = word.utf8_chunks().next().map_or("", |chunk| chunk.valid());
            let first = first_word(text);
            if let Some(known) = counts.get_mut(first) {
                *known = known.saturating_add(count);
            } else if !first.is_empty() {
                counts.insert(first.into(), count);
            }
            Ok(())
        })?;
        counts.retain(|_, count| *count >= LEAST_STARTS);
        let starts = counts.into_keys().collect();
        Ok(Self { starts })
    }

    /// Whether a piece may be made.
    ///
    /// # Complexity
    /// Linear in the piece.
    pub(super) fn allows(&self, piece: &str) -> bool {
        let mut seen = Seen::default();
        for character in piece.chars() {
            seen.take(Kind::of(character), character);
        }
        if !seen.anything_but_spaces {
            return true;
        }
        let is_digits = seen.digits && !seen.anything_but_digits;
        let begins_well = seen.words < 2
            || Kind::of_first(piece) != Some(Kind::Letter)
            || self.starts.contains(first_word(piece));
        !seen.broken_line
            && (!seen.digits || is_digits)
            && seen.words <= MOST_WORDS
            && (!seen.han || seen.runs <= 2)
            && begins_well
    }
}

/// What a character is to the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Han,
    Letter,
    Digit,
    LineBreak,
    Space,
    Sign,
}

impl Kind {
    fn of(character: char) -> Self {
        let class: Class = classes::oniguruma().class(character.into());
        if class.is_han() {
            Self::Han
        } else if Set::LETTERS_AND_MARKS.has(class) {
            Self::Letter
        } else if Set::NUMBERS.has(class) {
            Self::Digit
        } else if Set::NEWLINES.has(class) {
            Self::LineBreak
        } else if Set::SPACES.has(class) {
            Self::Space
        } else {
            Self::Sign
        }
    }

    fn of_first(text: &str) -> Option<Self> {
        text.chars().next().map(Self::of)
    }

    /// Whether it is part of a gap.
    fn is_gap(self) -> bool {
        !matches!(self, Self::Han | Self::Letter | Self::Digit)
    }
}

/// Whether a character goes on with a word that has begun.
fn joins_words(character: char) -> bool {
    matches!(character, '_' | '\'' | '’')
}

/// The word that a text begins with; empty when it begins with none.
fn first_word(text: &str) -> &str {
    if Kind::of_first(text) != Some(Kind::Letter) {
        return "";
    }
    let end = text.find(|c| Kind::of(c) != Kind::Letter && !joins_words(c));
    &text[..end.unwrap_or(text.len())]
}

/// What has been seen of a piece.
#[derive(Debug, Default)]
struct Seen {
    han: bool,
    digits: bool,
    anything_but_digits: bool,
    anything_but_spaces: bool,
    /// Something stands after a line break.
    broken_line: bool,
    words: u32,
    /// Gaps and what is between them.
    runs: u32,
    line_break: bool,
    in_word: bool,
    in_gap: Option<bool>,
}

impl Seen {
    fn take(&mut self, kind: Kind, character: char) {
        self.han |= kind == Kind::Han;
        self.digits |= kind == Kind::Digit;
        self.anything_but_digits |= kind != Kind::Digit;
        self.anything_but_spaces |= !matches!(kind, Kind::Space | Kind::LineBreak);
        self.broken_line |= self.line_break && kind != Kind::LineBreak;
        self.line_break |= kind == Kind::LineBreak;
        let was_in_word = self.in_word;
        self.in_word = kind == Kind::Letter || was_in_word && joins_words(character);
        self.words += u32::from(self.in_word && !was_in_word);
        let gap = Some(kind.is_gap());
        self.runs += u32::from(self.in_gap != gap);
        self.in_gap = gap;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::WordTable;

    fn grammar() -> Grammar {
        let mut words = WordTable::default();
        for (word, count) in [
            ("import os\n", 12),
            ("import numpy as np\n", 8),
            ("don't do it.", 20),
            ("is_valid = x", 20),
            (" the end", 100),
            ("rare words", 19),
            ("cats of it", 100),
            ("中文and more", 100),
        ] {
            words.add(word.as_bytes(), count);
        }
        words.add(b"caf\xC3", 100); // a cut character: what is before it still counts
        Grammar::new(&words).unwrap()
    }

    #[test]
    fn the_grammar_allows_what_reads_as_a_unit() {
        let grammar = grammar();
        for piece in [
            "import numpy as np\n", // code
            "import",
            "mport", // word-internal
            "    return self._",
            "        self.assertEqual(",
            "is_valid = x",
            ") -> None:\n",
            "}\r\n\r\n",
            " \n  \n",
            "\n\n",
            "\t\t",
            "): # ---- #\n",
            " a.b.c.d",
            "don't do",
            "caf au",
            " of the", // prose
            " as well as the",
            ". The",
            ", and",
            "的时候，", // Chinese
            "。」\n",
            "，但是",
            "中华人民共和国",
            "二〇二四年",
            "DNA的", // mixed
            " 的",
            "，and",
            "の中",
            "2024", // digits
            "１２",
            "7",
            "",
        ] {
            assert!(grammar.allows(piece), "{piece:?}");
        }
    }

    #[test]
    fn the_grammar_forbids_what_does_not() {
        let grammar = grammar();
        for piece in [
            "mport numpy", // from within a word
            "rare words",  // seen too seldom at a start
            "s of ",
            "and more", // at no start: after Han
            "the end",  // at no start: after a space
            "n't do",
            "x\ny", // a line break inside
            "\n)",
            "x\n ",
            " a b c d e", // five words
            "a1",         // digits with something else
            " 1",
            "1\n",
            "1年",
            "，但是，", // two gaps
            " 的，",
            "好，但",
            "中 文",
            "中文 and",
        ] {
            assert!(!grammar.allows(piece), "{piece:?}");
        }
    }

    #[test]
    fn every_character_alone_is_allowed() {
        let grammar = Grammar::default();
        for character in (0..0x11_0000).filter_map(char::from_u32) {
            assert!(grammar.allows(character.encode_utf8(&mut [0; 4])));
        }
    }
}
