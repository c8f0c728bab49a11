//! Passages that are easily taken for the right one.

use std::path::Path;

use almanac::Result;
use almanac::encoder::{Model, TextKind};
use almanac::search::lexical::{LexicalIndex, LexicalQuery};
use almanac::text::Stemming;
use serde::{Deserialize, Serialize};

use super::data::{self, FARMING, OTHER};
use super::measure::cosines;
use super::near::alike;
use super::sample::{self, Farming};
use crate::evaluate::vectors::encode;

/// A pair's hard negatives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mined {
    /// The right passage.
    pub classical: String,
    /// Passages that look right and are not.
    pub negatives: Vec<String>,
}

/// Passages looked at for each query, by words and by meaning.
const LOOKED_AT: usize = 12;
/// Negatives kept of each.
const KEPT: usize = 3;
/// A passage whose score is above this share of the right one's may be right as well.
///
/// Source: NV-Retriever, arXiv 2407.15831, section 4.2: positive-aware mining at 95 %.
const CERTAIN: f64 = 0.95;

/// The vectors of all queries and of all passages, in the order of the pairs.
pub type Vectors<'a> = (&'a [Vec<f32>], &'a [Vec<f32>]);

/// Finds, for each of the pairs (query, passage), the passages of other pairs that rank highest by
/// words and by the vectors, without those that quote the right passage or score nearly as high.
#[must_use]
pub fn mine(pairs: &[(&str, &str)], vectors: Option<Vectors>) -> Vec<Mined> {
    let index = LexicalIndex::new(pairs.iter().map(|(_, p)| *p), Stemming::None);
    // The bar hides itself where stderr is not a terminal.
    let bar = indicatif::ProgressBar::new(pairs.len() as u64);
    let mut out = Vec::with_capacity(pairs.len());
    for (own, (query, passage)) in pairs.iter().enumerate() {
        let mut lists = vec![
            index
                .scores(&LexicalQuery::new(query, Stemming::None, &[]))
                .ranking(),
        ];
        if let Some((queries, passages)) = vectors {
            lists.push(cosines(&queries[own], passages));
        }
        let mut found: Vec<usize> = Vec::new();
        for scores in lists {
            let mut kept = 0;
            for at in highest(&scores, LOOKED_AT) {
                let certain = scores[at] > 0.0 && scores[at] < CERTAIN * scores[own];
                if at != own && certain && kept < KEPT && !alike(passage, pairs[at].1) {
                    kept += 1;
                    if !found.contains(&at) {
                        found.push(at);
                    }
                }
            }
        }
        out.push(Mined {
            classical: (*passage).to_owned(),
            negatives: found.iter().map(|at| pairs[*at].1.to_owned()).collect(),
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    out
}

/// Mines for the pairs that a training with the same numbers learns from.
///
/// # Errors
/// Those of reading the pairs and of the encoder.
pub fn of_data(
    folder: &Path,
    model: Option<&Model>,
    others: usize,
    farming: &Farming,
    seed: u64,
) -> Result<Vec<Mined>> {
    let own = data::read(&folder.join(FARMING))?;
    let other = match others {
        0 => Vec::new(),
        _ => data::read(&folder.join(OTHER))?,
    };
    let mut pairs = sample::others(&other, others, seed);
    pairs.extend(own.iter().filter(|p| farming.holds(p)));
    let texts: Vec<(&str, &str)> = pairs
        .iter()
        .map(|p| (p.modern.as_str(), p.classical.as_str()))
        .collect();
    let Some(model) = model else {
        return Ok(mine(&texts, None));
    };
    let queries: Vec<&str> = texts.iter().map(|t| t.0).collect();
    let passages: Vec<&str> = texts.iter().map(|t| t.1).collect();
    let queries = encode(model, &queries, TextKind::Query, None)?;
    let passages = encode(model, &passages, TextKind::Passage, None)?;
    Ok(mine(&texts, Some((&queries, &passages))))
}

/// Gives the places of the highest scores, highest first.
fn highest(scores: &[f64], count: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..scores.len()).collect();
    let order = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b));
    if count < places.len() {
        places.select_nth_unstable_by(count, order);
        places.truncate(count);
    }
    places.sort_by(order);
    places
}

/// Writes hard negatives.
///
/// # Errors
/// [`almanac::ErrorKind::Io`] if the file cannot be written.
pub fn write(path: &Path, mined: &[Mined]) -> Result<()> {
    data::write(path, mined)
}

/// Reads hard negatives.
///
/// # Errors
/// - [`almanac::ErrorKind::Io`] if the file cannot be read.
/// - [`almanac::ErrorKind::Corrupt`], naming the line, if a line is damaged.
pub fn read(path: &Path) -> Result<Vec<Mined>> {
    data::lines(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: [(&str, &str); 4] = [
        ("种豆的方法是在二月种大豆", "种大豆法二月中旬为上时"),
        ("种小豆要在夏至后十天", "种小豆夏至后十日种者为上时"),
        ("二月中旬种大豆最好", "书曰种大豆法二月中旬为上时"),
        ("养羊要在早晨放牧", "养羊法早出放之"),
    ];

    #[test]
    fn quotations_of_the_right_passage_are_no_negatives() {
        let mined = mine(&PAIRS, None);
        assert!(!mined[0].negatives.contains(&PAIRS[2].1.to_owned()));
        assert!(mined[0].negatives.contains(&PAIRS[1].1.to_owned()));
    }

    #[test]
    fn near_misses_by_meaning_are_found_and_near_certain_ones_are_not() {
        let queries = vec![vec![1.0, 0.0]; 4];
        let passages = vec![
            vec![1.0, 0.0],
            vec![0.99, 0.14],
            vec![0.0, 1.0],
            vec![0.8, 0.6],
        ];
        let mined = mine(&PAIRS, Some((&queries, &passages)));
        assert!(mined[0].negatives.contains(&PAIRS[3].1.to_owned()));
        let by_meaning = mine(&PAIRS[..2], Some((&queries[..2], &passages[..2])));
        let by_words = mine(&PAIRS[..2], None);
        assert_eq!(by_meaning[0].negatives, by_words[0].negatives);
    }
}
