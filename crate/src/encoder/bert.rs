//! The transformer layers of BERT as a Burn module.
//!
//! Post-norm layers with exact GELU and learned positions, as in Devlin et al. 2019 (BERT),
//! sections 3 and A.2. Word embeddings are looked up outside (see `words`), so the module takes
//! embedded tokens. Query, key and value share one matrix product.
//!
//! Source: arXiv 1810.04805; attention, arXiv 1706.03762 section 3.2.

use burn::module::{Module, Param};
use burn::nn::{LayerNorm, LayerNormConfig, Linear, LinearConfig};
use burn::tensor::activation::{gelu, softmax};
use burn::tensor::{Device, Tensor, TensorData};

use super::card::Architecture;
use super::record::RecordReader;
use crate::{Error, ErrorKind, Result};

/// Everything of a BERT encoder that comes after the word table.
#[derive(Module, Debug)]
pub struct Bert {
    /// `[positions, hidden]`
    position: Param<Tensor<2>>,
    /// `[token_types, hidden]`
    token_type: Param<Tensor<2>>,
    norm: LayerNorm,
    layers: Vec<Layer>,
    first_position: usize,
}

/// One transformer layer.
#[derive(Module, Debug)]
pub struct Layer {
    /// `hidden` to `3 × hidden`: query, key and value one after the other.
    attention: Linear,
    attention_out: Linear,
    attention_norm: LayerNorm,
    up: Linear,
    down: Linear,
    norm: LayerNorm,
    heads: usize,
}

/// The texts of one batch, embedded and padded to one length.
#[derive(Clone, Debug)]
pub struct Batch {
    /// `[batch, tokens, hidden]` rows of the word table, zeros where padded.
    pub words: Tensor<3>,
    /// `[batch, tokens]`, 1 for a token and 0 for padding; none where nothing is padded.
    pub mask: Option<Tensor<2>>,
}

impl Bert {
    /// Builds the module from a record, taking each tensor by name.
    ///
    /// Waits for the device after each layer: browsers cannot block, and a GPU queue of more than 64
    /// uploads overwrote early ones there (cubecl issue 1120).
    ///
    /// # Errors
    /// - [`ErrorKind::Corrupt`], naming the tensor, if one is missing, misshapen or not finite.
    /// - [`ErrorKind::Gpu`] if the device does not take the numbers.
    pub async fn from_record(
        shape: &Architecture,
        record: &mut RecordReader,
        device: &Device,
    ) -> Result<Self> {
        let hidden = shape.hidden;
        let mut layers = Vec::with_capacity(shape.layers);
        for number in 0..shape.layers {
            let layer = Layer::from_record(shape, number, record, device)?;
            settle(&layer).await?;
            layers.push(layer);
        }
        Ok(Self {
            position: matrix(record, "position", [shape.positions, hidden], device)?,
            token_type: matrix(record, "token_type", [shape.token_types, hidden], device)?,
            norm: norm(record, "norm", shape, device)?,
            layers,
            first_position: shape.first_position,
        })
    }

    /// Gives the token states `[batch, tokens, hidden]` of the last layer.
    ///
    /// States at padded places are meaningless.
    pub fn forward(&self, batch: Batch) -> Tensor<3> {
        let [_, tokens, hidden] = batch.words.dims();
        let first = self.first_position;
        let position = self
            .position
            .val()
            .slice([first..first + tokens, 0..hidden])
            .unsqueeze::<3>();
        let token_type = self
            .token_type
            .val()
            .slice([0..1, 0..hidden])
            .unsqueeze::<3>();
        // A padded key gets a score so low that its weight is exactly zero in float32.
        let bias = batch.mask.map(|mask| {
            ((mask - 1.0) * 1e9)
                .unsqueeze_dim::<3>(1)
                .unsqueeze_dim::<4>(1)
        });
        let mut states = self.norm.forward(batch.words + (position + token_type));
        for layer in &self.layers {
            states = layer.forward(states, bias.clone());
        }
        states
    }
}

impl Layer {
    fn from_record(
        shape: &Architecture,
        number: usize,
        record: &mut RecordReader,
        device: &Device,
    ) -> Result<Self> {
        let (hidden, inner) = (shape.hidden, shape.intermediate);
        let name = |part: &str| format!("layers.{number}.{part}");
        Ok(Self {
            attention: linear(record, &name("attention"), hidden, 3 * hidden, device)?,
            attention_out: linear(record, &name("attention_out"), hidden, hidden, device)?,
            attention_norm: norm(record, &name("attention_norm"), shape, device)?,
            up: linear(record, &name("up"), hidden, inner, device)?,
            down: linear(record, &name("down"), inner, hidden, device)?,
            norm: norm(record, &name("norm"), shape, device)?,
            heads: shape.heads,
        })
    }

    fn forward(&self, states: Tensor<3>, bias: Option<Tensor<4>>) -> Tensor<3> {
        let attended = self.attention_out.forward(self.attend(&states, bias));
        let states = self.attention_norm.forward(states + attended);
        let inner = self.down.forward(gelu(self.up.forward(states.clone())));
        self.norm.forward(states + inner)
    }

    fn attend(&self, states: &Tensor<3>, bias: Option<Tensor<4>>) -> Tensor<3> {
        let [batch, tokens, hidden] = states.dims();
        let width = hidden / self.heads;
        let joint = self.attention.forward(states.clone());
        let part = |number: usize| {
            joint
                .clone()
                .slice([0..batch, 0..tokens, number * hidden..(number + 1) * hidden])
                .reshape([batch, tokens, self.heads, width])
                .swap_dims(1, 2)
        };
        let (query, key, value) = (part(0), part(1), part(2));
        let scale = 1.0 / (width as f64).sqrt();
        let mut scores = query.matmul(key.transpose()) * scale;
        if let Some(bias) = bias {
            scores = scores + bias;
        }
        softmax(scores, 3)
            .matmul(value)
            .swap_dims(1, 2)
            .reshape([batch, tokens, hidden])
    }
}

/// Waits until a layer's numbers have arrived on the device.
async fn settle(layer: &Layer) -> Result<()> {
    let last = layer.norm.gamma.val();
    match last.into_data_async().await {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::new(ErrorKind::Gpu, format!("{error:?}")).in_place("weights")),
    }
}

fn matrix(
    record: &mut RecordReader,
    name: &str,
    shape: [usize; 2],
    device: &Device,
) -> Result<Param<Tensor<2>>> {
    let values = record.take_float32(name, &shape)?;
    let data = TensorData::new(values, shape);
    Ok(Param::from_tensor(Tensor::from_data(data, device)))
}

pub(super) fn vector(
    record: &mut RecordReader,
    name: &str,
    length: usize,
    device: &Device,
) -> Result<Param<Tensor<1>>> {
    let values = record.take_float32(name, &[length])?;
    let data = TensorData::new(values, [length]);
    Ok(Param::from_tensor(Tensor::from_data(data, device)))
}

fn linear(
    record: &mut RecordReader,
    name: &str,
    input: usize,
    output: usize,
    device: &Device,
) -> Result<Linear> {
    let mut linear = LinearConfig::new(input, output).init(device);
    linear.weight = matrix(record, &format!("{name}.weight"), [input, output], device)?;
    linear.bias = Some(vector(record, &format!("{name}.bias"), output, device)?);
    Ok(linear)
}

fn norm(
    record: &mut RecordReader,
    name: &str,
    shape: &Architecture,
    device: &Device,
) -> Result<LayerNorm> {
    let mut norm = LayerNormConfig::new(shape.hidden)
        .with_epsilon(shape.layer_norm_epsilon)
        .init(device);
    norm.gamma = vector(record, &format!("{name}.gamma"), shape.hidden, device)?;
    norm.beta = Some(vector(
        record,
        &format!("{name}.beta"),
        shape.hidden,
        device,
    )?);
    Ok(norm)
}
