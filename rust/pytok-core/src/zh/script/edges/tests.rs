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
