//! Every pre-tokenizer beside the recorded results of `tokenizers`
//! (`tests/golden/record_pretokenizers.py`).

#![allow(clippy::unwrap_used)] // helpers of tests

use pytok_core::definition::{self, Source};
use pytok_core::pretokenize::{PreTokenizer, RawSplitter, byte_alphabet, patterns};
use pytok_core::text::AlignedText;
use serde::Deserialize;

#[derive(Deserialize)]
struct Recorded {
    inputs: Vec<String>,
    cases: Vec<Case>,
    checksums: Vec<Checksums>,
    tiktoken_words: Vec<TiktokenWords>,
}

#[derive(Deserialize)]
struct TiktokenWords {
    pattern: String,
    /// For each input.
    words: Vec<Vec<String>>,
}

#[derive(Deserialize)]
struct Case {
    config: serde_json::Value,
    /// For each input the pieces (none: what stands in the text) and the
    /// offsets, in characters, of each piece in turn.
    results: Vec<(Option<Vec<String>>, Vec<usize>)>,
}

#[derive(Deserialize)]
struct Checksums {
    config: serde_json::Value,
    crc32: Vec<u32>,
}

fn recorded() -> Recorded {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/golden/pretokenizers.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn compile(config: &serde_json::Value) -> PreTokenizer {
    let definition: definition::PreTokenizer = serde_json::from_value(config.clone()).unwrap();
    PreTokenizer::compile(&definition, Source::Tokenizers).unwrap()
}

/// For each byte boundary of a text, the number of characters before it.
fn character_offsets(text: &str) -> Vec<usize> {
    let mut offsets = vec![usize::MAX; text.len() + 1];
    for (number, (place, _)) in text.char_indices().enumerate() {
        offsets[place] = number;
    }
    offsets[text.len()] = text.chars().count();
    offsets
}

type Piece = (String, usize, usize);

fn pieces(pre_tokenizer: &PreTokenizer, text: &str) -> Vec<Piece> {
    let offsets = character_offsets(text);
    let mut words = vec![AlignedText::new(text)];
    pre_tokenizer.apply(&mut words).unwrap();
    let at = |byte: u32| offsets[usize::try_from(byte).unwrap()];
    words
        .iter()
        .map(|word| {
            let (start, end) = word.origin();
            (word.text().to_owned(), at(start), at(end))
        })
        .collect()
}

#[test]
fn pieces_and_offsets_are_those_of_the_reference() {
    let recorded = recorded();
    for case in &recorded.cases {
        let pre_tokenizer = compile(&case.config);
        assert_eq!(recorded.inputs.len(), case.results.len());
        for (input, (texts, offsets)) in recorded.inputs.iter().zip(&case.results) {
            let characters: Vec<char> = input.chars().collect();
            let expected: Vec<Piece> = offsets
                .chunks(2)
                .enumerate()
                .map(|(number, span)| {
                    let text = match texts {
                        Some(texts) => texts[number].clone(),
                        None => characters[span[0]..span[1]].iter().collect(),
                    };
                    (text, span[0], span[1])
                })
                .collect();
            let found = pieces(&pre_tokenizer, input);
            assert_eq!(found, expected, "{} on {input:?}", case.config);
        }
    }
}

#[test]
fn words_are_the_same_without_alignment() {
    let recorded = recorded();
    for case in &recorded.cases {
        let pre_tokenizer = compile(&case.config);
        for input in &recorded.inputs {
            let mut words = vec![AlignedText::untracked(input, 0)];
            pre_tokenizer.apply(&mut words).unwrap();
            let found: Vec<&str> = words.iter().map(AlignedText::text).collect();
            let tracked = pieces(&pre_tokenizer, input);
            let expected: Vec<&str> = tracked.iter().map(|piece| piece.0.as_str()).collect();
            assert_eq!(found, expected, "{} on {input:?}", case.config);
        }
    }
}

fn raw_words(splitter: &RawSplitter, text: &str) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let collect = &mut |start, end| {
        words.push((start, end));
        Ok(())
    };
    splitter.for_each_word(text, collect).unwrap();
    words
}

#[test]
fn raw_splitters_give_the_same_words() {
    let recorded = recorded();
    let mut splitters = 0;
    for case in &recorded.cases {
        let pre_tokenizer = compile(&case.config);
        let Some(splitter) = pre_tokenizer.raw_splitter() else {
            continue;
        };
        splitters += 1;
        for input in &recorded.inputs {
            let found: Vec<String> = raw_words(&splitter, input)
                .into_iter()
                .map(|(start, end)| byte_alphabet::encode(&input.as_bytes()[start..end]))
                .collect();
            let expected: Vec<String> = pieces(&pre_tokenizer, input)
                .into_iter()
                .map(|piece| piece.0)
                .collect();
            assert_eq!(found, expected, "{} on {input:?}", case.config);
        }
    }
    // ByteLevel with and without its pattern, and three sequences that end in it.
    assert_eq!(splitters, 5);
}

#[test]
fn a_prefix_space_or_a_join_leaves_no_raw_splitter() {
    for config in [
        r#"{"type": "ByteLevel", "add_prefix_space": true}"#,
        r#"{"type": "Whitespace"}"#,
        r#"{"type": "Sequence", "pretokenizers": [
            {"type": "Punctuation", "behavior": "Contiguous"},
            {"type": "ByteLevel", "add_prefix_space": false}]}"#,
        r#"{"type": "Sequence", "pretokenizers": [
            {"type": "ByteLevel", "add_prefix_space": false}, {"type": "Digits"}]}"#,
    ] {
        let config = serde_json::from_str(config).unwrap();
        assert!(compile(&config).raw_splitter().is_none(), "{config}");
    }
}

#[test]
fn words_of_tiktoken_are_reproduced() {
    let recorded = recorded();
    for case in &recorded.tiktoken_words {
        let splitter = RawSplitter::for_tiktoken(&case.pattern).unwrap();
        for (input, expected) in recorded.inputs.iter().zip(&case.words) {
            let found: Vec<&str> = raw_words(&splitter, input)
                .into_iter()
                .map(|(start, end)| &input[start..end])
                .collect();
            assert_eq!(&found, expected, "{} on {input:?}", case.pattern);
        }
    }
}

#[test]
fn known_patterns_are_the_ones_that_were_recorded() {
    let recorded = recorded();
    for name in patterns::NAMES {
        for pattern in patterns::stages(name).unwrap() {
            let known = recorded
                .tiktoken_words
                .iter()
                .any(|c| c.pattern == *pattern);
            assert!(known, "{name}: {pattern}");
        }
    }
}

#[test]
fn what_tiktoken_does_not_match_is_lost() {
    let splitter = RawSplitter::for_tiktoken(r"\p{L}+|\d?").unwrap();
    assert_eq!(raw_words(&splitter, "ab, 1c!"), [(0, 2), (4, 5), (5, 6)]);
    assert_eq!(raw_words(&splitter, ""), []);
}

/// CRC-32 (the one of zlib), continued.
fn crc32(mut crc: u32, bytes: &[u8]) -> u32 {
    crc = !crc;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & 0_u32.wrapping_sub(crc & 1));
        }
    }
    !crc
}

#[test]
fn every_code_point_is_treated_as_by_the_reference() {
    const BLOCK: u32 = 0x1000;
    let blocks: Vec<u32> = (0..0x40000)
        .step_by(0x1000)
        .chain(std::iter::once(0xE0000))
        .collect();
    for recorded in recorded().checksums {
        let pre_tokenizer = compile(&recorded.config);
        assert_eq!(blocks.len(), recorded.crc32.len());
        for (first, expected) in blocks.iter().zip(&recorded.crc32) {
            let text: String = (*first..first + BLOCK)
                .filter_map(char::from_u32)
                .map(|c| format!("{c}a{c} 中{c}1 "))
                .collect();
            let crc = pieces(&pre_tokenizer, &text)
                .iter()
                .fold(0, |crc, (piece, start, end)| {
                    let place = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
                    let crc = crc32(crc, piece.as_bytes());
                    let crc = crc32(crc, &[0xFF]);
                    crc32(crc32(crc, &place(*start)), &place(*end))
                });
            assert_eq!(crc, *expected, "{} from U+{first:X}", recorded.config);
        }
    }
}

#[test]
fn long_texts_take_linear_time() {
    let recorded = recorded();
    for case in &recorded.cases {
        let pre_tokenizer = compile(&case.config);
        for piece in [" ", "a", "\n", "中", "'", "a ", "▁", "1-"] {
            let text = piece.repeat(200_000 / piece.len());
            let begin = std::time::Instant::now();
            let mut words = vec![AlignedText::new(&text)];
            pre_tokenizer.apply(&mut words).unwrap();
            assert!(
                begin.elapsed().as_secs() < 10,
                "{} on {piece:?}…",
                case.config
            );
        }
    }
}

#[test]
fn a_length_of_zero_is_refused() {
    let definition = definition::PreTokenizer::FixedLength { length: 0 };
    let error = PreTokenizer::compile(&definition, Source::Tokenizers).unwrap_err();
    assert!(error.to_string().starts_with("pre_tokenizer.length: 0"));
}
