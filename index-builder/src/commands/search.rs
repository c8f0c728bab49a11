//! `almanac-index search`: the browser's ranking in a terminal.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use almanac::encoder::TextKind;
use almanac::index::{Document, Hit, Index};
use anyhow::{Context, Result, bail};
use serde::Serialize;

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
}

/// One result as `--json` prints it.
#[derive(Serialize)]
struct Line<'a> {
    rank: usize,
    id: &'a str,
    score: f32,
    passage: &'a str,
    title: &'a str,
    date: Option<&'a str>,
    url: Option<&'a str>,
}

/// Encodes the query, scans the index and prints the best documents.
///
/// # Errors
/// If index or model cannot be read or do not belong together, or the query is empty.
pub fn run(args: &Args) -> Result<()> {
    let query = args.query.trim();
    if query.is_empty() {
        bail!("the query is empty; say what to search for");
    }
    let index = Index::open_folder(&args.dir)?;
    let model = super::open_model(&super::model_folder(args.model.as_deref(), &args.dir)?)?;
    index.check_model(&model.card().id)?;
    let vector = pollster::block_on(model.encode(query, TextKind::Query))?;
    let hits = index.search(&vector, usize::from(args.k))?;
    let documents = documents(&args.dir, &index, &hits)?;
    let weak = hits
        .first()
        .is_none_or(|hit| hit.score < index.manifest().no_match_below);
    if !args.json && weak {
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
        };
        if args.json {
            println!("{}", serde_json::to_string(&line)?);
        } else {
            print(&line);
        }
    }
    Ok(())
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
    if let Some(url) = line.url {
        println!("     {url}");
    }
}

/// Reads the documents of the hits, each file once.
fn documents(folder: &Path, index: &Index, hits: &[Hit]) -> Result<Vec<Document>> {
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
