//! Describing, checking and tidying an index.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Workshop, almanac_index, failed, published, rows, succeeded};

fn index() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("rows.csv", rows(300));
    workshop.built("rows.csv", "out", &["--title", "Things"]);
    workshop
}

#[test]
fn inspect_tells_counts_model_and_sizes() {
    let report = succeeded(&index().run("inspect", "out", &[]));
    for part in [
        "Things",
        "almanac-index 1.",
        "documents      300",
        "random-32-1",
        "vectors",
    ] {
        assert!(report.contains(part), "{part} is not in {report}");
    }
}

#[test]
fn validate_finds_a_flipped_byte_a_cut_and_a_missing_file_in_every_file() {
    let workshop = index();
    let model = workshop.path("model");
    succeeded(&workshop.run("validate", "out", &["--model", model.to_str().unwrap()]));
    for (name, good) in published(&workshop.path("out")) {
        let path = workshop.path("out").join(&name);
        let mut flipped = good.clone();
        let middle = good.len() / 2;
        flipped[middle] ^= 1;
        std::fs::write(&path, &flipped).unwrap();
        failed(&workshop.run("validate", "out", &[]));
        std::fs::write(&path, &good[..middle]).unwrap();
        failed(&workshop.run("validate", "out", &[]));
        std::fs::remove_file(&path).unwrap();
        failed(&workshop.run("validate", "out", &[]));
        std::fs::write(&path, &good).unwrap();
    }
    succeeded(&workshop.run("validate", "out", &[]));
}

#[test]
fn validate_finds_weights_that_changed_under_one_id() {
    let workshop = index();
    let other = workshop.path("other");
    common::write_model(
        &other,
        common::Shape {
            seed: 5,
            ..common::TINY
        },
    );
    let card = std::fs::read_to_string(other.join("card.json")).unwrap();
    std::fs::write(
        other.join("card.json"),
        card.replace("random-32-5", "random-32-1"),
    )
    .unwrap();
    let validate = workshop.run("validate", "out", &["--model", other.to_str().unwrap()]);
    let error = failed(&validate);
    assert!(error.contains("encoded again"), "{error}");
}

#[test]
fn prune_removes_what_the_manifest_does_not_name_and_nothing_else() {
    let workshop = index();
    let before = published(&workshop.path("out"));
    workshop.write("out/vectors-0123456789abcdef.bin", "old");
    workshop.write("out/index.html", "mine");
    let report = succeeded(&workshop.run("prune", "out", &["--dry-run"]));
    assert!(report.contains("would remove 1 files"), "{report}");
    assert_eq!(published(&workshop.path("out")).len(), before.len() + 2);
    succeeded(&workshop.run("prune", "out", &[]));
    let after = published(&workshop.path("out"));
    assert!(after.contains_key("index.html"));
    assert_eq!(after.len(), before.len() + 1);
    succeeded(&workshop.run("validate", "out", &[]));
}

#[test]
fn a_folder_that_is_no_index_is_refused_by_every_command() {
    let workshop = Workshop::new();
    for subcommand in ["inspect", "validate", "prune"] {
        let error = failed(&workshop.run(subcommand, "model", &[]));
        assert!(error.contains("not an index"), "{subcommand}: {error}");
    }
}

#[test]
fn search_prints_as_many_results_as_asked_in_falling_order() {
    let workshop = index();
    let lines = succeeded(&workshop.run("search", "out", &["oak plough", "--json", "-k", "25"]));
    let scores: Vec<f64> = lines
        .lines()
        .map(|line| {
            let hit: serde_json::Value = serde_json::from_str(line).unwrap();
            hit["score"].as_f64().unwrap()
        })
        .collect();
    assert_eq!(scores.len(), 25);
    assert!(
        scores.windows(2).all(|pair| pair[0] >= pair[1]),
        "{scores:?}"
    );
    let error = failed(&workshop.run("search", "out", &["  "]));
    assert!(error.contains("the query is empty"), "{error}");
}

#[test]
fn tokens_and_encode_answer_each_line_of_stdin() {
    use std::io::Write;
    let workshop = Workshop::new();
    let ask = |subcommand: &str, input: &str| {
        let mut child = almanac_index()
            .arg(subcommand)
            .arg("--model")
            .arg(workshop.path("model"))
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        child.wait_with_output().unwrap()
    };
    let lines = succeeded(&ask("tokens", "\"ab\"\n\"\"\n"));
    assert_eq!(lines, "[2,4,7,3]\n[2,3]\n");
    let lines = succeeded(&ask("encode", "\"oak\"\n"));
    let vector: Vec<f64> = serde_json::from_str(&lines).unwrap();
    let length: f64 = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert_eq!(vector.len(), 32);
    assert!((length - 1.0).abs() < 1e-5, "{length}");
    let error = failed(&ask("tokens", "oak\n"));
    assert!(error.contains("stdin, line 1"), "{error}");
}
