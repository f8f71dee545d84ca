//! Decoders, post-processors, truncation, padding and lookups beside the
//! recorded results of `tokenizers` (`tests/golden/record_pipeline.py`).

#![allow(clippy::unwrap_used)] // helpers of tests

use pytok_core::Result;
use pytok_core::definition::{self, Source};
use pytok_core::ids::{index, offset};
use pytok_core::pipeline::decode::Decoder;
use pytok_core::pipeline::encoding::{Encoding, EncodingParts, Offsets};
use pytok_core::pipeline::padding::{Padding, PaddingLength, Side, pad_batch};
use pytok_core::pipeline::postprocess::{PostProcessor, join_sequences};
use pytok_core::pipeline::stream::{DecodeStream, TokenSource};
use pytok_core::pipeline::truncation::{Truncation, TruncationStrategy, truncate_sequences};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Recorded {
    decoders: Decoders,
    sequences: Sequences,
}

#[derive(Deserialize)]
struct Decoders {
    tokens: Vec<Vec<String>>,
    cases: Vec<DecoderCase>,
}

#[derive(Deserialize)]
struct DecoderCase {
    config: Value,
    results: Vec<Option<String>>,
}

#[derive(Deserialize)]
struct Sequences {
    texts: Vec<String>,
    vocabularies: Vec<Vec<String>>,
    /// Each text in each setup.
    raw: Vec<Vec<RawSequence>>,
    processors: Vec<Value>,
    cases: Vec<SequenceCase>,
}

/// Ids, flat offsets, words.
type RawSequence = (Vec<u32>, Vec<u32>, Vec<Option<u32>>);

#[derive(Deserialize)]
struct SequenceCase {
    setup: usize,
    processor: usize,
    first: usize,
    second: Option<usize>,
    add_special: bool,
    truncation: Option<RecordedTruncation>,
    padding: Option<RecordedPadding>,
    result: Option<Dump>,
    lookups: Option<Lookups>,
}

#[derive(Deserialize)]
struct RecordedTruncation {
    max_length: usize,
    stride: usize,
    strategy: String,
    direction: String,
}

#[derive(Deserialize)]
struct RecordedPadding {
    direction: String,
    pad_id: u32,
    pad_type_id: u32,
    pad_token: String,
    length: Option<usize>,
    pad_to_multiple_of: Option<usize>,
}

/// Ids, type ids, both masks as digits, flat offsets, words, sequences, number
/// of sequences, overflow.
#[derive(Deserialize, Debug, PartialEq)]
struct Dump(
    Vec<u32>,
    Vec<u32>,
    Vec<u32>,
    Vec<u32>,
    Vec<Option<u32>>,
    Vec<Option<usize>>,
    usize,
    Vec<Dump>,
);

#[derive(Deserialize)]
struct Lookups {
    char_to_token: [Vec<Option<usize>>; 2],
    char_to_word: [Vec<Option<u32>>; 2],
    word_to_tokens: [Vec<Option<(usize, usize)>>; 2],
    word_to_chars: [Vec<Option<Offsets>>; 2],
    token_to_chars: Vec<Option<Offsets>>,
    token_to_word: Vec<Option<u32>>,
    token_to_sequence: Vec<Option<usize>>,
}

fn recorded() -> Recorded {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/golden/pipeline.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn decoder(config: &Value) -> Decoder {
    if config.is_null() {
        return Decoder::join_by_spaces();
    }
    let definition: definition::Decoder = serde_json::from_value(config.clone()).unwrap();
    Decoder::compile(&definition, Source::Tokenizers).unwrap()
}

#[test]
fn decoders_give_the_recorded_texts() {
    let decoders = recorded().decoders;
    for case in &decoders.cases {
        let decoder = decoder(&case.config);
        for (tokens, expected) in decoders.tokens.iter().zip(&case.results) {
            let text = decoder.decode(tokens);
            assert_eq!(decoder.decode_chain(tokens.clone()).concat(), text);
            // The reference panics when it strips more than there is.
            if let Some(expected) = expected {
                assert_eq!(&text, expected, "{} of {tokens:?}", case.config);
            }
        }
    }
}

#[test]
fn decoded_bytes_are_the_text_where_nothing_is_invalid() {
    let decoders = recorded().decoders;
    for case in &decoders.cases {
        let decoder = decoder(&case.config);
        for tokens in &decoders.tokens {
            let bytes = decoder.decode_bytes(tokens);
            let text = decoder.decode(tokens);
            // Some configurations turn U+FFFD into something else.
            if case.config.to_string().contains('\u{FFFD}') {
                continue;
            }
            if std::str::from_utf8(&bytes).is_ok() {
                assert_eq!(bytes, text.as_bytes(), "{} of {tokens:?}", case.config);
            } else {
                assert!(text.contains('\u{FFFD}'), "{} of {tokens:?}", case.config);
            }
        }
    }
}

#[test]
fn decoded_bytes_are_those_of_the_pieces() {
    let llama = serde_json::json!({"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ]});
    let tokens = ["▁a", "<0xE5>", "<0x8F>", "▁▁b", "<0xFF>"];
    assert_eq!(decoder(&llama).decode_bytes(tokens), b"a\xE5\x8F  b\xFF");
    assert_eq!(
        decoder(&llama).decode(tokens),
        "a\u{FFFD}\u{FFFD}  b\u{FFFD}"
    );
    let byte_level = serde_json::json!({"type": "ByteLevel"});
    let tokens = ["Ġå", "ı", "Ġ中", "ÿ"];
    assert_eq!(
        decoder(&byte_level).decode_bytes(tokens),
        b" \xE5\x8F\xC4\xA0\xE4\xB8\xAD\xFF"
    );
}

fn random(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    usize::try_from(*seed >> 33).unwrap()
}

/// Random ids for every decoder: the steps join to the text of all ids, and no
/// text is ever taken back.
#[test]
fn streams_join_to_the_text_of_all_ids() {
    let decoders = recorded().decoders;
    let mut seed = 7;
    for case in &decoders.cases {
        let decoder = decoder(&case.config);
        for vocabulary in decoders.tokens.iter().filter(|tokens| !tokens.is_empty()) {
            let count = random(&mut seed) % 30;
            let ids: Vec<u32> = (0..count)
                .map(|_| offset(random(&mut seed) % (vocabulary.len() + 1)))
                .collect();
            // The id past the end is one that is left out.
            let token_of = |id: u32| vocabulary.get(index(id));
            let text = decoder.decode(ids.iter().filter_map(|id| token_of(*id)));
            let mut stream = DecodeStream::new(TokenSource::new(decoder.clone(), token_of));
            for _again in 0..2 {
                let mut streamed = String::new();
                for id in &ids {
                    streamed.extend(stream.step(*id));
                    assert!(text.starts_with(&streamed), "{} {ids:?}", case.config);
                }
                streamed.extend(stream.flush());
                assert_eq!(streamed, text, "{} {ids:?} {vocabulary:?}", case.config);
            }
        }
    }
}

/// How soon text comes: with its own token, or with the next one where that one
/// decides.
#[test]
fn streams_give_text_as_soon_as_it_is_settled() {
    let steps = |config: Value, tokens: &[&str]| -> Vec<String> {
        let token_of = |id: u32| tokens.get(index(id)).copied();
        let mut stream = DecodeStream::new(TokenSource::new(decoder(&config), token_of));
        let mut steps: Vec<String> = (0..tokens.len())
            .map(|id| stream.step(offset(id)).unwrap_or_default())
            .collect();
        steps.push(stream.flush().unwrap_or_default());
        steps
    };
    let llama = serde_json::json!({"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ]});
    assert_eq!(
        steps(llama, &["▁a", "▁b", "<0xE5>", "<0x8F>", "<0xAB>", "c"]),
        ["a", " b", "", "", "", "叫c", ""]
    );
    assert_eq!(
        steps(
            serde_json::json!({"type": "ByteLevel"}),
            &["Ġa", "å", "ı«", "ÿ", "å"]
        ),
        [" a", "", "叫", "\u{FFFD}", "", "\u{FFFD}"]
    );
    let word_piece = serde_json::json!({"type": "WordPiece", "prefix": "##", "cleanup": true});
    assert_eq!(
        steps(word_piece, &["a", "##b", ".", "c"]),
        ["a", "b", ".", " c", ""]
    );
    let bpe = serde_json::json!({"type": "BPEDecoder", "suffix": "</w>"});
    assert_eq!(steps(bpe, &["a", "b</w>", "c</w>"]), ["a", "", "b ", "c"]);
}

/// For each character boundary of a text its byte offset.
fn byte_boundaries(text: &str) -> Vec<u32> {
    let starts = text.char_indices().map(|(at, _)| at);
    starts.chain([text.len()]).map(offset).collect()
}

fn pairs(flat: &[u32]) -> Vec<Offsets> {
    flat.chunks(2).map(|pair| (pair[0], pair[1])).collect()
}

fn to_bytes(offsets: &[Offsets], text: &str) -> Vec<Offsets> {
    let boundaries = byte_boundaries(text);
    let byte = |character: u32| boundaries[index(character)];
    offsets
        .iter()
        .map(|(start, end)| (byte(*start), byte(*end)))
        .collect()
}

fn dump(encoding: &Encoding) -> Dump {
    Dump(
        encoding.ids().to_vec(),
        encoding.type_ids().to_vec(),
        encoding
            .attention_mask()
            .iter()
            .zip(encoding.special_tokens_mask())
            .map(|(attention, special)| attention * 10 + special)
            .collect(),
        encoding
            .offsets()
            .iter()
            .flat_map(|(start, end)| [*start, *end])
            .collect(),
        encoding.word_ids().to_vec(),
        encoding.sequence_ids(),
        encoding.n_sequences(),
        encoding.overflowing().iter().map(dump).collect(),
    )
}

fn side(direction: &str) -> Side {
    match direction {
        "left" => Side::Left,
        "right" => Side::Right,
        other => panic!("{other}"),
    }
}

impl Sequences {
    fn sequence(&self, setup: usize, text: usize, type_id: u32) -> Encoding {
        let (ids, offsets, word_ids) = &self.raw[setup][text];
        let offsets = pairs(offsets);
        let vocabulary = &self.vocabularies[setup];
        Encoding::from_parts(EncodingParts {
            ids: ids.clone(),
            tokens: ids
                .iter()
                .map(|id| vocabulary[index(*id)].clone())
                .collect(),
            byte_offsets: to_bytes(&offsets, &self.texts[text]),
            offsets,
            word_ids: word_ids.clone(),
            type_id,
        })
        .unwrap()
    }

    fn run(&self, case: &SequenceCase) -> Result<Encoding> {
        let config = &self.processors[case.processor];
        let processor = (!config.is_null()).then(|| {
            let definition: definition::PostProcessor =
                serde_json::from_value(config.clone()).unwrap();
            PostProcessor::compile(&definition).unwrap()
        });
        let mut first = self.sequence(case.setup, case.first, 0);
        let mut second = case.second.map(|text| self.sequence(case.setup, text, 1));
        if let Some(truncation) = &case.truncation {
            let added = processor
                .as_ref()
                .filter(|_| case.add_special)
                .map_or(0, |processor| processor.added_tokens(second.is_some()));
            let truncation = Truncation {
                max_length: truncation.max_length,
                stride: truncation.stride,
                strategy: match &*truncation.strategy {
                    "longest_first" => TruncationStrategy::LongestFirst,
                    "only_first" => TruncationStrategy::OnlyFirst,
                    "only_second" => TruncationStrategy::OnlySecond,
                    other => panic!("{other}"),
                },
                side: side(&truncation.direction),
            };
            (first, second) = truncate_sequences(first, second, &truncation, added)?;
        }
        let texts = [
            &*self.texts[case.first],
            case.second.map_or("", |text| &self.texts[text]),
        ];
        let mut batch = [match processor {
            Some(processor) => processor.process(first, second, texts, case.add_special)?,
            None => join_sequences(first, second),
        }];
        if let Some(padding) = &case.padding {
            let padding = Padding {
                length: padding
                    .length
                    .map_or(PaddingLength::Longest, PaddingLength::Fixed),
                side: side(&padding.direction),
                multiple_of: padding.pad_to_multiple_of,
                id: padding.pad_id,
                type_id: padding.pad_type_id,
                token: padding.pad_token.clone(),
            };
            pad_batch(&mut batch, &padding)?;
        }
        let [encoding] = batch;
        // A frame around the parts of a template calls all but the first part
        // the second sequence, as the reference does; the texts are lost then.
        let first_step = config.pointer("/processors/0/type");
        let second_step = config.pointer("/processors/1/type");
        if (first_step, second_step)
            != (
                Some(&Value::from("TemplateProcessing")),
                Some(&Value::from("BertProcessing")),
            )
        {
            self.check_bytes_and_tokens(case, &encoding, texts);
        }
        Ok(encoding)
    }

    /// Byte offsets are the character offsets in bytes, and tokens are those of
    /// the vocabulary, in the encoding and in all overflow.
    fn check_bytes_and_tokens(&self, case: &SequenceCase, encoding: &Encoding, texts: [&str; 2]) {
        for (at, id) in encoding.ids().iter().enumerate() {
            assert_eq!(
                encoding.tokens()[at],
                self.vocabularies[case.setup][index(*id)]
            );
            let is_special = encoding.special_tokens_mask()[at] == 1;
            let offsets = encoding.offsets()[at];
            // Without a post-processor nothing is said about the sequences of
            // overflow; a template that uses a text twice knows one use only.
            let which = if self.processors[case.processor].is_null() {
                Some(index(encoding.type_ids()[at]))
            } else {
                encoding.token_to_sequence(at)
            };
            let expected = match which {
                Some(which) if !is_special && which < 2 => to_bytes(&[offsets], texts[which])[0],
                _ => (0, 0),
            };
            if which.is_some() || is_special {
                assert_eq!(encoding.byte_offsets()[at], expected);
            }
        }
        for part in encoding.overflowing() {
            self.check_bytes_and_tokens(case, part, texts);
        }
    }
}

#[test]
fn sequences_become_the_recorded_encodings() {
    let sequences = recorded().sequences;
    for (number, case) in sequences.cases.iter().enumerate() {
        let context = || {
            format!(
                "case {number}: {} of {:?}",
                sequences.processors[case.processor],
                (case.first, case.second)
            )
        };
        match (sequences.run(case), &case.result) {
            (Ok(encoding), Some(expected)) => {
                assert_eq!(&dump(&encoding), expected, "{}", context());
                if let Some(lookups) = &case.lookups {
                    check_lookups(&encoding, lookups);
                }
            }
            (Err(_), None) => {}
            (Ok(_), None) => panic!("{} should be refused", context()),
            (Err(error), Some(_)) => panic!("{}: {error}", context()),
        }
    }
}

fn check_lookups(encoding: &Encoding, expected: &Lookups) {
    for sequence in 0..2 {
        for (at, token) in expected.char_to_token[sequence].iter().enumerate() {
            assert_eq!(encoding.char_to_token(at, sequence), *token);
        }
        for (at, word) in expected.char_to_word[sequence].iter().enumerate() {
            assert_eq!(encoding.char_to_word(at, sequence), *word);
        }
        for (word, tokens) in expected.word_to_tokens[sequence].iter().enumerate() {
            assert_eq!(encoding.word_to_tokens(offset(word), sequence), *tokens);
        }
        for (word, chars) in expected.word_to_chars[sequence].iter().enumerate() {
            assert_eq!(encoding.word_to_chars(offset(word), sequence), *chars);
        }
    }
    for (token, chars) in expected.token_to_chars.iter().enumerate() {
        assert_eq!(
            encoding.token_to_chars(token).map(|(_, chars)| chars),
            *chars
        );
    }
    for (token, word) in expected.token_to_word.iter().enumerate() {
        assert_eq!(encoding.token_to_word(token).map(|(_, word)| word), *word);
    }
    for (token, sequence) in expected.token_to_sequence.iter().enumerate() {
        assert_eq!(encoding.token_to_sequence(token), *sequence);
    }
}

#[test]
fn templates_that_cannot_work_are_refused_with_the_field() {
    let compile = |single: Value, pair: Value, tokens: Value| {
        let definition = serde_json::from_value(serde_json::json!({
            "type": "Sequence",
            "processors": [{
                "type": "TemplateProcessing",
                "single": single,
                "pair": pair,
                "special_tokens": tokens,
            }],
        }));
        PostProcessor::compile(&definition.unwrap())
    };
    let a = || serde_json::json!({"Sequence": {"id": "A", "type_id": 0}});
    let b = || serde_json::json!({"Sequence": {"id": "B", "type_id": 0}});
    let cls = || serde_json::json!({"SpecialToken": {"id": "[CLS]", "type_id": 0}});
    let none = || serde_json::json!({});
    let uneven = serde_json::json!({"[CLS]": {"id": "[CLS]", "ids": [1, 2], "tokens": ["[CLS]"]}});
    let at = "post_processor.processors[0]";
    for (single, pair, tokens, field) in [
        (
            vec![a(), cls()],
            vec![a(), b()],
            none(),
            "single[1].SpecialToken.id",
        ),
        (
            vec![a()],
            vec![cls(), a(), b()],
            none(),
            "pair[0].SpecialToken.id",
        ),
        (
            vec![a()],
            vec![cls(), a(), b()],
            uneven,
            "pair[0].SpecialToken.id",
        ),
        (
            vec![b()],
            vec![a(), b()],
            none(),
            "single: uses the sequence B",
        ),
    ] {
        let error = compile(single.into(), pair.into(), tokens)
            .unwrap_err()
            .to_string();
        assert!(error.contains(&format!("{at}.{field}")), "{error}");
    }
    // Without B in the pair template only pairs are refused.
    let lonely = compile(vec![a()].into(), vec![a()].into(), none()).unwrap();
    let empty = Encoding::default;
    assert!(lonely.process(empty(), None, ["", ""], true).is_ok());
    let error = lonely
        .process(empty(), Some(empty()), ["", ""], true)
        .unwrap_err();
    assert!(error.to_string().contains("post_processor.pair"), "{error}");
}
