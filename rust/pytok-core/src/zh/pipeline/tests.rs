use super::*;

fn pipeline(steps: &[&[(&str, &str)]]) -> Pipeline {
    let step = |rows: &&[(&str, &str)]| StepDefinition {
        name: "table".to_owned(),
        kind: StepKind::Characters {
            rows: rows
                .iter()
                .map(|&(from, to)| (from.to_owned(), to.to_owned(), "rule".to_owned()))
                .collect(),
        },
    };
    Pipeline::new(steps.iter().map(step).collect(), None).unwrap()
}

#[test]
fn edits_of_every_step_speak_of_the_first_and_the_last_text() {
    let steps = pipeline(&[&[("㈱", "(株)")], &[("株", "株式"), ("甲", "")]]);
    let normalized = steps.explain("甲㈱乙").unwrap();
    assert_eq!(normalized.text, "(株式)乙");
    let seen: Vec<_> = normalized
        .edits
        .iter()
        .map(|edit| {
            (
                edit.step,
                edit.before.as_str(),
                edit.original,
                edit.normalized,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (0, "㈱", (1, 2), (0, 4)),
            (1, "甲", (0, 1), (0, 0)),
            (1, "株", (1, 2), (1, 3)),
        ]
    );
    assert_eq!(normalized.alignment.to_original((4, 5)), (2, 3));
}

#[test]
fn bytes_and_characters_tell_the_same() {
    let steps = pipeline(&[&[("ａ", "a"), ("𠀀", "")], &[("a", "壹貳")]]);
    let text = "xａ𠀀yａ";
    let (bytes, chars) = (steps.run(text).unwrap(), steps.explain(text).unwrap());
    assert_eq!(bytes.text, chars.text);
    assert!(bytes.edits.is_empty());
    assert_eq!(bytes.alignment.to_original((1, 4)), (1, 4));
    assert_eq!(chars.alignment.to_original((1, 2)), (1, 2));
}

#[test]
fn a_table_that_contradicts_itself_is_named() {
    let json =
        r#"[{"name": "mine", "type": "characters", "rows": [["a", "b", ""], ["a", "c", ""]]}]"#;
    let error = Pipeline::from_json(json).unwrap_err().to_string();
    assert!(
        error.contains("step \"mine\": \"a\" stands for both"),
        "{error}"
    );
    let error = Pipeline::from_json("[{\"name\": 3}]")
        .unwrap_err()
        .to_string();
    assert!(error.contains("[0].name"), "{error}");
}
