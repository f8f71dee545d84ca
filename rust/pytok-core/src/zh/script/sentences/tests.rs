use serde_json::json;

use super::*;

fn signs() -> Signs {
    let definition = json!({"table": 0, "source": "们这", "target": "們這"});
    Signs::new(&serde_json::from_value(definition).unwrap()).unwrap()
}

/// The sentences of a text, each with whether it is in the target script.
fn sentences(text: &str) -> Vec<(&str, bool)> {
    let mut start = 0;
    let part = |sentence: Sentence| {
        let from = std::mem::replace(&mut start, index(sentence.end));
        (&text[from..start], sentence.is_target)
    };
    signs().sentences(text).into_iter().map(part).collect()
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
fn nothing_is_told_of_a_text_without_signs_of_the_target() {
    assert!(sentences("这台。台").is_empty());
    assert!(sentences("").is_empty());
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
