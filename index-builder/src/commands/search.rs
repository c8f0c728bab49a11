//! `almanac-index search`: the browser's ranking in a terminal.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use almanac::encoder::TextKind;
use almanac::index::{Document, Facets, Index, SectionKind};
use almanac::search::fusion::Shares;
use almanac::search::{Filter, Found, FoundTime, Ranking, RankingRequest};
use almanac::time::{DayNumber, Year, parse_iso_day};
use anyhow::{Context, Result, bail};
use serde::Serialize;

use crate::size;

/// Search an index as the browser does
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Index folder made by `almanac-index build`
    dir: PathBuf,
    /// What to search for
    query: String,
    /// Model folder; `model` beside the index if not given
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
    /// How many results
    #[arg(short, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    k: u16,
    /// Day that "last century" counts from, YYYY-MM-DD; today if not given
    #[arg(long, value_name = "DAY", value_parser = day)]
    anchor: Option<DayNumber>,
    /// Read dates in the query as plain words
    #[arg(long)]
    no_time: bool,
    /// Only objects whose date may be in this year or later; 0 is 1 BC
    #[arg(long, value_name = "YEAR", allow_negative_numbers = true)]
    from: Option<i64>,
    /// Only objects whose date may be in this year or earlier
    #[arg(long, value_name = "YEAR", allow_negative_numbers = true)]
    to: Option<i64>,
    /// With --from or --to, objects without a date too
    #[arg(long)]
    undated: bool,
    /// Fetch the vectors of so many nearest clusters alone; 0 takes as many as the index advises
    #[arg(long, value_name = "N")]
    probes: Option<u32>,
    /// Score every vector exactly, even where signs could choose
    #[arg(long)]
    exact: bool,
    /// Another order than relevance: earliest, latest, or a column of the index
    #[arg(long, value_name = "BY")]
    sort: Option<String>,
    /// With --sort, the last first
    #[arg(long, requires = "sort")]
    descending: bool,
    /// Only objects with this value; given several times, values of one facet are alternatives
    #[arg(long, value_name = "FACET=VALUE")]
    facet: Vec<String>,
}

fn day(text: &str) -> Result<DayNumber, String> {
    parse_iso_day(text).ok_or_else(|| "expected a day such as 2024-03-15".to_owned())
}

/// One result as `--json` prints it.
#[derive(Serialize)]
struct Line<'a> {
    rank: usize,
    id: &'a str,
    score: f64,
    passage: &'a str,
    title: &'a str,
    date: Option<&'a str>,
    url: Option<&'a str>,
    shares: Shares,
    cosine: Option<f32>,
    words: &'a [String],
    exact: bool,
    time: Option<&'a FoundTime>,
}

/// Encodes the query, scans the index and prints the best documents.
///
/// # Errors
/// If index or model cannot be read or do not belong together, or the query is empty.
pub fn run(args: &Args) -> Result<()> {
    let query = args.query.trim();
    if query.is_empty() && args.sort.is_none() {
        bail!("the query is empty; say what to search for");
    }
    let mut index = match args.probes {
        Some(_) => Index::open_folder_without_vectors(&args.dir)?,
        None => Index::open_folder(&args.dir)?,
    };
    let model = super::open_model(&super::model_folder(args.model.as_deref(), &args.dir)?)?;
    index.check_model(&model.card().id)?;
    let filter = filter(args, &index)?;
    let anchor = args.anchor.or_else(today);
    let question = index.question(query, anchor, args.no_time);
    if !args.json {
        for date in question.dates() {
            println!("{}", date.reading(question.text()));
        }
        for refusal in question.refusals() {
            println!("{}", refusal.reason);
        }
    }
    let vector = match question.meaning_text() {
        "" => None,
        text => Some(pollster::block_on(model.encode(text, TextKind::Query))?),
    };
    if let Some((probes, vector)) = args.probes.zip(vector.as_ref()) {
        add_vectors(&mut index, args, probes, vector)?;
    }
    let by = args.sort.as_deref().filter(|by| *by != "relevance");
    let sort = by.map(|by| index.sort(by, args.descending));
    let request = RankingRequest {
        k: usize::from(args.k),
        filter,
        sort: sort.transpose()?,
        exact: args.exact,
        time_score: None,
    };
    let Ranking { hits, close, .. } = index.rank(&question, vector.as_deref(), &request)?;
    let documents = documents(&args.dir, &index, &hits)?;
    if !args.json && !close {
        println!("No close match; these come nearest:\n");
    }
    for (rank, (hit, document)) in hits.iter().zip(&documents).enumerate() {
        let first = index.passages(hit.document)?.start;
        let line = Line {
            rank: rank + 1,
            id: &document.id,
            score: hit.score,
            passage: document
                .passages
                .get((hit.passage - first) as usize)
                .map_or("", String::as_str),
            title: &document.title,
            date: document.date.as_deref(),
            url: document.url.as_deref(),
            shares: hit.shares,
            cosine: hit.cosine,
            words: &hit.words,
            exact: hit.exact,
            time: hit.time.as_ref(),
        };
        if args.json {
            println!("{}", serde_json::to_string(&line)?);
        } else {
            print(&line);
        }
    }
    Ok(())
}

/// Reads the vectors of the clusters nearest to a query, and says how many that are.
fn add_vectors(index: &mut Index, args: &Args, probes: u32, vector: &[f32]) -> Result<()> {
    let advised = index.manifest().clusters.as_ref();
    let probes = match (probes, advised) {
        (0, Some(clusters)) => clusters.probes,
        (0, None) => u32::MAX,
        (probes, _) => probes,
    };
    let all: u64 = index
        .manifest()
        .files_of(SectionKind::Vectors)
        .map(|file| file.file.bytes)
        .sum();
    let files: Vec<(String, u64)> = index
        .vector_files(vector, probes as usize)?
        .into_iter()
        .map(|file| (file.file.file.clone(), file.file.bytes))
        .collect();
    let fetched = files.iter().map(|(_, bytes)| bytes).sum();
    for (name, _) in &files {
        let path = args.dir.join(name);
        let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
        index.add_file(name, &bytes)?;
    }
    if !args.json {
        println!(
            "{} of {} of vectors, in {} files",
            size::bytes(fetched),
            size::bytes(all),
            files.len()
        );
    }
    Ok(())
}

/// Today's day by the system's clock, in universal time.
fn today() -> Option<DayNumber> {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .ok()?;
    let days = i64::try_from(since.as_secs() / 86_400).ok()?;
    Some(DayNumber(Year(1970).first_day().0 + days))
}

/// The filter of the command line.
fn filter(args: &Args, index: &Index) -> Result<Filter> {
    let facets = index.facets().map(Facets::facets).unwrap_or_default();
    let facet = |given: &String| -> Result<(u32, u32)> {
        let (label, value) = given
            .split_once('=')
            .with_context(|| format!("--facet {given:?}: expected FACET=VALUE"))?;
        let Some(place) = facets.iter().position(|facet| facet.label == label) else {
            let labels: Vec<&str> = facets.iter().map(|facet| facet.label.as_str()).collect();
            bail!(
                "--facet {given:?}: no facet {label:?}; there are: {}",
                labels.join(", ")
            );
        };
        let number = facets[place]
            .values
            .iter()
            .position(|(known, _)| known == value)
            .with_context(|| format!("--facet {given:?}: {label} is never {value:?}"))?;
        Ok((place as u32, number as u32))
    };
    let in_range = |year: &i64| year.abs() <= Year::LIMIT;
    if let Some(year) = args
        .from
        .iter()
        .chain(&args.to)
        .find(|year| !in_range(year))
    {
        bail!("year {year} lies beyond what dates can say");
    }
    Ok(Filter {
        first: args.from.map(|year| Year(year).first_day().0),
        last: args.to.map(|year| Year(year).last_day().0),
        undated: args.undated,
        facets: args.facet.iter().map(facet).collect::<Result<_>>()?,
        ..Filter::default()
    })
}

fn print(line: &Line) {
    let date = line
        .date
        .map(|date| format!(", {date}"))
        .unwrap_or_default();
    println!(
        "{:>3}. {}{date}  ({:.3})",
        line.rank, line.title, line.score
    );
    println!("     {}", line.passage);
    if let Some(FoundTime { relation, date }) = line.time {
        let relation = format!("{relation:?}").to_lowercase();
        println!("     {}: {relation}", date.as_deref().unwrap_or("no date"));
    }
    if let Some(url) = line.url {
        println!("     {url}");
    }
}

/// Reads the documents of the hits, each file once.
fn documents(folder: &Path, index: &Index, hits: &[Found]) -> Result<Vec<Document>> {
    let mut files: HashMap<String, Vec<Document>> = HashMap::new();
    hits.iter()
        .map(|hit| {
            let file = index.document_file(hit.document)?;
            let name = &file.file.file;
            if !files.contains_key(name) {
                let path = folder.join(name);
                let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
                files.insert(name.clone(), index.read_documents(file, &bytes)?);
            }
            files
                .get(name)
                .and_then(|documents| documents.get((hit.document - file.first) as usize))
                .cloned()
                .with_context(|| format!("{name}: document {} is not in it", hit.document))
        })
        .collect()
}
