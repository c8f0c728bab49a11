//! The loss as tensors.

use almanac::encoder::LatentBatch;
use burn::tensor::{Device, Int, Tensor, TensorData};

use super::Order;
use super::batch::Pairs;

/// CoSENT's scale for similarities.
///
/// Source: TEMPS, appendix B.
const SCALE: f64 = 20.0;
/// CoSENT's scale for logarithms of similarities, which reach from 0 to about −30.
const LOG_SCALE: f64 = 1.25;

/// Gives ln(1 + mean KL) of each pair, `[pairs]`.
pub(super) fn log_divergence(latent: &LatentBatch, pairs: &Pairs, device: &Device) -> Tensor<1> {
    let places = |list: &[usize]| {
        let list: Vec<i64> = list.iter().map(|p| *p as i64).collect();
        let count = list.len();
        Tensor::<1, Int>::from_data(TensorData::new(list, [count]), device)
    };
    let (queries, documents) = (places(&pairs.queries), places(&pairs.documents));
    let apart = latent.mean.clone().select(0, queries.clone())
        - latent.mean.clone().select(0, documents.clone());
    let document = latent.log_variance.clone().select(0, documents);
    let ratio = latent.log_variance.clone().select(0, queries) - document.clone();
    let squared = apart.clone() * apart * (-document).exp();
    let divergence = (ratio.clone().exp() - ratio - 1.0 + squared) * 0.5;
    let [count, _] = divergence.dims();
    // Rounding can put a divergence a hair below zero.
    divergence
        .mean_dim(1)
        .reshape([count])
        .clamp_min(0.0)
        .log1p()
}

/// Gives the loss of a batch, `[1]`.
pub(super) fn loss(
    latent: &LatentBatch,
    pairs: &Pairs,
    order: Order,
    calibration: f64,
    device: &Device,
) -> Tensor<1> {
    let logarithm = -log_divergence(latent, pairs, device);
    let ordered = match order {
        Order::Similarity => cosent(logarithm.clone().exp(), &pairs.labels, SCALE, device),
        Order::LogSimilarity => cosent(logarithm.clone(), &pairs.labels, LOG_SCALE, device),
    };
    if calibration == 0.0 {
        return ordered;
    }
    let labels: Vec<f32> = pairs.labels.iter().map(|l| l.ln() as f32).collect();
    let count = labels.len();
    let off = logarithm - Tensor::from_data(TensorData::new(labels, [count]), device);
    // Quadratic for small distances, linear for large ones.
    let distance = ((off.clone() * off + 1.0).sqrt() - 1.0).mean();
    ordered + distance * calibration
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
