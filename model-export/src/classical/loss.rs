//! The contrastive loss in plain numbers: what the tensors of the training are checked against.
//!
//! Source: SimCSE (Gao, Yao and Chen, arXiv 2104.08821), section 4 and, for the weight of hard
//! negatives, appendix; alignment and uniformity, Wang and Isola, arXiv 2005.10242, section 4.

/// How the loss compares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contrast {
    /// The temperature τ by which cosines are divided.
    pub temperature: f64,
    /// How many times a query's own hard negative counts.
    pub hard_weight: f64,
    /// Whether passages look for their queries as well.
    pub symmetric: bool,
}

impl Contrast {
    /// As in SimCSE and the paper on farming books: τ 0.05, hard negatives count once, queries look
    /// for passages.
    pub const PAPER: Self = Self {
        temperature: 0.05,
        hard_weight: 1.0,
        symmetric: false,
    };
}

/// A value and its slope by every cosine.
#[derive(Clone, Debug, PartialEq)]
pub struct Slopes {
    /// The loss.
    pub value: f64,
    /// `[queries][columns]`.
    pub slopes: Vec<Vec<f64>>,
}

/// Gives the loss of a batch of N queries from its cosines: N rows of N passages, the query's own in
/// the place of its row, followed by N hard negatives in the same order or by none. A cosine
/// of −∞ is left out.
///
/// The loss is −log(e^(s_ii/τ) / (Σ_j e^(s_ij/τ) + Σ_j w_ij e^(h_ij/τ))) in the mean over queries,
/// w_ij the hard weight where i = j and 1 elsewhere; symmetric, it is the mean of that and of the
/// same over the columns of passages.
///
/// ```
/// use almanac_model::classical::loss::{Contrast, simcse};
/// let right = simcse(&[vec![1.0, 0.0], vec![0.0, 1.0]], Contrast::PAPER);
/// let wrong = simcse(&[vec![0.0, 1.0], vec![1.0, 0.0]], Contrast::PAPER);
/// assert!(right.value < 1e-6 && (wrong.value - 20.0).abs() < 1e-6);
/// ```
#[must_use]
pub fn simcse(cosines: &[Vec<f64>], contrast: Contrast) -> Slopes {
    let count = cosines.len();
    let mut out = Slopes {
        value: 0.0,
        slopes: cosines.iter().map(|row| vec![0.0; row.len()]).collect(),
    };
    let share = if contrast.symmetric { 0.5 } else { 1.0 } / count.max(1) as f64;
    let mut look = |own: usize, places: &[(usize, usize)]| {
        let logit = |(row, column): (usize, usize)| {
            let weight = if column == row + count {
                contrast.hard_weight.ln()
            } else {
                0.0
            };
            cosines[row][column] / contrast.temperature + weight
        };
        let most = places.iter().map(|p| logit(*p)).fold(f64::MIN, f64::max);
        let sum: f64 = places.iter().map(|p| (logit(*p) - most).exp()).sum();
        out.value += share * (most + sum.ln() - logit(places[own]));
        for (at, place) in places.iter().enumerate() {
            let chance = (logit(*place) - most).exp() / sum - f64::from(u8::from(at == own));
            out.slopes[place.0][place.1] += share * chance / contrast.temperature;
        }
    };
    for (row, cosines) in cosines.iter().enumerate() {
        let places: Vec<_> = (0..cosines.len()).map(|column| (row, column)).collect();
        look(row, &places);
    }
    if contrast.symmetric {
        for column in 0..count {
            let places: Vec<_> = (0..count).map(|row| (row, column)).collect();
            look(column, &places);
        }
    }
    out
}

/// Gives alignment, the mean squared distance of unit vectors that belong together, and uniformity,
/// the logarithm of the mean of e^(−2d²) over all pairs of different places; both are better the
/// lower.
///
/// ```
/// use almanac_model::classical::loss::alignment_and_uniformity;
/// let (queries, passages) = (vec![vec![1.0, 0.0]], vec![vec![0.0, 1.0]]);
/// let (alignment, uniformity) = alignment_and_uniformity(&queries, &passages);
/// assert_eq!((alignment, uniformity), (2.0, -4.0));
/// ```
#[must_use]
pub fn alignment_and_uniformity(queries: &[Vec<f32>], passages: &[Vec<f32>]) -> (f64, f64) {
    let squared = |a: &[f32], b: &[f32]| {
        let terms = a.iter().zip(b).map(|(x, y)| f64::from(x - y).powi(2));
        terms.sum::<f64>()
    };
    let together = queries.iter().zip(passages);
    let alignment = together.map(|(q, p)| squared(q, p)).sum::<f64>() / queries.len().max(1) as f64;
    let all: Vec<&Vec<f32>> = queries.iter().chain(passages).collect();
    let (mut sum, mut pairs) = (0.0, 0usize);
    for (at, a) in all.iter().enumerate() {
        for b in &all[at + 1..] {
            sum += (-2.0 * squared(a, b)).exp();
            pairs += 1;
        }
    }
    (alignment, (sum / pairs.max(1) as f64).ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Chance;

    fn cosines(seed: u64, rows: usize, columns: usize) -> Vec<Vec<f64>> {
        let mut chance = Chance::new(seed);
        (0..rows)
            .map(|_| {
                (0..columns)
                    .map(|_| chance.below(2_000) as f64 / 1_000.0 - 1.0)
                    .collect()
            })
            .collect()
    }

    #[test]
    fn slopes_are_those_of_finite_differences() {
        for symmetric in [false, true] {
            let contrast = Contrast {
                temperature: 0.3,
                hard_weight: 3.0,
                symmetric,
            };
            let at = cosines(1, 3, 6);
            let found = simcse(&at, contrast);
            for place in 0..18 {
                let (row, column) = (place / 6, place % 6);
                let moved = |by: f64| {
                    let mut at = at.clone();
                    at[row][column] += by;
                    simcse(&at, contrast).value
                };
                let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!((slope - found.slopes[row][column]).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn hard_negatives_add_to_the_loss_by_their_weight() {
        let hard = vec![vec![0.9, 0.1, 0.8, 0.2], vec![0.0, 0.9, 0.1, 0.7]];
        let plain: Vec<Vec<f64>> = hard.iter().map(|row| row[..2].to_vec()).collect();
        let value = |cosines: &[Vec<f64>], hard_weight| {
            let contrast = Contrast {
                hard_weight,
                ..Contrast::PAPER
            };
            simcse(cosines, contrast).value
        };
        assert!(value(&plain, 1.0) < value(&hard, 1.0));
        assert!(value(&hard, 1.0) < value(&hard, 4.0));
    }

    #[test]
    fn vectors_spread_out_are_more_uniform() {
        let apart = vec![vec![1.0, 0.0], vec![-1.0, 0.0]];
        let near = vec![vec![1.0, 0.0], vec![0.8, 0.6]];
        let (_, spread) = alignment_and_uniformity(&apart, &apart);
        let (aligned, narrow) = alignment_and_uniformity(&near, &near);
        assert!(spread < narrow && aligned == 0.0);
    }
}
