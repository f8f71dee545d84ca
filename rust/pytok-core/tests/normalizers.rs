//! The normalisers against the recorded answers of `tokenizers`: outputs,
//! alignments, and a digest of the outputs for every code point.

#![allow(clippy::unwrap_used)] // a test program

use pytok_core::definition;
use pytok_core::normalize::Normalizer;
use pytok_core::text::AlignedText;
use serde::Deserialize;

#[derive(Deserialize)]
struct Recorded {
    inputs: Vec<String>,
    configs: Vec<Config>,
}

#[derive(Deserialize)]
struct Config {
    normalizer: definition::Normalizer,
    /// In place of the common inputs.
    inputs: Option<Vec<String>>,
    /// Each output, and the span of each of its characters, laid flat: how far
    /// its start is from the last one's, and its length. None if nothing changes.
    answers: Vec<Option<(String, Vec<u32>)>>,
    /// One per plane.
    digests: Option<Vec<u32>>,
}

fn recorded() -> Recorded {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/golden/normalizers.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The answer for a text that stays as it is.
fn unchanged(input: &str) -> (String, Vec<u32>) {
    let mut spans = Vec::new();
    let mut before = 0;
    for c in input.chars() {
        let width = u32::try_from(c.len_utf8()).unwrap();
        spans.extend([before, width]);
        before = width;
    }
    (input.to_owned(), spans)
}

fn apply(normalizer: &Normalizer, mut text: AlignedText) -> AlignedText {
    normalizer.apply(&mut text).unwrap();
    text
}

#[test]
fn outputs_and_alignments_are_those_of_the_reference() {
    let recorded = recorded();
    assert!(recorded.configs.len() >= 40);
    for config in &recorded.configs {
        let name = &config.normalizer;
        let normalizer = Normalizer::compile(name).unwrap();
        let inputs = config.inputs.as_ref().unwrap_or(&recorded.inputs);
        assert_eq!(inputs.len(), config.answers.len());
        for (input, answer) in inputs.iter().zip(&config.answers) {
            let (output, flat) = &answer.clone().unwrap_or_else(|| unchanged(input));
            // The original begins somewhere else, to see that spans are absolute.
            for start in [0, 1000] {
                let text = apply(&normalizer, AlignedText::at(input, start));
                assert_eq!(text.text(), output, "{name:?} of {input:?}");
                let mut before = start;
                let mut spans = Vec::new();
                for (at, c) in output.char_indices() {
                    let (from, to) = text.original_span(at..at + c.len_utf8());
                    spans.extend([from - before, to - from]);
                    before = from;
                }
                assert_eq!(&spans, flat, "{name:?} of {input:?}");
                let untracked = apply(&normalizer, AlignedText::untracked(input, start));
                assert_eq!(untracked.text(), output, "{name:?} of {input:?}");
            }
        }
    }
}

#[test]
fn spans_stay_inside_the_origin_and_never_go_back() {
    let recorded = recorded();
    for config in &recorded.configs {
        let normalizer = Normalizer::compile(&config.normalizer).unwrap();
        for input in config.inputs.as_ref().unwrap_or(&recorded.inputs) {
            let text = apply(&normalizer, AlignedText::at(input, 7));
            let end = 7 + u32::try_from(input.len()).unwrap();
            assert_eq!(text.origin(), (7, end));
            let spans = text.spans().unwrap();
            assert_eq!(spans.len(), text.text().len());
            assert!(spans.iter().all(|s| 7 <= s.0 && s.0 <= s.1 && s.1 <= end));
            assert!(spans.is_sorted_by_key(|s| s.0) && spans.is_sorted_by_key(|s| s.1));
        }
    }
}

#[test]
fn every_code_point_is_normalised_as_by_the_reference() {
    let recorded = recorded();
    let digested: Vec<&Config> = (recorded.configs.iter())
        .filter(|config| config.digests.is_some())
        .collect();
    assert!(digested.len() >= 15);
    let compare = |config: &Config| {
        let normalizer = Normalizer::compile(&config.normalizer).unwrap();
        let mine: Vec<u32> = (0..17).map(|plane| digest(&normalizer, plane)).collect();
        assert_eq!(
            Some(&mine),
            config.digests.as_ref(),
            "{:?}",
            config.normalizer
        );
    };
    std::thread::scope(|scope| {
        for half in digested.chunks(digested.len().div_ceil(2)) {
            scope.spawn(move || half.iter().for_each(|config| compare(config)));
        }
    });
}

/// The digest of a plane; the texts are those of `probes` in
/// `tests/golden/record_normalizers.py`.
fn digest(normalizer: &Normalizer, plane: u32) -> u32 {
    let first = plane << 16;
    let mut crc = Crc32::default();
    let mut probe = |text: &str| {
        crc.update(
            apply(normalizer, AlignedText::untracked(text, 0))
                .text()
                .as_bytes(),
        );
        crc.update(&[0xFF]);
    };
    if [0, 1, 2, 3, 14].contains(&plane) {
        for c in (first..first + 0x10000).filter_map(char::from_u32) {
            probe(&format!("a{c}b"));
            probe(c.encode_utf8(&mut [0; 4]));
            probe(&format!("中{c}\u{301}"));
        }
    } else {
        for block in (first..first + 0x10000).step_by(0x100) {
            let chars: Vec<String> = (block..block + 0x100)
                .filter_map(char::from_u32)
                .map(String::from)
                .collect();
            probe(&chars.join("a"));
        }
    }
    !crc.0
}

/// The CRC-32 of zlib, inverted.
struct Crc32(u32);

impl Default for Crc32 {
    fn default() -> Self {
        Self(!0)
    }
}

impl Crc32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut entry = 0;
        while entry < 256_u32 {
            let mut value = entry;
            let mut bit = 0;
            while bit < 8 {
                let carry = value & 1 == 1;
                value >>= 1;
                if carry {
                    value ^= 0xEDB8_8320;
                }
                bit += 1;
            }
            #[allow(clippy::as_conversions)] // below 256
            {
                table[entry as usize] = value;
            }
            entry += 1;
        }
        table
    };

    fn update(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let [low, ..] = self.0.to_le_bytes();
            self.0 = self.0 >> 8 ^ Self::TABLE[usize::from(low ^ byte)];
        }
    }
}
