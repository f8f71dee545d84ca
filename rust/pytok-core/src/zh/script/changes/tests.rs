use super::*;

fn change(before: Span, after: Span, others: &[&str]) -> Change {
    Change {
        before,
        after,
        remark: Some(Box::new(Remark {
            others: others.iter().map(|&other| other.to_owned()).collect(),
            reason: "rule",
            kept: false,
        })),
    }
}

fn composed(first: &[Change], second: &[Change]) -> Vec<(Span, Span, Vec<String>)> {
    let twice = |text: &str| text.repeat(2);
    let all = compose(first.to_vec(), second.to_vec(), &twice);
    let others = |change: &Change| change.remark.clone().map_or(Vec::new(), |it| it.others);
    all.iter()
        .map(|change| (change.before, change.after, others(change)))
        .collect()
}

#[test]
fn changes_that_share_nothing_stay_apart() {
    let first = [change((0, 1), (0, 2), &["x"]), change((5, 6), (6, 7), &[])];
    let second = [
        change((2, 3), (2, 6), &["y"]),
        change((7, 8), (10, 11), &[]),
    ];
    assert_eq!(
        composed(&first, &second),
        [
            ((0, 1), (0, 2), vec!["xx".to_owned()]),
            ((1, 2), (2, 6), vec!["y".to_owned()]),
            ((5, 6), (9, 10), vec![]),
            ((6, 7), (10, 11), vec![]),
        ]
    );
}

#[test]
fn changes_that_share_a_character_become_one() {
    let first = [
        change((1, 2), (1, 4), &["x"]),
        change((2, 3), (4, 5), &["y"]),
    ];
    let whole = [change((1, 5), (1, 3), &["z"])];
    assert_eq!(
        composed(&first, &whole),
        [((1, 3), (1, 3), vec!["z".to_owned()])]
    );
    let over_both_edges = [change((3, 7), (3, 4), &["z"])];
    assert_eq!(
        composed(&first, &over_both_edges),
        [((1, 5), (1, 4), vec![])]
    );
}

#[test]
fn the_first_knows_what_a_character_could_be() {
    let (first, form) = (
        change((1, 2), (1, 3), &["x"]),
        change((1, 3), (1, 2), &["z"]),
    );
    assert_eq!(
        composed(&[first], std::slice::from_ref(&form)),
        [((1, 2), (1, 2), vec!["xx".to_owned()])]
    );
    let sure = change((1, 2), (1, 3), &[]);
    assert_eq!(
        composed(&[sure], &[form]),
        [((1, 2), (1, 2), vec!["z".to_owned()])]
    );
}

#[test]
fn nothing_and_something_is_something() {
    let one = [change((1, 2), (1, 3), &["x"])];
    assert_eq!(
        composed(&[], &one),
        [((1, 2), (1, 3), vec!["x".to_owned()])]
    );
    assert_eq!(
        composed(&one, &[]),
        [((1, 2), (1, 3), vec!["xx".to_owned()])]
    );
}
