//! A binary heap whose order is given at each call.
//!
//! The order of two pairs depends on the bytes of their pieces, which live in
//! the vocabulary; the heap of the standard library would need a copy of them,
//! or a reference, in every entry.

/// A heap with the entry that is before all others at its top.
#[derive(Debug)]
pub(super) struct Heap<T> {
    heap: Vec<T>,
}

impl<T> Default for Heap<T> {
    fn default() -> Self {
        Self { heap: Vec::new() }
    }
}

impl<T> Heap<T> {
    /// Add an entry; `before(a, b)` says whether `a` comes out before `b`.
    pub(super) fn push(&mut self, entry: T, before: impl Fn(&T, &T) -> bool) {
        let mut place = self.heap.len();
        self.heap.push(entry);
        while place > 0 {
            let parent = (place - 1) / 2;
            if !before(&self.heap[place], &self.heap[parent]) {
                break;
            }
            self.heap.swap(place, parent);
            place = parent;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// The first entry.
    pub(super) fn peek(&self) -> Option<&T> {
        self.heap.first()
    }

    /// Take out all entries, in no order.
    pub(super) fn take(&mut self) -> Vec<T> {
        std::mem::take(&mut self.heap)
    }

    /// Take out the first entry.
    pub(super) fn pop(&mut self, before: impl Fn(&T, &T) -> bool) -> Option<T> {
        if self.heap.is_empty() {
            return None;
        }
        let first = self.heap.swap_remove(0);
        let mut place = 0;
        loop {
            let left = 2 * place + 1;
            if left >= self.heap.len() {
                return Some(first);
            }
            let right = left + 1;
            let child = if right < self.heap.len() && before(&self.heap[right], &self.heap[left]) {
                right
            } else {
                left
            };
            if !before(&self.heap[child], &self.heap[place]) {
                return Some(first);
            }
            self.heap.swap(place, child);
            place = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Random;

    #[test]
    fn entries_come_out_in_order() {
        let mut random = Random::new(5);
        for size in 0..60 {
            let mut heap = Heap::default();
            let mut numbers: Vec<usize> = (0..size).map(|_| random.below(20)).collect();
            for &number in &numbers {
                heap.push(number, |a, b| a > b);
            }
            numbers.sort_unstable_by_key(|&number| std::cmp::Reverse(number));
            let out: Vec<_> = std::iter::from_fn(|| heap.pop(|a, b| a > b)).collect();
            assert_eq!(out, numbers);
        }
    }
}
