//! From texts to vectors: fixed batches, a cache that survives a kill, all cores.

mod cache;
mod plan;
mod workers;

pub use cache::Cache;
pub use plan::{Key, Plan};
pub use workers::embed;

use almanac::index::Int8Vector;

/// The vectors of one batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoded {
    /// One vector for each member of the batch.
    pub vectors: Vec<Int8Vector>,
    /// The same vectors before quantization, where they are wanted for measuring.
    pub exact: Option<Vec<Vec<f32>>>,
}
