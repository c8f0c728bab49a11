//! The outcome of a self-test as a plain object.

use serde::Serialize;
use wasm_bindgen::JsValue;

use super::error::value;
use crate::encoder::SelfTest;

#[derive(Serialize)]
struct Report {
    passed: bool,
    checked: usize,
    worst_cosine: f32,
    detail: String,
}

/// Turns the outcome into a plain object.
pub(super) fn report(test: SelfTest) -> Result<JsValue, JsValue> {
    value(&Report {
        passed: test.passed,
        checked: test.checked,
        worst_cosine: test.worst_cosine,
        detail: test.detail,
    })
}
