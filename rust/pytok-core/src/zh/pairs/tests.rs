use super::*;

fn pairs(levels: Levels) -> Pairs {
    let pair = |open, close: &str, system: &str, level| PairDefinition {
        open,
        close: close.to_owned(),
        system: system.to_owned(),
        level,
        around_han: false,
    };
    let definition = PairsDefinition {
        pairs: vec![
            pair('(', ")", "round", 0),
            pair('[', "]", "square", 1),
            pair('"', "\"", "straight", 0),
        ],
        to: [('<', '>'), ('{', '}')],
        levels,
        within: Within::Line,
    };
    Pairs::new(definition).unwrap()
}

fn folded(levels: Levels, text: &str) -> String {
    let mut out = Rewriter::new(text, false);
    pairs(levels).rewrite(text, &mut out);
    out.finish().text
}

#[test]
fn levels_alternate_inside_pairs_of_another_set() {
    assert_eq!(folded(Levels::Marks, "(a[b(c)])"), "<a{b<c>}>");
    assert_eq!(folded(Levels::Marks, "[a](b)\"c\""), "{a}<b><c>");
    assert_eq!(folded(Levels::Depth, "[a]([b])"), "<a><{b}>");
}

#[test]
fn marks_without_a_partner_stay() {
    assert_eq!(folded(Levels::Marks, "(a[b)]"), "<a[b>]");
    assert_eq!(folded(Levels::Marks, "(a\n)"), "(a\n)");
    assert_eq!(folded(Levels::Marks, "\"a\"\"\n\"a\""), "\"a\"\"\n<a>");
}

#[test]
fn a_table_with_a_mark_of_two_pairs_is_refused() {
    let pair = |open| PairDefinition {
        open,
        close: ")".to_owned(),
        system: "round".to_owned(),
        level: 0,
        around_han: false,
    };
    let definition = PairsDefinition {
        pairs: vec![pair('('), pair('[')],
        to: [('<', '>'), ('{', '}')],
        levels: Levels::Marks,
        within: Within::Line,
    };
    let error = Pairs::new(definition).unwrap_err().to_string();
    assert!(error.contains("marks of no other pair"), "{error}");
}
