use serde_json::{Value, json};

use super::*;

fn definition(dict: &Value) -> ScriptDefinition {
    let definition = json!({
        "conversion_chain": [{"dict": dict}],
        "files": {
            "phrases": "ab\tAB\nabc\tABC\n",
            "more": "# comment\n\nabcd\tABCD\nab\tother\n",
            "letters": "a\t1\nabcde\t5\nd\t4 D\n",
            "rare": "a\t\u{20000}\nd\t\u{20001}\nx\t\u{20002} y\nz\t\u{20003} z\n",
            "odd": "# a\nkey value\n",
        },
    });
    serde_json::from_value(definition).unwrap()
}

fn rows(definition: &ScriptDefinition) -> Vec<(String, String)> {
    let chain = definition.chain().unwrap();
    let row = |entry: &Entry<'_>| (entry.key.to_owned(), entry.values.join(" "));
    chain[0].iter().map(row).collect()
}

fn keys(dict: &Value) -> Vec<String> {
    let rows = rows(&definition(dict));
    rows.into_iter().map(|(key, _)| key).collect()
}

fn text(file: &str) -> Value {
    json!({"type": "text", "file": file})
}

fn group(policy: &str, dicts: &[Value]) -> Value {
    json!({"type": "group", "match_policy": policy, "dicts": dicts})
}

#[test]
fn a_short_match_of_an_early_dictionary_hides_longer_ones_of_later_ones() {
    let dicts = [text("phrases"), text("more"), text("letters")];
    let dict = group("short_circuit", &dicts);
    assert_eq!(keys(&dict), ["a", "ab", "abc", "d"]);
}

#[test]
fn a_union_takes_the_longest_match_and_of_equal_keys_the_first() {
    let union = group("union", &[text("phrases"), text("more")]);
    assert_eq!(keys(&union), ["ab", "abc", "abcd"]);
    assert_eq!(rows(&definition(&union))[0].1, "AB");
    let nested = group("short_circuit", &[union, text("letters")]);
    assert_eq!(keys(&nested), ["a", "ab", "abc", "abcd", "d"]);
}

#[test]
fn what_few_fonts_have_is_put_only_where_it_may_be() {
    let mut rare = text("rare");
    rare["may_output_tofu"] = json!(true);
    let dict = group("short_circuit", &[rare, text("letters")]);
    let rows_at = |glyphs| {
        let mut definition = definition(&dict);
        definition.glyphs = glyphs;
        rows(&definition)
    };
    let row = |key: &str, values: &str| (key.to_owned(), values.to_owned());
    assert_eq!(rows_at(Glyphs::Any)[0], row("a", "\u{20000}"));
    let without = [row("a", "1"), row("abcde", "5"), row("d", "4 D")];
    assert_eq!(rows_at(Glyphs::Opencc)[..3], without);
    assert_eq!(rows_at(Glyphs::Opencc)[3], row("x", "x \u{20002} y"));

    let mut definition = definition(&text("rare"));
    definition.glyphs = Glyphs::Bmp;
    let common = rows(&definition);
    assert_eq!(common[0], row("a", "a \u{20000}"));
    assert_eq!(common[2], row("x", "y \u{20002}"));
    assert_eq!(common[3], row("z", "z \u{20003}"));
    assert!(
        definition.chain().unwrap()[0]
            .iter()
            .all(|entry| entry.rare)
    );
}

#[test]
fn what_is_not_as_expected_is_named() {
    let refuse = |dict: &Value| definition(dict).chain().unwrap_err().to_string();
    assert!(refuse(&text("none")).contains("no text of \"none\""));
    assert!(refuse(&text("odd")).contains("odd, line 2: \"key value\""));
    let policy = group("short_circuit", &[text("phrases"), text("more")]);
    assert!(refuse(&group("union", &[policy, text("letters")])).contains("match_policy"));
    let unknown = json!({"conversion_chain": [], "files": {}, "conversion": []});
    let error = serde_json::from_value::<ScriptDefinition>(unknown).unwrap_err();
    assert!(error.to_string().contains("conversion"), "{error}");
}
