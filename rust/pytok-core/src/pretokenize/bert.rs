//! BertPreTokenizer: words at white space, each punctuation character alone.

use super::Step;
use super::matcher::{CharacterTest, Matcher};
use super::split::Split;
use crate::definition::SplitBehavior;

/// Compile a `BertPreTokenizer`.
pub(super) fn compile() -> [Step; 2] {
    [
        super::whitespace_split::compile(),
        Split::step(
            Matcher::Each(CharacterTest::Punctuation),
            SplitBehavior::Isolated,
            false,
        ),
    ]
}
