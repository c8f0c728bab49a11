//! The door for the browser: typed arrays and plain objects in and out, errors as JavaScript
//! `Error`s with a stable `code`, never HTML and never a panic that the page has to understand.

mod dates;
mod encoder;
mod error;
mod index;

pub use dates::dates;
pub use encoder::JsEncoder;
pub use index::JsIndex;

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
