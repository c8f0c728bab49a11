//! Matrix products with int8 weights: y = x W + b.

use super::activations::{Activations, GROUP};
use super::lanes::{Floats, Ints, LANES, Shorts};
use crate::Result;
use crate::encoder::record::{BLOCK_ROWS, Int8Matrix, RecordReader};

/// Outputs that the kernel computes at a time.
const PANEL: usize = 2 * LANES;
/// Pairs of inputs whose products are summed before they become a float.
const BLOCK_PAIRS: usize = BLOCK_ROWS / 2;
/// Tokens whose codes stay near while all weights pass by.
const TILE: usize = 64;

/// A linear layer.
#[derive(Debug)]
pub(super) struct Linear {
    /// Panel after panel, each with the codes of its outputs for every pair of inputs; an odd last
    /// input is paired with zeros, and the last panel is filled up with them.
    codes: Vec<[i8; 2 * PANEL]>,
    /// Panel after panel, a scale for each block and output.
    scales: Vec<[f32; PANEL]>,
    /// Panel after panel.
    bias: Vec<[f32; PANEL]>,
    inputs: usize,
}

impl Linear {
    /// Takes `name.weight` (`[inputs, outputs]`) and `name.bias` out of a record.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Corrupt`], naming the tensor, if one is missing, misshapen or not
    /// finite.
    pub(super) fn from_record(
        record: &mut RecordReader,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<Self> {
        let weight = record.take_int8(&format!("{name}.weight"), [inputs, outputs])?;
        let bias = record.take_float32(&format!("{name}.bias"), &[outputs])?;
        Ok(Self::new(&weight, &bias, inputs, outputs))
    }

    /// Packs a row-major `[inputs, outputs]` matrix and its bias.
    pub(super) fn new(weight: &Int8Matrix, bias: &[f32], inputs: usize, outputs: usize) -> Self {
        let panels = outputs.div_ceil(PANEL);
        let mut codes = vec![[0; 2 * PANEL]; panels * inputs.div_ceil(2)];
        let mut scales = vec![[0.0; PANEL]; panels * inputs.div_ceil(BLOCK_ROWS)];
        let mut biases = vec![[0.0; PANEL]; panels];
        let per_panel = (inputs.div_ceil(2), inputs.div_ceil(BLOCK_ROWS));
        for (input, row) in weight.codes.chunks_exact(outputs.max(1)).enumerate() {
            for (panel, row) in row.chunks(PANEL).enumerate() {
                let into = &mut codes[panel * per_panel.0 + input / 2];
                for (output, code) in row.iter().enumerate() {
                    into[2 * output + input % 2] = *code;
                }
            }
        }
        for (block, row) in weight.scales.chunks_exact(outputs.max(1)).enumerate() {
            for (panel, row) in row.chunks(PANEL).enumerate() {
                scales[panel * per_panel.1 + block][..row.len()].copy_from_slice(row);
            }
        }
        for (into, from) in biases.iter_mut().zip(bias.chunks(PANEL)) {
            into[..from.len()].copy_from_slice(from);
        }
        Self {
            codes,
            scales,
            bias: biases,
            inputs,
        }
    }

    /// Numbers that a token has before the layer.
    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    /// Columns of an output row: the outputs, filled up with zeros.
    pub(super) fn stride(&self) -> usize {
        self.bias.len() * PANEL
    }

    /// Multiplies tokens, writing a row of [`Self::stride`] numbers for each.
    pub(super) fn apply(&self, tokens: &Activations, out: &mut Vec<f32>) {
        let stride = self.stride();
        let pairs = self.inputs.div_ceil(2);
        let blocks = self.inputs.div_ceil(BLOCK_ROWS);
        let groups: Vec<(&[[i16; 2]], &[f32])> = tokens.groups().collect();
        let count = groups.iter().map(|(_, scales)| scales.len()).sum::<usize>();
        out.resize(count * stride, 0.0);
        let tiles = groups.chunks(TILE / GROUP);
        for (groups, out) in tiles.zip(out.chunks_mut(TILE * stride)) {
            let panels = self
                .codes
                .chunks_exact(pairs)
                .zip(self.scales.chunks_exact(blocks))
                .zip(&self.bias);
            for (number, ((codes, scales), bias)) in panels.enumerate() {
                let panel = Panel {
                    codes,
                    scales,
                    bias,
                };
                for ((tokens, token_scales), out) in
                    groups.iter().zip(out.chunks_mut(GROUP * stride))
                {
                    let out = &mut out[number * PANEL..];
                    match token_scales.len() {
                        1 => panel.apply::<1>(tokens, token_scales, out, stride),
                        2 => panel.apply::<2>(tokens, token_scales, out, stride),
                        3 => panel.apply::<3>(tokens, token_scales, out, stride),
                        _ => panel.apply::<GROUP>(tokens, token_scales, out, stride),
                    }
                }
            }
        }
    }
}

/// The weights of [`PANEL`] outputs.
struct Panel<'a> {
    codes: &'a [[i8; 2 * PANEL]],
    scales: &'a [[f32; PANEL]],
    bias: &'a [f32; PANEL],
}

impl Panel<'_> {
    /// Multiplies a group of `T` tokens.
    ///
    /// A block's sum fits 32 bits: 64 products of at most 2^15 · 2^7 each.
    #[inline]
    fn apply<const T: usize>(
        &self,
        tokens: &[[i16; 2]],
        token_scales: &[f32],
        out: &mut [f32],
        stride: usize,
    ) {
        let (tokens, _) = tokens.as_chunks::<T>();
        let blocks = self
            .codes
            .chunks(BLOCK_PAIRS)
            .zip(tokens.chunks(BLOCK_PAIRS))
            .zip(self.scales);
        let mut sums = [[Floats::splat(0.0); 2]; T];
        for ((codes, tokens), scales) in blocks {
            let mut products = [[Ints::splat(0); 2]; T];
            for (codes, tokens) in codes.iter().zip(tokens) {
                let (halves, _) = codes.as_chunks::<PANEL>();
                let (first, second) = (Shorts::widen(&halves[0]), Shorts::widen(&halves[1]));
                for (products, pair) in products.iter_mut().zip(tokens) {
                    let pair = Shorts::splat_pair(pair);
                    products[0] = products[0] + first.dot(pair);
                    products[1] = products[1] + second.dot(pair);
                }
            }
            let (scales, _) = scales.as_chunks::<LANES>();
            for (sums, products) in sums.iter_mut().zip(products) {
                for ((sum, product), scale) in sums.iter_mut().zip(products).zip(scales) {
                    *sum = *sum + product.floats() * Floats::load(scale);
                }
            }
        }
        let (bias, _) = self.bias.as_chunks::<LANES>();
        let rows = out.chunks_mut(stride).zip(sums).zip(token_scales);
        for ((out, sums), token_scale) in rows {
            let (out, _) = out.as_chunks_mut::<LANES>();
            for ((out, sum), bias) in out.iter_mut().zip(sums).zip(bias) {
                (sum * Floats::splat(*token_scale) + Floats::load(bias)).store(out);
            }
        }
    }
}
