use super::*;
use crate::zh::rewrite::Rewritten;

fn entry(token: &str, standard: &[&str], scope: Scope, contexts: &[&str]) -> EntryDefinition {
    EntryDefinition {
        token: token.to_owned(),
        standard: standard.iter().map(|&form| form.to_owned()).collect(),
        scope,
        contexts: contexts.iter().map(|&name| name.to_owned()).collect(),
        reason: "rule".to_owned(),
    }
}

fn contract() -> ContextDefinition {
    ContextDefinition {
        name: "contract-party".to_owned(),
        sentence: vec!["甲方".to_owned(), "合同".to_owned()],
        ..ContextDefinition::default()
    }
}

fn dialect() -> Dialect {
    let entries = vec![
        entry("唔係", &["不是"], Scope::Any, &[]),
        entry("唔", &["不"], Scope::Any, &[]),
        entry("係", &["是"], Scope::Dialect, &[]),
        entry("恁", &["你們", "你的"], Scope::Dialect, &[]),
        entry("恁", &["您"], Scope::Honorific, &["contract-party"]),
    ];
    Dialect::new(entries, vec![contract()], "關係 100\n係 5\n").unwrap()
}

fn run(dialect: &Dialect, text: &str) -> Rewritten {
    let mut silent = Rewriter::new(text, false);
    dialect.rewrite(text, &mut silent);
    let mut out = Rewriter::new(text, true);
    dialect.rewrite(text, &mut out);
    let out = out.finish();
    assert_eq!(silent.finish().text, out.text);
    out
}

#[test]
fn words_are_replaced_where_they_stand_alone() {
    let dialect = dialect();
    for (text, normalized) in [
        ("佢唔係我", "佢不是我"),
        ("唔知係乜", "不知是乜"),
        ("係我。唔知", "係我。不知"), // ordinary in its own sentence
        ("唔知關係", "不知關係"),     // inside a word
        ("", ""),
    ] {
        assert_eq!(run(&dialect, text).text, normalized);
    }
}

#[test]
fn a_word_that_no_dictionary_has_is_found_where_it_is_likelier() {
    let rows = vec![
        entry("格色", &["特别"], Scope::Any, &[]),
        entry("色人", &["甲"], Scope::Dialect, &[]),
    ];
    let dictionary = "真格 10\n颜色 90000\n真 900\n色 9000\n资格 20000\n人 90000\n";
    let dialect = Dialect::new(rows, Vec::new(), dictionary).unwrap();
    assert_eq!(run(&dialect, "真格色").text, "真特别");
    assert_eq!(run(&dialect, "资格色").text, "资格色");
    assert_eq!(run(&dialect, "颜色人，格色").text, "颜色人，特别");
}

#[test]
fn a_form_of_address_is_replaced_in_its_context_only() {
    let dialect = dialect();
    assert_eq!(
        run(&dialect, "甲方請恁簽字。恁來").text,
        "甲方請您簽字。恁來"
    );
    assert_eq!(run(&dialect, "恁唔知").text, "你們不知");
    let kept = run(&dialect, "恁好");
    assert_eq!(kept.text, "恁好");
    assert_eq!(kept.notes[0].status, Status::Kept);
    assert_eq!(kept.notes[0].reason, "rule: not contract-party");
    let both = run(&dialect, "恁唔知");
    assert_eq!(both.notes[0].status, Status::Ambiguous);
    assert_eq!(both.notes[0].candidates, ["你們", "你的"]);
}

#[test]
fn neighbours_decide_where_a_context_says_so() {
    let context = ContextDefinition {
        name: "verb".to_owned(),
        next: vec!["飯".to_owned()],
        not_prev: vec!["不".to_owned()],
        ..ContextDefinition::default()
    };
    let rows = vec![entry("食", &["吃"], Scope::Any, &["verb"])];
    let dialect = Dialect::new(rows, vec![context], "").unwrap();
    assert_eq!(run(&dialect, "食飯不食飯食物").text, "吃飯不食飯食物");
}

#[test]
fn rows_of_one_rank_that_both_apply_are_ambiguous() {
    let context = |name: &str, next: &str| ContextDefinition {
        name: name.to_owned(),
        next: vec![next.to_owned()],
        ..ContextDefinition::default()
    };
    let contexts = vec![context("one", "食"), context("two", "食飯")];
    let rows = vec![
        entry("甲", &["乙"], Scope::Any, &["one"]),
        entry("甲", &["丙", "乙"], Scope::Any, &["two"]),
        entry("甲", &["丁"], Scope::Any, &[]),
    ];
    let dialect = Dialect::new(rows, contexts, "").unwrap();
    let both = run(&dialect, "甲食飯甲食甲");
    assert_eq!(both.text, "乙食飯乙食丁");
    let statuses: Vec<Status> = both.notes.iter().map(|note| note.status).collect();
    assert_eq!(statuses, [Status::Ambiguous, Status::Sure, Status::Sure]);
    assert_eq!(both.notes[0].candidates, ["乙", "丙"]);
}

#[test]
fn tables_that_contradict_themselves_are_refused() {
    let refusal = |entries: Vec<EntryDefinition>| {
        let error = Dialect::new(entries, vec![contract()], "").unwrap_err();
        error.to_string()
    };
    let any = |token, standard| entry(token, standard, Scope::Any, &[]);
    let two = refusal(vec![any("唔", &["不"]), any("唔", &["無"])]);
    assert!(two.contains("two standard forms in one context"), "{two}");
    let circle = refusal(vec![any("a", &["b"]), any("b", &["c"]), any("c", &["a"])]);
    assert!(circle.contains("in a circle: a -> b -> c -> a"), "{circle}");
    assert!(refusal(vec![any("a", &["a"])]).contains("others than the token"));
    assert!(refusal(vec![any("", &["a"])]).contains("empty token"));
    let lone = refusal(vec![entry("恁", &["您"], Scope::Honorific, &[])]);
    assert!(lone.contains("honorific without a context"), "{lone}");
    let nowhere = refusal(vec![entry("恁", &["您"], Scope::Any, &["court"])]);
    assert!(
        nowhere.contains("no context is called \"court\""),
        "{nowhere}"
    );
}

#[test]
fn a_long_run_of_letters_takes_linear_time() {
    let rows = vec![entry("ab", &["c"], Scope::Any, &[])];
    let dialect = Dialect::new(rows, Vec::new(), "北京 5\n").unwrap();
    let text = "ab".repeat(200_000);
    assert_eq!(run(&dialect, &text).text, text);
}

#[test]
fn a_long_text_takes_linear_time() {
    let text = "恁甲方關係唔".repeat(50_000);
    assert_eq!(run(&dialect(), &text).text.matches('您').count(), 50_000);
}
