//! The four Unicode normalisation forms.
//!
//! The tables are those of the reference (Unicode 9). Most text is stable:
//! made of characters that each stand for themselves and never combine with
//! what comes before. Only the rest, together with the stable character before
//! it, goes through the tables; the result is the same, as a stable character
//! always starts afresh.

use std::ops::Range;

use unicode_normalization_alignments::UnicodeNormalization as _;

use super::ideograph::is_ideograph;
use crate::text::AlignedText;

/// A normalisation form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
}

impl Form {
    pub(super) fn apply(self, text: &mut AlignedText) {
        let source = text.clone();
        let part = |range: Range<usize>| &source.text()[range];
        let parts = UnstableParts::new(source.text(), self);
        match self {
            Self::Nfc => text.transform_parts(parts, |range| part(range).nfc()),
            Self::Nfd => text.transform_parts(parts, |range| part(range).nfd()),
            Self::Nfkc => text.transform_parts(parts, |range| part(range).nfkc()),
            Self::Nfkd => text.transform_parts(parts, |range| part(range).nfkd()),
        }
    }

    /// Whether all characters of a text are stable, and it with them.
    pub(super) fn leaves(self, text: &str) -> bool {
        text.is_ascii() || text.chars().all(|c| self.is_stable(c))
    }

    /// Whether `c` is its own form, is of combining class 0, and is never
    /// combined with a character before it. Not complete: some are left out.
    fn is_stable(self, c: char) -> bool {
        if c.is_ascii() || is_ideograph(c) {
            return true;
        }
        let composed = matches!(self, Self::Nfc | Self::Nfkc);
        let canonical = matches!(self, Self::Nfc | Self::Nfd);
        match c {
            // Chinese punctuation.
            '\u{3001}'..='\u{3029}' | '“' | '”' | '‘' | '’' | '—' | '·' => true,
            // Full-width forms and the ellipsis.
            '\u{FF00}'..='\u{FFEF}' | '…' => canonical,
            // Latin letters, Cyrillic, kana, Hangul syllables.
            'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ÿ' => composed,
            'Ā'..='ſ' | 'Α'..='Ρ' | 'Σ'..='ω' => composed && canonical,
            '\u{400}'..='\u{481}' => composed,
            // Dashes and quotes, arrows, numbers in circles, boxes and symbols.
            '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}' => composed && canonical,
            '\u{2190}'..='\u{21FF}' | '\u{2460}'..='\u{27BF}' => composed && canonical,
            '\u{1F300}'..='\u{1FAFF}' => composed && canonical,
            'ぁ'..='ゖ' | 'ァ'..='ー' | '가'..='힣' => composed,
            _ => false,
        }
    }
}

/// The parts of a text that have to go through the tables: maximal runs of
/// unstable characters, each with the character before it.
struct UnstableParts<'a> {
    text: &'a str,
    form: Form,
    done: usize,
}

impl<'a> UnstableParts<'a> {
    fn new(text: &'a str, form: Form) -> Self {
        Self {
            text,
            form,
            done: 0,
        }
    }
}

impl Iterator for UnstableParts<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut start = self.done;
        let mut first = None;
        for (at, c) in self.text[self.done..].char_indices() {
            let at = self.done + at;
            match (self.form.is_stable(c), first) {
                (true, None) => start = at,
                (true, Some(first)) => {
                    self.done = at;
                    return Some(first..at);
                }
                (false, None) => first = Some(start),
                (false, Some(_)) => {}
            }
        }
        self.done = self.text.len();
        first.map(|first| first..self.done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use unicode_normalization_alignments::char::{canonical_combining_class, compose};

    const FORMS: [Form; 4] = [Form::Nfc, Form::Nfd, Form::Nfkc, Form::Nfkd];

    /// The form of a whole string by the tables alone.
    fn whole(form: Form, text: &str) -> Vec<(char, isize)> {
        match form {
            Form::Nfc => text.nfc().collect(),
            Form::Nfd => text.nfd().collect(),
            Form::Nfkc => text.nfkc().collect(),
            Form::Nfkd => text.nfkd().collect(),
        }
    }

    #[test]
    fn stable_characters_stand_for_themselves_and_start_afresh() {
        // Every character that can be the second of a composition ends the
        // canonical decomposition of some character.
        let seconds: HashSet<char> = ('\0'..=char::MAX)
            .map(|c| c.to_string().nfd().map(|(c, _)| c).collect::<Vec<_>>())
            .filter(|parts| parts.len() > 1)
            .filter_map(|parts| parts.last().copied())
            .collect();
        assert!(seconds.contains(&'\u{301}') && seconds.contains(&'\u{11A8}'));
        assert_eq!(compose('が', '\u{3099}'), None);
        for form in FORMS {
            let stable: Vec<char> = ('\0'..=char::MAX).filter(|&c| form.is_stable(c)).collect();
            assert!(stable.len() > 70_000);
            for c in stable {
                assert_eq!(whole(form, &c.to_string()), [(c, 0)], "{form:?} {c:?}");
                assert_eq!(canonical_combining_class(c), 0);
                assert!(!seconds.contains(&c), "{form:?} {c:?}");
            }
        }
    }

    #[test]
    fn stable_text_is_not_copied() {
        let chinese = "“你好”，世界——abc。……《》、；：？！（１２）";
        for form in [Form::Nfc, Form::Nfd] {
            assert_eq!(UnstableParts::new(chinese, form).next(), None);
        }
        for form in FORMS {
            assert_eq!(UnstableParts::new("你好 abc。", form).next(), None);
        }
    }

    #[test]
    fn parts_give_the_stream_of_the_whole() {
        let alphabet: Vec<char> =
            "aé中\u{301}\u{323}\u{327}ﬁか\u{3099}가\u{1100}\u{1161}\u{11A8}，\u{F900}ſ\u{9C7}\u{9BE}½"
                .chars()
                .collect();
        let mut state = 1_u32;
        for _ in 0..20_000 {
            let text: String = (0..8)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    alphabet[usize::try_from(state >> 16).unwrap() % alphabet.len()]
                })
                .collect();
            for form in FORMS {
                let mut stream = Vec::new();
                let mut done = 0;
                for part in UnstableParts::new(&text, form) {
                    stream.extend(text[done..part.start].chars().map(|c| (c, 0)));
                    stream.extend(whole(form, &text[part.clone()]));
                    done = part.end;
                }
                stream.extend(text[done..].chars().map(|c| (c, 0)));
                assert_eq!(stream, whole(form, &text), "{form:?} {text:?}");
            }
        }
    }
}
