//! The models against answers recorded from `tokenizers`.
//!
//! `tests/golden/record_models.py` makes the file and documents its format.

use std::collections::BTreeMap;

use pytok_core::definition;
use pytok_core::model::{Model, ModelScratch};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    words: Vec<String>,
    models: BTreeMap<String, Recorded>,
}

#[derive(Deserialize)]
struct Recorded {
    definition: definition::Model,
    refused: bool,
    #[serde(default)]
    pieces: BTreeMap<String, String>,
    #[serde(default)]
    words: Vec<Option<Vec<u32>>>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../../../tests/golden/models.json"))
        .expect("the recorded answers are JSON of this shape")
}

#[test]
fn ids_and_offsets_are_those_of_the_reference() {
    let golden = golden();
    let mut compared = 0;
    for (name, recorded) in &golden.models {
        let compiled = Model::compile(&recorded.definition);
        if recorded.refused {
            assert!(compiled.is_err(), "{name} is accepted");
            continue;
        }
        let model = compiled.unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut scratch = ModelScratch::default();
        assert_eq!(golden.words.len(), recorded.words.len(), "{name}");
        for (word, expected) in golden.words.iter().zip(&recorded.words) {
            let mut tokens = Vec::new();
            let found = model
                .tokenize(word, &mut scratch, &mut tokens)
                .is_ok()
                .then(|| -> Vec<u32> {
                    tokens
                        .iter()
                        .flat_map(|token| [token.id, token.start, token.end])
                        .collect()
                });
            assert_eq!(&found, expected, "{name}: {word:?}");
            compared += 1;
        }
        for (id, piece) in &recorded.pieces {
            let id = id.parse().unwrap();
            assert_eq!(model.piece(id), Some(piece.as_str()), "{name}: {id}");
            assert_eq!(model.id(piece), Some(id), "{name}: {piece:?}");
        }
    }
    assert!(compared > 3000, "only {compared} words were compared");
}

#[test]
fn a_refusal_names_what_is_wrong() {
    let golden = golden();
    let message = |name: &str| {
        Model::compile(&golden.models[name].definition)
            .unwrap_err()
            .to_string()
    };
    assert!(message("left missing").contains(r#""zz" is not in model.vocab"#));
    assert!(message("right missing").contains(r#""zz" is not in model.vocab"#));
    assert!(message("result missing").contains(r#""ba" is not in model.vocab"#));
    assert!(message("too much dropout").contains("model.dropout: found 1.5"));
}

#[test]
fn a_missing_unknown_token_is_named_with_the_word() {
    let golden = golden();
    for (name, word) in [
        ("unknown missing", "x"),
        ("pieces without the unknown", "x"),
        ("words without the unknown", "x"),
    ] {
        let model = Model::compile(&golden.models[name].definition).unwrap();
        let error = model
            .tokenize(word, &mut ModelScratch::default(), &mut Vec::new())
            .unwrap_err()
            .to_string();
        assert!(error.contains("model.unk_token"), "{name}: {error}");
        assert!(error.contains('x'), "{name}: {error}");
    }
}
