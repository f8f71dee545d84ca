//! SentencePiece models beside the recorded results of `sentencepiece`
//! (`tests/golden/record_sentencepiece.py`).

#![allow(clippy::unwrap_used)] // helpers of tests

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pytok_core::Error;
use pytok_core::sentencepiece::{PieceKind, SentencePiece, SentencePieceScratch, SpToken};
use serde::Deserialize;

#[derive(Deserialize)]
struct Recorded {
    texts: Vec<String>,
    /// A text and how often it is repeated.
    long: Vec<(String, usize)>,
    /// Pieces of files, base64.
    parts: Vec<String>,
    models: Vec<RecordedModel>,
    /// Files that the library refuses.
    refused: Vec<(String, String)>,
}

#[derive(Deserialize)]
struct RecordedModel {
    name: String,
    /// The parts that make the file.
    parts: Vec<usize>,
    /// The unknown, beginning, ending and padding id, or -1.
    special: [i64; 4],
    texts: Vec<RecordedText>,
    /// A checksum of the ids of each long text.
    long: Vec<u32>,
    /// Ids and what they decode to.
    sequences: Vec<(Vec<u32>, String)>,
}

/// Per token its id, its begin less the last begin, its length; the texts of
/// unknown tokens; the decoded text if it is another one.
#[derive(Deserialize)]
struct RecordedText(Vec<i64>, Vec<String>, Option<String>);

fn recorded() -> Recorded {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/golden/sentencepiece.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

impl Recorded {
    fn file(&self, model: &RecordedModel) -> Vec<u8> {
        let parts = model.parts.iter();
        parts
            .flat_map(|&part| STANDARD.decode(&self.parts[part]).unwrap())
            .collect()
    }

    fn compile(&self, model: &RecordedModel) -> SentencePiece {
        SentencePiece::compile(&self.file(model))
            .unwrap_or_else(|error| panic!("{}: {error}", model.name))
    }
}

fn flat(tokens: &[SpToken]) -> Vec<i64> {
    let mut last = 0;
    let mut flat = Vec::new();
    for token in tokens {
        let (start, end) = (i64::from(token.start), i64::from(token.end));
        flat.extend([i64::from(token.id), start - last, end - start]);
        last = start;
    }
    flat
}

fn ids(tokens: &[SpToken]) -> Vec<u32> {
    tokens.iter().map(|token| token.id).collect()
}

#[test]
fn tokens_spans_and_decoded_texts_are_those_of_the_library() {
    let recorded = recorded();
    assert!(recorded.models.len() >= 80);
    let mut scratch = SentencePieceScratch::default();
    for model in &recorded.models {
        let name = &model.name;
        let compiled = recorded.compile(model);
        assert_eq!(recorded.texts.len(), model.texts.len(), "{name}");
        for (text, expected) in recorded.texts.iter().zip(&model.texts) {
            let RecordedText(tokens, unknown, decoded) = expected;
            let mut found = Vec::new();
            compiled.encode(text, &mut scratch, &mut found).unwrap();
            assert_eq!(&flat(&found), tokens, "{name}: {text:?}");
            let surfaces: Vec<_> = found
                .iter()
                .filter(|token| compiled.kind(token.id) == Some(PieceKind::Unknown))
                .map(|token| compiled.token_piece(token, &scratch).unwrap())
                .collect();
            assert_eq!(&surfaces, unknown, "{name}: {text:?}");
            let decoded = decoded.as_ref().unwrap_or(text);
            assert_eq!(&compiled.decode(&ids(&found)).unwrap(), decoded, "{name}");
        }
    }
}

#[test]
fn long_texts_have_the_ids_of_the_library() {
    let recorded = recorded();
    let mut scratch = SentencePieceScratch::default();
    for model in &recorded.models {
        let compiled = recorded.compile(model);
        for ((text, count), &expected) in recorded.long.iter().zip(&model.long) {
            let mut found = Vec::new();
            compiled
                .encode(&text.repeat(*count), &mut scratch, &mut found)
                .unwrap();
            let checksum = found.iter().fold(0x811C_9DC5_u32, |sum, token| {
                (sum ^ token.id).wrapping_mul(0x0100_0193)
            });
            assert_eq!(checksum, expected, "{}: {text:?}", model.name);
        }
    }
}

#[test]
fn any_sequence_of_ids_decodes_as_in_the_library() {
    let recorded = recorded();
    for model in &recorded.models {
        let compiled = recorded.compile(model);
        for (ids, text) in &model.sequences {
            let found = compiled.decode(ids).unwrap();
            assert_eq!(&found, text, "{}: {ids:?}", model.name);
            let bytes = compiled.decode_bytes(ids).unwrap();
            if let Ok(valid) = String::from_utf8(bytes) {
                assert_eq!(&valid, text, "{}: {ids:?}", model.name);
            }
        }
        let beyond = u32::try_from(compiled.len()).unwrap();
        assert!(matches!(
            compiled.decode(&[0, beyond]),
            Err(Error::Argument {
                argument: "ids",
                ..
            })
        ));
    }
}

#[test]
fn special_ids_are_those_of_the_library() {
    let recorded = recorded();
    for model in &recorded.models {
        let compiled = recorded.compile(model);
        let found = [
            compiled.unk_id(),
            compiled.bos_id(),
            compiled.eos_id(),
            compiled.pad_id(),
        ];
        let found = found.map(|id| id.map_or(-1, i64::from));
        assert_eq!(found, model.special, "{}", model.name);
    }
}

#[test]
fn pieces_and_ids_are_inverse_and_every_id_has_bytes() {
    let recorded = recorded();
    for model in &recorded.models {
        let compiled = recorded.compile(model);
        for (id, piece) in compiled.pieces() {
            assert_eq!(compiled.id(piece), Some(id), "{}", model.name);
            assert_eq!(compiled.piece(id), Some(piece));
            let bytes = compiled.token_bytes(id).unwrap();
            match compiled.kind(id).unwrap() {
                PieceKind::Byte => assert_eq!(format!("<0x{:02X}>", bytes[0]), piece),
                PieceKind::Control => assert!(bytes.is_empty()),
                PieceKind::Unknown => assert!(!bytes.is_empty()),
                _ => assert_eq!(bytes, piece.replace('▁', " ").into_bytes()),
            }
        }
    }
}

#[test]
fn what_the_library_refuses_is_refused() {
    for (name, file) in recorded().refused {
        let error = SentencePiece::compile(&STANDARD.decode(file).unwrap()).unwrap_err();
        assert!(matches!(error, Error::Format { .. }), "{name}: {error}");
    }
}

#[test]
fn damaged_files_are_errors_or_models_but_never_panics() {
    let recorded = recorded();
    let mut scratch = SentencePieceScratch::default();
    let mut state = 5_u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        usize::try_from(state >> 4).unwrap()
    };
    let small = |model: &&RecordedModel| recorded.file(model).len() < 20_000;
    for model in recorded.models.iter().filter(small) {
        let file = recorded.file(model);
        for _ in 0..20 {
            let mut damaged = file.clone();
            match random() % 3 {
                0 => damaged.truncate(random() % file.len()),
                1 => damaged[random() % file.len()] = u8::try_from(random() % 256).unwrap(),
                _ => {
                    damaged.remove(random() % file.len());
                }
            }
            let Ok(compiled) = SentencePiece::compile(&damaged) else {
                continue;
            };
            for text in &recorded.texts {
                let mut found = Vec::new();
                compiled.encode(text, &mut scratch, &mut found).unwrap();
                compiled.decode(&ids(&found)).unwrap();
            }
        }
    }
}

#[test]
fn unknown_values_are_named() {
    let file = |bytes: &[u8]| SentencePiece::compile(bytes).unwrap_err();
    // trainer_spec.model_type = 5
    let error = file(b"\x0a\x09\x0a\x05<unk>\x18\x02\x12\x02\x18\x05");
    assert!(
        matches!(&error, Error::Unsupported { field, .. } if field == "trainer_spec.model_type"),
        "{error}"
    );
    // pieces[0].type = 9
    let error = file(b"\x0a\x09\x0a\x05<unk>\x18\x09");
    assert!(
        matches!(&error, Error::Unsupported { field, .. } if field == "pieces[0].type"),
        "{error}"
    );
    assert!(matches!(file(b""), Error::Format { .. }));
}
