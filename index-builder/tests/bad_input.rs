//! Input that cannot be used: one line that says where and what to do, and the index in place
//! stays as it was.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Workshop, failed, published, rows, succeeded};

/// Builds a good index, then a bad file over it; gives the error of the second build.
fn refused(name: &str, bytes: impl AsRef<[u8]>, more: &[&str]) -> String {
    let workshop = Workshop::new();
    workshop.write("good.csv", rows(5));
    workshop.built("good.csv", "out", &[]);
    let before = published(&workshop.path("out"));
    workshop.write(name, bytes);
    let error = failed(&workshop.build(name, "out", more));
    assert_eq!(published(&workshop.path("out")), before);
    succeeded(&workshop.run("validate", "out", &[]));
    assert!(error.contains(name), "no file in: {error}");
    error
}

fn assert_says(error: &str, parts: &[&str]) {
    for part in parts {
        assert!(error.contains(part), "{part:?} is not in: {error}");
    }
}

#[test]
fn an_empty_file_is_refused() {
    assert_says(&refused("bad.csv", "", &[]), &["the file is empty"]);
    assert_says(&refused("bad.jsonl", "\n \n", &[]), &["the file is empty"]);
}

#[test]
fn a_header_without_rows_is_refused() {
    assert_says(
        &refused("bad.csv", "id,title\n", &[]),
        &["no rows", "at least one"],
    );
}

#[test]
fn a_missing_column_is_answered_with_those_there_are() {
    let error = refused("bad.csv", "id,title\n1,a\n", &["--date", "made"]);
    assert_says(&error, &["no field \"made\"", "id, title"]);
    let error = refused("bad.jsonl", "{\"k\":1,\"v\":{\"w\":\"x\"}}\n", &[]);
    assert_says(&error, &["--field-title", "k, v.w"]);
}

#[test]
fn a_field_over_the_limit_is_refused_with_line_and_field() {
    let csv = format!(
        "id,title,description\n1,a,b\n2,c,{}\n",
        "x".repeat(10_000_000)
    );
    let error = refused("bad.csv", csv, &[]);
    assert_says(
        &error,
        &["line 3", "field description", "10000000 bytes", "1048576"],
    );
    let json = format!("{{\"id\":1,\"title\":\"{}\"}}\n", "x".repeat(10_000_000));
    assert_says(&refused("bad.jsonl", json, &[]), &["line 1", "field title"]);
}

#[test]
fn text_that_is_not_utf8_is_refused_with_line_and_byte() {
    let error = refused("bad.csv", b"id,title\n1,a\n2,caf\xe9\n", &[]);
    assert_says(&error, &["line 3, byte 6", "0xe9", "UTF-8"]);
    let error = refused("bad.csv", b"\xff\xfei\0d\0,\0", &[]);
    assert_says(&error, &["UTF-16", "save the file as UTF-8"]);
}

#[test]
fn duplicate_identifiers_are_refused_with_both_lines() {
    let error = refused("bad.csv", "id,title\n1,a\n2,b\n1,c\n", &[]);
    assert_says(&error, &["lines 2 and 4", "\"1\"", "--id"]);
}

#[test]
fn an_empty_identifier_is_refused_with_its_line() {
    let error = refused("bad.csv", "id,title\n1,a\n,b\n", &["--id", "id"]);
    assert_says(&error, &["line 3", "identifier is empty"]);
}

#[test]
fn a_row_without_text_is_refused_with_its_line() {
    let error = refused("bad.csv", "id,title,description\n1,a,b\n2,,\n", &[]);
    assert_says(
        &error,
        &["line 3", "no text in title, description", "--skip-empty"],
    );
}

#[test]
fn a_malformed_json_line_is_refused_with_line_and_column() {
    let error = refused("bad.jsonl", "{\"id\":1,\"title\":\"a\"}\n{\"id\":2,\n", &[]);
    assert_says(&error, &["line 2, column", "JSON"]);
    let error = refused("bad.jsonl", "{\"id\":1,\"title\":\"a\"}\n[2]\n", &[]);
    assert_says(&error, &["line 2", "an array", "expected an object"]);
}

#[test]
fn a_ragged_row_is_refused_with_its_line() {
    let error = refused("bad.csv", "id,title\n1,a\n2,b,c\n", &[]);
    assert_says(&error, &["line 3", "3 values", "2 columns"]);
}

#[test]
fn nul_characters_are_refused_with_line_and_field() {
    let error = refused("bad.csv", "id,title\n1,a\n2,b\0\n", &[]);
    assert_says(&error, &["line 3", "field title", "NUL"]);
    let error = refused("bad.jsonl", "{\"id\":1,\"title\":\"\\u0000\"}\n", &[]);
    assert_says(&error, &["line 1", "field title", "NUL"]);
}

#[test]
fn a_name_that_does_not_say_the_format_is_refused() {
    assert_says(&refused("bad.xlsx", "id,title\n1,a\n", &[]), &["--format"]);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let workshop = Workshop::new();
    let error = failed(&workshop.build("absent.csv", "out", &[]));
    assert_says(&error, &["absent.csv", "No such file"]);
}

#[test]
fn a_broken_configuration_is_refused_with_its_line() {
    let workshop = Workshop::new();
    workshop.write("good.csv", rows(3));
    let config = workshop.path("collection.toml");
    let config = config.to_str().unwrap();
    for (toml, parts) in [
        (
            "title = \"T\"\n[fields\n",
            &["collection.toml", "line 2"][..],
        ),
        (
            "title = \"T\"\ntitel = \"T\"\n",
            &["collection.toml", "line 2", "titel"],
        ),
        ("[fields]\nid = 3\n", &["collection.toml", "line 2"]),
        (
            "[fields]\ntext = [1]\n",
            &["collection.toml", "line 2", "expected a field name"],
        ),
        (
            "[fields]\ntitle = \"nope\"\n",
            &["good.csv", "\"nope\"", "id, title"],
        ),
    ] {
        workshop.write("collection.toml", toml);
        let error = failed(&workshop.build("good.csv", "out", &["--config", config]));
        assert_says(&error, parts);
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let workshop = Workshop::new();
    workshop.write("good.csv", rows(3));
    workshop.write("file", "not a folder");
    let model = workshop.path("model");
    let model = model.to_str().unwrap();
    let error = failed(&workshop.build("good.csv", "file/out", &["--model", model]));
    assert_says(&error, &["file/out", "Not a directory"]);
}

#[test]
fn a_corrupted_model_file_is_named_and_the_index_stays() {
    let workshop = Workshop::new();
    workshop.write("good.csv", rows(5));
    workshop.built("good.csv", "out", &[]);
    let before = published(&workshop.path("out"));
    workshop.write("more.csv", rows(6));
    for stem in ["weights-0", "tokenizer"] {
        let path = std::fs::read_dir(workshop.path("model"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| {
                path.file_name()
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .starts_with(stem)
            })
            .unwrap();
        let good = std::fs::read(&path).unwrap();
        let mut bad = good.clone();
        bad[good.len() / 2] ^= 1;
        std::fs::write(&path, bad).unwrap();
        let error = failed(&workshop.build("more.csv", "out", &[]));
        assert_says(&error, &["model", stem, "sha256"]);
        assert_eq!(published(&workshop.path("out")), before);
        std::fs::write(&path, good).unwrap();
    }
    workshop.write("model/card.json", "{}");
    let error = failed(&workshop.build("more.csv", "out", &[]));
    assert_says(&error, &["card.json", "not a model card"]);
    assert_eq!(published(&workshop.path("out")), before);
}

#[test]
fn an_index_and_another_model_are_refused_together() {
    let workshop = Workshop::new();
    workshop.write("good.csv", rows(5));
    workshop.built("good.csv", "out", &[]);
    let other = workshop.path("other");
    common::write_model(
        &other,
        common::Shape {
            seed: 7,
            ..common::TINY
        },
    );
    let other = ["--model", other.to_str().unwrap()];
    let search = almanac_search(&workshop, &other);
    assert_says(&failed(&search), &["random-32-1", "random-32-7", "rebuild"]);
    let validate = workshop.run("validate", "out", &other);
    assert_says(&failed(&validate), &["random-32-1", "random-32-7"]);
}

#[test]
fn without_a_model_the_way_to_name_one_is_told() {
    let workshop = Workshop::new();
    workshop.write("good.csv", rows(5));
    workshop.built("good.csv", "out", &[]);
    std::fs::rename(workshop.path("model"), workshop.path("elsewhere")).unwrap();
    let error = failed(&almanac_search(&workshop, &[]));
    assert_says(&error, &["no model beside the index", "--model"]);
}

fn almanac_search(workshop: &Workshop, more: &[&str]) -> std::process::Output {
    let mut arguments = vec!["plough"];
    arguments.extend(more);
    workshop.run("search", "out", &arguments)
}
