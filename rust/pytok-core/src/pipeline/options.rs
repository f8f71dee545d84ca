//! What a call to the encoder may ask for.

use super::added_tokens::SpecialPolicy;

/// Options of one encoding call; they never become state of the tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodeOptions {
    /// What to do with control tokens that stand in the text.
    pub special: SpecialPolicy,
    /// Add what the loaded file's own library adds by default.
    pub add_special_tokens: bool,
    /// Put the model's begin-of-sequence token first.
    pub bos: bool,
    /// Put the model's end-of-sequence token last.
    pub eos: bool,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        Self {
            special: SpecialPolicy::Error,
            add_special_tokens: true,
            bos: false,
            eos: false,
        }
    }
}

/// One sequence to encode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input<'a> {
    /// Running text.
    Text(&'a str),
    /// Words that are already apart; offsets are those inside each word.
    Words(&'a [&'a str]),
}
