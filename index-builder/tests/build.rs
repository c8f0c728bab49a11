//! Building: equal inputs give equal bytes, whatever happened on the way.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::process::Stdio;
use std::time::{Duration, Instant};

use common::{SLOW, Workshop, almanac_index, published, rows, succeeded};

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let workshop = Workshop::new();
    workshop.write("rows.csv", rows(600));
    let large = [
        "--clusters=auto",
        "--prefilter-above=100",
        "--sort=title,date",
        "--show=date",
    ];
    for flags in [&[][..], &large] {
        let mut first = None;
        for threads in ["1", "2", "8"] {
            let output = almanac_index()
                .args(["build", "--threads", threads, "--input"])
                .arg(workshop.path("rows.csv"))
                .args(flags)
                .arg("--out")
                .arg(workshop.path(threads))
                .output()
                .unwrap();
            succeeded(&output);
            succeeded(&workshop.run("prune", threads, &[]));
            let files = published(&workshop.path(threads));
            assert!(files.len() >= 4, "{:?}", files.keys());
            assert!(
                *first.get_or_insert_with(|| files.clone()) == files,
                "{threads} threads"
            );
        }
    }
}

#[test]
fn clusters_hold_every_document_and_a_search_fetches_the_near_ones() {
    let workshop = Workshop::new();
    workshop.write("rows.csv", rows(600));
    workshop.built("rows.csv", "plain", &[]);
    let report = workshop.built("rows.csv", "out", &["--clusters", "12"]);
    assert!(
        report.contains("100.0 % of the vectors' bytes, recall@10 1.0000"),
        "{report}"
    );
    succeeded(&workshop.run("validate", "out", &[]));
    let titles = |index: &str, more: &[&str]| -> Vec<String> {
        let lines = succeeded(&workshop.run("search", index, more));
        let value = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        let titles = lines.lines().map(|line| value(line)["id"].to_string());
        let mut titles: Vec<String> = titles.collect();
        titles.sort();
        titles
    };
    let all = ["plough", "--json", "-k", "1000"];
    assert_eq!(titles("out", &all).len(), 600);
    assert_eq!(titles("out", &all), titles("plain", &all));
    let every = ["plough", "--json", "-k", "1000", "--probes", "12"];
    assert_eq!(titles("out", &every), titles("plain", &all));
    let near = succeeded(&workshop.run("search", "out", &["plough", "--probes", "1"]));
    assert!(near.contains(" of vectors, in 1 files"), "{near}");
}

#[test]
fn results_are_sorted_by_what_the_index_keeps() {
    let workshop = Workshop::new();
    workshop.write(
        "few.csv",
        "id,title,date,maker\n1,Bowl,1900,Zoe\n2,Älpler,1700,\n3,chair,,Ada\n",
    );
    let flags = ["--sort", "title,maker", "--show", "maker"];
    workshop.built("few.csv", "out", &flags);
    let ids = |more: &[&str]| -> String {
        let args = [&["", "--json", "--sort"], more].concat();
        let lines = succeeded(&workshop.run("search", "out", &args));
        let value = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        let ids = lines
            .lines()
            .map(|line| value(line)["id"].as_str().unwrap().to_owned());
        ids.collect()
    };
    assert_eq!(ids(&["title"]), "213");
    assert_eq!(ids(&["maker", "--descending"]), "132");
    assert_eq!(ids(&["earliest"]), "213");
    let output = workshop.run("search", "out", &["", "--sort", "color"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("relevance, earliest, latest, Title, Maker"),
        "{said}"
    );
    let unshown = workshop.build("few.csv", "other", &["--sort", "maker", "--show", "date"]);
    let said = String::from_utf8_lossy(&unshown.stderr).into_owned();
    assert!(said.contains("show the field too"), "{said}");
}

#[test]
fn a_killed_build_goes_on_and_gives_the_same_bytes() {
    let workshop = Workshop::with_model(SLOW);
    workshop.write("few.csv", rows(20));
    workshop.built("few.csv", "out", &[]);
    let before = published(&workshop.path("out"));
    workshop.write("many.csv", rows(1_500));

    let cache = workshop.path("out/.almanac-cache/vectors.bin");
    let size = || std::fs::metadata(&cache).unwrap().len();
    let start = size();
    let mut build = workshop
        .build_command("many.csv", "out")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(120);
    while size() < start + 100_000 {
        assert!(
            build.try_wait().unwrap().is_none(),
            "the build ended before it could be killed"
        );
        assert!(Instant::now() < deadline, "the build computes nothing");
        std::thread::sleep(Duration::from_millis(2));
    }
    build.kill().unwrap();
    assert!(!build.wait().unwrap().success());

    let manifest =
        |files: &std::collections::BTreeMap<String, Vec<u8>>| files["manifest.json"].clone();
    assert_eq!(
        manifest(&published(&workshop.path("out"))),
        manifest(&before)
    );
    succeeded(&workshop.run("validate", "out", &[]));

    let resumed = workshop.built("many.csv", "out", &[]);
    let computed = computed(&resumed);
    assert!(
        (1..1_690).contains(&computed),
        "computed {computed}: {resumed}"
    );
    workshop.built("many.csv", "fresh", &[]);
    succeeded(&workshop.run("prune", "out", &[]));
    assert!(published(&workshop.path("out")) == published(&workshop.path("fresh")));
}

#[test]
fn a_changed_row_embeds_its_batch_only_and_gives_the_bytes_of_a_fresh_build() {
    let workshop = Workshop::new();
    let old = rows(1_000);
    workshop.write("rows.csv", &old);
    workshop.built("rows.csv", "out", &[]);
    workshop.write(
        "rows.csv",
        format!("{old}new,a new plough,of oak and iron,1850\n"),
    );
    let report = workshop.built("rows.csv", "out", &[]);
    let again = computed(&report);
    assert!((1..=100).contains(&again), "{report}");
    assert!(
        report.contains("files of earlier builds remain"),
        "{report}"
    );
    succeeded(&workshop.run("prune", "out", &[]));
    workshop.built("rows.csv", "fresh", &[]);
    assert!(published(&workshop.path("out")) == published(&workshop.path("fresh")));
}

#[test]
fn unchanged_inputs_are_up_to_date_without_the_model() {
    let workshop = Workshop::new();
    workshop.write("rows.csv", rows(20));
    workshop.built("rows.csv", "out", &[]);
    for entry in std::fs::read_dir(workshop.path("model")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "bin") {
            std::fs::remove_file(path).unwrap();
        }
    }
    let started = Instant::now();
    let report = workshop.built("rows.csv", "out", &[]);
    assert!(report.contains("is up to date: 20 documents"), "{report}");
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn a_change_of_any_input_or_a_lost_file_builds_again() {
    let workshop = Workshop::new();
    workshop.write("rows.csv", rows(20));
    workshop.built("rows.csv", "out", &[]);
    let report = workshop.built("rows.csv", "out", &["--title", "Other"]);
    assert!(report.contains(": Other"), "{report}");
    let vectors = published(&workshop.path("out"))
        .into_keys()
        .find(|name| name.starts_with("vectors-"))
        .unwrap();
    std::fs::remove_file(workshop.path("out").join(&vectors)).unwrap();
    let report = workshop.built("rows.csv", "out", &["--title", "Other"]);
    assert!(report.contains("all from the cache"), "{report}");
    succeeded(&workshop.run("validate", "out", &[]));
}

#[test]
fn long_text_is_cut_at_sentences_and_nothing_is_lost() {
    let workshop = Workshop::new();
    let english = "The oak plough is old. Iron shares wear out. ".repeat(12);
    let chinese = "農書。犁田！耕犁？".repeat(30);
    workshop.write(
        "long.csv",
        format!("id,title,description\n1,Plough,{english}\n2,農書,{chinese}\n"),
    );
    workshop.built("long.csv", "out", &[]);
    let mut command = workshop.run("search", "out", &["plough", "--json"]);
    let hits = succeeded(&command);
    assert_eq!(hits.lines().count(), 2);
    command = workshop.run("inspect", "out", &[]);
    let passages: usize = field(&succeeded(&command), "passages").parse().unwrap();
    assert!(passages > 10, "{passages}");
    for passage in all_passages(&workshop) {
        assert!(
            passage.ends_with(['.', '。', '！', '？']),
            "cut inside a sentence: {passage:?}"
        );
    }
    let squeeze = |text: &str| text.split_whitespace().collect::<String>();
    let together: String = all_passages(&workshop).iter().map(|p| squeeze(p)).collect();
    let expected = squeeze(&format!("Plough. {english}農書. {chinese}"));
    assert_eq!(together, expected);
}

#[test]
fn judged_queries_choose_how_dates_are_compared() {
    let workshop = Workshop::new();
    let (mut rows, mut judged) = (String::from("id,description\n"), String::new());
    let places = [
        "Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple",
    ];
    for (at, place) in places.into_iter().enumerate() {
        // Either verb is as often the right one, and no year, so that neither meaning nor words choose.
        let (one, other) = [("moved", "burnt"), ("burnt", "moved")][at % 2];
        let (first, later) = (1800 + 5 * at, 1805 + 5 * at);
        rows += &format!("later-{place},The seat of {place} was {one} in {later}.\n");
        rows += &format!("first-{place},The seat of {place} was {other} in {first}.\n");
        judged += &format!(
            "{{\"query\": \"seat of {place} from {first} to {}\", \"ids\": [\"first-{place}\"]}}\n",
            first + 18
        );
    }
    workshop.write("seats.csv", rows);
    let queries = workshop.write("queries.jsonl", judged);
    let report = workshop.built(
        "seats.csv",
        "out",
        &["--queries", queries.to_str().unwrap()],
    );
    assert!(report.contains("compared as in prose"), "{report}");
    assert!(report.contains("chosen on 8 judged queries"), "{report}");
    let found = workshop.run(
        "search",
        "out",
        &["seat of Elm from 1815 to 1833", "--json"],
    );
    let first = succeeded(&found).lines().next().unwrap().to_owned();
    assert!(first.contains("first-Elm"), "{first}");
}

#[test]
fn every_part_of_a_long_text_is_read_with_its_title_and_shown_without() {
    let build = |title: &str| {
        let workshop = Workshop::new();
        let text = "The oak plough is old. Iron shares wear out. ".repeat(12);
        workshop.write(
            "long.csv",
            format!("id,title,description\n1,{title},{text}\n"),
        );
        workshop.built("long.csv", "out", &[]);
        let index = almanac::index::Index::open_folder(&workshop.path("out")).unwrap();
        let passages = all_passages(&workshop);
        let last = index.vector(passages.len() as u32 - 1).unwrap();
        (passages, last)
    };
    let (plough, sickle) = (build("Plough"), build("Sickle"));
    assert!(plough.0.len() > 2, "{:?}", plough.0);
    assert_eq!(plough.0[1..], sickle.0[1..]);
    assert!(!plough.0[1].contains("Plough"));
    assert_ne!(plough.1, sickle.1);
    // A title that would fill the passage is not said again.
    let long = "a very long title ".repeat(40);
    let (one, other) = (build(&format!("{long}one")), build(&format!("{long}two")));
    assert_eq!(one.0.last(), other.0.last());
    assert_eq!(one.1, other.1);
}

fn all_passages(workshop: &Workshop) -> Vec<String> {
    let folder = workshop.path("out");
    let index = almanac::index::Index::open_folder(&folder).unwrap();
    index
        .manifest()
        .files_of(almanac::index::SectionKind::Documents)
        .flat_map(|file| {
            let bytes = std::fs::read(folder.join(&file.file.file)).unwrap();
            index.read_documents(file, &bytes).unwrap()
        })
        .flat_map(|document| document.passages)
        .collect()
}

#[test]
fn a_thousand_kilobytes_of_one_word_are_cut_too() {
    let workshop = Workshop::new();
    let title = "a b ".repeat(20_000);
    workshop.write(
        "wide.csv",
        format!("id,title\n1,{title}\n2,{}\n", "x".repeat(1_000_000)),
    );
    let report = workshop.built("wide.csv", "out", &[]);
    assert!(report.contains("2 documents"), "{report}");
}

#[test]
fn json_arrays_and_nested_fields_are_searched() {
    let workshop = Workshop::new();
    workshop.write(
        "objects.jsonl",
        concat!(
            r#"{"id":1,"title":"Plough","maker":[{"name":"Ada"},{"name":"Bo"}],"url":"javascript:x"}"#,
            "\n",
            r#"{"id":2,"title":"Bowl","maker":[{"name":"Cy"}],"url":"https://example.org/2"}"#,
            "\n"
        ),
    );
    let config = workshop.write(
        "collection.toml",
        r#"
        title = "Things"
        [fields]
        id = "id"
        title = "title"
        url = "url"
        text = [{ field = "maker.name", prefix = "by " }]
        "#,
    );
    let output = workshop.build(
        "objects.jsonl",
        "out",
        &["--config", config.to_str().unwrap()],
    );
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    succeeded(&output);
    assert!(
        stderr.contains("line 1: url \"javascript:x\" left out"),
        "{stderr}"
    );
    let passages = all_passages(&workshop);
    assert_eq!(passages, ["Plough. by Ada; Bo", "Bowl. by Cy"]);
    let lines = succeeded(&workshop.run("search", "out", &["Bowl. by Cy", "--json", "-k", "1"]));
    let hit: serde_json::Value = serde_json::from_str(&lines).unwrap();
    assert_eq!(hit["rank"], 1);
    assert_eq!(hit["id"], "2");
    assert_eq!(hit["passage"], "Bowl. by Cy");
    assert_eq!(hit["url"], "https://example.org/2");
    assert!(hit["score"].as_f64().unwrap() > 0.98, "{hit}");
}

#[test]
fn collectionbuilder_metadata_needs_no_configuration() {
    for (name, objects) in [
        ("collectionbuilder-demo-metadata.csv", 7),
        ("collectionbuilder-demo-compoundobjects-metadata.csv", 0),
        ("collectionbuilder-demo-compoundobjects-allmedia.csv", 0),
    ] {
        let workshop = Workshop::new();
        let fixture = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures/collectionbuilder")
            .join(name);
        std::fs::copy(fixture, workshop.path(name)).unwrap();
        let output = workshop.build(name, "out", &[]);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let report = succeeded(&output);
        assert!(
            stderr.contains("id = objectid; title = title; date = date"),
            "{stderr}"
        );
        if objects > 0 {
            assert!(report.contains(&format!("{objects} documents")), "{report}");
        }
        succeeded(&workshop.run("validate", "out", &[]));
    }
}

/// Reads "N computed" of a report, 0 where all came from the cache.
fn computed(report: &str) -> usize {
    report
        .split_once(" computed")
        .and_then(|(before, _)| before.rsplit(' ').next()?.parse().ok())
        .unwrap_or(0)
}

fn field(report: &str, name: &str) -> String {
    report
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .unwrap_or_else(|| panic!("no {name} in {report}"))
        .trim()
        .to_owned()
}
