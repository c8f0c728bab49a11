//! The command that makes pairs ready: cleaned, split, and without what would give answers away.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use almanac::{Error, ErrorKind, Result};
use indicatif::ProgressBar;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::near::Quotations;
use super::pair::{self, Fault, Pair, Part, bare};
use crate::evaluate::Chance;
use crate::fault;

/// The pairs of the books that are searched, with their parts.
pub const FARMING: &str = "farming.jsonl";
/// Pairs of the searched books that have a fault: passages that no query asks for.
pub const LEFT_OUT: &str = "left-out.jsonl";
/// The pairs of other books, all to learn from.
pub const OTHER: &str = "other.jsonl";
const COUNTS: &str = "counts.json";

/// Which pairs to make ready.
#[derive(Clone, Debug)]
pub struct Options {
    /// Table with book, chapter, classical and modern: the books that are searched.
    pub farming: PathBuf,
    /// Folder with a table of chapter, classical and modern for each other book.
    pub others: Option<PathBuf>,
    /// Folder to write.
    pub out: PathBuf,
    /// Seed of the split.
    pub seed: u64,
}

/// How many pairs there were and what became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Pairs of the farming books, as read.
    pub farming: usize,
    /// Those left out.
    pub farming_faults: BTreeMap<Fault, usize>,
    /// Those kept, by part.
    pub parts: BTreeMap<Part, usize>,
    /// Pairs of the other books, as read.
    pub others: usize,
    /// Those left out.
    pub other_faults: BTreeMap<Fault, usize>,
    /// Those kept.
    pub others_kept: usize,
}

/// Reads, cleans, splits 8:1:1 and writes the pairs.
///
/// Passages of the farming books that are equal or quote one another come into one part, so that none
/// is learned and measured with. A pair of another book that quotes any farming passage, or its
/// translation, is left out: the farming books as a whole are then unseen by who learns from the
/// others alone.
///
/// # Errors
/// - [`ErrorKind::Io`] if a file cannot be read or written.
/// - [`ErrorKind::Corrupt`], naming file and line, if a table has other columns.
pub fn prepare(options: &Options) -> Result<Counts> {
    let mut counts = Counts::default();
    let mut farming = pair::read(&options.farming, None)?;
    counts.farming = farming.len();
    let left_out = sift(
        &mut farming,
        &mut counts.farming_faults,
        &mut BTreeSet::new(),
    );
    split(&mut farming, options.seed);
    for pair in &farming {
        *counts.parts.entry(pair.part).or_default() += 1;
    }
    fs::create_dir_all(&options.out).map_err(|e| Error::io(&options.out, &e))?;
    write(&options.out.join(FARMING), &farming)?;
    write(&options.out.join(LEFT_OUT), &left_out)?;

    let (mut passages, mut translations) = (Quotations::default(), Quotations::default());
    for pair in &farming {
        passages.add(&pair.classical);
        translations.add(&pair.modern);
    }
    let mut seen = BTreeSet::new();
    let mut others = Vec::new();
    let books = options.others.as_deref().map_or(Ok(Vec::new()), tables)?;
    // The bar hides itself where stderr is not a terminal.
    let bar = ProgressBar::new(books.len() as u64);
    for (book, path) in books {
        let mut pairs = pair::read(&path, Some(&book))?;
        counts.others += pairs.len();
        sift(&mut pairs, &mut counts.other_faults, &mut seen);
        for pair in pairs {
            let quoted = passages.find(&pair.classical).is_some()
                || translations.find(&pair.modern).is_some();
            if quoted {
                *counts.other_faults.entry(Fault::Quoted).or_default() += 1;
            } else {
                others.push(pair);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    counts.others_kept = others.len();
    write(&options.out.join(OTHER), &others)?;
    let path = options.out.join(COUNTS);
    let json = serde_json::to_vec_pretty(&counts)
        .map_err(|e| Error::new(ErrorKind::Internal, e.to_string()))?;
    fs::write(&path, json).map_err(|e| Error::io(&path, &e))?;
    Ok(counts)
}

/// Reads pairs that [`prepare`] wrote.
///
/// # Errors
/// - [`ErrorKind::Io`] if the file cannot be read.
/// - [`ErrorKind::Corrupt`], naming the line, if a line is no pair.
pub fn read(path: &Path) -> Result<Vec<Pair>> {
    lines(path).map_err(|e| e.with_remedy("write them with `almanac-model data classical`"))
}

/// Cleans pairs and takes out those with a fault, which are given, apart from repeated ones; `seen`
/// holds the passages that came before.
fn sift(
    pairs: &mut Vec<Pair>,
    faults: &mut BTreeMap<Fault, usize>,
    seen: &mut BTreeSet<String>,
) -> Vec<Pair> {
    let mut out = Vec::new();
    pairs.retain_mut(|pair| {
        pair.clean();
        let fault = pair.fault();
        let new = seen.insert(bare(&pair.classical));
        let fault = fault.or((!new).then_some(Fault::Repeated));
        if let Some(fault) = fault {
            *faults.entry(fault).or_default() += 1;
            if new {
                out.push(pair.clone());
            }
        }
        fault.is_none()
    });
    out
}

/// Gives every pair its part: eight tenths to learn, one to choose by, one to report, drawn by seed;
/// passages that quote one another stay together.
fn split(pairs: &mut [Pair], seed: u64) {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    let mut chance = Chance::new(seed);
    for at in (1..order.len()).rev() {
        order.swap(at, chance.below(at + 1));
    }
    let tenth = pairs.len() / 10;
    let mut sizes = BTreeMap::from([(Part::Test, tenth), (Part::Dev, tenth)]);
    let mut drawn = Quotations::default();
    let mut parts: Vec<Part> = Vec::new();
    for place in order {
        let pair = &mut pairs[place];
        let free = [Part::Test, Part::Dev]
            .into_iter()
            .find(|part| sizes.get(part).is_some_and(|left| *left > 0));
        let part = match drawn.find(&pair.classical) {
            Some(other) => parts[other],
            None => free.unwrap_or(Part::Train),
        };
        if let Some(left) = sizes.get_mut(&part) {
            *left = left.saturating_sub(1);
        }
        pair.part = part;
        drawn.add(&pair.classical);
        parts.push(part);
    }
}

/// Lists the tables of a folder with the names of their books, in order.
fn tables(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let entries = fs::read_dir(folder).map_err(|e| Error::io(folder, &e))?;
    let mut out: Vec<(String, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?;
            let book = name
                .strip_suffix(".tsv.gz")
                .or_else(|| name.strip_suffix(".tsv"))?;
            Some((book.to_owned(), path.clone()))
        })
        .collect();
    out.sort();
    if out.is_empty() {
        return Err(fault::invalid(format!(
            "{}: no table *.tsv or *.tsv.gz",
            folder.display()
        )));
    }
    Ok(out)
}

/// Writes values as JSON lines, in one move.
pub(super) fn write<T: Serialize>(path: &Path, values: &[T]) -> Result<()> {
    let unfinished = path.with_extension("part");
    let io = |e: std::io::Error| Error::io(&unfinished, &e);
    let mut out = BufWriter::new(fs::File::create(&unfinished).map_err(io)?);
    for value in values {
        serde_json::to_writer(&mut out, value)
            .map_err(|e| Error::new(ErrorKind::Internal, e.to_string()))?;
        out.write_all(b"\n").map_err(io)?;
    }
    out.flush().map_err(io)?;
    drop(out);
    fs::rename(&unfinished, path).map_err(|e| Error::io(path, &e))
}

/// Reads JSON lines.
pub(super) fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text = fs::read_to_string(path).map_err(|e| Error::io(path, &e))?;
    let read = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|e| {
            fault::corrupt(e.to_string()).in_place(format!("{}: line {}", path.display(), at + 1))
        })
    };
    text.lines().enumerate().map(read).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::pair::tests::pair;
    use super::*;

    /// Texts of `length` characters that share no run with one another.
    fn texts(count: usize, length: usize) -> Vec<String> {
        let mut chance = Chance::new(3);
        let mut text = || -> String {
            (0..length)
                .filter_map(|_| char::from_u32(0x4E00 + chance.below(0x4000) as u32))
                .collect()
        };
        (0..count).map(|_| text()).collect()
    }

    #[test]
    fn split_is_eight_to_one_to_one_and_repeats() {
        let mut pairs: Vec<Pair> = texts(500, 12).iter().map(|t| pair(t, "译")).collect();
        split(&mut pairs, 42);
        let count = |part| pairs.iter().filter(|p| p.part == part).count();
        assert_eq!(
            (count(Part::Train), count(Part::Dev), count(Part::Test)),
            (400, 50, 50)
        );
        let mut again = pairs.clone();
        split(&mut again, 42);
        assert!(again == pairs);
        split(&mut again, 43);
        assert!(again != pairs);
    }

    #[test]
    fn passages_that_quote_one_another_come_into_one_part() {
        let mut pairs: Vec<Pair> = texts(300, 12)
            .iter()
            .flat_map(|t| [pair(t, "译"), pair(&format!("書曰：{t}"), "说")])
            .collect();
        split(&mut pairs, 1);
        for two in pairs.chunks(2) {
            assert_eq!(two[0].part, two[1].part);
        }
        assert!(pairs.iter().any(|p| p.part == Part::Test));
    }

    #[test]
    fn other_books_give_nothing_away() {
        let folder = tempfile::tempdir().unwrap();
        let passage = "凡耕之本在于趣时和土务粪泽早锄早获";
        let farming = folder.path().join("farming.tsv");
        let others = folder.path().join("others");
        fs::create_dir(&others).unwrap();
        let row = format!("书\t一\t{passage}\t耕作的根本在于抓紧时令使土地调和\n");
        fs::write(&farming, row).unwrap();
        fs::write(
            others.join("汉书.tsv"),
            format!(
                "志\t氾勝之曰：{passage}。\t他说这样耕种才好呢\n\
                 志\t理民之道，地著为本。\t耕作的根本在于抓紧时令，使土地调和。\n\
                 志\t洪范八政，一曰食，二曰货。\t《洪范》八政，第一是食物，第二是货物。\n"
            ),
        )
        .unwrap();
        let counts = prepare(&Options {
            farming,
            others: Some(others),
            out: folder.path().join("out"),
            seed: 1,
        })
        .unwrap();
        assert_eq!(counts.other_faults, BTreeMap::from([(Fault::Quoted, 2)]));
        let kept = read(&folder.path().join("out").join(OTHER)).unwrap();
        assert_eq!(kept.len(), 1);
        assert!(kept[0].classical.starts_with("洪范"));
    }
}
