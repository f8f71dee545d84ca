//! The words of a plain text, for models that work on bytes.
//!
//! When a pre-tokenizer only cuts the text and then spells its bytes in the
//! byte alphabet, the bytes themselves can go to the model: no word has to be
//! built, and no alignment is needed.

use std::sync::Arc;

use super::matcher::Matcher;
use super::regex::Dialect;
use super::scan::Scanner;
use super::split::{Kept, Split};
use crate::definition::SplitBehavior;
use crate::error::{Error, Result};

/// Cuts a text into words that are byte ranges of it.
#[derive(Debug, Clone)]
pub struct RawSplitter {
    stages: Vec<(Arc<Split>, Kept)>,
    /// A scanner for all stages at once.
    scanner: Option<(Scanner, Kept)>,
}

impl RawSplitter {
    /// The splitter of `tiktoken`: the words are the matches of the pattern, and
    /// text between matches is lost.
    ///
    /// # Errors
    /// When `fancy-regex` refuses the pattern.
    ///
    /// # Examples
    /// ```
    /// use pytok_core::pretokenize::{RawSplitter, patterns};
    /// let splitter = RawSplitter::for_tiktoken(patterns::CL100K)?;
    /// let mut words = Vec::new();
    /// splitter.for_each_word("I'm here", &mut |start, end| {
    ///     words.push((start, end));
    ///     Ok(())
    /// })?;
    /// assert_eq!(words, [(0, 1), (1, 3), (3, 8)]);
    /// # Ok::<(), pytok_core::Error>(())
    /// ```
    pub fn for_tiktoken(pattern: &str) -> Result<Self> {
        let split = Split {
            matcher: Matcher::for_pattern(pattern, Dialect::FancyRegex)?,
            behavior: SplitBehavior::Removed,
            invert: true,
        };
        let kept = Kept {
            matches: true,
            gaps: false,
        };
        Ok(Self::new(vec![(Arc::new(split), kept)]))
    }

    /// The splitter of these steps; `None` when one of them joins what it cut.
    pub(super) fn of<'a>(splits: impl IntoIterator<Item = &'a Arc<Split>>) -> Option<Self> {
        let stages = splits
            .into_iter()
            .map(|split| Some((Arc::clone(split), split.kept()?)));
        stages.collect::<Option<_>>().map(Self::new)
    }

    fn new(stages: Vec<(Arc<Split>, Kept)>) -> Self {
        let scanners = stages.iter().map(|(split, _)| match &split.matcher {
            Matcher::Scanner(scanner) => Some(scanner),
            _ => None,
        });
        let scanner = match (scanners.collect::<Option<Vec<_>>>(), &stages[..]) {
            (Some(scanners), [(_, kept)]) => Some((*scanners[0], *kept)),
            (Some(scanners), _) if stages.iter().all(|(_, kept)| kept.matches && kept.gaps) => {
                let scanner = Scanner::for_stages(&scanners);
                scanner.zip(stages.first().map(|(_, kept)| *kept))
            }
            _ => None,
        };
        Self { stages, scanner }
    }

    /// Call `word` with the byte range of each word, from left to right. Words
    /// are never empty.
    ///
    /// # Errors
    /// When a regular expression gives up, or `word` fails.
    ///
    /// # Complexity
    /// Linear in the text for known patterns.
    pub fn for_each_word(
        &self,
        text: &str,
        word: &mut dyn FnMut(usize, usize) -> Result<()>,
    ) -> Result<()> {
        self.each_word(text, word)
    }

    /// [`RawSplitter::for_each_word`], compiled for each `word`.
    #[inline]
    pub(crate) fn each_word(
        &self,
        text: &str,
        mut word: impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<()> {
        if self.scanner.is_none() {
            return split(&self.stages, text, 0, &mut word);
        }
        self.each_word_between(text, 0, usize::MAX, word)?;
        Ok(())
    }

    /// Whether the words behind the end of a match do not depend on what stands
    /// before it: then [`RawSplitter::each_word_between`] may begin there.
    pub(crate) fn starts_anywhere(&self) -> bool {
        self.scanner.is_some()
    }

    /// Call `word` with the words from byte `from` on, until a match ends at byte
    /// `until` or behind it. Returns where that is: the end of the text if there
    /// is no such match, or if the splitter cannot start anywhere.
    ///
    /// # Errors
    /// When `word` fails.
    ///
    /// # Panics
    /// When `from` is not on a character boundary.
    #[inline]
    pub(crate) fn each_word_between(
        &self,
        text: &str,
        from: usize,
        until: usize,
        mut word: impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<usize> {
        let Some((scanner, kept)) = &self.scanner else {
            return Ok(text.len());
        };
        let mut done = from;
        let stopped = scanner.for_each_from(text, from, |start, end| {
            if kept.gaps && done < start {
                word(done, start).map_err(Stop::Failed)?;
            }
            done = end;
            if kept.matches {
                word(start, end).map_err(Stop::Failed)?;
            }
            if end >= until {
                return Err(Stop::Reached);
            }
            Ok(())
        });
        match stopped {
            Ok(()) => {
                if kept.gaps && done < text.len() {
                    word(done, text.len())?;
                }
                Ok(text.len())
            }
            Err(Stop::Reached) => Ok(done),
            Err(Stop::Failed(error)) => Err(error),
        }
    }
}

/// Why a walk over words ends early.
enum Stop {
    Reached,
    Failed(Error),
}

/// Apply the first stage to a piece that begins at `base`, and the others to
/// what it leaves.
fn split(
    stages: &[(Arc<Split>, Kept)],
    piece: &str,
    base: usize,
    word: &mut dyn FnMut(usize, usize) -> Result<()>,
) -> Result<()> {
    if piece.is_empty() {
        return Ok(());
    }
    let Some(((stage, kept), rest)) = stages.split_first() else {
        return word(base, base + piece.len());
    };
    let mut pass = |keep: bool, start: usize, end: usize| {
        if !keep || start == end {
            Ok(())
        } else if rest.is_empty() {
            word(base + start, base + end)
        } else {
            split(rest, &piece[start..end], base + start, word)
        }
    };
    let mut done = 0;
    stage.matcher.for_each(piece, |start, end| {
        pass(kept.gaps, done, start)?;
        done = end;
        pass(kept.matches, start, end)
    })?;
    pass(kept.gaps, done, piece.len())
}

#[cfg(test)]
mod tests {
    use super::super::patterns;
    use super::*;

    fn splitter(patterns: &[&str], dialect: Dialect) -> RawSplitter {
        let kept = Kept {
            matches: true,
            gaps: true,
        };
        let stage = |pattern: &&str| {
            let split = Split {
                matcher: Matcher::for_pattern(pattern, dialect).unwrap(),
                behavior: SplitBehavior::Isolated,
                invert: false,
            };
            (Arc::new(split), kept)
        };
        RawSplitter::new(patterns.iter().map(stage).collect())
    }

    /// The words of a text, by one scanner and by one stage after another.
    fn both(splitter: &RawSplitter, text: &str) -> [Vec<(usize, usize)>; 2] {
        let mut words = [Vec::new(), Vec::new()];
        splitter
            .each_word(text, |start, end| {
                words[0].push((start, end));
                Ok(())
            })
            .unwrap();
        split(&splitter.stages, text, 0, &mut |start, end| {
            words[1].push((start, end));
            Ok(())
        })
        .unwrap();
        words
    }

    #[test]
    fn one_scanner_finds_the_words_of_all_stages() {
        // Unassigned and unmatched characters, marks and signs inside of the
        // Chinese and Japanese range, and all kinds around it.
        let kinds = [
            "1", "２", "中", "ア", "・", "\u{3040}", "\u{3099}", "a", "!", " ", "\n", "\u{1}", "é",
            "，", "\u{301}", "😀", "〇", "龦",
        ];
        for dialect in [Dialect::Oniguruma, Dialect::FancyRegex] {
            let splitter = splitter(&patterns::DEEPSEEK, dialect);
            assert!(splitter.scanner.is_some());
            let mut text = String::new();
            for number in 0..kinds.len().pow(4) * 2 {
                text.clear();
                let (mut rest, length) = (number / 2, 3 + number % 2 * 2);
                for place in 0..length {
                    text.push_str(kinds[(rest + place / 4 * number / 7) % kinds.len()]);
                    rest /= kinds.len();
                }
                let [fused, staged] = both(&splitter, &text);
                assert_eq!(fused, staged, "{text:?}");
            }
        }
    }

    #[test]
    fn other_stages_have_no_scanner_of_their_own() {
        let [numbers, chinese, rest] = patterns::DEEPSEEK;
        for stages in [&[numbers, chinese][..], &[chinese, numbers, rest], &[]] {
            assert!(splitter(stages, Dialect::Oniguruma).scanner.is_none());
        }
        assert!(splitter(&[rest], Dialect::Oniguruma).scanner.is_some());
    }
}
