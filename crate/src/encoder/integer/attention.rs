//! Scaled dot-product attention, one head after the other.
//!
//! Source: arXiv 1706.03762 section 3.2.

use super::functions::exponential;
use super::lanes::{Floats, LANES};
use super::product::{COLUMNS, Matrix, multiply};

/// Queries that are scored at a time, so that scores take little room for long texts.
const TILE: usize = 32;

/// Room for the numbers of one head.
#[derive(Debug, Default)]
pub(super) struct Attention {
    /// `[tokens, padded width]`, multiplied by 1 / √width.
    query: Vec<f32>,
    /// `[width, padded tokens]`
    key: Vec<f32>,
    /// `[tokens, padded width]`
    value: Vec<f32>,
    /// `[TILE, padded tokens]`
    scores: Vec<f32>,
    /// `[TILE, padded width]`
    mixed: Vec<f32>,
}

/// Rows of `stride` numbers that begin with query, key and value, `hidden` numbers each.
#[derive(Clone, Copy)]
pub(super) struct Joint<'a> {
    pub(super) rows: &'a [f32],
    pub(super) stride: usize,
    pub(super) hidden: usize,
}

impl Attention {
    /// Writes what each token attends to, a row of `hidden` numbers, for `heads` heads.
    pub(super) fn apply(&mut self, joint: Joint, heads: usize, out: &mut Vec<f32>) {
        let tokens = joint.rows.len() / joint.stride;
        let width = joint.hidden / heads;
        out.resize(tokens * joint.hidden, 0.0);
        for head in 0..heads {
            self.load(joint, head * width, width);
            self.mix(joint, head * width, width, out);
        }
    }

    /// Brings the numbers of a head together.
    fn load(&mut self, joint: Joint, first: usize, width: usize) {
        let tokens = joint.rows.len() / joint.stride;
        let columns = width.next_multiple_of(COLUMNS);
        let places = tokens.next_multiple_of(COLUMNS);
        let scale = 1.0 / (width as f32).sqrt();
        self.query.resize(tokens * columns, 0.0);
        self.value.resize(tokens * columns, 0.0);
        self.key.resize(width * places, 0.0);
        let heads = self
            .query
            .chunks_exact_mut(columns)
            .zip(self.value.chunks_exact_mut(columns));
        let rows = joint.rows.chunks_exact(joint.stride);
        for (token, (row, (query, value))) in rows.zip(heads).enumerate() {
            let part = |number: usize| &row[number * joint.hidden + first..][..width];
            for (into, from) in query.iter_mut().zip(part(0)) {
                *into = from * scale;
            }
            for (into, from) in self.key[token..].iter_mut().step_by(places).zip(part(1)) {
                *into = *from;
            }
            value[..width].copy_from_slice(part(2));
        }
    }

    /// Scores every query against every key and mixes the values by their weights.
    fn mix(&mut self, joint: Joint, first: usize, width: usize, out: &mut [f32]) {
        let tokens = joint.rows.len() / joint.stride;
        let columns = width.next_multiple_of(COLUMNS);
        let places = tokens.next_multiple_of(COLUMNS);
        let tiles = self.query.chunks(TILE * columns);
        for (query, out) in tiles.zip(out.chunks_mut(TILE * joint.hidden)) {
            let count = query.len() / columns;
            self.scores.resize(count * places, 0.0);
            self.mixed.resize(count * columns, 0.0);
            let keys = matrix(&self.key, places);
            multiply(matrix(query, columns), keys, width, &mut self.scores);
            for scores in self.scores.chunks_exact_mut(places) {
                softmax(scores, tokens);
            }
            let values = matrix(&self.value, columns);
            multiply(
                matrix(&self.scores, places),
                values,
                tokens,
                &mut self.mixed,
            );
            let rows = out.chunks_exact_mut(joint.hidden);
            for (out, mixed) in rows.zip(self.mixed.chunks_exact(columns)) {
                out[first..first + width].copy_from_slice(&mixed[..width]);
            }
        }
    }
}

fn matrix(values: &[f32], stride: usize) -> Matrix<'_> {
    Matrix { values, stride }
}

/// Turns the first `count` scores into weights whose sum is 1, and the rest into zeros.
fn softmax(scores: &mut [f32], count: usize) {
    // A NaN score makes every weight NaN through the sum.
    let most = scores[..count]
        .iter()
        .fold(f32::MIN, |most, &x| most.max(x));
    let most = Floats::splat(most);
    let (quads, _) = scores.as_chunks_mut::<LANES>();
    for quad in quads.iter_mut() {
        exponential(Floats::load(quad) - most).store(quad);
    }
    scores[count..].fill(0.0);
    let (quads, _) = scores.as_chunks_mut::<LANES>();
    let mut sums = Floats::splat(0.0);
    for quad in quads.iter() {
        sums = sums + Floats::load(quad);
    }
    let factor = Floats::splat(1.0 / sums.sum());
    for quad in quads {
        (Floats::load(quad) * factor).store(quad);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn attention_is_that_of_the_definition(
            tokens in 1usize..70,
            heads in 1usize..4,
            width in 1usize..20,
            spare in 0usize..4,
            seed in 0u32..1000,
        ) {
            let hidden = heads * width;
            let stride = 3 * hidden + spare;
            let draw = |n: usize| ((n as f32 + seed as f32) * 0.37).sin() * 2.0;
            let rows: Vec<f32> = (0..tokens * stride).map(draw).collect();
            let mut attention = Attention::default();
            let mut out = Vec::new();
            // What an earlier text left behind must not matter.
            let before: Vec<f32> = (0..90 * stride).map(|n| n as f32).collect();
            attention.apply(Joint { rows: &before, stride, hidden }, heads, &mut out);
            attention.apply(Joint { rows: &rows, stride, hidden }, heads, &mut out);
            prop_assert_eq!(out.len(), tokens * hidden);
            let at = |token: usize, part: usize, head: usize, d: usize| {
                f64::from(rows[token * stride + part * hidden + head * width + d])
            };
            for head in 0..heads {
                for token in 0..tokens {
                    let weights: Vec<f64> = (0..tokens)
                        .map(|other| {
                            let dot: f64 = (0..width).map(|d| at(token, 0, head, d) * at(other, 1, head, d)).sum();
                            (dot / (width as f64).sqrt()).exp()
                        })
                        .collect();
                    let total: f64 = weights.iter().sum();
                    for d in 0..width {
                        let expected: f64 =
                            weights.iter().enumerate().map(|(other, w)| w / total * at(other, 2, head, d)).sum();
                        let got = f64::from(out[token * hidden + head * width + d]);
                        prop_assert!((got - expected).abs() < 1e-4, "{} {}", got, expected);
                    }
                }
            }
        }
    }

    #[test]
    fn equal_scores_get_equal_weights_however_large() {
        let mut scores = [1e30, 1e30, 1e30, 5.0, 9.0, 9.0, 9.0, 9.0];
        softmax(&mut scores, 3);
        assert_eq!(scores[..3], [1.0 / 3.0; 3]);
        assert_eq!(scores[3..], [0.0; 5]);
    }

    #[test]
    fn a_score_that_is_not_a_number_is_not_hidden() {
        let mut scores = [1.0, f32::NAN, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        softmax(&mut scores, 3);
        assert!(scores[0].is_nan());
    }
}
