//! Numbers that tell compiled models apart, for caches that outlive them.

use std::sync::atomic::{AtomicU64, Ordering};

/// Zero is the identity of no model.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// A number that no other model has.
pub(crate) fn next() -> u64 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}
