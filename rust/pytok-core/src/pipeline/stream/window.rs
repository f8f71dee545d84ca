//! Streaming for a decoder that is only known as a function of a list of ids.
//!
//! The ids since some point are decoded again with every step, and what the
//! text has grown by is given out. When the list gets long, all but its last ids
//! are dropped.

use super::StreamSource;

/// Ids that are kept when the window is cut. Sixteen reach over the longest
/// character in byte pieces (four) several times.
const CONTEXT: usize = 16;

/// The window may grow to this many ids before it is cut.
const LIMIT: usize = 4 * CONTEXT;

/// At most this many U+FFFD at the end of a text may still become a character.
const MAX_INCOMPLETE: usize = 3;

/// A decoder given as a function of a list of ids.
///
/// The result is exact for decoders with these properties, which those of
/// SentencePiece and tiktoken have:
///
/// * more ids make the text longer and change nothing in it but up to three
///   U+FFFD at its end, the bytes of an incomplete character;
/// * what an id adds depends on no more than whether there is text before it and
///   on the sixteen ids before it.
///
/// # Complexity
/// O(window) per id, where the window is at most 64 ids; only ids without any
/// text make it longer, and then it is decoded less often.
#[derive(Debug, Clone)]
pub struct WindowSource<F> {
    decode: F,
    window: Vec<u32>,
    /// How many bytes of the text of the window have been given out.
    given: usize,
    /// Ids that came since the window was last decoded.
    fresh: usize,
    /// Length at which cutting the window is tried next.
    next_cut: usize,
}

impl<F: Fn(&[u32]) -> String> WindowSource<F> {
    /// A source that decodes with a function.
    pub fn new(decode: F) -> Self {
        Self {
            decode,
            window: Vec::new(),
            given: 0,
            fresh: 0,
            next_cut: LIMIT,
        }
    }

    /// Keep the last ids only, if their text ends as that of the window does.
    fn cut(&mut self, text: &str) {
        if self.window.len() < self.next_cut {
            return;
        }
        self.next_cut = self.window.len().saturating_mul(2);
        let context = &self.window[self.window.len() - CONTEXT..];
        let context_text = (self.decode)(context);
        // The beginning of the text may differ: a space dropped, a character cut.
        let mut characters = context_text.chars();
        characters.by_ref().take(MAX_INCOMPLETE + 1).for_each(drop);
        let common = characters.as_str();
        let held = text.len() - self.given;
        if common.len() > held && text.ends_with(common) {
            self.given = context_text.len() - held;
            self.window = context.to_vec();
            self.next_cut = LIMIT;
        }
    }
}

impl<F: Fn(&[u32]) -> String> StreamSource for WindowSource<F> {
    fn push(&mut self, id: u32, text: &mut String) {
        self.window.push(id);
        self.fresh += 1;
        // A window that could not be cut is decoded in proportion to its growth.
        if self.fresh < self.window.len() / (2 * LIMIT) {
            return;
        }
        self.fresh = 0;
        let decoded = (self.decode)(&self.window);
        let settled = settled_length(&decoded);
        if let Some(new) = decoded.get(self.given..settled) {
            text.push_str(new);
            self.given = settled;
            self.cut(&decoded);
        }
    }

    fn finish(&mut self, text: &mut String) {
        let decoded = (self.decode)(&self.window);
        text.push_str(decoded.get(self.given..).unwrap_or(""));
        self.window.clear();
        self.given = 0;
        self.fresh = 0;
        self.next_cut = LIMIT;
    }
}

/// The length of a text without the U+FFFD at its end that may still change.
fn settled_length(text: &str) -> usize {
    (0..MAX_INCOMPLETE)
        .try_fold(text, |text, _| {
            text.strip_suffix(char::REPLACEMENT_CHARACTER).ok_or(text)
        })
        .map_or_else(str::len, str::len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::stream::DecodeStream;
    use std::cell::Cell;

    /// A decoder in the manner of SentencePiece: a mark before a word, dropped
    /// at the beginning; bytes; control tokens without text.
    fn decode(ids: &[u32]) -> String {
        let mut bytes = Vec::new();
        for id in ids {
            match id {
                0..256 => bytes.extend(u8::try_from(*id)),
                256 if bytes.is_empty() => bytes.extend(b"word"),
                256 => bytes.extend(b" word"),
                257 => bytes.extend("字".as_bytes()),
                _ => {}
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn random(seed: &mut u64) -> u32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        u32::try_from(*seed >> 33).unwrap()
    }

    #[test]
    fn pieces_join_to_the_text_of_all_ids() {
        let alphabet = [
            256, 257, 300, 0x61, 0xE5, 0x8F, 0xAB, 0xF0, 0x9F, 0x98, 0x80, 0xFF,
        ];
        let mut seed = 1;
        for round in 0..600 {
            let width = 1 + random(&mut seed) % 12;
            let first = random(&mut seed);
            let ids: Vec<u32> = (0..round)
                .map(|_| {
                    let at = first + random(&mut seed) % width;
                    alphabet[usize::try_from(at % 12).unwrap()]
                })
                .collect();
            let mut stream = DecodeStream::new(WindowSource::new(decode));
            let mut text = String::new();
            for id in &ids {
                text.extend(stream.step(*id));
                assert!(decode(&ids).starts_with(&text), "{ids:?}");
            }
            text.extend(stream.flush());
            assert_eq!(text, decode(&ids), "{ids:?}");
            assert_eq!(stream.flush(), None);
        }
    }

    #[test]
    fn the_work_per_id_is_bounded() {
        for id in [256, 0x61, 0x80, 0xE5, 300] {
            let work = Cell::new(0);
            let mut stream = DecodeStream::new(WindowSource::new(|ids: &[u32]| {
                work.set(work.get() + ids.len());
                decode(ids)
            }));
            for _ in 0..20_000 {
                stream.step(id);
            }
            assert!(work.get() < 20_000 * 5 * LIMIT, "{id}: {}", work.get());
        }
    }
}
