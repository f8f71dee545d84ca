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
    if parts == 1 {
        return ranges.map(work).collect();
    }
    std::thread::scope(|scope| {
        let running: Vec<_> = ranges
            .map(|range| {
                let work = &work;
                scope.spawn(move || work(range))
            })
            .collect();
        running
            .into_iter()
            .map(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect()
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
