//! The class of every code point, for each regular-expression engine.
//!
//! The two engines carry different editions of Unicode, so each has its own
//! table, pinned to what the engine really matches. The tables are stored as
//! runs and unpacked once, on first use, into pages of 128 code points, most of
//! which are shared (about 60 kB a table, well under a millisecond).

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{tables_oniguruma, tables_regex_syntax};
use crate::ids::index;

/// The class of a code point: a number below 16, and flags above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Class(u8);

impl Class {
    /// `\p{Ll}`
    const LOWER: u8 = 1;
    /// `[\p{Lu}\p{Lt}]`
    const UPPER: u8 = 2;
    /// `[\p{Lm}\p{Lo}]`
    const LETTER: u8 = 3;
    /// `\p{M}`
    const MARK: u8 = 4;
    /// `\p{N}`
    const NUMBER: u8 = 5;
    /// `\p{P}`
    const PUNCTUATION: u8 = 6;
    /// `\p{S}`
    const SYMBOL: u8 = 7;
    /// `\s`, except the line breaks.
    const SPACE: u8 = 8;
    /// `[\r\n]`
    const NEWLINE: u8 = 9;
    /// Past the last code point: in no set.
    const END: u8 = 15;
    /// The end of the text.
    pub(super) const OVER: Self = Self(Self::END);

    const HAN_FLAG: u8 = 16;
    const WORD_FLAG: u8 = 32;
    const NUMERIC_FLAG: u8 = 64;

    /// Whether `\p{Han}` matches.
    #[inline]
    pub(crate) fn is_han(self) -> bool {
        self.0 & Self::HAN_FLAG != 0
    }

    /// Whether `\w` matches. Only the table of [`regex_syntax`] knows.
    #[inline]
    pub(crate) fn is_word(self) -> bool {
        self.0 & Self::WORD_FLAG != 0
    }

    /// Whether the reference's standard library calls it numeric, which is newer
    /// than both engines (Unicode 17). Only the table of [`regex_syntax`] knows.
    #[inline]
    pub(crate) fn is_numeric(self) -> bool {
        self.0 & Self::NUMERIC_FLAG != 0
    }

    /// Whether `[\p{N}&&[^\p{Han}]]` matches.
    #[inline]
    pub(super) fn is_number_not_han(self) -> bool {
        Set::NUMBERS.has(self) && !self.is_han()
    }

    /// Whether this is past the end of the text.
    #[inline]
    pub(super) fn is_end(self) -> bool {
        self.0 == Self::END
    }

    /// The class with the Han script taken out of every set.
    #[inline]
    pub(super) fn without_han(self) -> Self {
        if self.is_han() { Self(Self::END) } else { self }
    }
}

/// A set of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Set(u16);

impl Set {
    /// `\p{L}`
    pub(crate) const LETTERS: Self = Self::of(&[Class::LOWER, Class::UPPER, Class::LETTER]);
    /// `\p{M}`
    pub(crate) const MARKS: Self = Self::of(&[Class::MARK]);
    /// `\p{N}`
    pub(crate) const NUMBERS: Self = Self::of(&[Class::NUMBER]);
    /// `[\p{L}\p{M}]`
    pub(crate) const LETTERS_AND_MARKS: Self = Self::LETTERS.or(Self::MARKS);
    /// `[\p{P}\p{S}]`
    pub(crate) const SIGNS: Self = Self::of(&[Class::PUNCTUATION, Class::SYMBOL]);
    /// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
    pub(crate) const UPPER: Self = Self::of(&[Class::UPPER, Class::LETTER, Class::MARK]);
    /// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
    pub(crate) const LOWER: Self = Self::of(&[Class::LOWER, Class::LETTER, Class::MARK]);
    /// `[\r\n]`
    pub(crate) const NEWLINES: Self = Self::of(&[Class::NEWLINE]);
    /// `\s`
    pub(crate) const SPACES: Self = Self::of(&[Class::SPACE, Class::NEWLINE]);
    /// `[^\s\p{L}\p{N}]`
    pub(crate) const OTHERS: Self = Self::LETTERS.or(Self::NUMBERS).or(Self::SPACES).not();
    /// `[^\r\n\p{L}\p{N}]`
    pub(crate) const PREFIXES: Self = Self::LETTERS.or(Self::NUMBERS).or(Self::NEWLINES).not();
    /// `[^\r\n\p{L}\p{P}\p{S}]`
    pub(crate) const UNSIGNED_PREFIXES: Self =
        Self::LETTERS.or(Self::SIGNS).or(Self::NEWLINES).not();

    const fn of(classes: &[u8]) -> Self {
        let (mut set, mut at) = (0, 0);
        while at < classes.len() {
            set |= 1 << classes[at];
            at += 1;
        }
        Self(set)
    }

    const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Every class that is not in `self`; never the end.
    const fn not(self) -> Self {
        Self(!self.0 & !(1 << Class::END))
    }

    /// Whether a class is in the set.
    #[inline]
    pub(crate) fn has(self, class: Class) -> bool {
        self.0 >> (class.0 & 15) & 1 != 0
    }
}

/// The class of every code point, in two stages.
#[derive(Debug)]
pub(crate) struct ClassTable {
    ascii: [Class; 128],
    /// For each page of 128 code points, where its classes begin in `classes`.
    pages: Vec<u32>,
    classes: Vec<Class>,
}

const PAGE_BITS: u32 = 7;
const PAGE: usize = 1 << PAGE_BITS;
const CODE_POINTS: usize = 0x11_0000;

/// The classes that Oniguruma matches.
pub(crate) fn oniguruma() -> &'static ClassTable {
    static TABLE: LazyLock<ClassTable> =
        LazyLock::new(|| ClassTable::unpack(tables_oniguruma::RUNS));
    &TABLE
}

/// The classes that regex-syntax (`regex` and `fancy-regex`) matches.
pub(crate) fn regex_syntax() -> &'static ClassTable {
    static TABLE: LazyLock<ClassTable> =
        LazyLock::new(|| ClassTable::unpack(tables_regex_syntax::RUNS));
    &TABLE
}

impl ClassTable {
    fn unpack(runs: &[(u32, u8)]) -> Self {
        let mut table = Self {
            ascii: [Class(0); 128],
            pages: Vec::with_capacity(CODE_POINTS / PAGE),
            classes: Vec::new(),
        };
        let mut known: HashMap<[u8; PAGE], u32> = HashMap::new();
        let mut run = 0;
        for first in (0..0x11_0000_u32).step_by(PAGE) {
            let mut page = [0; PAGE];
            for (code_point, class) in (first..).zip(&mut page) {
                while runs.get(run + 1).is_some_and(|next| next.0 <= code_point) {
                    run += 1;
                }
                *class = runs[run].1;
            }
            let begin = *known.entry(page).or_insert_with(|| {
                let begin = crate::ids::offset(table.classes.len());
                table.classes.extend(page.map(Class));
                begin
            });
            table.pages.push(begin);
        }
        for (class, known) in table.ascii.iter_mut().zip(&table.classes) {
            *class = *known;
        }
        table
    }

    /// The class of a code point.
    #[inline]
    pub(crate) fn class(&self, code_point: u32) -> Class {
        let begin = self.pages[index(code_point >> PAGE_BITS)];
        self.classes[index(begin + (code_point & 127))]
    }
}

impl Look for ClassTable {
    #[inline]
    fn at(&self, text: &str, position: usize) -> (Class, usize) {
        let bytes = text.as_bytes();
        let Some(&lead) = bytes.get(position) else {
            return (Class(Class::END), position);
        };
        if lead < 0x80 {
            return (self.ascii[usize::from(lead)], position + 1);
        }
        let rest = |place: usize| {
            let byte = bytes.get(position + place).copied().unwrap_or_default();
            u32::from(byte & 0x3F)
        };
        let lead = u32::from(lead);
        let (code_point, length) = match lead {
            ..0xE0 => ((lead & 0x1F) << 6 | rest(1), 2),
            0xE0..0xF0 => ((lead & 0x0F) << 12 | rest(1) << 6 | rest(2), 3),
            _ => (
                (lead & 0x07) << 18 | rest(1) << 12 | rest(2) << 6 | rest(3),
                4,
            ),
        };
        (self.class(code_point), position + length)
    }
}

/// Looks at a text character by character; a part of a text may look like its end.
pub(crate) trait Look {
    /// The class of the code point at a byte of a text, and where the next one
    /// begins. Where the text is over, a class that is in no set.
    fn at(&self, text: &str, position: usize) -> (Class, usize);

    /// The end of the longest run of a set that begins at a byte of a text.
    #[inline]
    fn run(&self, text: &str, mut position: usize, set: Set) -> usize {
        loop {
            let (class, next) = self.at(text, position);
            if !set.has(class) {
                return position;
            }
            position = next;
        }
    }

    /// The end of the run of a set that begins at a byte of a text, of at most
    /// `limit` code points.
    #[inline]
    fn run_of_at_most(&self, text: &str, position: usize, set: Set, limit: u32) -> usize {
        self.run_while(text, position, limit, |class| set.has(class))
    }

    /// The end of the run of classes that pass a test, of at most `limit` code
    /// points. The end of the text must not pass.
    #[inline]
    fn run_while(
        &self,
        text: &str,
        mut position: usize,
        limit: u32,
        passes: impl Fn(Class) -> bool,
    ) -> usize {
        for _ in 0..limit {
            let (class, next) = self.at(text, position);
            if !passes(class) {
                break;
            }
            position = next;
        }
        position
    }
}
