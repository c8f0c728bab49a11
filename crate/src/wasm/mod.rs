//! The door for the browser: typed arrays and plain objects in and out, errors as JavaScript
//! `Error`s with a stable `code`, never HTML and never a panic that the page has to understand.
//!
//! The module for the CPU holds everything but Burn; the one for the GPU holds the layers alone and
//! takes token ids from the other.

#[cfg(feature = "encoder")]
mod branch;
#[cfg(feature = "encoder")]
mod dates;
#[cfg(feature = "encoder")]
mod encoder;
mod error;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(feature = "encoder")]
mod index;
mod memory;
mod report;

#[cfg(feature = "encoder")]
pub use branch::JsBranch;
#[cfg(feature = "encoder")]
pub use dates::dates;
#[cfg(feature = "encoder")]
pub use encoder::JsEncoder;
#[cfg(feature = "gpu")]
pub use gpu::JsGpuEncoder;
#[cfg(feature = "encoder")]
pub use index::JsIndex;
pub use memory::memory_refused;

use wasm_bindgen::prelude::wasm_bindgen;

/// Runs once when the module is instantiated: panics then say what happened on the console.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// Gives the release of the library.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
