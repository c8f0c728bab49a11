//! Dates in four books of farming, judged by eye: a sample of what is found, and passages in which
//! every date was marked by hand. The books are read from `../shared/data`; without them the test
//! says that it is skipped.
//!
//! With `ALMANAC_WRITE_SAMPLES` set, the sample is drawn again, verdicts of rows that are the same
//! are kept, and the passages to mark are printed.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use almanac::time::{Expression, Kind, Lang, Settings, find};
use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::PathBuf;

const BOOKS: [&str; 4] = ["KR3d0001", "KR3d0003", "KR3d0005", "KR3d0007"];
const SAMPLE_SEED: u64 = 20_261_130;
/// As many expressions with a year or years as parts of the year without one.
const SAMPLE_OF_EACH: usize = 150;
const PASSAGE_SEEDS: [u64; 2] = [1, 2];
const PASSAGES_PER_BOOK: usize = 11;
const PASSAGE_LETTERS: usize = 300;

/// The books, when they are here.
fn books() -> Option<Vec<String>> {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/classical-chinese/books");
    if !folder.exists() {
        eprintln!("skipped: {} is not here", folder.display());
        return None;
    }
    let text = |name: &&str| {
        let file = std::fs::File::open(folder.join(format!("{name}.txt.gz"))).unwrap();
        let mut text = String::new();
        flate2::read::GzDecoder::new(file)
            .read_to_string(&mut text)
            .unwrap();
        text
    };
    Some(BOOKS.iter().map(text).collect())
}

fn list(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/data/time")
        .join(name)
}

fn rows(name: &str) -> Vec<Vec<String>> {
    std::fs::read_to_string(list(name))
        .unwrap_or_default()
        .lines()
        .skip(1)
        .map(|line| line.split('\t').map(String::from).collect())
        .collect()
}

/// A linear congruential generator, so that a seed draws the same rows everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// The letters of a text without page marks, line ends and spaces, each with its byte.
fn letters(text: &str) -> Vec<(usize, char)> {
    let mut out = Vec::new();
    let mut tag = false;
    for (at, c) in text.char_indices() {
        match c {
            '<' if text[at..].starts_with("<pb:") => tag = true,
            '>' if tag => tag = false,
            '¶' | '\n' | '\r' | '\u{3000}' | ' ' | '/' => {}
            _ if tag => {}
            _ => out.push((at, c)),
        }
    }
    out
}

fn plain(text: &str) -> String {
    letters(text).into_iter().map(|(_, c)| c).collect()
}

/// Whether a byte stands in a line of the edition's own data, such as "#+DATE: 2015-08-24".
fn of_the_edition(text: &str, byte: usize) -> bool {
    let line = text[..byte].rfind('\n').map_or(0, |at| at + 1);
    text[line..].starts_with('#')
}

fn first_reading(expression: &Expression) -> String {
    match expression.candidates.first() {
        Some(candidate) => candidate.edtf(),
        None => String::from("yearly"),
    }
}

/// The sample: book, byte, found words, first reading, and the words before and after.
fn sample(books: &[String]) -> Vec<[String; 6]> {
    let settings = Settings::default();
    let all: Vec<(usize, Expression)> = books
        .iter()
        .enumerate()
        .flat_map(|(k, text)| {
            find(text, &settings, Lang::Chinese, None)
                .into_iter()
                .filter(|e| !of_the_edition(text, e.range.start))
                .map(move |e| (k, e))
        })
        .collect();
    // Drawn by place and not by count, so that a rule moves only the rows it touches.
    let rank = |i: &usize| -> usize {
        let (k, expression) = &all[*i];
        let place = (*k as u64) << 40 | expression.range.start as u64;
        Random(SAMPLE_SEED ^ place.wrapping_mul(0x9E37_79B9_7F4A_7C15)).below(1 << 31)
    };
    let mut drawn: Vec<usize> = Vec::new();
    for seasonal in [false, true] {
        let mut group: Vec<usize> = (0..all.len())
            .filter(|i| (all[*i].1.kind == Kind::Seasonal) == seasonal)
            .collect();
        println!("{} expressions, seasonal: {seasonal}", group.len());
        group.sort_by_key(rank);
        drawn.extend(&group[..SAMPLE_OF_EACH]);
    }
    drawn.sort_unstable();
    drawn
        .iter()
        .map(|at| {
            let (k, expression) = &all[*at];
            let text = &books[*k];
            let range = expression.range.clone();
            let mut from = range.start.saturating_sub(600);
            while !text.is_char_boundary(from) {
                from += 1;
            }
            let mut to = (range.end + 600).min(text.len());
            while !text.is_char_boundary(to) {
                to -= 1;
            }
            let before: Vec<char> = plain(&text[from..range.start]).chars().collect();
            let after: String = plain(&text[range.end..to]).chars().take(16).collect();
            [
                BOOKS[*k].to_string(),
                range.start.to_string(),
                before[before.len().saturating_sub(16)..].iter().collect(),
                plain(&text[range]),
                after,
                first_reading(expression),
            ]
        })
        .collect()
}

#[test]
fn sampled_expressions_keep_their_verdict() {
    const NAME: &str = "sample-kanripo.tsv";
    let Some(books) = books() else {
        return;
    };
    let judged: HashMap<(String, String, String, String), String> = rows(NAME)
        .into_iter()
        .map(|row| {
            let [book, at, _, found, _, reading, verdict] = &row[..] else {
                panic!("{row:?}");
            };
            let key = (book.clone(), at.clone(), found.clone(), reading.clone());
            (key, verdict.clone())
        })
        .collect();
    let drawn = sample(&books);
    if std::env::var_os("ALMANAC_WRITE_SAMPLES").is_some() {
        let mut text = String::from("book\tbyte\tbefore\tfound\tafter\tfirst reading\tverdict\n");
        for row in &drawn {
            let [book, at, _, found, _, reading] = row;
            let key = (book.clone(), at.clone(), found.clone(), reading.clone());
            let verdict = judged.get(&key).map_or("?", String::as_str);
            text.push_str(&format!("{}\t{verdict}\n", row.join("\t")));
        }
        std::fs::write(list(NAME), text).unwrap();
        return;
    }
    // What was judged right is still found, as it was.
    let settings = Settings::default();
    let found: HashMap<(String, String), Expression> = books
        .iter()
        .zip(BOOKS)
        .flat_map(|(text, name)| {
            find(text, &settings, Lang::Chinese, None)
                .into_iter()
                .map(move |e| ((name.to_string(), e.range.start.to_string()), e))
        })
        .collect();
    let right: Vec<_> = judged
        .iter()
        .filter(|(_, v)| v.starts_with("right"))
        .collect();
    let lost: Vec<_> = right
        .iter()
        .filter(|((book, at, _, reading), _)| {
            found
                .get(&(book.clone(), at.clone()))
                .is_none_or(|e| first_reading(e) != *reading)
        })
        .collect();
    println!("sample: {} of {} judged right", right.len(), judged.len());
    assert!(lost.is_empty(), "{lost:#?}");
    assert!(right.len() * 100 >= judged.len() * 95);
}

/// Passages of about 300 letters that begin with a line: book and bytes.
fn passages(books: &[String], seed: u64) -> Vec<(usize, std::ops::Range<usize>)> {
    let mut random = Random(seed);
    let mut out = Vec::new();
    for (k, text) in books.iter().enumerate() {
        for _ in 0..PASSAGES_PER_BOOK {
            let starts: Vec<usize> = text
                .match_indices("¶\n")
                .map(|(at, mark)| at + mark.len())
                .collect();
            let first = starts[random.below(starts.len() - 40)];
            let end = letters(&text[first..])
                .get(PASSAGE_LETTERS)
                .map_or(text.len(), |(at, _)| first + at);
            out.push((k, first..end));
        }
    }
    out
}

/// Where the marked expressions of a passage stand among its letters, in order.
fn marked(letters: &str, gold: &[(String, String)]) -> Vec<std::ops::Range<usize>> {
    let mut from = 0;
    gold.iter()
        .map(|(_, words)| {
            let at = letters[from..]
                .find(words.as_str())
                .unwrap_or_else(|| panic!("{words} is not in {}", &letters[from..]))
                + from;
            from = at + words.len();
            at..from
        })
        .collect()
}

#[test]
fn marked_passages_are_found() {
    let Some(books) = books() else {
        return;
    };
    let settings = Settings::default();
    let print = std::env::var_os("ALMANAC_WRITE_SAMPLES").is_some();
    let mut gold: HashMap<(u64, usize), Vec<(String, String)>> = HashMap::new();
    for row in rows("recall-kanripo.tsv") {
        let [seed, passage, class, words] = &row[..] else {
            panic!("{row:?}");
        };
        gold.entry((seed.parse().unwrap(), passage.parse().unwrap()))
            .or_default()
            .push((class.clone(), words.clone()));
    }
    for seed in PASSAGE_SEEDS {
        // Of each class: marked, found at all, found with the same words.
        let mut classes: BTreeMap<String, [usize; 3]> = BTreeMap::new();
        let (mut found_count, mut false_count) = (0, 0);
        for (number, (k, range)) in passages(&books, seed).into_iter().enumerate() {
            let text = &books[k][range.clone()];
            let letters = letters(text);
            let joined: String = letters.iter().map(|(_, c)| *c).collect();
            if print {
                println!("{seed}\t{number}\t{}\t{joined}", BOOKS[k]);
                continue;
            }
            // Bytes of the passage to bytes of its letters.
            let place = |byte: usize| -> usize {
                letters
                    .iter()
                    .take_while(|(at, _)| *at < byte)
                    .map(|(_, c)| c.len_utf8())
                    .sum()
            };
            let found: Vec<std::ops::Range<usize>> = find(text, &settings, Lang::Chinese, None)
                .into_iter()
                .filter(|e| !of_the_edition(text, e.range.start))
                .map(|e| place(e.range.start)..place(e.range.end))
                .collect();
            let empty = Vec::new();
            let list = gold.get(&(seed, number)).unwrap_or(&empty);
            let places = marked(&joined, list);
            let meets = |a: &std::ops::Range<usize>, b: &std::ops::Range<usize>| {
                a.start < b.end && b.start < a.end
            };
            for ((class, words), place) in list.iter().zip(&places) {
                let counts = classes.entry(class.clone()).or_default();
                counts[0] += 1;
                counts[1] += usize::from(found.iter().any(|f| meets(f, place)));
                counts[2] += usize::from(found.contains(place));
                if !found.iter().any(|f| meets(f, place)) {
                    println!("missed: {seed} {number} {class} {words}");
                }
            }
            found_count += found.len();
            for f in &found {
                if !places.iter().any(|p| meets(p, f)) {
                    false_count += 1;
                    println!("not marked: {seed} {number} {}", &joined[f.clone()]);
                }
            }
        }
        if print {
            continue;
        }
        let total = |i: usize| classes.values().map(|c| c[i]).sum::<usize>();
        println!("passages {seed}: class, marked, found, same words");
        for (class, [all, found, same]) in &classes {
            println!("  {class}: {all} {found} {same}");
        }
        println!(
            "  all: {} {} {}; {found_count} found, {false_count} of them not marked",
            total(0),
            total(1),
            total(2)
        );
    }
}
