//! The shipped farming books with the model that comes with them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::io::Read;
use std::path::{Path, PathBuf};

use almanac::index::Index;
use common::{almanac_index, overlap_of_ten, succeeded};

/// One passage in so many is used here, out of every book: enough for two hundred queries.
const STEP: usize = 25;

/// Characters of a passage in modern script that stand for a query about it.
const QUERY_CHARACTERS: usize = 12;

fn collection() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../collections/nongshu")
}

fn rows() -> Vec<String> {
    let bytes = std::fs::read(collection().join("objects.jsonl.gz")).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes.as_slice())
        .read_to_string(&mut text)
        .unwrap();
    text.lines().step_by(STEP).map(str::to_owned).collect()
}

#[test]
fn integers_find_the_ten_best_that_float32_finds() {
    let model = collection().join("model");
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("objects.jsonl");
    let rows = rows();
    std::fs::write(&input, rows.join("\n")).unwrap();
    let out = folder.path().join("index");
    let build = almanac_index()
        .args(["build", "--input"])
        .arg(&input)
        .arg("--out")
        .arg(&out)
        .arg("--model")
        .arg(&model)
        .arg("--config")
        .arg(collection().join("collection.toml"))
        .output()
        .unwrap();
    succeeded(&build);
    let queries: Vec<String> = rows
        .iter()
        .step_by(2)
        .chain(rows.iter().skip(1).step_by(8))
        .map(|row| {
            let passage: serde_json::Value = serde_json::from_str(row).unwrap();
            let modern = passage["simplified"].as_str().unwrap();
            modern.chars().take(QUERY_CHARACTERS).collect()
        })
        .collect();
    let index = Index::open_folder(&out).unwrap();
    assert!(!index.manifest().examples.is_empty());
    let overlap = overlap_of_ten(&index, &model, &queries);
    println!("ten best in integers and in float32: overlap {overlap:.4}");
    assert!(overlap >= 0.98, "{overlap}");
}
