//! Entries with counts, the highest count first.
//!
//! Late in a run thousands of pairs have the same count. So entries lie in no
//! order, by count, until theirs is the highest that is left; then they are put
//! in order all at once. Those of that count that come later go into a heap.

use std::collections::BTreeMap;

use super::heap::Heap;

/// A queue of entries.
#[derive(Debug)]
pub(super) struct Queue<T> {
    waiting: BTreeMap<u64, Vec<T>>,
    /// The count of those that are in order.
    count: u64,
    /// In order, the first at the end.
    open: Vec<T>,
    late: Heap<T>,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self {
            waiting: BTreeMap::new(),
            count: 0,
            open: Vec::new(),
            late: Heap::default(),
        }
    }
}

impl<T> Queue<T> {
    /// Add an entry; `before(a, b)` says whether `a` comes out before `b` when
    /// their counts are equal.
    pub(super) fn push(&mut self, count: u64, entry: T, before: impl Fn(&T, &T) -> bool) {
        let is_open = !self.open.is_empty() || !self.late.is_empty();
        if is_open && count == self.count {
            self.late.push(entry, before);
            return;
        }
        if is_open && count > self.count {
            let waiting = self.waiting.entry(self.count).or_default();
            waiting.append(&mut self.open);
            waiting.append(&mut self.late.take());
        }
        self.waiting.entry(count).or_default().push(entry);
    }

    /// Take out the first entry of those that are in order.
    pub(super) fn pop(&mut self, before: impl Fn(&T, &T) -> bool) -> Option<(u64, T)> {
        let is_late = match (self.open.last(), self.late.peek()) {
            (Some(open), Some(late)) => before(late, open),
            (open, _) => open.is_none(),
        };
        let first = if is_late {
            self.late.pop(before)
        } else {
            self.open.pop()
        };
        first.map(|entry| (self.count, entry))
    }

    /// When no entry is in order: take out all with the highest count, to put
    /// them in order.
    pub(super) fn take_highest(&mut self) -> Option<(u64, Vec<T>)> {
        self.waiting.pop_last()
    }

    /// Put back entries, which are in order. None is there.
    pub(super) fn open(&mut self, count: u64, mut entries: Vec<T>) {
        entries.reverse();
        (self.count, self.open) = (count, entries);
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use crate::model::Random;

    /// The next entry, as a run takes it out.
    fn next(queue: &mut Queue<usize>) -> Option<(u64, usize)> {
        loop {
            if let Some(first) = queue.pop(|a, b| a < b) {
                return Some(first);
            }
            let (count, mut entries) = queue.take_highest()?;
            entries.sort_unstable();
            queue.open(count, entries);
        }
    }

    #[test]
    fn the_highest_count_comes_first_and_of_equal_ones_the_first_in_order() {
        let mut random = Random::new(9);
        let mut late = 0;
        for _ in 0..300 {
            let (mut queue, mut known) = (Queue::default(), Vec::new());
            let most = 1 + random.below(8);
            for round in 0..200 {
                // More are added than taken out, then fewer.
                if random.below(200) >= round {
                    let (count, entry) =
                        (u64::try_from(random.below(most)).unwrap(), random.below(50));
                    queue.push(count, entry, |a, b| a < b);
                    known.push((Reverse(count), entry));
                    continue;
                }
                known.sort_unstable();
                let first = (!known.is_empty()).then(|| known.remove(0));
                assert_eq!(
                    next(&mut queue),
                    first.map(|(count, entry)| (count.0, entry))
                );
                late += usize::from(queue.late.peek().is_some());
            }
        }
        assert!(late > 1000, "{late}");
    }
}
