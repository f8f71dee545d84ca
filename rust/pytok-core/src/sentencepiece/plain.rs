//! Characters that normalisation copies: most of every text.

use super::user_symbols::UserSymbols;
use crate::ids::index;
use crate::normalize::charsmap::CharsMap;

/// Code points below this have a bit.
const BASIC: usize = 0x1_0000;

/// The characters of the basic plane that no rule and no user-defined symbol
/// begins with. The space is left out: it becomes a mark.
#[derive(Debug, Clone)]
pub(super) struct PlainCharacters {
    bits: Vec<u64>,
    /// Whether a space, too, is what no rule and no symbol begins with.
    pub(super) space: bool,
}

impl PlainCharacters {
    pub(super) fn new(charsmap: Option<&CharsMap>, symbols: Option<&UserSymbols>) -> Self {
        let mut plain = Self {
            bits: vec![0; BASIC / 64],
            space: false,
        };
        let mut buffer = [0; 4];
        for character in '\0'..='\u{FFFF}' {
            let bytes = character.encode_utf8(&mut buffer).as_bytes();
            let begins = charsmap.is_some_and(|map| map.begins_with(bytes))
                || symbols.is_some_and(|symbols| symbols.begin_with(bytes));
            if begins {
                continue;
            }
            if character == ' ' {
                plain.space = true;
            } else {
                let code = index(u32::from(character));
                plain.bits[code / 64] |= 1 << (code % 64);
            }
        }
        plain
    }

    #[cfg(test)]
    pub(super) fn none() -> Self {
        Self {
            bits: Vec::new(),
            space: false,
        }
    }

    /// How many bytes the plain characters have that a text begins with.
    ///
    /// # Complexity
    /// O(n) for n such bytes.
    #[inline]
    pub(super) fn run(&self, text: &str) -> usize {
        let end = text.char_indices().find(|&(_, character)| {
            let code = index(u32::from(character));
            let bits = self.bits.get(code / 64).copied().unwrap_or_default();
            bits >> (code % 64) & 1 == 0
        });
        end.map_or(text.len(), |(place, _)| place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_rules_all_but_spaces_are_plain() {
        let plain = PlainCharacters::new(None, None);
        assert!(plain.space);
        for (text, run) in [("", 0), (" a", 0), ("中a\0\u{FFFF} b", 8), ("a😀", 1)] {
            assert_eq!(plain.run(text), run, "{text:?}");
        }
    }
}
