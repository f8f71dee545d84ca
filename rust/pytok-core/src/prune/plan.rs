//! Which pieces go: the least useful of those that may, again and again.
//!
//! When a piece goes, its uses become uses of its alternative. Of BPE pieces that
//! is what happens in the text, unless a part merges with what stands beside it;
//! of Unigram pieces it is an estimate. Counting again with the pruned tokenizer
//! after a part of the work keeps the estimates close.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Pruner;
use crate::error::{Error, Result};
use crate::ids::{index, offset};

/// Where a plan ends.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// So many pieces go at most. Those that no text is encoded to go first, all of
    /// them, and count.
    pub pieces: usize,
    /// The sum of their utilities is at most this.
    pub utility: Option<u64>,
}

impl Limit {
    /// A number of pieces, whatever it costs.
    pub fn pieces(pieces: usize) -> Self {
        Self {
            pieces,
            utility: None,
        }
    }
}

/// A piece that goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removal {
    /// Its id.
    pub id: u32,
    /// The tokens that a text grows by without it.
    pub utility: u64,
}

/// Pieces that no text is encoded to come first, then the least useful; of equal
/// ones that with the highest id.
type Entry = Reverse<(bool, u64, Reverse<u32>)>;

struct State<'p> {
    pruner: &'p Pruner,
    counts: Vec<u64>,
    active: Vec<bool>,
    /// Pieces that stay.
    fixed: Vec<bool>,
    /// Active pieces whose last merge needs the piece.
    needed: Vec<u32>,
    heap: BinaryHeap<Entry>,
}

impl Pruner {
    /// Choose pieces that go, in the order in which they do.
    ///
    /// `counts` says how often a text has each id of [`Pruner::ids`], encoded
    /// without the pieces that are `removed` already.
    ///
    /// # Errors
    /// [`Error::Argument`] when there are not as many counts as ids.
    ///
    /// # Complexity
    /// O(n log n) for n pieces.
    pub fn plan(&self, counts: &[u64], removed: &[u32], limit: Limit) -> Result<Vec<Removal>> {
        self.plan_keeping(counts, removed, &[], limit)
    }

    /// As [`Pruner::plan`], but the ids of `kept` stay, and what they are made of.
    ///
    /// # Errors
    /// As [`Pruner::plan`].
    pub fn plan_keeping(
        &self,
        counts: &[u64],
        removed: &[u32],
        kept: &[u32],
        limit: Limit,
    ) -> Result<Vec<Removal>> {
        if counts.len() != self.ids.len() {
            return Err(Error::argument(
                "counts",
                format!(
                    "{} counts, expected one for each of {} ids",
                    counts.len(),
                    self.ids.len()
                ),
            ));
        }
        let mut state = State::new(self, counts, removed, kept);
        let mut plan = Vec::new();
        let mut loss = 0_u64;
        while let Some(Reverse((is_reachable, known, Reverse(place)))) = state.heap.pop() {
            if is_reachable && plan.len() >= limit.pieces {
                break;
            }
            let Some(parts) = self.alternatives.parts(place, &state.active) else {
                continue; // nothing else stands for it any more
            };
            let utility = state.utility(place, parts.len());
            if utility != known {
                state
                    .heap
                    .push(Reverse((is_reachable, utility, Reverse(place))));
                continue;
            }
            let total = loss.saturating_add(utility);
            if limit.utility.is_some_and(|most| total > most) {
                break;
            }
            loss = total;
            state.remove(place, &parts);
            plan.push(Removal {
                id: self.ids[index(place)],
                utility,
            });
        }
        Ok(plan)
    }
}

/// What a vocabulary that changes while it is used has to know.
impl Pruner {
    /// How many pieces stand for each of `ids` once it and those that are `removed`
    /// are gone; 0 where nothing does.
    ///
    /// # Complexity
    /// Linear in the pieces that are looked at.
    pub fn alternatives(&self, ids: &[u32], removed: &[u32]) -> Vec<u32> {
        let mut active = self.active(removed);
        let count = |id: &u32| {
            let Some(place) = self.place(*id) else {
                return 0;
            };
            let was = std::mem::replace(&mut active[place], false);
            let count = self.alternatives.count(offset(place), &active);
            active[place] = was;
            count.map_or(0, offset)
        };
        ids.iter().map(count).collect()
    }

    /// The ids, and all those without which one of them is not made, ascending.
    pub fn made_of(&self, ids: &[u32]) -> Vec<u32> {
        let mut seen = vec![false; self.ids.len()];
        let mut open: Vec<u32> = ids
            .iter()
            .filter_map(|&id| self.place(id).map(offset))
            .collect();
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut seen[index(place)], true) {
                open.extend(self.alternatives.needs(place));
            }
        }
        let seen = self.ids.iter().zip(seen);
        seen.filter(|&(_, seen)| seen).map(|(&id, _)| id).collect()
    }

    /// For each of `ids` in turn what [`Pruner::made_of`] gives for it alone: one
    /// after another, and where each begins, `ids.len() + 1` places.
    pub fn made_of_each(&self, ids: &[u32]) -> (Vec<u32>, Vec<i64>) {
        // The id for which a place was seen last, by its number here plus one.
        let mut seen = vec![0; self.ids.len()];
        let (mut flat, mut bounds, mut open) = (Vec::new(), vec![0], Vec::new());
        for (turn, id) in ids.iter().enumerate() {
            let first = flat.len();
            open.extend(self.place(*id).map(offset));
            while let Some(place) = open.pop() {
                if std::mem::replace(&mut seen[index(place)], turn + 1) != turn + 1 {
                    flat.push(self.ids[index(place)]);
                    open.extend(self.alternatives.needs(place));
                }
            }
            flat[first..].sort_unstable();
            bounds.push(i64::from(offset(flat.len())));
        }
        (flat, bounds)
    }

    fn active(&self, removed: &[u32]) -> Vec<bool> {
        let mut active = vec![true; self.ids.len()];
        for place in removed.iter().filter_map(|&id| self.place(id)) {
            active[place] = false;
        }
        active
    }
}

impl<'p> State<'p> {
    fn new(pruner: &'p Pruner, counts: &[u64], removed: &[u32], kept: &[u32]) -> Self {
        let places = 0..offset(pruner.ids.len());
        let mut state = Self {
            pruner,
            counts: counts.to_vec(),
            active: pruner.active(removed),
            fixed: pruner.fixed.clone(),
            needed: vec![0; counts.len()],
            heap: BinaryHeap::new(),
        };
        for place in kept.iter().filter_map(|&id| pruner.place(id)) {
            state.fixed[place] = true;
        }
        for place in places.clone().filter(|&place| state.active[index(place)]) {
            for &part in pruner.alternatives.needs(place) {
                state.needed[index(part)] += 1;
            }
        }
        places.for_each(|place| state.offer(place));
        state
    }

    /// Put a piece up, if it may go now.
    fn offer(&mut self, place: u32) {
        let at = index(place);
        if !self.active[at] || self.fixed[at] || self.needed[at] > 0 {
            return;
        }
        let alternatives = &self.pruner.alternatives;
        let utility = if self.counts[at] == 0 {
            0 // whatever the alternative is
        } else {
            let Some(parts) = alternatives.count(place, &self.active) else {
                return;
            };
            self.utility(place, parts)
        };
        let is_reachable = !alternatives.is_unreachable(place);
        self.heap
            .push(Reverse((is_reachable, utility, Reverse(place))));
    }

    fn utility(&self, place: u32, parts: usize) -> u64 {
        let more = u64::from(offset(parts.saturating_sub(1)));
        self.counts[index(place)].saturating_mul(more)
    }

    fn remove(&mut self, place: u32, parts: &[u32]) {
        self.active[index(place)] = false;
        let count = self.counts[index(place)];
        for &part in parts {
            let part = &mut self.counts[index(part)];
            *part = part.saturating_add(count);
        }
        let needs = self.pruner.alternatives.needs(place);
        for &part in needs {
            self.needed[index(part)] -= 1;
        }
        for (at, &part) in needs.iter().enumerate() {
            // A piece that was merged with itself is put up once.
            if self.needed[index(part)] == 0 && !needs[..at].contains(&part) {
                self.offer(part);
            }
        }
    }
}
