//! Whole runs: sizes, determinism, and what the options promise.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::grow::LARGEST_SEGMENTS;
use super::run::train_within;
use super::{
    Estimate, FindBoundaries, Lexicon, TrainedUnigram, UnigramConfig, UnigramInputs, train_unigram,
};
use crate::definition::Model;
use crate::model::Random;
use crate::pretokenize::byte_alphabet;
use crate::train::meetings::Meetings;
use crate::train::segmenter::WordSegmenter;
use crate::train::word_counts::Stored;
use crate::train::{Progress, Stage, WordCounts, WordSource, WordTable, scheme};

const CHARACTERS: [char; 12] = [
    'a', 'b', 'c', ' ', '学', '而', '时', '习', '之', '乎', 'é', '，',
];

/// Words of frequent parts, in an order of their own.
fn words(seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    let parts = ["学而", "时习", "之", "ab", "abc", "乎，", "é", "习之", " "];
    (0..400)
        .map(|_| {
            let length = 1 + random.below(6);
            (0..length)
                .map(|_| match random.below(4) {
                    0 => CHARACTERS[random.below(CHARACTERS.len())].to_string(),
                    _ => parts[random.below(parts.len())].to_owned(),
                })
                .collect()
        })
        .collect()
}

fn counts<'a>(words: impl Iterator<Item = &'a String>) -> WordCounts {
    let mut counts = WordCounts::new(WordSource {
        normalizer: None,
        pre_tokenizer: Some(scheme::pre_tokenizer("qwen", None).unwrap()),
        cap: None,
    });
    let mut table = WordTable::default();
    for word in words {
        table.add(word.as_bytes(), 1);
    }
    counts.words = Stored::Table(table);
    counts
}

fn config() -> UnigramConfig {
    let mut config = UnigramConfig::new(330);
    config.pieces.tau = 2;
    config
}

fn train_with(
    counts: &WordCounts,
    config: &UnigramConfig,
    find: Option<&mut FindBoundaries<'_>>,
    lexicon: &[&str],
) -> crate::Result<TrainedUnigram> {
    train_with_segments(counts, config, find, lexicon, LARGEST_SEGMENTS)
}

fn train_with_segments(
    counts: &WordCounts,
    config: &UnigramConfig,
    find: Option<&mut FindBoundaries<'_>>,
    lexicon: &[&str],
    most: usize,
) -> crate::Result<TrainedUnigram> {
    let mut adapter;
    let find_boundaries: Option<&mut FindBoundaries<'_>> = match find {
        Some(find) => {
            adapter = |texts: &[&str]| find(texts);
            Some(&mut adapter)
        }
        None => None,
    };
    let inputs = UnigramInputs {
        counts,
        counts_without_prior: None,
        dictionary: None,
        find_boundaries,
        lexicon: Lexicon::Words(lexicon.iter().map(|&word| word.to_owned()).collect()),
    };
    let trained = train_within(inputs, config, most, &mut |_| ControlFlow::Continue(()))?;
    Ok(trained.expect("nobody said stop"))
}

fn train(counts: &WordCounts, config: &UnigramConfig) -> TrainedUnigram {
    train_with(counts, config, None, &[]).unwrap()
}

/// Pieces as bytes and their scores, in the order of their ids.
fn pieces(trained: &TrainedUnigram) -> Vec<(Vec<u8>, f64)> {
    let Model::Unigram { vocab, .. } = &trained.definition.model else {
        panic!("not Unigram");
    };
    let bytes = |piece: &String| byte_alphabet::decode(piece).unwrap();
    vocab
        .iter()
        .map(|(piece, score)| (bytes(piece), *score))
        .collect()
}

#[test]
fn vocabularies_have_their_size_all_bytes_and_whole_units() {
    let counts = counts(words(1).iter());
    for estimate in [Estimate::Hard, Estimate::Soft] {
        let mut config = config();
        config.estimate = estimate;
        config.pieces.special_tokens = vec!["<end>".to_owned(), "<pad>".to_owned()];
        let trained = train(&counts, &config);
        let pieces = pieces(&trained);
        assert_eq!(pieces.len(), 330);
        for byte in 0..=u8::MAX {
            assert_eq!(pieces[2 + usize::from(byte)].0, [byte]);
        }
        for (piece, score) in &pieces[2..] {
            assert!(score.fract() * 1024.0 % 1.0 == 0.0 && *score < 0.0);
            let whole = std::str::from_utf8(piece).is_ok();
            assert!(
                whole || piece.len() < 3,
                "{piece:x?} is no part of a character"
            );
        }
        let costs: Vec<f64> = pieces[258..].iter().map(|(_, score)| -score).collect();
        assert!(costs.is_sorted());
    }
}

#[test]
fn neither_threads_nor_orders_change_a_digit() {
    let list = words(2);
    for estimate in [Estimate::Hard, Estimate::Soft] {
        let mut config = config();
        config.estimate = estimate;
        config.refinement = 2;
        let first = train(&counts(list.iter()), &config);
        for threads in [2, 3] {
            config.pieces.threads = threads;
            let other = train(&counts(list.iter().rev()), &config);
            assert_eq!(first.definition, other.definition);
            assert_eq!(first.report, other.report);
        }
    }
}

#[test]
fn the_reported_tokens_and_cost_are_those_of_the_encoder() {
    let list = words(3);
    let counts = counts(list.iter());
    let trained = train(&counts, &config());
    let model = crate::model::Model::compile(&trained.definition.model).unwrap();
    let scores = pieces(&trained);
    let mut scratch = crate::model::ModelScratch::default();
    let (mut tokens, mut cost) = (0, 0.0);
    for word in &list {
        let mut found = Vec::new();
        let spelled = byte_alphabet::encode(word.as_bytes());
        model.tokenize(&spelled, &mut scratch, &mut found).unwrap();
        tokens += u64::try_from(found.len()).unwrap();
        let of = |token: &crate::model::Token| -scores[crate::ids::index(token.id)].1;
        cost += found.iter().map(of).sum::<f64>();
    }
    // The cut at tau changes no segmentation: no piece crosses it.
    assert_eq!(trained.report.tokens, tokens);
    assert!((trained.report.cost - cost).abs() < 1e-6);
}

#[test]
fn a_large_price_of_tokens_makes_fewer_of_them() {
    let counts = counts(words(4).iter());
    let mut config = config();
    let mut tokens = Vec::new();
    for lambda in [0.0, 4.0, 64.0, 1000.0] {
        config.lambda = lambda;
        tokens.push(train(&counts, &config).report.tokens);
    }
    assert!(tokens.is_sorted_by(|a, b| a >= b), "{tokens:?}");
}

#[test]
fn refinement_never_makes_the_text_dearer() {
    let mut refined = 0;
    for seed in 20..40 {
        let counts = counts(words(seed).iter());
        let mut config = config();
        config.pieces.overshoot = 1.1;
        let plain = train(&counts, &config).report.cost;
        config.refinement = 6;
        let cost = train(&counts, &config).report.cost;
        assert!(cost <= plain, "seed {seed}: {cost} after {plain}");
        refined += usize::from(cost < plain);
    }
    assert!(refined > 0);
}

#[test]
fn the_boundary_prior_takes_pieces_that_cross_words_away() {
    let list = words(5);
    let counts = counts(list.iter());
    let mut config = config();
    let mut crossing = Vec::new();
    for gamma in [0.0, 64.0] {
        config.gamma = gamma;
        // A boundary before each 之 and 时.
        let mut find = |texts: &[&str]| {
            let of = |text: &&str| {
                let begins = |&(at, c): &(usize, char)| at > 0 && "之时".contains(c);
                let places = text.char_indices().filter(begins);
                places.map(|(at, _)| u32::try_from(at).unwrap()).collect()
            };
            Ok(texts.iter().map(of).collect())
        };
        let trained = train_with(&counts, &config, Some(&mut find), &[]).unwrap();
        let crosses = |(piece, _): &(Vec<u8>, f64)| {
            std::str::from_utf8(piece)
                .is_ok_and(|text| text.chars().skip(1).any(|c| "之时".contains(c)))
        };
        crossing.push(
            pieces(&trained)
                .iter()
                .filter(|piece| crosses(piece))
                .count(),
        );
    }
    assert!(crossing[1] * 2 < crossing[0], "{crossing:?}");
}

#[test]
fn words_of_the_lexicon_are_candidates_and_may_be_cheaper() {
    let list = words(6);
    let counts = counts(list.iter());
    let mut config = config();
    config.pieces.tau_w = Some(2);
    config.pieces.overshoot = 1.0;
    let plain = pieces(&train(&counts, &config));
    // Five characters that stand in the text twice and were not grown.
    let stretches = list.iter().flat_map(|word| {
        let characters: Vec<char> = word.chars().collect();
        let windows: Vec<String> = characters.windows(5).map(|w| w.iter().collect()).collect();
        windows
    });
    let is_new = |text: &String| {
        let count: usize = list
            .iter()
            .map(|word| word.matches(text.as_str()).count())
            .sum();
        count >= 2 && !plain.iter().any(|(piece, _)| piece == text.as_bytes())
    };
    let new = stretches.clone().find(is_new).expect("one such stretch");
    let score_with = |beta: f64| {
        let mut config = config.clone();
        config.beta = beta;
        let trained = train_with(&counts, &config, None, &[&new, "没有"]).unwrap();
        assert_eq!(trained.report.lexicon_words, 1);
        // One candidate more than fit: one goes.
        assert_eq!(trained.report.candidates, 331);
        assert_eq!(pieces(&trained).len(), 330);
        let found = pieces(&trained).into_iter();
        let score = found.filter(|(piece, _)| piece == new.as_bytes());
        score
            .map(|(_, score)| score)
            .next()
            .expect("a candidate that is used")
    };
    // A price of a token more than its rarity; and the least cost there is.
    assert!(score_with(0.0) < -config.lambda);
    assert!((score_with(1000.0) + 1.0 / 1024.0).abs() < f64::EPSILON);
}

#[test]
fn segments_that_are_cut_further_are_segmented_alike() {
    let mut shorter = 0;
    for seed in 30..50 {
        let list = words(seed);
        let counts = counts(list.iter());
        let mut config = config();
        config.pieces.tau_w = Some(2);
        config.pieces.vocab_size = 300 + u32::try_from(seed).unwrap();
        let lexicon = ["学而时习", "习之乎，", "没有"];
        let plain = train_with(&counts, &config, None, &lexicon).unwrap();
        for threads in [1, 3] {
            config.pieces.threads = threads;
            for most in [0, plain.report.cut.segment_bytes - 1] {
                let cut = train_with_segments(&counts, &config, None, &lexicon, most).unwrap();
                assert_eq!(cut.definition, plain.definition);
                assert_eq!(cut.report.tokens, plain.report.tokens);
                assert_eq!(cut.report.lexicon_words, plain.report.lexicon_words);
                let bytes = cut.report.cut.segment_bytes;
                shorter += usize::from(bytes < plain.report.cut.segment_bytes);
            }
        }
        let most = plain.report.cut.segment_bytes;
        let same = train_with_segments(&counts, &config, None, &lexicon, most).unwrap();
        assert_eq!(same.report, plain.report);
    }
    assert!(shorter > 60, "{shorter} of 80");
}

#[test]
fn candidates_are_grown_on_fewer_segments_and_are_the_same() {
    for seed in 50..70 {
        let list = words(seed);
        let counts = counts(list.iter());
        let mut config = config();
        config.pieces.vocab_size = 264 + u32::try_from(seed % 10).unwrap();
        let found = train(&counts, &config);
        // What is cut nowhere is not grown with a guess.
        config.pieces.tau = 1;
        let plain = train(&counts, &config);
        assert_eq!(found.definition, plain.definition);
        assert_eq!(found.report.candidates, plain.report.candidates);
        let meetings = Meetings::new(counts.words(), 2, 1).unwrap();
        let merges = config.pieces.grown_size() - 256;
        assert!(
            meetings.likely_tau(crate::ids::index(merges)) > 4,
            "a guess"
        );
    }
}

#[test]
fn characters_that_are_asked_for_stay_with_their_prefixes() {
    let counts = counts(words(7).iter());
    let mut config = config();
    config.pieces.required_chars = vec!['乎', '龘', '😀'];
    let known: Vec<_> = pieces(&train(&counts, &config))
        .into_iter()
        .map(|(p, _)| p)
        .collect();
    for piece in ["乎", "龘", "😀"] {
        let bytes = piece.as_bytes();
        for length in 2..=bytes.len() {
            assert!(
                known.contains(&bytes[..length].to_vec()),
                "{piece} {length}"
            );
        }
    }
}

#[test]
fn what_cannot_be_is_said() {
    let counts = counts(words(8).iter());
    let refused = |change: &dyn Fn(&mut UnigramConfig)| {
        let mut config = config();
        change(&mut config);
        train_with(&counts, &config, None, &[])
            .unwrap_err()
            .to_string()
    };
    let few = refused(&|config| config.pieces.vocab_size = 30_000);
    assert!(few.starts_with("vocab_size: 30000; the text has"), "{few}");
    let room =
        refused(&|config| config.pieces.required_chars = ('一'..'丏').chain('乁'..'亳').collect());
    assert!(
        room.starts_with("vocab_size: 330; expected at least"),
        "{room}"
    );
    let prior = refused(&|config| config.gamma = 1.0);
    assert!(prior.starts_with("segmenter: "), "{prior}");
}

#[test]
fn a_caller_can_stop_a_run_at_every_event() {
    let counts = counts(words(9).iter());
    let run = |stop: usize| {
        let mut seen = 0;
        let inputs = UnigramInputs {
            counts: &counts,
            counts_without_prior: None,
            dictionary: None,
            find_boundaries: None,
            lexicon: Lexicon::Words(Vec::new()),
        };
        let trained = train_unigram(inputs, &config(), &mut |_| {
            seen += 1;
            if seen == stop {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        (trained.unwrap().is_some(), seen)
    };
    let (ended, events) = run(usize::MAX);
    assert!(ended && events > 5);
    for stop in 1..=events {
        assert!(!run(stop).0, "event {stop} of {events}");
    }
}

/// Train beside a search for boundaries; whether merging had begun each time that
/// the dictionary was opened.
fn openings(threads: usize, last: Option<Stage>) -> (Vec<bool>, bool) {
    let texts = words(5);
    let counts = counts(texts.iter());
    let mut config = config();
    config.gamma = 8.0;
    config.pieces.threads = threads;
    let segmenter = WordSegmenter::from_dictionary("学而 9 n\n时习 8 n\n").unwrap();
    let segmenter = Arc::new(segmenter);
    let (is_merging, openings) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    let open = || {
        let merging = is_merging.load(Ordering::SeqCst);
        openings.lock().unwrap().push(merging);
        Ok(Arc::clone(&segmenter))
    };
    let inputs = UnigramInputs {
        counts: &counts,
        counts_without_prior: None,
        dictionary: Some(&open),
        find_boundaries: None,
        lexicon: Lexicon::Words(Vec::new()),
    };
    let trained = train_unigram(inputs, &config, &mut |progress: Progress| {
        if Some(progress.stage) == last {
            return ControlFlow::Break(());
        }
        match progress.stage {
            Stage::Pairs => std::thread::sleep(Duration::from_millis(50)),
            Stage::Merges => is_merging.store(true, Ordering::SeqCst),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    let is_trained = trained.unwrap().is_some();
    (openings.into_inner().unwrap(), is_trained)
}

#[test]
fn what_is_done_beside_begins_with_the_merges() {
    for threads in [1, 2, 3] {
        let (openings, is_trained) = openings(threads, None);
        assert!(is_trained && openings.len() == threads, "{openings:?}");
        assert!(openings.iter().all(|&is_merging| is_merging));
    }
}

#[test]
fn what_is_done_beside_ends_when_a_run_is_stopped() {
    for last in [Stage::Cut, Stage::Pairs, Stage::Merges] {
        for threads in [1, 2, 3] {
            assert!(!openings(threads, Some(last)).1);
        }
    }
}
