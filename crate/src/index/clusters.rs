//! The clusters in which passages lie, so that a search by meaning can fetch the near ones alone.
//!
//! Clusters are runs of passages, in order. The center of each is kept as the mean of its vectors:
//! its product with a query is the mean cosine of its passages, which stands in for those whose
//! vectors are not there.

use super::bytes::{close_section, open_section, read_u32};
use super::vectors::{Int8Vector, read_rows};
use crate::search::Query;
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"ALMCLU01";

/// The clusters of an index.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Clusters {
    dimensions: usize,
    /// The first passage of each cluster, and the number of passages.
    starts: Vec<u32>,
    scales: Vec<f32>,
    codes: Vec<i8>,
}

impl Clusters {
    pub(crate) fn new(dimensions: usize) -> Self {
        Self {
            dimensions,
            starts: vec![0],
            scales: Vec::new(),
            codes: Vec::new(),
        }
    }

    /// Ends a cluster before passage `end`, with the mean of its vectors.
    pub(crate) fn push(&mut self, end: u32, mean: &Int8Vector) {
        self.starts.push(end);
        self.scales.push(mean.scale);
        self.codes.extend_from_slice(&mean.codes);
    }

    /// Reads a verified `clusters` file.
    pub(crate) fn from_bytes(bytes: &[u8], dimensions: u32, passages: u32) -> Result<Self> {
        let ([found, count, all, _], payload) = open_section(bytes, MAGIC)?;
        let (width, clusters) = (dimensions as usize, count as usize);
        let expected = width.checked_add(8).and_then(|n| n.checked_mul(clusters));
        if found != dimensions || all != passages || expected != Some(payload.len()) {
            return Err(Error::corrupt(format!(
                "{} bytes for {count} clusters of {all} passages and {found} dimensions, expected \
                 {passages} passages and {dimensions} dimensions",
                payload.len()
            )));
        }
        let (counts, vectors) = payload.split_at(clusters * 4);
        let mut starts = Vec::with_capacity(clusters + 1);
        starts.push(0u32);
        let mut next = 0u32;
        for cluster in 0..clusters {
            let count = read_u32(counts, cluster * 4);
            next = next
                .checked_add(count)
                .filter(|next| count > 0 && *next <= passages)
                .ok_or_else(|| {
                    Error::corrupt(format!("cluster {cluster} of {count} passages from {next}"))
                })?;
            starts.push(next);
        }
        if next != passages {
            return Err(Error::corrupt(format!(
                "clusters of {next} passages, expected {passages}"
            )));
        }
        let (scales, codes) = read_rows(vectors, clusters)?;
        Ok(Self {
            dimensions: width,
            starts,
            scales,
            codes,
        })
    }

    /// Lays the clusters out as a `clusters` file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut payload = Vec::with_capacity(self.len() * (8 + self.dimensions));
        for pair in self.starts.windows(2) {
            payload.extend_from_slice(&(pair[1] - pair[0]).to_le_bytes());
        }
        for scale in &self.scales {
            payload.extend_from_slice(&scale.to_le_bytes());
        }
        payload.extend_from_slice(bytemuck::cast_slice(&self.codes));
        let fields = [self.dimensions as u32, self.len() as u32, self.end(), 0];
        close_section(MAGIC, fields, &payload)
    }

    /// Gives the passage after the last cluster.
    pub(crate) fn end(&self) -> u32 {
        self.starts.last().copied().unwrap_or(0)
    }

    pub(crate) fn len(&self) -> usize {
        self.scales.len()
    }

    /// Gives the passages of a cluster.
    pub(crate) fn passages(&self, cluster: usize) -> std::ops::Range<u32> {
        self.starts[cluster]..self.starts[cluster + 1]
    }

    /// Gives the mean cosine of each cluster's passages with a query.
    pub(crate) fn cosines(&self, query: &Query) -> Vec<f32> {
        let rows = self.codes.chunks_exact(self.dimensions).zip(&self.scales);
        rows.map(|(row, scale)| query.score(row, *scale)).collect()
    }

    /// Gives the clusters by the cosine of query and center, the nearest first; equals in order.
    pub(crate) fn nearest(&self, query: &Query) -> Vec<usize> {
        let lengths = self.codes.chunks_exact(self.dimensions).zip(&self.scales);
        let lengths = lengths.map(|(row, scale)| {
            let squares: i64 = row.iter().map(|c| i64::from(*c) * i64::from(*c)).sum();
            (squares as f64).sqrt() * f64::from(*scale)
        });
        let cosines: Vec<f64> = self
            .cosines(query)
            .iter()
            .zip(lengths)
            // A center of length 0 is as near as any direction may be far.
            .map(|(product, length)| match length > 0.0 {
                true => f64::from(*product) / length,
                false => 0.0,
            })
            .collect();
        let mut order: Vec<usize> = (0..cosines.len()).collect();
        order.sort_by(|a, b| cosines[*b].total_cmp(&cosines[*a]));
        order
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::damage;
    use super::*;

    fn clusters() -> Clusters {
        let mut clusters = Clusters::new(3);
        clusters.push(2, &Int8Vector::quantize(&[0.5, 0.0, 0.1]));
        clusters.push(7, &Int8Vector::quantize(&[0.0, -0.9, 0.1]));
        clusters.push(8, &Int8Vector::quantize(&[0.0, 0.0, 0.0]));
        clusters
    }

    fn read(bytes: &[u8]) -> Result<Clusters> {
        Clusters::from_bytes(bytes, 3, 8)
    }

    #[test]
    fn clusters_read_back_as_written() {
        let bytes = clusters().to_bytes();
        assert_eq!(read(&bytes).unwrap(), clusters());
        assert_eq!(clusters().passages(1), 2..7);
        assert!(Clusters::from_bytes(&bytes, 3, 9).unwrap_err().is_corrupt());
        assert!(Clusters::from_bytes(&bytes, 4, 8).unwrap_err().is_corrupt());
    }

    #[test]
    fn the_nearest_center_is_the_one_of_the_highest_cosine() {
        let query = Query::new(&[0.1, -1.0, 0.0], 3).unwrap();
        assert_eq!(clusters().nearest(&query), [1, 0, 2]);
        let mean = clusters().cosines(&query)[1];
        assert!((mean - 0.9).abs() < 1e-2, "{mean}");
    }

    #[test]
    fn every_truncation_and_every_flipped_byte_is_corrupt() {
        damage::is_always_refused(&clusters().to_bytes(), read);
    }

    #[test]
    fn counts_and_numbers_that_lie_are_corrupt_even_with_a_right_checksum() {
        let section = |count: u32, counts: [u32; 2], scale: f32, code: u8| {
            let mut payload: Vec<u8> = counts.into_iter().flat_map(u32::to_le_bytes).collect();
            payload.extend([scale, 0.5].into_iter().flat_map(f32::to_le_bytes));
            payload.extend([code, 0, 0, 0, 0, 1]);
            close_section(MAGIC, [3, count, 8, 0], &payload)
        };
        assert!(read(&section(2, [3, 5], 0.5, 1)).is_ok());
        for lie in [
            section(u32::MAX, [3, 5], 0.5, 1),
            section(2, [0, 8], 0.5, 1),
            section(2, [8, 0], 0.5, 1),
            section(2, [3, 4], 0.5, 1),
            section(2, [3, 6], 0.5, 1),
            section(2, [3, u32::MAX], 0.5, 1),
            section(2, [3, 5], f32::NAN, 1),
            section(2, [3, 5], -0.5, 1),
            section(2, [3, 5], 0.5, 0x80),
        ] {
            assert!(read(&lie).unwrap_err().is_corrupt());
        }
        let none = close_section(MAGIC, [3, 0, 8, 0], &[]);
        assert!(read(&none).is_err());
    }
}
