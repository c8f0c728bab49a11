//! The shipped collection with a real model: what visitors ask is found, what means nothing is not.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::path::PathBuf;

use almanac::index::Index;
use common::{almanac_index, build_shipped, overlap_of_ten, shipped_rows, succeeded};

/// Objects of the collection used here: enough for the queries below, quick to embed.
const OBJECTS: usize = 1_500;

fn model() -> PathBuf {
    match std::env::var_os("ALMANAC_MODEL") {
        Some(folder) => std::path::absolute(folder).unwrap(),
        None => panic!(
            "ALMANAC_MODEL names no model folder: run `cargo xtask test`, or set it to a folder \
             made by `almanac-model import` from all-MiniLM-L6-v2"
        ),
    }
}

#[test]
fn every_row_of_the_shipped_collection_is_an_object_with_text() {
    let text = shipped_rows("cmoa");
    let mut ids = std::collections::HashSet::new();
    for (line, row) in text.lines().enumerate() {
        let object: serde_json::Value = serde_json::from_str(row).unwrap();
        assert!(
            ids.insert(object["id"].as_str().unwrap().to_owned()),
            "line {}",
            line + 1
        );
        let has = |field: &str| {
            object[field]
                .as_str()
                .is_some_and(|value| !value.is_empty())
        };
        assert!(
            has("title") || has("medium") || has("classification"),
            "line {}",
            line + 1
        );
        assert!(
            object["web_url"].as_str().unwrap().starts_with("http://"),
            "line {}",
            line + 1
        );
    }
    assert_eq!(ids.len(), 28_258);
}

#[test]
fn real_queries_are_matched_and_meaningless_ones_are_not() {
    let model = model();
    let folder = tempfile::tempdir().unwrap();
    let all = shipped_rows("cmoa");
    let rows: Vec<String> = all.lines().take(OBJECTS).map(str::to_owned).collect();
    let (out, report) = build_shipped("cmoa", &rows, &model, folder.path());
    assert!(report.contains("1500 documents"), "{report}");

    let answer = |query: &str| -> String {
        let search = almanac_index()
            .arg("search")
            .arg(&out)
            .args([query, "-k", "1", "--model"])
            .arg(&model)
            .output()
            .unwrap();
        succeeded(&search).to_lowercase()
    };
    let index = Index::open_folder(&out).unwrap();
    let recall = index.manifest().recall_at_10;
    assert!(recall > 0.98, "recall {recall}");
    let titles: Vec<String> = rows
        .iter()
        .step_by(5)
        .filter_map(|row| {
            let object: serde_json::Value = serde_json::from_str(row).unwrap();
            object["title"].as_str().map(str::to_owned)
        })
        .collect();
    let overlap = overlap_of_ten(&index, &model, &titles);
    println!("ten best in integers and in float32: overlap {overlap:.4}");
    assert!(overlap >= 0.98, "{overlap}");
    for (query, word) in [
        ("portrait of a woman", "portrait"),
        ("steel mill at night", "steel"),
        ("japanese woodblock print", "woodblock"),
        ("oak chair", "chair"),
    ] {
        let said = answer(query);
        assert!(!said.contains("no close match"), "{query}: {said}");
        assert!(said.contains(word), "{query}: {said}");
    }
    for query in [
        "xxxxxxxxxxxx",
        "asdf qwer zxcv",
        "how do I reset my router password",
    ] {
        let said = answer(query);
        assert!(said.contains("no close match"), "{query}: {said}");
    }
    let dated = answer("portrait 1890s");
    assert!(dated.contains("1890s → 1890 to 1899"), "{dated}");
    assert!(dated.contains(": inside"), "{dated}");
    let validate = almanac_index()
        .arg("validate")
        .arg(&out)
        .arg("--model")
        .arg(&model)
        .output()
        .unwrap();
    succeeded(&validate);
}
