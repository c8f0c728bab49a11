//! Which passages belong to which document: the first passage of every document.

use super::bytes::{close_section, open_section, read_u32};
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"ALMOFF01";

/// The first passage of each document, and one number more: the count of passages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offsets(Vec<u32>);

impl Offsets {
    /// Builds from the number of passages of each document.
    pub(crate) fn from_counts(counts: impl Iterator<Item = u32>) -> Self {
        let mut starts = vec![0u32];
        let mut next = 0u32;
        for count in counts {
            next = next.saturating_add(count);
            starts.push(next);
        }
        Self(starts)
    }

    /// Reads a verified `offsets` file for the given counts.
    pub(crate) fn from_bytes(bytes: &[u8], documents: u32, passages: u32) -> Result<Self> {
        let ([count, _, _, _], payload) = open_section(bytes, MAGIC)?;
        let expected = (u64::from(documents) + 1) * 4;
        if count != documents || payload.len() as u64 != expected {
            return Err(Error::corrupt(format!(
                "{} bytes for {count} documents, expected {expected} for {documents}",
                payload.len()
            )));
        }
        let starts: Vec<u32> = (0..payload.len() / 4)
            .map(|n| read_u32(payload, n * 4))
            .collect();
        let rising = starts.windows(2).all(|pair| pair[0] < pair[1]);
        if starts.first() != Some(&0) || starts.last() != Some(&passages) || !rising {
            return Err(Error::corrupt(
                "document starts do not rise from 0 to the number of passages",
            ));
        }
        Ok(Self(starts))
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let payload: Vec<u8> = self.0.iter().flat_map(|s| s.to_le_bytes()).collect();
        close_section(MAGIC, [(self.0.len() - 1) as u32, 0, 0, 0], &payload)
    }

    /// Gives the passages of a document.
    pub(crate) fn passages(&self, document: u32) -> std::ops::Range<u32> {
        let at = document as usize;
        self.0[at]..self.0[at + 1]
    }

    /// Gives the start of each document and the end of the last.
    pub(crate) fn starts(&self) -> &[u32] {
        &self.0
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn documents_without_passages_or_out_of_order_are_corrupt() {
        let good = Offsets::from_counts([2, 1].into_iter());
        assert_eq!(good.passages(0), 0..2);
        assert_eq!(Offsets::from_bytes(&good.to_bytes(), 2, 3).unwrap(), good);
        for bad in [vec![0, 0, 3], vec![0, 4, 3], vec![1, 2, 3], vec![0, 1, 2]] {
            assert!(Offsets::from_bytes(&Offsets(bad).to_bytes(), 2, 3).is_err());
        }
    }
}
