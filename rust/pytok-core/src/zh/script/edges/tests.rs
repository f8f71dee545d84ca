use super::*;

fn words() -> Words {
    Words::from_dictionary("发明 9\n被 9\n头发 9\n发 1\n明 1\n明天 5\n").unwrap()
}

/// The parts of a text that reach from inside one word into another.
fn crossing(text: &str, folds: Option<&Folds>) -> Vec<String> {
    let words = words();
    let places: Vec<usize> = text.char_indices().map(|(byte, _)| byte).collect();
    let ends = || places.iter().copied().chain([text.len()]);
    let ranges = |start| {
        ends()
            .filter(move |&end| end > start)
            .map(move |end| start..end)
    };
    let edges = Edges::new(text, &words, folds);
    let all = places.iter().flat_map(|&start| ranges(start));
    let all = all.filter(|range| edges.crosses(range.clone()));
    all.map(|range| text[range].to_owned()).collect()
}

#[test]
fn a_part_crosses_when_it_begins_or_ends_inside_a_word_and_holds_an_edge() {
    assert_eq!(crossing("被发明", None), ["被发"]);
    assert_eq!(crossing("头发明", None), ["发明"]);
    assert_eq!(crossing("，被发，明", None), Vec::<String>::new());
}

#[test]
fn blocks_that_nobody_asked_for_are_passed_over() {
    let words = words();
    let text = "头发，被发明。a被发明";
    let edges = Edges::new(text, &words, None);
    let range = |part: &str| {
        let start = text.rfind(part).unwrap();
        start..start + part.len()
    };
    assert!(edges.crosses(range("被发")));
    assert!(!edges.crosses(range("发明")));
}

#[test]
fn a_part_over_several_blocks_crosses_where_words_do() {
    assert!(crossing("发明，头发", None).contains(&"明，头".to_owned()));
    assert!(!crossing("发明，头发", None).contains(&"发明，头发".to_owned()));
}

#[test]
fn characters_are_looked_up_as_what_they_are_folded_to() {
    let folds = Folds::from_iter([('發', '发')]);
    assert_eq!(crossing("𠀀發明", Some(&folds)), ["𠀀發"]);
    assert_eq!(crossing("𠀀發明", None), Vec::<String>::new());
}

/// As [`Edges::crosses`], from the words of whole blocks.
fn crosses_by_blocks(text: &str, range: &Range<usize>) -> bool {
    let mut begins = vec![text.len()];
    let mut start = 0;
    for block in text.split_inclusive(|character| !is_in_block(character)) {
        let inside = block.trim_end_matches(|character| !is_in_block(character));
        begins.extend([start, start + inside.len()]);
        let characters: Vec<char> = inside.chars().collect();
        words().boundaries(&characters, &mut Ways::default(), &mut |place| {
            let before: String = characters[..place].iter().collect();
            begins.push(start + before.len());
        });
        start += block.len();
    }
    let whole = begins.contains(&range.start) && begins.contains(&range.end);
    !whole
        && begins
            .iter()
            .any(|begin| range.start < *begin && *begin < range.end)
}

#[test]
fn parts_of_blocks_have_the_words_of_the_whole() {
    let letters: Vec<char> = "被发明天头，a1".chars().collect();
    let mut state = 3_usize;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % below
    };
    let dictionary = words();
    let mut crossing = 0;
    for _ in 0..3000 {
        let text: String = (0..1 + next(12)).map(|_| letters[next(8)]).collect();
        let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
        let edges = Edges::new(&text, &dictionary, None);
        for start in places {
            let end = text[start..].chars().take(1 + next(3)).map(char::len_utf8);
            let range = start..start + end.sum::<usize>();
            let crosses = edges.crosses(range.clone());
            assert_eq!(
                crosses,
                crosses_by_blocks(&text, &range),
                "{text} {range:?}"
            );
            crossing += usize::from(crosses);
        }
    }
    assert!(crossing > 500);
}
