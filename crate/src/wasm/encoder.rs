//! The encoder for the CPU behind the door.

use js_sys::{Float32Array, Uint32Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::error::to_js;
use super::report::report;
use crate::Error;
use crate::encoder::{Model, ModelCard, TextKind};

/// A query encoder on the CPU, which computes in integers.
#[wasm_bindgen(js_name = Encoder)]
pub struct JsEncoder {
    model: Model,
}

impl JsEncoder {
    /// The model itself, for what reads beside it.
    pub(super) fn model(&self) -> &Model {
        &self.model
    }
}

#[wasm_bindgen(js_class = Encoder)]
impl JsEncoder {
    /// Loads an encoder from the card, the concatenated weight files and the tokenizer.
    ///
    /// # Errors
    /// Throws an `AlmanacError`; `code` is "corrupt" for bytes that fail their check.
    pub fn load(card: &[u8], weights: Vec<u8>, tokenizer: &[u8]) -> Result<JsEncoder, JsValue> {
        ModelCard::from_bytes(card)
            .and_then(|card| Model::integer(card, weights, tokenizer))
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

    /// Gives the token ids of a text as the layers take them, with the prefix of its kind, "query"
    /// or "passage".
    ///
    /// # Errors
    /// Throws an `AlmanacError` if the tokenizer fails on the text.
    pub fn ids(&self, text: &str, kind: &str) -> Result<Uint32Array, JsValue> {
        let ids = kind_of(kind)
            .and_then(|kind| self.model.ids(text, kind))
            .map_err(to_js)?;
        Ok(Uint32Array::from(ids.as_slice()))
    }

    /// Gives the token ids of the card's golden sentences, at most `most`.
    ///
    /// # Errors
    /// Throws an `AlmanacError` if the tokenizer fails on one.
    pub fn golden_ids(&self, most: usize) -> Result<Vec<Uint32Array>, JsValue> {
        let all = self.model.golden_ids(most).map_err(to_js)?;
        Ok(all
            .iter()
            .map(|ids| Uint32Array::from(ids.as_slice()))
            .collect())
    }

    /// Encodes a text to a unit vector; `kind` is "query" or "passage".
    ///
    /// # Errors
    /// Throws an `AlmanacError` if the tokenizer fails on the text, or the vector has no direction.
    pub async fn encode(&self, text: String, kind: String) -> Result<Float32Array, JsValue> {
        let kind = kind_of(&kind).map_err(to_js)?;
        let vector = self.model.encode(&text, kind).await.map_err(to_js)?;
        Ok(Float32Array::from(vector.as_slice()))
    }

    /// Encodes the card's golden sentences, at most `most`, and compares with their known vectors.
    ///
    /// # Errors
    /// Throws an `AlmanacError` if the card has no golden sentence.
    pub async fn self_test(&self, most: usize) -> Result<JsValue, JsValue> {
        report(self.model.self_test(most).await.map_err(to_js)?)
    }

    /// Gives the id on the model's card.
    #[must_use]
    pub fn model_id(&self) -> String {
        self.model.card().id.clone()
    }
}

fn kind_of(name: &str) -> crate::Result<TextKind> {
    match name {
        "query" => Ok(TextKind::Query),
        "passage" => Ok(TextKind::Passage),
        other => Err(Error::invalid(format!(
            "kind is {other:?}, expected \"query\" or \"passage\""
        ))),
    }
}
