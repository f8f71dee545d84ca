//! A step as data, with all of its tables.

use serde::Deserialize;

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
        /// Rows `character, replacement, reason`.
        rows: Vec<(String, String, String)>,
    },
}
