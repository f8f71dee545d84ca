//! Ids to text, one id at a time.
//!
//! A [`DecodeStream`] gives text as soon as it can no longer change: never half
//! a character, and never text that a later id would take back. Everything that
//! it gives, [`DecodeStream::flush`] included, joined, is the text of all ids
//! decoded at once. What a decoder cannot settle before the end (a run of byte
//! pieces, say) is held back.
//!
//! How ids become text is the business of a [`StreamSource`]; there is one for
//! each kind of decoding:
//!
//! | source | for | work per id |
//! |---|---|---|
//! | [`ByteSource`] | tokens that are byte strings | O(bytes) |
//! | [`TokenSource`] | tokens through a [`super::decode::Decoder`] | O(bytes), amortised |
//! | [`WindowSource`] | any other decoder of limited memory | a bounded window |

mod window;

pub use self::window::WindowSource;

use super::decode::{DecodeChain, Decoder};
use super::utf8_stream::Utf8Stream;

/// Turns ids into text that can no longer change.
pub trait StreamSource {
    /// Take an id and append what is settled now.
    fn push(&mut self, id: u32, text: &mut String);

    /// There are no more ids: append the rest, and be ready to begin again.
    fn finish(&mut self, text: &mut String);
}

impl<S: StreamSource + ?Sized> StreamSource for Box<S> {
    fn push(&mut self, id: u32, text: &mut String) {
        (**self).push(id, text);
    }

    fn finish(&mut self, text: &mut String) {
        (**self).finish(text);
    }
}

/// Decodes a list of ids that arrives one by one.
///
/// # Examples
/// ```
/// use pytok_core::pipeline::stream::{ByteSource, DecodeStream};
///
/// let bytes_of = |id: u32| "叫".as_bytes().get(id as usize).map(|byte| vec![*byte]);
/// let mut stream = DecodeStream::new(ByteSource::new(bytes_of));
/// assert_eq!(stream.step(0), None);
/// assert_eq!(stream.step(1), None);
/// assert_eq!(stream.step(2).as_deref(), Some("叫"));
/// assert_eq!(stream.step(0), None);
/// assert_eq!(stream.flush().as_deref(), Some("\u{FFFD}"));
/// ```
#[derive(Debug, Clone)]
pub struct DecodeStream<S> {
    source: S,
}

impl<S: StreamSource> DecodeStream<S> {
    /// A stream at the beginning of a text.
    pub fn new(source: S) -> Self {
        Self { source }
    }

    /// Take an id; the text that it settles, if any.
    pub fn step(&mut self, id: u32) -> Option<String> {
        let mut text = String::new();
        self.source.push(id, &mut text);
        Some(text).filter(|text| !text.is_empty())
    }

    /// The text that was held back, if any. The next id begins a new text.
    pub fn flush(&mut self) -> Option<String> {
        let mut text = String::new();
        self.source.finish(&mut text);
        Some(text).filter(|text| !text.is_empty())
    }
}

/// Tokens that are byte strings; the text is their lossy UTF-8.
#[derive(Debug, Clone)]
pub struct ByteSource<F> {
    bytes_of: F,
    characters: Utf8Stream,
}

impl<F, B> ByteSource<F>
where
    F: FnMut(u32) -> Option<B>,
    B: AsRef<[u8]>,
{
    /// A source that looks up the bytes of an id; `None` leaves the id out.
    pub fn new(bytes_of: F) -> Self {
        Self {
            bytes_of,
            characters: Utf8Stream::default(),
        }
    }
}

impl<F, B> StreamSource for ByteSource<F>
where
    F: FnMut(u32) -> Option<B>,
    B: AsRef<[u8]>,
{
    fn push(&mut self, id: u32, text: &mut String) {
        if let Some(bytes) = (self.bytes_of)(id) {
            self.characters.push(bytes.as_ref(), text);
        }
    }

    fn finish(&mut self, text: &mut String) {
        self.characters.finish(text);
    }
}

/// Tokens through a [`Decoder`].
#[derive(Debug, Clone)]
pub struct TokenSource<F> {
    token_of: F,
    decoder: Decoder,
    chain: DecodeChain,
}

impl<F, T> TokenSource<F>
where
    F: FnMut(u32) -> Option<T>,
    T: AsRef<str>,
{
    /// A source that looks up the token of an id; `None` leaves the id out.
    pub fn new(decoder: Decoder, token_of: F) -> Self {
        Self {
            token_of,
            chain: decoder.chain(),
            decoder,
        }
    }
}

impl<F, T> StreamSource for TokenSource<F>
where
    F: FnMut(u32) -> Option<T>,
    T: AsRef<str>,
{
    fn push(&mut self, id: u32, text: &mut String) {
        if let Some(token) = (self.token_of)(id) {
            self.chain.push(token.as_ref(), text);
        }
    }

    fn finish(&mut self, text: &mut String) {
        self.chain.finish(text);
        self.chain = self.decoder.chain();
    }
}
