use serde_json::{Value, json};

use crate::zh::{Edit, Normalized, Pipeline};

/// A conversion with a second table for regional forms, and with or without
/// segmentation by its phrases.
fn definition(segmentation: bool) -> Value {
    let text = |file: &str| json!({"type": "text", "file": file});
    let group =
        |dicts: &[Value]| json!({"type": "group", "match_policy": "short_circuit", "dicts": dicts});
    let mut definition = json!({
        "name": "test",
        "type": "script",
        "normalization": [{"dict": text("forms")}],
        "conversion_chain": [
            {"dict": group(&[text("phrases"), text("characters")])},
            {"dict": group(&[text("words"), text("variants")])},
        ],
        "files": {
            "forms": "\u{f91d}\t欄\n",
            "phrases": "头发\t頭髮\n软件\t軟件\n里斯本\t里斯本\n一出\t一齣 一出\n",
            "characters": "发\t發 髮\n里\t裏 里\n头\t頭\n软\t軟\n面\t面 麪\n",
            "words": "軟件\t軟體\n頭髮軟\t頭毛\n發里\tx\n",
            "variants": "裏\t裡\n",
        },
    });
    if segmentation {
        definition["segmentation"] = json!({"type": "mmseg", "dict": text("phrases")});
    }
    definition
}

fn pipeline(definition: &Value) -> Pipeline {
    Pipeline::from_json(&json!([definition]).to_string()).unwrap()
}

fn explain(definition: &Value, text: &str) -> Normalized {
    let pipeline = pipeline(definition);
    let normalized = pipeline.explain(text).unwrap();
    assert_eq!(normalized.text, pipeline.run(text).unwrap().text);
    normalized
}

/// The edits, one a line.
fn told(normalized: &Normalized) -> Vec<String> {
    let line = |edit: &Edit| {
        let (before, after, reason) = (&edit.before, &edit.after, &edit.reason);
        let candidates = edit.candidates.join(" ");
        format!("{before}>{after} {:?} [{candidates}] {reason}", edit.status)
    };
    normalized.edits.iter().map(line).collect()
}

#[test]
fn what_the_tables_do_to_one_place_is_told_as_one() {
    let normalized = explain(&definition(false), "软件头发里面一出");
    assert_eq!(normalized.text, "軟體頭髮裡面一齣");
    assert_eq!(
        told(&normalized),
        [
            "软件>軟體 Sure [] phrase",
            "头发>頭髮 Sure [] phrase",
            "里>裡 Ambiguous [裡 里] character",
            "面>面 Kept [面 麪] character",
            "一出>一齣 Ambiguous [一齣 一出] phrase",
        ]
    );
}

#[test]
fn no_rule_crosses_a_phrase_of_the_segmentation() {
    assert_eq!(explain(&definition(false), "头发软").text, "頭毛");
    assert_eq!(explain(&definition(true), "头发软").text, "頭髮軟");
    // A phrase of the segmentation that converts to itself cuts as well.
    let text = |segmentation| explain(&definition(segmentation), "发里斯本里").text;
    assert_eq!(text(true), "發里斯本裡");
    assert_eq!(text(false), "x斯本裡");
}

#[test]
fn phrases_of_the_chain_cut_as_a_table_of_their_own_would() {
    let with_first = definition(true);
    let mut with_own = with_first.clone();
    with_own["files"]["again"] = with_own["files"]["phrases"].clone();
    with_own["segmentation"]["dict"]["file"] = json!("again");
    for text in [
        "头发软件里",
        "里里头发头发软",
        "一出里斯本发",
        "\u{f91d}里",
        "发",
    ] {
        assert_eq!(
            explain(&with_first, text).text,
            explain(&with_own, text).text
        );
    }
}

#[test]
fn a_sequence_that_describes_a_character_stays() {
    for (text, expected) in [
        ("⿰里发发", "⿰里发發"),
        ("⿱⿰里发头里", "⿱⿰里发头裡"),
        ("⿰里", "⿰裡"),
        ("⿲里发", "⿲裡發"),
        ("⿾发发", "⿾发發"),
        ("⿰", "⿰"),
    ] {
        assert_eq!(explain(&definition(false), text).text, expected);
    }
    let deep = |levels: usize| "⿰".repeat(levels) + &"里".repeat(levels + 1);
    assert_eq!(explain(&definition(false), &deep(15)).text, deep(15));
    // Not a sequence, but the shorter ones in it are.
    assert_eq!(
        explain(&definition(false), &deep(16)).text,
        deep(15).replacen("⿰", "⿰⿰", 1) + "裡"
    );
}

#[test]
fn what_is_in_the_list_stays_and_is_reported() {
    let mut definition = definition(false);
    definition["keep"] = json!(["里", "里斯", "\u{f91d}"]);
    let normalized = explain(&definition, "里斯本里发\u{f91d}");
    assert_eq!(normalized.text, "里斯本里發\u{f91d}");
    assert_eq!(
        told(&normalized),
        [
            "里斯>里斯 Kept [] keep list",
            "里>里 Kept [] keep list",
            "发>發 Ambiguous [發 髮] character",
            "\u{f91d}>\u{f91d} Kept [] keep list",
        ]
    );
}

#[test]
fn normalization_comes_first_and_nul_is_a_character() {
    let normalized = explain(&definition(true), "\u{f91d}\0里");
    assert_eq!(normalized.text, "欄\0裡");
    assert_eq!(explain(&definition(true), "").text, "");
}
