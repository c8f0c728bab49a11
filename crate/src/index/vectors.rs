//! Int8 passage vectors: one scale a vector, codes in rows.
//!
//! Symmetric quantization per vector: `scale = max |x| / 127`, `code = round(x / scale)`, so that
//! ⟨x, y⟩ ≈ scale · Σ code·y without a per-collection calibration.

use super::bytes::{close_section, open_section, read_u32};
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"ALMVEC01";

/// A vector as signed bytes with its scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Int8Vector {
    /// `max |x| / 127`, 0 for the zero vector.
    pub scale: f32,
    /// `round(x / scale)`, −127 to 127.
    pub codes: Vec<i8>,
}

impl Int8Vector {
    /// Quantizes a vector of finite numbers.
    ///
    /// ```
    /// let vector = almanac::index::Int8Vector::quantize(&[0.5, -1.0, 0.0]);
    /// assert_eq!(vector.codes, [64, -127, 0]);
    /// ```
    #[must_use]
    pub fn quantize(vector: &[f32]) -> Self {
        let largest = vector.iter().fold(0f32, |most, x| most.max(x.abs()));
        let scale = largest / 127.0;
        let codes = vector.iter().map(|x| int8_code(*x, scale)).collect();
        Self { scale, codes }
    }
}

/// The code of a number under its scale, −127 to 127; 0 where the scale is 0.
pub(crate) fn int8_code(value: f32, scale: f32) -> i8 {
    if scale > 0.0 {
        (value / scale).round().clamp(-127.0, 127.0) as i8
    } else {
        0
    }
}

/// Reads `count` scales and the codes after them, which are the rest of a payload.
pub(super) fn read_rows(payload: &[u8], count: usize) -> Result<(Vec<f32>, Vec<i8>)> {
    let (scales, codes) = payload.split_at(count * 4);
    let scales: Vec<f32> = (0..count)
        .map(|n| f32::from_bits(read_u32(scales, n * 4)))
        .collect();
    // Unit vectors have scales below 1 / 127; NaN lies in no range.
    if let Some(bad) = scales.iter().position(|s| !(0.0..=1.0).contains(s)) {
        return Err(Error::corrupt(format!(
            "scale of vector {bad} is {}",
            scales[bad]
        )));
    }
    let codes: &[i8] = bytemuck::cast_slice(codes);
    // The integer product of a query and codes down to −127 fits 32 bits.
    if codes.contains(&i8::MIN) {
        return Err(Error::corrupt("a code of -128, expected -127 to 127"));
    }
    Ok((scales, codes.to_vec()))
}

/// A run of passage vectors in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorShard {
    first: u32,
    dimensions: usize,
    scales: Vec<f32>,
    codes: Vec<i8>,
}

impl VectorShard {
    /// Starts an empty run whose first vector is that of passage `first`.
    #[must_use]
    pub fn new(first: u32, dimensions: usize) -> Self {
        Self {
            first,
            dimensions,
            scales: Vec::new(),
            codes: Vec::new(),
        }
    }

    /// Appends the vector of the next passage.
    ///
    /// # Errors
    /// [`crate::ErrorKind::InvalidInput`] if it has another number of dimensions.
    pub fn push(&mut self, vector: &Int8Vector) -> Result<()> {
        if vector.codes.len() != self.dimensions {
            return Err(Error::invalid(format!(
                "a vector of {} dimensions, expected {}",
                vector.codes.len(),
                self.dimensions
            )));
        }
        self.scales.push(vector.scale);
        self.codes.extend_from_slice(&vector.codes);
        Ok(())
    }

    /// Reads a verified `vectors` file.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Corrupt`] if magic, CRC, counts or length contradict each other, a
    /// scale is not 0 to 1 or a code not −127 to 127.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let ([dimensions, count, first, _], payload) = open_section(bytes, MAGIC)?;
        let (dimensions, count) = (dimensions as usize, count as usize);
        let expected = dimensions
            .checked_add(4)
            .and_then(|row| row.checked_mul(count));
        if dimensions == 0 || expected != Some(payload.len()) {
            return Err(Error::corrupt(format!(
                "{} bytes for {count} vectors of {dimensions} dimensions",
                payload.len()
            )));
        }
        let (scales, codes) = read_rows(payload, count)?;
        Ok(Self {
            first,
            dimensions,
            scales,
            codes,
        })
    }

    /// Lays the run out as a `vectors` file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut payload = Vec::with_capacity(self.scales.len() * 4 + self.codes.len());
        for scale in &self.scales {
            payload.extend_from_slice(&scale.to_le_bytes());
        }
        payload.extend_from_slice(bytemuck::cast_slice(&self.codes));
        let fields = [
            self.dimensions as u32,
            self.scales.len() as u32,
            self.first,
            0,
        ];
        close_section(MAGIC, fields, &payload)
    }

    /// Gives the number of the first passage.
    #[must_use]
    pub fn first(&self) -> u32 {
        self.first
    }

    /// Gives how many vectors the run has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Says whether the run has no vector.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// Gives the dimensions of each vector.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Gives the scale and codes of a row, counted from the first of the run.
    pub(crate) fn row(&self, row: usize) -> Option<(f32, &[i8])> {
        let start = row.checked_mul(self.dimensions)?;
        let codes = self.codes.get(start..start.checked_add(self.dimensions)?)?;
        Some((*self.scales.get(row)?, codes))
    }

    /// Gives scales and row-major codes for a scan.
    #[must_use]
    pub fn rows(&self) -> (&[f32], &[i8]) {
        (&self.scales, &self.codes)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::damage;
    use super::*;
    use proptest::prelude::*;

    fn shard() -> VectorShard {
        let mut shard = VectorShard::new(7, 3);
        shard
            .push(&Int8Vector::quantize(&[0.1, -0.7, 0.7]))
            .unwrap();
        shard.push(&Int8Vector::quantize(&[0.0, 0.0, 0.0])).unwrap();
        shard
    }

    #[test]
    fn a_shard_reads_back_as_written() {
        assert_eq!(
            VectorShard::from_bytes(&shard().to_bytes()).unwrap(),
            shard()
        );
    }

    #[test]
    fn every_truncation_and_every_flipped_byte_is_corrupt() {
        damage::is_always_refused(&shard().to_bytes(), VectorShard::from_bytes);
    }

    #[test]
    fn a_count_that_lies_is_corrupt_even_with_a_right_checksum() {
        let lie = close_section(MAGIC, [u32::MAX, u32::MAX, 0, 0], &[0; 14]);
        assert!(VectorShard::from_bytes(&lie).unwrap_err().is_corrupt());
        let nan = close_section(MAGIC, [1, 1, 0, 0], &[0, 0, 192, 127, 1]);
        assert!(VectorShard::from_bytes(&nan).unwrap_err().is_corrupt());
    }

    proptest! {
        #[test]
        fn a_quantized_number_is_within_half_a_step(v in proptest::collection::vec(-1f32..1.0, 1..64)) {
            let q = Int8Vector::quantize(&v);
            for (x, c) in v.iter().zip(&q.codes) {
                prop_assert!((x - f32::from(*c) * q.scale).abs() <= q.scale * 0.5001 + 1e-9);
            }
        }
    }
}
