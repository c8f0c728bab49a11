//! Indexes of every format version that was ever published, which must open for ever, and lies told
//! under right checksums.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use almanac::index::{
    Calibration, Clustering, Document, FileRef, Index, IndexEntry, IndexWriter, Int8Vector,
    Manifest, ModelBinding, PassageDate, Prefilter, ProbeRecall, SectionKind, SortSource,
    Translations,
};
use almanac::search::time::Relation;
use almanac::search::{Filter, Ranking, RankingRequest};
use almanac::text::{Cue, Stemming};
use almanac::time::{Dating, Lang, Settings, find, whole};

const DIMENSIONS: usize = 4;

fn golden(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/golden/index-{version}"))
}

/// Identifier, catalogue date, passages, kind and vector of an object.
type Row = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static str,
    [f32; DIMENSIONS],
);

/// Objects of our own, with a date of every kind that is stored apart.
fn entries() -> Vec<IndexEntry> {
    let objects: [Row; 5] = [
        (
            "plough-1",
            "c. 1850",
            &["Iron plough, c. 1850"],
            "Tools",
            [1.0, 0.0, 0.0, 0.0],
        ),
        (
            "42.7-3",
            "1891, cast 1925",
            &["Bust of a farmer, 1891, cast 1925"],
            "Sculpture",
            [0.0, 1.0, 0.0, 0.0],
        ),
        (
            "農書",
            "康熙三年五月",
            &["農政全書，康熙三年五月刻", "以防旱災"],
            "Books",
            [0.0, 0.0, 1.0, 0.0],
        ),
        (
            "fair",
            "",
            &["Fair in spring. First held in 1712; moved in 1790."],
            "Events",
            [0.0, 0.0, 0.6, 0.8],
        ),
        (
            "jar",
            "",
            &["Jar, glazed"],
            "Ceramics",
            [0.6, 0.0, 0.0, -0.8],
        ),
    ];
    let settings = Settings::default();
    objects
        .into_iter()
        .map(|(id, date, passages, kind, vector)| {
            let catalogue: Vec<PassageDate> = whole(date, &settings)
                .into_iter()
                .flat_map(|field| field.parts)
                .map(|part| PassageDate {
                    dating: Dating::of_expression(&part),
                    catalogue: true,
                    cue: None,
                })
                .collect();
            let dates = |text: &&str| {
                let found = find(text, &settings, Lang::Auto, None);
                let ranges: Vec<_> = found.iter().map(|f| f.range.clone()).collect();
                let own = found.iter().zip(Cue::near(text, &ranges));
                let own = own.map(|(found, cue)| PassageDate {
                    dating: Dating::of_expression(found),
                    catalogue: false,
                    cue: Some(cue),
                });
                catalogue.iter().cloned().chain(own).collect()
            };
            IndexEntry {
                dates: passages.iter().map(dates).collect(),
                vectors: vec![Int8Vector::quantize(&vector); passages.len()],
                words: vec![id.to_owned()],
                facets: vec![vec![kind.to_owned()]],
                document: Document {
                    id: id.to_owned(),
                    title: passages[0].to_owned(),
                    date: Some(date.to_owned()).filter(|d| !d.is_empty()),
                    url: Some(format!("https://example.org/{}", id.len())),
                    image: None,
                    fields: vec![("Kind".to_owned(), kind.to_owned())],
                    passages: passages.iter().map(|&p| p.to_owned()).collect(),
                },
            }
        })
        .collect()
}

/// What three terms of today's Chinese are in the book.
fn translations() -> Vec<u8> {
    let sources = |list: &[(&str, f64)]| list.iter().map(|(s, l)| ((*s).to_owned(), *l)).collect();
    let lifts = BTreeMap::from([
        ("干".to_owned(), sources(&[("旱", 32.0)])),
        ("干旱".to_owned(), sources(&[("旱", 256.0)])),
        ("避".to_owned(), sources(&[("免", 8.0), ("防", 64.0)])),
    ]);
    Translations::write(&lifts).unwrap()
}

fn write(folder: &Path, memory: usize) {
    let facets = vec!["Kind".to_owned()];
    let writer = IndexWriter::create(folder, DIMENSIONS, Stemming::None, facets).unwrap();
    let sources = vec![SortSource::Title, SortSource::Field("Kind".to_owned())];
    let writer = writer.with_signs().with_sort(sources).with_memory(memory);
    let mut writer = writer.with_translations(translations()).unwrap();
    let centers = [[0.5, 0.5, 0.0, 0.0], [0.15, 0.0, 0.65, 0.0]];
    for (number, entry) in entries().into_iter().enumerate() {
        writer.add(entry).unwrap();
        if [1, 4].contains(&number) {
            let center = Int8Vector::quantize(&centers[number / 4]);
            writer.end_cluster(&center).unwrap();
        }
    }
    let model = ModelBinding {
        id: "golden".into(),
        dimensions: DIMENSIONS as u32,
        tokenizer_sha256: "0".repeat(64),
    };
    let calibration = Calibration {
        no_match_below: 0.25,
        recall_at_10: 1.0,
        prefilter: Some(Prefilter {
            candidates: 3,
            recall_at_10: 1.0,
        }),
        clusters: Some(Clustering {
            probes: 1,
            curve: vec![ProbeRecall {
                probes: 1,
                bytes: 0.5,
                recall_at_10: 0.75,
            }],
        }),
        ..Calibration::default()
    };
    writer.publish("Golden", model, calibration).unwrap();
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect()
}

fn ask(index: &Index, query: &str, vector: Option<[f32; DIMENSIONS]>) -> almanac::Result<Ranking> {
    let question = index.question(query, None, false);
    let request = RankingRequest {
        k: 10,
        filter: Filter::default(),
        ..RankingRequest::default()
    };
    index.rank(&question, vector.as_ref().map(|v| v.as_slice()), &request)
}

#[test]
#[ignore = "writes the golden files of the present version; run it once when the version changes"]
fn write_golden_files() {
    let [major, minor] = [almanac::index::FORMAT_MAJOR, almanac::index::FORMAT_MINOR];
    let folder = golden(&format!("{major}.{minor}"));
    assert!(!folder.exists(), "golden files are never written again");
    write(&folder, usize::MAX);
}

/// What every version answers alike.
fn opens_and_answers(version: [u32; 2]) -> Index {
    let folder = golden(&format!("{}.{}", version[0], version[1]));
    let index = Index::open_folder(&folder).unwrap();
    assert_eq!(index.manifest().version, version);
    assert_eq!(
        (index.manifest().documents, index.manifest().passages),
        (5, 6)
    );

    let first = ask(&index, "plough around 1850", Some([1.0, 0.0, 0.0, 0.0])).unwrap();
    assert_eq!(first.hits[0].document, 0);
    assert_eq!(first.hits[0].words, ["plough"]);
    let time = first.hits[0].time.as_ref().unwrap();
    assert_eq!(
        (time.relation, time.date.as_deref()),
        (Relation::Inside, Some("1845 to 1855"))
    );

    assert_eq!(ask(&index, "42.7-3", None).unwrap().hits[0].document, 1);
    assert_eq!(ask(&index, "防旱灾", None).unwrap().hits[0].document, 2);
    assert_eq!(ask(&index, "1664", None).unwrap().hits[0].document, 2);
    let spring = ask(&index, "in April", None).unwrap();
    assert_eq!(spring.hits[0].document, 3);

    let facets = index.facets().unwrap();
    assert_eq!(facets.facets()[0].values.len(), 5);
    let file = index.document_file(2).unwrap().clone();
    let bytes = std::fs::read(folder.join(&file.file.file)).unwrap();
    let document = index.document(2, &bytes).unwrap();
    assert_eq!((document.id.as_str(), document.passages.len()), ("農書", 2));
    index
}

#[test]
fn an_index_of_format_1_1_opens_and_answers() {
    let index = opens_and_answers([1, 1]);
    assert_eq!(index.sort_names(), ["earliest", "latest"]);
    let files = index.vector_files(&[1.0, 0.0, 0.0, 0.0], 1).unwrap();
    assert!(files.is_empty(), "all are in");
}

#[test]
fn an_index_of_format_1_2_opens_and_answers() {
    sorts(&opens_and_answers([1, 2]));
}

#[test]
fn an_index_of_format_1_3_opens_and_answers() {
    let index = opens_and_answers([1, 3]);
    sorts(&index);
    let translated = ask(&index, "避开干旱", None).unwrap();
    let found = &translated.hits[0];
    assert_eq!((found.document, found.passage), (2, 3));
}

#[test]
fn a_pair_of_characters_is_enough_for_an_answer_where_queries_are_in_another_language() {
    let nothing_like_it = Some([0.0, -1.0, 0.0, 0.0]);
    let close = |version: &str, query: &str| {
        let index = Index::open_folder(&golden(version)).unwrap();
        ask(&index, query, nothing_like_it).unwrap().close
    };
    assert!(close("1.3", "如何应对旱灾"));
    assert!(!close("1.3", "如何应对虫害"));
    assert!(!close("1.2", "如何应对旱灾"));
}

/// What every version from 1.2 on sorts alike.
fn sorts(index: &Index) {
    assert_eq!(index.sort_names(), ["earliest", "latest", "Title", "Kind"]);
    let sorted = |name: &str, descending: bool| -> Vec<u32> {
        let question = index.question("", None, false);
        let request = RankingRequest {
            k: 10,
            sort: Some(index.sort(name, descending).unwrap()),
            ..RankingRequest::default()
        };
        let hits = index.rank(&question, None, &request).unwrap().hits;
        hits.iter().map(|hit| hit.document).collect()
    };
    assert_eq!(sorted("title", false), [1, 3, 0, 4, 2]);
    assert_eq!(sorted("kind", true), [0, 1, 3, 4, 2]);
    assert_eq!(sorted("earliest", false), [2, 3, 0, 1, 4]);
    assert_eq!(sorted("latest", true), [1, 0, 3, 2, 4]);
}

#[test]
fn the_present_writer_gives_the_golden_bytes() {
    // With so little memory every passage is put aside in a run of its own.
    for memory in [usize::MAX, 1] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), memory);
        let (written, kept) = (files(folder.path()), files(&golden("1.3")));
        assert_eq!(
            written.keys().collect::<Vec<_>>(),
            kept.keys().collect::<Vec<_>>()
        );
        assert!(written == kept, "same names, other manifest");
    }
}

/// Opens files from memory, whatever they hold.
fn open(files: &BTreeMap<String, Vec<u8>>) -> almanac::Result<Index> {
    let mut index = Index::open(&files["manifest.json"])?;
    let postings = index.manifest().files_of(SectionKind::Postings);
    let names: Vec<String> = index
        .required()
        .into_iter()
        .chain(postings)
        .map(|file| file.file.file.clone())
        .collect();
    for name in names {
        index.add_file(&name, &files[&name])?;
    }
    Ok(index)
}

/// Puts other bytes in place of a file and signs them, so that only their structure can be wrong.
fn signed(
    files: &BTreeMap<String, Vec<u8>>,
    name: &str,
    mut bytes: Vec<u8>,
) -> BTreeMap<String, Vec<u8>> {
    if let Some(body) = bytes.len().checked_sub(4) {
        let crc = crc32fast::hash(&bytes[..body]);
        bytes[body..].copy_from_slice(&crc.to_le_bytes());
    }
    let mut manifest = Manifest::from_bytes(&files["manifest.json"]).unwrap();
    for file in &mut manifest.files {
        if file.file.file == name {
            let real = FileRef::of_bytes("x", "bin", &bytes);
            file.file.bytes = real.bytes;
            file.file.sha256 = real.sha256;
        }
    }
    let mut out = files.clone();
    out.insert(name.to_owned(), bytes);
    out.insert(
        "manifest.json".to_owned(),
        serde_json::to_vec(&manifest).unwrap(),
    );
    out
}

/// What a lie that went unnoticed may do: give other results or an error, never a panic and never
/// a score that is no number.
fn search_all(index: &Index) {
    for (query, vector) in [
        ("plough around 1850", Some([1.0, 0.0, 0.0, 0.0])),
        ("\"bust of\" 42.7-3", None),
        ("以防旱災 康熙三年", Some([0.0, 0.0, 1.0, 0.0])),
        ("in April", None),
        ("避开干旱", Some([0.0, 0.0, 1.0, 0.0])),
    ] {
        if let Ok(ranking) = ask(index, query, vector) {
            for hit in ranking.hits {
                assert!(hit.score.is_finite(), "{hit:?}");
                assert!(hit.document < index.manifest().documents);
            }
        }
    }
    let _ = index.dated();
    for name in index.sort_names() {
        let request = RankingRequest {
            k: 10,
            sort: index.sort(name, true).ok(),
            ..RankingRequest::default()
        };
        let question = index.question("", None, false);
        let _ = index.rank(&question, None, &request);
    }
    let _ = index.vector_files(&[1.0, 0.0, 0.0, 0.0], 1);
}

#[test]
fn every_changed_byte_of_every_file_is_refused() {
    every_changed_byte_is_refused(&files(&golden("1.1")));
    every_changed_byte_is_refused(&files(&golden("1.2")));
    every_changed_byte_is_refused(&files(&golden("1.3")));
}

fn every_changed_byte_is_refused(files: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files {
        if name == "manifest.json" || name.starts_with("documents") {
            continue;
        }
        for place in 0..bytes.len() {
            let mut changed = files.clone();
            changed.get_mut(name).unwrap()[place] ^= 1;
            assert!(open(&changed).unwrap_err().is_corrupt(), "{name} {place}");
            changed.get_mut(name).unwrap().truncate(place);
            assert!(open(&changed).unwrap_err().is_corrupt(), "{name} {place}");
        }
    }
}

#[test]
fn lies_under_right_checksums_never_panic_and_never_give_a_score_that_is_no_number() {
    let files = files(&golden("1.3"));
    for (name, bytes) in &files {
        if name == "manifest.json" {
            continue;
        }
        for place in 0..bytes.len() - 4 {
            for value in [0x00, 0x01, 0x7f, 0x80, 0xff] {
                let mut lie = bytes.clone();
                lie[place] = value;
                if let Ok(index) = open(&signed(&files, name, lie)) {
                    search_all(&index);
                }
            }
        }
        for length in 0..bytes.len() {
            let lie = signed(&files, name, bytes[..length].to_vec());
            if let Ok(index) = open(&lie) {
                search_all(&index);
            }
        }
    }
}

#[test]
fn a_manifest_that_lies_is_refused_or_harmless() {
    let files = files(&golden("1.3"));
    let text = String::from_utf8(files["manifest.json"].clone()).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let numbers = ["documents", "passages"];
    let lies = [0u64, 1, 4, 7, u64::from(u32::MAX) - 1, u64::from(u32::MAX)];
    for key in numbers {
        for lie in lies {
            let mut changed = manifest.clone();
            changed[key] = lie.into();
            let mut files = files.clone();
            files.insert("manifest.json".into(), changed.to_string().into_bytes());
            assert!(open(&files).is_err(), "{key} {lie}");
        }
    }
    let count = manifest["files"].as_array().unwrap().len();
    for at in 0..count {
        for key in ["first", "count", "bytes"] {
            for lie in lies {
                let mut changed = manifest.clone();
                if changed["files"][at][key] == lie || changed["files"][at]["kind"] == "documents" {
                    continue;
                }
                changed["files"][at][key] = lie.into();
                let mut files = files.clone();
                files.insert("manifest.json".into(), changed.to_string().into_bytes());
                assert!(open(&files).is_err(), "file {at} {key} {lie}");
            }
        }
        for (hole, twice) in [(true, false), (false, true)] {
            let mut changed = manifest.clone();
            let list = changed["files"].as_array_mut().unwrap();
            let kind = list[at]["kind"].clone();
            if hole {
                list.remove(at);
            }
            if twice {
                let again = list[at].clone();
                list.insert(at, again);
            }
            let mut files = files.clone();
            files.insert("manifest.json".into(), changed.to_string().into_bytes());
            let optional = ["times", "facets", "sort", "translations"]
                .iter()
                .any(|k| kind == *k);
            if hole && optional {
                search_all(&open(&files).unwrap());
            } else if !(hole && kind == "documents") {
                assert!(open(&files).is_err(), "{kind} {hole}");
            }
        }
    }
}
