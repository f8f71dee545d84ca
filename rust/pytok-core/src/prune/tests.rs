//! Plans and what becomes of small vocabularies of every kind.

use super::{Limit, Mode, Pruned, Pruner, apply};
use crate::format;
use crate::pipeline::{EncodeOptions, Tokenizer};

fn load(model: &str, rest: &str) -> Tokenizer {
    let file = format!(
        r#"{{"added_tokens": [{rest}], "normalizer": null, "pre_tokenizer": null,
            "post_processor": null, "decoder": null, "model": {model}}}"#
    );
    Tokenizer::compile(format::load(file.as_bytes(), &format::LoadOptions::default()).unwrap())
        .unwrap()
}

fn added(content: &str, id: u32) -> String {
    format!(r#"{{"id": {id}, "content": "{content}", "special": true}}"#)
}

fn ids(tokenizer: &Tokenizer, text: &str) -> Vec<u32> {
    tokenizer
        .encode_ids(text, &EncodeOptions::default())
        .unwrap()
}

fn plan(tokenizer: &Tokenizer, counts: &[u64], pieces: usize) -> Vec<(u32, u64)> {
    let pruner = Pruner::new(tokenizer, &[], Mode::Compact).unwrap();
    let plan = pruner.plan(counts, &[], Limit::pieces(pieces)).unwrap();
    plan.iter().map(|one| (one.id, one.utility)).collect()
}

fn pruned(tokenizer: &Tokenizer, removed: &[u32], mode: Mode) -> Pruned {
    apply(tokenizer, removed, mode, &[]).unwrap()
}

const BPE: &str = r#"{"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2, "ab": 3, "abab": 4, "ababc": 5,
    "cc": 6, "bbb": 7}, "merges": ["a b", "ab ab", "abab c", "c c"]}"#;

#[test]
fn leaves_go_and_their_uses_with_them() {
    let tokenizer = load(BPE, "");
    // No merge makes "bbb", so it goes first, and whatever the number is.
    let some = |pieces| plan(&tokenizer, &[9, 9, 9, 0, 0, 4, 1, 0], pieces);
    assert_eq!(some(0), [(7, 0)]);
    assert_eq!(some(2), [(7, 0), (6, 1)]);
    // "abab" has no use of its own, but is needed until "ababc" goes; then it has 4.
    let all = plan(&tokenizer, &[9, 9, 9, 0, 0, 4, 1, 0], 9);
    assert_eq!(all, [(7, 0), (6, 1), (5, 4), (4, 4), (3, 8)]);
    let pruner = Pruner::new(&tokenizer, &[5], Mode::Compact).unwrap();
    let limit = Limit {
        pieces: 9,
        utility: Some(0),
    };
    assert_eq!(
        pruner
            .plan(&[1, 1, 1, 1, 1, 1, 1, 0], &[], limit)
            .unwrap()
            .len(),
        1
    );
    let left = pruner
        .plan(&[1, 1, 1, 1, 1, 1, 1, 0], &[], Limit::pieces(9))
        .unwrap();
    assert_eq!(left.iter().map(|one| one.id).collect::<Vec<_>>(), [7, 6]);
    assert!(pruner.plan(&[1], &[], limit).is_err());
    assert_eq!(pruner.unreachable(), [7]);
    assert!(Pruner::new(&tokenizer, &[8], Mode::Compact).is_err());
}

#[test]
fn of_equal_pieces_the_later_goes_first() {
    let tokenizer = load(BPE, "");
    let none = plan(&tokenizer, &[0; 8], 9);
    assert_eq!(
        none.iter().map(|one| one.0).collect::<Vec<_>>(),
        [7, 6, 5, 4, 3]
    );
}

#[test]
fn a_pruned_bpe_model_encodes_by_what_is_left() {
    let tokenizer = load(BPE, &added("<e>", 8));
    let compact = pruned(&tokenizer, &[7, 5, 6], Mode::Compact);
    assert_eq!(
        compact.id_map,
        [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (8, 5)]
    );
    assert_eq!(ids(&compact.tokenizer, "ababccab"), [4, 2, 2, 3]);
    assert_eq!(compact.tokenizer.token_to_id("<e>"), Some(5));
    assert_eq!(compact.tokenizer.vocab_size(), 6);
    let stable = pruned(&tokenizer, &[7, 5, 6], Mode::Stable);
    assert_eq!(ids(&stable.tokenizer, "ababccab"), [4, 2, 2, 3]);
    assert_eq!(stable.tokenizer.token_to_id("<e>"), Some(8));
    assert_eq!(stable.tokenizer.decode(&[5], false).unwrap(), "ababc");
}

#[test]
fn special_tokens_get_the_ids_that_are_asked_for() {
    let tokenizer = load(BPE, &[added("<e>", 8), added("<s>", 9)].join(","));
    let ask = |special: &[(&str, u32)]| {
        let special: Vec<_> = special
            .iter()
            .map(|&(name, id)| (name.to_owned(), id))
            .collect();
        apply(&tokenizer, &[7, 6], Mode::Compact, &special)
    };
    let pruned = ask(&[("<s>", 0)]).unwrap();
    let expected = [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 4),
        (4, 5),
        (5, 6),
        (8, 7),
        (9, 0),
    ];
    assert_eq!(pruned.id_map, expected);
    assert_eq!(ids(&pruned.tokenizer, "ababcc"), [6, 3]);
    assert_eq!(pruned.tokenizer.token_to_id("<s>"), Some(0));
    let written = format::tokenizer_json::write(pruned.tokenizer.definition()).unwrap();
    let read = Tokenizer::compile(format::tokenizer_json::read(&written).unwrap()).unwrap();
    assert_eq!(read.vocab(), pruned.tokenizer.vocab());
    for wrong in [
        &[("<s>", 8)][..],
        &[("ab", 0)],
        &[("<s>", 1), ("<e>", 1)],
        &[("no", 1)],
    ] {
        assert!(ask(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn unigram_pieces_give_way_to_the_best_of_the_others() {
    let model = r#"{"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -3.0],
        ["b", -3.0], ["ab", -4.0], ["aba", -5.0], ["bab", -9.5], ["abab", -9.0], ["x", -12.0]]}"#;
    let tokenizer = load(model, "");
    let pruner = Pruner::new(&tokenizer, &[], Mode::Compact).unwrap();
    // "bab" is never better than "b ab", and "abab" than "aba b" or "ab ab".
    assert_eq!(pruner.unreachable(), [5, 6]);
    // Without "aba" and "ab", "a b a"; "x" rates what is unknown.
    let all = plan(&tokenizer, &[0, 1, 1, 5, 4, 0, 0, 0], 9);
    assert_eq!(all, [(6, 0), (5, 0), (4, 4), (3, 9)]);
    let compact = pruned(&tokenizer, &[6, 5, 4], Mode::Compact).tokenizer;
    assert_eq!(ids(&compact, "ababz"), [3, 3, 0]);
    let stable = pruned(&tokenizer, &[6, 5, 4], Mode::Stable).tokenizer;
    assert_eq!(ids(&stable, "ababz"), [3, 3, 0]);
    assert_eq!(stable.decode(&[6], false).unwrap(), "abab");
}

#[test]
fn word_pieces_go_where_single_characters_stay() {
    let model = r###"{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0, "a": 1, "##a": 2, "##b": 3,
        "ab": 4, "aba": 5, "##ba": 6, "bx": 7}}"###;
    let tokenizer = load(model, "");
    // "bx" has characters that are no pieces. "aba" becomes "ab ##a", and later "a ##ba".
    assert_eq!(
        plan(&tokenizer, &[0, 0, 0, 0, 1, 3, 9, 9], 9),
        [(4, 1), (5, 3), (6, 12)]
    );
    let compact = pruned(&tokenizer, &[4, 5], Mode::Compact).tokenizer;
    assert_eq!(ids(&compact, "abab"), [1, 4, 3]);
    assert!(Pruner::new(&tokenizer, &[], Mode::Stable).is_err());
    let words = r#"{"type": "WordLevel", "unk_token": "a", "vocab": {"a": 0, "b": 1}}"#;
    assert!(Pruner::new(&load(words, ""), &[], Mode::Compact).is_err());
}

fn ranks(pieces: &[&[u8]]) -> Tokenizer {
    use base64::Engine;
    let encode = |piece: &[u8]| base64::engine::general_purpose::STANDARD.encode(piece);
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let all = bytes.chain(pieces.iter().map(|piece| piece.to_vec()));
    let lines = all
        .enumerate()
        .map(|(rank, piece)| format!("{} {rank}\n", encode(&piece)));
    let options = format::LoadOptions {
        pattern: Some(r"\S+|\s+".to_owned()),
        special_tokens: Some(vec![("<|end|>".to_owned(), 300)]),
        encoding: None,
    };
    let file: String = lines.collect();
    Tokenizer::compile(format::load(file.as_bytes(), &options).unwrap()).unwrap()
}

#[test]
fn ranks_keep_their_order_or_their_gaps() {
    let tokenizer = ranks(&[b"ab", b"abc", b"cd", b"abcd", b"xyz"]);
    let pruner = Pruner::new(&tokenizer, &[], Mode::Compact).unwrap();
    assert!(pruner.unreachable().is_empty()); // as a whole word even "xyz" is found
    // "abcd" is "abc d"; "xyz" is no merge, and costs two tokens more.
    let counts: Vec<u64> = (0..262)
        .map(|place| if place == 260 { 5 } else { 1 })
        .collect();
    let plan = pruner.plan(&counts, &[], Limit::pieces(3)).unwrap();
    let plan: Vec<_> = plan.iter().map(|one| (one.id, one.utility)).collect();
    assert_eq!(plan, [(259, 1), (258, 1), (257, 2)]);
    let compact = pruned(&tokenizer, &[258, 259], Mode::Compact).tokenizer;
    assert_eq!(ids(&compact, "abcd xyz"), [257, 100, 32, 258]);
    assert_eq!(compact.token_to_id("<|end|>"), Some(259));
    let stable = pruned(&tokenizer, &[258, 259], Mode::Stable).tokenizer;
    assert_eq!(ids(&stable, "abcd xyz"), [257, 100, 32, 260]);
    assert_eq!(stable.token_to_id("<|end|>"), Some(300));
}

#[test]
fn whole_words_that_no_merge_makes_forbid_stable_ids() {
    let bytes = (0..=u8::MAX).map(|byte| crate::pretokenize::byte_alphabet::encode(&[byte]));
    let vocab: serde_json::Map<_, _> = bytes
        .chain(["ab", "abc", "xyz"].map(str::to_owned))
        .zip(0..)
        .map(|(piece, id)| (piece, serde_json::Value::from(id)))
        .collect();
    let vocab = serde_json::Value::from(vocab);
    let file = |merges: &str| {
        format!(
            r#"{{"added_tokens": [], "normalizer": null, "pre_tokenizer": {{"type": "ByteLevel",
            "add_prefix_space": false}}, "post_processor": null, "decoder": null, "model":
            {{"type": "BPE", "ignore_merges": true, "vocab": {vocab}, "merges": {merges}}}}}"#
        )
    };
    let load = |merges| {
        let file = file(merges);
        Tokenizer::compile(format::load(file.as_bytes(), &format::LoadOptions::default()).unwrap())
            .unwrap()
    };
    let tokenizer = load(r#"["a b", "ab c"]"#);
    let error = apply(&tokenizer, &[257], Mode::Stable, &[]).unwrap_err();
    assert!(error.to_string().contains("xyz"), "{error}");
    assert!(apply(&tokenizer, &[257, 258], Mode::Stable, &[]).is_ok());
    assert_eq!(
        ids(
            &pruned(&tokenizer, &[257], Mode::Compact).tokenizer,
            "abc xyz"
        ),
        [256, 99, 32, 120, 121, 122]
    );
}

#[test]
fn pieces_that_are_kept_keep_what_they_are_made_of() {
    let tokenizer = load(BPE, "");
    let pruner = Pruner::new(&tokenizer, &[], Mode::Stable).unwrap();
    let limit = Limit::pieces(9);
    let plan = pruner.plan_keeping(&[9, 9, 9, 0, 0, 0, 1, 0], &[], &[4], limit);
    let gone: Vec<u32> = plan.unwrap().iter().map(|one| one.id).collect();
    assert_eq!(gone, [7, 5, 6]);
    assert_eq!(pruner.made_of(&[4, 6]), [0, 1, 2, 3, 4, 6]);
    assert!(pruner.made_of(&[99]).is_empty());
}

#[test]
fn alternatives_are_counted_in_what_is_left() {
    let pruner = Pruner::new(&load(BPE, ""), &[], Mode::Stable).unwrap();
    assert_eq!(pruner.alternatives(&[5, 4, 3, 0, 99], &[]), [2, 2, 2, 0, 0]);
    assert_eq!(pruner.alternatives(&[5, 4, 3], &[3, 4, 5]), [5, 4, 2]);
}
