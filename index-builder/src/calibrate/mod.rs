//! What an index promises of its results, measured on itself before it is published.

mod no_match;
mod recall;

pub use no_match::{nonsense_queries, no_match_below};
pub use recall::{RECALL_FLOOR, SAMPLE_PASSAGES, recall_at_10, sample_queries};
