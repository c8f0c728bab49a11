//! The layers of BERT on the CPU, with linear weights as int8 codes and sums of products in integers.
//!
//! A token's numbers become 16-bit codes with one scale, and a block of [`BLOCK_ROWS`] products with
//! int8 weights is summed exactly before it becomes a float. All other arithmetic is float32 in
//! four lanes. The steps and their order are the same natively and in WASM, so both give the same
//! bits.
//!
//! Source: the blocks are those of the record (`docs/decisions.md`, D6); layers as in
//! arXiv 1810.04805.
//!
//! [`BLOCK_ROWS`]: super::record::BLOCK_ROWS

mod activations;
mod attention;
mod bert;
mod functions;
mod lanes;
mod linear;
mod norm;
mod product;
#[cfg(test)]
mod tests;

pub(super) use bert::IntegerBert;
