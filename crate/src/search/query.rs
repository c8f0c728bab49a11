//! A query vector prepared for integer products.

use super::dot::dot;
use crate::{Error, Result};

/// A query as 16-bit integers: precise enough that only the passages' int8 codes lose anything.
#[derive(Clone, Debug)]
pub struct Query {
    codes: Vec<i16>,
    scale: f32,
}

impl Query {
    /// Prepares a query of `dimensions` finite numbers.
    ///
    /// # Errors
    /// [`crate::ErrorKind::InvalidInput`] if it has other dimensions or a number is not finite.
    pub fn new(vector: &[f32], dimensions: usize) -> Result<Self> {
        if vector.len() != dimensions {
            return Err(Error::invalid(format!(
                "a query of {} dimensions, expected {dimensions}",
                vector.len()
            )));
        }
        if let Some(place) = vector.iter().position(|x| !x.is_finite()) {
            return Err(Error::invalid(format!(
                "number {place} of the query is {}",
                vector[place]
            )));
        }
        // Σ |code · query| stays below 2³¹ for any vector: 127 · limit · dimensions < 2³¹.
        let limit = (i32::MAX as usize / (127 * dimensions.max(1))).min(32_767) as f32;
        let largest = vector.iter().fold(0f32, |most, x| most.max(x.abs()));
        let scale = if largest > 0.0 { largest / limit } else { 0.0 };
        let codes = vector
            .iter()
            .map(|x| {
                if scale > 0.0 {
                    (x / scale).round().clamp(-limit, limit) as i16
                } else {
                    0
                }
            })
            .collect();
        Ok(Self { codes, scale })
    }

    /// Gives the cosine with a unit passage vector stored as codes and scale.
    #[must_use]
    pub fn score(&self, codes: &[i8], scale: f32) -> f32 {
        // Adding 0 makes one zero of two, so that equal scores compare as equal.
        dot(codes, &self.codes) as f32 * scale * self.scale + 0.0
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_products_do_not_overflow() {
        for dimensions in [1, 384, 768, 8_192] {
            let query = Query::new(&vec![1.0; dimensions], dimensions).unwrap();
            let score = query.score(&vec![127; dimensions], 1.0 / 127.0);
            let expected = dimensions as f32;
            assert!(
                (score / expected - 1.0).abs() < 1e-3,
                "{dimensions}: {score}"
            );
        }
    }

    #[test]
    fn a_query_with_nan_is_refused() {
        let error = Query::new(&[0.0, f32::NAN], 2).unwrap_err();
        assert_eq!(error.to_string(), "number 1 of the query is NaN");
    }
}
