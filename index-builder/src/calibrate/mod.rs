//! What an index promises of its results, measured on itself before it is published.

mod no_match;
mod recall;
mod shortcuts;
mod weights;

pub use no_match::{no_match_below, nonsense_queries};
pub use recall::{RECALL_FLOOR, Recall, SAMPLE_PASSAGES, measure_recall, sample_queries};
pub use shortcuts::{SHORTCUT_FLOOR, Sampled};
pub use weights::{JudgedQuery, choose_weights, read_judged};
