use serde_json::json;

use super::*;

fn signs() -> Signs {
    let definition = json!({"table": 0, "source": "们这", "target": "們這"});
    Signs::new(&serde_json::from_value(definition).unwrap()).unwrap()
}

/// The sentences of a text, each with whether it is in the target script.
fn sentences(text: &str) -> Vec<(&str, bool)> {
    let signs = signs();
    let mut found = Vec::new();
    let mut sentences = signs.sentences(text);
    for line in text.split_inclusive('\n') {
        for sentence in line.split_inclusive(['。', '！', '？', '!', '?']) {
            let place = sentence.as_ptr().addr() - text.as_ptr().addr();
            found.push((sentence, sentences.is_target(place)));
        }
    }
    found
}

#[test]
fn a_sentence_is_of_the_script_of_most_of_its_signs() {
    let told = [("這台們这。", true), ("这台。", false), ("这們", false)];
    assert_eq!(sentences("這台們这。这台。这們"), told);
}

#[test]
fn a_sentence_without_signs_is_as_its_line_and_then_as_the_text() {
    let told = [
        ("台！", false),
        ("这。", false),
        ("\n", false),
        ("台？", true),
        ("這們這\n", true),
        ("台", true),
    ];
    assert_eq!(sentences("台！这。\n台？這們這\n台"), told);
}

#[test]
fn a_text_without_signs_is_not_in_the_target_script() {
    assert_eq!(
        sentences("台。\n台"),
        [("台。", false), ("\n", false), ("台", false)]
    );
    assert!(sentences("").is_empty());
}

#[test]
fn places_may_be_anywhere_in_a_sentence() {
    let signs = signs();
    let text = "台！这。這台們。\n台這";
    let all: Vec<bool> = (0..text.len())
        .filter(|&place| text.is_char_boundary(place))
        .map(|place| signs.sentences(text).is_target(place))
        .collect();
    let mut one_by_one = signs.sentences(text);
    let places = (0..text.len()).filter(|&place| text.is_char_boundary(place));
    assert_eq!(
        places
            .map(|place| one_by_one.is_target(place))
            .collect::<Vec<_>>(),
        all
    );
    let mut some = signs.sentences(text);
    assert!(!some.is_target(6) && some.is_target(15) && some.is_target(text.len() - 3));
}

#[test]
fn a_character_is_in_one_list_and_in_the_basic_plane() {
    for (source, target) in [("们", "们"), ("𠀀", "")] {
        let definition = json!({"table": 0, "source": source, "target": target});
        let error = Signs::new(&serde_json::from_value(definition).unwrap()).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("expected a character of the basic plane")
        );
    }
}
