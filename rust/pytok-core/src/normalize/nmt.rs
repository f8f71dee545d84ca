//! The clean-up of SentencePiece's `nmt` rules: some control characters go,
//! exotic white space becomes a space.

use crate::text::AlignedText;

pub(super) fn apply(text: &mut AlignedText) {
    text.filter(|c| !is_dropped(c));
    text.map(|c| if is_space(c) { ' ' } else { c });
}

fn is_dropped(c: char) -> bool {
    matches!(
        c,
        '\u{1}'..='\u{8}'
            | '\u{B}'
            | '\u{E}'..='\u{1F}'
            | '\u{7F}'
            | '\u{8F}'
            | '\u{9F}'
    )
}

fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{C}' | '\r' | '\u{1680}' | '\u{200B}'
            ..='\u{200F}' | '\u{2028}' | '\u{2029}' | '\u{2581}' | '\u{FEFF}' | '\u{FFFD}'
    )
}
