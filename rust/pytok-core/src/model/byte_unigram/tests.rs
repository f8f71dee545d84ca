//! The engine against a naive segmenter and against the generic model, on
//! seeded random vocabularies.

use std::collections::{HashMap, HashSet};

use crate::definition;
use crate::model::oracle::segment_by_cost;
use crate::model::{ByteUnigram, ByteUnigramScratch, Model, Random, Sampler, Sampling};
use crate::pretokenize::byte_alphabet;

/// What pieces and words are made of: whole characters and parts of them.
const PARTS: [&[u8]; 14] = [
    b"a",
    b"b",
    b" ",
    "é".as_bytes(),
    "中".as_bytes(),
    "丁".as_bytes(),
    "国".as_bytes(),
    "😀".as_bytes(),
    "😃".as_bytes(),
    &[0xE4, 0xB8],
    &[0xB8, 0xAD],
    &[0xAD],
    &[0xF0, 0x9F],
    &[0],
];

/// Only the first of [`PARTS`] are whole characters.
const WHOLE: usize = 9;

fn random_bytes(random: &mut Random, parts: usize, most: usize) -> Vec<u8> {
    let count = 1 + random.below(most);
    (0..count)
        .flat_map(|_| PARTS[random.below(parts)])
        .copied()
        .collect()
}

/// The 256 bytes and random longer pieces. Few different costs, so that there
/// are many ties; some costs that nothing can be dearer than.
fn random_vocab(random: &mut Random, pieces: usize, aligned: bool) -> Vec<(String, f64)> {
    let mut bytes: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    let mut seen: HashSet<Vec<u8>> = bytes.iter().cloned().collect();
    let parts = if aligned { WHOLE } else { PARTS.len() };
    for _ in 0..pieces {
        let piece = match random.below(5) {
            // A part of one character.
            0 => {
                let character = PARTS[3 + random.below(WHOLE - 3)];
                let start = random.below(character.len());
                character[start..=start + random.below(character.len() - start)].to_vec()
            }
            _ => random_bytes(random, parts, 4),
        };
        if seen.insert(piece.clone()) {
            bytes.push(piece);
        }
    }
    for at in (1..bytes.len()).rev() {
        bytes.swap(at, random.below(at + 1));
    }
    let spread = [3, 40, 4000][random.below(3)];
    bytes
        .iter()
        .map(|piece| {
            let units = match random.below(12) {
                0 if piece.len() > 1 => 1 << 30,
                _ => 1 + random.below(spread) * (1 + piece.len() / 2),
            };
            let score = -f64::from(u32::try_from(units).unwrap()) / 1024.0;
            (byte_alphabet::encode(piece), score)
        })
        .collect()
}

fn definition(vocab: &[(String, f64)]) -> definition::Model {
    definition::Model::Unigram {
        unk_id: None,
        vocab: vocab.to_vec(),
        byte_fallback: false,
    }
}

fn compile(vocab: &[(String, f64)]) -> Option<ByteUnigram> {
    ByteUnigram::from_unigram(&definition(vocab)).map(Result::unwrap)
}

fn encode(model: &ByteUnigram, word: &[u8], scratch: &mut ByteUnigramScratch) -> Vec<u32> {
    let mut ids = Vec::new();
    model.encode(word, scratch, &mut ids);
    ids
}

fn oracle(vocab: &[(String, f64)]) -> HashMap<Vec<u8>, (u64, u32)> {
    vocab
        .iter()
        .zip(0..)
        .filter_map(|((piece, score), id)| {
            let units = format!("{}", -score * 1024.0).parse().unwrap();
            Some((byte_alphabet::decode(piece)?, (units, id)))
        })
        .collect()
}

#[test]
fn words_are_segmented_as_by_the_naive_segmenter_and_by_the_generic_model() {
    let mut random = Random::new(21);
    let (mut scratch, mut generic_scratch) = Default::default();
    let (mut aligned_models, mut several) = (0, 0);
    for round in 0..120 {
        let vocab = random_vocab(&mut random, 5 + round, round % 3 > 0);
        let model = compile(&vocab).unwrap();
        aligned_models += usize::from(model.is_aligned());
        let generic = Model::compile(&definition(&vocab)).unwrap();
        let pieces = oracle(&vocab);
        let mut words: Vec<Vec<u8>> = pieces.keys().cloned().collect();
        words.sort();
        for most in [1, 2, 3, 4, 8, 40] {
            let parts = if random.below(4) == 0 {
                PARTS.len()
            } else {
                WHOLE
            };
            words.extend((0..25).map(|_| random_bytes(&mut random, parts, most)));
        }
        words.extend(words.clone()); // the second time from the cache
        for word in &words {
            let ids = encode(&model, word, &mut scratch);
            assert_eq!(
                ids,
                segment_by_cost(&pieces, word),
                "round {round}: {word:?}"
            );
            several += usize::from(ids.len() > 1);
            let spelling = byte_alphabet::encode(word);
            let mut tokens = Vec::new();
            generic
                .tokenize(&spelling, &mut generic_scratch, &mut tokens)
                .unwrap();
            let expected: Vec<u32> = tokens.iter().map(|token| token.id).collect();
            assert_eq!(ids, expected, "round {round}: {word:?}");
        }
    }
    assert!((40..110).contains(&aligned_models) && several > 10_000);
}

/// The bytes, some characters cheaper than their bytes, and pieces of them: most
/// of a word is found in the tables of characters and pairs.
fn vocab_of_characters(random: &mut Random, pieces: usize) -> Vec<(String, f64)> {
    const CHARACTERS: [&str; 9] = ["中", "国", "人", "民", "学", "，", "é", "a", "😀"];
    let spread = [1, 4, 300][random.below(3)];
    let mut costs: Vec<(Vec<u8>, usize)> = (0..=255).map(|byte| (vec![byte], 2000)).collect();
    let mut seen: HashSet<String> = HashSet::default();
    for number in 0..pieces {
        // One character of those stays several bytes.
        let piece: String = match CHARACTERS.get(number + 1) {
            Some(character) if character.len() > 1 => (*character).to_owned(),
            _ => (0..2 + random.below(4))
                .map(|_| CHARACTERS[random.below(CHARACTERS.len())])
                .collect(),
        };
        if seen.insert(piece.clone()) {
            let length = piece.chars().count();
            let cost = 100 + 30 * (length - 1) + random.below(spread);
            costs.push((piece.into_bytes(), cost));
        }
    }
    costs
        .into_iter()
        .map(|(piece, cost)| {
            let units = f64::from(u32::try_from(cost).unwrap());
            (byte_alphabet::encode(&piece), -units / 1024.0)
        })
        .collect()
}

#[test]
fn segments_from_the_tables_are_those_of_the_naive_segmenter() {
    let mut random = Random::new(27);
    let mut scratch = ByteUnigramScratch::default();
    let mut lengths = [0; 6];
    for round in 0..120 {
        let vocab = vocab_of_characters(&mut random, 10 + round);
        let model = compile(&vocab).unwrap();
        assert!(model.is_aligned());
        let pieces = oracle(&vocab);
        let known: Vec<&str> = [
            "中", "国", "人", "民", "学", "，", "é", "a", "b", "😀", "龘",
        ]
        .into();
        for most in [2, 3, 4, 6, 20, 150] {
            for _ in 0..20 {
                let word: String = (0..1 + random.below(most))
                    .map(|_| known[random.below(known.len())])
                    .collect();
                let ids = encode(&model, word.as_bytes(), &mut scratch);
                let expected = segment_by_cost(&pieces, word.as_bytes());
                assert_eq!(ids, expected, "round {round}: {word}");
                for id in ids {
                    let piece = model.vocabulary().piece(id).unwrap();
                    let count = std::str::from_utf8(piece).map_or(0, |piece| piece.chars().count());
                    lengths[count] += 1;
                }
            }
        }
    }
    assert!(lengths[..5].iter().all(|&count| count > 100), "{lengths:?}");
}

#[test]
fn every_character_is_segmented_as_its_bytes() {
    let mut random = Random::new(22);
    let mut vocab = random_vocab(&mut random, 0, true);
    let mut seen = HashSet::new();
    for _ in 0..30_000 {
        let code = u32::try_from(random.below(0x1_1000)).unwrap();
        let Some(character) = char::from_u32(code) else {
            continue;
        };
        let spelling = byte_alphabet::encode(character.to_string().as_bytes());
        if code > 0x7F && seen.insert(code) {
            let cost = u32::try_from(1 + random.below(12_000)).unwrap();
            vocab.push((spelling, -f64::from(cost) / 1024.0));
        }
    }
    let (model, pieces) = (compile(&vocab).unwrap(), oracle(&vocab));
    let mut scratch = ByteUnigramScratch::default();
    for character in ('\0'..='\u{1_1000}').chain(['\u{10_FFFF}']) {
        let word = character.to_string();
        let expected = segment_by_cost(&pieces, word.as_bytes());
        assert_eq!(
            encode(&model, word.as_bytes(), &mut scratch),
            expected,
            "{word:?}"
        );
        // Alone between two cuts.
        let word = format!("中{character}国");
        let expected = segment_by_cost(&pieces, word.as_bytes());
        assert_eq!(
            encode(&model, word.as_bytes(), &mut scratch),
            expected,
            "{word:?}"
        );
    }
}

#[test]
fn a_long_word_of_one_letter_is_segmented() {
    let mut vocab = random_vocab(&mut Random::new(23), 0, true);
    for length in [2, 3, 64, 244] {
        vocab.push((byte_alphabet::encode(&vec![b' '; length]), -1.0 / 1024.0));
    }
    let model = compile(&vocab).unwrap();
    let ids = encode(
        &model,
        &vec![b' '; 1 << 20],
        &mut ByteUnigramScratch::default(),
    );
    let longest = u32::try_from(vocab.len() - 1).unwrap();
    let lengths = ids
        .iter()
        .map(|&id| model.vocabulary().piece(id).unwrap().len());
    assert_eq!(lengths.sum::<usize>(), 1 << 20);
    let fewest = (1_usize << 20).div_ceil(244);
    assert!((fewest..fewest + 20).contains(&ids.len()));
    assert_eq!(ids.last(), Some(&longest));
}

#[test]
fn only_exact_byte_level_models_are_taken() {
    let good = random_vocab(&mut Random::new(24), 20, true);
    assert!(compile(&good).is_some());
    let without = |change: fn(&mut Vec<(String, f64)>)| {
        let mut vocab = good.clone();
        change(&mut vocab);
        compile(&vocab).is_none()
    };
    assert!(without(|vocab| vocab.retain(|(piece, _)| piece != "Ġ")));
    assert!(without(|vocab| vocab[3].1 = -0.1));
    assert!(without(|vocab| vocab[3].1 = 1.0));
    assert!(without(|vocab| vocab[3].1 = f64::NEG_INFINITY));
    assert!(without(|vocab| vocab[3].1 = f64::NAN));
    assert!(without(|vocab| vocab.push((String::new(), -1.0))));
    assert!(without(|vocab| vocab.push(("Ġ".to_owned(), -1.0))));
    assert!(without(|vocab| {
        vocab.extend(["中", "中"].map(|piece| (piece.to_owned(), -1.0)));
    }));
    let dear = |byte: u8| {
        let mut vocab = good.clone();
        let spelling = byte_alphabet::encode(&[byte]);
        vocab
            .iter_mut()
            .filter(|(piece, _)| *piece == spelling)
            .for_each(|(_, score)| {
                *score = -2048.0;
            });
        compile(&vocab).is_none()
    };
    assert!(dear(b'a') && dear(0xF4) && !dear(0xF5) && !dear(0xC1));
    for (unk_id, byte_fallback) in [(Some(0), false), (None, true)] {
        let model = definition::Model::Unigram {
            unk_id,
            vocab: good.clone(),
            byte_fallback,
        };
        assert!(ByteUnigram::from_unigram(&model).is_none());
    }
    // A literal has an id and takes no part.
    let mut vocab = good.clone();
    vocab.push(("中".to_owned(), -1.0));
    let model = compile(&vocab).unwrap();
    assert_eq!(model.vocabulary().len(), good.len());
}

#[test]
fn samples_and_the_best_are_those_of_the_generic_model() {
    let mut random = Random::new(25);
    let sampling = Sampling {
        alpha: 0.5,
        dropout: 0.0,
    };
    for round in 0..60 {
        let vocab = random_vocab(&mut random, 30, round % 2 == 0);
        let definition = definition::Model::Unigram {
            unk_id: None,
            vocab,
            byte_fallback: false,
        };
        let fast = ByteUnigram::from_unigram(&definition).unwrap().unwrap();
        let Model::Unigram(generic) = Model::compile(&definition).unwrap() else {
            panic!("another model");
        };
        for seed in 0..20 {
            let word = random_bytes(&mut random, WHOLE, 6);
            let spelled = byte_alphabet::encode(&word);
            let (mut sampler, mut tokens, mut ids) =
                (Sampler::new(sampling), Vec::new(), Vec::new());
            sampler.begin(seed, &spelled, 0);
            generic.sample(&spelled, &mut sampler, &mut tokens).unwrap();
            sampler.begin(seed, &spelled, 0);
            fast.sample(&word, &mut sampler, &mut ids);
            assert!(ids.iter().copied().eq(tokens.iter().map(|token| token.id)));
            let best = fast.n_best(&word, 20).unwrap();
            assert_eq!(best, generic.n_best(&spelled, 20).unwrap());
            ids.clear();
            fast.encode(&word, &mut ByteUnigramScratch::default(), &mut ids);
            assert_eq!(best[0].ids, ids);
            assert!(best.windows(2).all(|two| two[0].score >= two[1].score));
        }
    }
}

#[test]
fn pieces_that_no_text_may_use_are_not_drawn() {
    let mut vocab = random_vocab(&mut Random::new(26), 0, true);
    vocab.push((byte_alphabet::encode(b"ab"), -1_048_576.0));
    vocab.push((byte_alphabet::encode(b"bb"), -1_000.0));
    let (never, seldom) = (256, 257);
    let definition = definition::Model::Unigram {
        unk_id: None,
        vocab,
        byte_fallback: false,
    };
    let model = ByteUnigram::from_unigram(&definition).unwrap().unwrap();
    let mut sampler = Sampler::new(Sampling {
        alpha: 0.0,
        dropout: 0.0,
    });
    let mut ids = Vec::new();
    (0..200).for_each(|_| model.sample(b"abbabb", &mut sampler, &mut ids));
    assert!(ids.contains(&seldom) && !ids.contains(&never));
    let best = model.n_best(b"abb", 10).unwrap();
    assert_eq!(best.len(), 2);
}
