//! Words to segments: Chinese clauses are long, rarely repeat, and fall apart.
//!
//! A word is cut wherever [`Cuts`] allows and each segment is encoded on its
//! own. On modern Chinese a segment has 1.7 characters on average. Most are a
//! single character, whose token stands in a table, or two, which one look-up
//! joins or leaves apart.
//!
//! A segment of several characters can start from their tokens, not from bytes,
//! if each is an *atom*: one token, all of whose inner merges rank before every
//! merge that joins the character with others. Then the merges inside of
//! characters are never disturbed, and when a merge across characters comes,
//! the characters on both of its sides are complete, whether merging began with
//! bytes or with characters. Other segments are merged from bytes.
//!
//! Only merging is local: that a whole word may be a token without being made
//! by merges is settled before a word is cut.

use super::super::blocks::{Alphabet, Block, Joint, Seen};
use super::super::bpe::merges::{Merge, MergeTable, Merges};
use super::super::bpe::packed::PackedMerges;
use super::super::bpe::short::{SHORT, merge_short};
use super::super::cuts::Cuts;
use super::super::vocabulary::Vocabulary;
use crate::ids::{index, offset};

/// Code points below this have an entry in the table.
const BASIC: usize = 0x1_0000;

/// What is known of a character: its flags, and its token or, if it is none,
/// where its tokens stand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Character(u32);

impl Default for Character {
    fn default() -> Self {
        Self::OTHER
    }
}

impl Character {
    /// Merging makes one token of it.
    const ONE: u32 = 1 << 31;
    /// See the module.
    const ATOM: u32 = 1 << 30;
    /// A piece may have a part of the character before it.
    const AFTER: u32 = 1 << 29;
    /// A piece may have a part of the character after it.
    const BEFORE: u32 = 1 << 28;
    const VALUE: u32 = Self::BEFORE - 1;
    /// Of a character that has no entry.
    const OTHER: Self = Self(Self::AFTER | Self::BEFORE | Self::VALUE);

    fn has(self, flag: u32) -> bool {
        self.0 & flag != 0
    }

    #[inline]
    fn is_atom(self) -> bool {
        self.has(Self::ATOM)
    }

    /// Whether more than whole characters decides between it and the next one.
    #[inline]
    fn is_edge(self, next: Self) -> bool {
        (self.0 & Self::BEFORE) | (next.0 & Self::AFTER) != 0
    }

    #[inline]
    fn value(self) -> u32 {
        self.0 & Self::VALUE
    }
}

/// The cuts of a vocabulary and the tokens of characters.
#[derive(Debug)]
pub(crate) struct Segments {
    cuts: Cuts,
    /// The characters of the basic plane.
    characters: Vec<Character>,
    /// The tokens of characters that are two or three.
    several: Vec<u32>,
    /// The merges of whole characters.
    merges: PackedMerges,
}

impl Segments {
    /// For a vocabulary whose merges are those of `merges`; `cuts` are those of
    /// the pieces that can occur, `bytes` has the token of each byte.
    ///
    /// `None` when ids do not fit beside the flags.
    pub(super) fn new(
        vocabulary: &Vocabulary,
        bytes: &[u32; 256],
        merges: &MergeTable,
        cuts: Cuts,
    ) -> Option<Self> {
        let crossing = Crossing::new(vocabulary, merges);
        let (mut characters, mut several) = (Vec::with_capacity(BASIC), Vec::new());
        let mut buffer = [0; 4];
        for code in 0..offset(BASIC) {
            let Some(character) = char::from_u32(code) else {
                characters.push(Character::OTHER);
                continue;
            };
            let (after, before) = cuts.is_edge(code);
            let (after, before) = (
                if after { Character::AFTER } else { 0 },
                if before { Character::BEFORE } else { 0 },
            );
            let spelled = character.encode_utf8(&mut buffer).as_bytes();
            let (mut ids, mut count) = ([0; 3], spelled.len());
            ids.iter_mut()
                .zip(spelled)
                .for_each(|(id, &byte)| *id = bytes[usize::from(byte)]);
            let rank = merge_character(merges, &mut ids, &mut count);
            let kind = if count > 1 {
                let place = offset(several.len());
                several.extend(ids);
                place
            } else if rank.is_none_or(|rank| rank < crossing.least[index(code)]) {
                Character::ONE | Character::ATOM | ids[0]
            } else {
                Character::ONE | ids[0]
            };
            if kind & (Character::AFTER | Character::BEFORE) != 0 {
                return None;
            }
            characters.push(Character(kind | after | before));
        }
        Some(Self {
            cuts,
            characters,
            several,
            merges: PackedMerges::new(crossing.merges)?,
        })
    }

    /// Cut a word, append the ids of each segment, and hand those segments to
    /// `merge` that have to be merged from bytes.
    ///
    /// # Complexity
    /// O(n) for n bytes, besides merging.
    #[inline]
    pub(super) fn encode(
        &self,
        word: &str,
        block: &mut Block<Self>,
        ids: &mut Vec<u32>,
        merge: impl FnMut(&str, &mut Vec<u32>),
    ) {
        block.each_segment(
            self,
            word,
            &mut (ids, merge),
            |block, start, end, (ids, merge)| self.segment(word, block, start, end, ids, merge),
            |segment, (ids, merge)| merge(segment, ids),
        );
    }

    /// Append the ids of the segment of the characters `start..end` of a block.
    #[inline]
    fn segment(
        &self,
        word: &str,
        block: &Block<Self>,
        start: usize,
        end: usize,
        ids: &mut Vec<u32>,
        merge: &mut impl FnMut(&str, &mut Vec<u32>),
    ) {
        let characters = block.known(start, end);
        match *characters {
            [alone] if alone.has(Character::ONE) => ids.push(alone.value()),
            [alone] if alone.value() != Character::VALUE => {
                let place = index(alone.value());
                let spelled = &self.several[place..place + 3];
                let count = if spelled[2] == NO_ID { 2 } else { 3 };
                ids.extend_from_slice(&spelled[..count]);
            }
            _ if !block.is_smooth(start, end) => {
                merge(&word[block.place(start)..block.place(end)], ids);
            }
            [left, right] => {
                let (left, right) = (left.value(), right.value());
                match self.merges.get_from(block.pair(start + 1), left, right) {
                    Some(merge) => ids.push(merge.id),
                    None => ids.extend_from_slice(&[left, right]),
                }
            }
            [first, second, third] => {
                let tokens = [first.value(), second.value(), third.value()];
                self.merge_three(tokens, [block.pair(start + 1), block.pair(start + 2)], ids);
            }
            _ if characters.len() <= SHORT => {
                let before = ids.len();
                ids.extend(characters.iter().map(|character| character.value()));
                let extents = &mut [(); SHORT][..characters.len()];
                let count = merge_short(&self.merges, &mut ids[before..], extents);
                ids.truncate(before + count);
            }
            _ => merge(&word[block.place(start)..block.place(end)], ids),
        }
    }

    #[inline]
    fn merge_three(&self, [first, second, third]: [u32; 3], slots: [u64; 2], ids: &mut Vec<u32>) {
        let left = self.merges.get_from(slots[0], first, second);
        let right = self.merges.get_from(slots[1], second, third);
        // Of equal ranks the leftmost goes first.
        let (left, right) = match (left, right) {
            (None, None) => return ids.extend_from_slice(&[first, second, third]),
            (Some(left), Some(right)) if left.rank <= right.rank => (left.id, third),
            (Some(left), None) => (left.id, third),
            (_, Some(right)) => (first, right.id),
        };
        match self.merges.get(left, right) {
            Some(merge) => ids.push(merge.id),
            None => ids.extend_from_slice(&[left, right]),
        }
    }
}

impl Alphabet for Segments {
    type Known = Character;
    /// What the merge of two atoms is looked for in.
    type Pair = u64;

    #[inline]
    fn known(&self, code: u32) -> Character {
        let known = self.characters.get(index(code));
        known.copied().unwrap_or(Character::OTHER)
    }

    #[inline]
    fn is_smooth(known: Character) -> bool {
        known.is_atom()
    }

    #[inline]
    fn joint(&self, before: Seen<Character>, after: Seen<Character>) -> Joint {
        let ascii = (before.code | after.code) < 0x80;
        let partial =
            before.known.is_edge(after.known) && self.cuts.may_join_parts(before.code, after.code);
        Joint {
            joined: ascii || partial || self.cuts.may_join(before.code, after.code),
            rough: ascii | partial,
        }
    }

    #[inline]
    fn pair(&self, before: Seen<Character>, after: Seen<Character>) -> u64 {
        let (left, right) = (before.known.value(), after.known.value());
        self.merges.first(left, right)
    }

    fn segment_end(&self, word: &str, begin: usize) -> usize {
        self.cuts.segment_end(word, begin)
    }
}

/// Fills the place of a third token that is not there.
const NO_ID: u32 = u32::MAX;

/// Merge the `count` bytes of a character in place and return the highest rank
/// of the merges that took place.
fn merge_character(merges: &MergeTable, ids: &mut [u32; 3], count: &mut usize) -> Option<u32> {
    let mut highest = None;
    while *count > 1 {
        let pairs = (1..*count).filter_map(|right| {
            let merge = merges.get(ids[right - 1], ids[right])?;
            Some((merge.rank, right, merge.id))
        });
        let Some((rank, right, id)) = pairs.min() else {
            break;
        };
        ids[right - 1] = id;
        ids.copy_within(right + 1.., right);
        *count -= 1;
        highest = highest.max(Some(rank));
    }
    ids[*count..].fill(NO_ID);
    highest
}

/// The merges that join whole characters, not all of them ASCII.
struct Crossing {
    merges: Vec<(u32, u32, Merge)>,
    /// For each code point of the basic plane, the least rank of a merge that
    /// makes a piece of it and others.
    least: Vec<u32>,
}

impl Crossing {
    fn new(vocabulary: &Vocabulary, merges: &MergeTable) -> Self {
        let mut crossing = Self {
            merges: Vec::new(),
            least: vec![u32::MAX; BASIC],
        };
        for (left, right, merge) in merges.iter() {
            // Pieces that are not spelled in bytes never arise.
            let piece = vocabulary.piece(merge.id).map(std::str::from_utf8);
            let Some(Ok(piece)) = piece else { continue };
            if piece.is_ascii() || piece.chars().nth(1).is_none() {
                continue;
            }
            for character in piece.chars() {
                if let Some(least) = crossing.least.get_mut(index(u32::from(character))) {
                    *least = merge.rank.min(*least);
                }
            }
            crossing.merges.push((left, right, merge));
        }
        crossing
    }
}
