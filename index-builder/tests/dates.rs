//! The door for scripts: dates of texts, and the date columns of a collection.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use common::{almanac_index, failed, succeeded};
use serde_json::Value;

fn fixture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/dates");
    folder.join(name).to_str().unwrap().to_owned()
}

fn dates(options: &[&str], input: &str) -> Output {
    let mut child = almanac_index()
        .arg("dates")
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A command that refuses its options reads nothing.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn json(stdout: &str) -> Vec<Value> {
    stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn each_line_of_text_gives_one_line_of_findings() {
    let out = succeeded(&dates(&[], "c. 1850\n\n康熙三年五月, n.d.\n"));
    let lines = json(&out);
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["found"][0]["candidates"][0]["edtf"], "1850~");
    assert_eq!(lines[1]["found"], Value::Array(Vec::new()));
    let found = &lines[2]["found"][0];
    assert_eq!(found["match"], "康熙三年五月");
    assert_eq!(found["candidates"][0]["first"], "1664-05-25");
}

#[test]
fn wrong_options_are_named_with_the_way_out() {
    for (options, part) in [
        (["--preset", "louvre"], "choose one of almanac, cmoa, tate"),
        (["--lang", "fr"], "choose auto, en or zh"),
        (
            ["--anchor", "2024-13-01"],
            "expected a day such as 2024-03-15",
        ),
    ] {
        let error = failed(&dates(&options, "1850\n"));
        assert!(
            error.starts_with(&options.join(" ")) && error.contains(part),
            "{error}"
        );
    }
}

/// Conflicts of each imported row by kind, and its interval in words.
fn imported(file: &str, preset: &str) -> (Vec<(Value, Vec<String>)>, String) {
    let file = fixture(file);
    let options = [
        "--import",
        &file,
        "--preset",
        preset,
        "--date",
        "made",
        "--earliest",
        "made_earliest",
        "--latest",
        "made_latest",
    ];
    let output = dates(&options, "");
    let lines = json(&succeeded(&output));
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(line["row"], index + 1);
        for conflict in line["conflicts"].as_array().unwrap() {
            let message = conflict["message"].as_str().unwrap();
            assert!(
                message.starts_with(&format!("row {}: ", index + 1)),
                "{message}"
            );
        }
    }
    let rows = lines
        .iter()
        .map(|line| {
            let kinds = line["conflicts"].as_array().unwrap().iter();
            let kinds = kinds.map(|c| c["kind"].as_str().unwrap().to_owned());
            (line["interval"]["reading"].clone(), kinds.collect())
        })
        .collect();
    let summary = String::from_utf8(output.stderr).unwrap();
    assert_eq!(summary.lines().count(), 1, "{summary}");
    (rows, summary.trim().to_owned())
}

#[test]
fn conflicts_of_imported_columns_are_reported_by_row() {
    for file in ["columns.csv", "columns.jsonl"] {
        let (rows, summary) = imported(file, "cmoa");
        let expected: [(Option<&str>, &[&str]); 9] = [
            (Some("1855 to 1865"), &[]),
            (Some("960 to 1279"), &["julian_shift"]),
            (Some("664 to 525 BCE"), &["julian_shift", "no_year_zero"]),
            (Some("1935"), &["year_out_of_range"]),
            (Some("1819"), &["start_after_end"]),
            (Some("1904"), &["other_years"]),
            (Some("1913"), &["not_a_date"]),
            (None, &[]),
            (Some("from 1850"), &[]),
        ];
        assert_eq!(rows.len(), expected.len());
        for ((reading, kinds), (words, expected)) in rows.iter().zip(expected) {
            assert_eq!(reading.as_str(), words);
            assert_eq!(kinds, expected);
        }
        assert_eq!(
            summary,
            "9 rows: 8 dated, 1 without a date, 6 with conflicts (1 start after end, 1 year out of \
             range, 1 not a date, 2 Julian shift, 1 no year zero, 1 other years than the text)"
        );
    }
}

#[test]
fn imported_rows_carry_iso_bounds_and_their_line() {
    let file = fixture("columns.csv");
    let out = succeeded(&dates(&["--import", &file, "--date", "made"], ""));
    let first = &json(&out)[0];
    assert_eq!(first["line"], 2);
    assert_eq!(first["text"], "c. 1860");
    assert_eq!(first["interval"]["first"], "1855-01-01");
    assert_eq!(first["interval"]["last"], "1865-12-31");
    assert_eq!(first["interval"]["edtf"], "1855/1865");
}

#[test]
fn an_import_without_a_field_of_that_name_lists_the_fields() {
    let file = fixture("columns.csv");
    let error = failed(&dates(&["--import", &file, "--date", "year"], ""));
    assert!(
        error.contains("there is no field \"year\"; the fields are: id, made, made_earliest"),
        "{error}"
    );
    let error = failed(&dates(&["--import", &file], ""));
    assert!(error.contains("add --date"), "{error}");
}
