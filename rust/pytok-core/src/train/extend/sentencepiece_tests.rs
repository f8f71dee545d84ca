//! Extending SentencePiece models, against a trainer that goes on by hand.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use prost::encoding::encode_varint;

use super::*;
use crate::format::sentencepiece_model;
use crate::model::Random;
use crate::sentencepiece::{PieceKind, PieceRules};
use crate::train::{Progress, WordCounter};

const PLAIN: EncodeOptions = EncodeOptions {
    special: SpecialPolicy::Text,
    add_special_tokens: false,
    bos: false,
    eos: false,
};

const ALPHABET: [&str; 10] = ["a", "b", "c", " ", "中", "文", "字", "é", "1", "\u{20000}"];

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn message(field: u64, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_varint(field << 3 | 2, &mut bytes);
    encode_varint(u64::try_from(content.len()).unwrap(), &mut bytes);
    [&bytes, content].concat()
}

fn numbers(fields: &[(u64, u64)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for &(field, value) in fields {
        encode_varint(field << 3, &mut bytes);
        encode_varint(value, &mut bytes);
    }
    bytes
}

fn piece(text: &str, score: f32, kind: u64) -> Vec<u8> {
    let content = [
        message(1, text.as_bytes()),
        vec![2 << 3 | 5],
        score.to_le_bytes().to_vec(),
        numbers(&[(3, kind)]),
    ];
    message(1, &content.concat())
}

/// Normal, user-defined and unused, by number.
const NORMAL: u64 = 1;
const USER_DEFINED: u64 = 4;
const UNUSED: u64 = 5;

/// A model with an unknown piece, perhaps the bytes, and these pieces.
fn file(model_type: u64, with_bytes: bool, pieces: &[(String, f32, u64)]) -> Vec<u8> {
    let mut file = [piece("<unk>", 0.0, 2), piece("</s>", 0.0, 3)].concat();
    if with_bytes {
        let bytes = (0..=u8::MAX).map(|byte| piece(&format!("<0x{byte:02X}>"), 0.0, 6));
        file.extend(bytes.flatten());
    }
    let pieces = pieces.iter();
    file.extend(pieces.flat_map(|(text, score, kind)| piece(text, *score, *kind)));
    let spec = numbers(&[(3, model_type), (4, 1), (35, with_bytes.into())]);
    // Neither a prefix nor spaces less: normalised texts are texts with marks.
    let normalizer = numbers(&[(3, 0), (4, 0)]);
    [file, message(2, &spec), message(3, &normalizer)].concat()
}

fn load(file: &[u8]) -> Arc<Tokenizer> {
    Arc::new(Tokenizer::compile(sentencepiece_model::read(file).unwrap()).unwrap())
}

fn text(random: &mut Random, alphabet: &[&str], length: usize) -> String {
    (0..length)
        .map(|_| alphabet[random.below(alphabet.len())])
        .collect()
}

/// Some characters, and strings that a stranger chose, some of which no merge makes.
fn pieces(random: &mut Random, strings: usize) -> Vec<(String, f32, u64)> {
    let mut texts: BTreeSet<String> = ["▁", "a", "b", "中", "1"].map(str::to_owned).into();
    while texts.len() < 5 + strings {
        let length = 2 + random.below(2);
        texts.insert(text(random, &["a", "b", "c", "中", "文", "▁"], length));
    }
    let mut scores: Vec<f32> = (0..u8::try_from(texts.len()).unwrap())
        .map(|place| -f32::from(place))
        .collect();
    let mut score = || scores.swap_remove(random.below(scores.len()));
    let scored: Vec<_> = texts.into_iter().map(|text| (text, score())).collect();
    let kind = |text: &str| match text {
        "1" => USER_DEFINED,
        _ if text.chars().count() > 1 && random.below(5) == 0 => UNUSED,
        _ => NORMAL,
    };
    let mut kind = kind;
    scored
        .into_iter()
        .map(|(text, score)| {
            let kind = kind(&text);
            (text, score, kind)
        })
        .collect()
}

fn run(tokenizer: &Arc<Tokenizer>, text: &str, config: &ExtendConfig) -> Result<Extended> {
    let mut counter = WordCounter::of_tokenizer(tokenizer.clone(), 2, None)?;
    counter.add(&[text])?;
    Ok(extend(tokenizer, &counter.finish()?, config, &mut go_on)?.unwrap())
}

type Scored = BTreeMap<String, f32>;

/// The library's rule by hand: of all neighbours that spell a piece, the best first.
fn merge(word: &str, pieces: &Scored) -> Vec<String> {
    let mut symbols: Vec<String> = word.chars().map(String::from).collect();
    loop {
        let joined = (1..symbols.len()).filter_map(|place| {
            let score = pieces.get(&[&*symbols[place - 1], &*symbols[place]].concat())?;
            Some((*score, Reverse(place)))
        });
        let best = joined.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let Some((_, Reverse(place))) = best else {
            return symbols;
        };
        let right = symbols.remove(place);
        symbols[place - 1].push_str(&right);
    }
}

fn words_of(tokenizer: &Tokenizer, text: &str) -> BTreeMap<String, u64> {
    let mut words = BTreeMap::new();
    let mut add = |word: &[u8]| {
        let word = String::from_utf8(word.to_vec()).unwrap();
        *words.entry(word).or_default() += 1;
        Ok(())
    };
    tokenizer.for_each_word(text, &mut add).unwrap();
    words
}

/// The next piece: a character without a piece, or the most frequent pair.
fn next_piece(
    words: &BTreeMap<String, u64>,
    pieces: &Scored,
    with_bytes: bool,
    rules: &PieceRules,
) -> Option<String> {
    let (mut characters, mut pairs) = (BTreeMap::new(), BTreeMap::new());
    for (word, count) in words {
        let symbols = merge(word, pieces);
        for symbol in &symbols {
            if !pieces.contains_key(symbol) {
                *characters.entry(symbol.clone()).or_insert(0_u64) += count;
            }
        }
        for pair in symbols.windows(2) {
            *pairs.entry(pair.to_vec()).or_insert(0_u64) += count;
        }
    }
    let saved = |text: &str| match with_bytes {
        true => u64::try_from(text.len() - 1).unwrap().max(1),
        false => 1,
    };
    // Of a character that only ever is a word of one byte nothing could be made.
    let is_in_word = |text: &str| {
        words
            .keys()
            .any(|word| word.len() > 1 && word.contains(text))
    };
    let of_characters = characters
        .into_iter()
        .filter(|(text, count)| *count >= 2 && is_in_word(text))
        .map(|(text, count)| (count * saved(&text), Reverse(text)));
    let allowed = pairs.into_iter().filter(|(pair, count)| {
        let text = pair.concat();
        *count >= 2 && !pieces.contains_key(&text) && rules.allows(&text)
    });
    let of_pairs = allowed.map(|(pair, count)| (count, Reverse(pair)));
    match (of_characters.max(), of_pairs.max()) {
        (Some((saved, Reverse(text))), pair) if pair.as_ref().is_none_or(|p| saved >= p.0) => {
            Some(text)
        }
        (_, pair) => pair.map(|(_, Reverse(pair))| pair.concat()),
    }
}

#[test]
fn merges_go_on_as_a_naive_trainer_would() {
    let mut random = Random::new(21);
    for round in 0..60 {
        let with_bytes = round % 2 == 0;
        let tokenizer = load(&file(2, with_bytes, &pieces(&mut random, 12)));
        let model = tokenizer.sentencepiece().unwrap();
        let is_small = round % 3 == 0;
        let new = text(
            &mut random,
            if is_small { &ALPHABET[..3] } else { &ALPHABET },
            500,
        );
        let add = 12;
        let extended = run(&tokenizer, &new, &ExtendConfig::new(add)).unwrap();
        check_promises(&tokenizer, &extended, &mut random);
        if is_small {
            continue; // counts of overlapping places are not those of the engine
        }
        let of_engine = |(text, kind, score): (&str, PieceKind, f32)| {
            (kind != PieceKind::UserDefined).then(|| (text.to_owned(), score))
        };
        let mut known: Scored = model.textual_pieces().filter_map(of_engine).collect();
        let words = words_of(&tokenizer, &new);
        for (number, found) in extended.pieces.iter().enumerate() {
            let expected = next_piece(&words, &known, with_bytes, model.piece_rules()).unwrap();
            let found = String::from_utf8(found.to_vec()).unwrap();
            assert_eq!(found, expected.replace('▁', " "), "round {round}, {number}");
            let id = extended.first_id + u32::try_from(number).unwrap();
            let score = extended.tokenizer.sentencepiece().unwrap().score(id);
            known.insert(expected, score.unwrap());
        }
    }
}

#[test]
fn what_the_engine_would_not_make_is_left_out() {
    // In this text the run comes to "aaaabbbbbbabbbbb" from places where merges
    // overlap; the engine makes other pieces of it.
    let old = ["c", "bbb", "a", "b", "bab", "baa", "abb", "baba"];
    let old: Vec<_> = (0_u8..).zip(old).collect();
    let old: Vec<_> = old
        .into_iter()
        .map(|(place, text)| (text.to_owned(), -f32::from(place), NORMAL))
        .collect();
    let tokenizer = load(&file(2, false, &old));
    let config = ExtendConfig {
        min_frequency: 1,
        ..ExtendConfig::new(7)
    };
    let extended = run(&tokenizer, "bbbbbabaabbaaaabbbbbbabbbbbaaa", &config).unwrap();
    let found: Vec<_> = extended
        .pieces
        .iter()
        .map(|piece| String::from_utf8_lossy(piece))
        .collect();
    let expected = ["bb", "aa", "aabb", "ab", "aaa", "aaaabb", "abaabb"];
    assert_eq!(found, expected);
    check_promises(&tokenizer, &extended, &mut Random::new(3));
}

#[test]
fn unigram_pieces_are_used_and_change_nothing_else() {
    let mut random = Random::new(22);
    for round in 0..40 {
        let mut old = pieces(&mut random, 10);
        for (_, score, _) in &mut old {
            *score -= 2.1; // no multiple of anything
        }
        let tokenizer = load(&file(1, round % 2 == 0, &old));
        let new = text(&mut random, &ALPHABET, 400);
        let extended = run(&tokenizer, &new, &ExtendConfig::new(15)).unwrap();
        check_promises(&tokenizer, &extended, &mut random);
        let count = |tokenizer: &Tokenizer| tokenizer.count(&new, &PLAIN).unwrap();
        assert!(round % 2 == 1 || count(&extended.tokenizer) < count(&tokenizer));
        let scores = |tokenizer: &Tokenizer| -> Vec<f32> {
            let model = tokenizer.sentencepiece().unwrap();
            let pieces = model.textual_pieces();
            pieces
                .filter(|&(_, kind, _)| kind == PieceKind::Normal)
                .map(|(.., score)| score)
                .collect()
        };
        // Unknown characters are rated below the least score.
        let least = |tokenizer| scores(tokenizer).into_iter().fold(0.0, f32::min);
        assert_eq!(least(&extended.tokenizer), least(&tokenizer));
    }
}

/// Old ids and kinds stay; a piece is what its own text is cut into; a text without a
/// new piece is encoded as before; the file says all of it.
fn check_promises(before: &Arc<Tokenizer>, extended: &Extended, random: &mut Random) {
    let after = &extended.tokenizer;
    let (old, new) = (
        before.sentencepiece().unwrap(),
        after.sentencepiece().unwrap(),
    );
    assert_eq!(usize::try_from(extended.first_id).unwrap(), old.len());
    assert_eq!(new.len(), old.len() + extended.pieces.len());
    for (id, text) in old.pieces() {
        assert_eq!(new.piece(id), Some(text));
        assert_eq!((new.kind(id), new.score(id)), (old.kind(id), old.score(id)));
    }
    for (piece, id) in extended.pieces.iter().zip(extended.first_id..) {
        assert_eq!(after.token_bytes(id).as_deref(), Some(&**piece));
        let spelled = new.piece(id).unwrap();
        assert!(old.piece_rules().allows(spelled), "{spelled}");
        let mut symbols = Vec::new();
        let mut add = |bytes: &[u8], is_piece| symbols.push((bytes.to_vec(), is_piece));
        after.for_each_symbol(spelled.as_bytes(), &mut add).unwrap();
        assert_eq!(symbols, [(spelled.as_bytes().to_vec(), true)]);
    }
    for _ in 0..100 {
        let length = random.below(30);
        let sample = text(random, &ALPHABET, length);
        let ids = |tokenizer: &Tokenizer| tokenizer.encode_ids(&sample, &PLAIN).unwrap();
        let (before, ids) = (ids(before), ids(after));
        let holds_new = |piece: &[u8]| sample.as_bytes().windows(piece.len()).any(|w| w == piece);
        assert!(before == ids || extended.pieces.iter().any(|piece| holds_new(piece)));
        assert!(before != ids || ids.iter().all(|&id| id < extended.first_id));
    }
    let Model::SentencePiece { proto } = &after.definition().model else {
        panic!("another model");
    };
    assert_eq!(load(&proto.0).definition(), after.definition());
}

#[test]
fn user_symbols_and_reserved_pieces_are_in_no_new_piece() {
    let mut old = pieces(&mut Random::new(1), 0);
    old.push(("bca".to_owned(), 0.0, USER_DEFINED));
    for model_type in [1, 2] {
        let tokenizer = load(&file(model_type, false, &old));
        let new = "abcab </s>a abcabc\n".repeat(9);
        let error = run(&tokenizer, &new, &ExtendConfig::new(1000)).unwrap_err();
        let message = error.to_string();
        let found = message
            .split_whitespace()
            .find_map(|word| word.parse().ok());
        let extended = run(&tokenizer, &new, &ExtendConfig::new(found.unwrap())).unwrap();
        assert!(extended.pieces.len() >= 3, "{message}");
        for piece in extended.pieces {
            let text = String::from_utf8(piece.to_vec()).unwrap();
            assert!(!text.contains("bca") && !text.contains("</s>"), "{text}");
            assert!(!text.contains('\n') && !text.contains("ab "), "{text}");
        }
    }
}

#[test]
fn only_sees_a_space_as_a_space() {
    let tokenizer = load(&file(2, false, &pieces(&mut Random::new(1), 0)));
    let config = ExtendConfig {
        only: Some(r" ?\p{Han}+".to_owned()),
        ..ExtendConfig::new(4)
    };
    let text = "ab 文字 ab文字ab 文字 ab ab";
    let extended = run(&tokenizer, text, &config).unwrap();
    let found: Vec<_> = extended
        .pieces
        .iter()
        .map(|piece| String::from_utf8_lossy(piece))
        .collect();
    // A character comes before the pairs that it stands in.
    assert_eq!(found, ["字", "文", "文字", " 文字"]);
}

#[test]
fn what_cannot_be_extended_is_named() {
    let old = pieces(&mut Random::new(1), 3);
    let refusal = |tokenizer: &Arc<Tokenizer>| {
        let error = run(tokenizer, "ab ab ab", &ExtendConfig::new(1)).unwrap_err();
        error.to_string()
    };
    for (model_type, kind) in [(3, "word"), (4, "character")] {
        let message = refusal(&load(&file(model_type, false, &old)));
        assert!(
            message.contains(&format!("SentencePiece {kind} model")),
            "{message}"
        );
    }
    let tokenizer = load(&file(2, false, &old));
    let token = |content: &str| {
        let added = tokenizer.added_tokens().into_iter();
        let token = crate::definition::AddedToken {
            id: 0,
            content: content.to_owned(),
            single_word: false,
            lstrip: false,
            rstrip: false,
            normalized: false,
            special: false,
        };
        let with = tokenizer.with_added_tokens(added.chain([token]).collect());
        Arc::new(with.unwrap())
    };
    assert!(refusal(&token("<x>")).contains("\"<x>\" has id 10"));
    // A token that is a piece keeps its id.
    let extended = run(&token("a"), "文文文", &ExtendConfig::new(1)).unwrap();
    assert_eq!(extended.tokenizer.added_tokens().len(), 1);
    let mut low = old;
    low[3].1 = f32::MIN;
    assert!(refusal(&load(&file(2, false, &low))).contains("worst score"));
    low[3].1 = f32::NAN;
    assert!(refusal(&load(&file(2, false, &low))).contains("not a number"));
}
