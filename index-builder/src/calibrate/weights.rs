//! How much words and time count in one collection, chosen on queries whose answers are known.

use std::collections::HashMap;
use std::path::Path;

use almanac::encoder::{Model, TextKind};
use almanac::index::{Index, RankingWeights};
use almanac::search::RankingRequest;
use almanac::search::time::TimeScore;
use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// How deep an answer is looked for.
const DEPTH: usize = 100;

/// A query and the documents that answer it, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedQuery {
    query: String,
    wanted: Vec<u32>,
}

/// A line of a file of judged queries.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    query: String,
    ids: Vec<String>,
}

/// Reads judged queries, one JSON object a line: `{"query": "…", "ids": ["…"]}`.
///
/// # Errors
/// If a line is no such object, names an object the collection lacks, or there is none at all; the
/// message names the line.
pub fn read_judged(path: &Path, documents: &HashMap<&str, u32>) -> Result<Vec<JudgedQuery>> {
    let place = || path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(place)?;
    let mut judged = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let at = || format!("{}: line {}", path.display(), number + 1);
        let one: Line = serde_json::from_str(line).with_context(at)?;
        let mut wanted = Vec::with_capacity(one.ids.len());
        for id in &one.ids {
            match documents.get(id.as_str()) {
                Some(document) => wanted.push(*document),
                None => bail!("{}: the collection has no object {id:?}", at()),
            }
        }
        if wanted.is_empty() || one.query.trim().is_empty() {
            bail!("{}: expected a query and at least one id", at());
        }
        judged.push(JudgedQuery {
            query: one.query,
            wanted,
        });
    }
    if judged.is_empty() {
        bail!("{}: no judged query in it", path.display());
    }
    Ok(judged)
}

/// Chooses the weights and the way to compare dates with the highest mean reciprocal rank; of equal
/// ones the nearest to the general weights, with dates compared as a museum's.
///
/// # Errors
/// If a query cannot be encoded or ranked.
pub fn choose_weights(
    index: &Index,
    model: &Model,
    judged: &[JudgedQuery],
) -> Result<RankingWeights> {
    let general = RankingWeights::default();
    let mut grid: Vec<RankingWeights> = (0..10)
        .flat_map(|time| (0..10).map(move |words| (time, words)))
        .flat_map(|(time, words)| {
            // Without time it is all the same how dates are compared.
            let scores: &[TimeScore] = match time {
                0 => &[TimeScore::Museum],
                _ => &[TimeScore::Museum, TimeScore::Prose],
            };
            scores.iter().map(move |score| RankingWeights {
                time: f64::from(time) / 10.0,
                words: f64::from(words) / 10.0,
                time_score: *score,
                chosen_on: judged.len() as u32,
            })
        })
        .collect();
    // Another way to compare dates is farther than any other share.
    let distance = |w: &RankingWeights| {
        let other = f64::from(u8::from(w.time_score != general.time_score));
        (w.time - general.time).abs() + (w.words - general.words).abs() + 2.0 * other
    };
    grid.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    let mut sums = vec![0.0; grid.len()];
    for JudgedQuery { query, wanted } in judged {
        let question = index.question(query, None, false);
        let vector = match question.meaning_text() {
            "" => None,
            text => Some(pollster::block_on(model.encode(text, TextKind::Query))?),
        };
        for (weights, sum) in grid.iter().zip(&mut sums) {
            let request = RankingRequest {
                k: DEPTH,
                time_score: Some(weights.time_score),
                ..RankingRequest::default()
            };
            let ranking =
                index.rank_with(&question, vector.as_deref(), &request, weights.weights())?;
            let place = ranking
                .hits
                .iter()
                .position(|hit| wanted.contains(&hit.document));
            *sum += place.map_or(0.0, |place| 1.0 / (place as f64 + 1.0));
        }
    }
    let mut best = 0;
    for (place, sum) in sums.iter().enumerate() {
        // A gain below rounding is none.
        if *sum > sums[best] + 1e-9 {
            best = place;
        }
    }
    Ok(grid.get(best).copied().unwrap_or(general))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(lines: &str) -> Result<Vec<JudgedQuery>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("queries.jsonl");
        std::fs::write(&path, lines).unwrap();
        read_judged(&path, &HashMap::from([("a", 0), ("b", 1)]))
    }

    #[test]
    fn judged_queries_are_read_with_the_numbers_of_their_answers() {
        let judged = read("{\"query\": \"oak\", \"ids\": [\"b\", \"a\"]}\n\n").unwrap();
        assert_eq!(judged[0].wanted, [1, 0]);
    }

    #[test]
    fn a_bad_line_is_named() {
        for (lines, part) in [
            (
                "{\"query\": \"oak\", \"ids\": [\"c\"]}",
                "line 1: the collection has no object \"c\"",
            ),
            ("\n{\"query\": \"oak\"}", "line 2"),
            ("{\"query\": \"oak\", \"ids\": []}", "line 1: expected"),
            ("", "no judged query"),
        ] {
            let error = read(lines).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
