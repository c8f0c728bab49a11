//! The branch's network in plain float32, small enough to run beside any encoder.
//!
//! Token inputs meet their neighbors, pass transformer layers whose attention knows distances alone,
//! and are read per token and, by attention, per text. Positions have no embedding, so that a date
//! is read alike wherever it stands.

use super::super::record::RecordReader;
use super::BranchShape;
use super::reading::{FEATURES, HAN_ROWS, Token};
use super::readout::{BASES, LENGTHS, MEMBERS, ROLES};
use crate::Result;

/// Tokens on each side that a token meets first.
pub const NEIGHBORS: usize = 2;
/// Attention heads of the layers.
pub const HEADS: usize = 4;
/// Ways in which each of the two ends gathers what the tokens say.
pub const POOLS: usize = 2;
/// Added to the variance before its root.
pub const EPSILON: f32 = 1e-5;
/// The score of a place that a head does not see.
pub const UNSEEN: f32 = -1e9;

/// What one head adds to the score of a place `ahead` tokens after its own: the first two look back
/// and ahead, the third fades on both sides, the last sees all alike.
///
/// Source: linear biases as in arXiv 2108.12409, with slopes of our own.
#[must_use]
pub fn distance_bias(head: usize, ahead: i64) -> f32 {
    let far = ahead.unsigned_abs() as f32;
    match head {
        0 if ahead > 0 => UNSEEN,
        1 if ahead < 0 => UNSEEN,
        0 | 1 => -0.3 * far,
        2 => -0.1 * far,
        _ => 0.0,
    }
}

#[derive(Clone, Debug)]
struct Linear {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Linear {
    fn read(record: &mut RecordReader, name: &str, [input, output]: [usize; 2]) -> Result<Self> {
        Ok(Self {
            weight: record.take_float32(&format!("{name}.weight"), &[input, output])?,
            bias: record.take_float32(&format!("{name}.bias"), &[output])?,
        })
    }

    /// `rows × input` numbers to `rows × output`.
    fn forward(&self, values: &[f32]) -> Vec<f32> {
        let output = self.bias.len();
        let input = (self.weight.len() / output.max(1)).max(1);
        let mut out = Vec::with_capacity(values.len() / input * output);
        for row in values.chunks_exact(input) {
            let start = out.len();
            out.extend_from_slice(&self.bias);
            add_product(row, &self.weight, &mut out[start..]);
        }
        out
    }
}

/// Adds a row times a matrix `[row, out]` to `out`, four rows of the matrix at a time.
fn add_product(row: &[f32], matrix: &[f32], out: &mut [f32]) {
    let width = out.len();
    let mut fours = row.chunks_exact(4);
    let mut lines = matrix.chunks_exact(4 * width);
    for (x, m) in fours.by_ref().zip(lines.by_ref()) {
        let (a, rest) = m.split_at(width);
        let (b, rest) = rest.split_at(width);
        let (c, d) = rest.split_at(width);
        for ((((o, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *o += x[0] * a + x[1] * b + x[2] * c + x[3] * d;
        }
    }
    for (x, m) in fours
        .remainder()
        .iter()
        .zip(lines.remainder().chunks_exact(width))
    {
        for (o, m) in out.iter_mut().zip(m) {
            *o += x * m;
        }
    }
}

#[derive(Clone, Debug)]
struct Norm {
    gamma: Vec<f32>,
    beta: Vec<f32>,
}

impl Norm {
    fn read(record: &mut RecordReader, name: &str, width: usize) -> Result<Self> {
        Ok(Self {
            gamma: record.take_float32(&format!("{name}.gamma"), &[width])?,
            beta: record.take_float32(&format!("{name}.beta"), &[width])?,
        })
    }

    fn forward(&self, values: &[f32]) -> Vec<f32> {
        let width = self.gamma.len();
        let mut out = Vec::with_capacity(values.len());
        for row in values.chunks_exact(width) {
            let mean = row.iter().sum::<f32>() / width as f32;
            let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / width as f32;
            let scale = 1.0 / (variance + EPSILON).sqrt();
            let scaled = row.iter().zip(&self.gamma).zip(&self.beta);
            out.extend(scaled.map(|((x, g), b)| (x - mean) * scale * g + b));
        }
        out
    }
}

#[derive(Clone, Debug)]
struct Layer {
    before_attention: Norm,
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    before_feed: Norm,
    up: Linear,
    down: Linear,
}

/// The network.
#[derive(Clone, Debug)]
pub(super) struct Network {
    words: Vec<f32>,
    features: Linear,
    han: Vec<f32>,
    near: Linear,
    layers: Vec<Layer>,
    last: Norm,
    role: Linear,
    member: Linear,
    pool: Linear,
    read: Linear,
    base: Linear,
    length: Linear,
    shift: Linear,
    calendar: Linear,
    apart: Linear,
    width: usize,
}

/// What the network says of a text, before anything is chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// What each number counts, `tokens × ROLES`.
    pub roles: Vec<f32>,
    /// Which ends it belongs to, `tokens × MEMBERS`.
    pub members: Vec<f32>,
    /// Two ends, each with its bases, lengths, shift and calendar.
    pub ends: [(Vec<f32>, Vec<f32>, f32, f32); 2],
    /// Above 0 where the ends are times of their own.
    pub apart: f32,
}

impl Network {
    pub(super) fn read(shape: &BranchShape, record: &mut RecordReader) -> Result<Self> {
        let d = shape.width;
        let layers = (0..shape.layers)
            .map(|at| {
                let mut linear =
                    |name: &str, size| Linear::read(record, &format!("layers.{at}.{name}"), size);
                let (query, key) = (linear("query", [d, d])?, linear("key", [d, d])?);
                let (value, output) = (linear("value", [d, d])?, linear("output", [d, d])?);
                let (up, down) = (
                    linear("up", [d, shape.feed])?,
                    linear("down", [shape.feed, d])?,
                );
                let mut norm = |name: &str| Norm::read(record, &format!("layers.{at}.{name}"), d);
                Ok(Layer {
                    before_attention: norm("before_attention")?,
                    query,
                    key,
                    value,
                    output,
                    before_feed: norm("before_feed")?,
                    up,
                    down,
                })
            })
            .collect::<Result<_>>()?;
        Ok(Self {
            words: record.take_float32("words.weight", &[shape.hidden, d])?,
            features: Linear::read(record, "features", [FEATURES, d])?,
            han: record.take_float32("han.weight", &[HAN_ROWS, d])?,
            near: Linear::read(record, "near", [(2 * NEIGHBORS + 1) * d, d])?,
            layers,
            last: Norm::read(record, "last", d)?,
            role: Linear::read(record, "role", [d, ROLES])?,
            member: Linear::read(record, "member", [d, MEMBERS])?,
            pool: Linear::read(record, "pool", [d, 2 * POOLS])?,
            read: Linear::read(record, "read", [POOLS * d, d])?,
            base: Linear::read(record, "base", [d, BASES])?,
            length: Linear::read(record, "length", [d, LENGTHS.len()])?,
            shift: Linear::read(record, "shift", [d, 1])?,
            calendar: Linear::read(record, "calendar", [d, 1])?,
            apart: Linear::read(record, "apart", [2 * POOLS * d, 1])?,
            width: d,
        })
    }

    /// Reads a text; `rows` holds the row of the word table of every token with an id, in order.
    pub(super) fn forward(&self, tokens: &[Token], rows: &[f32]) -> Said {
        let d = self.width;
        let inputs = self.inputs(tokens, rows);
        let beside = beside(&inputs, d);
        let mut state = inputs;
        add_relu(&mut state, &self.near.forward(&beside));
        for layer in &self.layers {
            let seen = layer.attend(&layer.before_attention.forward(&state), d);
            add(&mut state, &seen);
            let mut inner = layer.up.forward(&layer.before_feed.forward(&state));
            inner.iter_mut().for_each(|x| *x = x.max(0.0));
            add(&mut state, &layer.down.forward(&inner));
        }
        let state = self.last.forward(&state);
        let pooled = pooled(&self.pool.forward(&state), &state, d);
        let mut read = self.read.forward(&pooled);
        read.iter_mut().for_each(|x| *x = x.max(0.0));
        let end = |at: usize| {
            let read = &read[at * d..(at + 1) * d];
            let one = |linear: &Linear| linear.forward(read).first().copied().unwrap_or(0.0);
            (
                self.base.forward(read),
                self.length.forward(read),
                one(&self.shift),
                one(&self.calendar),
            )
        };
        Said {
            roles: self.role.forward(&state),
            members: self.member.forward(&state),
            ends: [end(0), end(1)],
            apart: self.apart.forward(&pooled).first().copied().unwrap_or(0.0),
        }
    }

    fn inputs(&self, tokens: &[Token], rows: &[f32]) -> Vec<f32> {
        let d = self.width;
        let hidden = self.words.len() / d.max(1);
        let mut rows = rows.chunks_exact(hidden.max(1));
        let mut out = Vec::with_capacity(tokens.len() * d);
        for token in tokens {
            let mut one = self.features.forward(&token.features);
            if let Some(row) = token.id.and_then(|_| rows.next()) {
                add_product(row, &self.words, &mut one);
            }
            if let Some(han) = token.han {
                add(&mut one, &self.han[han * d..(han + 1) * d]);
            }
            out.extend(one);
        }
        out
    }
}

impl Layer {
    fn attend(&self, values: &[f32], d: usize) -> Vec<f32> {
        let (query, key, value) = (
            self.query.forward(values),
            self.key.forward(values),
            self.value.forward(values),
        );
        let size = d / HEADS;
        let tokens = values.len() / d;
        let mut out = vec![0.0; values.len()];
        let mut shares = vec![0.0; tokens];
        for head in 0..HEADS {
            let part = |v: &[f32], token: usize| {
                token * d + head * size..token * d + (head + 1) * size.min(v.len())
            };
            for token in 0..tokens {
                let asked = &query[part(&query, token)];
                for (other, share) in shares.iter_mut().enumerate() {
                    let held = &key[part(&key, other)];
                    let dot: f32 = asked.iter().zip(held).map(|(a, b)| a * b).sum();
                    *share = dot / (size as f32).sqrt()
                        + distance_bias(head, other as i64 - token as i64);
                }
                softmax(&mut shares);
                let place = part(&out, token);
                for (other, share) in shares.iter().enumerate() {
                    let held = &value[part(&value, other)];
                    for (o, v) in out[place.clone()].iter_mut().zip(held) {
                        *o += share * v;
                    }
                }
            }
        }
        self.output.forward(&out)
    }
}

/// Each token between its neighbors; zeros beyond the ends.
fn beside(values: &[f32], d: usize) -> Vec<f32> {
    let tokens = values.len() / d.max(1);
    let mut out = Vec::with_capacity(values.len() * (2 * NEIGHBORS + 1));
    for token in 0..tokens {
        for place in token..=token + 2 * NEIGHBORS {
            match place.checked_sub(NEIGHBORS).filter(|at| *at < tokens) {
                Some(at) => out.extend_from_slice(&values[at * d..(at + 1) * d]),
                None => out.extend(std::iter::repeat_n(0.0, d)),
            }
        }
    }
    out
}

/// The states that each way of gathering sees, side by side.
fn pooled(scores: &[f32], states: &[f32], d: usize) -> Vec<f32> {
    let ways = 2 * POOLS;
    let mut out = vec![0.0; ways * d];
    for (way, out) in out.chunks_exact_mut(d).enumerate() {
        let mut shares: Vec<f32> = scores.iter().skip(way).step_by(ways).copied().collect();
        softmax(&mut shares);
        for (share, state) in shares.iter().zip(states.chunks_exact(d)) {
            for (o, s) in out.iter_mut().zip(state) {
                *o += share * s;
            }
        }
    }
    out
}

fn softmax(values: &mut [f32]) {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for value in values.iter_mut() {
        *value = (*value - most).exp();
        sum += *value;
    }
    values.iter_mut().for_each(|v| *v /= sum);
}

fn add(to: &mut [f32], values: &[f32]) {
    to.iter_mut().zip(values).for_each(|(a, b)| *a += b);
}

fn add_relu(to: &mut [f32], values: &[f32]) {
    to.iter_mut()
        .zip(values)
        .for_each(|(a, b)| *a += b.max(0.0));
}
