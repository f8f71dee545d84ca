//! Combining marks removed: every character of general category M, as of the
//! Unicode version of the reference's tables. It does not decompose.

use unicode_normalization_alignments::char::is_combining_mark;

use super::ideograph::is_ideograph;
use crate::text::AlignedText;

pub(super) fn apply(text: &mut AlignedText) {
    text.filter(|c| c < '\u{300}' || is_ideograph(c) || !is_combining_mark(c));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_mark_stands_below_the_first_block_of_marks() {
        assert!(!('\0'..'\u{300}').any(is_combining_mark));
    }
}
