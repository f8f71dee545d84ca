//! A set of characters that is looked up in UTF-8, without decoding.

/// The characters with which a key begins, and those with which a description
/// sequence may begin. Characters of four bytes are all in it.
#[derive(Debug)]
pub(super) struct Starts {
    /// Whether a first byte decides: ASCII that is not in the set is passed over.
    one: [bool; 128],
    /// The first and the last ASCII of the set; 0xff, which is in no text, where it
    /// has none.
    ascii: (u8, u8),
    /// Whether a first byte of two has a character of the set.
    two: [bool; 32],
    /// By the first two bytes of three, a bit for each third byte.
    three: Vec<u64>,
}

impl Default for Starts {
    fn default() -> Self {
        let mut starts = Self {
            one: [false; 128],
            ascii: (0xff, 0xff),
            two: [false; 32],
            three: vec![0; 1 << 10],
        };
        ('\u{2ff0}'..='\u{2fff}').for_each(|operator| starts.add(operator));
        starts
    }
}

impl Starts {
    /// Add a character.
    pub(super) fn add(&mut self, character: char) {
        match *character.encode_utf8(&mut [0; 4]).as_bytes() {
            [only] => {
                self.one[usize::from(only)] = true;
                let (first, last) = self.ascii;
                let last = if last == 0xff { only } else { last.max(only) };
                self.ascii = (first.min(only), last);
            }
            [first, _] => self.two[usize::from(first & 0x1f)] = true,
            [first, second, third] => self.three[pair(first, second)] |= 1 << (third & 0x3f),
            _ => {}
        }
    }

    /// The first place from `at` on where a character of the set begins, or the
    /// length; `text` is UTF-8 and `at` is where a character begins.
    #[inline]
    pub(super) fn next(&self, text: &[u8], mut at: usize) -> usize {
        while let Some(&first) = text.get(at) {
            at += match first {
                0..0x80 if self.one[usize::from(first)] => return at,
                0..0x80 => self.passed(&text[at..]),
                0x80..0xe0 if self.two[usize::from(first & 0x1f)] => return at,
                0x80..0xe0 => 2,
                0xe0..0xf0 => {
                    let (second, third) = (text[at + 1], text[at + 2]);
                    if self.three[pair(first, second)] >> (third & 0x3f) & 1 == 1 {
                        return at;
                    }
                    3
                }
                0xf0.. => return at,
            };
        }
        at
    }

    /// How many bytes of ASCII that is not between the first and the last of the set
    /// a text begins with; its first byte counts in any case.
    #[inline]
    fn passed(&self, text: &[u8]) -> usize {
        let (first, last) = self.ascii;
        let stops = |byte: u8| byte >= 0x80 || byte.wrapping_sub(first) <= last - first;
        let mut passed = 0;
        // Sixteen at a time, without branches.
        while let Some(part) = text[passed..].first_chunk::<16>() {
            if part.iter().fold(false, |any, &byte| any | stops(byte)) {
                break;
            }
            passed += part.len();
        }
        let rest = text[passed..].iter();
        (passed + rest.take_while(|&&byte| !stops(byte)).count()).max(1)
    }
}

#[inline]
fn pair(first: u8, second: u8) -> usize {
    usize::from(first & 0xf) << 6 | usize::from(second & 0x3f)
}
