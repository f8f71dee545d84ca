use super::*;

fn matcher(rows: &[(&'static str, &'static str)]) -> Matcher {
    let entry = |&(key, values): &(&'static str, &'static str)| {
        Entry::new(key, values.split(' ').collect())
    };
    Matcher::new(&rows.iter().map(entry).collect::<Vec<_>>()).unwrap()
}

#[test]
fn the_longest_key_counts() {
    let matcher = matcher(&[
        ("发", "發 髮"),
        ("头发", "頭髮"),
        ("头发长", "x"),
        ("𠀀", "y"),
    ]);
    let found = |text| {
        matcher
            .longest(text)
            .map(|(length, rule)| (length, matcher.value(rule)))
    };
    assert_eq!(found("头发短"), Some((6, "頭髮")));
    assert_eq!(found("头发长"), Some((9, "x")));
    assert_eq!(found("头长"), None);
    assert_eq!(found("头"), None);
    assert_eq!(found("发"), Some((3, "發")));
    assert_eq!(found("𠀀"), Some((4, "y")));
    assert_eq!(found(""), None);
    let (_, rule) = matcher.longest("发").unwrap();
    assert_eq!(matcher.others(rule).collect::<Vec<_>>(), ["髮"]);
    assert!(rule.is_ambiguous() && rule.changes);
}

#[test]
fn every_character_starts_a_key_if_and_only_if_it_was_added() {
    let added = ['a', 'é', '发', '\u{ff0c}', '\u{20000}', '⿰'];
    let mut starts = Starts::default();
    added.iter().for_each(|&character| starts.add(character));
    for character in '\0'..=char::MAX {
        let text = format!("z{character}z");
        let first = starts.next(text.as_bytes(), 0);
        let exact = match character.len_utf8() {
            // Told apart by their first byte alone.
            2 => u32::from(character) >> 6 == u32::from('é') >> 6,
            3 => added.contains(&character) || matches!(character, '\u{2ff0}'..='\u{2fff}'),
            1 => character == 'a',
            _ => true,
        };
        assert_eq!(first == 1, exact, "{character:?}");
        assert!(exact || first == text.len());
    }
}

#[test]
fn ascii_is_passed_over_up_to_the_next_of_the_set() {
    for added in ["", "P", "PS", "a\0", "\x7f"] {
        let mut starts = Starts::default();
        added.chars().for_each(|character| starts.add(character));
        starts.add('发');
        let text: String = ('\0'..='\x7f').cycle().take(1000).collect();
        let text = text + "发é" + &"P".repeat(20) + "qrst";
        let bytes = text.as_bytes();
        for from in (0..text.len()).filter(|&from| text.is_char_boundary(from)) {
            let next = text[from..].find(|next| next == '发' || added.contains(next));
            let next = next.map_or(text.len(), |next| from + next);
            assert_eq!(starts.next(bytes, from), next, "{added:?} from {from}");
        }
    }
}
