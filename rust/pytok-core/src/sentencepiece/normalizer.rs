//! The library's normaliser: rules, spaces, and the byte map back to the original.

use super::format_error;
use super::plain::PlainCharacters;
use super::proto::NormalizerSpec;
use super::user_symbols::UserSymbols;
use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::normalize::charsmap::CharsMap;

/// A compiled `normalizer_spec` or `denormalizer_spec`.
#[derive(Debug, Clone)]
pub(super) struct Normalizer {
    charsmap: Option<CharsMap>,
    plain: PlainCharacters,
    remove_extra_whitespaces: bool,
    /// What a space becomes.
    space: &'static str,
    affix: Affix,
}

/// Where a space is added that the text does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Affix {
    None,
    Prefix,
    Suffix,
}

/// A normalised text and where it came from.
#[derive(Debug, Default)]
pub(super) struct Normalized {
    /// The text.
    pub(super) text: String,
    /// For every byte of `text`, and for its end, a byte of the original; empty
    /// where the original was empty or all space.
    pub(super) origins: Vec<u32>,
    /// Whether `origins` is left empty.
    pub(super) untracked: bool,
}

impl Normalized {
    fn push(&mut self, text: &str, origin: usize) {
        self.text.push_str(text);
        if !self.untracked {
            self.origins.resize(self.text.len(), offset(origin));
        }
    }

    /// Append a part of the original that begins at byte `origin` as it is.
    fn copy(&mut self, part: &str, origin: usize) {
        self.text.push_str(part);
        if !self.untracked {
            let mut start = offset(origin);
            self.origins
                .extend(part.bytes().zip(offset(origin)..).map(|(byte, place)| {
                    // All bytes of a character come from where it begins.
                    if byte & 0xC0 != 0x80 {
                        start = place;
                    }
                    start
                }));
        }
    }
}

impl Normalizer {
    /// Compile a message, for texts with these symbols. `field` names it in errors.
    ///
    /// # Errors
    /// When the character map is damaged.
    pub(super) fn compile(
        spec: &NormalizerSpec,
        whitespace_as_suffix: bool,
        symbols: Option<&UserSymbols>,
        field: &str,
    ) -> Result<Self> {
        let charsmap = spec
            .precompiled_charsmap
            .as_deref()
            .filter(|blob| !blob.is_empty())
            .map(CharsMap::parse)
            .transpose()
            .map_err(|error| match error {
                Error::Format { message, .. } => {
                    format_error(format!("{field}.precompiled_charsmap"), message)
                }
                other => other,
            })?;
        Ok(Self {
            plain: PlainCharacters::new(charsmap.as_ref(), symbols),
            charsmap,
            remove_extra_whitespaces: spec.remove_extra_whitespaces(),
            space: if spec.escape_whitespaces() {
                "\u{2581}"
            } else {
                " "
            },
            affix: match (spec.add_dummy_prefix(), whitespace_as_suffix) {
                (false, _) => Affix::None,
                (true, false) => Affix::Prefix,
                (true, true) => Affix::Suffix,
            },
        })
    }

    /// Whether a space is added before texts.
    pub(super) fn adds_affix(&self) -> bool {
        self.affix != Affix::None
    }

    /// Whether runs of spaces become one and the ends are trimmed.
    pub(super) fn removes_extra_whitespaces(&self) -> bool {
        self.remove_extra_whitespaces
    }

    /// Normalise `text` into `output`, whose old content is dropped. The symbols
    /// are those of compiling.
    ///
    /// # Errors
    /// When the text or its normal form has more than `u32::MAX` bytes.
    ///
    /// # Complexity
    /// O(n · r) for n bytes and rules of at most r bytes.
    pub(super) fn normalize(
        &self,
        text: &str,
        symbols: Option<&UserSymbols>,
        output: &mut Normalized,
    ) -> Result<()> {
        output.text.clear();
        output.origins.clear();
        check_length(text.len())?;
        let mut position = 0;
        if self.remove_extra_whitespaces {
            while let Some((" ", length)) = self.rewrite(text, position, symbols) {
                position += length;
            }
        }
        if position == text.len() {
            return Ok(());
        }
        if self.affix == Affix::Prefix {
            output.push(self.space, position);
        }
        let mut after_space = self.remove_extra_whitespaces;
        loop {
            let run = text.get(position..).map_or(0, |rest| self.plain.run(rest));
            if run > 0 {
                output.copy(&text[position..position + run], position);
                position += run;
                after_space = false;
            }
            if text
                .as_bytes()
                .get(position..)
                .is_some_and(|rest| self.plain.is_space(rest))
            {
                if !after_space {
                    output.push(self.space, position);
                }
                after_space = self.remove_extra_whitespaces;
                position += 1;
                continue;
            }
            let Some((mut rewritten, length)) = self.rewrite(text, position, symbols) else {
                break;
            };
            if after_space {
                rewritten = rewritten.trim_start_matches(' ');
            }
            if !rewritten.is_empty() {
                self.push_spaced(rewritten, position, output);
                after_space = self.remove_extra_whitespaces && rewritten.ends_with(' ');
            }
            position += length;
            check_length(output.text.len())?;
        }
        if self.remove_extra_whitespaces {
            // A mark that stood in the text itself is trimmed like a space.
            let trimmed = output.text.trim_end_matches(self.space).len();
            if trimmed < output.text.len() {
                output.text.truncate(trimmed);
                if let Some(&origin) = output.origins.get(trimmed) {
                    position = index(origin);
                    output.origins.truncate(trimmed);
                }
            }
        }
        if self.affix == Affix::Suffix {
            output.push(self.space, position);
        }
        check_length(output.text.len())?;
        if !output.untracked {
            output.origins.push(offset(position));
        }
        Ok(())
    }

    /// Append a rewritten place, spaces replaced.
    fn push_spaced(&self, rewritten: &str, origin: usize, output: &mut Normalized) {
        for (part, run) in rewritten.split(' ').enumerate() {
            if part > 0 {
                output.push(self.space, origin);
            }
            output.push(run, origin);
        }
    }

    /// What stands at a place after the rules, and how many bytes it replaces;
    /// `None` at the end of the text.
    #[inline]
    fn rewrite<'t>(
        &'t self,
        text: &'t str,
        position: usize,
        symbols: Option<&UserSymbols>,
    ) -> Option<(&'t str, usize)> {
        let rest = text
            .as_bytes()
            .get(position..)
            .filter(|rest| !rest.is_empty())?;
        if let Some((length, _)) = symbols.and_then(|symbols| symbols.longest_prefix(rest)) {
            return Some((text.get(position..position + length)?, length));
        }
        if let Some((length, rewritten)) = self
            .charsmap
            .as_ref()
            .and_then(|map| map.longest_prefix(rest))
        {
            return Some((rewritten, length));
        }
        // A damaged rule may end inside a character; what it leaves of it is
        // replaced byte by byte, as malformed text is in the library.
        let Some(character) = text.get(position..).and_then(|rest| rest.chars().next()) else {
            return Some(("\u{FFFD}", 1));
        };
        let length = character.len_utf8();
        Some((&text[position..position + length], length))
    }
}

fn check_length(bytes: usize) -> Result<()> {
    if u32::try_from(bytes).is_ok() {
        return Ok(());
    }
    Err(Error::encode(format!(
        "the text has more than {} bytes after normalisation; split it",
        u32::MAX
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalize::charsmap::tests::accents_bytes;

    #[test]
    fn what_is_copied_is_what_the_rules_would_leave() {
        let alphabet: Vec<char> = "abc 中国▁😀\u{301}".chars().collect();
        for options in 0..32_u32 {
            let has = |option: u32| Some(options >> option & 1 == 1);
            let spec = NormalizerSpec {
                precompiled_charsmap: (options & 1 == 1).then(accents_bytes),
                add_dummy_prefix: has(1),
                remove_extra_whitespaces: has(2),
                escape_whitespaces: has(3),
            };
            let fast = Normalizer::compile(&spec, options >> 4 == 1, None, "spec").unwrap();
            let mut slow = fast.clone();
            slow.plain = PlainCharacters::none();
            let (mut expected, mut found) = (Normalized::default(), Normalized::default());
            let mut untracked = Normalized {
                untracked: true,
                ..Normalized::default()
            };
            for number in 0..alphabet.len().pow(5) {
                let (mut rest, mut text) = (number, String::new());
                while rest > 0 {
                    text.push(alphabet[rest % alphabet.len()]);
                    rest /= alphabet.len();
                }
                slow.normalize(&text, None, &mut expected).unwrap();
                fast.normalize(&text, None, &mut found).unwrap();
                fast.normalize(&text, None, &mut untracked).unwrap();
                assert_eq!(found.text, expected.text, "{text:?}");
                assert_eq!(found.origins, expected.origins, "{text:?}");
                assert_eq!(untracked.text, expected.text, "{text:?}");
                assert!(untracked.origins.is_empty());
            }
        }
    }
}
