//! Removing merges that are hardly used, for engines that know merges only.
//!
//! Merging makes pieces on the way to others that no text ends in. They cannot
//! go while a later merge needs them; a leaf, which none needs, can. Without it
//! its two halves stand in the text, one token more for each use. Leaves go one
//! at a time, the least used first, and their uses are added to both halves,
//! which may then be leaves themselves.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::pairs::Symbols;
use crate::ids::index;

/// The places in `merges` of those that stay, in order, when all but `keep` are
/// removed, or as many as may be.
///
/// `made` is the piece that each merge makes, `counts` how often each piece
/// stands in the text, and `protected` says which pieces stay. Of equal counts
/// the later merge goes first.
///
/// # Complexity
/// O(n log n) for n merges.
pub(super) fn leaf_prune(
    merges: &[Symbols],
    made: &[u32],
    mut counts: Vec<u64>,
    protected: impl Fn(u32) -> bool,
    keep: usize,
) -> Vec<usize> {
    let mut needed = vec![0_u32; counts.len()];
    let mut merge_of = vec![None; counts.len()];
    for (number, (&(left, right), &piece)) in merges.iter().zip(made).enumerate() {
        needed[index(left)] += 1;
        needed[index(right)] += 1;
        merge_of[index(piece)] = Some(number);
    }
    let mut stays = vec![true; merges.len()];
    let mut left_over = merges.len();
    let entry = |counts: &[u64], piece: u32| Reverse((counts[index(piece)], Reverse(piece)));
    let mut leaves: BinaryHeap<_> = made
        .iter()
        .filter(|&&piece| needed[index(piece)] == 0 && !protected(piece))
        .map(|&piece| entry(&counts, piece))
        .collect();
    while left_over > keep {
        let Some(Reverse((known, Reverse(piece)))) = leaves.pop() else {
            break;
        };
        let count = counts[index(piece)];
        if count > known {
            leaves.push(entry(&counts, piece));
            continue;
        }
        let Some(number) = merge_of[index(piece)] else {
            continue; // never: only pieces of merges are leaves
        };
        stays[number] = false;
        left_over -= 1;
        let (left, right) = merges[number];
        for half in [left, right] {
            counts[index(half)] = counts[index(half)].saturating_add(count);
            needed[index(half)] -= 1;
        }
        // A piece that was merged with itself becomes a leaf once.
        let halves = if left == right {
            vec![left]
        } else {
            vec![left, right]
        };
        for half in halves {
            let is_leaf = needed[index(half)] == 0 && merge_of[index(half)].is_some();
            if is_leaf && !protected(half) {
                leaves.push(entry(&counts, half));
            }
        }
    }
    (0..merges.len()).filter(|&number| stays[number]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_used_leaf_goes_first_and_frees_its_halves() {
        // Pieces 0 and 1 are bytes; 2 = 0 1, 3 = 2 2, 4 = 3 0, 5 = 1 1.
        let merges = [(0, 1), (2, 2), (3, 0), (1, 1)];
        let made = [2, 3, 4, 5];
        let counts = || vec![9, 9, 1, 2, 3, 4];
        let kept = |keep| leaf_prune(&merges, &made, counts(), |_| false, keep);
        assert_eq!(kept(4), [0, 1, 2, 3]);
        assert_eq!(kept(3), [0, 1, 3]); // 4 is used 3 times; 2 and 3 less, but needed
        assert_eq!(kept(2), [0, 1]); // then 5, 4 times, before 3, now 2 + 3
        assert_eq!(kept(1), [0]);
        assert_eq!(kept(0), [0; 0]);
        let kept = leaf_prune(&merges, &made, counts(), |piece| piece == 4, 0);
        assert_eq!(kept, [0, 1, 2]);
    }
}
