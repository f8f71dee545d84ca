//! The words of a dictionary and how frequent each is.

use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::ids::{index, offset};

/// Words in the order in which they first occur.
#[derive(Debug, Clone, Default)]
pub(super) struct Dictionary {
    text: String,
    /// Where each word ends in `text`.
    ends: Vec<usize>,
    frequencies: Vec<u64>,
    total: u64,
}

impl Dictionary {
    /// Read lines `word frequency[ tag]`; see [`super::WordSegmenter::from_dictionary`].
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut dictionary = Self::default();
        let mut places: FxHashMap<&str, u32> = FxHashMap::default();
        for (number, line) in text.split('\n').enumerate() {
            let line = line.trim_matches([' ', '\t', '\r', '\x0b', '\x0c']);
            if line.is_empty() {
                continue;
            }
            let refuse = |problem: &str| {
                let message = format!(
                    "line {}: {problem} in {line:?}, expected `word frequency` or `word frequency tag`",
                    number + 1
                );
                Error::argument("dictionary", message)
            };
            let mut fields = line.split([' ', '\t']).filter(|field| !field.is_empty());
            let (Some(word), Some(frequency)) = (fields.next(), fields.next()) else {
                return Err(refuse("no frequency"));
            };
            let frequency: u64 = frequency
                .parse()
                .map_err(|_| refuse(&format!("the frequency {frequency:?}")))?;
            // A word that is listed twice counts twice in the total although
            // only its last frequency stays: so jieba computes probabilities.
            dictionary.total = dictionary
                .total
                .checked_add(frequency)
                .ok_or_else(|| refuse("frequencies that sum to more than 64 bits"))?;
            let place = *places.entry(word).or_insert_with(|| {
                dictionary.text.push_str(word);
                dictionary.ends.push(dictionary.text.len());
                dictionary.frequencies.push(0);
                offset(dictionary.ends.len() - 1)
            });
            dictionary.frequencies[index(place)] = frequency;
        }
        if dictionary.total == 0 {
            let message = "no word with a frequency, expected lines `word frequency`";
            return Err(Error::argument("dictionary", message));
        }
        Ok(dictionary)
    }

    /// The sum of the frequencies of all lines.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Words and frequencies; those of frequency 0 are not words.
    pub(super) fn words(&self) -> impl Iterator<Item = (&str, u64)> {
        let starts = std::iter::once(&0).chain(&self.ends);
        let spans = starts.zip(&self.ends).zip(&self.frequencies);
        spans
            .filter(|&(_, &frequency)| frequency > 0)
            .map(|((&start, &end), &frequency)| (&self.text[start..end], frequency))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        Dictionary::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn the_last_line_of_a_word_gives_its_frequency_and_the_total_has_all() {
        let dictionary = Dictionary::parse("学 3 v\n\n而\t5\r\n 学 7\n时  1  n\n时 0\n").unwrap();
        assert_eq!(
            dictionary.words().collect::<Vec<_>>(),
            [("学", 7), ("而", 5)]
        );
        assert_eq!(dictionary.total(), 16);
    }

    #[test]
    fn a_line_that_is_no_entry_is_named() {
        assert_eq!(
            refusal("学 3\n而\n"),
            "dictionary: line 2: no frequency in \"而\", expected `word frequency` or \
             `word frequency tag`"
        );
        assert!(refusal("学 v").contains("line 1: the frequency \"v\""));
        assert!(refusal("学 -1").contains("line 1: the frequency \"-1\""));
        assert!(refusal(&format!("a {}\nb 1", u64::MAX)).contains("line 2: frequencies"));
        assert!(refusal("").contains("no word"));
        assert!(refusal("学 0\n").contains("no word"));
    }
}
