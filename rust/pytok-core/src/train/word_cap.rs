//! How often a word may count in a stretch of text.
//!
//! Boilerplate (a licence, a menu, a refrain) repeats long words many times
//! within a document; without a cap it buys pieces that nothing else uses.

use super::word_source::Cap;
use super::word_table::WordTable;

/// Words of at most so many characters always count.
const FREE_CHARACTERS: usize = 2;

/// What has been counted in the present stretch of a text.
#[derive(Debug, Default)]
pub(super) struct Window {
    seen: WordTable,
    bytes: usize,
}

impl Window {
    /// Begin another text.
    pub(super) fn begin(&mut self) {
        self.seen.clear();
        self.bytes = 0;
    }

    /// Whether the next word of the text counts. A word belongs to the stretch
    /// in which it begins.
    pub(super) fn admits(&mut self, cap: Cap, word: &[u8]) -> bool {
        if self.bytes >= cap.bytes {
            self.seen.clear();
            self.bytes %= cap.bytes;
        }
        self.bytes += word.len();
        let inside = |byte: &&u8| (0x80..0xC0).contains(*byte);
        if word.len() - word.iter().filter(inside).count() <= FREE_CHARACTERS {
            return true;
        }
        self.seen.add(word, 1);
        self.seen.get(word) <= u64::from(cap.times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(cap: Cap, words: &[&str]) -> Vec<bool> {
        let mut window = Window::default();
        window.begin();
        let admits = words.iter().map(|word| window.admits(cap, word.as_bytes()));
        admits.collect()
    }

    #[test]
    fn long_words_count_so_often_per_stretch() {
        let cap = Cap {
            times: 2,
            bytes: 12,
        };
        let words = ["abc", "abc", "abc", "abc", "abc", "abc"];
        // The fifth begins the second stretch.
        assert_eq!(
            admitted(cap, &words),
            [true, true, false, false, true, true]
        );
        assert_eq!(
            admitted(cap, &["学而", "学而", "ab", "ab", "ab"]),
            [true; 5]
        );
        let once = Cap {
            times: 1,
            bytes: 1000,
        };
        assert_eq!(
            admitted(once, &["学而时", "学而时", "学而不"]),
            [true, false, true]
        );
    }

    #[test]
    fn a_word_longer_than_a_stretch_does_not_shift_the_others() {
        let cap = Cap { times: 1, bytes: 4 };
        // Begin at bytes 0, 9, 12 and 15: stretches 0, 2, 3 and 3.
        assert_eq!(
            admitted(cap, &["123456789", "abc", "abc", "abc"]),
            [true, true, true, false]
        );
    }
}
