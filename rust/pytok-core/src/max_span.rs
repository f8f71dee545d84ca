//! A limit on the length of the pieces that an encoder uses.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

/// What a length is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpanUnit {
    /// Characters, those of which a piece has only a part included.
    Chars,
    /// Bytes of UTF-8.
    Bytes,
}

/// No piece is longer than this. A single character and a part of one are
/// always allowed, so that the limit leaves every text encodable.
///
/// # Examples
/// ```
/// use pytok_core::max_span::{MaxSpan, SpanUnit};
/// let two = MaxSpan::new(2, SpanUnit::Chars)?;
/// assert!(two.allows("中国".as_bytes()) && !two.allows("中国人".as_bytes()));
/// assert!(!two.allows(b"ab\xE4")); // The beginning of a third character.
/// let one = MaxSpan::new(1, SpanUnit::Bytes)?;
/// assert!(one.allows("中".as_bytes()) && !one.allows(b"ab"));
/// # Ok::<(), pytok_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaxSpan {
    limit: NonZeroU32,
    unit: SpanUnit,
}

impl MaxSpan {
    /// A limit of at least 1.
    ///
    /// # Errors
    /// [`crate::Error::Argument`] when the limit is 0.
    pub fn new(limit: u32, unit: SpanUnit) -> crate::Result<Self> {
        let limit = NonZeroU32::new(limit).ok_or_else(|| {
            crate::Error::argument("limit", "0, expected an integer from 1 to 2**32 - 1")
        })?;
        Ok(Self { limit, unit })
    }

    /// Whether a piece of these bytes may be used.
    pub fn allows(self, piece: &[u8]) -> bool {
        let continues = |byte: &u8| (0x80..0xC0).contains(byte);
        let headless = usize::from(piece.first().is_some_and(continues));
        let characters = headless + piece.iter().filter(|byte| !continues(byte)).count();
        let length = match self.unit {
            SpanUnit::Chars => characters,
            SpanUnit::Bytes => piece.len(),
        };
        characters <= 1 || length <= crate::ids::index(self.limit.get())
    }
}
