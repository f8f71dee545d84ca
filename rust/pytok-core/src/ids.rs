//! Conversions between the `u32` of ids and offsets and the `usize` of indices.
//!
//! Texts and vocabularies are limited to `u32::MAX` entries where they enter the
//! core, so these two functions never lose a value; they are the only place
//! where the conversion is spelled out.

const _: () = assert!(usize::BITS >= u32::BITS, "pytok needs 32-bit addresses");

/// An id or offset as an index.
#[inline]
#[allow(clippy::as_conversions)] // widening: see the assertion above
pub const fn index(value: u32) -> usize {
    value as usize
}

/// An index as an id or offset.
///
/// # Panics
/// Never for values that entered through the checked constructors; the
/// assertion documents the limit.
#[inline]
#[allow(clippy::as_conversions)] // guarded by the assertion
pub const fn offset(value: usize) -> u32 {
    assert!(
        value <= u32::MAX as usize,
        "text longer than u32::MAX bytes"
    );
    value as u32
}

/// The first eight bytes, as a number that compares as they do; the rest is 0.
pub(crate) fn first_bytes(bytes: &[u8]) -> u64 {
    let mut first = [0; 8];
    for (to, &byte) in first.iter_mut().zip(bytes) {
        *to = byte;
    }
    u64::from_be_bytes(first)
}
