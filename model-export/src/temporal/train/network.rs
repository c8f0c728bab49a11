//! The branch's network as a Burn module, to be trained; `almanac::encoder::temporal` computes the
//! same from its record.

use almanac::encoder::WeightEncoding;
use almanac::encoder::record::{RecordWriter, ScaleAxis};
use almanac::encoder::temporal::BranchShape;
use almanac::encoder::temporal::network::{EPSILON, HEADS, NEIGHBORS, POOLS, distance_bias};
use almanac::encoder::temporal::reading::{FEATURES, HAN_ROWS};
use almanac::encoder::temporal::readout::{BASES, LENGTHS, MEMBERS, ROLES};
use almanac::{Error, ErrorKind, Result};
use burn::module::{Module, Param};
use burn::nn::{Embedding, EmbeddingConfig, LayerNorm, LayerNormConfig, Linear, LinearConfig};
use burn::tensor::activation::{relu, softmax};
use burn::tensor::{Device, Int, Tensor, TensorData};

/// One transformer layer.
#[derive(Module, Debug)]
pub(super) struct Layer {
    before_attention: LayerNorm,
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    before_feed: LayerNorm,
    up: Linear,
    down: Linear,
}

/// The network.
#[derive(Module, Debug)]
pub(super) struct Network {
    words: Linear,
    features: Linear,
    han: Embedding,
    near: Linear,
    layers: Vec<Layer>,
    last: LayerNorm,
    role: Linear,
    member: Linear,
    pool: Linear,
    read: Linear,
    base: Linear,
    length: Linear,
    shift: Linear,
    calendar: Linear,
    apart: Linear,
}

/// Texts of a batch as the network takes them.
pub(super) struct Input {
    /// `[texts, tokens, hidden]`, zeros for a token without an id.
    pub(super) rows: Tensor<3>,
    /// `[texts, tokens, FEATURES]`
    pub(super) features: Tensor<3>,
    /// `[texts, tokens]`, 0 where there is no Chinese character.
    pub(super) han: Tensor<2, Int>,
    /// `[texts, tokens]`, 1 where there is one.
    pub(super) is_han: Tensor<2>,
    /// `[texts, tokens]`, 1 for a token and 0 for padding.
    pub(super) mask: Tensor<2>,
}

/// What the network says of a batch.
pub(super) struct Said {
    /// `[texts, tokens, ROLES]`
    pub(super) roles: Tensor<3>,
    /// `[texts, tokens, MEMBERS]`
    pub(super) members: Tensor<3>,
    /// `[texts, 2, BASES]`
    pub(super) bases: Tensor<3>,
    /// `[texts, 2, LENGTHS]`
    pub(super) lengths: Tensor<3>,
    /// `[texts, 2]`
    pub(super) shift: Tensor<2>,
    /// `[texts, 2]`
    pub(super) calendar: Tensor<2>,
    /// `[texts]`
    pub(super) apart: Tensor<1>,
}

impl Network {
    /// Makes an untrained network; the device's seed decides its numbers.
    pub(super) fn new(shape: &BranchShape, device: &Device) -> Self {
        let d = shape.width;
        let linear = |input, output| LinearConfig::new(input, output).init(device);
        let norm = || {
            LayerNormConfig::new(d)
                .with_epsilon(f64::from(EPSILON))
                .init(device)
        };
        let layer = |_| Layer {
            before_attention: norm(),
            query: linear(d, d),
            key: linear(d, d),
            value: linear(d, d),
            output: linear(d, d),
            before_feed: norm(),
            up: linear(d, shape.feed),
            down: linear(shape.feed, d),
        };
        Self {
            words: LinearConfig::new(shape.hidden, d)
                .with_bias(false)
                .init(device),
            features: linear(FEATURES, d),
            han: EmbeddingConfig::new(HAN_ROWS, d).init(device),
            near: linear((2 * NEIGHBORS + 1) * d, d),
            layers: (0..shape.layers).map(layer).collect(),
            last: norm(),
            role: linear(d, ROLES),
            member: linear(d, MEMBERS),
            pool: linear(d, 2 * POOLS),
            read: linear(POOLS * d, d),
            base: linear(d, BASES),
            length: linear(d, LENGTHS.len()),
            shift: linear(d, 1),
            calendar: linear(d, 1),
            apart: linear(2 * POOLS * d, 1),
        }
    }

    /// Reads a batch.
    pub(super) fn forward(&self, input: Input, device: &Device) -> Said {
        let [texts, tokens, _] = input.rows.dims();
        let mask = input.mask.clone().unsqueeze_dim::<3>(2);
        let han = self.han.forward(input.han) * input.is_han.unsqueeze_dim::<3>(2);
        let inputs =
            (self.words.forward(input.rows) + self.features.forward(input.features) + han) * mask;
        let [_, _, d] = inputs.dims();
        let edge = Tensor::<3>::zeros([texts, NEIGHBORS, d], device);
        let wide = Tensor::cat(vec![edge.clone(), inputs.clone(), edge], 1);
        let beside = (0..=2 * NEIGHBORS)
            .map(|at| wide.clone().slice([0..texts, at..at + tokens, 0..d]))
            .collect();
        let mut state = inputs + relu(self.near.forward(Tensor::cat(beside, 2)));
        let bias = bias(&input.mask, tokens, device);
        for layer in &self.layers {
            let normed = layer.before_attention.forward(state.clone());
            state = state + layer.attend(normed, bias.clone());
            let inner = relu(layer.up.forward(layer.before_feed.forward(state.clone())));
            state = state + layer.down.forward(inner);
        }
        let state = self.last.forward(state);
        let unseen = ((input.mask - 1.0) * 1e9).unsqueeze_dim::<3>(1);
        let scores = self.pool.forward(state.clone()).swap_dims(1, 2) + unseen;
        let pooled = softmax(scores, 2).matmul(state.clone());
        let read = relu(
            self.read
                .forward(pooled.clone().reshape([texts, 2, POOLS * d])),
        );
        let two = |linear: &Linear| linear.forward(read.clone()).reshape([texts, 2]);
        Said {
            roles: self.role.forward(state.clone()),
            members: self.member.forward(state),
            bases: self.base.forward(read.clone()),
            lengths: self.length.forward(read.clone()),
            shift: two(&self.shift),
            calendar: two(&self.calendar),
            apart: self
                .apart
                .forward(pooled.reshape([texts, 2 * POOLS * d]))
                .reshape([texts]),
        }
    }

    /// Writes the network as a record that the library reads.
    ///
    /// # Errors
    /// - [`ErrorKind::Gpu`] if the device does not give its numbers back.
    /// - [`ErrorKind::Internal`] if they cannot be written.
    pub(super) fn to_record(&self, encoding: WeightEncoding) -> Result<Vec<u8>> {
        let mut writer = RecordWriter::new(encoding);
        for (name, linear) in self.linears() {
            let [_, output] = linear.weight.val().dims();
            let weight = values(linear.weight.val())?;
            writer.matrix(
                &format!("{name}.weight"),
                &weight,
                output,
                ScaleAxis::Column,
            );
            if let Some(bias) = &linear.bias {
                writer.vector(&format!("{name}.bias"), &values(bias.val())?);
            }
        }
        let [_, width] = self.han.weight.val().dims();
        writer.matrix(
            "han.weight",
            &values(self.han.weight.val())?,
            width,
            ScaleAxis::Row,
        );
        for (name, norm) in self.norms() {
            writer.vector(&format!("{name}.gamma"), &values(norm.gamma.val())?);
            let beta = norm.beta.as_ref().map(Param::val);
            let beta = beta.map_or_else(|| Ok(vec![0.0; width]), values)?;
            writer.vector(&format!("{name}.beta"), &beta);
        }
        writer.into_bytes()
    }

    fn linears(&self) -> Vec<(String, &Linear)> {
        let mut out: Vec<(String, &Linear)> = [
            ("words", &self.words),
            ("features", &self.features),
            ("near", &self.near),
            ("role", &self.role),
            ("member", &self.member),
            ("pool", &self.pool),
            ("read", &self.read),
            ("base", &self.base),
            ("length", &self.length),
            ("shift", &self.shift),
            ("calendar", &self.calendar),
            ("apart", &self.apart),
        ]
        .map(|(name, linear)| (name.to_owned(), linear))
        .into();
        for (at, layer) in self.layers.iter().enumerate() {
            let own = [
                ("query", &layer.query),
                ("key", &layer.key),
                ("value", &layer.value),
                ("output", &layer.output),
                ("up", &layer.up),
                ("down", &layer.down),
            ];
            out.extend(own.map(|(name, linear)| (format!("layers.{at}.{name}"), linear)));
        }
        out
    }

    fn norms(&self) -> Vec<(String, &LayerNorm)> {
        let mut out = vec![("last".to_owned(), &self.last)];
        for (at, layer) in self.layers.iter().enumerate() {
            out.push((
                format!("layers.{at}.before_attention"),
                &layer.before_attention,
            ));
            out.push((format!("layers.{at}.before_feed"), &layer.before_feed));
        }
        out
    }
}

impl Layer {
    fn attend(&self, values: Tensor<3>, bias: Tensor<4>) -> Tensor<3> {
        let [texts, tokens, d] = values.dims();
        let heads = |linear: &Linear| {
            linear
                .forward(values.clone())
                .reshape([texts, tokens, HEADS, d / HEADS])
                .swap_dims(1, 2)
        };
        let scale = 1.0 / ((d / HEADS) as f64).sqrt();
        let scores = heads(&self.query).matmul(heads(&self.key).transpose()) * scale + bias;
        let seen = softmax(scores, 3).matmul(heads(&self.value));
        self.output
            .forward(seen.swap_dims(1, 2).reshape([texts, tokens, d]))
    }
}

/// What is added to attention scores, `[texts, HEADS, tokens, tokens]`.
fn bias(mask: &Tensor<2>, tokens: usize, device: &Device) -> Tensor<4> {
    let mut values = Vec::with_capacity(HEADS * tokens * tokens);
    for head in 0..HEADS {
        for from in 0..tokens {
            values.extend((0..tokens).map(|to| distance_bias(head, to as i64 - from as i64)));
        }
    }
    let shape = [1, HEADS, tokens, tokens];
    let distance = Tensor::<4>::from_data(TensorData::new(values, shape), device);
    let [texts, _] = mask.dims();
    distance + ((mask.clone() - 1.0) * 1e9).reshape([texts, 1, 1, tokens])
}

fn values<const D: usize>(tensor: Tensor<D>) -> Result<Vec<f32>> {
    tensor
        .into_data()
        .try_to_vec()
        .map_err(|e| Error::new(ErrorKind::Gpu, format!("{e:?}")).in_place("branch"))
}
