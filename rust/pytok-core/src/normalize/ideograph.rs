//! The ideographs that no normaliser but BERT's spacing ever changes.
//!
//! Chinese text is made of them, so the normalisers ask here before they search
//! a Unicode table.

/// Whether `c` is a unified ideograph (or will only ever be one): without case,
/// decomposition, combining class or control function.
#[inline]
pub(super) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}' | '\u{20000}'..='\u{2A6DF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_categories::UnicodeCategories;

    #[test]
    fn ideographs_are_inert() {
        for c in ('\0'..=char::MAX).filter(|&c| is_ideograph(c)) {
            assert!(c.to_lowercase().eq([c]));
            assert!(!c.is_whitespace() && !c.is_mark_nonspacing() && !c.is_other());
            assert!(!unicode_normalization_alignments::char::is_combining_mark(
                c
            ));
        }
    }
}
