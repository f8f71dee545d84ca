//! Two independent parts of one computation, side by side.

use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, available_parallelism, scope};

/// Compute two values, the second one on a thread of its own if there is a
/// second core and the system grants a thread, else one after the other.
pub(crate) fn both<A, B: Send>(
    first: impl FnOnce() -> A,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    if available_parallelism().map_or(1, usize::from) < 2 {
        return (first(), second());
    }
    // Whoever comes first takes it: the new thread, or this one if there is none.
    let waiting = Mutex::new(Some(second));
    let take = || {
        let second = waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        second.map(|second| second())
    };
    scope(|scope| {
        let other = Builder::new().spawn_scoped(scope, take);
        let first = first();
        let second = match other {
            Ok(other) => match other.join() {
                Ok(second) => second,
                Err(panic) => std::panic::resume_unwind(panic),
            },
            Err(_) => take(),
        };
        match second {
            Some(second) => (first, second),
            // It is taken once, by the one whose value is used.
            None => unreachable!("the second value is computed once"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::both;

    #[test]
    fn both_values_are_computed() {
        let words = ["a", "b"];
        assert_eq!(
            both(|| words.len(), || words.concat()),
            (2, "ab".to_owned())
        );
    }

    #[test]
    fn a_panic_of_either_goes_on() {
        let first = std::panic::catch_unwind(|| both(|| panic!("first"), || 1));
        let second = std::panic::catch_unwind(|| both(|| 1, || panic!("second")));
        assert!(first.is_err() && second.is_err());
    }
}
