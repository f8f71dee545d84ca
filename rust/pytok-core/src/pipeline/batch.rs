//! Many texts at once, on several threads, with the same result as on one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::Result;

/// Batches smaller than this many bytes are not worth a second thread.
const SERIAL_BYTES: usize = 256 * 1024;

/// Texts are handed out in blocks of about this many bytes.
const BLOCK_BYTES: usize = 64 * 1024;

/// Cut items into blocks of about [`BLOCK_BYTES`].
fn blocks<T>(items: &[T], size: impl Fn(&T) -> usize) -> Vec<std::ops::Range<usize>> {
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

/// Apply `work` to blocks of `items` and return the results in order. The
/// error returned is that of the first item that failed.
///
/// `threads`: `None` means one per core, and one for small batches.
pub(super) fn in_order<T: Sync, R: Send>(
    items: &[T],
    size: impl Fn(&T) -> usize,
    threads: Option<usize>,
    work: impl Fn(&[T]) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let total: usize = items.iter().map(&size).sum();
    let blocks = blocks(items, size);
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = match threads {
        None if total < SERIAL_BYTES => 1,
        None => cores(),
        Some(count) => count.max(1),
    }
    .min(blocks.len());
    if threads <= 1 {
        return blocks
            .into_iter()
            .map(|block| work(&items[block]))
            .collect();
    }
    let next = AtomicUsize::new(0);
    let finished: Mutex<Vec<(usize, Result<R>)>> = Mutex::new(Vec::with_capacity(blocks.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(block) = blocks.get(number) else {
                        break;
                    };
                    let result = work(&items[block.clone()]);
                    if let Ok(mut finished) = finished.lock() {
                        finished.push((number, result));
                    }
                }
            });
        }
    });
    let mut finished = finished
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    finished.sort_by_key(|&(number, _)| number);
    finished.into_iter().map(|(_, result)| result).collect()
}
