//! Batches: padded token states, anchors, and the pairs that are compared.

use almanac::encoder::{ANCHOR_WIDTH, encode_anchor};
use almanac::search::time::bounded;
use almanac::time::DayNumber;
use almanac::{Error, ErrorKind, Result};
use burn::tensor::{Device, Tensor, TensorData};
use half::slice::HalfFloatSliceExt;

use super::super::Chance;
use super::super::states::TokenCache;
use super::super::tuple::{Anchored, Group};

/// Pairs within a group that do not begin with its query, and pairs across groups, per group.
const WITHIN: usize = 8;
const ACROSS: usize = 14;

/// Which texts of a batch are compared, and their labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Pairs {
    pub(super) queries: Vec<usize>,
    pub(super) documents: Vec<usize>,
    /// The closed form's similarity.
    pub(super) labels: Vec<f64>,
}

/// One batch on a device.
pub(super) struct Batch {
    pub(super) states: Tensor<3>,
    pub(super) mask: Tensor<2>,
    pub(super) anchors: Tensor<2>,
    pub(super) pairs: Pairs,
}

/// Draws the batch of a step, from the seed and the step's number alone.
pub(super) fn draw(
    groups: &[Group],
    count: usize,
    seed: u64,
    step: usize,
    cache: &TokenCache,
    device: &Device,
) -> Result<Batch> {
    let mut chance =
        Chance::new(seed.wrapping_add((step as u64).wrapping_mul(0xD1B5_4A32_D192_ED03)));
    let (mut texts, mut starts) = (Vec::new(), Vec::new());
    let mut pairs = Pairs::default();
    for _ in 0..count {
        let group = &groups[chance.below(groups.len())];
        let start = texts.len();
        starts.push(start);
        texts.push(&group.query);
        for other in &group.others {
            pairs.queries.push(start);
            pairs.documents.push(texts.len());
            pairs.labels.push(other.label);
            texts.push(&other.text);
        }
    }
    let mut more = |a: usize, b: usize| {
        if a != b
            && let (Some(p), Some(q)) = (texts[a].gaussian(), texts[b].gaussian())
        {
            pairs.queries.push(a);
            pairs.documents.push(b);
            pairs.labels.push(bounded(p.divergence(q)));
        }
    };
    for (place, start) in starts.iter().enumerate() {
        let end = starts.get(place + 1).copied().unwrap_or(texts.len());
        for _ in 0..WITHIN {
            more(
                start + chance.below(end - start),
                start + chance.below(end - start),
            );
        }
        for _ in 0..ACROSS {
            more(start + chance.below(end - start), chance.below(texts.len()));
        }
    }
    let (states, mask, anchors) = tensors(&texts, cache, device)?;
    Ok(Batch {
        states,
        mask,
        anchors,
        pairs,
    })
}

/// Puts the states of texts side by side, padded to the longest.
pub(super) fn tensors(
    texts: &[&Anchored],
    cache: &TokenCache,
    device: &Device,
) -> Result<(Tensor<3>, Tensor<2>, Tensor<2>)> {
    let held: Vec<_> = texts
        .iter()
        .map(|t| {
            cache.get(&t.text).ok_or_else(|| {
                Error::new(ErrorKind::Internal, format!("no states of {:?}", t.text))
            })
        })
        .collect::<Result<_>>()?;
    let hidden = cache.hidden();
    let tokens = held.iter().map(|(_, tokens)| *tokens).max().unwrap_or(1);
    let mut values = vec![0f32; texts.len() * tokens * hidden];
    let mut mask = vec![0f32; texts.len() * tokens];
    for (row, (halves, count)) in held.iter().enumerate() {
        let start = row * tokens * hidden;
        halves.convert_to_f32_slice(&mut values[start..start + halves.len()]);
        mask[row * tokens..row * tokens + count].fill(1.0);
    }
    let anchors: Vec<f32> = texts
        .iter()
        .flat_map(|t| encode_anchor(DayNumber(t.anchor)))
        .collect();
    let rows = texts.len();
    Ok((
        Tensor::from_data(TensorData::new(values, [rows, tokens, hidden]), device),
        Tensor::from_data(TensorData::new(mask, [rows, tokens]), device),
        Tensor::from_data(TensorData::new(anchors, [rows, ANCHOR_WIDTH]), device),
    ))
}
