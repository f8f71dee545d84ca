//! Merges in JSON: written as `["a", "b"]`, read in that notation or as `"a b"`.

use serde::de::{DeserializeSeed, Error, IgnoredAny, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::piece_table::Text;
use crate::definition::MergeList;

impl Serialize for MergeList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for MergeList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Merges;
        impl<'de> Visitor<'de> for Merges {
            type Value = MergeList;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of merges")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<MergeList, A::Error> {
                let mut merges = MergeList::default();
                while list.next_element_seed(One(&mut merges))?.is_some() {}
                merges.shrink();
                Ok(merges)
            }
        }
        deserializer.deserialize_seq(Merges)
    }
}

/// One merge, which goes to the list; the `#version` line of older files does not.
struct One<'a>(&'a mut MergeList);

impl One<'_> {
    fn side(&mut self) -> Text<'_, MergeList> {
        Text {
            to: self.0,
            push: |merges, side| merges.push_side(side),
        }
    }
}

impl<'de> DeserializeSeed<'de> for One<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for One<'_> {
    type Value = ();
    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("two pieces, as a list or separated by one space")
    }
    fn visit_str<E: Error>(mut self, text: &str) -> Result<(), E> {
        if text.starts_with("#version") {
            return Ok(());
        }
        match text.split_once(' ') {
            Some((left, right)) if !right.contains(' ') => {
                self.side().visit_str(left)?;
                self.side().visit_str(right)
            }
            _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
        }
    }
    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        let left = list.next_element_seed(self.side())?;
        let right = list.next_element_seed(self.side())?;
        let extra = list.next_element::<IgnoredAny>()?.is_some();
        match (left, right) {
            (Some(()), Some(())) if !extra => Ok(()),
            _ => Err(A::Error::custom("expected two pieces in a merge")),
        }
    }
}
