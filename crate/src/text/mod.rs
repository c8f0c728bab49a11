//! From text to the tokens an encoder reads and the terms that search by words compares.

mod cue;
mod fold;
mod terms;
#[cfg(feature = "encoder")]
mod tokenizer;

pub use cue::Cue;
pub(crate) use cue::FUNCTION_WORDS;
pub use fold::{fold, fold_han};
pub(crate) use terms::is_unspaced;
pub use terms::{Stemming, Term, TermKind, terms};
#[cfg(feature = "encoder")]
pub use tokenizer::Tokenizer;
