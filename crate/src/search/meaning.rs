//! Cosines of passages with a query: of all by the exact scan, else exact for the candidates that
//! the signs or the near clusters give and estimated for the rest.

use std::borrow::Cow;

use super::hamming::{Signs, hamming};
use super::query::Query;
use crate::index::{Index, IndexFile, SignShard, VectorShard};
use crate::{Error, Result};

/// One in so many candidates is taken from the far end, so that the least cosine is known as well
/// as the greatest.
const FAR: usize = 8;

/// The cosines of all passages with a query.
pub(super) struct Meaning {
    query: Query,
    values: Vec<f64>,
    /// Which of them are exact; `None` where all are.
    exact: Option<Vec<bool>>,
    /// Passages that are to be scored exactly before they are given, where signs chose.
    candidates: Option<usize>,
    /// Least and greatest exact value before the first [`Self::settle`].
    range: (f64, f64),
}

impl Meaning {
    /// The cosine of a passage, where it is exact.
    pub(super) fn exact(&self, passage: u32) -> Option<f64> {
        let place = passage as usize;
        let exact = self.exact.as_ref().is_none_or(|exact| exact[place]);
        exact.then(|| self.values[place])
    }

    /// How many documents are scored exactly before the best are taken; `None` where all that can
    /// be is already.
    pub(super) fn candidates(&self) -> Option<usize> {
        self.candidates
    }

    /// The values to fuse, estimates among them. Their least and greatest never change, so that no
    /// passage settled later moves the others.
    pub(super) fn values(&self) -> Cow<'_, [f64]> {
        if self.candidates.is_none() {
            return Cow::Borrowed(&self.values);
        }
        let (least, most) = self.range;
        Cow::Owned(self.values.iter().map(|v| v.clamp(least, most)).collect())
    }

    /// Scores passages exactly.
    pub(super) fn settle(
        &mut self,
        index: &Index,
        passages: impl Iterator<Item = u32>,
    ) -> Result<()> {
        let shards = index.shards()?;
        let Some(exact) = &mut self.exact else {
            return Ok(());
        };
        for passage in passages {
            let place = passage as usize;
            if !exact[place] {
                self.values[place] = f64::from(score(&shards, &self.query, passage)?);
                exact[place] = true;
            }
        }
        Ok(())
    }
}

fn score(shards: &[&VectorShard], query: &Query, passage: u32) -> Result<f32> {
    let number = shards.partition_point(|shard| shard.first() <= passage);
    let shard = number.checked_sub(1).and_then(|number| shards.get(number));
    let row = shard.and_then(|shard| shard.row((passage - shard.first()) as usize));
    let (scale, codes) =
        row.ok_or_else(|| Error::invalid(format!("there is no passage {passage}")))?;
    Ok(query.score(codes, scale))
}

impl Index {
    /// Gives the `vectors` files that a search by the `probes` clusters nearest to a query needs and
    /// that are not in yet; all that are not in where the index has no clusters.
    ///
    /// ```no_run
    /// # fn main() -> almanac::Result<()> {
    /// # let (mut index, vector) = (almanac::index::Index::open(b"")?, vec![0.0; 384]);
    /// let names: Vec<String> = index
    ///     .vector_files(&vector, 4)?
    ///     .into_iter()
    ///     .map(|file| file.file.file.clone())
    ///     .collect();
    /// for name in names {
    ///     index.add_file(&name, &std::fs::read(&name).unwrap_or_default())?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`crate::ErrorKind::InvalidInput`] if the query has other dimensions or numbers that are not
    /// finite.
    pub fn vector_files(&self, query: &[f32], probes: usize) -> Result<Vec<&IndexFile>> {
        let query = Query::new(query, self.manifest().model.dimensions as usize)?;
        let Some(clusters) = self.clusters() else {
            return Ok(self.missing_vectors());
        };
        let near: Vec<std::ops::Range<u32>> = clusters
            .nearest(&query)
            .into_iter()
            .take(probes)
            .map(|cluster| clusters.passages(cluster))
            .collect();
        let holds = |file: &IndexFile| {
            let end = file.first.saturating_add(file.count);
            near.iter()
                .any(|run| run.start < end && file.first < run.end)
        };
        let missing = self.missing_vectors().into_iter();
        Ok(missing.filter(|file| holds(file)).collect())
    }

    /// Gives the vectors files that are not in yet.
    #[must_use]
    pub fn missing_vectors(&self) -> Vec<&IndexFile> {
        let missing = self.slots().filter(|(_, shard)| shard.is_none());
        missing.map(|(file, _)| file).collect()
    }

    /// Cosines of all passages; `exact` scans all even where signs could choose.
    pub(super) fn meaning(&self, vector: &[f32], exact: bool) -> Result<Meaning> {
        let query = Query::new(vector, self.manifest().model.dimensions as usize)?;
        if let Some(signs) = self.signs().filter(|_| !exact && self.is_ready())
            && let Some(prefilter) = self.manifest().prefilter
        {
            let candidates = prefilter.candidates as usize;
            return self.by_signs(query, vector, &signs, candidates);
        }
        self.by_scan(query)
    }

    fn by_scan(&self, query: Query) -> Result<Meaning> {
        let mut values = Vec::with_capacity(self.manifest().passages as usize);
        let mut exact = Vec::new();
        for (file, shard) in self.slots() {
            let Some(shard) = shard else {
                let end = values.len() + file.count as usize;
                exact.resize(values.len(), true);
                exact.resize(end, false);
                values.resize(end, f64::NAN);
                continue;
            };
            let (scales, codes) = shard.rows();
            let rows = codes.chunks_exact(shard.dimensions()).zip(scales);
            values.extend(rows.map(|(row, scale)| f64::from(query.score(row, *scale))));
        }
        let exact = (!exact.is_empty()).then(|| {
            exact.resize(values.len(), true);
            exact
        });
        if let Some(exact) = &exact {
            self.estimate_far(&query, &mut values, exact)?;
        }
        Ok(Meaning {
            query,
            values,
            exact,
            candidates: None,
            range: (-1.0, 1.0),
        })
    }

    /// Puts the mean cosine of a cluster in place of those whose vectors are not there.
    fn estimate_far(&self, query: &Query, values: &mut [f64], exact: &[bool]) -> Result<()> {
        let clusters = self.clusters().filter(|_| exact.contains(&true));
        let Some(clusters) = clusters else {
            return Err(Error::invalid("the index is not loaded yet"));
        };
        for (cluster, mean) in clusters.cosines(query).into_iter().enumerate() {
            for passage in clusters.passages(cluster) {
                if !exact[passage as usize] {
                    values[passage as usize] = f64::from(mean);
                }
            }
        }
        Ok(())
    }

    fn by_signs(
        &self,
        query: Query,
        vector: &[f32],
        shards: &[&SignShard],
        candidates: usize,
    ) -> Result<Meaning> {
        let asked = Signs::of_vector(vector);
        let dimensions = vector.len();
        let mut distances: Vec<u16> = Vec::with_capacity(self.manifest().passages as usize);
        for shard in shards {
            // Dimensions are at most 8192.
            distances.extend(shard.rows().map(|row| hamming(row, asked.bytes()) as u16));
        }
        // The cosine at which so many signs differ, for vectors in all directions.
        let estimates: Vec<f64> = (0..=dimensions)
            .map(|differ| (std::f64::consts::PI * differ as f64 / dimensions as f64).cos())
            .collect();
        let values = distances
            .iter()
            .map(|distance| estimates[usize::from(*distance)])
            .collect();
        let mut meaning = Meaning {
            query,
            values,
            exact: Some(vec![false; distances.len()]),
            candidates: Some(candidates),
            range: (-1.0, 1.0),
        };
        let near = least(&distances, dimensions, candidates, |distance| distance);
        let far = least(
            &distances,
            dimensions,
            candidates.div_ceil(FAR),
            |distance| dimensions - distance,
        );
        meaning.settle(self, near.into_iter().chain(far))?;
        let exact = (0..distances.len() as u32).filter_map(|passage| meaning.exact(passage));
        meaning.range = exact.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), v| {
            (least.min(v), most.max(v))
        });
        Ok(meaning)
    }
}

/// The `count` passages of the least key, which is at most `most`; equals in order.
fn least(distances: &[u16], most: usize, count: usize, key: impl Fn(usize) -> usize) -> Vec<u32> {
    let mut held = vec![0usize; most + 1];
    for distance in distances {
        held[key(usize::from(*distance))] += 1;
    }
    // All below the limit are taken, and as many at it as there is room for.
    let (mut limit, mut below) = (0, 0);
    while limit < most && below + held[limit] < count {
        below += held[limit];
        limit += 1;
    }
    let mut room = count.saturating_sub(below);
    let mut out = Vec::with_capacity(count.min(distances.len()));
    for (passage, distance) in (0..).zip(distances) {
        let key = key(usize::from(*distance));
        let at_limit = key == limit && room > 0;
        room -= usize::from(at_limit);
        if key < limit || at_limit {
            out.push(passage);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_least_are_those_of_a_sort(
            distances in proptest::collection::vec(0u16..20, 0..60), count in 0usize..70, far: bool,
        ) {
            let key = |distance: usize| if far { 20 - distance } else { distance };
            let mut all: Vec<(usize, u32)> = (0..).zip(&distances).map(|(p, d)| (key(usize::from(*d)), p)).collect();
            all.sort_unstable();
            all.truncate(count);
            let mut expected: Vec<u32> = all.into_iter().map(|(_, p)| p).collect();
            expected.sort_unstable();
            prop_assert_eq!(least(&distances, 20, count, key), expected);
        }
    }
}
