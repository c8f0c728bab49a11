//! From text to the tokens an encoder reads.

#[cfg(feature = "encoder")]
mod tokenizer;

#[cfg(feature = "encoder")]
pub use tokenizer::Tokenizer;
