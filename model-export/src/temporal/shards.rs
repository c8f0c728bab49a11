//! Tuples in files: seeded, a shard at a time, so that an interrupted run goes on where it was.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use almanac::time::{DayNumber, Lang, Settings, find};
use almanac::{Error, ErrorKind, Result};
use indicatif::ProgressBar;

use super::Chance;
use super::corpus::Corpus;
use super::plot::Distribution;
use super::tuple::{Anchored, Group};
use super::voice::Split;
use crate::fault;

/// What to write, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder of the shards.
    pub out: PathBuf,
    /// Tuples to write at least; a query has about eight.
    pub tuples: usize,
    /// The data's share.
    pub split: Split,
    /// Seed of the first shard; each shard has its own.
    pub seed: u64,
    /// Files of texts whose sentences a query in four is; none for templates alone.
    pub texts: Vec<PathBuf>,
}

/// What was written and found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    /// Shards written now.
    pub shards: usize,
    /// Shards that were there already.
    pub kept: usize,
    /// Tuples in all shards.
    pub tuples: usize,
    /// Distinct texts are not counted; these are all.
    pub texts: usize,
    /// For each form, texts, texts the time module reads as the same days, and texts it reads as
    /// others.
    pub forms: BTreeMap<String, Agreement>,
}

/// How often the time module reads a text as it is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Texts looked at.
    pub texts: usize,
    /// Read as the days that are meant.
    pub equal: usize,
    /// Read as other days.
    pub other: usize,
}

/// Queries of a shard.
const QUERIES: usize = 4_096;
/// Of how many queries one is read by the time module as well.
const CHECKED: usize = 16;

/// Writes shards until there are enough tuples, and a picture of what all of them hold; shards that
/// are there are kept.
///
/// A shard is written beside its place and moved in, so one that is there is whole.
///
/// # Errors
/// - [`ErrorKind::Io`] if a file cannot be written or read.
/// - Those of [`Corpus::read`] if there are texts.
pub fn write(options: &Options) -> Result<Written> {
    let corpus = Corpus::read_any(&options.texts)?;
    fs::create_dir_all(&options.out).map_err(|e| Error::io(&options.out, &e))?;
    let mut written = Written::default();
    let mut all = Distribution::default();
    // The bar hides itself where stderr is not a terminal.
    let bar = ProgressBar::new(options.tuples as u64);
    for number in 0.. {
        if written.tuples >= options.tuples {
            break;
        }
        let path = shard_path(options, number);
        let mut chance = Chance::new(shard_seed(options.seed, options.split, number));
        if path.exists() {
            written.kept += 1;
            for group in read_shard(&path)? {
                all.count(&group);
                written.count(&group);
            }
        } else {
            let groups: Vec<Group> = (0..QUERIES)
                .map(|_| Group::draw_with(options.split, corpus.as_ref(), &mut chance))
                .collect();
            save(&path, &groups)?;
            written.shards += 1;
            for (at, group) in groups.iter().enumerate() {
                all.count(group);
                written.count(group);
                if at % CHECKED == 0 {
                    written.check(group);
                }
            }
        }
        bar.set_position(written.tuples as u64);
    }
    bar.finish_and_clear();
    let path = options
        .out
        .join(format!("{}{}.svg", prefix(options.split), options.seed));
    fs::write(&path, all.svg()).map_err(|e| Error::io(&path, &e))?;
    Ok(written)
}

/// Lists the shards of a split in a folder, in order.
///
/// # Errors
/// - [`ErrorKind::Io`] if the folder cannot be read.
/// - [`ErrorKind::InvalidInput`] if it holds none.
pub fn list(folder: &Path, split: Split) -> Result<Vec<PathBuf>> {
    let start = prefix(split);
    let entries = fs::read_dir(folder).map_err(|e| Error::io(folder, &e))?;
    let mut out: Vec<PathBuf> = entries
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| {
            let name = p.file_name().and_then(|n| n.to_str()).unwrap_or("");
            name.starts_with(start) && name.ends_with(".jsonl")
        })
        .collect();
    out.sort();
    if out.is_empty() {
        return Err(
            fault::invalid(format!("{}: no shard {start}*.jsonl", folder.display()))
                .with_remedy("write some with `almanac-model data temporal`"),
        );
    }
    Ok(out)
}

/// Reads a shard.
///
/// # Errors
/// - [`ErrorKind::Io`] if it cannot be read.
/// - [`ErrorKind::Corrupt`], naming the line, if a line is no group.
pub fn read_shard(path: &Path) -> Result<Vec<Group>> {
    let text = fs::read_to_string(path).map_err(|e| Error::io(path, &e))?;
    let read = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|e| {
            fault::corrupt(e.to_string()).in_place(format!("{} line {}", path.display(), at + 1))
        })
    };
    text.lines().enumerate().map(read).collect()
}

fn prefix(split: Split) -> &'static str {
    match split {
        Split::Train => "train-",
        Split::HeldOut => "held-out-",
    }
}

/// Shards with real sentences and without are told apart by their names.
fn shard_path(options: &Options, number: usize) -> PathBuf {
    let (start, seed) = (prefix(options.split), options.seed);
    let kind = if options.texts.is_empty() {
        ""
    } else {
        "texts-"
    };
    options
        .out
        .join(format!("{start}{kind}{seed}-{number:05}.jsonl"))
}

/// Seeds far apart, so that shards share no draws.
fn shard_seed(seed: u64, split: Split, number: usize) -> u64 {
    let part = match split {
        Split::Train => 0,
        Split::HeldOut => 1,
    };
    let mut chance = Chance::new(seed ^ (part << 63) ^ ((number as u64) << 24));
    (chance.below(1 << 32) as u64) << 32 | chance.below(1 << 32) as u64
}

fn save(path: &Path, groups: &[Group]) -> Result<()> {
    let unfinished = path.with_extension("part");
    let fault = |e: std::io::Error| Error::io(&unfinished, &e);
    let mut out = BufWriter::new(fs::File::create(&unfinished).map_err(fault)?);
    for group in groups {
        serde_json::to_writer(&mut out, group)
            .map_err(|e| Error::new(ErrorKind::Internal, e.to_string()))?;
        out.write_all(b"\n").map_err(fault)?;
    }
    out.flush().map_err(fault)?;
    drop(out);
    fs::rename(&unfinished, path).map_err(|e| Error::io(path, &e))
}

impl Written {
    fn count(&mut self, group: &Group) {
        self.tuples += group.others.len();
        self.texts += 1 + group.others.len();
    }

    fn check(&mut self, group: &Group) {
        for text in group.others.iter().map(|o| &o.text).chain([&group.query]) {
            let form = self.forms.entry(text.form.clone()).or_default();
            form.texts += 1;
            match agrees(text) {
                Some(true) => form.equal += 1,
                Some(false) => form.other += 1,
                None => {}
            }
        }
    }
}

/// Whether the time module reads a text as it is meant; `None` where it reads no one closed date.
pub fn agrees(text: &Anchored) -> Option<bool> {
    let found = find(
        &text.text,
        &Settings::default(),
        Lang::Auto,
        Some(DayNumber(text.anchor)),
    );
    let [only] = found.as_slice() else {
        return if text.form == "undated" {
            Some(found.is_empty())
        } else {
            None
        };
    };
    let same = only.candidates.iter().any(|c| {
        let (Some(first), Some(last)) = (c.interval.first.day(), c.interval.last.day()) else {
            return false;
        };
        (first.0 + last.0 + 1) as f64 / 2.0 == text.mean
            && (last.0 - first.0 + 1) as f64 == text.length
    });
    Some(same)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn options(out: &Path) -> Options {
        Options {
            out: out.to_owned(),
            tuples: 70_000,
            split: Split::Train,
            seed: 1,
            texts: Vec::new(),
        }
    }

    #[test]
    fn an_interrupted_run_goes_on_to_the_same_bytes() {
        let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        write(&options(a.path())).unwrap();
        let shards = list(a.path(), Split::Train).unwrap();
        assert!(shards.len() > 1);
        fs::copy(&shards[0], b.path().join(shards[0].file_name().unwrap())).unwrap();
        let again = write(&options(b.path())).unwrap();
        assert_eq!(again.kept, 1);
        for shard in shards {
            let other = b.path().join(shard.file_name().unwrap());
            assert!(fs::read(&shard).unwrap() == fs::read(other).unwrap());
        }
    }

    #[test]
    fn a_broken_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("train-1-00000.jsonl");
        fs::write(&path, "{}\n").unwrap();
        let error = read_shard(&path).unwrap_err().to_string();
        assert!(error.contains("line 1"), "{error}");
        assert!(list(folder.path(), Split::HeldOut).is_err());
    }
}
