//! Extending, against a trainer that goes on by hand, and the promises of its
//! result.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::*;
use crate::definition::{Pattern, PreTokenizer, RankTable, SplitBehavior};
use crate::format::tokenizer_json;
use crate::model::Random;
use crate::train::pieces::Shape;
use crate::train::{BpeConfig, Progress, WordCounter, WordSource, scheme, train_bpe};

type Word = (Vec<Vec<u8>>, u64);

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

const PLAIN: EncodeOptions = EncodeOptions {
    special: SpecialPolicy::Text,
    add_special_tokens: false,
    bos: false,
    eos: false,
};

fn text(random: &mut Random, alphabet: &[&str], length: usize) -> String {
    (0..length)
        .map(|_| alphabet[random.below(alphabet.len())])
        .collect()
}

const OLD: [&str; 7] = ["a", "b", "ab", " ", "中", "文", "é"];
const NEW: [&str; 9] = ["a", "b", " ", "中", "文", "字", "中文", "\u{20000}", "é"];

fn bpe(text: &str, pieces: u32, char_align: bool) -> Tokenizer {
    let source = WordSource {
        normalizer: None,
        pre_tokenizer: Some(scheme::pre_tokenizer("qwen", None).unwrap()),
        cap: None,
    };
    let mut counter = WordCounter::new(&source, 1, None).unwrap();
    counter.add(&[text]).unwrap();
    let config = BpeConfig {
        special_tokens: vec!["<s>".to_owned()],
        char_align,
        tau: 1,
        ..BpeConfig::new(257 + pieces)
    };
    let trained = train_bpe(&counter.finish().unwrap(), &config, &mut go_on);
    Tokenizer::compile(trained.unwrap().unwrap().definition).unwrap()
}

/// A rank vocabulary: the 256 bytes and strings that a stranger chose, some of
/// which no merge makes.
fn ranks(random: &mut Random, pieces: usize) -> Tokenizer {
    let mut table: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    while table.len() < 256 + pieces {
        let length = 2 + random.below(3);
        let piece = text(random, &OLD, length).into_bytes();
        if !table.contains(&piece) {
            table.push(piece);
        }
    }
    let mut definition = bpe("", 0, true).definition().clone();
    definition.source = Source::Tiktoken;
    definition.added_tokens[0].id = 1000;
    definition.model = Model::ByteRanks {
        ranks: RankTable(table.into_iter().zip(0..).collect()),
        max_span: None,
    };
    definition.pre_tokenizer = Some(PreTokenizer::Split {
        pattern: Pattern::Regex(r"\s?\S+|\s".to_owned()),
        behavior: SplitBehavior::Isolated,
        invert: false,
    });
    definition.decoder = None;
    Tokenizer::compile(definition).unwrap()
}

fn unigram(random: &mut Random, with_literal: bool) -> Tokenizer {
    let mut vocab: Vec<serde_json::Value> = Vec::new();
    for byte in 0..=u8::MAX {
        vocab.push(serde_json::json!([byte_alphabet::encode(&[byte]), -9.5]));
    }
    for piece in ["ab", " a", "中文", "中", "é", "文a"] {
        let score = -2.0 - f64::from(u32::try_from(random.below(4096)).unwrap()) / 1024.0;
        vocab.push(serde_json::json!([
            byte_alphabet::encode(piece.as_bytes()),
            score
        ]));
    }
    let id = vocab.len();
    let added: Vec<_> = with_literal
        .then(|| {
            serde_json::json!({"id": id, "content": "<s>", "single_word": false, "lstrip": false,
            "rstrip": false, "normalized": false, "special": true})
        })
        .into_iter()
        .collect();
    let file = serde_json::json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": added,
        "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
        "post_processor": null, "decoder": {"type": "ByteLevel"},
        "model": {"type": "Unigram", "unk_id": null, "vocab": vocab, "byte_fallback": false},
    });
    let definition = tokenizer_json::read(file.to_string().as_bytes()).unwrap();
    Tokenizer::compile(definition).unwrap()
}

fn run(tokenizer: &Arc<Tokenizer>, text: &str, config: &ExtendConfig) -> Result<Extended> {
    let mut counter = WordCounter::of_tokenizer(tokenizer.clone(), 2, None)?;
    counter.add(&[text])?;
    Ok(extend(tokenizer, &counter.finish()?, config, &mut go_on)?.unwrap())
}

/// Merge the pair of the lowest rank, the leftmost of equals, until there is none.
fn merge_by_rank(word: &mut Vec<Vec<u8>>, rank: impl Fn(&[u8], &[u8]) -> Option<usize>) {
    loop {
        let ranked = (1..word.len()).filter_map(|i| Some((rank(&word[i - 1], &word[i])?, i)));
        let Some((_, place)) = ranked.min() else {
            return;
        };
        let right = word.remove(place);
        word[place - 1].extend(right);
    }
}

/// The pair to be merged next: the most frequent, of equals that of the smallest bytes.
fn next_pair(
    words: &[Word],
    config: &ExtendConfig,
    is_known: impl Fn(&[u8]) -> bool,
) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut counts: BTreeMap<(&[u8], &[u8]), u64> = BTreeMap::new();
    for (word, count) in words {
        for pair in word.windows(2) {
            *counts.entry((&pair[0], &pair[1])).or_default() += count;
        }
    }
    let most = usize::try_from(config.max_token_bytes).unwrap();
    let allowed = counts.into_iter().filter(|&((left, right), count)| {
        let joined = [left, right].concat();
        let is_aligned = !config.char_align || Shape::of(&joined) != Shape::Mixed;
        count >= config.min_frequency && joined.len() <= most && is_aligned && !is_known(&joined)
    });
    let best = allowed.min_by_key(|&(pair, count)| (std::cmp::Reverse(count), pair))?;
    Some((best.0.0.to_vec(), best.0.1.to_vec()))
}

fn bytes_of(word: &[u8]) -> Vec<Vec<u8>> {
    word.iter().map(|&byte| vec![byte]).collect()
}

fn words_of(tokenizer: &Tokenizer, text: &str) -> BTreeMap<Vec<u8>, u64> {
    let mut words = BTreeMap::new();
    let mut add = |word: &[u8]| {
        *words.entry(word.to_vec()).or_default() += 1;
        Ok(())
    };
    tokenizer.for_each_word(text, &mut add).unwrap();
    words
}

#[test]
fn merges_go_on_as_a_naive_trainer_would() {
    let mut random = Random::new(11);
    for round in 0..30 {
        let tokenizer = Arc::new(bpe(&text(&mut random, &OLD, 300), 12, round % 3 > 0));
        let new = text(&mut random, &NEW, 400);
        let config = ExtendConfig {
            char_align: round % 2 == 0,
            max_token_bytes: 9,
            ..ExtendConfig::new(25)
        };
        let extended = run(&tokenizer, &new, &config).unwrap();

        let decode = |piece: &str| byte_alphabet::decode(piece).unwrap();
        let Model::BPE { merges, vocab, .. } = &tokenizer.definition().model else {
            panic!("not BPE");
        };
        let mut known: Vec<Vec<u8>> = vocab.iter().map(|(piece, _)| decode(piece)).collect();
        let mut list: Vec<(Vec<u8>, Vec<u8>)> =
            merges.iter().map(|(l, r)| (decode(l), decode(r))).collect();
        let begun = list.len();
        for _ in 0..25 {
            let rank = |left: &[u8], right: &[u8]| {
                list.iter()
                    .position(|merge| (&*merge.0, &*merge.1) == (left, right))
            };
            let segment = |(word, count): (Vec<u8>, u64)| {
                let mut pieces = bytes_of(&word);
                merge_by_rank(&mut pieces, rank);
                (pieces, count)
            };
            let words: Vec<Word> = words_of(&tokenizer, &new)
                .into_iter()
                .map(segment)
                .collect();
            let is_known = |bytes: &[u8]| known.iter().any(|piece| piece == bytes);
            let pair = next_pair(&words, &config, is_known).unwrap();
            known.push([&*pair.0, &*pair.1].concat());
            list.push(pair);
        }
        let Model::BPE { merges, .. } = &extended.tokenizer.definition().model else {
            panic!("not BPE");
        };
        let made: Vec<_> = merges
            .iter()
            .skip(begun)
            .map(|(l, r)| (decode(l), decode(r)))
            .collect();
        assert_eq!(made, list[begun..], "round {round}");
        check_promises(&tokenizer, &extended, &mut random);
    }
}

#[test]
fn ranks_go_on_as_a_naive_trainer_would() {
    let mut random = Random::new(12);
    for round in 0..60 {
        let tokenizer = Arc::new(ranks(&mut random, 15));
        // Few different characters: pairs often spell what there is, and overlap.
        let alphabet = if round % 3 == 0 { &NEW[..3] } else { &NEW };
        let new = text(&mut random, alphabet, 400);
        let config = ExtendConfig {
            char_align: round % 2 == 0,
            max_token_bytes: 9,
            min_frequency: 1,
            ..ExtendConfig::new(20)
        };
        let extended = run(&tokenizer, &new, &config).unwrap();
        assert_eq!(extended.first_id, 1001);

        let Model::ByteRanks { ranks, .. } = &tokenizer.definition().model else {
            panic!("no ranks");
        };
        let mut table: Vec<Vec<u8>> = ranks.0.iter().map(|(piece, _)| piece.clone()).collect();
        for number in 0..20 {
            if round % 3 == 0 {
                break; // counts of overlapping places are not those of the engine
            }
            let rank = |bytes: &[u8]| table.iter().position(|piece| piece == bytes);
            let segment = |(word, count): (Vec<u8>, u64)| {
                if rank(&word).is_some() {
                    return (vec![word], count);
                }
                let mut pieces = bytes_of(&word);
                merge_by_rank(&mut pieces, |left, right| rank(&[left, right].concat()));
                (pieces, count)
            };
            let words: Vec<Word> = words_of(&tokenizer, &new)
                .into_iter()
                .map(segment)
                .collect();
            let pair = next_pair(&words, &config, |bytes| rank(bytes).is_some()).unwrap();
            table.push([&*pair.0, &*pair.1].concat());
            assert_eq!(
                *extended.pieces[number],
                table[256 + 15 + number],
                "round {round}"
            );
        }
        check_promises(&tokenizer, &extended, &mut random);
    }
}

#[test]
fn unigram_pieces_are_used_and_change_nothing_else() {
    let mut random = Random::new(13);
    for round in 0..30 {
        let tokenizer = Arc::new(unigram(&mut random, round % 2 == 0));
        let new = text(&mut random, &NEW, 400);
        let config = ExtendConfig {
            max_token_bytes: 12,
            ..ExtendConfig::new(20)
        };
        let extended = run(&tokenizer, &new, &config).unwrap();
        let Model::Unigram { vocab, .. } = &extended.tokenizer.definition().model else {
            panic!("not Unigram");
        };
        let is_unit = |score: f64| (score * 1024.0).fract() == 0.0 && score < 0.0;
        assert!(vocab.iter().all(|&(_, score)| is_unit(score)));
        assert!(
            extended
                .pieces
                .iter()
                .all(|piece| Shape::of(piece) != Shape::Mixed)
        );
        let count = |tokenizer: &Tokenizer| tokenizer.count(&new, &PLAIN).unwrap();
        assert!(count(&extended.tokenizer) < count(&tokenizer));
        check_promises(&tokenizer, &extended, &mut random);
    }
}

/// Old ids stay; a piece is what its own bytes are encoded to; a text without a new
/// piece is encoded as before.
fn check_promises(before: &Tokenizer, extended: &Extended, random: &mut Random) {
    let after = &extended.tokenizer;
    for (piece, id) in before.vocab() {
        assert_eq!(after.token_to_id(&piece), Some(id), "{piece:?}");
        assert_eq!(after.id_to_token(id), Some(piece));
    }
    assert_eq!(before.control_tokens(), after.control_tokens());
    for (piece, id) in extended.pieces.iter().zip(extended.first_id..) {
        assert_eq!(after.token_bytes(id).as_deref(), Some(&**piece));
        let mut symbols = Vec::new();
        let mut add = |bytes: &[u8], _| symbols.push(bytes.to_vec());
        after.for_each_symbol(piece, &mut add).unwrap();
        assert_eq!(symbols, [piece.to_vec()]);
    }
    for _ in 0..100 {
        let length = random.below(30);
        let sample = text(random, &NEW, length);
        let (old, new) = (
            before.encode_ids(&sample, &PLAIN).unwrap(),
            after.encode_ids(&sample, &PLAIN).unwrap(),
        );
        let uses_new = new.iter().any(|&id| id >= extended.first_id);
        // In a rank vocabulary a new piece may be a step to an old one.
        let is_ranks = matches!(after.definition().model, Model::ByteRanks { .. });
        assert!(old != new || !uses_new, "{sample:?}");
        assert!(old == new || uses_new || is_ranks, "{sample:?}");
        let holds_new = |piece: &[u8]| sample.as_bytes().windows(piece.len()).any(|w| w == piece);
        assert!(old == new || extended.pieces.iter().any(|piece| holds_new(piece)));
        assert_eq!(after.decode(&new, false).unwrap(), sample);
    }
}

#[test]
fn special_tokens_are_never_part_of_a_piece() {
    let tokenizer = Arc::new(bpe("", 0, true));
    let text = "x<s>y ".repeat(50);
    let most = run(&tokenizer, &text, &ExtendConfig::new(1000)).unwrap_err();
    let message = most.to_string();
    let found: u32 = message
        .split_whitespace()
        .find_map(|word| word.parse().ok())
        .unwrap();
    let extended = run(&tokenizer, &text, &ExtendConfig::new(found)).unwrap();
    assert!(found >= 3, "{message}");
    for piece in extended.pieces {
        assert!(
            !piece.windows(3).any(|window| window == b"<s>"),
            "{piece:?}"
        );
    }
}

#[test]
fn only_what_the_expression_matches_is_added() {
    let tokenizer = Arc::new(bpe("", 0, true));
    let text = "中文字中文 abc abc 中文字 ".repeat(9);
    let config = ExtendConfig {
        only: Some(r"\p{Han}+".to_owned()),
        ..ExtendConfig::new(8)
    };
    let extended = run(&tokenizer, &text, &config).unwrap();
    let is_han = |c: char| ('\u{4E00}'..'\u{A000}').contains(&c);
    for piece in &extended.pieces {
        match std::str::from_utf8(piece) {
            Ok(text) => assert!(text.chars().all(is_han), "{text}"),
            Err(_) => assert_eq!(Shape::of(piece), Shape::Head),
        }
    }
    assert!(extended.pieces.contains(&"中文".as_bytes().into()));
    let broken = ExtendConfig {
        only: Some("(".to_owned()),
        ..config
    };
    let error = run(&tokenizer, &text, &broken).unwrap_err().to_string();
    assert!(error.starts_with("only: "), "{error}");
}

#[test]
fn characters_without_a_piece_come_first_over_characters() {
    let file = r#"{"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": "▁"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
        "pre_tokenizer": null, "post_processor": null, "decoder": null,
        "model": {"type": "BPE", "unk_token": "<unk>", "fuse_unk": true, "byte_fallback": false,
            "vocab": {"<unk>": 0, "▁": 1, "a": 2, "b": 3, "ab": 4, "▁ab": 5},
            "merges": [["a", "b"], ["▁", "ab"]]}}"#;
    let definition = tokenizer_json::read(file.as_bytes()).unwrap();
    let tokenizer = Arc::new(Tokenizer::compile(definition).unwrap());
    let text = "ab 中文字 中文 文ab 中文ab";
    let extended = run(&tokenizer, text, &ExtendConfig::new(4)).unwrap();
    let pieces: Vec<_> = extended
        .pieces
        .iter()
        .map(|p| std::str::from_utf8(p).unwrap())
        .collect();
    assert_eq!(pieces, ["文", "中", "▁中", "▁中文"]);
    let ids = extended
        .tokenizer
        .encode_ids("ab 中文字ab", &PLAIN)
        .unwrap();
    assert_eq!(ids, [5, 9, 0, 4]);
}

#[test]
fn what_cannot_be_extended_is_named() {
    let tokenizer = Arc::new(bpe("", 0, true));
    let error =
        |text: &str, config: ExtendConfig| run(&tokenizer, text, &config).unwrap_err().to_string();
    assert!(error("", ExtendConfig::new(1)).starts_with("inputs: "));
    assert!(error("ab", ExtendConfig::new(0)).starts_with("add: 0"));
    assert!(error("ab ab", ExtendConfig::new(9)).contains(" 1 pieces"));
    assert!(error("ab", ExtendConfig::new(u32::MAX)).contains("2^31"));
    let file = r#"{"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": null, "pre_tokenizer": null, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}}"#;
    let words = Tokenizer::compile(tokenizer_json::read(file.as_bytes()).unwrap()).unwrap();
    let error = run(&Arc::new(words), "ab", &ExtendConfig::new(1)).unwrap_err();
    assert!(error.to_string().contains("WordLevel"), "{error}");
}
