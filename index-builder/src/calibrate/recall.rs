//! How many of the best results by float32 the int8 index finds too.

use almanac::encoder::{Model, TextKind};
use almanac::index::Int8Vector;
use almanac::search::Query;
use anyhow::Result;

use crate::collection::Object;
use crate::passages::Passage;

/// Passages whose float32 vectors are kept to measure against.
pub const SAMPLE_PASSAGES: usize = 5_000;
/// The recall below which an index is not published.
pub const RECALL_FLOOR: f32 = 0.95;
/// Queries measured with.
const SAMPLE_QUERIES: usize = 200;
/// Cosines this near to each other are equal to a reader.
///
/// Source: the tolerance of recall in ann-benchmarks, `ann_benchmarks/plotting/metrics.py`.
const TIE: f32 = 1e-3;
/// Results compared.
const TOP: usize = 10;
/// Words of a query taken from a text.
const QUERY_WORDS: usize = 8;

/// Makes queries out of evenly spaced objects: their titles, or how their text begins.
///
/// # Errors
/// If the tokenizer fails.
pub fn sample_queries(model: &Model, objects: &[Object]) -> Result<Vec<Passage>> {
    let step = objects.len().div_ceil(SAMPLE_QUERIES).max(1);
    objects
        .iter()
        .step_by(step)
        .filter_map(|object| object.title.as_ref().or(object.text.first()))
        .map(|text| {
            let words: Vec<&str> = text.split_whitespace().take(QUERY_WORDS).collect();
            let text: String = words.join(" ").chars().take(100).collect();
            let ids = model.ids(&text, TextKind::Query)?;
            Ok(Passage { text, ids })
        })
        .collect()
}

/// How well the int8 vectors stand in for float32.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recall {
    /// Share of the ten best passages by float32 that are among the ten best by int8.
    pub at_10: f32,
    /// Share of the ten best by int8 whose float32 score is at least that of the tenth best by
    /// float32, give or take [`TIE`]. Collections full of near twins have a low [`Self::at_10`]
    /// that no reader can notice, so it is this that must reach [`RECALL_FLOOR`].
    pub at_10_with_ties: f32,
}

/// Ranks sampled passages by float32 and by int8, for each query, and compares.
///
/// `exact` holds sampled texts with their float32 vectors, `quantized` the vectors of all texts.
/// Equal scores keep the order of place, as in a search.
///
/// # Errors
/// If a vector has other dimensions or is not finite.
pub fn measure_recall(
    exact: &[(usize, Vec<f32>)],
    quantized: &[Int8Vector],
    queries: &[Vec<f32>],
) -> Result<Recall> {
    let (mut same, mut as_good, mut wanted) = (0usize, 0usize, 0usize);
    for query in queries {
        let prepared = Query::new(query, query.len())?;
        let scores: Vec<f32> = exact.iter().map(|(_, vector)| dot(vector, query)).collect();
        let by_float32 = best(scores.iter().copied());
        let by_int8 = best(exact.iter().map(|(text, _)| {
            let vector = &quantized[*text];
            prepared.score(&vector.codes, vector.scale)
        }));
        let tenth = by_float32.last().map_or(0.0, |&place| scores[place]);
        wanted += by_float32.len();
        same += by_float32.iter().filter(|p| by_int8.contains(p)).count();
        as_good += by_int8
            .iter()
            .filter(|&&p| scores[p] >= tenth - TIE)
            .count();
    }
    let share = |found: usize| {
        if wanted == 0 {
            1.0
        } else {
            found as f32 / wanted as f32
        }
    };
    Ok(Recall {
        at_10: share(same),
        at_10_with_ties: share(as_good),
    })
}

fn best(scores: impl Iterator<Item = f32>) -> Vec<usize> {
    let mut scored: Vec<(usize, f32)> = scores.enumerate().collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored.truncate(TOP);
    scored.into_iter().map(|(place, _)| place).collect()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Unit vectors in the plane, a degree apart.
    fn fan() -> Vec<(usize, Vec<f32>)> {
        (0..40)
            .map(|n| {
                let angle = (n as f32).to_radians();
                (n, vec![angle.cos(), angle.sin()])
            })
            .collect()
    }

    #[test]
    fn fine_codes_find_the_same_and_coarse_ones_do_not() {
        let exact = fan();
        let queries = vec![vec![1.0, 0.0], vec![0.8, 0.6]];
        let fine: Vec<_> = exact.iter().map(|(_, v)| Int8Vector::quantize(v)).collect();
        let recall = measure_recall(&exact, &fine, &queries).unwrap();
        assert!(recall.at_10 > 0.8, "{recall:?}");
        assert!(recall.at_10_with_ties >= RECALL_FLOOR, "{recall:?}");
        let coarse = vec![fine[39].clone(); 40];
        let recall = measure_recall(&exact, &coarse, &queries).unwrap();
        assert!(recall.at_10_with_ties < RECALL_FLOOR, "{recall:?}");
    }

    #[test]
    fn twins_in_another_order_are_as_good() {
        let twin = vec![0.6f32, 0.8];
        let exact: Vec<_> = (0..20).map(|n| (n, twin.clone())).collect();
        let mut quantized = vec![Int8Vector::quantize(&twin); 20];
        for vector in &mut quantized[10..] {
            vector.scale *= 1.001;
        }
        let recall = measure_recall(&exact, &quantized, &[twin]).unwrap();
        assert_eq!((recall.at_10, recall.at_10_with_ties), (0.0, 1.0));
    }

    #[test]
    fn without_queries_nothing_is_lost() {
        let recall = measure_recall(&fan(), &[], &[]).unwrap();
        assert_eq!(recall.at_10, 1.0);
    }
}
