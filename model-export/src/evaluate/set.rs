//! Test sets in the BEIR layout.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use almanac::time::{DayNumber, parse_iso_day};
use almanac::{Error, Result};
use serde::Deserialize;

use crate::fault;

/// A passage or query of a test set.
pub struct Text {
    /// Its name in the set.
    pub id: String,
    /// What it says; a title stands on a line of its own before it.
    pub text: String,
    /// The day its relative dates count from.
    pub anchor: Option<DayNumber>,
    /// The group of queries it is reported with as well.
    pub group: Option<String>,
}

/// A test set: passages, queries, and which passages answer which query.
pub struct TestSet {
    /// The pool that is searched.
    pub passages: Vec<Text>,
    /// The queries that have at least one relevant passage.
    pub queries: Vec<Text>,
    /// For each query, its relevant passages with their grades, at least 1.
    pub relevant: Vec<HashMap<usize, u32>>,
    /// For each query, the passages to rank; all of the pool where the set does not say.
    pub candidates: Option<Vec<Vec<usize>>>,
}

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "_id")]
    id: String,
    #[serde(default)]
    title: String,
    text: String,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Default, Deserialize)]
struct Metadata {
    /// The anchor date, as YYYY-MM-DD.
    anchor: Option<String>,
    /// The kind of query, reported apart.
    group: Option<String>,
}

impl TestSet {
    /// Reads `corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv` and, where present,
    /// `candidates/test.tsv` (query and passage on each line) of a folder.
    ///
    /// # Errors
    /// - [`almanac::ErrorKind::Io`] if a file cannot be read.
    /// - [`almanac::ErrorKind::Corrupt`] if a line is not as the layout asks, names an unknown id,
    ///   or nothing is relevant to any query.
    pub fn open(folder: &Path) -> Result<Self> {
        let passages = texts(&folder.join("corpus.jsonl"))?;
        let all = texts(&folder.join("queries.jsonl"))?;
        let passage_at = places(&passages);
        let query_at = places(&all);
        let path = folder.join("qrels").join("test.tsv");
        let mut relevant: Vec<HashMap<usize, u32>> = vec![HashMap::new(); all.len()];
        for (number, line) in lines(&path)?.iter().enumerate().skip(1) {
            let bad = |what: String| {
                fault::corrupt(what).in_place(format!("{}: line {}", path.display(), number + 1))
            };
            let fields: Vec<&str> = line.split('\t').collect();
            let &[query, passage, grade] = fields.as_slice() else {
                return Err(bad(format!(
                    "{} fields, expected query, passage and grade",
                    fields.len()
                )));
            };
            let query = known(&query_at, query).map_err(bad)?;
            let passage = known(&passage_at, passage).map_err(bad)?;
            let grade: u32 = grade
                .trim()
                .parse()
                .map_err(|_| bad(format!("grade {grade:?}, expected a number")))?;
            if grade > 0 {
                relevant[query].insert(passage, grade);
            }
        }
        let mut candidates = read_candidates(folder, &query_at, &passage_at, all.len())?;
        let answered: HashSet<usize> = (0..all.len())
            .filter(|q| !relevant[*q].is_empty())
            .collect();
        if answered.is_empty() {
            return Err(fault::corrupt("no query has a relevant passage")
                .in_place(path.display().to_string()));
        }
        let keep = |q: &usize| answered.contains(q);
        if let Some(lists) = &mut candidates {
            let mut number = 0..;
            lists.retain(|_| number.next().is_some_and(|q| keep(&q)));
        }
        let mut number = 0..;
        relevant.retain(|_| number.next().is_some_and(|q| keep(&q)));
        let queries = all
            .into_iter()
            .enumerate()
            .filter(|(q, _)| keep(q))
            .map(|(_, t)| t)
            .collect();
        Ok(Self {
            passages,
            queries,
            relevant,
            candidates,
        })
    }
}

fn read_candidates(
    folder: &Path,
    query_at: &HashMap<String, usize>,
    passage_at: &HashMap<String, usize>,
    queries: usize,
) -> Result<Option<Vec<Vec<usize>>>> {
    let path = folder.join("candidates").join("test.tsv");
    if !path.exists() {
        return Ok(None);
    }
    let mut lists = vec![Vec::new(); queries];
    for (number, line) in lines(&path)?.iter().enumerate().skip(1) {
        let bad = |what: String| {
            fault::corrupt(what).in_place(format!("{}: line {}", path.display(), number + 1))
        };
        let (query, passage) = line
            .split_once('\t')
            .ok_or_else(|| bad("one field, expected query and passage".to_owned()))?;
        lists[known(query_at, query).map_err(bad)?].push(known(passage_at, passage).map_err(bad)?);
    }
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    Ok(Some(lists))
}

fn known(places: &HashMap<String, usize>, id: &str) -> Result<usize, String> {
    places
        .get(id.trim())
        .copied()
        .ok_or_else(|| format!("unknown id {id:?}"))
}

fn places(texts: &[Text]) -> HashMap<String, usize> {
    texts
        .iter()
        .enumerate()
        .map(|(at, t)| (t.id.clone(), at))
        .collect()
}

fn lines(path: &Path) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| Error::io(path, &e).with_remedy("give a folder in the BEIR layout"))?;
    Ok(text.lines().map(str::to_owned).collect())
}

fn texts(path: &Path) -> Result<Vec<Text>> {
    let read = |(number, line): (usize, &String)| {
        let bad = |what: String| {
            fault::corrupt(what).in_place(format!("{}: line {}", path.display(), number + 1))
        };
        let line: Line = serde_json::from_str(line).map_err(|e| bad(e.to_string()))?;
        let anchor = match &line.metadata.anchor {
            Some(day) => Some(
                parse_iso_day(day)
                    .ok_or_else(|| bad(format!("anchor {day:?}, expected YYYY-MM-DD")))?,
            ),
            None => None,
        };
        let text = if line.title.is_empty() {
            line.text
        } else {
            format!("{}\n{}", line.title, line.text)
        };
        Ok(Text {
            id: line.id,
            text,
            anchor,
            group: line.metadata.group,
        })
    };
    let lines = lines(path)?;
    lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(read)
        .collect()
}
