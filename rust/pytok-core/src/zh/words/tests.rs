use super::*;
use crate::train::segmenter::{WordSegmenter, is_in_block};

const DICTIONARY: &str = "北京 30\n北京大学 4\n北京大学生 1\n大学 20\n大学生 9\n生前 3\n前来 7\n\
    来 50\n生 8\n大 9\n学 5\n京 2\nA股 6\nA 1\n𠀀𠀁 2\n𠀀 3\n北大 5\n北大荒 2\n零 0\n";

/// The boundaries of one block by the other index, in characters.
fn expected(text: &str) -> Vec<usize> {
    let segmenter = WordSegmenter::from_dictionary(DICTIONARY).unwrap();
    let mut places = Vec::new();
    segmenter.boundaries(text, &mut |byte| places.push(text[..byte].chars().count()));
    places
}

#[test]
fn boundaries_are_those_of_the_segmenter() {
    let words = Words::from_dictionary(DICTIONARY).unwrap();
    let letters: Vec<char> = "北京大学生前来A股1荒".chars().collect();
    let mut state = 7_usize;
    for length in 1..2000 {
        let text: String = (0..1 + length % 12)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                letters[(state >> 33) % letters.len()]
            })
            .collect();
        assert!(text.chars().all(is_in_block));
        let block: Vec<char> = text.chars().collect();
        let mut found = Vec::new();
        words.boundaries(&block, &mut Ways::default(), &mut |place| found.push(place));
        assert_eq!(found, expected(&text), "{text}");
    }
}

#[test]
fn words_beyond_the_basic_plane_are_known_and_an_empty_block_has_none() {
    let words = Words::from_dictionary(DICTIONARY).unwrap();
    let found = |text: &str| {
        let block: Vec<char> = text.chars().collect();
        let mut found = Vec::new();
        words.boundaries(&block, &mut Ways::default(), &mut |place| found.push(place));
        found
    };
    assert_eq!(found("𠀀𠀁𠀀"), [2]);
    assert!(found("").is_empty());
}
