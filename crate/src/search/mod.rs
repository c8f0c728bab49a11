//! Scoring by meaning, words and time.
//!
//! Meaning is an exact scan of int8 vectors with the best `k` documents kept (of what signs or near
//! clusters choose in a large collection), words are BM25 ([`lexical`]), time is a comparison of intervals ([`time`]), and [`fusion`] makes one ranking
//! of them.

mod dot;
mod filter;
pub mod fusion;
mod hamming;
pub mod lexical;
mod meaning;
mod query;
mod question;
mod rank;
mod sort;
pub mod time;
mod top;
mod translated;

pub use filter::Filter;
pub use hamming::Signs;
pub use query::Query;
pub use question::{Question, QuestionOptions};
pub use rank::{Found, FoundTime, Ranking, RankingRequest, TookPart, passage_time};
pub use sort::{Sort, SortBy};

use crate::index::{Hit, VectorShard};
use top::{Scored, Top};

/// Scans all shards and gives the `k` best documents, each by its best passage.
///
/// `starts` holds the first passage of each document and the number of passages at its end, and
/// the shards hold the passages `0..` in order. Scores are exact integer sums scaled once, so every
/// platform ranks alike; equal scores keep document order.
pub(crate) fn scan(shards: &[&VectorShard], starts: &[u32], query: &Query, k: usize) -> Vec<Hit> {
    let mut top = Top::new(k);
    let mut best: Option<Scored> = None;
    let mut document = 0usize;
    let mut passage = 0u32;
    for shard in shards {
        let (scales, codes) = shard.rows();
        for (row, scale) in codes.chunks_exact(shard.dimensions()).zip(scales) {
            let score = f64::from(query.score(row, *scale));
            if best.is_none_or(|hit| score > hit.score) {
                best = Some(Scored {
                    document: document as u32,
                    passage,
                    score,
                });
            }
            passage += 1;
            if starts.get(document + 1) == Some(&passage) {
                top.offer(best.take());
                document += 1;
            }
        }
    }
    let hit = |found: Scored| Hit {
        document: found.document,
        passage: found.passage,
        score: found.score as f32,
    };
    top.into_sorted().into_iter().map(hit).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::index::Int8Vector;
    use proptest::prelude::*;

    fn naive(vectors: &[Vec<f32>], starts: &[u32], query: &[f32], k: usize) -> Vec<(u32, f32)> {
        let mut all: Vec<(u32, f32)> = starts
            .windows(2)
            .enumerate()
            .map(|(document, pair)| {
                let best = (pair[0]..pair[1])
                    .map(|p| {
                        let q = Int8Vector::quantize(&vectors[p as usize]);
                        let sum: f64 = q
                            .codes
                            .iter()
                            .zip(query)
                            .map(|(c, x)| f64::from(*c) * f64::from(*x))
                            .sum();
                        (sum * f64::from(q.scale)) as f32
                    })
                    .fold(f32::NEG_INFINITY, f32::max);
                (document as u32, best)
            })
            .collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(k);
        all
    }

    proptest! {
        #[test]
        fn a_scan_agrees_with_a_slow_reference(
            rows in proptest::collection::vec(proptest::collection::vec(-1f32..1.0, 24), 1..40),
            query in proptest::collection::vec(-1f32..1.0, 24),
            k in 1usize..12,
            split in 0usize..40,
        ) {
            let split = split.min(rows.len());
            let mut shards = [VectorShard::new(0, 24), VectorShard::new(split as u32, 24)];
            for (n, row) in rows.iter().enumerate() {
                shards[usize::from(n >= split)].push(&Int8Vector::quantize(row)).unwrap();
            }
            let mut starts: Vec<u32> = (0..rows.len() as u32).step_by(3).collect();
            starts.push(rows.len() as u32);
            let refs: Vec<&VectorShard> = shards.iter().collect();
            let hits = scan(&refs, &starts, &Query::new(&query, 24).unwrap(), k);
            let expected = naive(&rows, &starts, &query, k);
            prop_assert_eq!(hits.len(), expected.len());
            for (hit, (_, score)) in hits.iter().zip(&expected) {
                prop_assert!((hit.score - score).abs() < 2e-3, "{:?} {}", hit, score);
            }
            for pair in hits.windows(2) {
                prop_assert!(pair[0].score >= pair[1].score);
            }
        }
    }

    #[test]
    fn equal_scores_keep_document_order() {
        let mut shard = VectorShard::new(0, 2);
        for _ in 0..5 {
            shard.push(&Int8Vector::quantize(&[1.0, 0.0])).unwrap();
        }
        let query = Query::new(&[1.0, 0.0], 2).unwrap();
        let hits = scan(&[&shard], &[0, 1, 2, 3, 4, 5], &query, 3);
        let documents: Vec<u32> = hits.iter().map(|h| h.document).collect();
        assert_eq!(documents, [0, 1, 2]);
    }
}
