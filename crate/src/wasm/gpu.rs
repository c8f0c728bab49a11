//! The layers on WebGPU behind the door.

use std::cell::RefCell;

use burn::tensor::Device;
use js_sys::{Float32Array, Uint32Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::error::to_js;
use super::report::report;
use crate::encoder::{ModelCard, Network};
use crate::{Error, ErrorKind};

/// Lengths are padded to multiples of this, so that each shader is compiled for few shapes.
const BUCKET_TOKENS: usize = 16;
/// Commands a submission holds at most; small ones keep the browser responsive.
const TASKS: usize = 32;

/// An encoder on the GPU, which takes token ids from the tokenizer of the module for the CPU.
#[wasm_bindgen(js_name = GpuEncoder)]
pub struct JsGpuEncoder {
    network: Network,
}

#[wasm_bindgen(js_class = GpuEncoder)]
impl JsGpuEncoder {
    /// Loads an encoder from the card and the concatenated weight files.
    ///
    /// # Errors
    /// Throws an `AlmanacError`; `code` is "corrupt" for bytes that fail their check, "gpu" where
    /// the device cannot be had.
    pub async fn load(card: Vec<u8>, weights: Vec<u8>) -> Result<JsGpuEncoder, JsValue> {
        let load = async || {
            let card = ModelCard::from_bytes(&card)?;
            let device = device().await?;
            let network = Network::on_device(card, weights, &device).await?;
            Ok(network.with_bucket(BUCKET_TOKENS))
        };
        match load().await {
            Ok(network) => Ok(Self { network }),
            Err(error) => Err(to_js(error)),
        }
    }

    /// Encodes the token ids of a text to a unit vector.
    ///
    /// # Errors
    /// Throws an `AlmanacError`; `code` is "gpu" if the device gave no or impossible numbers.
    pub async fn encode(&self, ids: Vec<u32>) -> Result<Float32Array, JsValue> {
        let vectors = self.network.encode_ids(&[ids]).await.map_err(to_js)?;
        let vector = vectors.first().map_or(&[][..], Vec::as_slice);
        Ok(Float32Array::from(vector))
    }

    /// Encodes the token ids of the card's golden sentences, in the card's order, and compares with
    /// their known vectors.
    ///
    /// # Errors
    /// Throws an `AlmanacError` if the card has no golden sentence.
    pub async fn self_test(&self, ids: Vec<Uint32Array>) -> Result<JsValue, JsValue> {
        let ids = ids.iter().map(Uint32Array::to_vec).collect();
        report(self.network.self_test(ids).await.map_err(to_js)?)
    }
}

/// Gets the browser's WebGPU device, once: the runtime refuses a second initialization.
async fn device() -> crate::Result<Device> {
    thread_local! {
        static DEVICE: RefCell<Option<Device>> = const { RefCell::new(None) };
    }
    if let Some(device) = DEVICE.with_borrow(Clone::clone) {
        return Ok(device);
    }
    let device = Device::wgpu_options()
        .tasks_max(TASKS)
        .init_async()
        .await
        .map_err(|e| Error::new(ErrorKind::Gpu, e.to_string()))?;
    DEVICE.set(Some(device.clone()));
    Ok(device)
}
