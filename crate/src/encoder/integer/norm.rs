//! Layer normalization.
//!
//! Source: arXiv 1607.06450.

use super::lanes::{Floats, LANES};
use crate::Result;
use crate::encoder::card::Architecture;
use crate::encoder::record::RecordReader;

/// A layer norm over the numbers of a token.
#[derive(Debug)]
pub(super) struct Norm {
    gamma: Vec<f32>,
    beta: Vec<f32>,
    epsilon: f32,
}

impl Norm {
    /// Takes `name.gamma` and `name.beta` out of a record.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Corrupt`], naming the tensor, if one is missing, misshapen or not
    /// finite.
    pub(super) fn from_record(
        record: &mut RecordReader,
        name: &str,
        shape: &Architecture,
    ) -> Result<Self> {
        Ok(Self {
            gamma: record.take_float32(&format!("{name}.gamma"), &[shape.hidden])?,
            beta: record.take_float32(&format!("{name}.beta"), &[shape.hidden])?,
            epsilon: shape.layer_norm_epsilon as f32,
        })
    }

    /// Numbers of a row.
    pub(super) fn width(&self) -> usize {
        self.gamma.len()
    }

    /// Normalizes the sum of two rows into the first, which is as long as the norm is wide; the
    /// second may be longer.
    pub(super) fn add_and_apply(&self, row: &mut [f32], other: &[f32]) {
        let count = row.len() as f32;
        each(row, other, |x, y| x + y);
        let mean = sum(row, |x| x) / count;
        let center = Floats::splat(mean);
        let variance = sum(row, |x| (x - center) * (x - center)) / count;
        let factor = Floats::splat(1.0 / (variance + self.epsilon).sqrt());
        each(row, &self.gamma, |x, gamma| (x - center) * factor * gamma);
        each(row, &self.beta, |x, beta| x + beta);
    }
}

/// Replaces each number by a function of it and its counterpart.
#[inline(always)]
fn each(row: &mut [f32], other: &[f32], f: impl Fn(Floats, Floats) -> Floats) {
    let other = &other[..row.len()];
    let (quads, rest) = row.as_chunks_mut::<LANES>();
    let (others, others_rest) = other.as_chunks::<LANES>();
    for (x, y) in quads.iter_mut().zip(others) {
        f(Floats::load(x), Floats::load(y)).store(x);
    }
    let mut out = [0.0; LANES];
    for (x, y) in rest.iter_mut().zip(others_rest) {
        f(Floats::splat(*x), Floats::splat(*y)).store(&mut out);
        *x = out[0];
    }
}

/// The sum of a function of each number: four lanes, then what is left over.
#[inline(always)]
fn sum(row: &[f32], f: impl Fn(Floats) -> Floats) -> f32 {
    let (quads, rest) = row.as_chunks::<LANES>();
    let mut sums = Floats::splat(0.0);
    for quad in quads {
        sums = sums + f(Floats::load(quad));
    }
    let mut out = [0.0; LANES];
    let mut total = sums.sum();
    for x in rest {
        f(Floats::splat(*x)).store(&mut out);
        total += out[0];
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_of_any_width_are_normalized(width in 1usize..70, seed in 0u32..1000) {
            let draw = |from: u32| -> Vec<f32> {
                (0..width).map(|n| ((n as u32 + from + seed) as f32 * 1.3).sin() * 3.0).collect()
            };
            let (row, other, gamma, beta) = (draw(0), draw(70), draw(140), draw(210));
            let norm = Norm { gamma: gamma.clone(), beta: beta.clone(), epsilon: 1e-12 };
            let mut got = row.clone();
            let longer = [other.clone(), vec![9.0; 8]].concat();
            norm.add_and_apply(&mut got, &longer);
            let sums: Vec<f64> = row.iter().zip(&other).map(|(a, b)| f64::from(a + b)).collect();
            let mean = sums.iter().sum::<f64>() / width as f64;
            let variance = sums.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / width as f64;
            prop_assume!(width == 1 || variance > 1e-3);
            for (place, x) in sums.iter().enumerate() {
                let unit = (x - mean) / (variance + 1e-12).sqrt();
                let expected = unit * f64::from(gamma[place]) + f64::from(beta[place]);
                prop_assert!((f64::from(got[place]) - expected).abs() < 1e-4, "{} {}", got[place], expected);
            }
        }
    }
}
