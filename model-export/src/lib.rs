//! Turns published BERT encoders into the records and cards that Almanac searches with.
//!
//! A Hugging Face directory is read ([`source`]: what the configuration says; `checkpoint`: the
//! tensors), its tensors are renamed and laid out for the Burn module (`convert`), and the result is
//! written as a model folder that has passed its own golden sentences ([`import`]). [`check`] compares a
//! folder with what an independent implementation computes, and [`inspect`] describes one. [`cut`] makes a smaller
//! directory of a published one, [`export`] a folder with fewer bits a number. [`evaluate`] measures
//! rankings by meaning, words and time on a test set. [`temporal`] makes the module that learns time from an
//! encoder's token states, [`classical`] an encoder that finds classical passages by modern queries.

pub mod check;
mod checkpoint;
pub mod classical;
mod convert;
pub mod cut;
pub mod evaluate;
pub mod export;
mod fault;
mod golden;
pub mod import;
pub mod inspect;
mod layout;
pub mod source;
mod store;
pub mod temporal;
#[cfg(feature = "train")]
pub mod training;
