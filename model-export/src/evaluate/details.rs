//! What stands behind the figures: for every query its first passages and the relevant ones.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use almanac::search::fusion::Shares;
use almanac::{Error, ErrorKind, Result};
use serde::Serialize;

use super::metrics::reciprocal_rank;

/// Where details are written, and how many.
#[derive(Clone, Debug)]
pub struct DetailOptions {
    /// File of one JSON object for each query and system.
    pub file: PathBuf,
    /// How many first passages are written; relevant ones always are.
    pub passages: usize,
}

#[derive(Serialize)]
struct Line<'a> {
    query: &'a str,
    text: &'a str,
    /// `dev` or `test`.
    part: &'a str,
    system: &'a str,
    /// 1 over the rank of the first relevant passage.
    mrr: f64,
    passages: Vec<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    id: &'a str,
    grade: u32,
    score: f64,
    #[serde(flatten)]
    shares: Shares,
}

/// What is known of one query before it is ranked.
pub struct Asked<'a> {
    /// Its name in the set.
    pub id: &'a str,
    /// Its text.
    pub text: &'a str,
    /// `dev` or `test`.
    pub part: &'a str,
    /// The relevant passages, by their place among those ranked, with their grades.
    pub relevant: &'a HashMap<usize, u32>,
}

/// Writes details to a file.
pub struct Details {
    path: PathBuf,
    out: BufWriter<File>,
    passages: usize,
}

impl Details {
    /// Starts the file.
    ///
    /// # Errors
    /// [`almanac::ErrorKind::Io`] if it cannot be written.
    pub fn create(options: &DetailOptions) -> Result<Self> {
        let file = File::create(&options.file).map_err(|e| Error::io(&options.file, &e))?;
        Ok(Self {
            path: options.file.clone(),
            out: BufWriter::new(file),
            passages: options.passages,
        })
    }

    /// Writes one system's ranking of a query; `name` gives the name of a ranked passage.
    ///
    /// # Errors
    /// [`almanac::ErrorKind::Io`] if the file cannot be written.
    pub fn add<'a>(
        &mut self,
        asked: &Asked<'a>,
        system: &'a str,
        shares: &[Shares],
        name: impl Fn(usize) -> &'a str,
    ) -> Result<()> {
        let scores: Vec<f64> = shares.iter().map(|s| s.score()).collect();
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        let passages = order
            .into_iter()
            .enumerate()
            .filter(|(rank, p)| *rank < self.passages || asked.relevant.contains_key(p))
            .map(|(_, p)| Place {
                id: name(p),
                grade: asked.relevant.get(&p).copied().unwrap_or(0),
                score: scores[p],
                shares: shares[p],
            })
            .collect();
        let line = Line {
            query: asked.id,
            text: asked.text,
            part: asked.part,
            system,
            mrr: reciprocal_rank(&scores, asked.relevant),
            passages,
        };
        let text = serde_json::to_string(&line)
            .map_err(|e| Error::new(ErrorKind::Internal, e.to_string()))?;
        writeln!(self.out, "{text}").map_err(|e| Error::io(&self.path, &e))
    }

    /// Writes what is still held back.
    ///
    /// # Errors
    /// [`almanac::ErrorKind::Io`] if the file cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.out.flush().map_err(|e| Error::io(&self.path, &e))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn relevant_passages_are_written_however_low() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("details.jsonl");
        let options = DetailOptions {
            file: file.clone(),
            passages: 1,
        };
        let relevant = HashMap::from([(2, 1)]);
        let asked = Asked {
            id: "q",
            text: "bowls",
            part: "dev",
            relevant: &relevant,
        };
        let share = |words| Shares {
            words,
            ..Shares::default()
        };
        let mut details = Details::create(&options).unwrap();
        details
            .add(&asked, "bm25", &[share(0.5), share(0.9), share(0.1)], |p| {
                ["a", "b", "c"][p]
            })
            .unwrap();
        details.finish().unwrap();
        let line: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let ids: Vec<&str> = line["passages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p["id"].as_str().unwrap())
            .collect();
        assert_eq!(ids, ["b", "c"]);
        assert_eq!(line["mrr"], 1.0 / 3.0);
    }
}
