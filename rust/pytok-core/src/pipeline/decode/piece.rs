//! Text operations on pieces that may hold bytes which are no text.

use std::borrow::Cow;

/// Apply a text operation to a piece: to all of it when it is text, else to
/// each stretch of text between the invalid bytes.
pub(super) fn on_text<'p>(
    piece: &'p [u8],
    operation: impl Fn(&'p str) -> Cow<'p, str>,
) -> Cow<'p, [u8]> {
    if let Ok(text) = std::str::from_utf8(piece) {
        return match operation(text) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        };
    }
    let mut result = Vec::with_capacity(piece.len());
    for chunk in piece.utf8_chunks() {
        result.extend_from_slice(operation(chunk.valid()).as_bytes());
        result.extend_from_slice(chunk.invalid());
    }
    Cow::Owned(result)
}

/// Replace a literal, copying only when it occurs.
pub(super) fn replace<'t>(text: Cow<'t, str>, from: &str, to: &str) -> Cow<'t, str> {
    if text.contains(from) {
        Cow::Owned(text.replace(from, to))
    } else {
        text
    }
}

/// Bytes as text. Stages that replace invalid bytes give text only, so nothing
/// is lost here.
pub(super) fn into_string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
