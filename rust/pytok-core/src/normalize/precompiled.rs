//! SentencePiece's character map, applied in the way of `tokenizers`.
//!
//! That way differs from SentencePiece's own: not the longest key at each
//! place, but for each grapheme cluster of fewer than 6 bytes the *shortest*
//! key that it starts with, which then replaces the whole cluster; and failing
//! that, the same for each of its characters.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use unicode_segmentation::{Graphemes, UnicodeSegmentation};

use super::charsmap::CharsMap;
use super::ideograph::is_ideograph;
use crate::bit_set::BitSet;
use crate::error::{Error, Result};
use crate::ids::index;
use crate::text::AlignedText;

/// Clusters of this many bytes or more are only looked up by character.
const LONG_CLUSTER: usize = 6;

/// The reference reads base64 with and without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A compiled character map.
#[derive(Debug)]
pub(super) struct Precompiled {
    map: CharsMap,
    plain: Plain,
}

/// Characters of the basic plane that make a cluster of their own among their
/// like and that the map leaves: most of every text.
#[derive(Debug)]
struct Plain(BitSet);

/// Code points below this can be in the set.
const BASIC: usize = 0x1_0000;

impl Plain {
    fn new(map: &CharsMap) -> Self {
        let mut plain = BitSet::new(BASIC);
        let mut buffer = [0; 4];
        for character in ('\0'..='\u{FFFF}').filter(|&c| never_joins(c)) {
            let text = character.encode_utf8(&mut buffer);
            if map.shortest_prefix(text).is_none() {
                plain.insert(index(u32::from(character)));
            }
        }
        Self(plain)
    }

    /// How many bytes at the beginning of a text are such characters, each of
    /// them a cluster.
    fn run(&self, text: &str) -> usize {
        let mut last = 0;
        for (at, character) in text.char_indices() {
            if !self.0.contains(index(u32::from(character))) {
                // What may join is one cluster with what stands before it.
                return if never_joins(character) { at } else { last };
            }
            last = at;
        }
        text.len()
    }
}

impl Precompiled {
    pub(super) fn compile(base64: &str) -> Result<Self> {
        let data = BASE64.decode(base64).map_err(|error| {
            Error::format(
                "tokenizer",
                "normalizer.precompiled_charsmap",
                format!("not base64: {error}"),
            )
        })?;
        let map = CharsMap::parse(&data)?;
        let plain = Plain::new(&map);
        Ok(Self { map, plain })
    }

    pub(super) fn apply(&self, text: &mut AlignedText) {
        let source = text.clone();
        let mut stream = Stream::new(source.text());
        let mut clusters = Clusters::new(source.text());
        loop {
            if let Some(rest) = clusters.at_boundary() {
                let run = self.plain.run(rest);
                stream.keep(&rest[..run]);
                clusters.pass(run);
            }
            let Some((at, cluster)) = clusters.next() else {
                break;
            };
            if cluster.len() < LONG_CLUSTER {
                if let Some(replacement) = self.map.shortest_prefix(cluster) {
                    stream.replace(at, cluster, replacement);
                    continue;
                }
            }
            for (within, character) in cluster.char_indices() {
                let old = &cluster[within..within + character.len_utf8()];
                match self.map.shortest_prefix(old) {
                    Some(replacement) => stream.replace(at + within, old, replacement),
                    None => stream.keep(old),
                }
            }
        }
        if let Some(characters) = stream.characters {
            text.transform(characters, 0);
        }
    }
}

/// The new characters and their changes, built from the first replacement on.
struct Stream<'a> {
    source: &'a str,
    characters: Option<Vec<(char, isize)>>,
}

impl<'a> Stream<'a> {
    fn new(source: &'a str) -> Self {
        Self {
            source,
            characters: None,
        }
    }

    fn keep(&mut self, text: &str) {
        if let Some(characters) = &mut self.characters {
            characters.extend(text.chars().map(|character| (character, 0)));
        }
    }

    /// Replace `old`, at byte `at`, by `new`.
    ///
    /// Surplus new characters count as inserted, from the last one backwards.
    /// A shortage is noted at the last character written, which may belong to
    /// an earlier replacement; at the start of the text there is none, and the
    /// note is lost. The reference's offsets depend on both.
    fn replace(&mut self, at: usize, old: &str, new: &str) {
        let characters = self.characters.get_or_insert_with(|| {
            let mut before: Vec<_> = Vec::with_capacity(self.source.len());
            before.extend(self.source[..at].chars().map(|c| (c, 0)));
            before
        });
        let (removed, added) = (old.chars().count(), new.chars().count());
        characters.extend(new.chars().map(|c| (c, 0)));
        if added > removed {
            let inserted = characters.iter_mut().rev().take(added - removed);
            inserted.for_each(|(_, change)| *change = 1);
        } else if let Some((_, change)) = characters.last_mut() {
            *change = change.saturating_sub_unsigned(removed - added);
        }
    }
}

/// The extended grapheme clusters of a text and where they start.
///
/// Where two characters of the most common classes meet, there is a boundary
/// without any search; only what lies between such places is segmented.
struct Clusters<'a> {
    text: &'a str,
    at: usize,
    segmented: Option<Graphemes<'a>>,
}

impl<'a> Clusters<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            segmented: None,
        }
    }

    /// The rest of the text, where two characters met last that never join.
    fn at_boundary(&self) -> Option<&'a str> {
        let is_done = |segmented: &Graphemes<'_>| segmented.as_str().is_empty();
        let at_boundary = self.segmented.as_ref().is_none_or(is_done);
        at_boundary.then(|| &self.text[self.at..])
    }

    /// Go on behind so many bytes of the rest, where a cluster begins.
    fn pass(&mut self, bytes: usize) {
        self.at += bytes;
        self.segmented = None;
    }

    fn take(&mut self, cluster: &'a str) -> (usize, &'a str) {
        let at = self.at;
        self.at += cluster.len();
        (at, cluster)
    }
}

impl<'a> Iterator for Clusters<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(cluster) = self.segmented.as_mut().and_then(Iterator::next) {
            return Some(self.take(cluster));
        }
        self.segmented = None;
        let rest = &self.text[self.at..];
        // The first boundary between two characters that never join.
        let mut previous = false;
        let mut end = rest.len();
        for (at, character) in rest.char_indices() {
            let alone = never_joins(character);
            if at > 0 && alone && previous {
                end = at;
                break;
            }
            previous = alone;
        }
        let part = rest.get(..end).filter(|part| !part.is_empty())?;
        let mut characters = part.chars();
        characters.next();
        if characters.as_str().is_empty() {
            return Some(self.take(part));
        }
        let mut segmented = part.graphemes(true);
        let first = segmented.next()?;
        self.segmented = Some(segmented);
        Some(self.take(first))
    }
}

/// Whether `c` makes a cluster of its own among its like. Not complete.
fn never_joins(c: char) -> bool {
    match c {
        '\r' => false,
        _ => {
            c.is_ascii()
                || is_ideograph(c)
                || matches!(c, '\u{3001}'..='\u{3029}' | '\u{FF01}'..='\u{FF60}' | 'ぁ'..='ゖ' | 'ァ'..='ー')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Random;
    use crate::normalize::charsmap::tests::map_bytes;

    fn clusters(text: &str) -> Vec<&str> {
        Clusters::new(text).map(|(_, cluster)| cluster).collect()
    }

    #[test]
    fn characters_that_never_join_stand_alone_among_their_like() {
        let alone: Vec<char> = ('\0'..=char::MAX).filter(|&c| never_joins(c)).collect();
        assert!(alone.len() > 70_000);
        for around in ['a', '\n', '中', '、', 'か'] {
            for &c in &alone {
                let text: String = [around, c, around].into_iter().collect();
                assert_eq!(text.graphemes(true).count(), 3, "{text:?}");
            }
        }
    }

    #[test]
    fn clusters_are_those_of_the_standard() {
        let alphabet: Vec<char> = "a\r\n中か、\u{301}\u{3099}\u{200D}👩🏽🇨🇳\u{FE0F}1가\u{1100}\u{1161}\u{600}\u{915}\u{94D}\u{937}\u{E33}ﾞ"
            .chars()
            .collect();
        let mut state = 1_u32;
        for _ in 0..50_000 {
            let text: String = (0..7)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    alphabet[usize::try_from(state >> 16).unwrap() % alphabet.len()]
                })
                .collect();
            let expected: Vec<&str> = text.graphemes(true).collect();
            assert_eq!(clusters(&text), expected, "{text:?}");
            for (at, cluster) in Clusters::new(&text) {
                assert!(text[at..].starts_with(cluster));
            }
        }
        assert!(clusters("").is_empty());
    }

    #[test]
    fn runs_change_nothing() {
        let map = CharsMap::parse(&map_bytes()).unwrap();
        let fast = Precompiled {
            plain: Plain::new(&map),
            map,
        };
        let slow = Precompiled {
            map: fast.map.clone(),
            plain: Plain(BitSet::default()),
        };
        assert!(fast.plain.run("b国\nか、x\u{301}") == "b国\nか、".len());
        let alphabet: Vec<char> = "abcx\r\n中国か、\u{301}\u{3099}\u{200D}👩é1ﾞ"
            .chars()
            .collect();
        let mut random = Random::new(17);
        for _ in 0..30_000 {
            let length = random.below(9);
            let text: String = (0..length)
                .map(|_| alphabet[random.below(alphabet.len())])
                .collect();
            let [expected, found] = [&slow, &fast].map(|precompiled| {
                let mut aligned = AlignedText::new(&text);
                precompiled.apply(&mut aligned);
                (aligned.text().to_owned(), aligned.spans())
            });
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_not_base64_names_its_field() {
        let error = Precompiled::compile("?").unwrap_err().to_string();
        assert!(error.contains("normalizer.precompiled_charsmap"), "{error}");
    }
}
