//! Search that understands meaning and time, natively and in the browser.
//!
//! Data flows one way: text is cut into passages and tokens ([`text`]) and its dates are grounded to
//! intervals ([`time`]), passages become vectors ([`encoder`]), vectors and stored fields become
//! files ([`index`]), and a query is scored against them ([`search`]). The browser reaches the same
//! code through the `wasm` module.

#[cfg(feature = "record")]
pub mod encoder;
mod error;
pub mod index;
pub mod search;
pub mod text;
pub mod time;
#[cfg(all(target_arch = "wasm32", any(feature = "encoder", feature = "gpu")))]
pub mod wasm;

pub use error::{Error, ErrorKind, Result};
