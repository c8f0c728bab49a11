//! Below which score even the best result is no match.

use almanac::encoder::{Model, TextKind};
use almanac::index::Int8Vector;
use almanac::search::Query;
use anyhow::{Context, Result};

use crate::passages::Passage;
use crate::random::SplitMix;

/// Queries without meaning that are tried.
const QUERIES: usize = 100;
/// Share of them whose best score stays below the threshold.
///
/// Random words hit a name or a thing of the collection now and then, and calling a real query
/// hopeless is worse than showing weak results, so the threshold is low: a query under it does
/// worse than three quarters of random ones. Measured on 28,258 museum objects, see
/// `docs/benchmarks.md`.
const QUANTILE: f64 = 0.25;

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

/// Gives the score that the best result of one in four meaningless queries does not reach.
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
    let place = ((best.len() as f64 * QUANTILE) as usize).min(best.len().saturating_sub(1));
    Ok(best.get(place).copied().unwrap_or(-1.0))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_queries_stay_below() {
        let passages = [Int8Vector::quantize(&[1.0, 0.0])];
        let queries: Vec<Vec<f32>> = (0..100)
            .map(|n| {
                let cosine = n as f32 / 100.0;
                vec![cosine, (1.0 - cosine * cosine).sqrt()]
            })
            .collect();
        let threshold = no_match_below(&queries, &passages).unwrap();
        assert!((threshold - 0.25).abs() < 1e-3, "{threshold}");
    }
}
