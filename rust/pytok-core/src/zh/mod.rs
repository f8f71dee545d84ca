//! Chinese normalisation that keeps the way back to the original text.
//!
//! A [`Pipeline`] is a list of steps. Each step rewrites parts of its text
//! (`rewrite.rs`) and says what it did and what it left alone; the alignments of
//! the steps compose ([`alignment`]). One step is one file.

pub mod alignment;
mod break_model;
mod characters;
mod context;
mod definition;
mod dialect;
mod name_marks;
mod ocr_report;
mod pair_set;
mod pairs;
mod pipeline;
mod rewrite;
mod script;
mod segment;
mod sentence_breaks;
mod sentence_marks;
mod variation_sequences;
mod words;

pub use definition::{StepDefinition, StepKind};
pub use dialect::{ContextDefinition, EntryDefinition, Scope};
pub use pipeline::{Edit, Normalized, Pipeline};
pub use rewrite::Status;
pub use script::ScriptDefinition;
pub use words::{Ways, Words};
