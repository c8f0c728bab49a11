//! Library errors as JavaScript errors.

use js_sys::Reflect;
use wasm_bindgen::JsValue;

use crate::{Error, ErrorKind};

/// Makes an `Error` with `name` "AlmanacError", the message, and the kind's stable `code`.
pub(super) fn to_js(error: Error) -> JsValue {
    let js = js_sys::Error::new(&error.to_string());
    js.set_name("AlmanacError");
    // Setting a property of a fresh, extensible object cannot fail.
    let _ = Reflect::set(&js, &"code".into(), &error.kind().code().into());
    js.into()
}

/// Turns a plain value into a JavaScript one.
pub(super) fn value<T: serde::Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value
        .serialize(&serializer)
        .map_err(|e| to_js(Error::new(ErrorKind::Internal, e.to_string())))
}
