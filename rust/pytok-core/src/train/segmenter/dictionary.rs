//! The words of a dictionary and how frequent each is.

use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::ids::{index, offset};

/// Gives words, in lines, in another form, in as many lines.
pub(super) type Convert<'a> = dyn FnMut(&str) -> Result<String> + 'a;

/// Bytes of words that are converted at once: a few milliseconds' work.
const AT_ONCE: usize = 1 << 16;

/// Words in the order in which they first occur.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dictionary {
    text: String,
    /// Where each word ends in `text`.
    ends: Vec<usize>,
    frequencies: Vec<u64>,
    total: u64,
}

impl Dictionary {
    /// Read lines `word frequency[ tag]`; see [`super::WordSegmenter::from_dictionary`].
    pub(crate) fn parse(text: &str) -> Result<Self> {
        Ok(Self::read(text)?.0)
    }

    /// As [`Self::parse`]; other forms of the words, which `convert` gives, are
    /// words, too. See [`super::WordSegmenter::with_forms`].
    pub(super) fn with_forms(text: &str, convert: &mut Convert<'_>) -> Result<Self> {
        let (mut dictionary, places) = Self::read(text)?;
        let converted = dictionary.forms(convert)?;
        let mut forms: FxHashMap<&str, u32> = FxHashMap::default();
        let words = dictionary.ends.len();
        let all = converted.iter().flat_map(|forms| forms.split('\n'));
        for (word, form) in (0..words).zip(all) {
            if places.contains_key(form) {
                continue;
            }
            let place = *forms.entry(form).or_insert_with(|| dictionary.add(form));
            let frequency = dictionary.frequencies[word];
            let known = &mut dictionary.frequencies[index(place)];
            *known = frequency.max(*known);
        }
        for frequency in &dictionary.frequencies[words..] {
            let total = dictionary.total.checked_add(*frequency);
            dictionary.total = total.ok_or_else(|| {
                let message = "frequencies that sum to more than 64 bits with those of other forms";
                Error::argument("dictionary", message)
            })?;
        }
        Ok(dictionary)
    }

    /// The forms of all words, as many at once as [`AT_ONCE`] says, in lines.
    fn forms(&self, convert: &mut Convert<'_>) -> Result<Vec<String>> {
        let (mut converted, mut start, mut first) = (Vec::new(), 0, 0);
        while first < self.ends.len() {
            let mut lines = String::new();
            let mut last = first;
            while last < self.ends.len() && lines.len() < AT_ONCE {
                if last > first {
                    lines.push('\n');
                }
                lines.push_str(&self.text[start..self.ends[last]]);
                start = self.ends[last];
                last += 1;
            }
            let forms = convert(&lines)?;
            let (found, expected) = (forms.split('\n').count(), last - first);
            if found != expected {
                let message = format!("{found} other forms of {expected} words, expected as many");
                return Err(Error::argument("dictionary", message));
            }
            converted.push(forms);
            first = last;
        }
        Ok(converted)
    }

    /// Append a word, and return its place.
    fn add(&mut self, word: &str) -> u32 {
        self.text.push_str(word);
        self.ends.push(self.text.len());
        self.frequencies.push(0);
        offset(self.ends.len() - 1)
    }

    /// The words, and the place of each.
    fn read(text: &str) -> Result<(Self, FxHashMap<&str, u32>)> {
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
            let place = *places.entry(word).or_insert_with(|| dictionary.add(word));
            dictionary.frequencies[index(place)] = frequency;
        }
        if dictionary.total == 0 {
            let message = "no word with a frequency, expected lines `word frequency`";
            return Err(Error::argument("dictionary", message));
        }
        Ok((dictionary, places))
    }

    /// The sum of the frequencies of all lines.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Words and frequencies; those of frequency 0 are not words.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&str, u64)> {
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
    fn other_forms_are_words_with_the_greatest_frequency_of_their_words() {
        let text = "发 3 v\n髮 1\n头发 5\n头髮 2\n门 4\n门 6\n";
        let forms = |lines: &str| {
            Ok(lines
                .replace('头', "頭")
                .replace('发', "髮")
                .replace('门', "門"))
        };
        let dictionary = Dictionary::with_forms(text, &mut { forms }).unwrap();
        assert_eq!(
            dictionary.words().collect::<Vec<_>>(),
            [
                ("发", 3),
                ("髮", 1),
                ("头发", 5),
                ("头髮", 2),
                ("门", 6),
                ("頭髮", 5),
                ("門", 6)
            ]
        );
        assert_eq!(dictionary.total(), 3 + 1 + 5 + 2 + 4 + 6 + 5 + 6);
    }

    #[test]
    fn forms_are_converted_in_parts() {
        let words: Vec<String> = (0..40_000).map(|number| format!("w{number}")).collect();
        let text: String = words.iter().map(|word| format!("{word} 1\n")).collect();
        let mut calls = 0;
        let mut upper = |lines: &str| {
            calls += 1;
            Ok(lines.to_uppercase())
        };
        let dictionary = Dictionary::with_forms(&text, &mut upper).unwrap();
        let found: Vec<&str> = dictionary.words().map(|(word, _)| word).collect();
        let upper: Vec<String> = words.iter().map(|word| word.to_uppercase()).collect();
        assert!(calls > 2);
        assert_eq!(found[..words.len()], words);
        assert_eq!(found[words.len()..], upper);
    }

    #[test]
    fn forms_that_are_not_as_many_are_refused() {
        let refused = |forms: &'static str| {
            let mut convert = |_: &str| Ok(forms.to_owned());
            let error = Dictionary::with_forms("学 3\n而 1\n", &mut convert).unwrap_err();
            error.to_string()
        };
        assert!(refused("學").starts_with("dictionary: 1 other forms of 2 words"));
        assert!(refused("學\n而\n").starts_with("dictionary: 3 other forms"));
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
