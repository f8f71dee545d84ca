use super::*;
use crate::definition::SplitBehavior;

/// The same operation on a tracked and on an untracked text; returns the tracked one.
fn both(text: &str, start: u32, edit: impl Fn(&mut AlignedText)) -> AlignedText {
    let mut tracked = AlignedText::at(text, start);
    let mut untracked = AlignedText::untracked(text, start);
    edit(&mut tracked);
    edit(&mut untracked);
    assert_eq!(tracked.text(), untracked.text());
    assert_eq!(tracked.origin(), untracked.origin());
    let (mine, theirs) = (tracked.prefixes(), untracked.prefixes());
    assert_eq!(mine.rootless, theirs.rootless);
    assert_eq!(mine.at_zero, theirs.at_zero);
    let spans = tracked.spans().unwrap();
    assert_eq!(spans.len(), tracked.len());
    for pair in spans.windows(2) {
        assert!(pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1);
    }
    for span in spans {
        assert!(tracked.origin().0 <= span.0 && span.0 <= span.1 && span.1 <= tracked.origin().1);
    }
    tracked
}

fn char_spans(text: &AlignedText) -> Vec<ByteSpan> {
    let spans = text.spans().unwrap();
    text.text()
        .char_indices()
        .map(|(at, _)| spans[at])
        .collect()
}

#[test]
fn an_unedited_text_is_aligned_character_by_character() {
    let text = AlignedText::at("a中é", 7);
    assert_eq!(text.origin(), (7, 13));
    assert_eq!(
        text.spans().unwrap(),
        [(7, 8), (8, 11), (8, 11), (8, 11), (11, 13), (11, 13)]
    );
    assert_eq!(text.original_span(2..5), (8, 13));
    assert_eq!(text.original_span(2..2), (9, 9));
    assert_eq!(text.original_span(2..99), (2, 99));
    let slice = text.slice(1..4);
    assert_eq!((slice.text(), slice.origin()), ("中", (8, 11)));
    assert_eq!(slice.original_span(0..3), (8, 11));
    assert_eq!(slice.original_span(1..1), (9, 9));
}

#[test]
fn inserted_characters_share_the_span_before_them() {
    let text = both("野口 No", 0, |text| {
        let source = text.clone();
        text.transform(
            source.text().chars().flat_map(|c| {
                if c > '一' {
                    vec![(' ', 0), (c, 1), (' ', 1)]
                } else {
                    vec![(c, 0)]
                }
            }),
            0,
        );
    });
    assert_eq!(text.text(), " 野  口  No");
    assert_eq!(
        char_spans(&text),
        [
            (0, 3),
            (0, 3),
            (0, 3),
            (3, 6),
            (3, 6),
            (3, 6),
            (6, 7),
            (7, 8),
            (8, 9)
        ]
    );
}

#[test]
fn prepend_and_append_align_to_their_neighbours() {
    let text = both("there", 3, |text| text.prepend("▁x"));
    assert_eq!(text.text(), "▁xthere");
    assert_eq!(char_spans(&text)[..4], [(3, 4), (3, 4), (3, 4), (4, 5)]);
    let text = both("Hé", 3, |text| text.append(" y"));
    assert_eq!(char_spans(&text), [(3, 4), (4, 6), (4, 6), (4, 6)]);
    let text = both("", 3, |text| text.append("y"));
    assert_eq!(char_spans(&text), [(3, 3)]);
    assert!(both("", 0, |text| text.prepend("y")).is_empty());
}

#[test]
fn filter_strip_and_clear_keep_the_spans_of_what_remains() {
    let text = both("  a b中 \u{3000}", 2, |text| text.filter(|c| c != ' '));
    assert_eq!(text.text(), "ab中\u{3000}");
    assert_eq!(char_spans(&text), [(4, 5), (6, 7), (7, 10), (11, 14)]);
    let text = both("  a b中 \u{3000}", 2, |text| text.strip(true, true));
    assert_eq!((text.text(), text.origin()), ("a b中", (2, 14)));
    assert_eq!(char_spans(&text), [(4, 5), (5, 6), (6, 7), (7, 10)]);
    let text = both(" a ", 0, |text| text.strip(false, true));
    assert_eq!(text.text(), " a");
    let text = both(" \t", 5, |text| text.strip(true, true));
    assert_eq!((text.text(), text.origin()), ("", (5, 7)));
    let text = both("abc", 5, AlignedText::clear);
    assert_eq!((text.text(), text.origin()), ("", (5, 8)));
    let text = both("abc", 5, |text| text.filter(|_| false));
    assert_eq!((text.text(), text.origin()), ("", (5, 8)));
}

#[test]
fn replacements_are_aligned_to_the_end_of_the_match() {
    let text = both("a  中b", 0, |text| text.replace([(1, 3), (3, 6)], "▁▁"));
    assert_eq!(text.text(), "a▁▁▁▁b");
    assert_eq!(
        char_spans(&text),
        [(0, 1), (2, 3), (2, 3), (3, 6), (3, 6), (6, 7)]
    );
    let text = both("ab", 4, |text| text.replace([(0, 0), (1, 1)], "x"));
    assert_eq!(text.text(), "xaxb");
    assert_eq!(char_spans(&text), [(4, 4), (4, 5), (4, 5), (5, 6)]);
    let text = both("", 4, |text| text.replace([(0, 0)], "x"));
    assert_eq!(text.text(), "");
}

#[test]
fn a_slice_of_inserted_text_knows_that_it_starts_at_zero() {
    for start in [0, 5] {
        let mut tracked = AlignedText::at("éab", start);
        let mut untracked = AlignedText::untracked("éab", start);
        for text in [&mut tracked, &mut untracked] {
            text.replace([(0, 0)], "^");
            text.expand(|c| Some([c, c].into_iter()));
        }
        assert_eq!(tracked.text(), untracked.text());
        for (at, c) in tracked.text().char_indices() {
            let mine = tracked.slice(at..at + c.len_utf8()).origin();
            let theirs = untracked.slice(at..at + c.len_utf8()).origin();
            assert_eq!(mine.0 == 0, theirs.0 == 0, "{c:?}");
            assert_eq!(mine.0 == mine.1, theirs.0 == theirs.1, "{c:?}");
        }
    }
}

#[test]
fn splitting_follows_the_five_behaviours() {
    let text = AlignedText::at("-the-final--countdown", 1);
    let split = |behavior| -> Vec<String> {
        let found = text.text().match_indices('-').map(|(at, _)| (at, at + 1));
        let words = text.split(with_gaps(found, text.len()), behavior);
        for word in &words {
            let (start, end) = word.origin();
            assert_eq!(word.text(), &text.text()[index(start) - 1..index(end) - 1]);
        }
        words.iter().map(|word| word.text().to_owned()).collect()
    };
    assert_eq!(split(SplitBehavior::Removed), ["the", "final", "countdown"]);
    assert_eq!(
        split(SplitBehavior::Isolated),
        ["-", "the", "-", "final", "-", "-", "countdown"]
    );
    assert_eq!(
        split(SplitBehavior::MergedWithPrevious),
        ["-", "the-", "final-", "-", "countdown"]
    );
    assert_eq!(
        split(SplitBehavior::MergedWithNext),
        ["-the", "-final", "-", "-countdown"]
    );
    assert_eq!(
        split(SplitBehavior::Contiguous),
        ["-", "the", "-", "final", "--", "countdown"]
    );
    let all = AlignedText::new("--");
    assert_eq!(
        all.split(
            [((0, 1), true), ((1, 2), true)],
            SplitBehavior::MergedWithNext
        )
        .len(),
        2
    );
}

#[test]
fn with_gaps_covers_the_text() {
    let sections = |matches: &[(usize, usize)], length| -> Vec<_> {
        with_gaps(matches.iter().copied(), length).collect()
    };
    assert_eq!(sections(&[], 0), []);
    assert_eq!(sections(&[], 2), [((0, 2), false)]);
    assert_eq!(
        sections(&[(0, 1), (2, 2)], 2),
        [((0, 1), true), ((1, 2), false), ((2, 2), true)]
    );
}

#[test]
fn an_edit_behind_a_rootless_beginning_repeats_it() {
    // As recorded from the reference: the stream of the whole text is laid
    // behind the rootless mark.
    let text = both("Abc\u{301}", 0, |text| {
        text.replace([(0, 0)], "▁");
        text.filter(|c| c != '\u{301}');
    });
    assert_eq!(text.text(), "▁▁Abc");
    // Where the reference runs out of characters, the text stays sane.
    let text = both("Abc", 0, |text| {
        text.replace([(0, 0)], "▁");
        text.map(|c| c.to_ascii_lowercase());
    });
    assert_eq!(text.text(), "▁abc");
    assert_eq!(char_spans(&text), [(0, 0), (0, 1), (1, 2), (2, 3)]);
}

#[test]
fn an_edit_of_a_word_without_origin_goes_before_it() {
    // As recorded from the reference.
    let word = both("abc", 0, |text| {
        text.replace([(0, 0)], "▁");
        *text = text.slice(0..3);
        text.map(|c| c);
    });
    assert_eq!((word.text(), word.origin()), ("▁▁", (0, 0)));
    assert_eq!(char_spans(&word), [(0, 0), (0, 0)]);
}

/// Random texts over an alphabet of all UTF-8 widths, some with earlier edits.
fn random_texts() -> Vec<String> {
    let alphabet: Vec<char> = "aB \u{3000}é中\u{301}𠀀".chars().collect();
    let mut state = 7_u32;
    let mut random = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        index(state >> 16) % below
    };
    (0..2_000)
        .map(|_| (0..random(9)).map(|_| alphabet[random(8)]).collect())
        .collect()
}

#[test]
fn shortcuts_agree_with_the_general_transformation() {
    for text in random_texts() {
        let edited = |tracked| {
            let mut edited = if tracked {
                AlignedText::at(&text, 3)
            } else {
                AlignedText::untracked(&text, 3)
            };
            edited.replace(
                text.match_indices("中").map(|(at, c)| (at, at + c.len())),
                "xé",
            );
            edited
        };
        for before in [edited(true), edited(false)] {
            let chars: Vec<char> = before.text().chars().collect();
            let mut mapped = before.clone();
            mapped.map(|c| if c == 'é' { 'e' } else { c });
            let mut general = before.clone();
            let stream = chars.iter().map(|&c| if c == 'é' { 'e' } else { c });
            general.transform(stream.map(|c| (c, 0)), 0);
            assert_eq!(mapped, general);

            let mut stripped = before.clone();
            stripped.strip(true, true);
            let leading = chars.iter().take_while(|c| c.is_whitespace()).count();
            let mut general = before.clone();
            general.transform(before.text().trim().chars().map(|c| (c, 0)), leading);
            assert_eq!(stripped, general);

            let mut filtered = before.clone();
            filtered.filter(|c| c != ' ');
            let leading = chars.iter().take_while(|&&c| c == ' ').count();
            let mut stream: Vec<(char, isize)> = Vec::new();
            for &c in &chars[leading..] {
                match stream.last_mut() {
                    Some((_, change)) if c == ' ' => *change -= 1,
                    _ => stream.push((c, 0)),
                }
            }
            let mut general = before.clone();
            general.transform(stream, leading);
            assert_eq!(filtered, general);
        }
    }
}
