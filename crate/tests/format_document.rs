//! `docs/format.md` is enough to read an index: a reader in Python written from it agrees with ours.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use almanac::index::Index;

const TERMS: [&str; 4] = ["plough", "农", "#42.7-3", "absent"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn golden() -> PathBuf {
    root().join("tests/golden/index-1.3")
}

/// Runs the reader; `None`, with a word about it, where there is no Python.
fn read(folder: &Path) -> Option<Output> {
    let output = Command::new("python3")
        .arg(root().join("docs/examples/read_index.py"))
        .arg(folder)
        .args(TERMS)
        .env("PYTHONIOENCODING", "utf-8")
        .output();
    if output.is_err() {
        eprintln!("skipped: python3 is not there to run docs/examples/read_index.py");
    }
    output.ok()
}

fn lines(output: &Output) -> Vec<String> {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_reader_written_from_the_document_finds_what_ours_finds() {
    let Some(output) = read(&golden()) else {
        return;
    };
    let lines = lines(&output);
    let index = Index::open_folder(&golden()).unwrap();
    let rest = |start: &str| -> Vec<String> {
        let found = lines.iter().filter_map(|line| line.strip_prefix(start));
        found.map(str::to_owned).collect()
    };
    for number in 0..index.manifest().documents {
        let name = &index.document_file(number).unwrap().file.file;
        let bytes = std::fs::read(golden().join(name)).unwrap();
        let ours = serde_json::to_value(index.document(number, &bytes).unwrap()).unwrap();
        let theirs: serde_json::Value =
            serde_json::from_str(&rest(&format!("document {number}: {{"))[0].replacen("", "{", 1))
                .unwrap();
        assert_eq!(theirs, ours);
        let facet = &index.facets().unwrap().facets()[0];
        let values = (0u32..).zip(&facet.values);
        let held: Vec<&String> = values
            .filter(|(value, _)| index.facets().unwrap().has(number, 0, *value))
            .map(|(_, (text, _))| text)
            .collect();
        let said = rest(&format!("document {number}: {} ", facet.label));
        assert_eq!(said, [serde_json::to_string(&held).unwrap()]);
    }
    for passage in 0..index.manifest().passages {
        let dates = index.dates_of(passage);
        let ours: Vec<String> = dates
            .datings
            .iter()
            .zip(&dates.notes)
            .map(|(dating, note)| {
                let role = format!("{:?}", dating.role).to_lowercase();
                let by = if note.catalogue { " catalogue" } else { "" };
                let end = |bound: almanac::time::Bound| {
                    let (year, month, day) = bound.day().unwrap().to_gregorian();
                    format!("{:04}-{month:02}-{day:02}", year.0)
                };
                let spans: Vec<String> = dating
                    .readings
                    .iter()
                    .map(|reading| format!("{}/{}", end(reading.first), end(reading.last)))
                    .collect();
                let arc = dating
                    .arc
                    .map(|arc| format!(" arc {}+-{}", arc.center, arc.length))
                    .unwrap_or_default();
                format!("{role}{by} {}{arc}", spans.join(" or "))
            })
            .collect();
        assert_eq!(rest(&format!("passage {passage}: ")), ours);
    }
    assert_eq!(rest("clusters of "), ["[2, 4] passages"]);
    assert_eq!(
        rest("sort "),
        ["Title: [3, 1, 5, 2, 4]", "Kind: [5, 4, 1, 3, 2]"]
    );
    assert_eq!(
        rest("term "),
        [
            "#42.7-3: [(1, 1, [])]",
            "plough: [(0, 2, [1, 5])]",
            "农: [(2, 2, [0, 12])]"
        ]
    );
}

#[test]
fn a_reader_written_from_the_document_refuses_changed_files() {
    for entry in std::fs::read_dir(golden()).unwrap() {
        let changed = entry.unwrap().file_name();
        let folder = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(golden()).unwrap() {
            let entry = entry.unwrap();
            let mut bytes = std::fs::read(entry.path()).unwrap();
            if entry.file_name() == changed {
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
            }
            std::fs::write(folder.path().join(entry.file_name()), bytes).unwrap();
        }
        let Some(output) = read(folder.path()) else {
            return;
        };
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{changed:?} {errors}");
        assert_eq!(errors.lines().count(), 1, "{changed:?} {errors}");
    }
}
