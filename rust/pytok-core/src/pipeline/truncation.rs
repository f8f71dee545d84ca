//! Cutting encodings to a maximal length; what is cut off overflows.
//!
//! Lengths, windows and strategies are those of `tokenizers`, with one addition:
//! a cut never falls between two tokens that share a character of the text
//! (bytes of one character, letters that one ligature was normalised to). It
//! moves to the edge of that character which keeps fewer tokens. A character
//! with more tokens than a window may hold is in no window.

use std::ops::Range;

use super::encoding::Encoding;
use super::padding::Side;
use crate::error::{Error, Result};

/// Which sequence of a pair gives way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TruncationStrategy {
    /// The longer one, then both alike.
    #[default]
    LongestFirst,
    /// The first.
    OnlyFirst,
    /// The second.
    OnlySecond,
}

/// How to truncate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Truncation {
    /// Most tokens of the result, special tokens included.
    pub max_length: usize,
    /// Tokens that a window of the overflow shares with the one before.
    pub stride: usize,
    /// Which sequence of a pair gives way.
    pub strategy: TruncationStrategy,
    /// Which end is cut off.
    pub side: Side,
}

/// Truncate one or two sequences so that they and `added_tokens` special tokens
/// have at most `truncation.max_length` tokens.
///
/// # Errors
/// [`Error::Argument`] when the special tokens alone are too many, when the
/// stride leaves a window nothing new, when there is no second sequence to
/// truncate, and when the sequence to truncate is not long enough.
pub fn truncate_sequences(
    mut first: Encoding,
    mut second: Option<Encoding>,
    truncation: &Truncation,
    added_tokens: usize,
) -> Result<(Encoding, Option<Encoding>)> {
    let Truncation {
        max_length,
        stride,
        strategy,
        side,
    } = *truncation;
    let Some(budget) = max_length.checked_sub(added_tokens) else {
        return Err(Error::argument(
            "max_length",
            format!("{max_length} leaves no room for the {added_tokens} special tokens"),
        ));
    };
    check_stride(stride, budget)?;
    if budget == 0 {
        first.truncate(0, stride, side)?;
        if let Some(second) = &mut second {
            second.truncate(0, stride, side)?;
        }
        return Ok((first, second));
    }
    let total = first.len() + second.as_ref().map_or(0, Encoding::len);
    let Some(excess @ 1..) = total.checked_sub(budget) else {
        return Ok((first, second));
    };
    match (strategy, &mut second) {
        (TruncationStrategy::LongestFirst, Some(second)) => {
            let (first_length, second_length) = share(first.len(), second.len(), budget);
            first.truncate(first_length, stride, side)?;
            second.truncate(second_length, stride, side)?;
        }
        (TruncationStrategy::LongestFirst, None) => first.truncate(budget, stride, side)?,
        (TruncationStrategy::OnlyFirst, _) => shorten(&mut first, excess, stride, side)?,
        (TruncationStrategy::OnlySecond, Some(second)) => shorten(second, excess, stride, side)?,
        (TruncationStrategy::OnlySecond, None) => {
            return Err(Error::argument(
                "truncation_strategy",
                "only_second needs a pair, and there is no second sequence",
            ));
        }
    }
    Ok((first, second))
}

/// The lengths of a pair that is longer than `budget`: the shorter sequence
/// keeps its length up to half of the budget, the longer one gets the rest.
fn share(first: usize, second: usize, budget: usize) -> (usize, usize) {
    let shorter = first.min(second).min(budget / 2);
    let longer = budget - shorter;
    // Of two equal sequences the second counts as the longer.
    if first > second {
        (longer, shorter)
    } else {
        (shorter, longer)
    }
}

fn shorten(encoding: &mut Encoding, excess: usize, stride: usize, side: Side) -> Result<()> {
    match encoding.len().checked_sub(excess) {
        Some(length @ 1..) => encoding.truncate(length, stride, side),
        _ => Err(Error::argument(
            "max_length",
            format!(
                "{excess} tokens have to go, and the sequence to truncate has only {}",
                encoding.len()
            ),
        )),
    }
}

/// A stride of the whole window or more would never get anywhere.
fn check_stride(stride: usize, max_length: usize) -> Result<()> {
    if stride > 0 && stride >= max_length {
        return Err(Error::argument(
            "stride",
            format!("{stride} is not less than the {max_length} tokens that the text may have"),
        ));
    }
    Ok(())
}

impl Encoding {
    /// Keep at most `max_length` tokens; the overflow gets the rest, in windows
    /// of at most `max_length` tokens of which `stride` repeat the end of the
    /// window before. What was known about sequences is lost, as in the
    /// reference.
    ///
    /// # Errors
    /// [`Error::Argument`] when a cut is needed and `stride` is not less than
    /// `max_length`.
    ///
    /// # Complexity
    /// Linear in this encoding and in the tokens of all windows.
    pub fn truncate(&mut self, max_length: usize, stride: usize, side: Side) -> Result<()> {
        let length = self.len();
        if max_length >= length {
            return Ok(());
        }
        if max_length == 0 {
            let all = std::mem::take(self);
            self.overflowing.push(all);
            return Ok(());
        }
        check_stride(stride, max_length)?;
        let windows = match side {
            Side::Right => windows(length, max_length, stride, |at| self.may_cut(at)),
            // The same from the other end.
            Side::Left => windows(length, max_length, stride, |at| self.may_cut(length - at))
                .into_iter()
                .map(|window| length - window.end..length - window.start)
                .collect(),
        };
        let mut parts = windows.into_iter().map(|window| self.slice(window));
        let mut kept = parts.next().unwrap_or_default();
        kept.overflowing = parts.collect();
        *self = kept;
        Ok(())
    }

    /// Whether no character belongs to the tokens on both sides of a position.
    fn may_cut(&self, at: usize) -> bool {
        if at == 0 || at >= self.len() {
            return true;
        }
        if self.word_ids[at - 1] != self.word_ids[at] {
            // Offsets of words that came apart are those inside each word.
            return true;
        }
        let (before, after) = (self.offsets[at - 1], self.offsets[at]);
        let overlap = before.0.max(after.0) < before.1.min(after.1);
        // SentencePiece gives the whole character to its last byte piece.
        let bytes_of_one = before.0 == before.1
            && before.1 == after.0
            && is_byte_piece(&self.tokens[at - 1])
            && is_byte_piece(&self.tokens[at]);
        !overlap && !bytes_of_one
    }
}

fn is_byte_piece(token: &str) -> bool {
    token.len() == 6 && token.starts_with("<0x") && token.ends_with('>')
}

/// The windows over `length` tokens, the first of which may be empty. Every
/// window after it brings something new.
fn windows(
    length: usize,
    max_length: usize,
    stride: usize,
    may_cut: impl Fn(usize) -> bool,
) -> Vec<Range<usize>> {
    // cuts[at]: the last position up to `at` where a cut may fall.
    let mut cuts = Vec::with_capacity(length + 1);
    let mut last_cut = 0;
    for at in 0..=length {
        if may_cut(at) {
            last_cut = at;
        }
        cuts.push(last_cut);
    }
    let mut windows = Vec::<Range<usize>>::new();
    let (mut start, mut reached) = (0, 0);
    while start < length {
        let end = cuts[length.min(start.saturating_add(max_length))];
        if end > reached.max(start) || windows.is_empty() {
            windows.push(start..end);
            reached = end;
        }
        if end == length {
            break;
        }
        let next = cuts[end.saturating_sub(stride).max(start)];
        start = if next > start {
            next
        } else {
            // Nothing gained: go on behind the character that is in the way.
            (start + 1..=length)
                .find(|at| cuts[*at] == *at)
                .unwrap_or(length)
        };
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::encoding::EncodingParts;

    /// An encoding whose tokens cover the characters given.
    fn encoding(offsets: &[(u32, u32)]) -> Encoding {
        let numbers = 0..u32::try_from(offsets.len()).unwrap();
        Encoding::from_parts(EncodingParts {
            ids: numbers.clone().collect(),
            tokens: numbers.map(|number| number.to_string()).collect(),
            offsets: offsets.to_vec(),
            byte_offsets: offsets.to_vec(),
            word_ids: vec![Some(0); offsets.len()],
            type_id: 0,
        })
        .unwrap()
    }

    fn window_ids(encoding: &Encoding) -> Vec<Vec<u32>> {
        std::iter::once(encoding)
            .chain(encoding.overflowing())
            .map(|window| window.ids().to_vec())
            .collect()
    }

    #[test]
    fn byte_pieces_of_one_character_stay_together_and_words_apart() {
        let mut bytes = encoding(&[(0, 1), (1, 1), (1, 1), (1, 2)]);
        bytes.tokens = ["0", "<0xE4>", "<0xE4>", "<0xE4>"].iter().collect();
        bytes.truncate(3, 0, Side::Right).unwrap();
        assert_eq!(bytes.len(), 1);
        let mut words = encoding(&[(0, 1), (0, 1), (0, 1)]);
        words.word_ids = vec![Some(0), Some(1), Some(2)];
        words.truncate(2, 0, Side::Right).unwrap();
        assert_eq!(words.len(), 2);
    }

    #[test]
    fn a_cut_moves_off_a_character_of_several_tokens() {
        // a, three bytes of one character, b, c
        let text = [(0, 1), (1, 2), (1, 2), (1, 2), (2, 3), (3, 4)];
        let mut right = encoding(&text);
        right.truncate(3, 0, Side::Right).unwrap();
        assert_eq!(window_ids(&right), [vec![0], vec![1, 2, 3], vec![4, 5]]);
        let mut left = encoding(&text);
        left.truncate(4, 1, Side::Left).unwrap();
        assert_eq!(
            window_ids(&left),
            [vec![4, 5], vec![1, 2, 3, 4], vec![0, 1, 2, 3]]
        );
    }

    #[test]
    fn a_character_wider_than_a_window_is_left_out() {
        let mut wide = encoding(&[(0, 1), (0, 1), (0, 1), (1, 2), (2, 3), (2, 3), (2, 3)]);
        wide.truncate(2, 0, Side::Right).unwrap();
        assert_eq!(window_ids(&wide), [vec![], vec![3]]);
    }

    /// Every pattern of characters up to eight tokens, every window and stride:
    /// whole characters, no window too long, all tokens of characters that fit
    /// are somewhere, and each window brings something new.
    #[test]
    fn windows_hold_whole_characters_and_lose_nothing_that_fits() {
        for length in 1..=8_usize {
            for pattern in 0..1_u32 << (length - 1) {
                let may_cut = |at: usize| at == 0 || at == length || pattern >> (at - 1) & 1 == 1;
                for max_length in 1..=length {
                    for stride in 0..max_length {
                        let found = windows(length, max_length, stride, may_cut);
                        let mut covered = vec![false; length];
                        for (number, window) in found.iter().enumerate() {
                            assert!(may_cut(window.start) && may_cut(window.end));
                            assert!(window.len() <= max_length);
                            assert!(number == 0 || covered[window.clone()].contains(&false));
                            covered[window.clone()].fill(true);
                        }
                        for (token, covered) in covered.iter().enumerate() {
                            let first = (0..=token).rev().find(|at| may_cut(*at)).unwrap();
                            let end = (token + 1..=length).find(|at| may_cut(*at)).unwrap();
                            assert_eq!(*covered, end - first <= max_length);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn errors_name_the_argument() {
        let five = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)];
        let truncation = |max_length, stride, strategy| Truncation {
            max_length,
            stride,
            strategy,
            side: Side::Right,
        };
        for (truncation, second, argument) in [
            (
                truncation(1, 0, TruncationStrategy::LongestFirst),
                false,
                "max_length",
            ),
            (
                truncation(4, 2, TruncationStrategy::LongestFirst),
                false,
                "stride",
            ),
            (
                truncation(5, 0, TruncationStrategy::OnlyFirst),
                true,
                "max_length",
            ),
            (
                truncation(5, 0, TruncationStrategy::OnlySecond),
                false,
                "truncation_strategy",
            ),
        ] {
            let second = second.then(|| encoding(&five));
            let error = truncate_sequences(encoding(&five), second, &truncation, 2).unwrap_err();
            assert!(
                matches!(error, Error::Argument { argument: found, .. } if found == argument),
                "{error}"
            );
        }
    }
}
