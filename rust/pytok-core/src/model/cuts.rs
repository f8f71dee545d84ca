//! Safe cuts: places in a text that no token can span.
//!
//! Whatever a model makes of a text is a sequence of pieces. If no piece
//! contains the boundary between two neighbouring characters, no merge and no
//! lattice edge crosses it, and the two sides can be encoded apart: for merges
//! the order of the lowest ranks on one side does not depend on the other.
//!
//! Pieces of bytes may begin or end inside a character. The rules are then
//! widened: a piece that begins inside a character stands for all characters
//! with the same last byte, one that ends inside a character for all with the
//! same first byte. The pairs are kept in a filter of bits, which may answer
//! yes for a pair that is not there. Both only give up cuts, never exactness.

use rustc_hash::FxHashSet;

use crate::bit_set::BitSet;
use crate::ids::index;

/// Code points below this have flags of their own.
const BASIC: usize = 0x1_0000;

/// Code points below this are of one byte.
const ASCII: usize = 0x80;

/// Stands for a character of which only the last or the first byte is known;
/// above all code points.
const PARTIAL: u32 = 0x11_0000;

/// The boundaries between characters that some piece contains.
#[derive(Debug, Clone)]
pub(crate) struct Cuts {
    filter: PairFilter,
    /// Characters before which a piece can begin inside the character before.
    after_partial: BitSet,
    /// Characters after which a piece can end inside the next character.
    before_partial: BitSet,
    /// For the last byte of one character, the first bytes of the next one
    /// such that a piece has no more of either.
    partial_both: Box<[u64; 64]>,
}

/// What a piece knows of the characters at a boundary: code points, or
/// [`PARTIAL`] and the low six bits of the byte next to the boundary.
type Boundary = (u32, u32);

impl Cuts {
    /// The cuts that a set of pieces leaves.
    ///
    /// # Complexity
    /// O(n) for n bytes of pieces.
    pub(crate) fn new<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut boundaries = FxHashSet::default();
        // Most are of two ASCII characters, and the same few over and over.
        let mut seen = BitSet::new(ASCII * ASCII);
        pieces.for_each(|piece| {
            collect(piece, |(left, right)| {
                if index(left | right) < ASCII {
                    let pair = index(left) * ASCII + index(right);
                    if seen.contains(pair) {
                        return;
                    }
                    seen.insert(pair);
                }
                boundaries.insert((left, right));
            });
        });
        let mut cuts = Self {
            filter: PairFilter::new(boundaries.len()),
            after_partial: BitSet::new(BASIC),
            before_partial: BitSet::new(BASIC),
            partial_both: Box::new([0; 64]),
        };
        for (left, right) in boundaries {
            match (left.checked_sub(PARTIAL), right.checked_sub(PARTIAL)) {
                (Some(last), Some(first)) => cuts.partial_both[index(last)] |= 1 << first,
                (last, first) => {
                    cuts.filter.insert(left, right);
                    if last.is_some() && index(right) < BASIC {
                        cuts.after_partial.insert(index(right));
                    }
                    if first.is_some() && index(left) < BASIC {
                        cuts.before_partial.insert(index(left));
                    }
                }
            }
        }
        cuts
    }

    /// Whether a piece may contain both of two characters, side by side and
    /// whole: the whole answer where neither [`Cuts::is_edge`].
    #[inline]
    pub(crate) fn may_join(&self, left: u32, right: u32) -> bool {
        self.filter.contains(left, right)
    }

    /// Whether a piece may have a part of what stands beside a character of the
    /// basic plane: before it, after it.
    pub(crate) fn is_edge(&self, code: u32) -> (bool, bool) {
        (
            self.after_partial.contains(index(code)),
            self.before_partial.contains(index(code)) || self.partial_both[index(code & 63)] != 0,
        )
    }

    /// Whether it is certain that no piece contains the boundary between
    /// `left` and `right`. Never between two ASCII characters or beside a
    /// character outside of the basic plane.
    #[inline]
    pub(crate) fn between(&self, left: char, right: char) -> bool {
        let (before, after) = (u32::from(left), u32::from(right));
        !((before | after) < 0x80
            || index(before | after) >= BASIC
            || self.may_join(before, after)
            || self.may_join_parts(before, after))
    }

    /// Where the segment that begins at a byte of a word ends.
    pub(crate) fn segment_end(&self, word: &str, begin: usize) -> usize {
        let mut characters = word[begin..].char_indices();
        let Some((_, mut last)) = characters.next() else {
            return word.len();
        };
        for (place, character) in characters {
            if self.between(last, character) {
                return begin + place;
            }
            last = character;
        }
        word.len()
    }

    /// Whether a piece may contain the boundary between two characters, one of
    /// them not whole. Always beside a character outside of the basic plane.
    #[inline]
    pub(crate) fn may_join_parts(&self, before: u32, after: u32) -> bool {
        if index(before) >= BASIC || index(after) >= BASIC {
            return true;
        }
        // In UTF-8 the last byte has the low six bits of the code point.
        let last = before & 63;
        let first = first_byte(after);
        (self.partial_both[index(last)] >> first) & 1 == 1
            || (self.after_partial.contains(index(after))
                && self.filter.contains(PARTIAL + last, after))
            || (self.before_partial.contains(index(before))
                && self.filter.contains(before, PARTIAL + first))
    }
}

/// The low six bits of the first byte of a character below U+10000.
#[inline]
fn first_byte(code: u32) -> u32 {
    match code {
        0..0x80 => code & 63,
        0x80..0x800 => (0xC0 | code >> 6) & 63,
        _ => (0xE0 | code >> 12) & 63,
    }
}

/// Give the boundaries inside a piece to `found`. A piece that is no part of any
/// valid text has none that matter.
fn collect(piece: &[u8], mut found: impl FnMut(Boundary)) {
    let continues = |byte: &u8| (0x80..0xC0).contains(byte);
    let tail = piece.iter().take_while(|byte| continues(byte)).count();
    let (tail, rest) = piece.split_at(tail);
    let (whole, head) = match std::str::from_utf8(rest) {
        Ok(whole) => (whole, None),
        Err(error) if error.error_len().is_none() => {
            let (whole, head) = rest.split_at(error.valid_up_to());
            (std::str::from_utf8(whole).unwrap_or_default(), head.first())
        }
        Err(_) => return,
    };
    let partial = |byte: &u8| PARTIAL + (u32::from(*byte) & 63);
    let known = tail
        .last()
        .map(partial)
        .into_iter()
        .chain(whole.chars().map(u32::from))
        .chain(head.map(partial));
    let mut left = None;
    for right in known {
        if let Some(left) = left {
            found((left, right));
        }
        left = Some(right);
    }
}

/// A set of pairs that may answer yes for one that is not there: each pair is two
/// bits of one word, so that one memory access tells. Small, since every character
/// of a text asks it.
#[derive(Debug, Clone)]
struct PairFilter(Vec<u64>);

impl PairFilter {
    /// For that many pairs: two or three in a hundred others are then mistaken
    /// for one of them.
    fn new(pairs: usize) -> Self {
        Self(vec![0; (pairs / 4).next_power_of_two()])
    }

    fn insert(&mut self, left: u32, right: u32) {
        let (word, bits) = self.place(left, right);
        self.0[word] |= bits;
    }

    #[inline]
    fn contains(&self, left: u32, right: u32) -> bool {
        let (word, bits) = self.place(left, right);
        self.0[word] & bits == bits
    }

    #[inline]
    #[allow(clippy::as_conversions)] // halves of a product
    fn place(&self, left: u32, right: u32) -> (usize, u64) {
        let pair = u64::from(left) << 32 | u64::from(right);
        let product = u128::from(pair ^ 0x2545_F491_4F6C_DD1D) * 0x9E37_79B9_7F4A_7C15;
        let hash = product as u64 ^ (product >> 64) as u64;
        let bits = 1 << (hash & 63) | 1 << (hash >> 6 & 63);
        ((hash >> 12) as usize & (self.0.len() - 1), bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Random;

    const CHARACTERS: [char; 13] = [
        'a', ' ', 'é', '©', 'ÿ', 'ā', '中', '丁', '国', '仭', '\u{FFFD}', '😀', '😃',
    ];

    /// Whether some piece occurs in `left right`, in some surroundings, across
    /// the boundary: by trying all surroundings.
    fn crossed(pieces: &[Vec<u8>], left: char, right: char) -> bool {
        let text = format!("{left}{right}");
        let boundary = left.len_utf8();
        pieces.iter().any(|piece| {
            // The piece may stick out on both sides of the two characters.
            (1..piece.len()).any(|cut| {
                let (before, after) = piece.split_at(cut);
                let (known_before, known_after) = text.as_bytes().split_at(boundary);
                (before.ends_with(known_before) || known_before.ends_with(before))
                    && (after.starts_with(known_after) || known_after.starts_with(after))
            })
        })
    }

    #[test]
    fn a_cut_is_never_inside_a_piece() {
        let mut random = Random::new(11);
        let (mut cut, mut uncut) = (0, 0);
        for _ in 0..400 {
            let mut pieces = Vec::new();
            for _ in 0..random.below(12) {
                let text: String = (0..4)
                    .map(|_| CHARACTERS[random.below(CHARACTERS.len())])
                    .collect();
                let start = random.below(text.len());
                let end = start + 1 + random.below(text.len() - start);
                pieces.push(text.as_bytes()[start..end].to_vec());
            }
            let cuts = Cuts::new(pieces.iter().map(Vec::as_slice));
            for left in CHARACTERS {
                for right in CHARACTERS {
                    let safe = cuts.between(left, right);
                    assert!(!(safe && crossed(&pieces, left, right)), "{left}{right}");
                    cut += u32::from(safe);
                    uncut += u32::from(!safe);
                }
            }
        }
        assert!(cut > 1000 && uncut > 1000);
    }

    #[test]
    fn first_and_last_bytes_are_those_of_utf8() {
        for character in '\0'..='\u{FFFF}' {
            let mut buffer = [0; 4];
            let bytes = character.encode_utf8(&mut buffer).as_bytes();
            let code = u32::from(character);
            assert_eq!(first_byte(code), u32::from(bytes[0]) & 63);
            assert_eq!(code & 63, u32::from(bytes[bytes.len() - 1]) & 63);
        }
    }

    #[test]
    fn without_pieces_every_basic_boundary_is_a_cut() {
        let cuts = Cuts::new(std::iter::empty());
        assert!(cuts.between('中', '国'));
        assert!(cuts.between('a', '国'));
        assert!(!cuts.between('a', 'b'));
        assert!(!cuts.between('中', '😀'));
        let cuts = Cuts::new(["中国", "国a"].iter().map(|piece| piece.as_bytes()));
        assert!(!cuts.between('中', '国'));
        assert!(!cuts.between('国', 'a'));
        assert!(cuts.between('国', '中'));
    }
}
