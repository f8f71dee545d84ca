//! The library's normaliser: rules, spaces, and the byte map back to the original.

use super::format_error;
use super::proto::NormalizerSpec;
use super::user_symbols::UserSymbols;
use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::normalize::charsmap::CharsMap;

/// A compiled `normalizer_spec` or `denormalizer_spec`.
#[derive(Debug, Clone)]
pub(super) struct Normalizer {
    charsmap: Option<CharsMap>,
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
}

impl Normalized {
    fn push(&mut self, text: &str, origin: usize) {
        self.text.push_str(text);
        self.origins.resize(self.text.len(), offset(origin));
    }
}

impl Normalizer {
    /// Compile a message. `field` names it in errors.
    ///
    /// # Errors
    /// When the character map is damaged.
    pub(super) fn compile(
        spec: &NormalizerSpec,
        whitespace_as_suffix: bool,
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

    /// Normalise `text` into `output`, whose old content is dropped.
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
        while let Some((mut rewritten, length)) = self.rewrite(text, position, symbols) {
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
                position = index(output.origins[trimmed]);
                output.text.truncate(trimmed);
                output.origins.truncate(trimmed);
            }
        }
        if self.affix == Affix::Suffix {
            output.push(self.space, position);
        }
        output.origins.push(offset(position));
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
