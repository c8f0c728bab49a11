//! Books: from running text to the rows of a collection.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::io::Read;
use std::path::Path;

use common::{almanac_index, failed, succeeded};
use serde_json::Value;

fn books(list: &Path, out: &Path) -> std::process::Output {
    almanac_index()
        .arg("books")
        .arg(list)
        .arg("--out")
        .arg(out)
        .output()
        .unwrap()
}

fn rows(path: &Path) -> Vec<Value> {
    let mut text = String::new();
    let bytes = std::fs::read(path).unwrap();
    flate2::read::GzDecoder::new(bytes.as_slice())
        .read_to_string(&mut text)
        .unwrap();
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

#[test]
fn books_become_passages_in_both_scripts_with_their_places() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/books");
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("1.gz"), folder.path().join("2.gz"));
    succeeded(&books(&fixtures.join("books.toml"), &one));
    succeeded(&books(&fixtures.join("books.toml"), &two));
    assert!(std::fs::read(&one).unwrap() == std::fs::read(&two).unwrap());

    let rows = rows(&one);
    let holds = |field: &str, text: &str| {
        rows.iter()
            .find(|r| r[field].as_str().unwrap().contains(text))
            .unwrap()
    };
    let beans = holds("text", "豆角三青兩黄拔而倒竪籠叢之生");
    assert_eq!(beans["book"], "齊民要術");
    assert_eq!(beans["juan"], "卷二");
    assert_eq!(beans["section"], "小豆第七");
    assert_eq!(beans["page"], "002-5b");
    assert!(
        beans["simplified"]
            .as_str()
            .unwrap()
            .contains("豆角三青两黄")
    );
    assert!(
        beans["notes"]
            .as_str()
            .unwrap()
            .contains("葉未盡者難治而易濕也")
    );
    let rare = holds("text", "鐡齒〓楱");
    assert!(rare["rare"].as_str().unwrap().contains("KR1564"));

    let ploughing = holds("simplified", "凡耕之本，在于趣时和土");
    assert_eq!(ploughing["book"], "氾勝之書");
    assert_eq!(ploughing["section"], "耕田");
    assert!(
        ploughing["text"]
            .as_str()
            .unwrap()
            .starts_with("凡耕之本，在於趣時和土")
    );
    for row in &rows {
        for mark in ["<pb", "¶", "&KR", "(", "/"] {
            assert!(!row["text"].as_str().unwrap().contains(mark), "{row}");
        }
    }
}

#[test]
fn list_that_names_a_missing_file_or_a_wrong_key_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("books.toml");
    let out = folder.path().join("out.gz");
    let book = "[[book]]\nid = \"a\"\ntitle = \"A\"\nfile = \"a.txt\"\nform = \"paragraphs\"\n";
    std::fs::write(&list, book).unwrap();
    assert!(failed(&books(&list, &out)).contains("a.txt"));
    std::fs::write(&list, format!("{book}years = 3\n")).unwrap();
    assert!(failed(&books(&list, &out)).contains("years"));
    assert!(!out.exists());
}
