//! Measures of a ranking, in which equal scores share their ranks.

use std::collections::HashMap;

/// The measures of one query or the means over many, all 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// 1 over the rank of the first relevant passage.
    pub mrr: f64,
    /// Share of the relevant passages among the first k, by [`CUTS`].
    pub recall: [f64; CUTS.len()],
    /// Share of relevant passages among the first k, by [`CUTS`].
    pub precision: [f64; CUTS.len()],
    /// Discounted gain among the first k over the best possible, by [`CUTS`].
    pub ndcg: [f64; CUTS.len()],
    /// Rank correlation of scores and grades over the ranked passages, −1 to 1.
    pub spearman: f64,
}

/// How many first passages are looked at.
pub const CUTS: [usize; 5] = [1, 5, 10, 20, 100];

/// Measures the ranking of one query by its scores.
///
/// A group of equal scores takes its mean rank for MRR, and for the cut-offs its expected value over
/// all orders of the group, so that the order of passages in a file never matters. Gains are the
/// grades.
///
/// The rank correlation is Spearman's over all ranked passages, ungraded ones with grade 0; equal
/// grades and equal scores share their mean rank, and where all are equal it is 0.
///
/// Source: K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques"
/// (2002), with the discount log₂(rank + 1).
pub fn measure(scores: &[f64], relevant: &HashMap<usize, u32>) -> Measures {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    let mut out = Measures::zero();
    let discount = |rank: usize| 1.0 / (rank as f64 + 1.0).log2();
    let (mut start, mut left) = (0, relevant.len());
    for group in order.chunk_by(|a, b| scores[*a] == scores[*b]) {
        let size = group.len();
        let grades: Vec<u32> = group
            .iter()
            .filter_map(|p| relevant.get(p).copied())
            .collect();
        if !grades.is_empty() {
            if out.mrr == 0.0 {
                out.mrr = 1.0 / (start as f64 + (size as f64 + 1.0) / 2.0);
            }
            let gain = grades.iter().map(|g| f64::from(*g)).sum::<f64>() / size as f64;
            for (cut, k) in CUTS.into_iter().enumerate() {
                let within = k.saturating_sub(start).min(size);
                let hits = grades.len() as f64 * within as f64 / size as f64;
                out.recall[cut] += hits / relevant.len() as f64;
                out.precision[cut] += hits / k as f64;
                out.ndcg[cut] += gain
                    * (start..start + within)
                        .map(|at| discount(at + 1))
                        .sum::<f64>();
            }
            left -= grades.len();
        }
        start += size;
        if left == 0 {
            break;
        }
    }
    let mut ideal: Vec<u32> = relevant.values().copied().collect();
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    out.spearman = spearman(scores, &order, relevant);
    for (cut, k) in CUTS.into_iter().enumerate() {
        let best: f64 = ideal
            .iter()
            .take(k)
            .enumerate()
            .map(|(at, g)| f64::from(*g) * discount(at + 1))
            .sum();
        out.ndcg[cut] /= best;
    }
    out
}

/// Spearman's rank correlation; `order` is that of falling scores.
fn spearman(scores: &[f64], order: &[usize], relevant: &HashMap<usize, u32>) -> f64 {
    let count = scores.len() as f64;
    let middle = (count + 1.0) / 2.0;
    // How far above the middle each grade's mean rank lies, the highest grade first.
    let mut grades: Vec<u32> = relevant.values().copied().collect();
    grades.sort_unstable_by(|a, b| b.cmp(a));
    let mut offsets: HashMap<u32, f64> = HashMap::new();
    let (mut start, mut grade_spread) = (0.0, 0.0);
    for group in grades.chunk_by(|a, b| a == b) {
        let size = group.len() as f64;
        let offset = middle - (start + (size + 1.0) / 2.0);
        offsets.insert(group[0], offset);
        grade_spread += size * offset * offset;
        start += size;
    }
    let ungraded = -start / 2.0;
    grade_spread += (count - start) * ungraded * ungraded;
    let (mut start, mut score_spread, mut product) = (0.0, 0.0, 0.0);
    for group in order.chunk_by(|a, b| scores[*a] == scores[*b]) {
        let size = group.len() as f64;
        let offset = middle - (start + (size + 1.0) / 2.0);
        score_spread += size * offset * offset;
        let held = |p: &usize| relevant.get(p).and_then(|g| offsets.get(g)).copied();
        let sum: f64 = group.iter().map(|p| held(p).unwrap_or(ungraded)).sum();
        product += offset * sum;
        start += size;
    }
    let spread = (grade_spread * score_spread).sqrt();
    if spread > 0.0 { product / spread } else { 0.0 }
}

/// Gives 1 over the mean rank of the best relevant passage, as [`measure`] does, without a sort.
pub fn reciprocal_rank(scores: &[f64], relevant: &HashMap<usize, u32>) -> f64 {
    let best = relevant
        .keys()
        .filter_map(|p| scores.get(*p).copied())
        .fold(f64::NEG_INFINITY, f64::max);
    let above = scores.iter().filter(|s| **s > best).count() as f64;
    let equal = scores.iter().filter(|s| **s == best).count() as f64;
    if equal == 0.0 {
        0.0
    } else {
        1.0 / (above + (equal + 1.0) / 2.0)
    }
}

impl Measures {
    /// The measures of a ranking without a relevant passage.
    pub fn zero() -> Self {
        Self {
            mrr: 0.0,
            recall: [0.0; CUTS.len()],
            precision: [0.0; CUTS.len()],
            ndcg: [0.0; CUTS.len()],
            spearman: 0.0,
        }
    }

    /// Gives the means over queries.
    pub fn mean(all: &[Self]) -> Self {
        let count = all.len().max(1) as f64;
        let mean = |pick: &dyn Fn(&Self) -> f64| all.iter().map(pick).sum::<f64>() / count;
        let cuts = |pick: fn(&Self) -> &[f64; CUTS.len()]| {
            std::array::from_fn(|cut| mean(&|m| pick(m)[cut]))
        };
        Self {
            mrr: mean(&|m| m.mrr),
            recall: cuts(|m| &m.recall),
            precision: cuts(|m| &m.precision),
            ndcg: cuts(|m| &m.ndcg),
            spearman: mean(&|m| m.spearman),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn known_ranking_has_known_measures() {
        let relevant = HashMap::from([(1, 2), (3, 1)]);
        let m = measure(&[0.9, 0.8, 0.7, 0.6], &relevant);
        assert_eq!(m.mrr, 0.5);
        assert_eq!(m.recall[..2], [0.0, 1.0]);
        assert_eq!(m.precision[..2], [0.0, 0.4]);
        let expected = (2.0 / 3f64.log2() + 1.0 / 5f64.log2()) / (2.0 + 1.0 / 3f64.log2());
        assert!((m.ndcg[1] - expected).abs() < 1e-12);
    }

    #[test]
    fn equal_scores_give_the_same_in_any_order() {
        let first = measure(&[0.5; 10], &HashMap::from([(0, 1)]));
        let last = measure(&[0.5; 10], &HashMap::from([(9, 1)]));
        assert_eq!(first, last);
        assert_eq!(first.mrr, 1.0 / 5.5);
        assert!((first.recall[1] - 0.5).abs() < 1e-12);
        assert!((first.precision[0] - 0.1).abs() < 1e-12);
    }

    #[test]
    fn rank_correlation_follows_the_grades() {
        let relevant = HashMap::from([(0, 2), (1, 1)]);
        let of = |scores: &[f64]| measure(scores, &relevant).spearman;
        // Grades 2, 1, 0, 0 have ranks 1, 2, 3.5, 3.5.
        let expected = 4.5 / (4.5f64 * 5.0).sqrt();
        assert!((of(&[0.9, 0.8, 0.7, 0.6]) - expected).abs() < 1e-12);
        assert!((of(&[0.9, 0.8, 0.1, 0.1]) - 1.0).abs() < 1e-12);
        assert!((of(&[0.1, 0.2, 0.9, 0.9]) + 1.0).abs() < 1e-12);
        assert_eq!(of(&[0.5; 4]), 0.0);
    }

    #[test]
    fn quick_reciprocal_rank_agrees() {
        let scores = [0.3, 0.9, 0.3, 0.1, 0.3, 0.8];
        for passage in 0..6 {
            let relevant = HashMap::from([(passage, 1), (3, 1)]);
            assert_eq!(
                reciprocal_rank(&scores, &relevant),
                measure(&scores, &relevant).mrr
            );
        }
    }
}
