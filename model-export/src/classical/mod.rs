//! From modern Chinese to classical books: pairs to learn and measure with, and the training of a
//! small encoder.
//!
//! Passages with translations are cleaned and split ([`data`], [`pair`]), and whatever quotes a
//! passage that is kept for measuring is left out ([`near`]). [`sample`] says which are learned from,
//! [`forms`] how one text may be written, [`mine`] which passages are easily taken for the right one, [`report`] how well systems find it, and
//! [`translations`] what modern words may be in the books. With the feature `train`, `train`
//! learns from them; the arithmetic of its loss stands in plain numbers in [`loss`].
//!
//! Source: "古农文语义检索模型构建及其应用研究" (2023), sections 3 and 4; SimCSE, arXiv 2104.08821.

pub mod data;
pub mod forms;
pub mod loss;
pub mod measure;
pub mod mine;
pub mod near;
pub mod pair;
pub mod report;
pub mod sample;
#[cfg(feature = "train")]
pub mod train;
pub mod translations;
