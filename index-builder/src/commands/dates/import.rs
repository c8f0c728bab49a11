//! The date columns of a collection, row by row, with what does not agree in them.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use almanac::time::{Candidate, Conflict, Interval, Precision, Settings, import_row};
use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::still_read;
use crate::collection::{InputFormat, SourceFile, Table, column_of};

/// Which file and fields to import dates from.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Import the dates of this CSV, TSV or JSONL file: one JSON object per row.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["anchor", "lang", "whole"])]
    pub import: Option<PathBuf>,
    /// The field that holds the date as the catalogue shows it.
    #[arg(long, value_name = "FIELD", requires = "import")]
    date: Option<String>,
    /// The field that holds the earliest year or day.
    #[arg(long, value_name = "FIELD", requires = "import")]
    earliest: Option<String>,
    /// The field that holds the latest year or day.
    #[arg(long, value_name = "FIELD", requires = "import")]
    latest: Option<String>,
    /// How the rows are written, where the file's name does not say.
    #[arg(long, requires = "import")]
    format: Option<InputFormat>,
}

#[derive(Serialize)]
struct Line<'a> {
    row: usize,
    line: u64,
    text: &'a str,
    earliest: &'a str,
    latest: &'a str,
    interval: Option<Bounds>,
    conflicts: Vec<Report>,
}

#[derive(Serialize)]
struct Bounds {
    first: Option<String>,
    last: Option<String>,
    edtf: String,
    reading: String,
}

impl From<Interval> for Bounds {
    fn from(interval: Interval) -> Self {
        Self {
            first: interval.first.day().map(|day| day.to_string()),
            last: interval.last.day().map(|day| day.to_string()),
            edtf: Candidate::exact(interval, Precision::Day).edtf(),
            reading: interval.display(),
        }
    }
}

#[derive(Serialize)]
struct Report {
    kind: Conflict,
    message: String,
}

/// Writes each row's interval and conflicts to standard output and a summary to standard error.
///
/// # Errors
/// If no field is named, the file cannot be read or has no such field, or standard output cannot
/// be written.
pub fn run(file: &Path, args: &Args, settings: &Settings) -> Result<()> {
    if args.date.is_none() && args.earliest.is_none() && args.latest.is_none() {
        bail!("--import: no field is named; add --date, or --earliest and --latest");
    }
    let table = SourceFile::read(file)?.into_table(args.format)?;
    let place = |field: &Option<String>| -> Result<Option<usize>> {
        field.as_deref().map(|f| column_of(&table, f)).transpose()
    };
    let columns = || -> Result<[Option<usize>; 3]> {
        Ok([
            place(&args.date)?,
            place(&args.earliest)?,
            place(&args.latest)?,
        ])
    };
    let columns = columns().with_context(|| file.display().to_string())?;
    let mut summary = Summary::default();
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in lines(&table, columns, settings) {
        summary.count(&line);
        if !still_read(writeln!(out, "{}", serde_json::to_string(&line)?))? {
            return Ok(());
        }
    }
    if still_read(out.flush())? {
        eprintln!("{}", summary.sentence());
    }
    Ok(())
}

fn lines<'a>(
    table: &'a Table,
    columns: [Option<usize>; 3],
    settings: &'a Settings,
) -> impl Iterator<Item = Line<'a>> {
    table.rows.iter().enumerate().map(move |(index, row)| {
        let [text, earliest, latest] =
            columns.map(|column| column.map_or("", |column| row.value(column)));
        let number = index + 1;
        let read = import_row(number, text, earliest, latest, settings);
        Line {
            row: number,
            line: row.line,
            text,
            earliest,
            latest,
            interval: read.interval.map(Bounds::from),
            conflicts: read
                .conflicts
                .into_iter()
                .map(|(kind, message)| Report { kind, message })
                .collect(),
        }
    })
}

/// The conflicts in the order of the summary, with their names there.
const KINDS: [(Conflict, &str); 6] = [
    (Conflict::StartAfterEnd, "start after end"),
    (Conflict::YearOutOfRange, "year out of range"),
    (Conflict::NotADate, "not a date"),
    (Conflict::JulianShift, "Julian shift"),
    (Conflict::NoYearZero, "no year zero"),
    (Conflict::OtherYears, "other years than the text"),
];

#[derive(Default)]
struct Summary {
    rows: usize,
    dated: usize,
    conflicting: usize,
    of_kind: [usize; KINDS.len()],
}

impl Summary {
    fn count(&mut self, line: &Line) {
        self.rows += 1;
        self.dated += usize::from(line.interval.is_some());
        self.conflicting += usize::from(!line.conflicts.is_empty());
        for (count, (kind, _)) in self.of_kind.iter_mut().zip(KINDS) {
            *count += line.conflicts.iter().filter(|c| c.kind == kind).count();
        }
    }

    fn sentence(&self) -> String {
        let kinds: Vec<String> = self
            .of_kind
            .iter()
            .zip(KINDS)
            .filter(|(count, _)| **count > 0)
            .map(|(count, (_, name))| format!("{count} {name}"))
            .collect();
        let kinds = match kinds.as_slice() {
            [] => String::new(),
            kinds => format!(" ({})", kinds.join(", ")),
        };
        format!(
            "{} rows: {} dated, {} without a date, {} with conflicts{kinds}",
            self.rows,
            self.dated,
            self.rows - self.dated,
            self.conflicting
        )
    }
}
