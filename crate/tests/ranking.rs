//! Ranking a whole index, from the files a builder writes to the results a visitor sees.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

use almanac::index::{
    Calibration, Document, Index, IndexEntry, IndexSummary, IndexWriter, Int8Vector, ModelBinding,
    PassageDate, SectionKind,
};
use almanac::search::time::{Relation, TimeScore};
use almanac::search::{Filter, Ranking, RankingRequest};
use almanac::text::Stemming;
use almanac::time::{Dating, Role, Settings, Year, whole};
use proptest::prelude::*;

const DIMENSIONS: usize = 8;

/// Title, catalogue date, facet and vector of an object.
type Row = (String, String, String, Vec<f32>);

fn entry(number: usize, (title, date, kind, vector): &Row) -> IndexEntry {
    let dates = whole(date, &Settings::default())
        .into_iter()
        .flat_map(|field| field.parts)
        .map(|part| PassageDate {
            dating: Dating::of_expression(&part),
            catalogue: true,
            cue: None,
        })
        .collect();
    IndexEntry {
        document: Document {
            id: number.to_string(),
            title: title.clone(),
            date: Some(date.clone()).filter(|date| !date.is_empty()),
            passages: vec![title.clone()],
            ..Document::default()
        },
        vectors: vec![Int8Vector::quantize(vector)],
        words: vec![format!("object:{number}")],
        dates: vec![dates],
        facets: vec![vec![kind.clone()]],
    }
}

fn publish(folder: &Path, rows: &[Row]) -> almanac::Result<IndexSummary> {
    let labels = vec!["Kind".to_owned()];
    let mut writer = IndexWriter::create(folder, DIMENSIONS, Stemming::None, labels).unwrap();
    for (number, row) in rows.iter().enumerate() {
        writer.add(entry(number, row)).unwrap();
    }
    let model = ModelBinding {
        id: "test".into(),
        dimensions: DIMENSIONS as u32,
        tokenizer_sha256: "0".repeat(64),
    };
    let calibration = Calibration {
        no_match_below: 0.5,
        recall_at_10: 1.0,
        ..Calibration::default()
    };
    writer.publish("Test", model, calibration)
}

fn write(folder: &Path, rows: &[Row]) {
    publish(folder, rows).unwrap();
}

fn index(rows: &[Row]) -> Index {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), rows);
    Index::open_folder(folder.path()).unwrap()
}

fn axis(n: usize) -> Vec<f32> {
    let mut vector = vec![0.1; DIMENSIONS];
    vector[n % DIMENSIONS] = 1.0;
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.into_iter().map(|x| x / length).collect()
}

fn row(title: &str, date: &str, kind: &str, direction: usize) -> Row {
    (title.into(), date.into(), kind.into(), axis(direction))
}

fn ask(index: &Index, query: &str, vector: Option<usize>, filter: Filter) -> Ranking {
    let question = index.question(query, None, false);
    let vector = vector.map(axis);
    let request = RankingRequest {
        k: 100,
        filter,
        ..RankingRequest::default()
    };
    index.rank(&question, vector.as_deref(), &request).unwrap()
}

fn order(ranking: &Ranking) -> Vec<u32> {
    ranking.hits.iter().map(|hit| hit.document).collect()
}

fn museum() -> Index {
    index(&[
        row("blue bowl", "1855", "ceramics", 0),
        row("blue bowl", "1400", "ceramics", 0),
        row("oak chair", "1853", "furniture", 1),
        row("blue bowl, no. 79.66.115", "", "ceramics", 0),
        row("landscape by Kuniyoshi", "c. 1850", "prints", 2),
    ])
}

#[test]
fn the_time_asked_for_decides_between_equals() {
    let ranking = ask(&museum(), "blue bowl 1850s", Some(0), Filter::default());
    assert_eq!(ranking.hits[0].document, 0);
    let time = ranking.hits[0].time.as_ref().unwrap();
    assert_eq!(
        (time.relation, time.date.as_deref()),
        (Relation::Inside, Some("1855"))
    );
    assert!(ranking.by.meaning && ranking.by.words && ranking.by.time && ranking.close);
    // What may be of the time comes before what is far from it.
    let hit = |document| {
        ranking
            .hits
            .iter()
            .find(|hit| hit.document == document)
            .unwrap()
    };
    let (undated, far) = (hit(3), hit(1));
    assert!(undated.shares.time > far.shares.time);
    assert_eq!(undated.time.as_ref().unwrap().relation, Relation::Unknown);
}

#[test]
fn shares_sum_to_the_score() {
    for hit in ask(&museum(), "blue bowl 1850s", Some(0), Filter::default()).hits {
        assert!((hit.shares.score() - hit.score).abs() < 1e-12);
    }
}

#[test]
fn accession_number_and_rare_name_come_first() {
    let index = museum();
    let numbered = ask(&index, "chair 79.66.115", Some(1), Filter::default());
    assert_eq!(numbered.hits[0].document, 3);
    assert!(numbered.hits[0].exact && numbered.hits[0].score > 1.0);
    let named = ask(&index, "Kuniyoshi", None, Filter::default());
    assert_eq!(named.hits[0].document, 4);
    assert_eq!(named.hits[0].words, ["kuniyoshi"]);
    assert!(named.close);
}

#[test]
fn words_alone_leave_out_what_holds_none_of_them() {
    let ranking = ask(&museum(), "the oak", None, Filter::default());
    assert_eq!(order(&ranking), [2]);
    assert_eq!(ranking.hits[0].words, ["oak"]);
    assert_eq!(ranking.matching, 5);
    assert!(
        ask(&museum(), "zeppelin", None, Filter::default())
            .hits
            .is_empty()
    );
}

#[test]
fn an_empty_question_browses_what_passes_the_filter() {
    let filter = Filter {
        first: Some(Year(1850).first_day().0),
        last: Some(Year(1860).last_day().0),
        ..Filter::default()
    };
    let ranking = ask(&museum(), "", None, filter);
    assert_eq!(order(&ranking), [0, 2, 4]);
    assert!(ranking.close);
}

#[test]
fn marks_cover_other_forms_of_the_words_asked_for() {
    let index = museum();
    let question = index.question("旱灾 in the BLUE", None, false);
    assert_eq!(
        index.marks(&question, "旱災, the blue bowl"),
        [(0, 2), (8, 12)]
    );
}

#[test]
fn an_accession_number_that_reads_as_a_date_is_found() {
    let index = index(&[
        row("bowl of 6 January 2005", "2005", "a", 0),
        row("jar 2005.1.6", "1850", "a", 1),
    ]);
    let ranking = ask(&index, "2005.1.6", None, Filter::default());
    assert_eq!(order(&ranking), [1, 0]);
}

#[test]
fn a_query_of_dates_alone_ranks_by_time() {
    let ranking = ask(&museum(), "1850s", None, Filter::default());
    assert_eq!(order(&ranking)[..2], [0, 2]);
    assert!(ranking.close && !ranking.by.meaning && !ranking.by.words);
    let nothing = ask(&museum(), "1300", None, Filter::default());
    assert!(!nothing.close);
}

#[test]
fn words_answer_before_the_vectors_are_in() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        &[row("blue bowl", "1855", "a", 0), row("jar", "", "b", 1)],
    );
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let mut index = Index::open(&read("manifest.json")).unwrap();
    let names: Vec<(SectionKind, String)> = index
        .required()
        .iter()
        .map(|file| (file.kind, file.file.file.clone()))
        .collect();
    for (kind, name) in &names {
        if *kind != SectionKind::Vectors {
            index.add_file(name, &read(name)).unwrap();
        }
    }
    assert!(index.is_ready_for_words() && !index.is_ready());
    let question = index.question("bowl", None, false);
    let request = RankingRequest {
        k: 5,
        filter: Filter::default(),
        ..RankingRequest::default()
    };
    // A needed shard that is not there is an error, not an empty answer.
    assert!(index.rank(&question, None, &request).is_err());
    let missing: Vec<String> = index
        .missing_postings(&question)
        .iter()
        .map(|file| file.file.file.clone())
        .collect();
    assert_eq!(missing.len(), 1);
    index.add_file(&missing[0], &read(&missing[0])).unwrap();
    assert!(index.missing_postings(&question).is_empty());
    let ranking = index.rank(&question, None, &request).unwrap();
    assert_eq!(ranking.hits[0].document, 0);
    assert!(index.rank(&question, Some(&axis(0)), &request).is_err());
}

#[test]
fn a_build_that_fails_at_any_file_leaves_the_index_before_it_whole() {
    let old = [row("bowl", "1855", "a", 0), row("jar", "", "b", 1)];
    let new = [
        row("oak chair", "1853", "c", 2),
        row("blue jar", "300 BC", "b", 3),
    ];
    let names = |rows: &[Row]| -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), rows);
        let entries = std::fs::read_dir(folder.path()).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    };
    let before: Vec<String> = names(&old);
    let mut tried = 0;
    for name in names(&new) {
        if before.contains(&name) && name != "manifest.json" {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &old);
        // A folder in the way of the half-written file stops the writer there, as a full disk does.
        std::fs::create_dir(folder.path().join(format!("{name}.part"))).unwrap();
        let error = publish(folder.path(), &new).unwrap_err();
        assert_eq!(error.kind(), almanac::ErrorKind::Io, "{name}");
        assert!(error.to_string().contains(&name), "{error}");
        let index = Index::open_folder(folder.path()).unwrap();
        let ranking = ask(&index, "bowl", Some(0), Filter::default());
        assert_eq!(ranking.hits[0].document, 0, "{name}");
        tried += 1;
    }
    assert!(tried >= 6, "{tried}");
}

#[test]
fn an_index_without_words_and_times_ranks_by_meaning() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        &[row("bowl", "1855", "a", 0), row("jar", "", "b", 1)],
    );
    let path = folder.path().join("manifest.json");
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    manifest["version"] = serde_json::json!([1, 0]);
    for key in ["ranking", "dates"] {
        manifest.as_object_mut().unwrap().remove(key);
    }
    let kept = ["vectors", "offsets", "documents"];
    manifest["files"]
        .as_array_mut()
        .unwrap()
        .retain(|file| kept.contains(&file["kind"].as_str().unwrap()));
    std::fs::write(&path, manifest.to_string()).unwrap();
    let index = Index::open_folder(folder.path()).unwrap();
    let ranking = ask(&index, "jar 1855", Some(1), Filter::default());
    assert_eq!(order(&ranking), [1, 0]);
    assert!(!ranking.by.words && !ranking.by.time);
}

#[test]
fn an_index_says_how_its_dates_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [
        row("seat", "1861", "a", 0),
        row("seat", "1856", "a", 0),
        row("seat", "1900", "a", 0),
    ];
    write(folder.path(), &rows);
    let path = folder.path().join("manifest.json");
    let opened = |way: Option<&str>| {
        let mut manifest: serde_json::Value =
            serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        if let Some(way) = way {
            manifest["ranking"]["time_score"] = way.into();
        }
        std::fs::write(&path, manifest.to_string()).unwrap();
        Index::open_folder(folder.path())
    };
    let first = |index: &Index| {
        let ranking = ask(index, "1856 to 1874", None, Filter::default());
        let times = ranking.hits.iter().map(|hit| hit.time.clone().unwrap());
        // However they are scored, dates lie inside or outside.
        let inside = times.filter(|t| t.relation == Relation::Inside).count();
        assert_eq!(inside, 2);
        order(&ranking)[0]
    };
    assert_eq!(first(&opened(None).unwrap()), 0);
    assert_eq!(first(&opened(Some("museum")).unwrap()), 0);
    assert_eq!(first(&opened(Some("prose")).unwrap()), 1);
    let index = opened(Some("prose")).unwrap();
    let museum = RankingRequest {
        k: 3,
        time_score: Some(TimeScore::Museum),
        ..RankingRequest::default()
    };
    let asked = index.question("1856 to 1874", None, false);
    let ranking = index.rank(&asked, None, &museum).unwrap();
    assert_eq!(ranking.hits[0].document, 0);
    for bad in ["temps", "verse"] {
        let error = opened(Some(bad)).unwrap_err();
        assert_eq!(error.kind(), almanac::ErrorKind::Corrupt, "{bad}");
        assert!(error.to_string().contains("prose"), "{error}");
    }
}

#[test]
fn dates_of_an_index_are_summed_up() {
    let (dated, span) = museum().dated();
    assert_eq!(dated, 4);
    let (first, last) = span.unwrap();
    assert_eq!(first, Year(1400).first_day());
    assert_eq!(last, Year(1855).last_day());
}

#[test]
fn intervals_of_a_document_are_given_once() {
    let index = index(&[
        row("bust", "1891, cast 1925", "a", 0),
        row("jar", "", "a", 0),
    ]);
    let shown: Vec<String> = index
        .intervals(0)
        .unwrap()
        .iter()
        .map(|i| i.display())
        .collect();
    assert_eq!(shown, ["1891", "1925"]);
    assert!(index.intervals(1).unwrap().is_empty());
    assert!(index.intervals(2).is_err());
}

#[test]
fn documents_like_one_are_given_without_it() {
    let index = museum();
    let request = RankingRequest {
        k: 2,
        filter: Filter::default(),
        ..RankingRequest::default()
    };
    let like = index.similar(0, &request).unwrap();
    assert_eq!(order(&like), [1, 3]);
    assert!(like.by.meaning && !like.by.words && !like.by.time);
    assert!(index.similar(9, &request).is_err());
}

#[test]
fn documents_like_one_pass_the_filter() {
    let request = RankingRequest {
        k: 5,
        filter: Filter {
            facets: vec![(0, 0)],
            ..Filter::default()
        },
        ..RankingRequest::default()
    };
    let index = museum();
    let kinds = &index.facets().unwrap().facets()[0].values;
    let wanted = kinds[0].0.clone();
    let like = index.similar(2, &request).unwrap();
    assert!(!like.hits.is_empty());
    assert_eq!(like.matching, kinds[0].1, "{wanted}");
}

#[test]
fn season_leaves_documents_out_and_never_changes_the_order_of_the_others() {
    let index = index(&[
        row("snow", "January 1850", "prints", 0),
        row("blossom", "April 1851", "prints", 0),
        row("harvest", "August 1852", "prints", 0),
        row("a year", "1853", "prints", 0),
        row("undated", "", "prints", 0),
    ]);
    let season = |first, last| Filter {
        season: Some((first, last)),
        ..Filter::default()
    };
    assert_eq!(order(&ask(&index, "", Some(0), season(90, 119))), [1]);
    assert_eq!(order(&ask(&index, "", Some(0), season(200, 20))), [0, 2]);
    assert_eq!(ask(&index, "", Some(0), Filter::default()).matching, 5);
    assert_eq!(index.seasons(1).unwrap().len(), 1);
    assert!(
        index.seasons(3).unwrap().is_empty(),
        "a whole year says nothing"
    );
    assert!(index.seasons(9).is_err());
}

#[test]
fn vector_of_a_passage_has_length_one_and_its_cosine() {
    let index = museum();
    let vector = index.vector(2).unwrap();
    let length: f32 = vector.iter().map(|x| x * x).sum();
    assert!((length.sqrt() - 1.0).abs() < 0.01);
    let dot: f32 = vector.iter().zip(axis(1)).map(|(a, b)| a * b).sum();
    assert!(dot > 0.99);
    assert!(index.vector(99).is_err());
}

#[test]
fn role_of_the_catalogue_is_kept() {
    let index = index(&[row("bust", "1891, cast 1925", "a", 0)]);
    let roles: Vec<Role> = index.dates_of(0).datings.iter().map(|d| d.role).collect();
    assert_eq!(roles, [Role::Created, Role::Cast]);
    assert!(index.dates_of(7).datings.is_empty());
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let title = prop::sample::select(vec!["bowl", "blue bowl", "jar", "oak chair", "7.1"]);
    let date = prop::sample::select(vec![
        "",
        "1850s",
        "1853",
        "c. 1900",
        "19th century",
        "300 BC",
    ]);
    let kind = prop::sample::select(vec!["a", "b", "c", ""]);
    let one = (title, date, kind, 0usize..DIMENSIONS)
        .prop_map(|(title, date, kind, direction)| row(title, date, kind, direction));
    prop::collection::vec(one, 1..25)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_filter_leaves_documents_out_and_keeps_the_order_of_the_rest(
        rows in rows(),
        query in prop::sample::select(vec!["blue bowl", "jar 1853", "1850s", "chair 7.1"]),
        years in (1700i64..2000, 0i64..300),
        by_days: bool,
        undated: bool,
        facet in prop::option::of(0u32..4),
    ) {
        let index = index(&rows);
        let filter = Filter {
            first: by_days.then(|| Year(years.0).first_day().0),
            last: by_days.then(|| Year(years.0 + years.1).last_day().0),
            undated,
            facets: facet.map(|value| (0, value)).into_iter().collect(),
            ..Filter::default()
        };
        let all = ask(&index, query, Some(0), Filter::default());
        let narrowed = ask(&index, query, Some(0), filter.clone());
        prop_assert_eq!(all.matching as usize, rows.len());
        prop_assert_eq!(narrowed.matching as usize, narrowed.hits.len());
        let kept: Vec<u32> = order(&all)
            .into_iter()
            .filter(|d| narrowed.hits.iter().any(|hit| hit.document == *d))
            .collect();
        prop_assert_eq!(order(&narrowed), kept);
        for hit in &all.hits {
            let passes = narrowed.hits.iter().any(|n| n.document == hit.document);
            let (_, date, kind, _) = &rows[hit.document as usize];
            let of_kind = facet.is_none_or(|value| {
                let values = &index.facets().unwrap().facets()[0].values;
                values.get(value as usize).is_some_and(|(v, _)| v == kind)
            });
            if date.is_empty() && by_days {
                prop_assert_eq!(passes, undated && of_kind);
            } else if !by_days {
                prop_assert_eq!(passes, of_kind);
            }
        }
    }
}
