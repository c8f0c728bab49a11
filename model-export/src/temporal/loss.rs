//! The arithmetic of training in plain numbers, with its gradients, to check the tensors against.

/// Gives the CoSENT loss of similarities against labels and its gradient.
///
/// For every two pairs whose labels differ, the one with the higher label shall have the higher
/// similarity: L = ln(1 + Σ exp(scale · (s_low − s_high))).
///
/// Source: CoSENT, J. Su, as in sentence-transformers' description of CoSENTLoss; scale 20 is that
/// of TEMPS, appendix B.
#[must_use]
pub fn cosent(similarities: &[f64], labels: &[f64], scale: f64) -> (f64, Vec<f64>) {
    let pairs = || {
        let count = similarities.len().min(labels.len());
        (0..count).flat_map(move |high| {
            (0..count).filter_map(move |low| (labels[high] > labels[low]).then_some((high, low)))
        })
    };
    let exponent = |(high, low): (usize, usize)| scale * (similarities[low] - similarities[high]);
    let most = pairs().map(exponent).fold(0.0, f64::max);
    let sum = pairs().map(|p| (exponent(p) - most).exp()).sum::<f64>() + (-most).exp();
    let mut gradient = vec![0.0; similarities.len()];
    for (high, low) in pairs() {
        let share = scale * (exponent((high, low)) - most).exp() / sum;
        gradient[low] += share;
        gradient[high] -= share;
    }
    (most + sum.ln(), gradient)
}

/// A one-dimensional normal distribution with a mean and the logarithm of the variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal {
    /// The mean.
    pub mean: f64,
    /// The logarithm of the variance.
    pub log_variance: f64,
}

/// Gives KL(p ‖ q), in nats, and its derivatives by p's mean and log variance and by q's.
///
/// Source: the divergence of two normal distributions.
#[must_use]
pub fn divergence(p: Normal, q: Normal) -> (f64, [f64; 4]) {
    let apart = p.mean - q.mean;
    let ratio = (p.log_variance - q.log_variance).exp();
    let precision = (-q.log_variance).exp();
    let value = 0.5 * (ratio - 1.0 - (p.log_variance - q.log_variance) + apart * apart * precision);
    let by_mean = apart * precision;
    let by_variance = 0.5 * (ratio - 1.0);
    let by_other_variance = 0.5 * (1.0 - ratio - apart * apart * precision);
    (value, [by_mean, by_variance, -by_mean, by_other_variance])
}

/// Gives Spearman's rank correlation of two lists of one length, −1 to 1; equal values share their
/// mean rank. 0 where a list is constant.
#[must_use]
pub fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len().max(1) as f64;
    let (ma, mb) = (mean(&a), mean(&b));
    let (mut both, mut one, mut two) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(&b) {
        both += (x - ma) * (y - mb);
        one += (x - ma) * (x - ma);
        two += (y - mb) * (y - mb);
    }
    if one > 0.0 && two > 0.0 {
        both / (one * two).sqrt()
    } else {
        0.0
    }
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|x, y| values[*x].total_cmp(&values[*y]));
    let mut out = vec![0.0; values.len()];
    let mut at = 0;
    while at < order.len() {
        let value = values[order[at]];
        let end = at
            + order[at..]
                .iter()
                .take_while(|o| values[**o] == value)
                .count();
        let rank = (at + end - 1) as f64 / 2.0;
        for place in &order[at..end] {
            out[*place] = rank;
        }
        at = end;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Chance;

    fn draws(seed: u64, count: usize) -> Vec<f64> {
        let mut chance = Chance::new(seed);
        (0..count)
            .map(|_| chance.below(1 << 20) as f64 / f64::from(1 << 20))
            .collect()
    }

    #[test]
    fn cosent_gradient_is_that_of_finite_differences() {
        const STEP: f64 = 1e-6;
        let (similarities, labels) = (draws(1, 12), draws(2, 12));
        for scale in [1.0, 20.0] {
            let (_, gradient) = cosent(&similarities, &labels, scale);
            for place in 0..similarities.len() {
                let moved = |by: f64| {
                    let mut s = similarities.clone();
                    s[place] += by;
                    cosent(&s, &labels, scale).0
                };
                let numeric = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
                assert!(
                    (numeric - gradient[place]).abs() < 1e-5,
                    "{numeric} {}",
                    gradient[place]
                );
            }
        }
    }

    #[test]
    fn cosent_falls_to_zero_as_the_order_becomes_right() {
        let labels = [0.1, 0.5, 0.9];
        let right = cosent(&[0.0, 5.0, 10.0], &labels, 20.0).0;
        let wrong = cosent(&[10.0, 5.0, 0.0], &labels, 20.0).0;
        assert!(right < 1e-9 && wrong > 100.0);
        assert_eq!(cosent(&[0.3, 0.7], &[0.5, 0.5], 20.0).0, 0.0);
    }

    #[test]
    fn divergence_gradient_is_that_of_finite_differences() {
        const STEP: f64 = 1e-6;
        let values = draws(3, 40);
        for v in values.chunks_exact(4) {
            let at = |v: &[f64]| {
                let p = Normal {
                    mean: v[0] * 3.0,
                    log_variance: v[1] * 4.0 - 2.0,
                };
                let q = Normal {
                    mean: v[2] * 3.0,
                    log_variance: v[3] * 4.0 - 2.0,
                };
                divergence(p, q)
            };
            let scales = [3.0, 4.0, 3.0, 4.0];
            for (place, scale) in scales.iter().enumerate() {
                let moved = |by: f64| {
                    let mut w = v.to_vec();
                    w[place] += by / scale;
                    at(&w).0
                };
                let numeric = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
                assert!((numeric - at(v).1[place]).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn spearman_sees_order_alone_and_shares_ties() {
        assert!((spearman(&[1.0, 2.0, 3.0], &[10.0, 200.0, 3_000.0]) - 1.0).abs() < 1e-12);
        assert!((spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]) + 1.0).abs() < 1e-12);
        assert_eq!(spearman(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), 0.0);
        assert!((spearman(&[1.0, 1.0, 2.0, 3.0], &[1.0, 2.0, 3.0, 4.0]) - 0.948_683).abs() < 1e-5);
    }
}
