//! The fast encoders against the oracles, on seeded random vocabularies.

use std::collections::{HashMap, HashSet};

use super::bpe::chain::Chain;
use super::bpe::merges::{Merge, MergeTable, Merges};
use super::bpe::short::{SHORT, merge_short};
use super::oracle::{Rules, encode_by_ranks, merge_by_queue, merge_by_scanning};
use super::{BpeScratch, ByteBpe, Model, ModelScratch, Random, Sampler, Sampling, Token};
use crate::definition::{self, MergeList, RankTable};
use crate::max_span::{MaxSpan, SpanUnit};

/// Merges over `letters` letters: each joins two earlier symbols.
fn random_rules(random: &mut Random, letters: u32, count: u32, ordered: bool) -> Rules {
    let mut rules = Rules::new();
    let mut ranks: Vec<u32> = (0..count).collect();
    if !ordered {
        for at in (1..ranks.len()).rev() {
            ranks.swap(at, random.below(at + 1));
        }
    }
    for (&rank, id) in ranks.iter().zip(letters..) {
        let mut part = || u32::try_from(random.below(usize::try_from(id).unwrap())).unwrap();
        rules.insert((part(), part()), (rank, id));
    }
    rules
}

fn table_of(rules: &Rules) -> MergeTable {
    let mut table = MergeTable::with_capacity(rules.len());
    for (&(left, right), &(rank, id)) in rules {
        table.insert(left, right, Merge { rank, id });
    }
    table.check_ranks();
    table
}

fn by_chain(merges: &impl Merges, word: &[u32]) -> Vec<(u32, u32)> {
    let mut chain = Chain::default();
    word.iter().for_each(|&id| chain.push(id, 1));
    chain.merge(merges);
    chain.symbols().collect()
}

#[test]
fn short_and_long_merging_equal_scanning() {
    let mut random = Random::new(1);
    let mut ascending = 0;
    for round in 0..300 {
        let letters = 1 + round % 4;
        let rules = random_rules(&mut random, letters, 3 + round / 4, round % 3 > 0);
        let table = table_of(&rules);
        ascending += u32::from(table.ranks_ascend());
        for length in (0..=SHORT).chain([33, 100, 300]) {
            let word: Vec<u32> = (0..length)
                .map(|_| u32::try_from(random.below(4)).unwrap() % letters)
                .collect();
            let expected = merge_by_scanning(&rules, &word);
            let chained = by_chain(&table, &word);
            let ids: Vec<u32> = chained.iter().map(|&(id, _)| id).collect();
            assert_eq!(ids, expected, "round {round}, word {word:?}");
            let bytes: u32 = chained.iter().map(|&(_, length)| length).sum();
            assert_eq!(usize::try_from(bytes).unwrap(), length);
            if length <= SHORT {
                let (mut ids, mut lengths) = (word.clone(), vec![1_u32; length]);
                let count = merge_short(&table, &mut ids, &mut lengths);
                let symbols: Vec<(u32, u32)> = ids.into_iter().zip(lengths).take(count).collect();
                assert_eq!(symbols, chained, "round {round}, word {word:?}");
            }
        }
    }
    assert!((50..250).contains(&ascending), "both orders must be met");
}

/// Ids that several pairs make: the reference then recognises queued merges by
/// what they make, and acts on some that scanning would not.
#[test]
fn shared_results_are_merged_as_the_queue_of_the_reference_does() {
    let mut random = Random::new(2);
    let mut different = 0;
    for round in 0..600 {
        let mut rules = Rules::new();
        let mut results = Vec::new();
        for rank in 0..12 {
            let mut symbol = || u32::try_from(random.below(6)).unwrap();
            let (left, right, id) = (symbol(), symbol(), symbol());
            rules.insert((left, right), (rank, id));
            results.push(id);
        }
        let mut table = table_of(&rules);
        table.recognise_by_result(results);
        table.check_ranks();
        for length in [2, 5, 9, 40] {
            let word: Vec<u32> = (0..length)
                .map(|_| u32::try_from(random.below(6)).unwrap())
                .collect();
            let expected = merge_by_queue(&rules, &word);
            let ids: Vec<u32> = by_chain(&table, &word).iter().map(|&(id, _)| id).collect();
            assert_eq!(ids, expected, "round {round}, word {word:?}");
            different += u32::from(expected != merge_by_scanning(&rules, &word));
        }
    }
    assert!(different > 0, "the test does not reach the difference");
}

#[test]
fn dropout_is_seeded_and_reaches_from_all_merges_to_none() {
    let mut random = Random::new(3);
    let rules = random_rules(&mut random, 2, 40, true);
    let table = table_of(&rules);
    let word: Vec<u32> = (0..200)
        .map(|_| u32::try_from(random.below(2)).unwrap())
        .collect();
    let sample = |dropout: f64, seed: u64| {
        let mut chain = Chain::default();
        word.iter().for_each(|&id| chain.push(id, 1));
        chain.merge_with_dropout(&table, dropout, &mut Random::new(seed));
        chain.symbols().map(|(id, _)| id).collect::<Vec<_>>()
    };
    assert_eq!(sample(0.0, 1), merge_by_scanning(&rules, &word));
    assert_eq!(sample(1.0, 1), word);
    assert_eq!(sample(0.3, 5), sample(0.3, 5));
    assert_ne!(sample(0.3, 5), sample(0.3, 6));
    assert!(sample(0.9, 5).len() > sample(0.1, 5).len());
}

/// The 256 bytes and random longer tokens, some of which no merge makes.
fn random_ranks(random: &mut Random, tokens: usize, gaps: bool) -> RankTable {
    let alphabet = [
        "a".as_bytes(),
        b"b",
        b" ",
        "中".as_bytes(),
        &[0xE4, 0xB8],
        &[0],
    ];
    let mut entries: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    while entries.len() < 256 + tokens {
        let mut token = Vec::new();
        for _ in 0..2 {
            if random.below(3) == 0 && entries.len() > 256 {
                token.extend_from_slice(&entries[256 + random.below(entries.len() - 256)]);
            } else {
                token.extend_from_slice(alphabet[random.below(alphabet.len())]);
            }
        }
        if token.len() > 1 && token.len() < 100 && !entries.contains(&token) {
            entries.push(token);
        }
    }
    for at in (1..entries.len()).rev() {
        if random.below(3) == 0 {
            entries.swap(at, random.below(at + 1));
        }
    }
    let step = if gaps { 3 } else { 1 };
    RankTable(entries.into_iter().zip((0_u32..).step_by(step)).collect())
}

fn random_word(random: &mut Random, ranks: &RankTable, most: usize) -> Vec<u8> {
    let mut word = Vec::new();
    for _ in 0..1 + random.below(most) {
        let (token, _) = &ranks.0[random.below(ranks.0.len())];
        if token.len() > 1 || random.below(8) == 0 {
            word.extend_from_slice(token);
        }
    }
    word
}

#[test]
fn ranks_encode_as_the_naive_encoder_does() {
    let mut random = Random::new(4);
    let mut scratch = BpeScratch::default();
    let (mut unreachable, mut ids) = (0, Vec::new());
    for round in 0..60 {
        let ranks = random_ranks(&mut random, 5 + round * 3, round % 2 == 0);
        let model = ByteBpe::from_ranks(&ranks, None).unwrap();
        let oracle: HashMap<Vec<u8>, u32> = ranks.0.iter().cloned().collect();
        unreachable += model.unreachable().len();
        let mut words: Vec<Vec<u8>> = ranks.0.iter().map(|(token, _)| token.clone()).collect();
        for most in [2, 4, 10, 40] {
            words.extend((0..60).map(|_| random_word(&mut random, &ranks, most)));
        }
        words.extend(words.clone()); // the second time from the cache
        for word in words.iter().filter(|word| !word.is_empty()) {
            ids.clear();
            model.encode(word, &mut scratch, &mut ids);
            assert_eq!(
                ids,
                encode_by_ranks(&oracle, word),
                "round {round}: {word:?}"
            );
        }
    }
    assert!(unreachable > 0, "the test has no unreachable token");
}

#[test]
fn unreachable_tokens_are_exactly_those_that_merging_alone_does_not_give() {
    let mut random = Random::new(5);
    for round in 0..40 {
        let ranks = random_ranks(&mut random, 10 + round, false);
        let model = ByteBpe::from_ranks(&ranks, None).unwrap();
        for (token, rank) in &ranks.0 {
            let mut rest: HashMap<Vec<u8>, u32> = ranks.0.iter().cloned().collect();
            rest.remove(token);
            let parts = match token.len() {
                1 => 2,
                _ => encode_by_ranks(&rest, token).len(),
            };
            assert_eq!(model.unreachable().contains(rank), parts != 2, "{token:?}");
        }
    }
}

fn byte_level(ranks: &RankTable, ignore_merges: bool) -> definition::Model {
    let spell = |bytes: &[u8]| crate::pretokenize::byte_alphabet::encode(bytes);
    let mut vocab: Vec<(String, u32)> = ranks
        .0
        .iter()
        .map(|(bytes, rank)| (spell(bytes), rank * 2 + 7))
        .collect();
    vocab.push(("<|end of text|>".to_owned(), 1));
    let mut tokens: Vec<&(Vec<u8>, u32)> = ranks.0.iter().collect();
    tokens.sort_by_key(|(_, rank)| *rank);
    let known: HashMap<&[u8], u32> = ranks.0.iter().map(|(b, r)| (b.as_slice(), *r)).collect();
    let mut merges = Vec::new();
    for (bytes, _) in tokens {
        // Every way to make the token, so that most merges never happen.
        for cut in 1..bytes.len() {
            let (left, right) = bytes.split_at(cut);
            if known.contains_key(left) && known.contains_key(right) {
                merges.push((spell(left), spell(right)));
            }
        }
    }
    definition::Model::BPE {
        dropout: None,
        unk_token: None,
        continuing_subword_prefix: None,
        end_of_word_suffix: Some(String::new()),
        fuse_unk: false,
        byte_fallback: false,
        ignore_merges,
        vocab: vocab.into_iter().collect(),
        merges: merges.into_iter().collect(),
    }
}

#[test]
fn bytes_and_their_spelling_encode_alike() {
    let mut random = Random::new(6);
    let mut scratch = ModelScratch::default();
    for round in 0..40 {
        let ranks = random_ranks(&mut random, 5 + round * 3, round % 2 == 0);
        let definition = byte_level(&ranks, round % 4 < 2);
        let bytes = ByteBpe::from_bpe(&definition).unwrap().unwrap();
        let characters = Model::compile(&definition).unwrap();
        for most in [1, 2, 4, 10, 40] {
            for _ in 0..60 {
                let word = random_word(&mut random, &ranks, most);
                let spelling = crate::pretokenize::byte_alphabet::encode(&word);
                let (mut ids, mut tokens) = (Vec::new(), Vec::<Token>::new());
                bytes.encode(&word, scratch.bytes(), &mut ids);
                characters
                    .tokenize(&spelling, &mut scratch, &mut tokens)
                    .unwrap();
                let expected: Vec<u32> = tokens.iter().map(|token| token.id).collect();
                assert_eq!(ids, expected, "round {round}: {word:?}");
                for (token, id) in tokens.iter().zip(&ids) {
                    let piece = characters.piece(*id).unwrap();
                    let start = usize::try_from(token.start).unwrap();
                    let end = usize::try_from(token.end).unwrap();
                    assert_eq!(&spelling[start..end], piece);
                    let raw = crate::pretokenize::byte_alphabet::decode(piece).unwrap();
                    assert_eq!(bytes.token_bytes(*id), Some(raw.as_slice()));
                }
            }
        }
    }
}

#[test]
fn only_a_byte_level_model_is_taken_for_one() {
    let ranks = random_ranks(&mut Random::new(7), 20, false);
    let good = || byte_level(&ranks, false);
    assert!(ByteBpe::from_bpe(&good()).is_some());
    let changes: [fn(&mut definition::Model); 5] = [
        |model| {
            if let definition::Model::BPE { dropout, .. } = model {
                *dropout = Some(0.1);
            }
        },
        |model| {
            if let definition::Model::BPE {
                continuing_subword_prefix,
                ..
            } = model
            {
                *continuing_subword_prefix = Some("##".to_owned());
            }
        },
        |model| {
            if let definition::Model::BPE {
                end_of_word_suffix, ..
            } = model
            {
                *end_of_word_suffix = Some("</w>".to_owned());
            }
        },
        |model| {
            if let definition::Model::BPE { vocab, merges, .. } = model {
                *merges = MergeList::default();
                *vocab = vocab.iter().filter(|&(piece, _)| piece != "Ġ").collect();
            }
        },
        |model| {
            if let definition::Model::BPE { vocab, .. } = model {
                *vocab = vocab.iter().map(|(piece, id)| (piece, id / 4)).collect();
            }
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut model = good();
        change(&mut model);
        assert!(ByteBpe::from_bpe(&model).is_none(), "change {number}");
    }
    let mut broken = good();
    if let definition::Model::BPE { merges, .. } = &mut broken {
        merges.extend([("Ġ", "Ā"), ("no such", "piece")]);
    }
    let error = ByteBpe::from_bpe(&broken).unwrap().unwrap_err();
    assert!(error.to_string().contains("model.merges"), "{error}");
}

#[test]
fn contradicting_ranks_are_refused_with_both_entries() {
    let base = || -> Vec<(Vec<u8>, u32)> { (0..=255).map(|b| (vec![b], u32::from(b))).collect() };
    let error = |extra: &[(&[u8], u32)]| {
        let mut ranks = base();
        ranks.extend(extra.iter().map(|&(bytes, rank)| (bytes.to_vec(), rank)));
        ByteBpe::from_ranks(&RankTable(ranks), None)
            .unwrap_err()
            .to_string()
    };
    assert!(error(&[(b"ab", 97)]).contains(r#"rank 97 has two byte strings: b"a" and b"ab""#));
    assert!(error(&[(b"ab", 300), (b"ab", 301)]).contains(r#"b"ab" has two ranks: 300 and 301"#));
    assert!(error(&[(b"ab", 300), (b"ab", 300)]).contains("two ranks"));
    assert!(error(&[(b"", 300)]).contains("at least one byte"));
    assert!(error(&[(b"ab", u32::MAX)]).contains("below"));
    let missing = ByteBpe::from_ranks(&RankTable(base()[..200].to_vec()), None).unwrap_err();
    assert!(missing.to_string().contains("0xC8"), "{missing}");
}

#[test]
fn one_scratch_serves_several_models() {
    let mut random = Random::new(8);
    let first = random_ranks(&mut random, 60, false);
    let second = random_ranks(&mut random, 60, true);
    let models = [&first, &second].map(|ranks| ByteBpe::from_ranks(ranks, None).unwrap());
    let mut shared = BpeScratch::default();
    for _ in 0..200 {
        let word = random_word(&mut random, &first, 4);
        for model in &models {
            let (mut ids, mut expected) = (Vec::new(), Vec::new());
            model.encode(&word, &mut shared, &mut ids);
            model.encode(&word, &mut BpeScratch::default(), &mut expected);
            assert_eq!(ids, expected);
        }
    }
}

#[test]
fn a_model_of_ranks_spells_its_pieces_and_spans_its_words() {
    let ranks = random_ranks(&mut Random::new(9), 30, true);
    let model = Model::compile(&definition::Model::ByteRanks {
        max_span: None,
        ranks: ranks.clone(),
    })
    .unwrap();
    assert_eq!(model.len(), 286);
    assert_eq!(model.pieces().count(), 286);
    let id = model.id("Ġ").unwrap();
    assert_eq!(model.piece(id), Some("Ġ"));
    assert_eq!(ranks.0.iter().find(|(b, _)| b == b" ").unwrap().1, id);
    let mut tokens = Vec::new();
    let word = "ab 中\0中 ba";
    model
        .tokenize(word, &mut ModelScratch::default(), &mut tokens)
        .unwrap();
    let mut end = 0;
    for token in &tokens {
        assert_eq!(token.start, end);
        let span = usize::try_from(token.start).unwrap()..usize::try_from(token.end).unwrap();
        let piece = model.piece(token.id).unwrap();
        assert_eq!(
            crate::pretokenize::byte_alphabet::encode(&word.as_bytes()[span]),
            piece
        );
        end = token.end;
    }
    assert_eq!(usize::try_from(end).unwrap(), word.len());
}

/// Characters that share first and last bytes with one another.
const RELATED: [char; 9] = ['a', ' ', 'é', '©', '中', '丁', '国', '仭', '😀'];

/// The 256 bytes and parts of random texts, cut anywhere.
fn related_ranks(random: &mut Random, tokens: usize) -> RankTable {
    let mut entries: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    while entries.len() < 256 + tokens {
        let text: String = (0..3)
            .map(|_| RELATED[random.below(RELATED.len())])
            .collect();
        let start = random.below(text.len() - 1);
        let end = (start + 2 + random.below(4)).min(text.len());
        let token = text.as_bytes()[start..end].to_vec();
        if !entries.contains(&token) {
            entries.push(token);
        }
    }
    RankTable(entries.into_iter().zip(0..).collect())
}

#[test]
fn cut_words_encode_as_the_naive_encoder_does_on_every_short_text() {
    let mut random = Random::new(10);
    let mut scratch = BpeScratch::default();
    let mut ids = Vec::new();
    let texts = |length: u32| {
        let count = RELATED.len().pow(length);
        (0..count).map(move |mut number| {
            let mut text = String::new();
            for _ in 0..length {
                text.push(RELATED[number % RELATED.len()]);
                number /= RELATED.len();
            }
            text
        })
    };
    for round in 0..60 {
        let ranks = related_ranks(&mut random, 4 + round * 2);
        let model = ByteBpe::from_ranks(&ranks, None).unwrap();
        let oracle: HashMap<Vec<u8>, u32> = ranks.0.iter().cloned().collect();
        let longer = (0..100).map(|_| {
            (0..20)
                .map(|_| RELATED[random.below(RELATED.len())])
                .collect::<String>()
        });
        let all = (1..=3).flat_map(texts).chain(longer.collect::<Vec<_>>());
        for text in all {
            ids.clear();
            model.encode(text.as_bytes(), &mut scratch, &mut ids);
            let expected = encode_by_ranks(&oracle, text.as_bytes());
            assert_eq!(ids, expected, "round {round}: {text:?}");
        }
    }
}

/// Segments longer than a block, that end anywhere in one, and ASCII letters
/// that only bytes can merge.
#[test]
fn long_words_encode_as_the_naive_encoder_does() {
    let mut random = Random::new(16);
    let mut scratch = BpeScratch::default();
    let mut ids = Vec::new();
    for round in 0..20 {
        let alphabet = &RELATED[..2 + round % 8];
        let mut entries: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        let mut joined: Vec<Vec<u8>> = Vec::new();
        // Whole characters first, so that they join in twos, threes and more.
        for character in alphabet {
            let spelled = character.to_string().into_bytes();
            entries.extend((2..=spelled.len()).map(|length| spelled[..length].to_vec()));
            joined.push(spelled);
        }
        for _ in 0..30 {
            let piece = [(); 2].map(|()| joined[random.below(joined.len())].clone());
            joined.push(piece.concat());
        }
        entries.extend(joined);
        let mut seen = HashSet::new();
        entries.retain(|entry| seen.insert(entry.clone()));
        let ranks = RankTable(entries.into_iter().zip(0..).collect());
        let model = ByteBpe::from_ranks(&ranks, None).unwrap();
        let oracle: HashMap<Vec<u8>, u32> = ranks.0.iter().cloned().collect();
        for length in 50..150 {
            let text: String = (0..length)
                .map(|_| alphabet[random.below(alphabet.len())])
                .collect();
            ids.clear();
            model.encode(text.as_bytes(), &mut scratch, &mut ids);
            let expected = encode_by_ranks(&oracle, text.as_bytes());
            assert_eq!(ids, expected, "round {round}: {text:?}");
        }
    }
}

/// Quadratic time would be hours here; the limit only has to tell that apart.
#[test]
fn a_megabyte_in_one_word_takes_no_quadratic_time() {
    let started = std::time::Instant::now();
    let mut random = Random::new(12);
    let mut scratch = ModelScratch::default();
    let mut sampler = Sampler::new(Sampling {
        alpha: 0.1,
        dropout: 0.1,
    });
    let letters: String = (0..1 << 20).map(|_| RELATED[random.below(2)]).collect();
    let words = [
        "a".repeat(1 << 20),
        "中".repeat(1 << 18),
        "😀é".repeat(1 << 17),
        letters,
    ];
    let mut models = Vec::new();
    for tokens in [0, 20, 100] {
        let ranks = related_ranks(&mut random, tokens);
        models.push(Model::compile(&byte_level(&ranks, false)).unwrap());
        models.push(
            Model::compile(&definition::Model::ByteRanks {
                ranks,
                max_span: None,
            })
            .unwrap(),
        );
    }
    let mut vocab: Vec<String> = RELATED.iter().map(char::to_string).collect();
    vocab.extend((2..40).map(|length| "a".repeat(length)));
    models.push(
        Model::compile(&definition::Model::WordPiece {
            unk_token: "a".to_owned(),
            continuing_subword_prefix: String::new(),
            max_input_chars_per_word: usize::MAX,
            vocab: vocab.into_iter().zip(0..).collect(),
        })
        .unwrap(),
    );
    models.push(
        Model::compile(&definition::Model::Unigram {
            unk_id: Some(0),
            vocab: (1..40).map(|length| ("a".repeat(length), -2.5)).collect(),
            byte_fallback: false,
        })
        .unwrap(),
    );
    for model in &models {
        for word in &words {
            let word = match model {
                Model::Bpe(_) => crate::pretokenize::byte_alphabet::encode(word.as_bytes()),
                _ => word.clone(),
            };
            let mut tokens = Vec::new();
            model.tokenize(&word, &mut scratch, &mut tokens).unwrap();
            let end = tokens.last().unwrap().end;
            assert_eq!(usize::try_from(end).unwrap(), word.len());
            tokens.clear();
            model.sample(&word, &mut sampler, &mut tokens).unwrap();
            let end = tokens.last().unwrap().end;
            assert_eq!(usize::try_from(end).unwrap(), word.len());
        }
    }
    assert!(started.elapsed() < std::time::Duration::from_secs(300));
}

#[test]
fn limited_ranks_encode_as_if_the_longer_ones_were_not_there() {
    let mut random = Random::new(12);
    let mut scratch = BpeScratch::default();
    let mut ids = Vec::new();
    for round in 0..60 {
        let ranks = random_ranks(&mut random, 5 + round * 3, round % 2 == 0);
        let limit = u32::try_from(1 + random.below(4)).unwrap();
        let unit = [SpanUnit::Chars, SpanUnit::Bytes][round % 2];
        let span = MaxSpan::new(limit, unit).unwrap();
        let model = ByteBpe::from_ranks(&ranks, Some(span)).unwrap();
        let short = ranks.0.iter().filter(|(bytes, _)| span.allows(bytes));
        let oracle: HashMap<Vec<u8>, u32> = short.cloned().collect();
        let mut words: Vec<Vec<u8>> = ranks.0.iter().map(|(token, _)| token.clone()).collect();
        words.extend((0..100).map(|_| random_word(&mut random, &ranks, 8)));
        for word in words.iter().filter(|word| !word.is_empty()) {
            ids.clear();
            model.encode(word, &mut scratch, &mut ids);
            assert_eq!(
                ids,
                encode_by_ranks(&oracle, word),
                "round {round}: {word:?}"
            );
        }
        assert_eq!(model.len(), ranks.0.len());
    }
}
