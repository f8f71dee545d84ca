use super::WordSegmenter;

/// The words of `text` under a dictionary.
fn words<'t>(dictionary: &str, text: &'t str) -> Vec<&'t str> {
    let segmenter = WordSegmenter::from_dictionary(dictionary).unwrap();
    let mut words = Vec::new();
    let mut start = 0;
    segmenter.boundaries(text, &mut |byte| {
        words.push(&text[start..byte]);
        start = byte;
    });
    words.push(&text[start..]);
    words
}

#[test]
fn the_most_likely_path_wins() {
    // 研究 生命 起源: 1/9 * 4/9 * 1/9; 研究生 命 起源: 2/9 * 1/9 * 1/9.
    let dictionary = "研究 1\n研究生 2\n生命 4\n命 1\n起源 1\n";
    assert_eq!(words(dictionary, "研究生命起源"), ["研究", "生命", "起源"]);
    // A frequency of 9 for 研究生 turns it: 1/16 * 4/16 against 9/16 * 1/16.
    let dictionary = "研究 1\n研究生 9\n生命 4\n命 1\n起源 1\n";
    assert_eq!(words(dictionary, "研究生命起源"), ["研究生", "命", "起源"]);
}

#[test]
fn of_equally_likely_paths_the_longer_first_word_wins() {
    // 甲 乙丙 and 甲乙 丙 are 2/8 * 2/8 each, and exactly so.
    let dictionary = "甲 2\n乙丙 2\n甲乙 2\n丙 2\n";
    assert_eq!(words(dictionary, "甲乙丙"), ["甲乙", "丙"]);
    // With a total of 1 every score is 0, whatever the number of words.
    assert_eq!(words("甲乙 1", "甲乙甲"), ["甲乙", "甲"]);
}

#[test]
fn a_character_that_no_word_begins_with_counts_as_a_word_of_frequency_1() {
    // 甲 乙 丙 does not exist, since 甲 begins a word of the dictionary but is none.
    assert_eq!(words("甲乙 1\n乙丙 1000\n", "甲乙丙"), ["甲乙", "丙"]);
    assert_eq!(words("甲 1\n甲乙 1\n乙丙 1000\n", "甲乙丙"), ["甲", "乙丙"]);
    assert_eq!(words("甲乙丙 1", "甲乙"), ["甲", "乙"]);
}

#[test]
fn a_repeated_word_counts_twice_in_the_total_only() {
    let segmenter = WordSegmenter::from_dictionary("甲 5\n甲 1\n乙 2\n").unwrap();
    let listed: Vec<_> = segmenter.words().collect();
    assert_eq!(listed, [("甲", 1), ("乙", 2)]);
}

#[test]
fn letters_and_digits_stay_together_unless_a_word_takes_them() {
    assert_eq!(words("B超 3", "做abc12B超a"), ["做", "abc12", "B超", "a"]);
    // The marks of a block are words of their own, and so is a word of one letter
    // only in so far as no letter stands beside it.
    assert_eq!(
        words("A 3", "xAy_a-1.5%"),
        ["xAy", "_", "a", "-", "1", ".", "5", "%"]
    );
    assert_eq!(words("AB 3", "xABy"), ["x", "AB", "y"]);
}

#[test]
fn outside_of_blocks_every_character_is_a_word_but_for_a_line_end() {
    assert_eq!(
        words("学而 3", "  学而，。\r\r\n\n㐀𠀀é"),
        [
            " ", " ", "学而", "，", "。", "\r", "\r\n", "\n", "㐀", "𠀀", "é"
        ]
    );
    // The last Han that jieba knows and the next one.
    assert_eq!(
        words("学\u{9fd5} 3\n学\u{9fd6} 3", "学\u{9fd5}学\u{9fd6}").len(),
        3
    );
}

#[test]
fn nothing_lies_inside_of_an_empty_text_or_a_single_word() {
    let segmenter = WordSegmenter::from_dictionary("学而 3").unwrap();
    for text in ["", "学", "学而", "\r\n", "abc"] {
        segmenter.boundaries(text, &mut |byte| panic!("{byte} in {text:?}"));
    }
}

#[test]
fn no_boundary_lies_in_or_beside_bytes_that_are_no_text() {
    let segmenter = WordSegmenter::from_dictionary("学而 3").unwrap();
    let mut found = Vec::new();
    // 时 学而 FF 学 E5 AD 而 时: the boundaries are those within each stretch.
    let bytes = [
        "时学而".as_bytes(),
        b"\xff",
        "学".as_bytes(),
        b"\xe5\xad",
        "而时".as_bytes(),
    ];
    segmenter.boundaries_bytes(&bytes.concat(), &mut |byte| found.push(byte));
    assert_eq!(found, [3, 18]);
    segmenter.boundaries_bytes(b"\xff\xfe", &mut |byte| panic!("{byte}"));
}

#[test]
fn scores_reach_across_the_longest_word() {
    // Words of 1, 2, 4, ... characters: every place of the window is used.
    let longest = "一".repeat(40);
    let dictionary = format!("一 1\n一一 2\n{longest} 100000\n");
    let text = "一".repeat(127);
    let lengths: Vec<usize> = words(&dictionary, &text)
        .iter()
        .map(|w| w.len() / 3)
        .collect();
    assert_eq!(lengths.iter().sum::<usize>(), 127);
    assert_eq!(lengths.iter().filter(|&&length| length == 40).count(), 3);
}
