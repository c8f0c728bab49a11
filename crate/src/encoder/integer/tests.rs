//! The laws of the linear kernel: its sums are those of plain 64-bit integers, for every shape.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::activations::Activations;
use super::linear::Linear;
use crate::encoder::WeightEncoding;
use crate::encoder::record::{BLOCK_ROWS, Int8Matrix, RecordReader, RecordWriter, ScaleAxis};

/// Whole numbers as both sides see them: codes of activations are the numbers themselves.
struct Case {
    tokens: usize,
    inputs: usize,
    outputs: usize,
    /// `[tokens, inputs]`; each token has a code of 32,767 in front, so that its scale is 1.
    numbers: Vec<f32>,
    weight: Int8Matrix,
    bias: Vec<f32>,
}

/// Numbers that look random and repeat for a seed.
fn draws(seed: u64) -> impl FnMut(i64) -> i64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |most| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as i64 % (2 * most + 1) - most
    }
}

impl Case {
    fn new(tokens: usize, inputs: usize, outputs: usize, seed: u64, extreme: bool) -> Self {
        let mut draw = draws(seed);
        let mut numbers: Vec<f32> = (0..tokens * inputs)
            .map(|_| if extreme { 32_767 } else { draw(32_767) } as f32)
            .collect();
        for row in numbers.chunks_exact_mut(inputs) {
            row[0] = 32_767.0;
        }
        let codes = (0..inputs * outputs).map(|_| if extreme { -128 } else { draw(127) } as i8);
        let codes = codes.collect();
        // Scales that are powers of two keep the floats around the sums exact.
        let blocks = inputs.div_ceil(BLOCK_ROWS);
        let scales = (0..blocks * outputs).map(|_| (draw(1) as f32).exp2());
        Self {
            weight: Int8Matrix {
                codes,
                scales: scales.collect(),
            },
            bias: (0..outputs).map(|_| draw(100) as f32).collect(),
            tokens,
            inputs,
            outputs,
            numbers,
        }
    }

    /// The outputs of the kernel, without the zeros that fill up its rows.
    fn got(&self) -> Vec<f32> {
        let linear = Linear::new(&self.weight, &self.bias, self.inputs, self.outputs);
        let mut codes = Activations::default();
        codes.fill(&self.numbers, self.inputs, self.inputs);
        let mut out = vec![f32::NAN; 40];
        linear.apply(&codes, &mut out);
        assert_eq!(out.len(), self.tokens * linear.stride());
        let rows = out.chunks_exact(linear.stride());
        rows.flat_map(|row| {
            assert!(row[self.outputs..].iter().all(|x| *x == 0.0));
            &row[..self.outputs]
        })
        .copied()
        .collect()
    }

    /// The same by 64-bit sums of each block, which are then scaled in the kernel's order.
    fn expected(&self) -> Vec<f32> {
        let mut out = Vec::new();
        for row in self.numbers.chunks_exact(self.inputs) {
            for output in 0..self.outputs {
                let mut sum = 0f32;
                for (block, inputs) in row.chunks(BLOCK_ROWS).enumerate() {
                    let products = inputs.iter().enumerate().map(|(at, x)| {
                        let input = block * BLOCK_ROWS + at;
                        *x as i64 * i64::from(self.weight.codes[input * self.outputs + output])
                    });
                    let exact = products.sum::<i64>();
                    assert!(i32::try_from(exact).is_ok());
                    sum += exact as f32 * self.weight.scales[block * self.outputs + output];
                }
                out.push(sum + self.bias[output]);
            }
        }
        out
    }
}

proptest! {
    #[test]
    fn sums_of_blocks_are_exact_for_every_shape(
        tokens in 1usize..10,
        inputs in 1usize..200,
        outputs in 1usize..40,
        seed: u64,
    ) {
        let case = Case::new(tokens, inputs, outputs, seed, false);
        prop_assert_eq!(case.got(), case.expected());
    }

    #[test]
    fn a_token_does_not_depend_on_those_beside_it(
        tokens in 2usize..80,
        inputs in 1usize..80,
        seed: u64,
    ) {
        let case = Case::new(tokens, inputs, 11, seed, false);
        let all = case.got();
        for (token, row) in case.numbers.chunks_exact(inputs).enumerate() {
            let alone = Case { tokens: 1, numbers: row.to_vec(), weight: case.weight.clone(), bias: case.bias.clone(), ..case };
            prop_assert_eq!(alone.got(), &all[token * 11..(token + 1) * 11]);
        }
    }
}

#[test]
fn the_largest_codes_do_not_overflow() {
    for inputs in [BLOCK_ROWS, 3 * BLOCK_ROWS, 1536, 3072] {
        let case = Case::new(5, inputs, 9, 7, true);
        assert_eq!(case.got(), case.expected());
    }
}

#[test]
fn shapes_of_published_encoders_are_exact() {
    for (tokens, inputs, outputs) in [
        (512, 384, 1152),
        (17, 768, 2304),
        (3, 3072, 768),
        (1, 1536, 384),
    ] {
        let case = Case::new(tokens, inputs, outputs, 3, false);
        assert_eq!(case.got(), case.expected());
    }
}

#[test]
fn every_encoding_of_a_record_becomes_int8() {
    let (inputs, outputs) = (70, 9);
    let mut draw = draws(5);
    let values: Vec<f32> = (0..inputs * outputs)
        .map(|_| draw(1000) as f32 / 1000.0)
        .collect();
    let bias: Vec<f32> = (0..outputs).map(|_| draw(1000) as f32 / 1000.0).collect();
    let numbers: Vec<f32> = (0..3 * inputs)
        .map(|_| draw(1000) as f32 / 1000.0)
        .collect();
    let mut codes = Activations::default();
    codes.fill(&numbers, inputs, inputs);
    for encoding in [
        WeightEncoding::Int8,
        WeightEncoding::Float16,
        WeightEncoding::Float32,
    ] {
        let mut writer = RecordWriter::new(encoding);
        writer.matrix("l.weight", &values, outputs, ScaleAxis::Column);
        writer.vector("l.bias", &bias);
        let mut record = RecordReader::from_bytes(writer.into_bytes().unwrap()).unwrap();
        let linear = Linear::from_record(&mut record, "l", inputs, outputs).unwrap();
        record.finish().unwrap();
        let mut out = Vec::new();
        linear.apply(&codes, &mut out);
        for (token, row) in out.chunks_exact(linear.stride()).enumerate() {
            for output in 0..outputs {
                let products = (0..inputs).map(|input| {
                    f64::from(numbers[token * inputs + input])
                        * f64::from(values[input * outputs + output])
                });
                let expected = products.sum::<f64>() + f64::from(bias[output]);
                // Each weight is off by at most half a step of 1/127, at random.
                assert!(
                    (f64::from(row[output]) - expected).abs() < 0.1,
                    "{encoding:?}"
                );
            }
        }
    }
}
