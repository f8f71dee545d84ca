use super::*;

fn text(text: &str) -> String {
    let bases = [('、', '。'), ('一', '\u{9fff}'), ('𠀀', '\u{2a6df}')];
    let step = VariationSequences::new(&bases).unwrap();
    let mut out = Rewriter::new(text, false);
    step.rewrite(text, &mut out);
    out.finish().text
}

#[test]
fn selectors_go_behind_their_bases_alone() {
    assert_eq!(text("葛\u{e0100}城，葛\u{fe00}"), "葛城，葛");
    assert_eq!(text("𠀀\u{e01ef}。\u{fe01}"), "𠀀。");
    for kept in [
        "❤\u{fe0f}",
        "\u{fe00}一",
        "a\u{e0100}",
        "㊗\u{fe0f}",
        "一\u{301}\u{fe00}",
    ] {
        assert_eq!(text(kept), kept);
    }
}

#[test]
fn a_second_selector_goes_with_the_first() {
    assert_eq!(text("一\u{fe00}\u{fe0f}\u{e0100}二"), "一二");
    assert_eq!(text("❤\u{fe0f}\u{fe0f}一\u{fe0f}"), "❤\u{fe0f}\u{fe0f}一");
}

#[test]
fn ranges_must_ascend() {
    for bases in [&[('b', 'a')][..], &[('a', 'c'), ('c', 'd')]] {
        let error = VariationSequences::new(bases).unwrap_err().to_string();
        assert!(error.contains("expected ascending ranges"), "{error}");
    }
}
