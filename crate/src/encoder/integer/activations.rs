//! The numbers of tokens as 16-bit codes, laid out as the kernel reads them.

use super::lanes::{Floats, Ints, LANES};

/// Tokens that the kernel multiplies at a time; the last group may have fewer.
pub(super) const GROUP: usize = 4;

/// The largest code.
const MOST: f32 = i16::MAX as f32;

/// Tokens' numbers as `code × scale`, in groups of [`GROUP`] tokens.
///
/// A group holds, for each pair of columns, the pair of each of its tokens; an odd last column is
/// paired with zero.
#[derive(Debug, Default)]
pub(super) struct Activations {
    codes: Vec<[i16; 2]>,
    /// One for each token; NaN where one of its numbers is not finite.
    scales: Vec<f32>,
    pairs: usize,
}

impl Activations {
    /// Takes rows of `width` numbers, `stride` apart, in place of what was held.
    pub(super) fn fill(&mut self, rows: &[f32], stride: usize, width: usize) {
        let tokens = rows.len() / stride;
        self.pairs = width.div_ceil(2);
        self.codes.resize(tokens * self.pairs, [0; 2]);
        self.scales.clear();
        let groups = self.codes.chunks_mut(GROUP * self.pairs);
        for (codes, rows) in groups.zip(rows.chunks(GROUP * stride)) {
            let together = rows.len() / stride;
            for (place, row) in rows.chunks_exact(stride).enumerate() {
                let (codes, row) = (&mut codes[place..], &row[..width]);
                self.scales.push(quantize(row, codes, together));
            }
        }
    }

    /// The groups from first to last: codes, the tokens' scales, and the number of the first token.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&[[i16; 2]], &[f32])> {
        self.codes
            .chunks(GROUP * self.pairs)
            .zip(self.scales.chunks(GROUP))
    }
}

/// Writes the pairs of a row `step` apart and gives their scale.
fn quantize(row: &[f32], codes: &mut [[i16; 2]], step: usize) -> f32 {
    let largest = largest(row);
    if !largest.is_finite() {
        return f32::NAN;
    }
    let factor = if largest > 0.0 { MOST / largest } else { 0.0 };
    let factor = Floats::splat(factor);
    let mut pairs = codes.iter_mut().step_by(step);
    let (quads, rest) = row.as_chunks::<LANES>();
    let mut write = |quad: &[f32; LANES], most: usize| {
        let [a, b, c, d] = (Floats::load(quad) * factor).nearest().shorts();
        for (pair, into) in [[a, b], [c, d]].into_iter().zip(&mut pairs).take(most) {
            *into = pair;
        }
    };
    for quad in quads {
        write(quad, 2);
    }
    if !rest.is_empty() {
        let mut quad = [0.0; LANES];
        quad[..rest.len()].copy_from_slice(rest);
        write(&quad, rest.len().div_ceil(2));
    }
    largest / MOST
}

/// The largest absolute value; infinite or NaN where a number is.
fn largest(row: &[f32]) -> f32 {
    let (quads, rest) = row.as_chunks::<LANES>();
    // Without their sign, floats are in the order of their bits, and NaN is above all.
    let mut most = Ints::splat(0);
    for quad in quads {
        most = most.max(Floats::load(quad).abs().bits());
    }
    let bits = rest
        .iter()
        .map(|x| x.abs().to_bits().cast_signed())
        .fold(most.largest(), i32::max);
    f32::from_bits(bits.cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The number that a token's column stands for.
    fn value(activations: &Activations, token: usize, column: usize, tokens: usize) -> f32 {
        let group = token / GROUP;
        let together = GROUP.min(tokens - group * GROUP);
        let start = group * GROUP * activations.pairs;
        let pair = activations.codes[start + column / 2 * together + token % GROUP];
        f32::from(pair[column % 2]) * activations.scales[token]
    }

    proptest! {
        #[test]
        fn codes_stand_for_numbers_within_half_a_step(
            tokens in 1usize..10,
            width in 1usize..70,
            spare in 0usize..5,
            seed in 0u32..1000,
        ) {
            let stride = width + spare;
            let rows: Vec<f32> = (0..tokens * stride)
                .map(|n| ((n as f32 + seed as f32) * 0.7).sin() * 10f32.powi(n as i32 % 5 - 2))
                .collect();
            let mut activations = Activations::default();
            activations.fill(&[9.0; 64], 8, 8);
            activations.fill(&rows, stride, width);
            for token in 0..tokens {
                let row = &rows[token * stride..token * stride + width];
                let most = row.iter().fold(0f32, |m, x| m.max(x.abs()));
                for (column, expected) in row.iter().enumerate() {
                    let got = value(&activations, token, column, tokens);
                    // Half a step, and the roundings of float32 in numbers up to 32,767 steps.
                    prop_assert!((got - expected).abs() <= most / MOST * 0.51, "{} {}", got, expected);
                }
                if width % 2 == 1 {
                    prop_assert_eq!(value(&activations, token, width, tokens), 0.0);
                }
            }
        }
    }

    #[test]
    fn a_number_that_is_not_finite_makes_its_token_nan() {
        let mut activations = Activations::default();
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for place in [1, 4] {
                let mut rows = [1.0; 10];
                rows[place] = bad;
                activations.fill(&rows, 5, 5);
                assert!(activations.scales[0].is_nan());
                assert!(activations.scales[1].is_finite());
            }
        }
    }

    #[test]
    fn a_row_of_zeros_stays_one() {
        let mut activations = Activations::default();
        activations.fill(&[0.0; 6], 6, 6);
        assert_eq!(activations.scales, [0.0]);
        assert!(activations.codes.iter().all(|pair| *pair == [0, 0]));
    }
}
