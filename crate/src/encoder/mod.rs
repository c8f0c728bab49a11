//! From text to unit vectors: BERT encoders on the CPU and on WebGPU.
//!
//! A [`Model`] is read from the bytes a [`ModelCard`] names. Natively [`Model::open`] reads a model
//! folder; in the browser the page hands the bytes over.

mod bert;
mod card;
mod model;
pub mod record;
mod temporal;
mod words;

pub use bert::{Batch, Bert, Layer};
pub use card::{
    Architecture, CARD_FORMAT, CARD_VERSION, Golden, MAX_PART_BYTES, MAX_RECORD_BYTES, ModelCard,
    Pooling, Prefixes, WeightEncoding, WeightFiles,
};
pub use model::{Model, SELF_TEST_FLOOR, SelfTest, TextKind, TokenStates};
pub use temporal::{
    ANCHOR_WIDTH, BRANCH_FORMAT, BRANCH_VERSION, BranchCard, BranchShape, LOG_VARIANCE_FLOOR,
    Latent, LatentBatch, LatentScore, TemporalBranch, encode_anchor,
};
