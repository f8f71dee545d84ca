//! Every scanner beside its regular expression.

use super::super::patterns::{self, NAMES};
use super::super::regex::{Dialect, Regex};
use super::Scanner;
use super::classes::{self, Class, ClassTable, Set};

const DIALECTS: [Dialect; 2] = [Dialect::Oniguruma, Dialect::FancyRegex];

/// Every known pattern with its scanner and its regular expression.
fn pairs() -> Vec<(String, Scanner, Regex)> {
    let mut all: Vec<&str> = NAMES
        .iter()
        .flat_map(|n| patterns::stages(n).unwrap())
        .copied()
        .collect();
    all.extend([
        patterns::GPT2,
        patterns::R50K_IN_BOTH,
        patterns::CL100K_IN_BOTH,
        patterns::HAN,
        patterns::HAN_TRIPLES,
        patterns::ISO,
        patterns::ISO_TRIPLES,
        patterns::WIDE,
        patterns::WIDE_TRIPLES,
    ]);
    all.sort_unstable();
    all.dedup();
    let mut pairs = Vec::new();
    for dialect in DIALECTS {
        for pattern in &all {
            if let Some(scanner) = Scanner::for_pattern(pattern, dialect) {
                let regex = Regex::new(pattern, dialect).unwrap();
                pairs.push((format!("{dialect:?} {pattern}"), scanner, regex));
            }
        }
    }
    // All but tiktoken's two possessive patterns mean the same in both dialects.
    assert_eq!(pairs.len(), 17 + 19);
    pairs
}

#[test]
fn what_is_exported_for_tiktoken_has_a_scanner() {
    // As `pytok/exporting/patterns.py` writes them.
    let in_both = |pattern: &str| {
        let counted = pattern.replace(r"\p{N}{1,3}+", r"(?>\p{N}{1,3})");
        counted.replace('$', r"\z")
    };
    assert_eq!(in_both(patterns::R50K), patterns::R50K_IN_BOTH);
    assert_eq!(in_both(patterns::CL100K), patterns::CL100K_IN_BOTH);
}

fn assert_same(name: &str, scanner: &Scanner, regex: &Regex, text: &str) {
    let mut start = 0;
    for expected in regex.find_iter(text) {
        let expected = expected.unwrap();
        let found = scanner.find_at(text, start);
        assert_eq!(found, Some(expected), "{name} on {text:?} from {start}");
        start = expected.1;
    }
    assert_eq!(
        scanner.find_at(text, start),
        None,
        "{name} on {text:?} from {start}"
    );
}

fn code_points() -> impl Iterator<Item = char> {
    (0..0x11_0000).filter_map(char::from_u32)
}

#[test]
fn tables_agree_with_the_engines_on_every_code_point() {
    let block: String = code_points().collect();
    let check =
        |dialect: Dialect, table: &ClassTable, pattern: &str, member: &dyn Fn(Class) -> bool| {
            let regex = Regex::new(pattern, dialect).unwrap();
            let mut found = vec![false; 0x11_0000];
            for range in regex.find_iter(&block) {
                let (start, end) = range.unwrap();
                let c = block[start..end].chars().next().unwrap();
                found[usize::try_from(u32::from(c)).unwrap()] = true;
            }
            for c in code_points() {
                let expected = found[usize::try_from(u32::from(c)).unwrap()];
                assert_eq!(
                    member(table.class(u32::from(c))),
                    expected,
                    "{dialect:?} {pattern} {c:?}"
                );
            }
        };
    for (dialect, table) in [
        (Dialect::Oniguruma, classes::oniguruma()),
        (Dialect::FancyRegex, classes::regex_syntax()),
    ] {
        for (pattern, set) in [
            (r"\p{L}", Set::LETTERS),
            (r"\p{M}", Set::MARKS),
            (r"\p{N}", Set::NUMBERS),
            (r"[\p{L}\p{M}]", Set::LETTERS_AND_MARKS),
            (r"[\p{P}\p{S}]", Set::SIGNS),
            (r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", Set::UPPER),
            (r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]", Set::LOWER),
            (r"[\r\n]", Set::NEWLINES),
            (r"\s", Set::SPACES),
            (r"[^\s\p{L}\p{N}]", Set::OTHERS),
            (r"[^\r\n\p{L}\p{N}]", Set::PREFIXES),
            (r"[^\r\n\p{L}\p{P}\p{S}]", Set::UNSIGNED_PREFIXES),
        ] {
            check(dialect, table, pattern, &|class| set.has(class));
        }
        check(dialect, table, r"[\p{Han}]", &Class::is_han);
    }
    check(
        Dialect::FancyRegex,
        classes::regex_syntax(),
        r"\w",
        &Class::is_word,
    );
}

#[test]
fn scanners_agree_with_the_engines_on_every_code_point_in_context() {
    // What a code point does depends on its class and, after an apostrophe, on what it folds
    // to. The classes are tested above on every code point, so it is enough to try those where
    // the class changes; folding is tried on all of the planes in which anything is assigned.
    let assigned = |c: &char| matches!(c, ..'\u{40000}' | '\u{E0000}'..'\u{E1000}');
    let mut edges: Vec<char> = Vec::new();
    for table in [classes::oniguruma(), classes::regex_syntax()] {
        let mut before = None;
        for c in code_points() {
            let class = table.class(u32::from(c));
            if before.is_some_and(|(_, known)| known != class) {
                edges.extend(before.map(|b| b.0));
                edges.push(c);
            }
            before = Some((c, class));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    for (name, scanner, regex) in pairs() {
        let mut text = String::new();
        for c in code_points().filter(assigned) {
            for (left, right) in [("a'", "x1"), ("'l", " "), ("'", "e ")] {
                text.extend([left, c.encode_utf8(&mut [0; 4]), right]);
            }
            if text.len() > 4096 {
                assert_same(&name, &scanner, &regex, &text);
                text.clear();
            }
        }
        assert_same(&name, &scanner, &regex, &text);
        for &c in &edges {
            for template in [
                "#", "a#", "。#", "〇#。", " #b", "#1", "'#", "中#\n", "# #", "A#B", "#\r\n #",
            ] {
                let text = template.replace('#', c.encode_utf8(&mut [0; 4]));
                assert_same(&name, &scanner, &regex, &text);
            }
        }
    }
}

/// At least one character of every class and of every special rule.
const REPRESENTATIVES: [&str; 24] = [
    "a", "S", "l", "中", "ʰ", "\u{301}", "1", "〇", "⺀", ".", "/", "'", "$", " ", "\n", "\r",
    "\t", "\u{3000}", "\u{85}", "\u{0}", "ſ", "。", "”", "Ａ",
];

#[test]
fn scanners_agree_with_the_engines_on_all_short_combinations() {
    for (name, scanner, regex) in pairs() {
        let n = REPRESENTATIVES.len();
        for length in 1..=4_u32 {
            for mut code in 0..n.pow(length) {
                let mut text = String::new();
                for _ in 0..length {
                    text.push_str(REPRESENTATIVES[code % n]);
                    code /= n;
                }
                assert_same(&name, &scanner, &regex, &text);
            }
        }
    }
}

/// A small generator with a fixed seed (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) >> 33).unwrap() % limit
    }
}

#[test]
fn scanners_agree_with_the_engines_on_random_strings() {
    let extra = [
        "'ll", "'RE", "'ve", "'T", "  ", " \n", "ABC", "12", "ß", "ǅ", "한", "é", "😀", "!!", "？",
        "！", ")", "）", "；", "､",
    ];
    let pieces: Vec<&str> = REPRESENTATIVES.iter().chain(&extra).copied().collect();
    for (name, scanner, regex) in pairs() {
        let mut random = Random(20_240_229);
        for _ in 0..10_000 {
            let length = 1 + random.below(24);
            let text: String = (0..length)
                .map(|_| pieces[random.below(pieces.len())])
                .collect();
            assert_same(&name, &scanner, &regex, &text);
        }
    }
}

#[test]
#[allow(clippy::print_stderr)] // a skipped comparison must be seen
fn scanners_agree_with_the_engines_on_real_text() {
    let crate_folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = crate_folder
        .ancestors()
        .map(|folder| folder.join("shared/data"))
        .find(|folder| folder.is_dir())
        .unwrap_or_default();
    let mut budget = 2_000_000_usize;
    let pairs = pairs();
    for folder in ["news", "classical", "gold", "lexicon"] {
        let Ok(files) = std::fs::read_dir(shared.join(folder)) else {
            eprintln!("skipped: {folder} is not there");
            continue;
        };
        let mut paths: Vec<_> = files.flatten().map(|file| file.path()).collect();
        paths.sort();
        for path in paths
            .iter()
            .filter(|p| p.extension().is_some_and(|e| e == "txt"))
        {
            let mut text = std::fs::read_to_string(path).unwrap();
            let mut end = text.len().min(budget).min(200_000);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
            budget -= end;
            for (name, scanner, regex) in &pairs {
                assert_same(name, scanner, regex, &text);
            }
        }
    }
}

#[test]
fn pathological_texts_take_linear_time() {
    let million = |piece: &str| piece.repeat(1_000_000 / piece.len());
    let mut texts: Vec<String> = REPRESENTATIVES.iter().map(|piece| million(piece)).collect();
    texts.extend(
        [
            "' ", "a ", " \n", "Aa", "中A", "\u{301}A", "'s", "/\n", "1.", " \u{0}",
        ]
        .map(million),
    );
    texts.push(format!("中{}", million("A")));
    texts.push(format!("\n{}x", million(" ")));
    texts.push(format!("{}\n{}", million(" "), million("\t")));
    for (name, scanner, _) in pairs() {
        for text in &texts {
            let begin = std::time::Instant::now();
            let (mut start, mut matches) = (0, 0_u32);
            while let Some((_, end)) = scanner.find_at(text, start) {
                (start, matches) = (end, matches + 1);
                // Linear is milliseconds; quadratic would be hours, so look at the clock on the way.
                if matches % 256 == 0 || end == text.len() {
                    let shown: String = text.chars().take(4).collect();
                    assert!(begin.elapsed().as_secs() < 5, "{name} on {shown:?}…");
                }
            }
        }
    }
}

/// What lets long texts be shared between threads.
#[test]
fn what_stands_before_a_place_decides_nothing() {
    let kinds: Vec<char> = "a'sé中ア1２ \n\t!，\u{301}😀\u{1}\u{3099}〇/"
        .chars()
        .collect();
    let mut scanners: Vec<(String, Scanner)> = pairs()
        .into_iter()
        .map(|(name, scanner, _)| (name, scanner))
        .collect();
    for dialect in DIALECTS {
        let stages =
            patterns::DEEPSEEK.map(|pattern| Scanner::for_pattern(pattern, dialect).unwrap());
        let all = Scanner::for_stages(&stages.each_ref()).unwrap();
        scanners.push((format!("{dialect:?} DeepSeek"), all));
    }
    let mut state = 1_u32;
    for _ in 0..3000 {
        let text: String = (0..12)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                kinds[usize::try_from(state >> 16).unwrap() % kinds.len()]
            })
            .collect();
        for (name, scanner) in &scanners {
            for (start, _) in text.char_indices() {
                let inside = scanner.match_end(&text, start);
                let alone = scanner.match_end(&text[start..], 0);
                let alone = alone.map(|end| start + end);
                assert_eq!(inside, alone, "{name} on {text:?} at {start}");
            }
        }
    }
}
