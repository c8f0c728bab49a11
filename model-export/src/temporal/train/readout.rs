//! The readout of the library as tensors, with shares in place of choices, so that it has a slope.

use almanac::encoder::temporal::readout::{
    BASES, DAY_ROLE, LENGTHS, MEMBERS, MONTH_ROLE, ROLES, SHARPNESS, UNITS, YEAR, base_years,
    bases, calendar_offset,
};
use almanac::time::DayNumber;
use almanac::{Error, ErrorKind, Result};
use burn::tensor::activation::{sigmoid, softmax};
use burn::tensor::{Device, Tensor, TensorData};

use super::network::Said;

/// The day that means are counted from, so that float32 tells days of recent times apart.
pub(super) const ORIGIN: f64 = 400_000.0;

/// Gaussians of a batch.
#[derive(Clone, Debug)]
pub(super) struct Times {
    /// Days from [`ORIGIN`], `[texts]`.
    pub(super) mean: Tensor<1>,
    /// The length of the interval with the variance, in days, `[texts]`.
    pub(super) length: Tensor<1>,
}

/// Reads times from what the network says.
///
/// `worth` is `[texts, tokens, ROLES]`; `anchors` has a day for each text. Means are in days from
/// [`ORIGIN`].
pub(super) fn times(
    said: Said,
    worth: Tensor<3>,
    anchors: &[DayNumber],
    device: &Device,
) -> Result<Times> {
    let [texts, tokens, _] = said.roles.dims();
    let weighted = softmax(said.roles * SHARPNESS, 2) * worth;
    let members = softmax(said.members * SHARPNESS, 2);
    let length = log_lengths(&said.lengths, device).exp();
    let shares = softmax(said.bases * SHARPNESS, 2);
    let starts: Vec<f32> = anchors
        .iter()
        .flat_map(|day| bases(*day).map(|b| (b - ORIGIN) as f32))
        .collect();
    let starts = Tensor::<3>::from_data(TensorData::new(starts, [texts, 1, BASES]), device);
    let from = (shares.clone() * starts).sum_dim(2).reshape([texts, 2]);
    let calendar = sigmoid(said.calendar * SHARPNESS);
    let mut middles = Vec::with_capacity(2);
    for end in 0..2 {
        let own = members.clone().slice([0..texts, 0..tokens, end..end + 1])
            + members
                .clone()
                .slice([0..texts, 0..tokens, MEMBERS - 1..MEMBERS]);
        let sums = (weighted.clone() * own).sum_dim(1).reshape([texts, ROLES]);
        let part = |from: usize, to: usize| {
            let units: Vec<f32> = UNITS[from..to].iter().map(|u| *u as f32).collect();
            let units = Tensor::<1>::from_data(TensorData::new(units, [to - from]), device);
            (sums.clone().slice([0..texts, from..to]) * units.reshape([1, to - from]))
                .sum_dim(1)
                .reshape([texts])
        };
        let years = part(0, MONTH_ROLE);
        let before_month = part(MONTH_ROLE, DAY_ROLE);
        let one = |t: &Tensor<2>| t.clone().slice([0..texts, end..end + 1]).reshape([texts]);
        let (gregorian, in_use) = offsets(&years, &before_month, anchors, device)?;
        let own = shares.clone().slice([0..texts, end..end + 1, 0..BASES]);
        let own = own.reshape([texts, BASES]);
        let even = |offset: Tensor<2>| (own.clone() * offset).sum_dim(1).reshape([texts]);
        let (gregorian, in_use) = (even(gregorian), even(in_use));
        let offset = gregorian.clone() + one(&calendar) * (in_use - gregorian);
        middles.push(
            one(&from)
                + years * YEAR
                + before_month
                + part(DAY_ROLE, ROLES)
                + offset
                + one(&said.shift) * one(&length),
        );
    }
    let ends = |at: usize| {
        length
            .clone()
            .slice([0..texts, at..at + 1])
            .reshape([texts])
    };
    let (a, b) = (middles[0].clone(), middles[1].clone());
    let (p, q) = (ends(0), ends(1));
    let distance = (a.clone() - b.clone()).abs();
    let between = (p.clone() + q.clone()) / 2.0 + distance.clone();
    let two = ((p.clone() * p + q.clone() * q) / 2.0 + distance.clone() * distance * 3.0).sqrt();
    let apart = sigmoid(said.apart * SHARPNESS);
    Ok(Times {
        mean: (a + b) / 2.0,
        length: between.clone() + apart * (two - between),
    })
}

/// Gives the logarithm of the length of each end, `[texts, 2]`.
pub(super) fn log_lengths(said: &Tensor<3>, device: &Device) -> Tensor<2> {
    let [texts, _, _] = said.dims();
    let lengths: Vec<f32> = LENGTHS.iter().map(|l| l.ln() as f32).collect();
    let count = lengths.len();
    let lengths =
        Tensor::<1>::from_data(TensorData::new(lengths, [count]), device).reshape([1, 1, count]);
    (softmax(said.clone() * SHARPNESS, 2) * lengths)
        .sum_dim(2)
        .reshape([texts, 2])
}

/// The calendar's offsets for each base, which have no slope.
fn offsets(
    years: &Tensor<1>,
    before_month: &Tensor<1>,
    anchors: &[DayNumber],
    device: &Device,
) -> Result<(Tensor<2>, Tensor<2>)> {
    let (years, months) = (numbers(years)?, numbers(before_month)?);
    let both: Vec<(f64, f64)> = years
        .iter()
        .zip(&months)
        .zip(anchors)
        .flat_map(|((years, months), anchor)| {
            base_years(*anchor).map(|base| match base {
                Some(base) => calendar_offset(f64::from(*years) + base, f64::from(*months)),
                None => (0.0, 0.0),
            })
        })
        .collect();
    let tensor = |values: Vec<f32>| {
        Tensor::<2>::from_data(TensorData::new(values, [anchors.len(), BASES]), device)
    };
    Ok((
        tensor(both.iter().map(|b| b.0 as f32).collect()),
        tensor(both.iter().map(|b| b.1 as f32).collect()),
    ))
}

fn numbers(tensor: &Tensor<1>) -> Result<Vec<f32>> {
    tensor
        .clone()
        .into_data()
        .try_to_vec()
        .map_err(|e| Error::new(ErrorKind::Internal, format!("{e:?}")))
}
