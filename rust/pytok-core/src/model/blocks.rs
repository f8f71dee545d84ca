//! Some characters of a word at a time, all looked at before any is encoded:
//! where one can be cut from the next does not depend on how others are cut, so
//! the processor works on many at once.

use crate::ids::{index, offset};

/// How many characters are looked at together: the bits of a mask.
pub(super) const BLOCK: usize = 64;

/// A character and what a model knows of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen<K> {
    pub(super) code: u32,
    pub(super) known: K,
}

/// How two neighbours stand to each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joint {
    /// They can not be cut.
    pub(super) joined: bool,
    /// More than the pair of them decides what they become.
    pub(super) rough: bool,
}

/// What a model knows of characters, and of two that stand side by side.
pub(super) trait Alphabet {
    /// What is known of a character.
    type Known: Copy + Default;
    /// What is known of two characters.
    type Pair: Copy + Default;

    fn known(&self, code: u32) -> Self::Known;

    /// Whether what is known of a character is enough for its segment.
    fn is_smooth(known: Self::Known) -> bool;

    fn joint(&self, before: Seen<Self::Known>, after: Seen<Self::Known>) -> Joint;

    /// Asked of neighbours that are joined and not rough.
    fn pair(&self, before: Seen<Self::Known>, after: Seen<Self::Known>) -> Self::Pair;

    /// Where the segment that begins at a byte of a word ends.
    fn segment_end(&self, word: &str, begin: usize) -> usize;
}

/// The characters of a part of a word.
#[derive(Debug)]
pub(super) struct Block<A: Alphabet> {
    codes: [u32; BLOCK],
    known: [A::Known; BLOCK],
    /// Where each begins in the word, and where the last one ends.
    places: [u32; BLOCK + 1],
    /// Of a character and the one before it, where they are joined and not rough.
    pairs: [A::Pair; BLOCK],
    /// Bit i: character i can not be cut from the one before it.
    joined: u64,
    /// Bit i: character i, or it beside the one before it, is not smooth.
    rough: u64,
    count: usize,
}

impl<A: Alphabet> Default for Block<A> {
    fn default() -> Self {
        Self {
            codes: [0; BLOCK],
            known: [A::Known::default(); BLOCK],
            places: [0; BLOCK + 1],
            pairs: [A::Pair::default(); BLOCK],
            joined: 0,
            rough: 0,
            count: 0,
        }
    }
}

impl<A: Alphabet> Block<A> {
    /// Cut a word into segments. Hand each that lies within a block to `short`,
    /// by the numbers of its first character and of the one behind it, and the
    /// bytes of each other one to `long`.
    ///
    /// # Complexity
    /// O(n) for n bytes, besides what is called.
    #[inline]
    pub(super) fn each_segment<T>(
        &mut self,
        alphabet: &A,
        word: &str,
        to: &mut T,
        short: impl Fn(&Self, usize, usize, &mut T),
        long: impl Fn(&str, &mut T),
    ) {
        let mut begin = 0;
        while begin < word.len() {
            let (count, end) = self.read(alphabet, word, begin);
            let is_last = end == word.len();
            let mut starts = self.starts();
            let mut start = 0;
            while start < count {
                let next = match starts.trailing_zeros() {
                    64 => count,
                    next => index(next),
                };
                starts &= starts.wrapping_sub(1);
                if next == count && !is_last {
                    break;
                }
                short(self, start, next, to);
                start = next;
            }
            if start == 0 {
                // A segment longer than a block.
                let end = alphabet.segment_end(word, begin);
                long(&word[begin..end], to);
                begin = end;
            } else {
                begin = self.place(start);
            }
        }
    }

    /// Look at the characters from a byte of a word on. Returns how many there
    /// are, and where the last one ends.
    #[inline]
    fn read(&mut self, alphabet: &A, word: &str, begin: usize) -> (usize, usize) {
        let mut count = 0;
        let mut end = begin;
        self.rough = 0;
        for character in word[begin..].chars().take(BLOCK) {
            let code = u32::from(character);
            let known = alphabet.known(code);
            self.codes[count] = code;
            self.known[count] = known;
            self.places[count] = offset(end);
            self.rough |= u64::from(!A::is_smooth(known)) << count;
            end += character.len_utf8();
            count += 1;
        }
        self.places[count] = offset(end);
        self.count = count;
        self.joined = 0;
        for right in 1..count {
            let joint = alphabet.joint(self.seen(right - 1), self.seen(right));
            self.rough |= u64::from(joint.rough) << right;
            self.joined |= u64::from(joint.joined) << right;
        }
        // Reading ahead: by the time that a segment asks, the pair is there.
        let mut joined = self.joined & !self.rough;
        while joined != 0 {
            let right = index(joined.trailing_zeros());
            joined &= joined - 1;
            self.pairs[right] = alphabet.pair(self.seen(right - 1), self.seen(right));
        }
        (count, end)
    }

    #[inline]
    fn seen(&self, character: usize) -> Seen<A::Known> {
        Seen {
            code: self.codes[character],
            known: self.known[character],
        }
    }

    /// What is known of a character and the one before it.
    #[inline]
    pub(super) fn pair(&self, right: usize) -> A::Pair {
        self.pairs[right]
    }

    /// Bit i: a segment begins at character i; not for the first one.
    #[inline]
    fn starts(&self) -> u64 {
        let all = u64::MAX >> (BLOCK - self.count);
        !self.joined & all & !1
    }

    /// Where a character begins in the word, or the last one ends.
    #[inline]
    pub(super) fn place(&self, character: usize) -> usize {
        index(self.places[character])
    }

    /// What is known of the characters of a segment.
    #[inline]
    pub(super) fn known(&self, start: usize, end: usize) -> &[A::Known] {
        &self.known[start..end]
    }

    /// Whether what is known of the characters of a segment and of its pairs is
    /// enough to encode it.
    #[inline]
    pub(super) fn is_smooth(&self, start: usize, end: usize) -> bool {
        let segment = (u64::MAX >> (BLOCK - (end - start))) << start;
        self.rough & segment == 0
    }
}
