//! Unigram models beside the recorded results of `tokenizers`
//! (`tests/golden/record_unigram.py`).

#![allow(clippy::unwrap_used)] // helpers of tests

use pytok_core::definition;
use pytok_core::error::Error;
use pytok_core::ids::index;
use pytok_core::model::{Model, ModelScratch, Token};
use serde::Deserialize;

#[derive(Deserialize)]
struct Recorded {
    words: Vec<String>,
    /// A word and how often it is repeated.
    long: Vec<(String, usize)>,
    models: Vec<RecordedModel>,
    refused: Vec<definition::Model>,
}

#[derive(Deserialize)]
struct RecordedModel {
    name: String,
    model: definition::Model,
    /// The piece of every id.
    pieces: Vec<Option<String>>,
    words: Vec<Option<RecordedWord>>,
    /// A checksum of the ids and offsets of each long word.
    long: Vec<Option<u32>>,
}

/// Per token its id, start and end; the texts that are not the piece.
#[derive(Deserialize)]
struct RecordedWord(Vec<u32>, Vec<String>);

fn recorded() -> Recorded {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/golden/unigram.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn flat(tokens: &[Token]) -> Vec<u32> {
    tokens
        .iter()
        .flat_map(|token| [token.id, token.start, token.end])
        .collect()
}

/// The tokens of a word; `None` where it has an unknown character and the model
/// no unknown piece.
fn tokenize(model: &Model, word: &str, scratch: &mut ModelScratch) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    match model.tokenize(word, scratch, &mut tokens) {
        Ok(()) => Some(tokens),
        Err(Error::Encode { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn tokens_are_those_of_the_reference() {
    let recorded = recorded();
    assert!(recorded.models.len() >= 20);
    let mut scratch = ModelScratch::default();
    for recorded_model in &recorded.models {
        let name = &recorded_model.name;
        let model = Model::compile(&recorded_model.model).unwrap();
        assert_eq!(recorded.words.len(), recorded_model.words.len());
        for (word, expected) in recorded.words.iter().zip(&recorded_model.words) {
            let found = tokenize(&model, word, &mut scratch);
            assert_eq!(found.is_some(), expected.is_some(), "{name}: {word:?}");
            let (Some(found), Some(RecordedWord(tokens, texts))) = (found, expected) else {
                continue;
            };
            assert_eq!(&flat(&found), tokens, "{name}: {word:?}");
            let surfaces: Vec<_> = found
                .iter()
                .filter(|token| token.surface)
                .map(|token| &word[index(token.start)..index(token.end)])
                .collect();
            assert_eq!(&surfaces, texts, "{name}: {word:?}");
        }
    }
}

#[test]
fn long_words_have_the_tokens_of_the_reference() {
    let recorded = recorded();
    let mut scratch = ModelScratch::default();
    for recorded_model in &recorded.models {
        let model = Model::compile(&recorded_model.model).unwrap();
        for ((word, count), &expected) in recorded.long.iter().zip(&recorded_model.long) {
            let found = tokenize(&model, &word.repeat(*count), &mut scratch);
            let checksum = found.map(|tokens| {
                flat(&tokens).iter().fold(0x811C_9DC5_u32, |sum, number| {
                    (sum ^ number).wrapping_mul(0x0100_0193)
                })
            });
            assert_eq!(checksum, expected, "{}: {word:?}", recorded_model.name);
        }
    }
}

#[test]
fn every_id_has_the_piece_of_the_reference() {
    for recorded_model in recorded().models {
        let model = Model::compile(&recorded_model.model).unwrap();
        for (id, piece) in (0..).zip(&recorded_model.pieces) {
            assert_eq!(model.piece(id), piece.as_deref(), "{}", recorded_model.name);
        }
    }
}

#[test]
fn what_the_reference_refuses_is_refused() {
    for model in recorded().refused {
        let error = Model::compile(&model).unwrap_err();
        assert!(matches!(error, Error::Vocabulary { .. }), "{error}");
    }
}
