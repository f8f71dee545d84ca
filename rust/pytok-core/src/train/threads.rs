//! Work over a range of numbers on several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Parts that a thread takes from a range, one after the other: enough that all
/// threads end at about the same time, whatever else the machine does.
const TAKEN: usize = 16;

/// Parts of a range that threads share out among themselves.
pub(super) struct Shared<'a> {
    next: &'a AtomicUsize,
    size: usize,
    length: usize,
}

impl Iterator for Shared<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.next.fetch_add(self.size, Ordering::Relaxed);
        (start < self.length).then(|| start..self.length.min(start + self.size))
    }
}

/// Call `work` on several threads, each with an iterator over those parts of
/// `0..length` that it takes, and return the results. Which thread takes which
/// part is open: the sum of the results must not depend on it.
pub(super) fn share_out<T: Send>(
    length: usize,
    threads: usize,
    work: impl Fn(Shared<'_>) -> T + Sync,
) -> Vec<T> {
    let threads = threads.clamp(1, length.max(1));
    let parts = if threads == 1 { 1 } else { threads * TAKEN };
    let size = length.div_ceil(parts).max(1);
    let next = &AtomicUsize::new(0);
    let shared = |_| Shared { next, size, length };
    over_items((0..threads).map(shared).collect(), work)
}

/// Cut `0..length` into equal ranges, call `work` with each on a thread of its
/// own, and return the results in the order of the ranges.
pub(super) fn over_ranges<T: Send>(
    length: usize,
    threads: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let parts = threads.clamp(1, length.max(1));
    let bound = |part: usize| part * (length / parts) + part.min(length % parts);
    let ranges = (0..parts).map(|part| bound(part)..bound(part + 1));
    over_items(ranges.collect(), work)
}

/// Call `work` with each item, the first here and the others on threads of their
/// own, and return the results in the order of the items.
pub(super) fn over_items<I: Send, T: Send>(items: Vec<I>, work: impl Fn(I) -> T + Sync) -> Vec<T> {
    let mut items = items.into_iter();
    let Some(first) = items.next() else {
        return Vec::new();
    };
    std::thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = items.map(|item| scope.spawn(move || work(item))).collect();
        let mut results = vec![work(first)];
        results.extend(running.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }));
        results
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_everything_in_order() {
        for length in [0, 1, 5, 64] {
            for threads in [1, 2, 3, 7] {
                let parts = over_ranges(length, threads, |range| range.collect::<Vec<_>>());
                assert_eq!(parts.concat(), (0..length).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn every_part_is_taken_by_one_thread() {
        for length in [0, 1, 2, 31, 1000] {
            for threads in [1, 2, 3, 7] {
                let parts = share_out(length, threads, |ranges| {
                    assert!(threads > 1 || ranges.size >= length);
                    ranges.flatten().collect::<Vec<_>>()
                });
                let mut taken = parts.concat();
                taken.sort_unstable();
                assert_eq!(taken, (0..length).collect::<Vec<_>>());
            }
        }
    }
}
