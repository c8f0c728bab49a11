//! The loss as tensors.

use almanac::encoder::temporal::readout::{BASES, MEMBERS, ROLES, SHARPNESS};
use burn::tensor::activation::{log_softmax, softplus};
use burn::tensor::{Device, Int, Tensor, TensorData};

use super::Weights;
use super::batch::Pairs;
use super::network::Said;
use super::readout::{Times, log_lengths};
use super::roles::Lesson;

/// CoSENT's scale for similarities.
///
/// Source: TEMPS, appendix B.
const SCALE: f64 = 20.0;
/// CoSENT's scale for logarithms of similarities, which reach from 0 to about −30.
const LOG_SCALE: f64 = 1.25;

/// Gives ln(1 + KL(p ‖ q)) of each two Gaussians, `[pairs]`.
pub(super) fn log_divergence(p: &Times, q: &Times) -> Tensor<1> {
    let ratio = p.length.clone() / q.length.clone();
    let apart = (p.mean.clone() - q.mean.clone()) / q.length.clone();
    let lengths = ratio.clone() * ratio.clone() - 1.0 - ratio.log() * 2.0;
    let divergence = lengths * 0.5 + apart.clone() * apart * 6.0;
    // Rounding can put a divergence a hair below zero.
    divergence.clamp_min(0.0).log1p()
}

/// Gives the loss of a batch, `[1]`.
pub(super) fn loss(
    times: &Times,
    truth: &[(f32, f32)],
    pairs: &Pairs,
    weights: Weights,
    device: &Device,
) -> Tensor<1> {
    let tensor = |values: Vec<f32>| {
        let count = values.len();
        Tensor::<1>::from_data(TensorData::new(values, [count]), device)
    };
    let meant = Times {
        mean: tensor(truth.iter().map(|t| t.0).collect()),
        length: tensor(truth.iter().map(|t| t.1).collect()),
    };
    let own = log_divergence(&meant, times).mean() + log_divergence(times, &meant).mean();
    let taken = |list: &[usize]| {
        let list: Vec<i64> = list.iter().map(|p| *p as i64).collect();
        let count = list.len();
        let places = Tensor::<1, Int>::from_data(TensorData::new(list, [count]), device);
        Times {
            mean: times.mean.clone().select(0, places.clone()),
            length: times.length.clone().select(0, places),
        }
    };
    let logarithm = -log_divergence(&taken(&pairs.queries), &taken(&pairs.documents));
    let mut loss = own * weights.own;
    if weights.order > 0.0 {
        let ordered = if weights.plain {
            cosent(logarithm.clone().exp(), &pairs.labels, SCALE, device)
        } else {
            cosent(logarithm.clone(), &pairs.labels, LOG_SCALE, device)
        };
        loss = loss + ordered * weights.order;
    }
    if weights.calibration > 0.0 {
        let labels = tensor(pairs.labels.iter().map(|l| l.ln() as f32).collect());
        let off = logarithm - labels;
        // Quadratic for small distances, linear for large ones.
        let distance = ((off.clone() * off + 1.0).sqrt() - 1.0).mean();
        loss = loss + distance * weights.calibration;
    }
    loss
}

/// Gives the loss of what is taught, a mean over texts, `[1]`: the surprise at the roles and members
/// of numbers, at bases, calendar and `apart`, and the distance of shifts and lengths.
pub(super) fn taught(said: &Said, lessons: &[Lesson], device: &Device) -> Tensor<1> {
    let [texts, tokens, _] = said.roles.dims();
    let flat = |at: usize, token: usize| at * tokens + token;
    let (mut roles, mut members) = (Choices::new(ROLES), Choices::new(MEMBERS));
    let mut bases = Choices::new(BASES);
    let (mut shifts, mut lengths, mut weights) = (
        vec![0f32; texts * 2],
        vec![0f32; texts * 2],
        vec![0f32; texts * 2],
    );
    let (mut calendar, mut is_calendar) = (vec![0f32; texts * 2], vec![0f32; texts * 2]);
    let (mut apart, mut is_apart) = (vec![0f32; texts], vec![0f32; texts]);
    for (text, lesson) in lessons.iter().enumerate() {
        for (token, (role, member)) in lesson.roles.iter().zip(&lesson.members).enumerate() {
            if let Some(role) = role {
                roles.add(flat(text, token), *role);
            }
            if let Some(member) = member {
                members.add(flat(text, token), *member);
            }
        }
        for (number, end) in lesson.ends.iter().enumerate() {
            let place = text * 2 + number;
            if let Some(end) = end {
                bases.add(place, end.base);
                shifts[place] = end.shift as f32;
                lengths[place] = end.log_length as f32;
                weights[place] = 1.0;
            }
            if let Some(in_use) = lesson.in_use {
                calendar[place] = if in_use { 1.0 } else { -1.0 };
                is_calendar[place] = 1.0;
            }
        }
        if let Some(two) = lesson.apart {
            apart[text] = if two { 1.0 } else { -1.0 };
            is_apart[text] = 1.0;
        }
    }
    let tensor = |values: Vec<f32>| {
        let count = values.len();
        Tensor::<1>::from_data(TensorData::new(values, [count]), device)
    };
    let flat_all = |t: &Tensor<3>| {
        let [a, b, c] = t.dims();
        t.clone().reshape([a * b, c])
    };
    let ends = texts * 2;
    let weights = tensor(weights);
    let distance = |off: Tensor<1>| (off.clone() * off + 1.0).sqrt() - 1.0;
    let shift = distance((said.shift.clone().reshape([ends]) - tensor(shifts)) * 4.0);
    let length =
        distance((log_lengths(&said.lengths, device).reshape([ends]) - tensor(lengths)) * 4.0);
    // ln(1 + exp(−x)) where x is what speaks for the right side.
    let sides = |said: Tensor<1>, side: Vec<f32>, counts: Vec<f32>| {
        (softplus(-(said * tensor(side)) * SHARPNESS, 1.0) * tensor(counts)).sum()
    };
    let all = roles.surprise(flat_all(&said.roles), device)
        + members.surprise(flat_all(&said.members), device)
        + bases.surprise(flat_all(&said.bases), device)
        + ((shift + length) * weights).sum()
        + sides(said.calendar.clone().reshape([ends]), calendar, is_calendar)
        + sides(said.apart.clone(), apart, is_apart);
    all / texts as f64
}

/// Right choices at some places.
struct Choices {
    count: usize,
    places: Vec<i64>,
    right: Vec<f32>,
}

impl Choices {
    fn new(count: usize) -> Self {
        Self {
            count,
            places: Vec::new(),
            right: Vec::new(),
        }
    }

    fn add(&mut self, place: usize, choice: usize) {
        self.places.push(place as i64);
        self.right
            .extend((0..self.count).map(|c| f32::from(u8::from(c == choice))));
    }

    /// The sum of −ln of the shares of the right choices, `[1]`.
    fn surprise(self, said: Tensor<2>, device: &Device) -> Tensor<1> {
        let count = self.places.len();
        if count == 0 {
            return Tensor::zeros([1], device);
        }
        let places = Tensor::<1, Int>::from_data(TensorData::new(self.places, [count]), device);
        let right =
            Tensor::<2>::from_data(TensorData::new(self.right, [count, self.count]), device);
        let logs = log_softmax(said.select(0, places) * SHARPNESS, 1);
        -(logs * right).sum()
    }
}

/// Gives the CoSENT loss, `[1]`; see [`crate::temporal::loss::cosent`].
pub(super) fn cosent(
    similarities: Tensor<1>,
    labels: &[f64],
    scale: f64,
    device: &Device,
) -> Tensor<1> {
    let count = labels.len();
    let mut bias = Vec::with_capacity(count * count);
    for low in labels {
        bias.extend(
            labels
                .iter()
                .map(|high| if high > low { 0f32 } else { -1e9 }),
        );
    }
    let bias = Tensor::<2>::from_data(TensorData::new(bias, [count, count]), device);
    let low = similarities.clone().reshape([count, 1]);
    let high = similarities.reshape([1, count]);
    let exponents = (low - high) * scale + bias;
    let most = exponents.clone().max().detach().clamp_min(0.0);
    let sum = (exponents - most.clone().reshape([1, 1])).exp().sum() + (-most.clone()).exp();
    sum.log() + most
}
