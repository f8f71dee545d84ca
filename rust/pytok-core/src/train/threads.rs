//! Work over a range of numbers on several threads.

use std::ops::Range;

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
}
