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

    #[inline]
    pub(super) fn get(&self, pair: u64) -> Option<u64> {
        let Self(parts) = self;
        parts[part_of(pair, parts.len())].get(&pair).copied()
    }

    pub(super) fn add_word(&mut self, word: &[u8], count: u64) {
        let Self(parts) = self;
        for_each_meeting(word, &mut |pair, _| {
            let part = part_of(pair, parts.len());
            let known = parts[part].entry(pair).or_insert(0);
            *known = known.saturating_add(count);
        });
    }

    /// All counts, in no order.
    pub(super) fn values(&self) -> impl Iterator<Item = u64> {
        self.0.iter().flat_map(FxHashMap::values).copied()
    }

    /// The pairs that meet `tau` times in all.
    pub(super) fn frequent(all: Vec<Self>, tau: u64) -> Self {
        let parts = all.first().map_or(0, |Self(parts)| parts.len());
        let mut same: Vec<Vec<_>> = (0..parts).map(|_| Vec::new()).collect();
        for Self(parts) in all {
            for (part, maps) in parts.into_iter().zip(&mut same) {
                maps.push(part);
            }
        }
        Self(over_items(same, |maps| frequent(maps, tau)))
    }
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

/// Call `found` with each pair of neighbouring characters and the byte where
/// the second begins.
pub(super) fn for_each_meeting(word: &[u8], found: &mut impl FnMut(u64, usize)) {
    let mut place = 0;
    for chunk in word.utf8_chunks() {
        let mut before: Option<char> = None;
        for character in chunk.valid().chars() {
            if let Some(before) = before {
                let pair = (u64::from(u32::from(before)) << 32) | u64::from(u32::from(character));
                found(pair, place);
            }
            before = Some(character);
            place += character.len_utf8();
        }
        place += chunk.invalid().len();
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
            let sorted = |counts: &Counts| {
                let mut pairs: Vec<_> = counts.0.iter().flatten().map(|(&p, &c)| (p, c)).collect();
                pairs.sort_unstable();
                pairs
            };
            for tau in [1, 300, 360] {
                let expected: Vec<_> = sorted(&one).into_iter().filter(|p| p.1 >= tau).collect();
                let found = Counts::frequent(several.clone(), tau);
                assert_eq!(sorted(&found), expected);
                assert!(
                    expected
                        .iter()
                        .all(|&(pair, count)| found.get(pair) == Some(count))
                );
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
