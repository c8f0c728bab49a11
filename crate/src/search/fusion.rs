//! One ranking from meaning, words and time, with each part's share in every score.

use serde::{Deserialize, Serialize};

/// How scores of different scales are made comparable, per query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Normalization {
    /// As they are.
    AsIs,
    /// The least becomes 0 and the greatest 1; equal scores all become 0. As in TEMPS.
    #[default]
    MinMax,
    /// As [`Normalization::MinMax`] between the 1st and the 99th percentile, clipped beyond, so that
    /// one outlier does not squash the rest.
    Robust,
    /// 61 / (60 + rank), where equal scores share their mean rank; equal scores throughout all
    /// become 0.
    ///
    /// Source: G. Cormack, C. Clarke and S. Büttcher, "Reciprocal Rank Fusion outperforms Condorcet
    /// and individual Rank Learning Methods" (2009), scaled to 1 for the first.
    Rank,
}

/// The constant of reciprocal rank fusion.
const RANK_OFFSET: f64 = 60.0;

impl Normalization {
    /// Gives the scores of one query's passages on a common scale.
    ///
    /// ```
    /// use almanac::search::fusion::Normalization;
    /// assert_eq!(Normalization::MinMax.apply(&[2.0, 4.0, 3.0]), [0.0, 1.0, 0.5]);
    /// assert_eq!(Normalization::MinMax.apply(&[7.0, 7.0]), [0.0, 0.0]);
    /// ```
    #[must_use]
    pub fn apply(self, scores: &[f64]) -> Vec<f64> {
        match self {
            Self::AsIs => scores.to_vec(),
            Self::MinMax => {
                let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
                let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                scale(scores, least, most)
            }
            Self::Robust => {
                let mut sorted = scores.to_vec();
                sorted.sort_by(f64::total_cmp);
                let at = |share: f64| {
                    let place = share * sorted.len().saturating_sub(1) as f64;
                    sorted.get(place.round() as usize).copied().unwrap_or(0.0)
                };
                let (low, high) = (at(0.01), at(0.99));
                if high > low {
                    scale(scores, low, high)
                } else {
                    // All but a hundredth are equal; the outliers are all there is to rank by.
                    Self::MinMax.apply(scores)
                }
            }
            Self::Rank => by_rank(scores),
        }
    }
}

fn scale(scores: &[f64], least: f64, most: f64) -> Vec<f64> {
    let width = most - least;
    let one = |s: &f64| {
        if width > 0.0 {
            ((s - least) / width).clamp(0.0, 1.0)
        } else {
            0.0
        }
    };
    scores.iter().map(one).collect()
}

fn by_rank(scores: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    let mut out = vec![0.0; scores.len()];
    let mut start = 0;
    for group in order.chunk_by(|a, b| scores[*a] == scores[*b]) {
        if group.len() == scores.len() {
            break;
        }
        let rank = start as f64 + (group.len() as f64 + 1.0) / 2.0;
        for passage in group {
            out[*passage] = (RANK_OFFSET + 1.0) / (RANK_OFFSET + rank);
        }
        start += group.len();
    }
    out
}

/// How much each part counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// The share of time in the whole, α, 0 to 1; a query without a time counts as 0.
    pub time: f64,
    /// The share of words in what is not time, 0 to 1; the rest is meaning.
    pub words: f64,
}

impl Default for Weights {
    /// Half time, the rest mostly meaning: what a collection gets before its own are chosen.
    ///
    /// Source: `docs/ranking.md`, the share of words chosen on development queries.
    fn default() -> Self {
        Self {
            time: 0.5,
            words: 0.3,
        }
    }
}

/// The scores of a query for every passage, as far as each part has any.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parts<'a> {
    /// Cosines of the encoder.
    pub meaning: Option<&'a [f64]>,
    /// BM25 scores.
    pub words: Option<&'a [f64]>,
    /// Temporal scores; `None` when the query names no time.
    pub time: Option<&'a [f64]>,
}

/// What each part adds to a passage's score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shares {
    /// From the meaning.
    pub meaning: f64,
    /// From the words.
    pub words: f64,
    /// From the time.
    pub time: f64,
}

impl Shares {
    /// Gives the score: the sum of the shares.
    #[must_use]
    pub fn score(self) -> f64 {
        self.meaning + self.words + self.time
    }
}

/// Fuses the parts of a query's scores: (1 − α) · ((1 − ω) · meaning + ω · words) + α · time, each
/// part made comparable first.
///
/// A part that is absent leaves its weight to the others. `time` says how temporal scores are made
/// comparable, `text` the rest; [`Normalization::AsIs`] keeps the neutral score of undated passages
/// where [`super::time::TimeScore::Museum`] puts it. All parts must have the same length.
///
/// ```
/// use almanac::search::fusion::{fuse, Normalization, Parts, Weights};
/// let parts = Parts { meaning: Some(&[0.2, 0.6]), words: None, time: Some(&[1.0, 0.0]) };
/// let weights = Weights { time: 0.3, words: 0.5 };
/// let shares = fuse(parts, weights, Normalization::MinMax, Normalization::MinMax);
/// assert_eq!((shares[0].time, shares[1].meaning), (0.3, 0.7));
/// ```
#[must_use]
pub fn fuse(
    parts: Parts<'_>,
    weights: Weights,
    text: Normalization,
    time: Normalization,
) -> Vec<Shares> {
    let written = parts.meaning.is_some() || parts.words.is_some();
    let alpha = match (parts.time, written) {
        (None, _) => 0.0,
        (Some(_), false) => 1.0,
        (Some(_), true) => weights.time,
    };
    let omega = match (parts.meaning, parts.words) {
        (_, None) => 0.0,
        (None, Some(_)) => 1.0,
        (Some(_), Some(_)) => weights.words,
    };
    let length = [parts.meaning, parts.words, parts.time]
        .into_iter()
        .flatten()
        .map(<[f64]>::len)
        .min()
        .unwrap_or(0);
    let mut shares = vec![Shares::default(); length];
    let mut add =
        |scores: Option<&[f64]>, how: Normalization, weight: f64, put: fn(&mut Shares, f64)| {
            if let Some(scores) = scores.filter(|_| weight > 0.0) {
                for (share, value) in shares.iter_mut().zip(how.apply(scores)) {
                    put(share, weight * value);
                }
            }
        };
    add(
        parts.meaning,
        text,
        (1.0 - alpha) * (1.0 - omega),
        |s, v| s.meaning = v,
    );
    add(parts.words, text, (1.0 - alpha) * omega, |s, v| s.words = v);
    add(parts.time, time, alpha, |s, v| s.time = v);
    shares
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn constant_scores_become_nothing() {
        for how in [
            Normalization::MinMax,
            Normalization::Robust,
            Normalization::Rank,
        ] {
            assert_eq!(how.apply(&[3.0; 4]), [0.0; 4], "{how:?}");
            assert!(how.apply(&[]).is_empty());
        }
    }

    #[test]
    fn robust_scale_is_not_squashed_by_one_outlier() {
        let mut scores: Vec<f64> = (0..200).map(f64::from).collect();
        scores.push(1e6);
        let plain = Normalization::MinMax.apply(&scores);
        let robust = Normalization::Robust.apply(&scores);
        assert!(plain[150] - plain[50] < 0.001);
        assert!(robust[150] - robust[50] > 0.4);
    }

    #[test]
    fn ranks_share_their_mean() {
        assert_eq!(
            Normalization::Rank.apply(&[5.0, 1.0, 5.0]),
            [61.0 / 61.5, 61.0 / 63.0, 61.0 / 61.5]
        );
    }

    #[test]
    fn query_without_time_ranks_by_the_rest_alone() {
        let parts = Parts {
            meaning: Some(&[0.0, 1.0]),
            words: Some(&[4.0, 0.0]),
            time: None,
        };
        let shares = fuse(
            parts,
            Weights {
                time: 0.9,
                words: 0.25,
            },
            Normalization::MinMax,
            Normalization::AsIs,
        );
        assert_eq!(
            shares[0],
            Shares {
                words: 0.25,
                ..Shares::default()
            }
        );
        assert_eq!(
            shares[1],
            Shares {
                meaning: 0.75,
                ..Shares::default()
            }
        );
    }

    proptest! {
        #[test]
        fn shares_stay_within_their_weights(
            rows in proptest::collection::vec((-1f64..1.0, 0f64..30.0, 0f64..1.0), 1..40),
            alpha in 0f64..1.0, omega in 0f64..1.0,
        ) {
            let column = |pick: fn(&(f64, f64, f64)) -> f64| rows.iter().map(pick).collect::<Vec<_>>();
            let (m, w, t) = (column(|r| r.0), column(|r| r.1), column(|r| r.2));
            let parts = Parts { meaning: Some(&m), words: Some(&w), time: Some(&t) };
            let weights = Weights { time: alpha, words: omega };
            for how in [Normalization::MinMax, Normalization::Robust, Normalization::Rank] {
                for share in fuse(parts, weights, how, Normalization::AsIs) {
                    prop_assert!((0.0..=1.0 + 1e-12).contains(&share.score()));
                    prop_assert!(share.time <= alpha + 1e-12);
                    prop_assert!(share.words <= omega + 1e-12);
                }
            }
        }
    }
}
