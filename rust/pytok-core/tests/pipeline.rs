//! A whole tokenizer, from the file that ships with the Python package.

use std::sync::Arc;

use pytok_core::format::{self, LoadOptions};
use pytok_core::pipeline::{EncodeOptions, Input, SpecialPolicy};
use pytok_core::pretokenize::patterns;
use pytok_core::{Definition, Error, Tokenizer};

const FILE: &[u8] = include_bytes!("../../../pytok/data/zh-32k/tokenizer.json");

const TEXTS: [&str; 8] = [
    "",
    "学而时习之，不亦说乎？",
    "def f(x):\n    return x  # 返回\r\n",
    "齾囅𠀀\u{E000}\0 e\u{301} 👩‍👩‍👧 ﷽",
    "   \t\n\n  ",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "哈哈哈哈哈哈哈哈哈哈哈哈",
    "3.1415926，2024年5月",
];

fn definition() -> Definition {
    format::load(FILE, &LoadOptions::default()).expect("the shipped file is valid")
}

fn tokenizer() -> Tokenizer {
    Tokenizer::compile(definition()).expect("the shipped file compiles")
}

#[test]
fn what_goes_in_comes_out() {
    let tokenizer = tokenizer();
    for text in TEXTS {
        let ids = tokenizer
            .encode_ids(text, &EncodeOptions::default())
            .unwrap();
        assert_eq!(tokenizer.decode(&ids, false).unwrap(), text);
        assert_eq!(
            tokenizer.decode_bytes(&ids, false).unwrap(),
            text.as_bytes()
        );
        assert_eq!(
            tokenizer.count(text, &EncodeOptions::default()).unwrap(),
            ids.len()
        );
    }
}

#[test]
fn an_encoding_has_the_same_ids_and_tiles_the_text() {
    let tokenizer = tokenizer();
    for text in TEXTS {
        let options = EncodeOptions::default();
        let encoding = tokenizer
            .encode(Input::Text(text), None, &options, None)
            .unwrap();
        assert_eq!(
            encoding.ids(),
            tokenizer.encode_ids(text, &options).unwrap()
        );
        let mut end = 0;
        for &(start, stop) in encoding.byte_offsets() {
            assert_eq!(start, end, "{text:?}");
            end = stop;
        }
        assert_eq!(usize::try_from(end).unwrap(), text.len());
    }
}

#[test]
fn a_batch_is_a_loop_on_any_number_of_threads() {
    let tokenizer = tokenizer();
    let texts: Vec<&str> = TEXTS.iter().copied().cycle().take(5000).collect();
    let options = EncodeOptions::default();
    let (ids, bounds) = tokenizer
        .encode_batch_ids(&texts, &options, Some(1))
        .unwrap();
    for threads in [None, Some(2), Some(4)] {
        let parallel = tokenizer
            .encode_batch_ids(&texts, &options, threads)
            .unwrap();
        assert_eq!(parallel, (ids.clone(), bounds.clone()));
    }
    for (text, pair) in texts.iter().zip(bounds.windows(2)) {
        let [start, end] = [pair[0], pair[1]].map(|bound| usize::try_from(bound).unwrap());
        let part = &ids[start..end];
        assert_eq!(part, tokenizer.encode_ids(text, &options).unwrap());
    }
}

/// Half a megabyte of all kinds, with long runs in it.
fn long_text() -> String {
    let mut text = String::new();
    let (mut state, runs) = (7_u32, ["a", "哈", " ", "\n", "1", "\0", "-"]);
    while text.len() < 1 << 19 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let drawn = usize::try_from(state >> 16).unwrap_or_default();
        match drawn % 50 {
            0 => text.push_str("<|endoftext|>"),
            1 => text.push_str(&runs[drawn / 50 % runs.len()].repeat(drawn)),
            _ => text.push_str(TEXTS[drawn % TEXTS.len()]),
        }
    }
    text
}

#[test]
fn threads_share_a_long_text() {
    let (text, plain) = (long_text(), "哈哈，你好 OK\n".repeat(30_000));
    // Cut in threes from anywhere, but only from its beginning as it should be.
    let digits = format!("a{}。好", "1".repeat(500_000));
    let mut file: serde_json::Value = serde_json::from_slice(FILE).unwrap();
    let mut files = Vec::new();
    for normalizer in ["null", r#"{"type":"NFC"}"#, r#"{"type":"Lowercase"}"#] {
        file["normalizer"] = serde_json::from_str(normalizer).unwrap();
        files.push(file.to_string());
    }
    file["normalizer"] = serde_json::Value::Null;
    let last = file["pre_tokenizer"]["pretokenizers"][1].clone();
    let stages: [&[&str]; 5] = [
        &patterns::DEEPSEEK,
        &[patterns::KIMI_K2],
        &[patterns::WIDE],
        // No scanner; a scanner and gaps.
        &["a+"],
        &[patterns::DEEPSEEK[0]],
    ];
    for stages in stages {
        let split = |regex: &&str| {
            serde_json::json!({"type": "Split", "pattern": {"Regex": regex},
                "behavior": "Isolated", "invert": false})
        };
        let steps = stages.iter().map(split).chain([last.clone()]);
        file["pre_tokenizer"]["pretokenizers"] = steps.collect();
        files.push(file.to_string());
    }
    for file in files {
        let definition = format::load(file.as_bytes(), &LoadOptions::default()).unwrap();
        let tokenizer = Tokenizer::compile(definition).unwrap();
        let texts = ["short", &text, "", &plain, &digits];
        for special in [SpecialPolicy::Special, SpecialPolicy::Text] {
            for add_special_tokens in [true, false] {
                let options = EncodeOptions {
                    special,
                    add_special_tokens,
                    ..EncodeOptions::default()
                };
                let expected = tokenizer
                    .encode_batch_ids(&texts, &options, Some(1))
                    .unwrap();
                let alone = tokenizer.encode_ids(&text, &options).unwrap();
                assert!(expected.0.windows(alone.len()).any(|ids| ids == alone));
                for threads in 2..5 {
                    let found = tokenizer.encode_batch_ids(&texts, &options, Some(threads));
                    assert_eq!(found.unwrap(), expected);
                }
            }
        }
    }
}

#[test]
fn the_first_text_that_fails_is_named_on_any_number_of_threads() {
    let tokenizer = tokenizer();
    let early = format!("{}<|im_end|>", "哈".repeat(100));
    let late = format!("{}<|endoftext|>", "哈，好".repeat(60_000));
    let fine = "好".repeat(30_000);
    for texts in [[&early, &late, &fine], [&fine, &late, &early]] {
        let texts = texts.map(String::as_str);
        let error = |threads| {
            let options = EncodeOptions::default();
            tokenizer
                .encode_batch_ids(&texts, &options, Some(threads))
                .unwrap_err()
        };
        for threads in 2..5 {
            assert_eq!(error(threads), error(1));
        }
    }
}

#[test]
fn control_tokens_follow_the_policy() {
    let tokenizer = tokenizer();
    let text = "你好<|endoftext|>";
    let with = |special| EncodeOptions {
        special,
        ..EncodeOptions::default()
    };
    assert_eq!(
        tokenizer.encode_ids(text, &with(SpecialPolicy::Error)),
        Err(Error::ControlToken {
            token: "<|endoftext|>".to_owned(),
            byte_offset: 6
        })
    );
    let matched = tokenizer
        .encode_ids(text, &with(SpecialPolicy::Special))
        .unwrap();
    let id = tokenizer.token_to_id("<|endoftext|>").unwrap();
    assert_eq!(matched.last(), Some(&id));
    let plain = tokenizer
        .encode_ids(text, &with(SpecialPolicy::Text))
        .unwrap();
    assert!(!plain.contains(&id));
    assert_eq!(tokenizer.decode(&plain, false).unwrap(), text);
    assert_eq!(tokenizer.decode(&matched, true).unwrap(), "你好");
}

#[test]
fn a_stream_joins_to_the_text() {
    let tokenizer = Arc::new(tokenizer());
    for text in TEXTS {
        let ids = tokenizer
            .encode_ids(text, &EncodeOptions::default())
            .unwrap();
        let mut stream = tokenizer.decode_stream(false);
        let mut joined = String::new();
        for id in ids {
            joined.push_str(&stream.step(id).unwrap_or_default());
        }
        joined.push_str(&stream.flush().unwrap_or_default());
        assert_eq!(joined, text);
    }
}

#[test]
fn a_definition_survives_its_own_file() {
    let definition = definition();
    let written = format::pytok_json::write(&definition).unwrap();
    let read = format::load(&written, &LoadOptions::default()).unwrap();
    assert_eq!(read, definition);
    let json = format::tokenizer_json::write(&definition).unwrap();
    assert_eq!(
        format::load(&json, &LoadOptions::default()).unwrap(),
        definition
    );
}

#[test]
fn added_tokens_take_the_next_ids() {
    let tokenizer = tokenizer();
    let token = |content: &str| pytok_core::definition::AddedToken {
        id: 0,
        content: content.to_owned(),
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: false,
    };
    let extended = tokenizer
        .with_added_tokens(vec![token("吾輩"), token("<|pad|>"), token("猫である")])
        .unwrap();
    let size = u32::try_from(tokenizer.vocab_size()).unwrap();
    assert_eq!(extended.token_to_id("吾輩"), Some(size));
    assert_eq!(extended.token_to_id("猫である"), Some(size + 1));
    assert_eq!(extended.vocab_size(), tokenizer.vocab_size() + 2);
    let ids = extended
        .encode_ids("吾輩は猫である", &EncodeOptions::default())
        .unwrap();
    assert_eq!((ids[0], ids[ids.len() - 1]), (size, size + 1));
}

#[test]
fn an_added_token_may_be_long_and_repeat_itself() {
    let content = "x".repeat(300_000);
    let token = pytok_core::definition::AddedToken {
        id: 0,
        content: content.clone(),
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: false,
    };
    let extended = tokenizer().with_added_tokens(vec![token]).unwrap();
    let ids = extended
        .encode_ids(&format!("x{content}"), &EncodeOptions::default())
        .unwrap();
    assert_eq!(ids.len(), 2);
}

#[test]
fn broken_files_are_refused_with_a_place() {
    let cases: [(&[u8], &str); 9] = [
        (b"", "empty"),
        (b"   \n", "empty"),
        (b"hello", "none of the known formats"),
        (&FILE[..FILE.len() / 2], "EOF"),
        (b"{\"model\": 3}", "model"),
        (b"{\"model\": {\"type\": \"GPT\"}}", "GPT"),
        (
            b"{\"model\": {\"type\": \"WordLevel\", \"vocab\": {\"a\": -1}, \"unk_token\": \"a\"}}",
            "model",
        ),
        (b"{\"a\": 1}", "tokenizer.json"),
        (b"YQ== 0\nYg== x\n", "line 2"),
    ];
    for (bytes, expected) in cases {
        let options = LoadOptions {
            encoding: Some("gpt2".to_owned()),
            ..LoadOptions::default()
        };
        let message = format::load(bytes, &options).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn what_cannot_be_honoured_is_refused_with_its_field() {
    let text = std::str::from_utf8(FILE).unwrap();
    let swap = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let bytes = text.replacen(from, to, 1).into_bytes();
        let definition = format::load(&bytes, &LoadOptions::default());
        definition
            .and_then(Tokenizer::compile)
            .unwrap_err()
            .to_string()
    };
    let cases = [
        (
            "\"normalizer\":null",
            "\"normalizer\":{\"type\":\"NFKQ\"}",
            "normalizer.type: NFKQ",
            "NFKC",
        ),
        (
            "\"type\":\"Unigram\"",
            "\"type\":\"GPT\"",
            "model.type: GPT",
            "BPE, Unigram, WordPiece, WordLevel",
        ),
        (
            "\"type\":\"Split\"",
            "\"type\":\"Jieba\"",
            "pre_tokenizer: Jieba",
            "UnicodeScripts",
        ),
        (
            "(?i:'s|",
            "(i:'s|((",
            "pre_tokenizer.pretokenizers[0].pattern",
            "Oniguruma",
        ),
        (
            "\"byte_fallback\"",
            "\"cache_size\":1,\"byte_fallback\"",
            "model: cache_size",
            "unk_id",
        ),
        (
            "\"version\":\"1.0\"",
            "\"version\":\"2.0\"",
            "version: \"2.0\"",
            "1.0",
        ),
    ];
    for (from, to, field, supported) in cases {
        let message = swap(from, to);
        assert!(message.starts_with(field), "{message}");
        assert!(message.contains(supported), "{message}");
    }
}
