//! Ranks, recall and correlation.

/// Gives the cosines of a query with passages; all vectors are of length 1.
#[must_use]
pub fn cosines(query: &[f32], passages: &[Vec<f32>]) -> Vec<f64> {
    passages.iter().map(|p| f64::from(dot(query, p))).collect()
}

/// Eight sums side by side, which a processor adds at once.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0f32; LANES];
    for (a, b) in a.chunks(LANES).zip(b.chunks(LANES)) {
        for (sum, (x, y)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += x * y;
        }
    }
    sums.iter().sum()
}

/// The ranks of the first right passage of each query, from 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranks(Vec<usize>);

impl Ranks {
    /// Gives the rank of the best of the right passages. Of passages with equal scores a right one
    /// comes last, so that a system that cannot tell them apart gains nothing.
    #[must_use]
    pub fn rank(scores: &[f64], right: &[usize]) -> usize {
        let best = right.iter().map(|at| scores[*at]).fold(f64::MIN, f64::max);
        let wrong = scores
            .iter()
            .enumerate()
            .filter(|(at, _)| !right.contains(at));
        1 + wrong.filter(|(_, score)| **score >= best).count()
    }

    /// Takes in the rank of one more query.
    pub fn add(&mut self, rank: usize) {
        self.0.push(rank);
    }

    /// Gives the number of queries.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Gives the share of queries, 0 to 1, with a right passage among the first `most`.
    #[must_use]
    pub fn within(&self, most: usize) -> f64 {
        let found = self.0.iter().filter(|rank| **rank <= most).count();
        found as f64 / self.0.len().max(1) as f64
    }

    /// Gives the mean of 1 / rank, 0 to 1.
    #[must_use]
    pub fn reciprocal(&self) -> f64 {
        self.0.iter().map(|rank| 1.0 / *rank as f64).sum::<f64>() / self.0.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosine_of_any_length_is_the_sum_of_products() {
        let vector: Vec<f32> = (0..21).map(|n| n as f32).collect();
        let expected: f32 = vector.iter().map(|v| v * v).sum();
        assert_eq!(
            cosines(&vector, std::slice::from_ref(&vector)),
            [f64::from(expected)]
        );
    }

    #[test]
    fn ties_count_against_the_right_passage() {
        assert_eq!(Ranks::rank(&[0.5, 0.5, 0.1], &[0]), 2);
        assert_eq!(Ranks::rank(&[0.5, 0.5, 0.1], &[0, 1]), 1);
        assert_eq!(Ranks::rank(&[0.5, 0.9, 0.1], &[2]), 3);
    }

    #[test]
    fn shares_are_of_all_queries() {
        let mut ranks = Ranks::default();
        for rank in [1, 2, 10, 40] {
            ranks.add(rank);
        }
        assert_eq!((ranks.within(1), ranks.within(10)), (0.25, 0.75));
        assert_eq!(ranks.reciprocal(), (1.0 + 0.5 + 0.1 + 0.025) / 4.0);
    }
}
