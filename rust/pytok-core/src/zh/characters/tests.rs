use super::*;

fn table(rows: &[(&str, &str)]) -> Result<Characters> {
    let row = |&(key, put): &(&str, &str)| (key.to_owned(), put.to_owned(), "rule".to_owned());
    Characters::new(&rows.iter().map(row).collect::<Vec<_>>())
}

fn text(rows: &[(&str, &str)], text: &str) -> String {
    let mut out = Rewriter::new(text, false);
    table(rows).unwrap().rewrite(text, &mut out);
    out.finish().text
}

/// What the table does, without a table: at each place the longest key that fits.
fn plainly(rows: &[(&str, &str)], mut text: &str) -> String {
    let mut made = String::new();
    while let Some(first) = text.chars().next() {
        let fits = rows.iter().filter(|(key, _)| text.starts_with(key));
        match fits.max_by_key(|(key, _)| key.len()) {
            Some((key, put)) => {
                made.push_str(put);
                text = &text[key.len()..];
            }
            None => {
                made.push(first);
                text = &text[first.len_utf8()..];
            }
        }
    }
    made
}

#[test]
fn every_code_point_finds_its_own_row_and_no_other() {
    let keys = [
        "\0",
        "a",
        "ÿ",
        "Ā",
        "一",
        "丁",
        "\u{ffff}",
        "𠀀",
        "\u{10ffff}",
    ];
    let rows: Vec<_> = keys.iter().map(|&key| (key, "!")).collect();
    let table = table(&rows).unwrap();
    for character in '\0'..=char::MAX {
        let key = character.to_string();
        let known = keys.contains(&key.as_str());
        assert_eq!(table.find(character).is_some(), known, "{character:?}");
    }
}

#[test]
fn the_longest_key_at_a_place_counts() {
    let rows = [
        ("ｶ", "カ"),
        ("ｶﾞ", "ガ"),
        ("ｶﾞﾞ", "!"),
        ("ﾞ", "゛"),
        ("x", ""),
        ("yy", "z"),
    ];
    for sample in ["ｶ", "ｶﾞ", "ｶﾞﾞﾞ", "ｶｶﾞｷﾞ", "xｶxﾞ", "yyy", "y", "", "ｶx"]
    {
        assert_eq!(text(&rows, sample), plainly(&rows, sample), "{sample}");
    }
}

#[test]
fn rows_that_say_the_same_twice_are_one() {
    assert_eq!(text(&[("a", "b"), ("a", "b")], "aa"), "bb");
    let error = table(&[("ab", "c"), ("ab", "d")]).unwrap_err().to_string();
    assert!(error.contains("\"ab\" stands for both"), "{error}");
    let error = table(&[("", "d")]).unwrap_err().to_string();
    assert!(error.contains("the key \"\""), "{error}");
}

#[test]
fn replacements_one_after_the_other_do_the_same() {
    let rows = [("ｶ", "カ"), ("ｶﾞ", "ガ"), ("ﾞ", "゛"), ("a", "aé")];
    let portable = table(&rows).unwrap();
    let portable = portable.replacements().unwrap();
    for sample in ["ｶｶﾞﾞa", "ﾞｶa", "aｶﾞ"] {
        let replace = |text: String, (key, put): &(String, &str)| text.replace(key, put);
        let made = portable.iter().fold(sample.to_owned(), replace);
        assert_eq!(made, text(&rows, sample));
    }
}

#[test]
fn what_replacements_cannot_do_is_not_given_as_such() {
    for rows in [
        &[("a", "b"), ("b", "c")][..],
        &[("a", "b"), ("cb", "d")],
        &[("ab", "x"), ("bc", "y")],
    ] {
        assert!(table(rows).unwrap().replacements().is_none(), "{rows:?}");
    }
}
