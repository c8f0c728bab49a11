//! The shipped farming books with the model that comes with them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use almanac::index::Index;
use common::{build_shipped, overlap_of_ten, shipped, shipped_rows};

/// One passage in so many is used here, out of every book: enough for two hundred queries.
const STEP: usize = 25;

/// Characters of a passage in modern script that stand for a query about it.
const QUERY_CHARACTERS: usize = 12;

#[test]
fn integers_find_the_ten_best_that_float32_finds() {
    let model = shipped("nongshu").join("model");
    let folder = tempfile::tempdir().unwrap();
    let all = shipped_rows("nongshu");
    let rows: Vec<String> = all.lines().step_by(STEP).map(str::to_owned).collect();
    let (out, _) = build_shipped("nongshu", &rows, &model, folder.path());
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
