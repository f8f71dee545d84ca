//! What a piece may be: the rules by which the library's trainer makes pieces, as a
//! model file notes them (`trainer_spec`, Kudo and Richardson, 2018).

use super::SPACE_MARK;
use super::proto::TrainerSpec;
use crate::pretokenize::script;

/// What the trainer puts in the place of rare characters, and where no piece goes on.
const UNKNOWN_MARK: char = '\u{2585}';
const BOUNDARY_MARK: char = '\u{1F}';

/// Numbers of [`script`]: no particular script, and that of the character before.
const NONE: u8 = 0;
const COMMON: u8 = 2;
const INHERITED: u8 = 4;

/// The rules of a model.
#[derive(Debug, Clone)]
pub(crate) struct PieceRules {
    longest: usize,
    splits_scripts: bool,
    splits_spaces: bool,
    splits_numbers: bool,
    splits_digits: bool,
    space_is_suffix: bool,
    allows_spaces_only: bool,
}

/// The script of what was read of a piece; `None` for any.
type Script = Option<u8>;

impl PieceRules {
    /// The rules that a file notes, those of the trainer's defaults where it does not.
    pub(super) fn new(spec: &TrainerSpec) -> Self {
        Self {
            longest: usize::try_from(spec.max_sentencepiece_length()).unwrap_or(0),
            splits_scripts: spec.split_by_unicode_script(),
            splits_spaces: spec.split_by_whitespace(),
            splits_numbers: spec.split_by_number(),
            splits_digits: spec.split_digits(),
            space_is_suffix: spec.treat_whitespace_as_suffix(),
            allows_spaces_only: spec.allow_whitespace_only_pieces(),
        }
    }

    /// Whether the trainer could have made this piece.
    pub(crate) fn allows(&self, piece: &str) -> bool {
        let length = piece.chars().count();
        let spaces_only = self.allows_spaces_only && piece.chars().all(|c| c == SPACE_MARK);
        let mut before: Script = None;
        (1..=self.longest).contains(&length)
            && piece.chars().enumerate().all(|(place, character)| {
                if character == SPACE_MARK {
                    return spaces_only || self.allows_space_at(place, length);
                }
                let script = self.script(character, before);
                let is_one_script = self.joins(before, script);
                before = script;
                is_one_script
                    && !is_left_out(character)
                    && !(self.splits_digits && is_digit(character) && length > 1)
            })
    }

    fn allows_space_at(&self, place: usize, length: usize) -> bool {
        let last = length - 1;
        // How far from the end where a space belongs, and from the other one.
        let (distance, rest) = if self.space_is_suffix {
            (last - place, place)
        } else {
            (place, last - place)
        };
        distance == 0 || (!self.splits_spaces && rest > 0)
    }

    /// Call `found` with the words of a normalised text: what lies between the
    /// places that no piece of several characters crosses.
    ///
    /// # Errors
    /// Those of `found`.
    pub(super) fn for_each_word<E>(
        &self,
        text: &str,
        mut found: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut start, mut before, mut script) = (0, None, None);
        for (place, character) in text.char_indices() {
            let next = self.script(character, script);
            let is_cut = before.is_some_and(|before| {
                is_left_out(before)
                    || is_left_out(character)
                    || self.cuts(before, character)
                    || !self.joins(script, next)
            });
            if is_cut {
                emit(&text[start..place], &mut found)?;
                start = place;
                script = None;
            }
            script = self.script(character, script);
            before = Some(character);
        }
        emit(&text[start..], &mut found)
    }

    /// Whether the trainer cuts between two characters for a space or a digit.
    fn cuts(&self, before: char, character: char) -> bool {
        let (is_space, after_space) = (character == SPACE_MARK, before == SPACE_MARK);
        let at_space = match (self.space_is_suffix, self.allows_spaces_only) {
            (false, false) => is_space,
            (false, true) => is_space && !after_space,
            (true, false) => after_space,
            (true, true) => after_space && !is_space,
        };
        (self.splits_spaces && at_space)
            || (self.splits_digits && (is_digit(before) || is_digit(character)))
    }

    /// The script of a piece when this character follows.
    fn script(&self, character: char, before: Script) -> Script {
        if character == SPACE_MARK {
            return before;
        }
        if !self.splits_numbers && is_digit(character) {
            return None;
        }
        match script(character) {
            NONE => Some(COMMON),
            INHERITED => before,
            other => Some(other),
        }
    }

    fn joins(&self, before: Script, next: Script) -> bool {
        !self.splits_scripts || before.is_none() || next.is_none() || before == next
    }
}

fn emit<E>(word: &str, found: &mut impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
    match word.chars().next() {
        Some(first) if !is_left_out(first) => found(word),
        _ => Ok(()),
    }
}

/// Characters that no piece has: the marks and the ends of the trainer's texts.
fn is_left_out(character: char) -> bool {
    matches!(
        character,
        UNKNOWN_MARK | BOUNDARY_MARK | '\0' | ' ' | '\n' | '\r'
    )
}

/// The digits that the trainer knows.
fn is_digit(character: char) -> bool {
    matches!(character, '0'..='9' | '０'..='９')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(change: impl FnOnce(&mut TrainerSpec)) -> PieceRules {
        let mut spec = TrainerSpec::default();
        change(&mut spec);
        PieceRules::new(&spec)
    }

    fn words(rules: &PieceRules, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |word: &str| {
            words.push(word.to_owned());
            Ok::<(), ()>(())
        };
        rules.for_each_word(text, &mut add).unwrap();
        words
    }

    #[test]
    fn scripts_have_the_numbers_of_the_table() {
        assert_eq!((script('!'), script('\u{301}')), (COMMON, INHERITED));
        assert_eq!(script('\u{378}'), NONE);
        assert_eq!(script('の'), script('中'));
    }

    #[test]
    fn pieces_are_of_one_script_unless_the_file_says_otherwise() {
        let plain = rules(|_| ());
        for piece in ["▁the", "中の", "1.", "e\u{301}", "\u{301}e", "▁", "：、"] {
            assert!(plain.allows(piece), "{piece}");
        }
        for piece in [
            "", "a1", "中a", "中。", "a▁", "▁▁", "a▁b", "a\tb", "\u{1F}", "\u{2585}", "a b", "\n",
        ] {
            assert!(!plain.allows(piece), "{piece}");
        }
        assert!(plain.allows(&"a".repeat(16)) && !plain.allows(&"a".repeat(17)));
        assert!(rules(|spec| spec.split_by_unicode_script = Some(false)).allows("中a1。"));
        // A digit stands between any two scripts.
        assert!(rules(|spec| spec.split_by_number = Some(false)).allows("F1中"));
        let single = rules(|spec| spec.split_digits = Some(true));
        assert!(single.allows("1") && !single.allows("12") && !single.allows("▁1"));
    }

    #[test]
    fn spaces_stand_where_the_file_says() {
        let spaces = rules(|spec| spec.allow_whitespace_only_pieces = Some(true));
        assert!(spaces.allows("▁▁▁") && !spaces.allows("▁▁a"));
        let inside = rules(|spec| spec.split_by_whitespace = Some(false));
        assert!(inside.allows("▁of▁the") && !inside.allows("of▁"));
        let suffix = rules(|spec| spec.treat_whitespace_as_suffix = Some(true));
        assert!(suffix.allows("a▁") && !suffix.allows("▁a") && !suffix.allows("▁▁"));
        let inside = rules(|spec| {
            spec.treat_whitespace_as_suffix = Some(true);
            spec.split_by_whitespace = Some(false);
        });
        assert!(inside.allows("of▁the▁") && !inside.allows("▁of"));
    }

    #[test]
    fn words_end_where_no_piece_goes_on() {
        let plain = rules(|_| ());
        assert_eq!(
            words(&plain, "▁ab▁▁c1中の。\n中"),
            ["▁ab", "▁", "▁c", "1", "中の", "。", "中"]
        );
        assert_eq!(
            words(&plain, "a\u{1F}b\u{2585}\u{2585}c\r\nd"),
            ["a", "b", "c", "d"]
        );
        let llama = rules(|spec| {
            spec.allow_whitespace_only_pieces = Some(true);
            spec.split_digits = Some(true);
        });
        assert_eq!(words(&llama, "▁12▁▁▁ab"), ["▁", "1", "2", "▁▁▁ab"]);
        let suffix = rules(|spec| spec.treat_whitespace_as_suffix = Some(true));
        assert_eq!(words(&suffix, "a▁▁b▁"), ["a▁", "▁", "b▁"]);
        let suffix = rules(|spec| {
            spec.treat_whitespace_as_suffix = Some(true);
            spec.allow_whitespace_only_pieces = Some(true);
        });
        assert_eq!(words(&suffix, "a▁▁b▁"), ["a▁▁", "b▁"]);
        let inside = rules(|spec| spec.split_by_whitespace = Some(false));
        assert_eq!(words(&inside, "▁of▁the中"), ["▁of▁the", "中"]);
    }
}
