//! Kimi K2's pattern: runs of the Han script first, then o200k's words without
//! that script.

use super::classes::{ClassTable, Look};
use super::o200k;

const REST: o200k::Family = o200k::Family {
    digits: 3,
    contractions: true,
    without_han: true,
    slashes: false,
};

/// The end of the match that begins at `start`.
pub(super) fn match_end(table: &ClassTable, text: &str, start: usize) -> Option<usize> {
    let mut end = start;
    loop {
        let (class, next) = table.at(text, end);
        if !class.is_han() {
            break;
        }
        end = next;
    }
    if end > start {
        return Some(end);
    }
    REST.match_end(table, text, start)
}
