//! The texts of tokens, one after another in one buffer.
//!
//! A string of its own for every token takes longer than finding the token.

use std::ops::{Index, Range};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::padding::Side;

/// A list of texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TokenTexts {
    text: String,
    /// Where each ends.
    ends: Vec<usize>,
}

impl TokenTexts {
    /// An empty list with room for so many texts of about as many bytes in all.
    pub fn with_capacity(count: usize, bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            ends: Vec::with_capacity(count),
        }
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The texts in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        (0..self.len()).map(|at| &self[at])
    }

    /// Append a text.
    pub fn push(&mut self, text: &str) {
        self.push_characters(|all| all.push_str(text));
    }

    /// Append the text that `write` adds to the string.
    pub(super) fn push_characters(&mut self, write: impl FnOnce(&mut String)) {
        write(&mut self.text);
        self.ends.push(self.text.len());
    }

    /// Append the texts of another list.
    pub(super) fn append(&mut self, other: &Self) {
        let shift = self.text.len();
        self.text.push_str(&other.text);
        self.ends.extend(other.ends.iter().map(|end| end + shift));
    }

    /// The texts in a range.
    pub(super) fn slice(&self, range: Range<usize>) -> Self {
        let start = self.start(range.start);
        let ends = &self.ends[range];
        let end = ends.last().copied().unwrap_or(start);
        Self {
            text: self.text[start..end].to_owned(),
            ends: ends.iter().map(|end| end - start).collect(),
        }
    }

    /// Add `count` copies of a text at one end.
    pub(super) fn pad(&mut self, text: &str, count: usize, side: Side) {
        let copies: Self = std::iter::repeat_n(text, count).collect();
        match side {
            Side::Right => self.append(&copies),
            Side::Left => {
                let rest = std::mem::replace(self, copies);
                self.append(&rest);
            }
        }
    }

    fn start(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

impl Index<usize> for TokenTexts {
    type Output = str;

    fn index(&self, at: usize) -> &str {
        &self.text[self.start(at)..self.ends[at]]
    }
}

impl<S: AsRef<str>> FromIterator<S> for TokenTexts {
    fn from_iter<I: IntoIterator<Item = S>>(texts: I) -> Self {
        let mut list = Self::default();
        texts.into_iter().for_each(|text| list.push(text.as_ref()));
        list
    }
}

impl Serialize for TokenTexts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for TokenTexts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<String>::deserialize(deserializer)?.iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_texts_is_that_of_strings() {
        let strings = ["学", "", "ab", "\"", ""];
        let list: TokenTexts = strings.iter().collect();
        assert_eq!(list.iter().collect::<Vec<_>>(), strings);
        assert_eq!((list.len(), &list[2], &list[4]), (5, "ab", ""));
        for start in 0..=5 {
            for end in start..=5 {
                let expected: TokenTexts = strings[start..end].iter().collect();
                assert_eq!(list.slice(start..end), expected);
                let mut joined = list.slice(0..start);
                joined.append(&list.slice(start..end));
                assert_eq!(joined, list.slice(0..end));
            }
        }
        let json = serde_json::to_string(&list).unwrap();
        assert_eq!(json, serde_json::to_string(&strings).unwrap());
        assert_eq!(serde_json::from_str::<TokenTexts>(&json).unwrap(), list);
    }

    #[test]
    fn padding_goes_to_one_end() {
        let mut list: TokenTexts = ["学", "a"].iter().collect();
        list.pad("[]", 2, Side::Left);
        list.pad("-", 1, Side::Right);
        assert_eq!(
            list.iter().collect::<Vec<_>>(),
            ["[]", "[]", "学", "a", "-"]
        );
    }
}
