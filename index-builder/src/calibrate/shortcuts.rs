//! What the shortcuts of a large index find: candidates by signs, and the nearest clusters.

use std::ops::Range;

use almanac::index::{Clustering, Int8Vector, Prefilter, ProbeRecall};
use almanac::search::{Query, Signs};
use anyhow::Result;

use crate::parallel;

/// Results compared.
const TOP: usize = 10;
/// The recall that signs should have of the exact scan: candidates are doubled until they reach it.
const WANTED: f32 = 0.99;
/// The recall below which signs are left out, and the one that the clusters fetched by default
/// reach.
pub const SHORTCUT_FLOOR: f32 = 0.95;
/// Fewest candidates.
const LEAST_CANDIDATES: usize = 64;
/// Candidates are at most one passage in so many: beyond, signs save nothing.
const ONE_IN: usize = 8;

/// The ten best passages of sampled queries by the exact scan, and how far they are by signs.
pub struct Sampled {
    queries: Vec<Query>,
    passages: usize,
    /// For each query, its best passages, each with how many passages have nearer signs.
    best: Vec<Vec<(usize, usize)>>,
}

impl Sampled {
    /// Scans all passages for each query; `passages` gives the vectors in the order of the index.
    ///
    /// # Errors
    /// If a query has other dimensions or is not finite.
    pub fn scan(vectors: &[&Int8Vector], asked: &[Vec<f32>], threads: usize) -> Result<Self> {
        let queries = asked
            .iter()
            .map(|query| Query::new(query, query.len()))
            .collect::<almanac::Result<Vec<_>>>()?;
        let signs: Vec<Signs> = vectors.iter().map(|v| Signs::of_codes(&v.codes)).collect();
        let both: Vec<(&Query, &Vec<f32>)> = queries.iter().zip(asked).collect();
        let best = parallel::map(&both, threads, |(query, asked)| {
            best_of(vectors, &signs, query, &Signs::of_vector(asked))
        });
        Ok(Self {
            passages: vectors.len(),
            best,
            queries,
        })
    }

    fn share(&self, found: impl Fn(usize, &(usize, usize)) -> bool) -> f32 {
        let all: usize = self.best.iter().map(Vec::len).sum();
        let hits: usize = self
            .best
            .iter()
            .enumerate()
            .map(|(query, best)| best.iter().filter(|one| found(query, one)).count())
            .sum();
        if all == 0 {
            1.0
        } else {
            hits as f32 / all as f32
        }
    }

    /// Gives the fewest candidates that reach the wanted recall, or as many as are worth it.
    pub fn prefilter(&self) -> Prefilter {
        let most = (self.passages / ONE_IN).max(LEAST_CANDIDATES);
        let mut candidates = LEAST_CANDIDATES;
        loop {
            let recall_at_10 = self.share(|_, (_, nearer)| *nearer < candidates);
            if recall_at_10 >= WANTED || candidates >= most {
                return Prefilter {
                    candidates: candidates as u32,
                    recall_at_10,
                };
            }
            candidates = (candidates * 2).min(most);
        }
    }

    /// Gives what the nearest of clusters hold; each is a run of passages with the mean of their
    /// vectors.
    pub fn clustering(&self, clusters: &[(Range<usize>, Int8Vector)]) -> Clustering {
        let of_passage = |passage: usize| clusters.partition_point(|(run, _)| run.end <= passage);
        let norms: Vec<f32> = clusters
            .iter()
            .map(|(_, mean)| {
                let squares: f32 = mean.codes.iter().map(|c| f32::from(*c).powi(2)).sum();
                (squares.sqrt() * mean.scale).max(1e-9)
            })
            .collect();
        // For each query, the place of each cluster by nearness, and the passages up to each place.
        let orders: Vec<(Vec<usize>, Vec<usize>)> = self
            .queries
            .iter()
            .map(|query| {
                let cosines: Vec<f32> = clusters
                    .iter()
                    .zip(&norms)
                    .map(|((_, mean), norm)| query.score(&mean.codes, mean.scale) / norm)
                    .collect();
                let mut order: Vec<usize> = (0..clusters.len()).collect();
                order.sort_by(|a, b| cosines[*b].total_cmp(&cosines[*a]));
                let mut places = vec![0; order.len()];
                let mut sums = Vec::with_capacity(order.len());
                let mut sum = 0;
                for (place, &cluster) in order.iter().enumerate() {
                    places[cluster] = place;
                    sum += clusters[cluster].0.len();
                    sums.push(sum);
                }
                (places, sums)
            })
            .collect();
        let curve: Vec<ProbeRecall> = steps(clusters.len())
            .map(|probes| {
                let fetched: usize = orders
                    .iter()
                    .filter_map(|(_, sums)| sums.get(probes - 1))
                    .sum();
                let all = (self.passages * orders.len()).max(1);
                ProbeRecall {
                    probes: probes as u32,
                    bytes: fetched as f32 / all as f32,
                    recall_at_10: self.share(|query, (passage, _)| {
                        orders[query].0[of_passage(*passage)] < probes
                    }),
                }
            })
            .collect();
        let enough = curve
            .iter()
            .find(|point| point.recall_at_10 >= SHORTCUT_FLOOR);
        Clustering {
            probes: enough.map_or(clusters.len() as u32, |point| point.probes),
            curve,
        }
    }
}

/// 1, 2, 3, 4, 6, 8, 12 and so on below a number, and the number.
fn steps(most: usize) -> impl Iterator<Item = usize> {
    let powers = (0..usize::BITS - 1).map(|power| 1usize << power);
    let steps = powers.flat_map(|power| [power, power + power / 2]);
    let mut last = 0;
    let rising = steps.filter(move |step| std::mem::replace(&mut last, *step) < *step);
    rising.take_while(move |step| *step < most).chain([most])
}

/// The ten best passages of a query, each with how many have nearer signs.
fn best_of(
    vectors: &[&Int8Vector],
    signs: &[Signs],
    query: &Query,
    asked: &Signs,
) -> Vec<(usize, usize)> {
    let mut best: Vec<(f32, usize)> = Vec::with_capacity(TOP + 1);
    for (passage, vector) in vectors.iter().enumerate() {
        let score = query.score(&vector.codes, vector.scale);
        if best.len() < TOP || best.last().is_some_and(|last| score > last.0) {
            let place = best.partition_point(|one| one.0 >= score);
            best.insert(place, (score, passage));
            best.truncate(TOP);
        }
    }
    let distances: Vec<u32> = signs.iter().map(|signs| signs.distance(asked)).collect();
    best.into_iter()
        .map(|(_, passage)| {
            let own = distances[passage];
            let nearer = |(other, distance): (usize, &u32)| {
                *distance < own || (*distance == own && other < passage)
            };
            let nearer = distances
                .iter()
                .enumerate()
                .filter(|one| nearer(*one))
                .count();
            (passage, nearer)
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Unit vectors in the plane, a degree apart, once around.
    fn circle() -> Vec<Int8Vector> {
        (0..360)
            .map(|n| {
                let angle = (n as f32).to_radians();
                Int8Vector::quantize(&[angle.cos(), angle.sin()])
            })
            .collect()
    }

    #[test]
    fn candidates_are_doubled_until_they_hold_the_best() {
        let vectors = circle();
        let vectors: Vec<&Int8Vector> = vectors.iter().collect();
        // Two signs tell quarters apart, and nothing within one.
        let sampled = Sampled::scan(&vectors, &[vec![0.1, 1.0]], 2).unwrap();
        let prefilter = sampled.prefilter();
        assert_eq!(prefilter.candidates, 64);
        assert!(prefilter.recall_at_10 < SHORTCUT_FLOOR, "{prefilter:?}");
        let none = Sampled::scan(&vectors, &[], 2).unwrap().prefilter();
        assert_eq!((none.candidates, none.recall_at_10), (64, 1.0));
    }

    #[test]
    fn the_curve_rises_to_everything() {
        let vectors = circle();
        let all: Vec<&Int8Vector> = vectors.iter().collect();
        let asked = [vec![1.0, 0.1], vec![-0.3, -0.9]];
        let sampled = Sampled::scan(&all, &asked, 1).unwrap();
        let clusters: Vec<(Range<usize>, Int8Vector)> = (0..6)
            .map(|n| {
                let run = n * 60..(n + 1) * 60;
                let mean = crate::cluster::mean(vectors[run.clone()].iter());
                (run, Int8Vector::quantize(&mean))
            })
            .collect();
        let clustering = sampled.clustering(&clusters);
        let probes: Vec<u32> = clustering.curve.iter().map(|point| point.probes).collect();
        assert_eq!(probes, [1, 2, 3, 4, 6]);
        let last = clustering.curve.last().unwrap();
        assert_eq!((last.bytes, last.recall_at_10), (1.0, 1.0));
        assert!(
            clustering
                .curve
                .is_sorted_by(|a, b| a.recall_at_10 <= b.recall_at_10)
        );
        assert!((clustering.curve[1].bytes - 1.0 / 3.0).abs() < 1e-6);
        assert!(clustering.probes <= 2, "{clustering:?}");
    }
}
