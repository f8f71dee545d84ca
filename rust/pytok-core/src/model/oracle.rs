//! Slow and obvious encoders, against which the fast ones are tested.

use std::collections::{BTreeMap, HashMap};

/// Merges by pair: the rank and what it makes.
pub(crate) type Rules = HashMap<(u32, u32), (u32, u32)>;

/// Merge the leftmost pair of the lowest rank until there is none.
pub(crate) fn merge_by_scanning(rules: &Rules, word: &[u32]) -> Vec<u32> {
    let mut symbols = word.to_vec();
    loop {
        let best = symbols
            .windows(2)
            .enumerate()
            .filter_map(|(at, pair)| {
                rules
                    .get(&(pair[0], pair[1]))
                    .map(|&(rank, id)| (rank, at, id))
            })
            .min();
        let Some((_, at, id)) = best else {
            return symbols;
        };
        symbols[at] = id;
        symbols.remove(at + 1);
    }
}

/// The reference's procedure, queue and all: an entry is acted on if the pair
/// at its place now makes the id that the entry was queued for.
pub(crate) fn merge_by_queue(rules: &Rules, word: &[u32]) -> Vec<u32> {
    let mut symbols: Vec<Option<u32>> = word.iter().copied().map(Some).collect();
    let mut queue: Vec<(u32, usize, u32)> = Vec::new();
    let pair_at = |symbols: &[Option<u32>], at: usize| {
        let next = (at + 1..symbols.len()).find(|&next| symbols[next].is_some())?;
        let &(rank, id) = rules.get(&(symbols[at]?, symbols[next]?))?;
        Some((rank, id, next))
    };
    for at in 0..symbols.len() {
        queue.extend(pair_at(&symbols, at).map(|(rank, id, _)| (rank, at, id)));
    }
    while let Some(least) = queue.iter().copied().min() {
        let entry = queue.iter().position(|&other| other == least).unwrap();
        queue.remove(entry);
        let (_, at, made) = least;
        let Some((_, id, next)) = pair_at(&symbols, at) else {
            continue;
        };
        if id != made {
            continue;
        }
        symbols[at] = Some(id);
        symbols[next] = None;
        let before = (0..at).rev().find(|&before| symbols[before].is_some());
        for place in before.into_iter().chain([at]) {
            queue.extend(pair_at(&symbols, place).map(|(rank, id, _)| (rank, place, id)));
        }
    }
    symbols.into_iter().flatten().collect()
}

/// The cheapest segmentation: for each end the first of the cheapest starts.
pub(crate) fn segment_by_cost(pieces: &HashMap<Vec<u8>, (u64, u32)>, word: &[u8]) -> Vec<u32> {
    let mut best: Vec<(u64, Vec<u32>)> = vec![(0, Vec::new())];
    for end in 1..=word.len() {
        let ways = (0..end).filter_map(|start| {
            let &(cost, id) = pieces.get(&word[start..end])?;
            Some((best[start].0 + cost, start, id))
        });
        let (cost, start, id) = ways.min().unwrap();
        let ids = [best[start].1.as_slice(), &[id]].concat();
        best.push((cost, ids));
    }
    best.pop().unwrap().1
}

/// A rank file's encoder: the whole word if it is a token, else merge the
/// leftmost neighbours whose concatenation has the lowest rank.
pub(crate) fn encode_by_ranks(ranks: &HashMap<Vec<u8>, u32>, word: &[u8]) -> Vec<u32> {
    if let Some(&rank) = ranks.get(word) {
        return vec![rank];
    }
    let mut parts: Vec<Vec<u8>> = word.iter().map(|&byte| vec![byte]).collect();
    loop {
        let best = (1..parts.len())
            .filter_map(|at| {
                let joined = [parts[at - 1].as_slice(), &parts[at]].concat();
                ranks.get(&joined).map(|&rank| (rank, at, joined))
            })
            .min();
        let Some((_, at, joined)) = best else {
            return parts.iter().map(|part| ranks[part]).collect();
        };
        parts[at - 1] = joined;
        parts.remove(at);
    }
}

/// What BPE-dropout makes of a word, with its probability: by the definition,
/// every step with all that can happen in it.
pub(crate) fn chances_of_dropout(
    rules: &Rules,
    word: &[u32],
    dropout: f64,
) -> BTreeMap<Vec<u32>, f64> {
    let mut possible: Vec<(u32, usize, u32)> = word
        .windows(2)
        .enumerate()
        .filter_map(|(at, pair)| {
            let &(rank, id) = rules.get(&(pair[0], pair[1]))?;
            Some((rank, at, id))
        })
        .collect();
    possible.sort_unstable();
    let mut chances = BTreeMap::new();
    let mut all_before_are_skipped = 1.0;
    for (_, at, id) in possible {
        let mut merged = word.to_vec();
        merged[at] = id;
        merged.remove(at + 1);
        for (result, chance) in chances_of_dropout(rules, &merged, dropout) {
            *chances.entry(result).or_default() +=
                all_before_are_skipped * (1.0 - dropout) * chance;
        }
        all_before_are_skipped *= dropout;
    }
    *chances.entry(word.to_vec()).or_default() += all_before_are_skipped;
    chances
}

/// Whether counts are those of draws with these probabilities: a chi-square
/// sum at most five standard deviations above its mean. Rare results count as
/// one.
pub(crate) fn fits<K: Ord + std::fmt::Debug>(
    counts: &BTreeMap<K, u32>,
    chances: &BTreeMap<K, f64>,
) -> bool {
    assert!(
        counts.keys().all(|key| chances.contains_key(key)),
        "impossible: {counts:?}"
    );
    let draws: f64 = counts.values().map(|&count| f64::from(count)).sum();
    let (mut sum, mut cells, mut rare) = (0.0, 0.0, (0.0, 0.0));
    let mut add = |found: f64, expected: f64| {
        sum += (found - expected).powi(2) / expected;
        cells += 1.0;
    };
    for (key, chance) in chances {
        let found = f64::from(counts.get(key).copied().unwrap_or_default());
        match chance * draws {
            expected if expected < 8.0 => rare = (rare.0 + found, rare.1 + expected),
            expected => add(found, expected),
        }
    }
    if rare.1 >= 8.0 {
        add(rare.0, rare.1);
    }
    let freedom: f64 = cells - 1.0;
    sum <= freedom + 5.0 * (2.0 * freedom.max(0.5)).sqrt()
}
