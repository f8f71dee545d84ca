//! BPE-dropout (Provilkov, Emelianenko and Voita, 2020).
//!
//! In each step every merge that is possible is skipped with probability p, and
//! the best of the others is done; the word is finished when all are skipped.
//! Whether merges behind the one that is done are skipped changes nothing, so
//! they are only asked in order until one is not. Merges that are out of date
//! are not asked at all. (The reference asks those too, which gives the skipped
//! ones another chance: see [`super::chain::Chain::merge_with_dropout`].)

use super::by_queue::{MergeQueue, current};
use super::chain::Links;
use super::merges::Merges;
use crate::model::random::Random;

impl MergeQueue {
    /// Merge until all possible merges are skipped at once.
    pub(super) fn merge_at_random(
        &mut self,
        links: &mut Links,
        merges: &impl Merges,
        dropout: f64,
        random: &mut Random,
    ) {
        self.queue_all(links, merges);
        while let Some(queued) = self.queue.pop() {
            let Some((place, merge)) = current(queued, links, merges) else {
                continue;
            };
            if random.chance(dropout) {
                self.skipped.push(queued);
            } else {
                self.queue.extend(self.skipped.drain(..));
                self.join(place, merge, links, merges);
            }
        }
        self.skipped.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::model::bpe::chain::Chain;
    use crate::model::bpe::merges::{Merge, MergeTable};
    use crate::model::oracle::{Rules, chances_of_dropout, fits, merge_by_scanning};
    use crate::model::random::Random;

    fn draws(rules: &Rules, word: &[u32], dropout: f64, count: u64) -> BTreeMap<Vec<u32>, u32> {
        let mut table = MergeTable::with_capacity(rules.len());
        for (&(left, right), &(rank, id)) in rules {
            table.insert(left, right, Merge { rank, id });
        }
        let (mut chain, mut counts) = (Chain::default(), BTreeMap::new());
        for seed in 0..count {
            chain.clear();
            word.iter().for_each(|&id| chain.push(id, 1));
            chain.merge_at_random(&table, dropout, &mut Random::new(seed));
            let ids = chain.symbols().map(|(id, _)| id).collect();
            *counts.entry(ids).or_default() += 1;
        }
        counts
    }

    #[test]
    fn two_merges_that_exclude_each_other_have_their_probabilities() {
        // a b, then b c, in "a b c".
        let rules = Rules::from([((0, 1), (0, 3)), ((1, 2), (1, 4))]);
        let expected = BTreeMap::from([
            (vec![3, 2], 0.7),
            (vec![0, 4], 0.3 * 0.7),
            (vec![0, 1, 2], 0.09),
        ]);
        let chances = chances_of_dropout(&rules, &[0, 1, 2], 0.3);
        assert!(
            expected
                .iter()
                .all(|(ids, p)| (chances[ids] - p).abs() < 1e-12)
        );
        assert!(fits(&draws(&rules, &[0, 1, 2], 0.3, 20_000), &expected));
    }

    #[test]
    fn random_merges_have_the_probabilities_of_the_definition() {
        let mut random = Random::new(31);
        let mut below = |bound: usize| u32::try_from(random.below(bound)).unwrap();
        for round in 0..40 {
            let mut rules = Rules::new();
            for id in 3..12 {
                let bound = usize::try_from(id).unwrap();
                rules.insert((below(bound), below(bound)), (id - 3, id));
            }
            let word: Vec<u32> = (0..7).map(|_| below(3)).collect();
            let dropout = f64::from(1 + round % 9) / 10.0;
            let counts = draws(&rules, &word, dropout, 4_000);
            let chances = chances_of_dropout(&rules, &word, dropout);
            assert!(
                fits(&counts, &chances),
                "{rules:?} {word:?} {dropout}: {counts:?}"
            );
            let whole = merge_by_scanning(&rules, &word);
            assert_eq!(draws(&rules, &word, 0.0, 1), BTreeMap::from([(whole, 1)]));
            assert_eq!(draws(&rules, &word, 1.0, 1), BTreeMap::from([(word, 1)]));
        }
    }
}
