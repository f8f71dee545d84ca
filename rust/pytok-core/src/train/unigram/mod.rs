//! Vocabularies that are chosen whole, rather than grown: Unigram and the hybrid.
//!
//! A text's best segmentation is the one of least cost, and a piece t costs
//!
//! ```text
//! -ln(theta_t) + lambda + gamma * crossing(t) - beta * [t is in the lexicon]
//! ```
//! nats: its rarity, the price of one more token, and how badly it fits the
//! words of the language. lambda = 0 is the Unigram model of Kudo (2018); a
//! large lambda asks for the fewest tokens, and then adding the piece `ab` saves
//! one token wherever a and b meet, which is a merge of byte-pair encoding. So
//! pieces are proposed by merging and chosen by what their loss would cost.
//!
//! Costs are whole numbers of 1/1024 nat from the first step to the file.

mod beside;
mod boundaries;
mod boundary_search;
mod candidates;
mod choose;
mod config;
mod costs;
mod expected_sums;
mod grow;
mod hard_counts;
mod lattice;
mod lexicon;
mod occurrences;
mod prune;
mod refine;
mod run;
mod soft_counts;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use boundaries::{FindBoundaries, boundaries_of_all};
pub use config::{Estimate, UnigramConfig};
pub use lexicon::Lexicon;
pub use run::{OpenDictionary, TrainedUnigram, UnigramInputs, UnigramReport, train_unigram};
