//! Lower case, character by character: no rule looks at its neighbours (a
//! capital sigma at the end of a word becomes σ, not ς).

use super::ideograph::is_ideograph;
use crate::text::AlignedText;

pub(super) fn apply(text: &mut AlignedText) {
    text.expand(|c| {
        let changes = if c.is_ascii() {
            c.is_ascii_uppercase()
        } else {
            !is_ideograph(c) && !c.to_lowercase().eq([c])
        };
        changes.then(|| c.to_lowercase())
    });
}
