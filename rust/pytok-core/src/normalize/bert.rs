//! BERT's clean-up, in its order: control characters and white space, spaces
//! around Chinese characters, accents, case.

use unicode_categories::UnicodeCategories;

use super::ideograph::is_ideograph;
use super::lowercase;
use super::unicode_form::Form;
use crate::text::AlignedText;

/// What is switched on.
#[derive(Debug)]
pub(super) struct Bert {
    pub(super) clean_text: bool,
    pub(super) handle_chinese_chars: bool,
    pub(super) strip_accents: bool,
    pub(super) lowercase: bool,
}

impl Bert {
    pub(super) fn apply(&self, text: &mut AlignedText) {
        if self.clean_text {
            text.filter(|c| !is_dropped(c));
            text.map(|c| if c.is_whitespace() { ' ' } else { c });
        }
        if self.handle_chinese_chars {
            text.expand(|c| is_chinese(c).then(|| [' ', c, ' '].into_iter()));
        }
        if self.strip_accents {
            Form::Nfd.apply(text);
            text.filter(|c| c < '\u{300}' || is_ideograph(c) || !c.is_mark_nonspacing());
        }
        if self.lowercase {
            lowercase::apply(text);
        }
    }
}

/// NUL, the replacement character, and everything of category C but the white
/// space among it.
fn is_dropped(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | ' '..='~' => false,
        '\0' | '\u{FFFD}' => true,
        _ => !is_ideograph(c) && c.is_other(),
    }
}

/// The blocks that BERT's authors call Chinese.
///
/// The fifth range of the original list is mistyped in the reference (it starts
/// at U+2B920 instead of U+2B820), so the beginning of extension E is not there.
fn is_chinese(c: char) -> bool {
    matches!(
        c,
        '\u{4E00}'..='\u{9FFF}'
            | '\u{3400}'..='\u{4DBF}'
            | '\u{20000}'..='\u{2A6DF}'
            | '\u{2A700}'..='\u{2B73F}'
            | '\u{2B740}'..='\u{2B81F}'
            | '\u{2B920}'..='\u{2CEAF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{2F800}'..='\u{2FA1F}'
    )
}
