//! Adds segments to a table, most of them without a look at it.
//!
//! Of the segments that a cut makes of Chinese text half are one character and a
//! quarter are two. Those are counted in arrays, and added to the table once each.

use super::meeting_counts::Frequent;
use super::parted_table::Writer;

/// Characters with a place in the array: those of the basic plane.
const CHARS: usize = 1 << 16;

/// Of more pairs than this the table is no slower.
const MOST_SLOTS: usize = 1 << 20;

/// Longer segments have more than two characters.
const MOST_BYTES: usize = 8;

/// Adds segments, from one of several threads. What it still keeps is added when
/// it is dropped.
#[derive(Debug)]
pub(super) struct SegmentWriter<'t> {
    writer: Writer<'t>,
    chars: Vec<u64>,
    /// The pairs that are counted in an array, and their counts.
    known: Option<&'t Frequent>,
    pairs: Vec<u64>,
}

impl<'t> SegmentWriter<'t> {
    pub(super) fn new(writer: Writer<'t>, frequent: Option<&'t Frequent>) -> Self {
        let known = frequent.filter(|frequent| frequent.slots() <= MOST_SLOTS);
        Self {
            writer,
            chars: vec![0; CHARS],
            known,
            pairs: vec![0; known.map_or(0, Frequent::slots)],
        }
    }

    /// Count a segment `count` more times, at least once more.
    #[inline]
    pub(super) fn add(&mut self, segment: &[u8], count: u64) {
        match self.count_of(segment) {
            Some(known) => *known = known.saturating_add(count),
            None => self.writer.add(segment, count),
        }
    }

    /// The bytes of the segments that are in the table so far.
    pub(super) fn table_bytes(&self) -> usize {
        self.writer.table_bytes()
    }

    /// Where a segment is counted that has a place in an array.
    #[inline]
    fn count_of(&mut self, segment: &[u8]) -> Option<&mut u64> {
        if segment.len() > MOST_BYTES {
            return None;
        }
        let mut chars = std::str::from_utf8(segment).ok()?.chars();
        match (chars.next(), chars.next(), chars.next()) {
            (Some(one), None, None) => {
                let place = u16::try_from(u32::from(one)).ok()?;
                self.chars.get_mut(usize::from(place))
            }
            (Some(one), Some(two), None) => self.pairs.get_mut(self.known?.slot(one, two)?),
            _ => None,
        }
    }
}

impl Drop for SegmentWriter<'_> {
    fn drop(&mut self) {
        let mut add = |chars: &[char], count: u64| {
            if count > 0 {
                let segment: String = chars.iter().collect();
                self.writer.add(segment.as_bytes(), count);
            }
        };
        for (place, &count) in (0..).zip(&self.chars) {
            if let Some(character) = char::from_u32(place) {
                add(&[character], count);
            }
        }
        for (slot, &count) in self.pairs.iter().enumerate() {
            if let Some((one, two)) = self.known.and_then(|known| known.chars(slot)) {
                add(&[one, two], count);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Random;
    use crate::train::meeting_counts::Counts;
    use crate::train::parted_table::PartedTable;
    use crate::train::word_table::WordTable;

    #[test]
    fn segments_are_counted_as_a_table_counts_them() {
        let mut random = Random::new(31);
        let parts: [&[u8]; 9] = [
            b"a",
            b"\0",
            "学".as_bytes(),
            "而".as_bytes(),
            "é".as_bytes(),
            "😀".as_bytes(),
            "\u{10FFFF}".as_bytes(),
            b"\xE5\xAD",
            b"\x80",
        ];
        let mut counts = Counts::new(1);
        counts.add_word("学而a😀é学".as_bytes(), 3);
        let frequent = Counts::frequent(vec![counts], 2);
        for known in [None, Some(&frequent)] {
            let (mut expected, table) = (WordTable::default(), PartedTable::new(2));
            let mut writers = [0, 1].map(|_| SegmentWriter::new(table.writer(), known));
            for _ in 0..20_000 {
                let length = 1 + random.below(4);
                let segment: Vec<&[u8]> = (0..length)
                    .map(|_| parts[random.below(parts.len())])
                    .collect();
                let count = [1, 7, u64::MAX][random.below(40).saturating_sub(37)];
                expected.add(&segment.concat(), count);
                writers[random.below(2)].add(&segment.concat(), count);
            }
            drop(writers);
            assert_eq!(table.finish(), expected);
        }
    }
}
