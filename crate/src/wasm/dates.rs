//! The reading of dates behind the door.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::error::to_js;
use crate::Error;
use crate::time::{ReportOptions, report_line};

/// Finds the dates of a text and gives one JSON object, the line that `almanac-index dates` writes.
///
/// `options` is a JSON object that may hold `preset`, `anchor`, `lang` and `whole`; what it leaves
/// out is as in the command. `start` and `end` count bytes of UTF-8.
///
/// # Errors
/// Throws an `AlmanacError` of code "invalid_input" if the options are not such an object or name
/// no preset, day or language.
#[wasm_bindgen]
pub fn dates(text: &str, options: &str) -> Result<String, JsValue> {
    let options = ReportOptions::from_json(options)
        .map_err(|error| to_js(Error::invalid(error.to_string())))?;
    Ok(report_line(text, &options))
}
