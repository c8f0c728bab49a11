//! The temporal branch behind the door.

use js_sys::Float64Array;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::encoder::JsEncoder;
use super::error::to_js;
use crate::encoder::temporal::{BranchCard, TemporalBranch};
use crate::search::time::Gaussian;
use crate::time::DayNumber;
use crate::{Error, ErrorKind};

/// A branch that reads the time a text means, beside the encoder it was trained for.
#[wasm_bindgen(js_name = Branch)]
pub struct JsBranch {
    encoder: String,
    branch: TemporalBranch,
}

#[wasm_bindgen(js_class = Branch)]
impl JsBranch {
    /// Loads a branch from its card and the file that the card names.
    ///
    /// # Errors
    /// Throws an `AlmanacError`; `code` is "corrupt" for bytes that fail their check.
    pub fn load(card: &[u8], weights: Vec<u8>) -> Result<JsBranch, JsValue> {
        let load = || -> crate::Result<Self> {
            let card = BranchCard::from_bytes(card)?;
            let branch = card.branch(weights)?;
            Ok(Self {
                encoder: card.encoder,
                branch,
            })
        };
        load().map_err(to_js)
    }

    /// Reads the time of a text as mean and length of an interval, in days; relative dates count from
    /// the day number `anchor`. Day 1 is 1 January of the year 1, and a text without a date gets about
    /// 20,000 years.
    ///
    /// It runs on the CPU wherever the encoder runs, for the tokenizer and the word table are here.
    ///
    /// # Errors
    /// Throws an `AlmanacError`; `code` is "incompatible" for a branch of another encoder.
    pub fn time(
        &self,
        encoder: &JsEncoder,
        text: &str,
        anchor: f64,
    ) -> Result<Float64Array, JsValue> {
        let model = encoder.model();
        let read = || -> crate::Result<Gaussian> {
            if model.card().name != self.encoder {
                return Err(Error::new(
                    ErrorKind::Incompatible,
                    format!(
                        "the branch reads {}, the encoder is {}",
                        self.encoder,
                        model.card().name
                    ),
                ));
            }
            let anchor = DayNumber(anchor as i64);
            self.branch
                .gaussian(model.network(), model.tokenizer(), text, anchor)
        };
        let time = read().map_err(to_js)?;
        Ok(Float64Array::from([time.mean(), time.length()].as_slice()))
    }
}
