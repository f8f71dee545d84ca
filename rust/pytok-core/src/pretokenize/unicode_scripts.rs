//! UnicodeScripts: words where the script changes.
//!
//! Characters of no particular script (spaces among them) go with the word
//! before them; those before the first script of the text are lost, as in the
//! reference. Hiragana, Katakana and the prolonged sound mark count as Han, as
//! in SentencePiece.

use super::Step;
use super::matcher::Matcher;
use super::script_table::SCRIPT_RUNS;
use super::split::Split;
use crate::definition::SplitBehavior;
use crate::error::Result;

/// The number of a character that belongs to every script.
const ANY: u8 = 0;

/// Compile a `UnicodeScripts`.
pub(super) fn compile() -> Step {
    Split::step(Matcher::Scripts, SplitBehavior::Removed, true)
}

/// The number of the script of a character: [`ANY`] for one without and for a
/// space, 2 for one of many scripts, 4 for one that takes that of its neighbour.
pub(crate) fn script(character: char) -> u8 {
    let after = SCRIPT_RUNS.partition_point(|run| run.0 <= u32::from(character));
    after.checked_sub(1).map_or(ANY, |run| SCRIPT_RUNS[run].1)
}

/// Call `found` with each run of one script.
pub(super) fn for_each_run(
    text: &str,
    mut found: impl FnMut(usize, usize) -> Result<()>,
) -> Result<()> {
    let mut run: Option<(usize, u8)> = None;
    for (place, character) in text.char_indices() {
        let new = script(character);
        match run {
            _ if new == ANY => {}
            Some((_, known)) if known == new => {}
            Some((start, _)) => {
                found(start, place)?;
                run = Some((place, new));
            }
            None => run = Some((place, new)),
        }
    }
    match run {
        Some((start, _)) => found(start, text.len()),
        None => Ok(()),
    }
}
