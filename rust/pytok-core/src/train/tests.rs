//! BPE training against a naive trainer, and properties of its results.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use super::word_counts::Stored;
use super::{BpeConfig, Tie, Trained, WordCounts, WordSource, WordTable, scheme, train_bpe};
use crate::definition::Model;
use crate::model::Random;
use crate::pretokenize::byte_alphabet;

type Words = BTreeMap<Vec<u8>, u64>;
type Merge = (Vec<u8>, Vec<u8>);

fn counts_of(words: &Words) -> WordCounts {
    let mut counts = WordCounts::new(WordSource {
        normalizer: None,
        pre_tokenizer: Some(scheme::pre_tokenizer("qwen", None).unwrap()),
        cap: None,
    });
    let mut table = WordTable::default();
    for (word, &count) in words {
        table.add(word, count);
    }
    counts.words = Stored::Table(table);
    counts
}

fn train(words: &Words, config: &BpeConfig) -> crate::Result<Trained> {
    let trained = train_bpe(
        &counts_of(words),
        config,
        &mut |_| ControlFlow::Continue(()),
    )?;
    Ok(trained.expect("nobody said stop"))
}

/// Pieces as bytes in the order of their ids, special tokens left out, and merges.
fn parts(trained: &Trained) -> (Vec<Vec<u8>>, Vec<Merge>) {
    let Model::BPE { vocab, merges, .. } = &trained.definition.model else {
        panic!("not BPE");
    };
    let specials = trained.definition.added_tokens.len();
    let bytes = |piece: &str| byte_alphabet::decode(piece).unwrap();
    let pieces = vocab.iter().skip(specials).map(|(p, _)| bytes(p)).collect();
    let merges = merges.iter().map(|(l, r)| (bytes(l), bytes(r))).collect();
    (pieces, merges)
}

/// Whether bytes are whole characters, or a proper part of one.
fn is_aligned(bytes: &[u8]) -> bool {
    if std::str::from_utf8(bytes).is_ok() {
        return true;
    }
    let heads = bytes.iter().filter(|&&b| b >= 0xC0).count();
    let ascii = bytes.iter().any(|b| b.is_ascii());
    let begins = bytes[0] >= 0xC0;
    !ascii && bytes.len() < 4 && (heads == 0 || (heads == 1 && begins))
}

/// The granularity options, as their documentation says them.
fn is_allowed(piece: &[u8], count: u64, config: &BpeConfig) -> bool {
    let chars = std::str::from_utf8(piece).map_or(0, |text| text.chars().count());
    let (chars, bytes) = (
        u32::try_from(chars).unwrap(),
        u32::try_from(piece.len()).unwrap(),
    );
    let in_span = || {
        config
            .span_bytes
            .as_ref()
            .is_none_or(|span| span.contains(&bytes))
    };
    bytes <= config.max_token_bytes.unwrap_or(u32::MAX)
        && (!config.char_align || is_aligned(piece))
        && (chars < config.min_chars
            || (count >= config.tau_w.unwrap_or(0)
                && chars <= config.max_chars.unwrap_or(u32::MAX)
                && in_span()))
}

/// Counts every pair anew for every merge, and looks at nothing else.
fn naive(words: &Words, config: &BpeConfig) -> Vec<Merge> {
    let mut split: Vec<(Vec<Vec<u8>>, u64)> = words
        .iter()
        .map(|(word, &count)| (word.iter().map(|&b| vec![b]).collect(), count))
        .collect();
    let mut pieces: Vec<Vec<u8>> = (0..=255).map(|b| vec![b]).collect();
    let mut merges: Vec<Merge> = Vec::new();
    let size = usize::try_from(config.vocab_size).unwrap() - config.special_tokens.len();
    while pieces.len() < size {
        let mut pairs: HashMap<(&[u8], &[u8]), u64> = HashMap::new();
        for (symbols, count) in &split {
            for pair in symbols.windows(2) {
                *pairs.entry((&pair[0], &pair[1])).or_default() += count;
            }
        }
        pairs.retain(|(left, right), count| {
            *count >= config.min_frequency && is_allowed(&[*left, *right].concat(), *count, config)
        });
        let best = pairs
            .iter()
            .max_by_key(|&(pair, count)| (count, std::cmp::Reverse(pair)));
        let Some((&(left, right), _)) = best else {
            break;
        };
        let (left, right) = (left.to_vec(), right.to_vec());
        let joined = [left.clone(), right.clone()].concat();
        for (symbols, _) in &mut split {
            let mut place = 0;
            while place + 1 < symbols.len() {
                if symbols[place] == left && symbols[place + 1] == right {
                    symbols[place].clone_from(&joined);
                    symbols.remove(place + 1);
                }
                place += 1;
            }
        }
        if !pieces.contains(&joined) {
            pieces.push(joined);
        }
        if !merges.contains(&(left.clone(), right.clone())) {
            merges.push((left, right));
        }
    }
    merges
}

/// Words of a few characters of different lengths, so that pairs repeat,
/// overlap and tie.
fn random_words(random: &mut Random) -> Words {
    const ALPHABETS: [&str; 4] = ["ab", "abc学而", "é学習😀a", "aa学学b"];
    let alphabet: Vec<char> = ALPHABETS[random.below(4)].chars().collect();
    let mut words = Words::new();
    for _ in 0..3 + random.below(25) {
        let length = 1 + random.below(12);
        let word: String = (0..length)
            .map(|_| alphabet[random.below(alphabet.len())])
            .collect();
        let count = 1 + u64::try_from(random.below(6)).unwrap();
        *words.entry(word.into_bytes()).or_default() += count;
    }
    words
}

fn random_config(random: &mut Random) -> BpeConfig {
    let mut config = BpeConfig::new(260 + u32::try_from(random.below(30)).unwrap());
    let number = |random: &mut Random, most: usize| u32::try_from(1 + random.below(most)).unwrap();
    config.tau = 1;
    config.min_frequency = number(random, 3).into();
    config.char_align = random.below(3) > 0;
    if random.below(2) == 0 {
        config.max_token_bytes = Some(3 + number(random, 8));
    }
    if config.char_align && random.below(2) == 0 {
        config.tau_w = Some(number(random, 12).into());
        config.min_chars = number(random, 3);
        if random.below(2) == 0 {
            config.max_chars = Some(number(random, 4));
        }
        if random.below(2) == 0 {
            let least = number(random, 4);
            config.span_bytes = Some(least..=least + 3);
        }
    }
    config
}

#[test]
fn merges_are_those_of_a_naive_trainer() {
    let mut random = Random::new(2026);
    let mut full = 0;
    for round in 0..3000 {
        let words = random_words(&mut random);
        let mut config = random_config(&mut random);
        let expected = naive(&words, &config);
        let found = match train(&words, &config) {
            Ok(trained) => trained,
            Err(error) => {
                // Too few pairs: the error says how many there are.
                let text = error.to_string();
                let most = text.split_whitespace().find_map(|w| w.parse::<u32>().ok());
                assert!(text.starts_with("vocab_size: "), "{text}");
                config.vocab_size = most.unwrap();
                train(&words, &config).unwrap()
            }
        };
        assert_eq!(
            parts(&found).1,
            expected,
            "round {round}: {words:?} {config:?}"
        );
        full += 1;
    }
    assert_eq!(full, 3000);
}

#[test]
fn runs_of_one_character_pair_up_from_the_left() {
    let mut random = Random::new(12);
    for round in 0..400 {
        let mut words = Words::new();
        for _ in 0..1 + random.below(6) {
            let letters: Vec<&str> = (0..1 + random.below(3))
                .map(|_| ["a", "b", "学", "哈"][random.below(4)])
                .collect();
            let word: String = letters
                .iter()
                .map(|letter| letter.repeat(random.below(9)))
                .collect();
            *words.entry((word + "a").into_bytes()).or_default() += 1;
        }
        let mut config = BpeConfig::new(300);
        (config.tau, config.max_token_bytes) = (1, None);
        let expected = naive(&words, &config);
        config.vocab_size = 256 + u32::try_from(expected.len()).unwrap();
        let found = parts(&train(&words, &config).unwrap()).1;
        assert_eq!(found, expected, "round {round}: {words:?}");
    }
}

#[test]
fn a_cut_changes_nothing_but_the_work() {
    let mut random = Random::new(77);
    let mut cut = 0;
    for _ in 0..400 {
        let words = random_words(&mut random);
        let mut config = random_config(&mut random);
        config.char_align = true;
        let Ok(plain) = train(&words, &config) else {
            continue;
        };
        for tau in [2, 3, 5, 10, 40] {
            config.tau = tau;
            let found = train(&words, &config).unwrap();
            assert_eq!(found.definition, plain.definition, "{words:?} {config:?}");
            assert_eq!(found.report.least_count, plain.report.least_count);
            cut += usize::from(found.report.cut.segments != plain.report.cut.segments);
        }
    }
    assert!(cut > 100, "{cut}");
}

#[test]
fn every_vocabulary_is_complete_aligned_and_of_the_size_asked_for() {
    let mut random = Random::new(5);
    let mut trained = 0;
    for _ in 0..300 {
        let words = random_words(&mut random);
        let mut config = random_config(&mut random);
        config.char_align = true;
        config.special_tokens = vec!["<|end|>".into(), "终".into()];
        let Ok(found) = train(&words, &config) else {
            continue;
        };
        trained += 1;
        let (pieces, merges) = parts(&found);
        assert_eq!(
            pieces.len() + 2,
            usize::try_from(config.vocab_size).unwrap()
        );
        for byte in 0..=255 {
            assert!(pieces.contains(&vec![byte]));
        }
        assert!(
            pieces
                .iter()
                .all(|piece| piece.len() == 1 || is_aligned(piece))
        );
        for (left, right) in merges {
            assert!(pieces.contains(&[left, right].concat()));
        }
        crate::Tokenizer::compile(found.definition).unwrap();
    }
    assert!(trained > 100, "{trained}");
}

#[test]
fn counts_wider_than_32_bits_decide() {
    let words = Words::from([
        (b"ab".to_vec(), (1 << 31) + 5),
        (b"cd".to_vec(), (1 << 33) + 1),
        (b"ef".to_vec(), 1 << 33),
        (b"gh".to_vec(), 7),
    ]);
    for tie in [Tie::Bytes, Tie::HuggingFace] {
        let mut config = BpeConfig::new(256 + 4);
        (config.tie, config.tau) = (tie, 1);
        let merges = parts(&train(&words, &config).unwrap()).1;
        let joined: Vec<_> = merges.iter().map(|(l, r)| [&l[..], r].concat()).collect();
        assert_eq!(joined, [b"cd", b"ef", b"ab", b"gh"]);
    }
}

#[test]
fn ties_are_broken_by_bytes() {
    let words = Words::from([
        (b"ba".to_vec(), 2),
        (b"ac".to_vec(), 2),
        (b"ab".to_vec(), 2),
    ]);
    let merges = parts(&train(&words, &BpeConfig::new(259)).unwrap()).1;
    let joined: Vec<_> = merges.iter().map(|(l, r)| [&l[..], r].concat()).collect();
    assert_eq!(joined, [b"ab", b"ac", b"ba"]);
}

#[test]
fn frequent_han_characters_are_pieces_and_rare_ones_are_not() {
    let words = Words::from([
        ("学而时习".into(), 3),
        ("学习".into(), 2),
        ("龘é".into(), 4),
    ]);
    let mut config = BpeConfig::new(256 + 9);
    config.tau_c = Some(5);
    config.required_chars = vec!['龙'];
    let found = train(&words, &config).unwrap();
    let (pieces, merges) = parts(&found);
    let has = |text: &str| pieces.contains(&text.as_bytes().to_vec());
    assert!(has("学") && has("习") && has("龙") && has("é"));
    assert!(!has("而") && !has("龘"));
    assert_eq!(found.report.sure_chars, 3);
    // 学 and 习 are equally frequent: the smaller code point comes first.
    assert_eq!(merges[0], (vec![0xE4], vec![0xB9]));
    let tokenizer = crate::Tokenizer::compile(found.definition).unwrap();
    assert_eq!(
        tokenizer
            .encode_ids("龙", &Default::default())
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn a_piece_is_never_spelled_like_a_special_token() {
    let words = Words::from([(b"<s>".to_vec(), 9), (b"x<s".to_vec(), 1)]);
    let mut config = BpeConfig::new(1 + 256 + 2);
    config.special_tokens = vec!["<s>".into()];
    let found = train(&words, &config).unwrap();
    let (pieces, _) = parts(&found);
    assert_eq!(pieces[256..], [b"<s".to_vec(), b"x<s".to_vec()]);
}

#[test]
fn a_run_that_is_stopped_has_no_result() {
    let words = Words::from([(b"abcabc".to_vec(), 9)]);
    let config = BpeConfig::new(258);
    for last in 0..4 {
        let mut calls = 0;
        let stopped = train_bpe(&counts_of(&words), &config, &mut |_| {
            calls += 1;
            if calls > last {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(stopped, Ok(None), "after {last} calls");
    }
}

#[test]
fn a_vocabulary_that_is_too_small_or_a_text_that_is_too_short_is_said() {
    let words = Words::from([("学学".into(), 9)]);
    let mut config = BpeConfig::new(257);
    config.tau_c = Some(1);
    let error = train(&words, &config).unwrap_err().to_string();
    assert!(
        error.starts_with("vocab_size: 257; expected at least 258"),
        "{error}"
    );
    let error = train(&Words::new(), &BpeConfig::new(257))
        .unwrap_err()
        .to_string();
    assert!(error.contains("pairs for 256 pieces"), "{error}");
    assert!(train(&Words::new(), &BpeConfig::new(256)).is_ok());
}

#[test]
fn one_long_word_costs_no_more_than_many_short_ones() {
    // A quadratic trainer would take hours.
    let word: Vec<u8> = (0..300_000_u64)
        .map(|n| b'a' + u8::try_from(n * n % 7 % 5).unwrap())
        .collect();
    let runs = vec![b'z'; 300_000];
    for tie in [Tie::Bytes, Tie::HuggingFace] {
        let mut config = BpeConfig::new(256 + 15);
        (config.tie, config.max_token_bytes) = (tie, None);
        let words = Words::from([(word.clone(), 1), (runs.clone(), 1)]);
        train(&words, &config).unwrap();
    }
}

#[test]
fn sure_characters_are_whole_before_anything_is_merged() {
    let words = Words::from([
        ("学而".as_bytes().to_vec(), 9),
        ("学😀".as_bytes().to_vec(), 5),
        ("孧".as_bytes().to_vec(), 7), // begins as 学 does
    ]);
    let mut config = BpeConfig::new(256 + 2 + 2 + 3 + 3);
    config.required_chars = vec!['学', '而', '😀'];
    let (pieces, merges) = parts(&train(&words, &config).unwrap());
    // Two merges make a character of three bytes, three one of four.
    let made: Vec<_> = pieces[256..].iter().map(Vec::as_slice).collect();
    let text = |piece: &'static str| piece.as_bytes();
    assert_eq!(
        made[made.len() - 3..],
        [text("学而"), text("孧"), text("学😀")]
    );
    let last = merges.last().unwrap();
    assert_eq!((&*last.0, &*last.1), (text("学"), text("😀")));
    let rare = &merges[merges.len() - 2];
    assert_eq!((&*rare.0, &*rare.1), (&text("孧")[..2], &text("孧")[2..]));
}
