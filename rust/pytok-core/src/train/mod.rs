//! Training: text to a tokenizer definition.
//!
//! ```text
//! texts --normalize, pretokenize--> word counts (mergeable) --train--> Definition
//! ```
//! Word counts are all that a trainer sees of a corpus ([`WordCounts`]); they
//! can be counted in parts, written to files and merged, and need not fit into
//! memory ([`Words`]). BPE training cuts them
//! where no piece can grow across ([`tau_cut`]) and merges pairs ([`train_bpe`]).
//! A tokenizer that exists gets more pieces in [`extend`].
//!
//! Everything is a function of the counts and the options: the number of
//! threads, the order of texts and the platform change nothing.

mod arena;
mod assemble;
mod bpe;
mod budget;
mod config;
pub mod counts_file;
pub mod extend;
mod front_coding;
mod grammar;
mod heap;
mod layout;
mod leaf_prune;
mod meeting_counts;
mod meeting_sketch;
mod meetings;
mod merge_runs;
pub(crate) mod natural_log;
mod neighbours;
mod order;
mod pairs;
mod parted_table;
mod pieces;
mod progress;
mod queue;
mod rules;
mod run;
pub mod scheme;
mod segment_writer;
pub mod segmenter;
mod step;
mod sure_pieces;
pub mod tau_cut;
mod threads;
mod trained;
pub mod unigram;
mod word_cap;
mod word_counter;
mod word_counts;
mod word_source;
mod word_table;
mod words;

#[cfg(test)]
mod tests;

pub use budget::{Budget, LEAST_BUDGET};
pub use config::{BpeConfig, MAX_TOKEN_BYTES, Tie};
pub use progress::{OnProgress, Progress, Stage};
pub use trained::{TrainReport, Trained, train_bpe};
pub use word_counter::WordCounter;
pub use word_counts::WordCounts;
pub use word_source::{Cap, WordCutter, WordSource};
pub use word_table::WordTable;
pub use words::{OnWord, Ordered, Words};
