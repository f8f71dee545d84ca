//! How often each pair of characters meets, counted on several threads.

use rustc_hash::FxHashMap;

use super::threads::over_items;
use crate::ids::index;

/// Pairs of characters, and how often they meet; in parts by the second
/// character, so that threads can sum them side by side.
#[derive(Debug, Clone)]
pub(super) struct Counts(Vec<FxHashMap<u64, u64>>);

/// More parts would be many small maps.
const MOST_PARTS: usize = 8;

impl Counts {
    pub(super) fn new(threads: usize) -> Self {
        Self(vec![FxHashMap::default(); threads.clamp(1, MOST_PARTS)])
    }

    pub(super) fn add_word(&mut self, word: &[u8], count: u64) {
        self.add_word_where(word, count, |_| true);
    }

    /// The same of some pairs.
    #[inline]
    pub(super) fn add_word_where(
        &mut self,
        word: &[u8],
        count: u64,
        is_counted: impl Fn(u64) -> bool,
    ) {
        let Self(parts) = self;
        for_each_meeting(word, &mut |pair, _| {
            if !is_counted(pair) {
                return;
            }
            let part = part_of(pair, parts.len());
            let known = parts[part].entry(pair).or_insert(0);
            *known = known.saturating_add(count);
        });
    }

    /// The pairs that meet `tau` times in all.
    pub(super) fn frequent(all: Vec<Self>, tau: u64) -> Frequent {
        let parts = all.first().map_or(0, |Self(parts)| parts.len());
        let mut same: Vec<Vec<_>> = (0..parts).map(|_| Vec::new()).collect();
        for Self(parts) in all {
            for (part, maps) in parts.into_iter().zip(&mut same) {
                maps.push(part);
            }
        }
        Frequent::new(&over_items(same, |maps| frequent(maps, tau)))
    }
}

/// Pairs that meet often, in a table that is only read: little of it is looked at
/// to find that a pair is in it or not.
#[derive(Debug)]
pub(super) struct Frequent {
    /// A power of two of slots, at least half of them [`FREE`].
    pairs: Vec<u64>,
    counts: Vec<u64>,
    shift: u32,
}

/// Stands for no pair.
const FREE: u64 = u64::MAX;

impl Frequent {
    fn new(maps: &[FxHashMap<u64, u64>]) -> Self {
        let length: usize = maps.iter().map(FxHashMap::len).sum();
        let bits = (length.max(1) * 2).next_power_of_two().ilog2();
        let mut all = Self {
            pairs: vec![FREE; 1 << bits],
            counts: vec![0; 1 << bits],
            shift: u64::BITS - bits,
        };
        for (&pair, &count) in maps.iter().flatten() {
            let slot = all.find(pair);
            (all.pairs[slot], all.counts[slot]) = (pair, count);
        }
        all
    }

    /// Whether a pair is among them; `is_frequent` is asked about its count.
    #[inline]
    pub(super) fn has(&self, pair: u64, is_frequent: impl FnOnce(u64) -> bool) -> bool {
        let slot = self.find(pair);
        self.pairs[slot] == pair && is_frequent(self.counts[slot])
    }

    pub(super) fn slots(&self) -> usize {
        self.pairs.len()
    }

    /// The slot of two characters that are a pair among them.
    #[inline]
    pub(super) fn slot(&self, left: char, right: char) -> Option<usize> {
        let pair = pair_of(left, right);
        let slot = self.find(pair);
        (self.pairs[slot] == pair).then_some(slot)
    }

    /// The characters of the pair that is in a slot.
    pub(super) fn chars(&self, slot: usize) -> Option<(char, char)> {
        let pair = self.pairs[slot];
        let character = |half: u64| char::from_u32(u32::try_from(half).ok()?);
        Some((character(pair >> 32)?, character(pair & 0xFFFF_FFFF)?))
    }

    /// All counts, in no order.
    pub(super) fn values(&self) -> impl Iterator<Item = u64> {
        let slots = self.pairs.iter().zip(&self.counts);
        slots
            .filter(|&(&pair, _)| pair != FREE)
            .map(|(_, &count)| count)
    }

    /// The slot of a pair: its own, or the free one where it belongs.
    #[inline]
    fn find(&self, pair: u64) -> usize {
        let mut slot = scatter(pair, self.shift);
        while self.pairs[slot] != pair && self.pairs[slot] != FREE {
            slot = (slot + 1) & (self.pairs.len() - 1);
        }
        slot
    }
}

/// A number that `shift` leaves of 64 bits. Multiplied by the golden ratio: what
/// differs anywhere differs in the upper bits.
#[inline]
#[allow(clippy::as_conversions)] // the callers' tables have as many places
pub(super) const fn scatter(pair: u64, shift: u32) -> usize {
    (pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
}

/// The entries whose counts are `tau` in all maps together.
fn frequent(mut maps: Vec<FxHashMap<u64, u64>>, tau: u64) -> FxHashMap<u64, u64> {
    if maps.len() == 1 {
        let mut all = maps.remove(0);
        all.retain(|_, count| *count >= tau);
        all.shrink_to_fit();
        return all;
    }
    // What is frequent in all maps is so in one of them: most pairs are rare,
    // and are not looked for in the others.
    let least = tau.div_ceil(u64::try_from(maps.len()).unwrap_or(1));
    let count = |map: &FxHashMap<u64, u64>, pair| map.get(pair).copied().unwrap_or(0);
    let mut all = FxHashMap::default();
    for (number, map) in maps.iter().enumerate() {
        for (pair, _) in map.iter().filter(|&(_, &count)| count >= least) {
            if maps[..number].iter().any(|map| count(map, pair) >= least) {
                continue; // it was looked for
            }
            let counts = maps.iter().map(|map| count(map, pair));
            let sum = counts.fold(0, u64::saturating_add);
            if sum >= tau {
                all.insert(*pair, sum);
            }
        }
    }
    all
}

#[inline]
fn part_of(pair: u64, parts: usize) -> usize {
    match parts {
        1 => 0,
        _ => index(u32::try_from(pair & 0xFFFF).unwrap_or_default()) % parts,
    }
}

#[inline]
fn pair_of(left: char, right: char) -> u64 {
    (u64::from(u32::from(left)) << 32) | u64::from(u32::from(right))
}

/// Call `found` with each pair of neighbouring characters and the byte where
/// the second begins.
#[inline]
pub(super) fn for_each_meeting(word: &[u8], found: &mut impl FnMut(u64, usize)) {
    if let Ok(text) = std::str::from_utf8(word) {
        return in_text(text, 0, found);
    }
    let mut place = 0;
    for chunk in word.utf8_chunks() {
        in_text(chunk.valid(), place, found);
        place += chunk.valid().len() + chunk.invalid().len();
    }
}

#[inline]
fn in_text(text: &str, start: usize, found: &mut impl FnMut(u64, usize)) {
    let mut before = None;
    for (place, character) in text.char_indices() {
        if let Some(before) = before {
            found(pair_of(before, character), start + place);
        }
        before = Some(character);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Random;

    #[test]
    fn sums_of_threads_are_those_of_one() {
        let mut random = Random::new(3);
        for threads in [1, 2, 3, 20] {
            let mut one = Counts::new(1);
            let mut several: Vec<_> = (0..threads).map(|_| Counts::new(threads)).collect();
            for _ in 0..3000 {
                let letter = |_| ['学', '而', '时', 'a', 'b', 'é', '😀'][random.below(7)];
                let word: String = (0..4).map(letter).collect();
                let count = 1 + u64::try_from(random.below(3)).unwrap();
                one.add_word(word.as_bytes(), count);
                several[random.below(threads)].add_word(word.as_bytes(), count);
            }
            let pairs: Vec<(u64, u64)> = one.0.iter().flatten().map(|(&p, &c)| (p, c)).collect();
            for tau in [1, 300, 360] {
                let frequent: Vec<_> = pairs.iter().filter(|pair| pair.1 >= tau).collect();
                let found = Counts::frequent(several.clone(), tau);
                let mut counts: Vec<u64> = found.values().collect();
                let mut expected: Vec<u64> = frequent.iter().map(|pair| pair.1).collect();
                counts.sort_unstable();
                expected.sort_unstable();
                assert_eq!(counts, expected);
                for &(pair, count) in &pairs {
                    assert_eq!(found.has(pair, |known| known == count), count >= tau);
                }
                assert!(!found.has(7, |_| true));
            }
            assert!(
                Counts::frequent(vec![one], u64::MAX)
                    .values()
                    .next()
                    .is_none()
            );
        }
    }
}
