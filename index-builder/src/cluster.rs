//! Which documents lie near to each other, so that a page can fetch the vectors of the near ones.
//!
//! Spherical k-means: a document belongs to the center of the highest cosine, a center is the
//! direction of its documents' mean. The seed is fixed and sums are taken in the order of
//! documents, so equal vectors give equal clusters on any number of threads.

use almanac::index::Int8Vector;
use almanac::search::Query;
use anyhow::Result;

use crate::parallel;
use crate::random::SplitMix;

/// Rounds of moving centers: on museum objects later ones change the recall by less than a
/// thousandth.
const ROUNDS: usize = 10;
/// Documents a cluster that centers are found on; all documents are assigned afterwards.
const SAMPLE_A_CLUSTER: usize = 128;

/// How many clusters are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterCount {
    /// The square root of the number of documents.
    Auto,
    /// So many, at most one a document.
    Given(usize),
}

impl std::str::FromStr for ClusterCount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<usize>() {
            _ if text == "auto" => Ok(Self::Auto),
            Ok(count @ 2..=65_536) => Ok(Self::Given(count)),
            _ => Err("expected auto or a number from 2 to 65536".to_owned()),
        }
    }
}

impl ClusterCount {
    fn of(self, documents: usize) -> usize {
        match self {
            Self::Auto => documents.isqrt().max(2),
            Self::Given(count) => count,
        }
        .clamp(1, documents.max(1))
    }
}

/// Documents in clusters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clusters {
    /// Documents by cluster, within one in their order; clusters by their first document.
    pub order: Vec<usize>,
    /// For each cluster, how many documents up to its end.
    pub ends: Vec<usize>,
}

/// Clusters documents by their vectors.
///
/// # Errors
/// If a vector has other dimensions than the rest.
pub fn cluster(vectors: &[Int8Vector], count: ClusterCount, threads: usize) -> Result<Clusters> {
    let count = count.of(vectors.len());
    let step = (vectors.len() / (count * SAMPLE_A_CLUSTER)).max(1);
    let sample: Vec<&Int8Vector> = vectors.iter().step_by(step).collect();
    let mut random = SplitMix(0x63_6c_75_73_74_65_72_73);
    let mut drawn: Vec<usize> = (0..sample.len()).collect();
    for place in 0..count {
        let other = place as u64 + random.next() % (sample.len() - place) as u64;
        drawn.swap(place, other as usize);
    }
    let mut centers: Vec<Vec<f32>> = drawn[..count]
        .iter()
        .map(|&place| mean(std::iter::once(sample[place])))
        .collect();
    for _ in 0..ROUNDS {
        let nearest = assign(&sample, &centers, threads)?;
        centers = moved(&sample, &nearest, centers);
    }
    let all: Vec<&Int8Vector> = vectors.iter().collect();
    let nearest = assign(&all, &centers, threads)?;
    Ok(in_order(&nearest, count))
}

/// Gives the mean of vectors, not scaled to any length; empty for none.
pub fn mean<'a>(vectors: impl Iterator<Item = &'a Int8Vector>) -> Vec<f32> {
    let (mut sum, mut count) = (Vec::<f64>::new(), 0.0);
    for vector in vectors {
        sum.resize(vector.codes.len(), 0.0);
        for (sum, code) in sum.iter_mut().zip(&vector.codes) {
            *sum += f64::from(*code) * f64::from(vector.scale);
        }
        count += 1.0;
    }
    sum.into_iter().map(|sum| (sum / count) as f32).collect()
}

/// The nearest center of each vector, the first of equals, with the cosine.
fn assign(
    vectors: &[&Int8Vector],
    centers: &[Vec<f32>],
    threads: usize,
) -> Result<Vec<(usize, f32)>> {
    let queries = centers
        .iter()
        .map(|center| {
            let length = center.iter().map(|x| x * x).sum::<f32>().sqrt();
            let unit: Vec<f32> = center.iter().map(|x| x / length.max(1e-9)).collect();
            Query::new(&unit, unit.len())
        })
        .collect::<almanac::Result<Vec<Query>>>()?;
    let nearest = |vector: &&Int8Vector| {
        let mut best = (0, f32::NEG_INFINITY);
        for (center, query) in queries.iter().enumerate() {
            let cosine = query.score(&vector.codes, vector.scale);
            if cosine > best.1 {
                best = (center, cosine);
            }
        }
        best
    };
    Ok(parallel::map(vectors, threads, nearest))
}

/// Moves each center to the mean of its vectors; one without any to the vector farthest from its
/// own, each such vector once.
fn moved(
    vectors: &[&Int8Vector],
    nearest: &[(usize, f32)],
    mut centers: Vec<Vec<f32>>,
) -> Vec<Vec<f32>> {
    let mut members: Vec<Vec<&Int8Vector>> = vec![Vec::new(); centers.len()];
    for (vector, (center, _)) in vectors.iter().zip(nearest) {
        members[*center].push(*vector);
    }
    let mut far: Vec<usize> = (0..vectors.len()).collect();
    far.sort_by(|a, b| nearest[*a].1.total_cmp(&nearest[*b].1));
    let mut far = far.into_iter();
    for (center, members) in centers.iter_mut().zip(&members) {
        if !members.is_empty() {
            *center = mean(members.iter().copied());
        } else if let Some(place) = far.next() {
            *center = mean(std::iter::once(vectors[place]));
        }
    }
    centers
}

fn in_order(nearest: &[(usize, f32)], count: usize) -> Clusters {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (document, (center, _)) in nearest.iter().enumerate() {
        members[*center].push(document);
    }
    members.retain(|members| !members.is_empty());
    members.sort_by_key(|members| members.first().copied());
    let ends = members.iter().scan(0, |end, members| {
        *end += members.len();
        Some(*end)
    });
    Clusters {
        ends: ends.collect(),
        order: members.concat(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Vectors about four directions, by turns.
    fn vectors(count: usize) -> Vec<Int8Vector> {
        let mut random = SplitMix(7);
        (0..count)
            .map(|n| {
                let mut vector = [0.0f32; 8];
                vector
                    .iter_mut()
                    .for_each(|x| *x = (random.next() % 100) as f32 / 500.0);
                vector[n % 4] += 1.0;
                Int8Vector::quantize(&vector)
            })
            .collect()
    }

    #[test]
    fn neighbors_share_a_cluster() {
        let clusters = cluster(&vectors(400), ClusterCount::Given(4), 2).unwrap();
        let mut start = 0;
        for &end in &clusters.ends {
            let members = &clusters.order[start..end];
            assert!(
                members.iter().all(|m| m % 4 == members[0] % 4),
                "{members:?}"
            );
            start = end;
        }
    }

    #[test]
    fn any_number_of_threads_gives_the_same_clusters_and_each_document_once() {
        let vectors = vectors(3_000);
        let one = cluster(&vectors, ClusterCount::Auto, 1).unwrap();
        for threads in [2, 8] {
            assert_eq!(cluster(&vectors, ClusterCount::Auto, threads).unwrap(), one);
        }
        let mut all = one.order.clone();
        all.sort_unstable();
        assert_eq!(all, (0..3_000).collect::<Vec<_>>());
        assert_eq!(one.ends.last(), Some(&3_000));
        assert!(one.ends.is_sorted());
    }

    #[test]
    fn more_clusters_than_documents_and_equal_documents_are_no_trouble() {
        for count in [1, 2, 5] {
            let same = vec![Int8Vector::quantize(&[1.0, 0.0]); count];
            let clusters = cluster(&same, ClusterCount::Given(9), 3).unwrap();
            assert_eq!(clusters.order.len(), count);
            assert_eq!(clusters.ends.last(), Some(&count));
        }
    }

    #[test]
    fn a_number_of_clusters_is_read() {
        assert_eq!("auto".parse(), Ok(ClusterCount::Auto));
        assert_eq!("12".parse(), Ok(ClusterCount::Given(12)));
        for bad in ["1", "0", "-3", "many", "65537"] {
            assert!(bad.parse::<ClusterCount>().is_err(), "{bad}");
        }
    }
}
