//! From text to unit vectors: BERT encoders on the CPU and on WebGPU.
//!
//! A [`Model`] is read from the bytes a [`ModelCard`] names: in integers for the visitor's CPU, or
//! in float32 on one of Burn's devices. Natively [`Model::open`] reads a model folder; in the
//! browser the page hands the bytes over.

#[cfg(feature = "burn")]
mod bert;
mod card;
#[cfg(feature = "burn")]
mod device;
#[cfg(feature = "encoder")]
mod integer;
#[cfg(feature = "encoder")]
mod model;
mod network;
pub mod record;
#[cfg(feature = "encoder")]
pub mod temporal;
mod words;

#[cfg(feature = "burn")]
pub use bert::{Batch, Bert, Layer};
pub use card::{
    Architecture, CARD_FORMAT, CARD_VERSION, Golden, MAX_PART_BYTES, MAX_RECORD_BYTES, ModelCard,
    Pooling, Prefixes, WeightEncoding, WeightFiles,
};
#[cfg(feature = "burn")]
pub use device::TokenStates;
#[cfg(feature = "encoder")]
pub use model::{Model, TextKind};
pub use network::{Network, SELF_TEST_FLOOR, SelfTest};
