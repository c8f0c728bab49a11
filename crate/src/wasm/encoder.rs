//! The encoder behind the door.

use burn::tensor::Device;
use js_sys::{Float32Array, Uint32Array};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::error::{to_js, value};
use crate::encoder::{Model, ModelCard, TextKind};
use crate::{Error, ErrorKind};

/// Lengths are padded to multiples of this on a GPU, so that each shader is compiled for few shapes.
#[cfg(feature = "gpu")]
const GPU_BUCKET_TOKENS: usize = 16;
/// Commands a GPU submission holds at most; small ones keep the browser responsive.
#[cfg(feature = "gpu")]
const GPU_TASKS: usize = 32;

#[derive(Serialize)]
struct Report {
    passed: bool,
    checked: usize,
    worst_cosine: f32,
    detail: String,
}

/// A query encoder on one backend.
#[wasm_bindgen(js_name = Encoder)]
pub struct JsEncoder {
    model: Model,
}

#[wasm_bindgen(js_class = Encoder)]
impl JsEncoder {
    /// Loads an encoder from the card, the concatenated weight files and the tokenizer.
    ///
    /// # Errors
    /// Throws an `AlmanacError`; `code` is "corrupt" for bytes that fail their check, "gpu" where
    /// the backend cannot be had, "unsupported" for a backend this module was built without.
    pub async fn load(
        card: Vec<u8>,
        weights: Vec<u8>,
        tokenizer: Vec<u8>,
        backend: String,
    ) -> Result<JsEncoder, JsValue> {
        load(card, weights, tokenizer, backend)
            .await
            .map(|model| Self { model })
            .map_err(to_js)
    }

    /// Gives the token ids of a text as a query, special tokens included, without a prefix.
    ///
    /// # Errors
    /// Throws an `AlmanacError` if the tokenizer fails on the text.
    pub fn tokens(&self, text: &str) -> Result<Uint32Array, JsValue> {
        let ids = self.model.tokenizer().ids(text).map_err(to_js)?;
        Ok(Uint32Array::from(ids.as_slice()))
    }

    /// Gives the same tokens as the vocabulary writes them.
    ///
    /// # Errors
    /// As [`Self::tokens`].
    pub fn pieces(&self, text: &str) -> Result<Vec<String>, JsValue> {
        self.model.tokenizer().pieces(text).map_err(to_js)
    }

    /// Encodes a text to a unit vector; `kind` is "query" or "passage".
    ///
    /// # Errors
    /// Throws an `AlmanacError`; `code` is "gpu" if the device gave no or impossible numbers.
    pub async fn encode(&self, text: String, kind: String) -> Result<Float32Array, JsValue> {
        let kind = match kind.as_str() {
            "query" => TextKind::Query,
            "passage" => TextKind::Passage,
            other => {
                return Err(to_js(Error::invalid(format!(
                    "kind is {other:?}, expected \"query\" or \"passage\""
                ))));
            }
        };
        let vector = self.model.encode(&text, kind).await.map_err(to_js)?;
        Ok(Float32Array::from(vector.as_slice()))
    }

    /// Encodes the card's golden sentences, at most `most`, and compares with their known vectors.
    ///
    /// # Errors
    /// Throws an `AlmanacError` if the card has no golden sentence.
    pub async fn self_test(&self, most: usize) -> Result<JsValue, JsValue> {
        let test = self.model.self_test(most).await.map_err(to_js)?;
        value(&Report {
            passed: test.passed,
            checked: test.checked,
            worst_cosine: test.worst_cosine,
            detail: test.detail,
        })
    }

    /// Gives the id on the model's card.
    #[must_use]
    pub fn model_id(&self) -> String {
        self.model.card().id.clone()
    }
}

async fn load(
    card: Vec<u8>,
    weights: Vec<u8>,
    tokenizer: Vec<u8>,
    backend: String,
) -> crate::Result<Model> {
    let card = ModelCard::from_bytes(&card)?;
    match backend.as_str() {
        "cpu" => Model::from_bytes(card, weights, &tokenizer, &Device::flex()).await,
        #[cfg(feature = "gpu")]
        "gpu" => {
            let device = gpu_device().await?;
            let model = Model::from_bytes(card, weights, &tokenizer, &device).await?;
            Ok(model.with_bucket(GPU_BUCKET_TOKENS))
        }
        other => Err(Error::new(
            ErrorKind::Unsupported,
            format!("backend {other:?} is not part of this module"),
        )),
    }
}

/// Gets the browser's WebGPU device, once: the runtime refuses a second initialization.
#[cfg(feature = "gpu")]
async fn gpu_device() -> crate::Result<Device> {
    use std::cell::RefCell;
    thread_local! {
        static DEVICE: RefCell<Option<Device>> = const { RefCell::new(None) };
    }
    if let Some(device) = DEVICE.with_borrow(Clone::clone) {
        return Ok(device);
    }
    let device = Device::wgpu_options()
        .tasks_max(GPU_TASKS)
        .init_async()
        .await
        .map_err(|e| Error::new(ErrorKind::Gpu, e.to_string()))?;
    DEVICE.set(Some(device.clone()));
    Ok(device)
}
