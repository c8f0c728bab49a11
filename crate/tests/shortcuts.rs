//! Signs, clusters and other orders beside the exact scan and slow references.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod random;

use std::collections::HashMap;

use almanac::index::{
    Calibration, Clustering, Document, Index, IndexEntry, IndexWriter, Int8Vector, ModelBinding,
    PassageDate, Prefilter, SectionKind, SortSource,
};
use almanac::search::{Filter, Ranking, RankingRequest, Signs};
use almanac::text::Stemming;
use almanac::time::{Dating, Interval, Role, Year};
use proptest::prelude::*;
use random::Random;

const DIMENSIONS: usize = 24;
const GROUPS: u64 = 6;

impl Random {
    /// A unit vector near to one of the axes.
    fn vector(&mut self, axis: u64) -> Vec<f32> {
        let mut vector: Vec<f32> = (0..DIMENSIONS)
            .map(|_| self.below(1000) as f32 / 1000.0 - 0.5)
            .collect();
        vector[axis as usize] += 2.0;
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        vector.into_iter().map(|x| x / length).collect()
    }
}

struct Object {
    group: u64,
    vectors: Vec<Vec<f32>>,
    title: String,
    year: Option<i64>,
}

/// Objects of each group in turn, so that groups are clusters.
fn objects(random: &mut Random, a_group: u64) -> Vec<Object> {
    const WORDS: [&str; 6] = ["bowl", "Äpfel", "chair", "no. 9", "no. 10", "wave"];
    (0..GROUPS)
        .flat_map(|group| std::iter::repeat_n(group, a_group as usize))
        .map(|group| Object {
            group,
            vectors: (0..=random.below(2))
                .map(|_| random.vector(group))
                .collect(),
            title: WORDS[random.below(6) as usize].to_owned(),
            year: (random.below(5) > 0).then(|| 1500 + random.below(400) as i64),
        })
        .collect()
}

/// Writes and opens, without vectors where `folder` is to add them later.
fn index(
    objects: &[Object],
    candidates: Option<u32>,
    clusters: bool,
) -> (tempfile::TempDir, Index) {
    let folder = tempfile::tempdir().unwrap();
    let labels = vec!["Group".to_owned()];
    let mut writer = IndexWriter::create(folder.path(), DIMENSIONS, Stemming::None, labels)
        .unwrap()
        .with_sort(vec![SortSource::Title, SortSource::Field("Group".into())]);
    if candidates.is_some() {
        writer = writer.with_signs();
    }
    let mut sums = [0f32; DIMENSIONS];
    let mut count = 0f32;
    for (number, object) in objects.iter().enumerate() {
        let date = object.year.map(|year| PassageDate {
            dating: Dating {
                readings: vec![Interval::years(Year(year), Year(year + 5)).unwrap()],
                arc: None,
                role: Role::Created,
            },
            catalogue: true,
            cue: None,
        });
        let passages = object.vectors.len();
        writer
            .add(IndexEntry {
                document: Document {
                    id: number.to_string(),
                    title: object.title.clone(),
                    fields: vec![("Group".into(), object.group.to_string())],
                    passages: vec![object.title.clone(); passages],
                    ..Document::default()
                },
                vectors: object
                    .vectors
                    .iter()
                    .map(|v| Int8Vector::quantize(v))
                    .collect(),
                dates: vec![date.into_iter().collect(); passages],
                words: vec![format!("object{number}")],
                facets: vec![vec![object.group.to_string()]],
            })
            .unwrap();
        for vector in &object.vectors {
            sums.iter_mut().zip(vector).for_each(|(sum, x)| *sum += x);
            count += 1.0;
        }
        let last = objects
            .get(number + 1)
            .is_none_or(|next| next.group != object.group);
        if clusters && last {
            let mean: Vec<f32> = sums.iter().map(|sum| sum / count).collect();
            writer.end_cluster(&Int8Vector::quantize(&mean)).unwrap();
            (sums, count) = ([0.0; DIMENSIONS], 0.0);
        }
    }
    let model = ModelBinding {
        id: "test".into(),
        dimensions: DIMENSIONS as u32,
        tokenizer_sha256: "0".repeat(64),
    };
    let calibration = Calibration {
        no_match_below: 0.5,
        recall_at_10: 1.0,
        prefilter: candidates.map(|candidates| Prefilter {
            candidates,
            recall_at_10: 1.0,
        }),
        clusters: clusters.then(|| Clustering {
            probes: 1,
            curve: Vec::new(),
        }),
        ..Calibration::default()
    };
    writer.publish("Test", model, calibration).unwrap();
    let index = match clusters {
        true => Index::open_folder_without_vectors(folder.path()),
        false => Index::open_folder(folder.path()),
    };
    (folder, index.unwrap())
}

fn ask(index: &Index, query: &str, vector: Option<&[f32]>, request: &RankingRequest) -> Ranking {
    let question = index.question(query, None, false);
    index.rank(&question, vector, request).unwrap()
}

fn best(k: usize) -> RankingRequest {
    RankingRequest {
        k,
        ..RankingRequest::default()
    }
}

fn load(folder: &tempfile::TempDir, index: &mut Index, vector: &[f32], probes: usize) -> usize {
    let names: Vec<String> = index
        .vector_files(vector, probes)
        .unwrap()
        .into_iter()
        .map(|file| file.file.file.clone())
        .collect();
    for name in &names {
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        index.add_file(name, &bytes).unwrap();
    }
    names.len()
}

const QUERIES: [&str; 4] = ["", "bowl", "wave 1650s", "object7 chair"];

#[test]
fn as_many_candidates_as_passages_rank_as_the_exact_scan_does() {
    let mut random = Random(1);
    let objects = objects(&mut random, 40);
    let (_folder, index) = index(&objects, Some(10_000), false);
    for round in 0..24 {
        let vector = random.vector(round % GROUPS);
        for query in QUERIES {
            let by_signs = ask(&index, query, Some(&vector), &best(30));
            let exact = RankingRequest {
                exact: true,
                ..best(30)
            };
            let exact = ask(&index, query, Some(&vector), &exact);
            assert_eq!(by_signs, exact, "{query}");
        }
    }
}

#[test]
fn what_signs_choose_is_scored_exactly_and_a_filter_reorders_nothing() {
    let mut random = Random(2);
    let objects = objects(&mut random, 60);
    let (_folder, index) = index(&objects, Some(150), false);
    let mut same = 0;
    for round in 0..24 {
        let vector = random.vector(round % GROUPS);
        let exact = RankingRequest {
            exact: true,
            ..best(10_000)
        };
        for query in QUERIES {
            let exact = ask(&index, query, Some(&vector), &exact);
            let cosines: HashMap<u32, Option<f32>> = exact
                .hits
                .iter()
                .map(|hit| (hit.passage, hit.cosine))
                .collect();
            let open = ask(&index, query, Some(&vector), &best(60));
            for hit in &open.hits {
                assert!(hit.cosine.is_some());
                if let Some(cosine) = cosines.get(&hit.passage) {
                    assert_eq!(hit.cosine, *cosine);
                }
            }
            let firsts = |ranking: &Ranking| -> Vec<u32> {
                ranking
                    .hits
                    .iter()
                    .take(10)
                    .map(|hit| hit.document)
                    .collect()
            };
            let found = firsts(&open);
            same += firsts(&exact)
                .iter()
                .filter(|hit| found.contains(hit))
                .count();
            assert_eq!(open.matching, exact.matching);
            let filter = Filter {
                facets: vec![(0, 0), (0, 3)],
                ..Filter::default()
            };
            let filtered = RankingRequest {
                filter: filter.clone(),
                ..best(60)
            };
            let filtered = ask(&index, query, Some(&vector), &filtered);
            let scores: HashMap<u32, f64> = open
                .hits
                .iter()
                .map(|hit| (hit.document, hit.score))
                .collect();
            for hit in &filtered.hits {
                if let Some(score) = scores.get(&hit.document) {
                    assert!((hit.score - score).abs() < 1e-12, "{query} {hit:?}");
                }
            }
        }
    }
    let share = same as f64 / (24.0 * 4.0 * 10.0);
    assert!(share > 0.9, "only {share} of the ten best");
}

#[test]
fn all_clusters_rank_as_the_whole_and_some_as_far_as_they_reach() {
    let mut random = Random(3);
    let objects = objects(&mut random, 30);
    let (folder, full) = index(&objects, None, true);
    let manifest = full.manifest();
    assert_eq!(
        manifest.files_of(SectionKind::Vectors).count(),
        GROUPS as usize
    );
    let whole = Index::open_folder(folder.path()).unwrap();
    for group in 0..GROUPS {
        let vector = random.vector(group);
        let mut index = Index::open_folder_without_vectors(folder.path()).unwrap();
        let question = index.question("", None, false);
        let error = index.rank(&question, Some(&vector), &best(5)).unwrap_err();
        assert!(error.to_string().contains("not loaded"), "{error}");
        assert_eq!(load(&folder, &mut index, &vector, 1), 1);
        assert!(!index.is_ready());

        let near = ask(&index, "", Some(&vector), &best(10_000));
        assert_eq!(near.hits.len(), 30);
        for hit in &near.hits {
            assert_eq!(objects[hit.document as usize].group, group);
        }
        let all = ask(&whole, "", Some(&vector), &best(10));
        let documents = |ranking: &Ranking| -> Vec<(u32, Option<f32>)> {
            let hits = ranking.hits.iter().take(10);
            hits.map(|hit| (hit.document, hit.cosine)).collect()
        };
        assert_eq!(documents(&near), documents(&all));

        // A word finds what lies in a cluster that is not there.
        let far = (30 * ((group + 1) % GROUPS) + 4) as u32;
        let word = ask(&index, &format!("object{far}"), Some(&vector), &best(1_000));
        let hit = word.hits.iter().find(|hit| hit.document == far).unwrap();
        assert_eq!(hit.cosine, None);
        assert!(hit.shares.words > 0.0 && hit.score.is_finite());

        assert_eq!(
            load(&folder, &mut index, &vector, usize::MAX),
            GROUPS as usize - 1
        );
        assert!(index.is_ready());
        for query in QUERIES {
            assert_eq!(
                ask(&index, query, Some(&vector), &best(50)),
                ask(&whole, query, Some(&vector), &best(50))
            );
        }
    }
}

#[test]
fn an_index_without_clusters_needs_all_of_its_vectors() {
    let objects = objects(&mut Random(4), 5);
    let (folder, whole) = index(&objects, None, false);
    let mut index = Index::open_folder_without_vectors(folder.path()).unwrap();
    let vector = Random(5).vector(0);
    assert_eq!(load(&folder, &mut index, &vector, 1), 1);
    assert_eq!(
        ask(&index, "bowl", Some(&vector), &best(9)),
        ask(&whole, "bowl", Some(&vector), &best(9))
    );
    assert!(index.vector_files(&vector[1..], 1).is_err());
}

#[test]
fn documents_are_sorted_by_date_and_column_with_the_others_last() {
    let objects = objects(&mut Random(6), 20);
    let (_folder, index) = index(&objects, None, false);
    let sorted = |name: &str, descending| -> Vec<usize> {
        let request = RankingRequest {
            sort: Some(index.sort(name, descending).unwrap()),
            ..best(10_000)
        };
        let hits = ask(&index, "", None, &request).hits;
        hits.iter().map(|hit| hit.document as usize).collect()
    };
    let mut all: Vec<usize> = (0..objects.len()).collect();
    all.sort_by_key(|&n| (objects[n].year.is_none(), objects[n].year));
    assert_eq!(sorted("earliest", false), all);
    all.sort_unstable();
    all.sort_by_key(|&n| (objects[n].year.is_none(), objects[n].year.map(|year| -year)));
    assert_eq!(sorted("Latest", true), all);
    let order = ["Äpfel", "bowl", "chair", "no. 9", "no. 10", "wave"];
    all.sort_unstable();
    all.sort_by_key(|&n| order.iter().position(|title| *title == objects[n].title));
    assert_eq!(sorted("title", false), all);
    assert_eq!(
        sorted("Group", false),
        (0..objects.len()).collect::<Vec<_>>()
    );
    let error = index.sort("color", false).unwrap_err().to_string();
    assert!(
        error.contains("relevance, earliest, latest, Title, Group"),
        "{error}"
    );
}

#[test]
fn with_a_question_only_answers_are_sorted() {
    let objects = objects(&mut Random(7), 20);
    let (_folder, index) = index(&objects, None, false);
    let vector = Random(8).vector(2);
    let request = RankingRequest {
        sort: Some(index.sort("earliest", false).unwrap()),
        ..best(10_000)
    };
    let years = |ranking: &Ranking| -> Vec<Option<i64>> {
        let hits = ranking.hits.iter();
        hits.map(|hit| objects[hit.document as usize].year)
            .collect()
    };
    let near = ask(&index, "", Some(&vector), &request);
    assert!(near.hits.iter().all(|hit| hit.cosine.unwrap() >= 0.5));
    assert!((10..60).contains(&near.hits.len()), "{}", near.hits.len());
    let found = years(&near);
    let dated = found.iter().filter(|year| year.is_some()).count();
    assert!(found[..dated].is_sorted());
    let words = ask(&index, "bowl 1600s", None, &request);
    assert!(!words.hits.is_empty());
    for hit in &words.hits {
        let object = &objects[hit.document as usize];
        assert_eq!(object.title, "bowl");
        assert!(
            (1595..1700).contains(&object.year.unwrap()),
            "{:?}",
            object.year
        );
    }
}

proptest! {
    #[test]
    fn signs_differ_where_a_slow_count_says(
        rows in proptest::collection::vec((any::<i8>(), -1f32..1.0), 1..700),
    ) {
        let (codes, vector): (Vec<i8>, Vec<f32>) = rows.iter().copied().unzip();
        let slow = rows.iter().filter(|(code, x)| (*code > 0) != (*x > 0.0)).count();
        let fast = Signs::of_codes(&codes).distance(&Signs::of_vector(&vector));
        prop_assert_eq!(fast as usize, slow);
    }
}
