//! Characters that normalisation copies: most of every text.

use super::user_symbols::UserSymbols;
use crate::bit_set::BitSet;
use crate::ids::index;
use crate::normalize::charsmap::CharsMap;

/// Code points below this can be in a set.
const BASIC: usize = 0x1_0000;

/// The characters of the basic plane that no rule and no user-defined symbol
/// begins with. Spaces are left out: they become marks.
///
/// Most rules that begin with a letter put it together with the accents that
/// follow it. So a character of ASCII that another one follows, or nothing, is
/// looked for in a set of its own.
#[derive(Debug, Clone)]
pub(super) struct PlainCharacters {
    /// Those that are not ASCII.
    others: BitSet,
    /// A bit for each of ASCII, whatever follows, and when no other script does.
    ascii: u128,
    before_ascii: u128,
    /// Whether a space, too, is what no rule and no symbol begins with: whatever
    /// follows, and when no other script does.
    space: bool,
    space_before_ascii: bool,
}

impl PlainCharacters {
    pub(super) fn new(charsmap: Option<&CharsMap>, symbols: Option<&UserSymbols>) -> Self {
        let begins = |bytes: &[u8]| {
            charsmap.is_some_and(|map| map.begins_with(bytes))
                || symbols.is_some_and(|symbols| symbols.begin_with(bytes))
        };
        let mut plain = Self {
            others: BitSet::new(BASIC),
            ascii: 0,
            before_ascii: 0,
            space: !begins(b" "),
            space_before_ascii: is_plain_before_ascii(b' ', begins),
        };
        let mut buffer = [0; 4];
        for character in '\u{80}'..='\u{FFFF}' {
            if !begins(character.encode_utf8(&mut buffer).as_bytes()) {
                plain.others.insert(index(u32::from(character)));
            }
        }
        for byte in (0..0x80).filter(|&byte| byte != b' ') {
            plain.ascii |= u128::from(!begins(&[byte])) << byte;
            plain.before_ascii |= u128::from(is_plain_before_ascii(byte, begins)) << byte;
        }
        plain
    }

    #[cfg(test)]
    pub(super) fn none() -> Self {
        Self {
            others: BitSet::default(),
            ascii: 0,
            before_ascii: 0,
            space: false,
            space_before_ascii: false,
        }
    }

    /// How many bytes the plain characters have that a text begins with.
    ///
    /// # Complexity
    /// O(n) for n such bytes.
    #[inline]
    pub(super) fn run(&self, text: &str) -> usize {
        let is_plain = |character| self.others.contains(index(u32::from(character)));
        let mut place = 0;
        loop {
            let set = match text.as_bytes()[place..] {
                [byte] | [byte, 0..0x80, ..] if byte < 0x80 => self.before_ascii >> byte,
                [byte, ..] if byte < 0x80 => self.ascii >> byte,
                [] => return place,
                _ => {
                    let mut characters = text[place..].char_indices();
                    match characters.find(|&(_, character)| !is_plain(character)) {
                        None => return text.len(),
                        Some((length, character)) if character.is_ascii() => place += length,
                        Some((length, _)) => return place + length,
                    }
                    continue;
                }
            };
            if set & 1 == 0 {
                return place;
            }
            place += 1;
        }
    }

    /// Whether a text begins with a space that is nothing else.
    #[inline]
    pub(super) fn is_space(&self, text: &[u8]) -> bool {
        match *text {
            [b' '] | [b' ', 0..0x80, ..] => self.space_before_ascii,
            [b' ', ..] => self.space,
            _ => false,
        }
    }
}

/// Whether nothing begins with a byte of ASCII, alone or with another.
fn is_plain_before_ascii(byte: u8, begins: impl Fn(&[u8]) -> bool) -> bool {
    (0..0x80).all(|next| !begins(&[byte, next]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalize::charsmap::tests::accents_bytes;

    #[test]
    fn without_rules_all_but_spaces_are_plain() {
        let plain = PlainCharacters::new(None, None);
        for text in [" ", " a", " 中"] {
            assert!(plain.is_space(text.as_bytes()));
        }
        assert!(!plain.is_space(b"a") && !plain.is_space(b""));
        for (text, run) in [("", 0), (" a", 0), ("中a\0\u{FFFF} b", 8), ("a😀", 1)] {
            assert_eq!(plain.run(text), run, "{text:?}");
        }
    }

    #[test]
    fn nothing_that_a_rule_changes_is_in_a_run() {
        let map = CharsMap::parse(&accents_bytes()).unwrap();
        let plain = PlainCharacters::new(Some(&map), None);
        let alphabet: Vec<char> = "abcde \n中国▁😀\u{301}ﬁ①".chars().collect();
        let mut in_runs = 0;
        for number in 0..alphabet.len().pow(4) {
            let (mut rest, mut text) = (number, String::new());
            while rest > 0 {
                text.push(alphabet[rest % alphabet.len()]);
                rest /= alphabet.len();
            }
            let run = plain.run(&text);
            for (place, _) in text[..run].char_indices() {
                assert!(
                    map.longest_prefix(&text.as_bytes()[place..]).is_none(),
                    "{text:?}"
                );
            }
            assert!(!text[..run].contains(' '));
            in_runs += run;
            let is_changed = map.longest_prefix(text.as_bytes()).is_some();
            assert!(!plain.is_space(text.as_bytes()) || !is_changed && text.starts_with(' '));
        }
        assert!(in_runs > 10_000, "{in_runs}");
    }
}
