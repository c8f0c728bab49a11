//! The temporal branch: data, training and measuring of the small module that reads time from an
//! encoder's token states.
//!
//! Stretches of days are drawn ([`target`]), said in English or Chinese ([`voice`]) inside
//! sentences, put beside others with the labels of the closed form ([`tuple`]) and written to files
//! ([`shards`]). With the feature `train`, `train` learns from them on token states kept on disk
//! ([`states`]); the arithmetic of its loss stands in plain numbers in [`loss`].
//!
//! Source: TEMPS (Hassani, Romero, Bouzeghoub and Jacquelinet), section 5 and appendices A and B.

mod chinese;
mod english;
pub mod loss;
mod sentence;
pub mod shards;
pub mod target;
#[cfg(feature = "train")]
pub mod train;
pub mod tuple;
pub mod voice;

use crate::evaluate::Chance;
