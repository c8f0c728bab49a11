//! The signs of the vectors' numbers: an eighth of the vectors' bytes, from which a scan of a large
//! collection chooses what it scores exactly.
//!
//! Neither a common mean taken off nor a random rotation kept more of the ten best at the same
//! number of bits (`docs/decisions.md`), so the signs are those of the codes as they are.

use super::bytes::{close_section, open_section};
use super::vectors::Int8Vector;
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"ALMSGN01";

/// Gives the signs of numbers, eight a byte from the lowest bit: 1 for what is above 0.
pub(crate) fn signs(positive: impl Iterator<Item = bool>) -> Vec<u8> {
    let mut out = Vec::new();
    for (place, positive) in positive.enumerate() {
        if place % 8 == 0 {
            out.push(0);
        }
        if let Some(last) = out.last_mut() {
            *last |= u8::from(positive) << (place % 8);
        }
    }
    out
}

/// A run of passages' signs in memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SignShard {
    first: u32,
    dimensions: usize,
    rows: Vec<u8>,
}

impl SignShard {
    pub(crate) fn new(first: u32, dimensions: usize) -> Self {
        Self {
            first,
            dimensions,
            rows: Vec::new(),
        }
    }

    /// Bytes of a passage's signs.
    pub(crate) fn width(&self) -> usize {
        self.dimensions.div_ceil(8)
    }

    pub(crate) fn push(&mut self, vector: &Int8Vector) {
        let row = signs(vector.codes.iter().map(|code| *code > 0));
        self.rows.extend(row);
    }

    /// Reads a verified `signs` file of vectors of `dimensions` that should hold `count` passages
    /// from `first`.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        dimensions: u32,
        first: u32,
        count: u32,
    ) -> Result<Self> {
        let (fields, payload) = open_section(bytes, MAGIC)?;
        let expected = [dimensions, count, first, 0];
        if fields[..3] != expected[..3] {
            return Err(Error::corrupt(format!(
                "dimensions, count and first are {:?}, expected {:?}",
                &fields[..3],
                &expected[..3]
            )));
        }
        let dimensions = dimensions as usize;
        let width = dimensions.div_ceil(8);
        if width == 0 || width.checked_mul(count as usize) != Some(payload.len()) {
            return Err(Error::corrupt(format!(
                "{} bytes for the signs of {count} vectors of {dimensions} dimensions",
                payload.len()
            )));
        }
        let beyond = match dimensions % 8 {
            0 => 0,
            used => 0xff << used,
        };
        let last = payload.iter().skip(width - 1).step_by(width);
        if let Some(place) = last.into_iter().position(|byte| byte & beyond != 0) {
            return Err(Error::corrupt(format!(
                "signs of vector {place} beyond its {dimensions} dimensions"
            )));
        }
        Ok(Self {
            first,
            dimensions,
            rows: payload.to_vec(),
        })
    }

    /// Lays the run out as a `signs` file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let fields = [self.dimensions as u32, self.len(), self.first, 0];
        close_section(MAGIC, fields, &self.rows)
    }

    pub(crate) fn first(&self) -> u32 {
        self.first
    }

    pub(crate) fn len(&self) -> u32 {
        (self.rows.len() / self.width().max(1)) as u32
    }

    /// Gives the signs of each passage, in order.
    pub(crate) fn rows(&self) -> std::slice::ChunksExact<'_, u8> {
        self.rows.chunks_exact(self.width().max(1))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::damage;
    use super::*;
    use proptest::prelude::*;

    fn shard() -> SignShard {
        let mut shard = SignShard::new(7, 11);
        for n in 0..3 {
            let row: Vec<f32> = (0..11)
                .map(|d| ((d * 7 + n * 5) % 9) as f32 - 4.0)
                .collect();
            shard.push(&Int8Vector::quantize(&row));
        }
        shard
    }

    fn read(bytes: &[u8]) -> Result<SignShard> {
        SignShard::from_bytes(bytes, 11, 7, 3)
    }

    #[test]
    fn signs_read_back_as_written() {
        let bytes = shard().to_bytes();
        assert_eq!(read(&bytes).unwrap(), shard());
        assert_eq!(shard().rows().len(), 3);
        for (dimensions, first, count) in [(12, 7, 3), (11, 0, 3), (11, 7, 2), (3, 7, 6), (0, 7, 3)]
        {
            let error = SignShard::from_bytes(&bytes, dimensions, first, count).unwrap_err();
            assert!(error.is_corrupt());
        }
    }

    #[test]
    fn every_truncation_and_every_flipped_byte_is_corrupt() {
        damage::is_always_refused(&shard().to_bytes(), read);
    }

    #[test]
    fn counts_and_bits_that_lie_are_corrupt_even_with_a_right_checksum() {
        let many = close_section(MAGIC, [u32::MAX, u32::MAX, 0, 0], &[0; 64]);
        assert!(SignShard::from_bytes(&many, u32::MAX, 0, u32::MAX).is_err());
        let none = close_section(MAGIC, [0, 0, 0, 0], &[]);
        assert!(SignShard::from_bytes(&none, 0, 0, 0).is_err());
        let beyond = close_section(MAGIC, [11, 1, 7, 0], &[0xff, 0x0f]);
        let error = SignShard::from_bytes(&beyond, 11, 7, 1).unwrap_err();
        assert!(error.to_string().contains("beyond its 11"), "{error}");
    }

    proptest! {
        #[test]
        fn each_sign_stands_at_its_place(v in proptest::collection::vec(-1f32..1.0, 1..40)) {
            let q = Int8Vector::quantize(&v);
            let packed = signs(q.codes.iter().map(|code| *code > 0));
            prop_assert_eq!(packed.len(), v.len().div_ceil(8));
            for (n, code) in q.codes.iter().enumerate() {
                prop_assert_eq!(packed[n / 8] >> (n % 8) & 1 == 1, *code > 0);
            }
        }
    }
}
