//! Many texts at once, on several threads, with the same result as on one.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::Result;

/// Batches smaller than this many bytes are not worth a second thread.
const SERIAL_BYTES: usize = 256 * 1024;

/// Texts are handed out in blocks of about this many bytes.
pub(super) const BLOCK_BYTES: usize = 64 * 1024;

/// Cut items into blocks of about [`BLOCK_BYTES`].
pub(super) fn blocks<T>(items: &[T], size: impl Fn(&T) -> usize) -> Vec<std::ops::Range<usize>> {
    let mut blocks = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (index, item) in items.iter().enumerate() {
        bytes += size(item);
        if bytes >= BLOCK_BYTES {
            blocks.push(start..index + 1);
            (start, bytes) = (index + 1, 0);
        }
    }
    if start < items.len() {
        blocks.push(start..items.len());
    }
    blocks
}

/// How many threads to use for `total` bytes in `blocks` blocks.
///
/// `asked`: `None` means one per core, and one for small batches.
pub(super) fn threads(asked: Option<usize>, total: usize, blocks: usize) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = match asked {
        None if total < SERIAL_BYTES => 1,
        None => cores(),
        Some(count) => count.max(1),
    };
    threads.min(blocks)
}

/// Apply `work` to the numbers below `count`, each once, on `threads` threads,
/// the calling one among them. Each thread has a state of its own, and these are
/// returned. The error returned is that of the lowest number that failed.
pub(super) fn on_threads<S: Send>(
    threads: usize,
    count: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Result<()> + Sync,
) -> Result<Vec<S>> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut state = state();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return Ok(state);
            }
            if let Err(error) = work(&mut state, number) {
                return Err((number, error));
            }
        }
    };
    let finished = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut finished = vec![run()];
        for other in others {
            match other.join() {
                Ok(result) => finished.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        finished
    });
    let (mut states, mut first) = (Vec::new(), None);
    for result in finished {
        match result {
            Ok(state) => states.push(state),
            Err((number, error)) if first.as_ref().is_none_or(|&(other, _)| number < other) => {
                first = Some((number, error));
            }
            Err(_) => {}
        }
    }
    match first {
        Some((_, error)) => Err(error),
        None => Ok(states),
    }
}

/// Apply `work` to blocks of `items` and return the results in order. The
/// error returned is that of the first item that failed.
///
/// `asked`: as in [`threads`].
pub(super) fn in_order<T: Sync, R: Send>(
    items: &[T],
    size: impl Fn(&T) -> usize,
    asked: Option<usize>,
    work: impl Fn(&[T]) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let total: usize = items.iter().map(&size).sum();
    let blocks = blocks(items, size);
    let threads = threads(asked, total, blocks.len());
    let finished = on_threads(threads, blocks.len(), Vec::new, |finished, number| {
        finished.push((number, work(&items[blocks[number].clone()])?));
        Ok(())
    })?;
    let mut finished: Vec<(usize, R)> = finished.into_iter().flatten().collect();
    finished.sort_by_key(|&(number, _)| number);
    Ok(finished.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn results_come_in_order_and_the_first_error_counts() {
        let items: Vec<usize> = (0..100).collect();
        let size = |_: &usize| BLOCK_BYTES;
        for threads in 1..5 {
            let double = |block: &[usize]| Ok(block[0] * 2);
            let results = in_order(&items, size, Some(threads), double).unwrap();
            assert_eq!(results, (0..100).map(|item| item * 2).collect::<Vec<_>>());
            let fail = |block: &[usize]| match block[0] {
                item @ 40.. => Err(Error::vocabulary(item.to_string())),
                item => Ok(item),
            };
            let error = in_order(&items, size, Some(threads), fail).unwrap_err();
            assert!(error.to_string().contains("40"), "{error}");
        }
        let nothing = in_order(&[], size, None, |_: &[usize]| Ok(())).unwrap();
        assert!(nothing.is_empty());
    }
}
