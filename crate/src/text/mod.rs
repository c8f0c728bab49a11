//! From text to the tokens an encoder reads and the terms that search by words compares.

mod fold;
mod terms;
#[cfg(feature = "encoder")]
mod tokenizer;

pub use fold::{fold, fold_han};
pub use terms::{Stemming, Term, TermKind, terms};
#[cfg(feature = "encoder")]
pub use tokenizer::Tokenizer;
