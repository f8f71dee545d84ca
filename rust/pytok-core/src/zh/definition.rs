//! A step as data, with all of its tables.

use serde::Deserialize;

use super::dialect::{ContextDefinition, EntryDefinition};
use super::name_marks::NameMarksDefinition;
use super::ocr_report::OcrReportDefinition;
use super::pairs::PairsDefinition;
use super::script::ScriptDefinition;
use super::segment::SegmentDefinition;
use super::sentence_breaks::SentenceBreaksDefinition;
use super::sentence_marks::SentenceMarksDefinition;

/// A step and the name by which edits speak of it.
#[derive(Debug, Deserialize)]
pub struct StepDefinition {
    /// The name, for example `width`.
    pub name: String,
    /// What it does.
    #[serde(flatten)]
    pub kind: StepKind,
}

/// What a step does.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum StepKind {
    /// One character for another.
    Characters {
        /// Rows `key, replacement, reason`; most keys are one character.
        rows: Vec<(String, String, String)>,
    },
    /// Variation selectors that go.
    VariationSequences {
        /// Ranges of what they must follow, `first, last`, ascending.
        bases: Vec<(char, char)>,
    },
    /// Words of a dialect become those of Mandarin.
    Dialect {
        /// The table.
        entries: Vec<EntryDefinition>,
        /// The contexts that rows name.
        contexts: Vec<ContextDefinition>,
        /// Lines `word frequency`: the words of which no part is replaced.
        dictionary: String,
    },
    /// Quotation marks and other pairs.
    Pairs(PairsDefinition),
    /// Old marks of sentences and clauses.
    SentenceMarks(SentenceMarksDefinition),
    /// Lines beside names and titles, and brackets around titles.
    NameMarks(NameMarksDefinition),
    /// Where sentences end.
    SentenceBreaks(SentenceBreaksDefinition),
    /// Characters that recognition takes for one another.
    OcrReport(OcrReportDefinition),
    /// Another script or regional standard.
    Script(Box<ScriptDefinition>),
    /// Where clauses end in text that has no punctuation.
    Segment(SegmentDefinition),
}
