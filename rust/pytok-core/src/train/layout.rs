//! Words laid out in the pieces that there are before anything is merged.
//!
//! Where pieces are whole characters or parts of one, what the bytes of a
//! character are merged to depends on the character alone: no pair of a part and
//! of something beside the character is ever merged. So a character is one symbol
//! from the beginning, and its bytes stand in a word of their own, which occurs
//! as often as the character does. When that word has become a single piece, the
//! character is that piece wherever it stands ([`super::step`]). Most of the
//! places that a run over bytes would merge are never made.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::arena::{Arena, Builder, check_size, in_order};
use super::pieces::{Pieces, Shape};
use super::threads::{over_items, over_ranges};
use super::word_table::WordTable;
use crate::error::Result;

/// With more bytes, the words of characters might need more places than there are.
const MOST_BYTES: usize = 1 << 31;

/// Lay the words out. Pieces from `first` on are merged already: each is the
/// beginning of a character, so the longest one that begins a character is what
/// it comes to.
///
/// # Errors
/// When the words have 4 GiB or more together.
pub(super) fn lay_out(
    words: &WordTable,
    pieces: &mut Pieces,
    first: u32,
    char_align: bool,
    threads: usize,
) -> Result<Arena> {
    let may_span = char_align && words.total_bytes() < MOST_BYTES;
    let orders = over_ranges(words.len(), threads, |range| {
        let order = in_order(words.range(range));
        let in_chars = may_span && order.iter().all(|(word, _)| is_apart(word));
        (order, in_chars)
    });
    check_size(orders.iter().flat_map(|(order, _)| order))?;
    if orders.iter().all(|&(_, in_chars)| in_chars) {
        pieces.span_chars();
    }
    let known = Known::new(pieces, first);
    let parts = over_items(orders, |(order, _)| known.lay_out(&order));
    let mut arena = Builder::new(0);
    let mut unborn: BTreeMap<char, u64> = BTreeMap::new();
    for (part, counts) in parts {
        arena.append(part);
        for (character, count) in counts {
            let known = unborn.entry(character).or_insert(0);
            *known = known.saturating_add(count);
        }
    }
    for (character, count) in unborn {
        let mut buffer = [0; 4];
        let bytes = character.encode_utf8(&mut buffer);
        known.push_bytes(bytes.as_bytes(), &mut arena);
        arena.end_word(count);
    }
    Ok(arena.finish())
}

/// Whether a word is laid out alike in characters and in bytes: no character is
/// followed by a byte that may be merged with its parts, one from inside a
/// character, but of none.
fn is_apart(word: &[u8]) -> bool {
    word.utf8_chunks().all(|chunk| {
        let is_wide = chunk
            .valid()
            .bytes()
            .last()
            .is_some_and(|byte| !byte.is_ascii());
        let next = chunk.invalid().first();
        !is_wide || next.is_none_or(|&byte| Shape::of(&[byte]) != Shape::Inside)
    })
}

/// What text is laid out in.
struct Known<'a> {
    pieces: &'a Pieces,
    bytes: [u32; 256],
    sure: FxHashMap<&'a [u8], u32>,
}

impl<'a> Known<'a> {
    fn new(pieces: &'a Pieces, first: u32) -> Self {
        let mut bytes = [0; 256];
        for byte in 0..=u8::MAX {
            bytes[usize::from(byte)] = pieces.id(&[byte]).unwrap_or_default();
        }
        let sure = (first..pieces.len()).map(|id| (pieces.bytes(id), id));
        Self {
            pieces,
            bytes,
            sure: sure.collect(),
        }
    }

    /// Words laid out, and how often they have the characters that are no pieces.
    fn lay_out(&self, words: &[(&[u8], u64)]) -> (Builder, FxHashMap<char, u64>) {
        let mut arena = Builder::new(words.iter().map(|(word, _)| word.len() + 1).sum());
        let mut unborn = FxHashMap::default();
        for &(word, count) in words {
            if self.pieces.spans_chars() {
                self.push_chars(word, &mut arena, |character| {
                    let known = unborn.entry(character).or_insert(0_u64);
                    *known = known.saturating_add(count);
                });
            } else {
                self.push_bytes(word, &mut arena);
            }
            arena.end_word(count);
        }
        (arena, unborn)
    }

    /// Append characters; `unborn` is called with those that are no pieces.
    fn push_chars(&self, word: &[u8], arena: &mut Builder, mut unborn: impl FnMut(char)) {
        for chunk in word.utf8_chunks() {
            let text = chunk.valid();
            for (start, character) in text.char_indices() {
                let bytes = &text.as_bytes()[start..start + character.len_utf8()];
                if let [byte] = *bytes {
                    arena.push(self.bytes[usize::from(byte)], 1);
                } else if let Some(&id) = self.sure.get(bytes) {
                    arena.push(id, 1);
                } else {
                    arena.push_unborn(character);
                    unborn(character);
                }
            }
            self.push_bytes(chunk.invalid(), arena);
        }
    }

    /// Append bytes.
    fn push_bytes(&self, word: &[u8], arena: &mut Builder) {
        let mut rest = word;
        while let Some(&byte) = rest.first() {
            let most = match byte {
                0xC0..0xE0 => 2,
                0xE0..0xF0 => 3,
                0xF0.. => 4,
                _ => 1,
            };
            let longest = (2..=most.min(rest.len()))
                .rev()
                .find_map(|length| Some((length, *self.sure.get(&rest[..length])?)));
            let (length, id) = longest.unwrap_or((1, self.bytes[usize::from(byte)]));
            arena.push(id, length);
            rest = &rest[length..];
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::model::Random;
    use crate::train::bpe::Run;
    use crate::train::config::{BpeConfig, Tie};
    use crate::train::pairs::Symbols;
    use crate::train::progress::{Meter, Progress};
    use crate::train::rules::Rules;
    use crate::train::sure_pieces::make_sure;

    /// Words of characters, and of bytes that are none.
    fn random_words(random: &mut Random) -> WordTable {
        const PARTS: [&[&[u8]]; 4] = [
            &["学".as_bytes(), "而".as_bytes(), "孧".as_bytes(), b"a"],
            &["é".as_bytes(), "è".as_bytes(), "😀".as_bytes(), b"\xE5"],
            &["学".as_bytes(), b"\xE5\xAD", b"\xAD", b"a"],
            &["学".as_bytes(), "孧".as_bytes(), "学".as_bytes()],
        ];
        let parts = PARTS[random.below(4)];
        let mut words = WordTable::default();
        for _ in 0..3 + random.below(30) {
            let length = 1 + random.below(9);
            let word: Vec<&[u8]> = (0..length)
                .map(|_| parts[random.below(parts.len())])
                .collect();
            words.add(&word.concat(), 1 + u64::try_from(random.below(5)).unwrap());
        }
        words
    }

    /// Merges and counts of a run, and whether its words lay in characters.
    fn run(
        words: &WordTable,
        config: &BpeConfig,
        in_chars: bool,
        threads: usize,
    ) -> (Vec<Symbols>, Vec<u64>, bool) {
        let rules = Rules::new(config, &config.required_chars, words).unwrap();
        let mut pieces = Pieces::new(&[]);
        let first = pieces.len();
        make_sure(&mut pieces, config, &config.required_chars);
        let arena = lay_out(words, &mut pieces, first, in_chars, threads).unwrap();
        let mut run = Run::new(pieces, arena, &rules, config.tie, config.min_frequency);
        run.find_pairs();
        let mut go_on = |_: Progress| ControlFlow::Continue(());
        let _ = run.merge_all(config.vocab_size, &mut Meter::new(&mut go_on));
        let counts = run.arena.counts(&run.pieces);
        (run.merges, counts, run.pieces.spans_chars())
    }

    #[test]
    fn characters_merge_as_their_bytes_do() {
        let mut random = Random::new(41);
        let mut in_chars = 0;
        for round in 0..2000 {
            let words = random_words(&mut random);
            let mut config = BpeConfig::new(258 + u32::try_from(random.below(40)).unwrap());
            config.min_frequency = 1 + u64::try_from(random.below(3)).unwrap();
            config.han_prefixes = random.below(5) == 0;
            config.vocab_size += if config.han_prefixes { 480 } else { 0 };
            if random.below(3) == 0 {
                config.required_chars = vec!['而', '😀'];
            }
            if random.below(4) == 0 {
                config.tie = Tie::HuggingFace;
            }
            let (merges, counts, _) = run(&words, &config, false, 1);
            for threads in [1, 3] {
                let found = run(&words, &config, true, threads);
                assert_eq!((&found.0, &found.1), (&merges, &counts), "round {round}");
                in_chars += usize::from(found.2);
            }
        }
        assert!((500..3900).contains(&in_chars), "{in_chars}");
    }

    #[test]
    fn a_character_beside_a_part_of_one_is_laid_out_in_bytes() {
        let stray: [&[u8]; 6] = [
            b"a\xAD",
            "学\u{ad}".as_bytes(),
            b"\xAD\xE5\xAD\xA6",
            b"\xE5a",
            b"\xE5\xAD",
            b"\xE5\xAD\xA6\xE5",
        ];
        assert!(stray.iter().all(|word| is_apart(word)));
        for word in [
            &b"\xE5\xAD\xA6\xAD"[..],
            b"a\xC3\xA9\x80b",
            b"\xE5\xAD\xA6a\xE5\xAD\xA6\x80",
        ] {
            assert!(!is_apart(word), "{word:x?}");
        }
    }
}
