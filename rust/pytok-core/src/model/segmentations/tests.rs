//! Sampling and the k best against all segmentations, one by one.

use std::collections::BTreeMap;

use super::{Cut, Lattice, Step, n_best};
use crate::model::oracle::fits;
use crate::model::{Random, Sampler, Sampling};

/// Pieces with scores, tried one after the other.
struct Pieces<'a> {
    pieces: Vec<(Vec<u8>, f64)>,
    text: &'a [u8],
}

impl Lattice for Pieces<'_> {
    fn length(&self) -> usize {
        self.text.len()
    }

    fn steps(&self, start: usize, mut each: impl FnMut(Step)) {
        for (id, (piece, score)) in (0..).zip(&self.pieces) {
            if self.text[start..].starts_with(piece) {
                each(Step {
                    end: start + piece.len(),
                    id,
                    score: *score,
                });
            }
        }
    }
}

/// Every segmentation from `start` on with its score, added from the left.
fn all(lattice: &impl Lattice, start: usize, score: f64) -> Vec<(f64, Vec<Cut>)> {
    if start == lattice.length() {
        return vec![(score, Vec::new())];
    }
    let mut ways = Vec::new();
    lattice.steps(start, |step| {
        let Step { end, id, .. } = step;
        for (score, mut rest) in all(lattice, end, score + step.score) {
            rest.insert(0, Cut { end, id });
            ways.push((score, rest));
        }
    });
    ways
}

/// By score; of equal scores the one with the longer piece at the last place
/// where the two differ.
fn in_order(mut ways: Vec<(f64, Vec<Cut>)>) -> Vec<(f64, Vec<Cut>)> {
    let borders = |cuts: &[Cut]| cuts.iter().rev().map(|cut| cut.end).collect::<Vec<_>>();
    ways.sort_by(|left, right| {
        let scores = right.0.total_cmp(&left.0);
        scores.then_with(|| borders(&left.1).cmp(&borders(&right.1)))
    });
    ways
}

/// Pieces of up to three letters with few different scores, so that many sums
/// are equal; every letter is a piece unless `gaps`.
fn random_pieces(random: &mut Random, gaps: bool) -> Vec<(Vec<u8>, f64)> {
    let mut pieces: BTreeMap<Vec<u8>, f64> = BTreeMap::new();
    for letter in [b'a', b'b'] {
        if !gaps || random.below(3) > 0 {
            pieces.insert(vec![letter], -1.0);
        }
    }
    for _ in 0..6 {
        let length = 1 + random.below(3);
        let piece = (0..length).map(|_| [b'a', b'b'][random.below(2)]).collect();
        let score = [-1.0, -1.5, -2.0, 0.5][random.below(4)];
        pieces.insert(piece, score);
    }
    pieces.into_iter().collect()
}

fn random_text(random: &mut Random, most: usize) -> Vec<u8> {
    (0..random.below(most + 1))
        .map(|_| [b'a', b'b'][random.below(2)])
        .collect()
}

#[test]
fn the_best_are_those_of_all_ties_included() {
    let mut random = Random::new(41);
    let mut ties = 0;
    for round in 0..400 {
        let pieces = random_pieces(&mut random, round % 4 == 0);
        let text = random_text(&mut random, 9);
        let lattice = Pieces {
            pieces,
            text: &text,
        };
        let ways = in_order(all(&lattice, 0, 0.0));
        ties += ways.windows(2).filter(|two| two[0].0 == two[1].0).count();
        for count in [1, 2, 3, 7, 50, 1000] {
            let found = n_best(&lattice, count);
            assert_eq!(found.len(), count.min(ways.len()));
            for (found, (score, cuts)) in found.iter().zip(&ways) {
                assert_eq!((found.score, &found.cuts), (*score, cuts));
            }
        }
    }
    assert!(ties > 500, "the test does not reach ties: {ties}");
}

#[test]
fn samples_have_their_probabilities() {
    let mut random = Random::new(42);
    for round in 0..40 {
        let pieces = random_pieces(&mut random, round % 4 == 0);
        let text = random_text(&mut random, 7);
        let lattice = Pieces {
            pieces,
            text: &text,
        };
        for alpha in [0.0, 0.3, 1.0, 4.0] {
            let mut sampler = sampler(alpha);
            let ways = all(&lattice, 0, 0.0);
            let total: f64 = ways.iter().map(|(score, _)| (alpha * score).exp()).sum();
            let chances: BTreeMap<Vec<usize>, f64> = ways
                .iter()
                .map(|(score, cuts)| (ends(cuts), (alpha * score).exp() / total))
                .collect();
            let mut counts = BTreeMap::new();
            for seed in 0..3_000 {
                sampler.begin(seed, "", 0);
                if let Some(cuts) = sampler.draw(&lattice) {
                    *counts.entry(ends(cuts)).or_default() += 1;
                }
            }
            assert_eq!(counts.is_empty(), ways.is_empty());
            assert!(
                fits(&counts, &chances),
                "{alpha} {text:?}: {counts:?} {chances:?}"
            );
        }
    }
}

#[test]
fn a_large_alpha_gives_the_best_and_no_sum_leaves_its_range() {
    let pieces = || {
        vec![
            (b"a".to_vec(), -7.0),
            (b"aa".to_vec(), -11.0),
            (b"aaaa".to_vec(), -300.0),
        ]
    };
    let text = vec![b'a'; 100_000];
    let lattice = Pieces {
        pieces: pieces(),
        text: &text,
    };
    let best = n_best(&lattice, 1).remove(0).cuts;
    for alpha in [100.0, 1e6] {
        let mut sampler = sampler(alpha);
        assert_eq!(sampler.draw(&lattice).unwrap(), best);
    }
    // Without scores every segmentation is as likely as every other: the
    // share of `a` is 1/x with the root x of x^4 = x^3 + x^2 + 1.
    let mut sampler = sampler(0.0);
    let drawn = sampler.draw(&lattice).unwrap();
    let singles = drawn.iter().filter(|cut| cut.id == 0).count();
    let share =
        f64::from(u32::try_from(singles).unwrap()) / f64::from(u32::try_from(drawn.len()).unwrap());
    assert!((share - 1.0 / 1.754_877_666_2).abs() < 0.01, "{share}");
}

fn sampler(alpha: f64) -> Sampler {
    Sampler::new(Sampling {
        alpha,
        dropout: 0.0,
    })
}

fn ends(cuts: &[Cut]) -> Vec<usize> {
    cuts.iter().map(|cut| cut.end).collect()
}
