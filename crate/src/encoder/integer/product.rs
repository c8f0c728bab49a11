//! Products of two float32 matrices, for attention.

use super::lanes::{Floats, LANES};

/// Columns of the second matrix are a multiple of this.
pub(super) const COLUMNS: usize = 2 * LANES;
/// Rows of the first matrix that are multiplied at a time.
const ROWS: usize = 4;

/// A row-major matrix whose rows start `stride` numbers apart.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a> {
    pub(super) values: &'a [f32],
    pub(super) stride: usize,
}

/// Writes the product of `left`, with `depth` columns, and `right`, whose stride is a multiple of
/// [`COLUMNS`], to `out`, which has the rows of `left` and the stride of `right`.
pub(super) fn multiply(left: Matrix, right: Matrix, depth: usize, out: &mut [f32]) {
    let lefts = left.values.chunks(ROWS * left.stride);
    for (left_rows, out) in lefts.zip(out.chunks_mut(ROWS * right.stride)) {
        let left = Matrix {
            values: left_rows,
            ..left
        };
        match left_rows.len() / left.stride {
            1 => rows::<1>(left, right, depth, out),
            2 => rows::<2>(left, right, depth, out),
            3 => rows::<3>(left, right, depth, out),
            _ => rows::<ROWS>(left, right, depth, out),
        }
    }
}

#[inline]
fn rows<const R: usize>(left: Matrix, right: Matrix, depth: usize, out: &mut [f32]) {
    let lefts: [&[f32]; R] =
        std::array::from_fn(|row| &left.values[row * left.stride..row * left.stride + depth]);
    for first in (0..right.stride).step_by(COLUMNS) {
        let mut sums = [[Floats::splat(0.0); 2]; R];
        let rights = right.values.chunks_exact(right.stride).take(depth);
        for (at, row) in rights.enumerate() {
            let (quads, _) = row[first..first + COLUMNS].as_chunks::<LANES>();
            let (a, b) = (Floats::load(&quads[0]), Floats::load(&quads[1]));
            for (sums, left) in sums.iter_mut().zip(lefts) {
                let x = Floats::splat(left[at]);
                sums[0] = sums[0] + x * a;
                sums[1] = sums[1] + x * b;
            }
        }
        for (sums, out) in sums.into_iter().zip(out.chunks_exact_mut(right.stride)) {
            let (quads, _) = out[first..first + COLUMNS].as_chunks_mut::<LANES>();
            for (sum, quad) in sums.into_iter().zip(quads) {
                sum.store(quad);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_are_sums_of_products(
            count in 1usize..11,
            depth in 1usize..40,
            panels in 1usize..4,
            spare in 0usize..3,
        ) {
            let columns = panels * COLUMNS;
            let (left_stride, draw) = (depth + spare, |n: usize, f: f32| (n as f32 * f).sin());
            let left: Vec<f32> = (0..count * left_stride).map(|n| draw(n, 0.7)).collect();
            let right: Vec<f32> = (0..depth * columns).map(|n| draw(n, 1.1)).collect();
            let mut out = vec![9.0; count * columns];
            let matrix = |values, stride| Matrix { values, stride };
            multiply(matrix(&left, left_stride), matrix(&right, columns), depth, &mut out);
            for row in 0..count {
                for column in 0..columns {
                    let expected: f64 = (0..depth)
                        .map(|k| f64::from(left[row * left_stride + k]) * f64::from(right[k * columns + column]))
                        .sum();
                    let got = f64::from(out[row * columns + column]);
                    prop_assert!((got - expected).abs() < 1e-5, "{} {}", got, expected);
                }
            }
        }
    }
}
