//! Below which score even the best result is no match.

use almanac::encoder::{Model, TextKind};
use almanac::index::Int8Vector;
use almanac::search::Query;
use anyhow::{Context, Result};

use crate::passages::Passage;
use crate::random::SplitMix;

/// Queries without meaning that are tried.
const QUERIES: usize = 100;
/// Share of them whose best score stays below the threshold in a collection of [`MEASURED_ON`]
/// passages and more.
///
/// Random words hit a name or a thing of the collection now and then, and calling a real query
/// hopeless is worse than showing weak results, so the threshold is low: a query under it does
/// worse than three quarters of random ones. Measured on 28,258 museum objects, see
/// `docs/benchmarks.md`.
const QUANTILE: f64 = 0.25;
/// Passages of the collection on which [`QUANTILE`] was chosen.
const MEASURED_ON: f64 = 28_258.0;
/// By how much that share grows as the collection becomes smaller by a factor of e.
///
/// Measured on 62, 282 and 1,480 of these objects: with it the threshold is 0.31, 0.31 and 0.33, near
/// the 0.35 of all, where a fixed share gives 0.22, 0.25 and 0.29.
const GROWTH: f64 = 0.08;
/// The largest share, for the smallest collections: the best of the random queries hit by luck.
const MOST: f64 = 0.75;

/// The share of meaningless queries that stay below the threshold in a collection of this size.
///
/// The best of few passages is worse than the best of many, as the logarithm of their number, for a
/// query without meaning above all; a passage that answers a real one is as near to it in a small
/// collection as in a large one. With one share for all, nothing would ever be too far in a small one.
fn quantile(passages: usize) -> f64 {
    let smaller = MEASURED_ON / passages.max(1) as f64;
    (QUANTILE + GROWTH * smaller.max(1.0).ln()).min(MOST)
}

/// Makes queries that mean nothing: each a handful of the model's own words drawn at random.
///
/// # Errors
/// If the tokenizer fails.
pub fn nonsense_queries(model: &Model) -> Result<Vec<Passage>> {
    let empty = model.ids("", TextKind::Query)?;
    let (closing, opening) = empty.split_last().context("the tokenizer closes no text")?;
    let words = model.tokenizer().vocabulary_size() as u64;
    let mut random = SplitMix(0x61_6c6d_616e_6163);
    Ok((0..QUERIES)
        .map(|_| {
            let mut ids = opening.to_vec();
            for _ in 0..3 + random.next() % 4 {
                ids.push((random.next() % words) as u32);
            }
            ids.push(*closing);
            Passage {
                text: String::new(),
                ids,
            }
        })
        .collect())
}

/// Gives the score that the best result of one in four meaningless queries does not reach; of more
/// of them in a collection of fewer than 28,258 passages.
///
/// # Errors
/// If a query has other dimensions than the index or is not finite.
pub fn no_match_below(queries: &[Vec<f32>], passages: &[Int8Vector]) -> Result<f32> {
    let mut best = Vec::with_capacity(queries.len());
    for query in queries {
        let query = Query::new(query, query.len())?;
        let score = passages
            .iter()
            .map(|vector| query.score(&vector.codes, vector.scale))
            .fold(-1f32, f32::max);
        best.push(score.clamp(-1.0, 1.0));
    }
    best.sort_by(f32::total_cmp);
    let place =
        ((best.len() as f64 * quantile(passages.len())) as usize).min(best.len().saturating_sub(1));
    Ok(best.get(place).copied().unwrap_or(-1.0))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A hundred queries, each nearer to the one passage by a hundredth.
    fn queries() -> Vec<Vec<f32>> {
        let near = |n: u8| {
            let cosine = f32::from(n) / 100.0;
            vec![cosine, (1.0 - cosine * cosine).sqrt()]
        };
        (0..100).map(near).collect()
    }

    #[test]
    fn a_quarter_of_the_queries_stay_below_in_a_large_collection() {
        let passages = vec![Int8Vector::quantize(&[1.0, 0.0]); 28_258];
        let threshold = no_match_below(&queries(), &passages).unwrap();
        assert!((threshold - 0.25).abs() < 1e-3, "{threshold}");
    }

    #[test]
    fn most_queries_stay_below_in_a_small_collection() {
        let passages = [Int8Vector::quantize(&[1.0, 0.0])];
        let threshold = no_match_below(&queries(), &passages).unwrap();
        assert!((threshold - 0.75).abs() < 1e-2, "{threshold}");
    }

    #[test]
    fn the_smaller_a_collection_the_more_queries_stay_below() {
        let sizes = [1, 62, 282, 1_480, 28_258, 1_000_000];
        let shares = sizes.map(quantile);
        assert!(shares.is_sorted_by(|a, b| a >= b), "{shares:?}");
        assert!((shares[4] - QUANTILE).abs() < 1e-9 && shares[5] == shares[4]);
    }
}
