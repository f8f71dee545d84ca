use super::*;
use crate::ids::offset;

/// A map written by hand: "a" to "x", "abc" to "é", "中" to "".
///
/// Each node gets a block of 256 units of its own, so offsets are all in the
/// wide form.
pub(crate) fn map_bytes() -> Vec<u8> {
    bytes_of("x\0é\0\0", &[("a", 0), ("abc", 2), ("中", 5)])
}

/// The same, and "b" and the space each with U+0301 to "é", as in maps that put
/// letters and accents together.
pub(crate) fn accents_bytes() -> Vec<u8> {
    let accents = [("b\u{301}", 2), (" \u{301}", 2)];
    let keys = [("a", 0), ("abc", 2), ("中", 5), accents[0], accents[1]];
    bytes_of("x\0é\0\0", &keys)
}

fn bytes_of(replacements: &str, keys: &[(&str, u32)]) -> Vec<u8> {
    let mut units = vec![0_u32; 256];
    let mut bases = std::collections::BTreeMap::from([(Vec::new(), 256_u32)]);
    let set_base = |units: &mut Vec<u32>, at: usize, base: u32| {
        let distance = u32::try_from(at).unwrap() ^ base;
        // Narrow offsets hold any distance below 2^21.
        units[at] |= distance << 10;
    };
    units.resize(512, 0xFF);
    set_base(&mut units, 0, 256);
    for &(key, value) in keys {
        let key = key.as_bytes();
        for length in 1..=key.len() {
            let parent = bases[&key[..length - 1]];
            let at = index(parent) ^ usize::from(key[length - 1]);
            let known = bases.contains_key(&key[..length]);
            if !known {
                let base = offset(units.len());
                units.resize(units.len() + 256, 0xFF);
                units[at] = u32::from(key[length - 1]);
                set_base(&mut units, at, base);
                bases.insert(key[..length].to_vec(), base);
            }
            if length == key.len() {
                units[at] |= 1 << 8;
                units[index(bases[key])] = 1 << 31 | value;
            }
        }
    }
    let mut bytes = u32::try_from(units.len() * 4)
        .unwrap()
        .to_le_bytes()
        .to_vec();
    bytes.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
    bytes.extend(replacements.bytes());
    bytes
}

#[test]
fn the_longest_and_the_shortest_key_are_found() {
    let map = CharsMap::parse(&map_bytes()).unwrap();
    assert_eq!(map.longest_prefix(b"abcd"), Some((3, "é")));
    assert_eq!(map.longest_prefix(b"abd"), Some((1, "x")));
    assert_eq!(map.longest_prefix("中国".as_bytes()), Some((3, "")));
    assert_eq!(map.longest_prefix(b"b"), None);
    assert_eq!(map.longest_prefix(b""), None);
    assert_eq!(map.shortest_prefix("abc"), Some("x"));
    assert_eq!(map.shortest_prefix("中"), Some(""));
    assert_eq!(map.shortest_prefix("\0a"), None);
    assert_eq!(map.shortest_prefix("bc"), None);
}

#[test]
fn broken_maps_are_errors_that_name_the_field() {
    let good = map_bytes();
    let size = good.len() - 6;
    for broken in [
        &[][..],
        &[1, 2, 3],
        &[0, 0, 0, 0],
        &[8, 0, 0, 0, 1, 2, 3],
        &[3, 0, 0, 0, 1, 2, 3],
        &good[..size],           // the replacements are gone
        &good[..good.len() - 3], // they end in the middle of a character
    ] {
        let error = CharsMap::parse(broken).unwrap_err().to_string();
        assert!(error.contains("normalizer.precompiled_charsmap"), "{error}");
    }
}

#[test]
fn no_corruption_makes_a_lookup_panic() {
    let good = map_bytes();
    for at in 0..good.len() {
        for flip in [0x01, 0x80, 0xFF] {
            let mut bytes = good.clone();
            bytes[at] ^= flip;
            if let Ok(map) = CharsMap::parse(&bytes) {
                for text in ["abcd", "中", "\0", "zz"] {
                    map.longest_prefix(text.as_bytes());
                    map.shortest_prefix(text);
                }
            }
        }
    }
}
