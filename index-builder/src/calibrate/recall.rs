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

/// Gives the share of the ten best passages by float32 that are among the ten best by int8.
///
/// `exact` holds sampled texts with their float32 vectors, `quantized` the vectors of all texts.
/// Each side ranks the sample for each query, as a search would: equal scores in order of place.
///
/// # Errors
/// If a vector has other dimensions or is not finite.
pub fn recall_at_10(
    exact: &[(usize, Vec<f32>)],
    quantized: &[Int8Vector],
    queries: &[Vec<f32>],
) -> Result<f32> {
    let (mut found, mut wanted) = (0usize, 0usize);
    for query in queries {
        let prepared = Query::new(query, query.len())?;
        let by_float32 = best(exact.iter().map(|(_, vector)| dot(vector, query)));
        let by_int8 = best(exact.iter().map(|(text, _)| {
            let vector = &quantized[*text];
            prepared.score(&vector.codes, vector.scale)
        }));
        wanted += by_float32.len();
        found += by_float32.iter().filter(|p| by_int8.contains(p)).count();
    }
    Ok(if wanted == 0 {
        1.0
    } else {
        found as f32 / wanted as f32
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
        let recall = recall_at_10(&exact, &fine, &queries).unwrap();
        assert!(recall > 0.8, "{recall}");
        let coarse = vec![fine[39].clone(); 40];
        let recall = recall_at_10(&exact, &coarse, &queries).unwrap();
        assert!(recall < 0.7, "{recall}");
    }

    #[test]
    fn without_queries_nothing_is_lost() {
        assert_eq!(recall_at_10(&fan(), &[], &[]).unwrap(), 1.0);
    }
}
