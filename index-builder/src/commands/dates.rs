//! `almanac-index dates`: a door for scripts to the reading of dates.

mod import;

use std::io::{BufRead, BufWriter, ErrorKind, Write};

use almanac::time::{Lang, ReportOptions, Settings, parse_iso_day, report_line};
use anyhow::{Context, Result, bail};

/// Reads one text per line from standard input and writes one JSON object per line; with --import
/// reads the date columns of a collection instead.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The collection whose conventions hold: almanac, cmoa, tate, cco, ts-retriever or temps.
    #[arg(long, default_value = "almanac")]
    preset: String,
    /// The day that "yesterday" and "last century" count from, as YYYY-MM-DD.
    #[arg(long, allow_hyphen_values = true)]
    anchor: Option<String>,
    /// The language of the texts: auto, en or zh.
    #[arg(long, default_value = "auto")]
    lang: String,
    /// Read each line as one date field of a catalogue.
    #[arg(long)]
    whole: bool,
    #[command(flatten)]
    import: import::Args,
}

/// Runs the command.
///
/// # Errors
///
/// When an option names no preset, language or day, when the input cannot be read or is not UTF-8,
/// or when standard output cannot be written.
pub fn run(args: Args) -> Result<()> {
    let Some(settings) = Settings::preset(&args.preset) else {
        bail!(
            "--preset {}: no such preset; choose one of {}",
            args.preset,
            Settings::PRESETS.join(", ")
        );
    };
    if let Some(file) = &args.import.import {
        return import::run(file, &args.import, &settings);
    }
    let Some(lang) = Lang::named(&args.lang) else {
        bail!(
            "--lang {}: no such language; choose auto, en or zh",
            args.lang
        );
    };
    let anchor = match &args.anchor {
        None => None,
        Some(text) => Some(
            parse_iso_day(text)
                .with_context(|| format!("--anchor {text}: expected a day such as 2024-03-15"))?,
        ),
    };
    let options = ReportOptions {
        settings,
        lang,
        anchor,
        whole: args.whole,
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    for (index, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.with_context(|| format!("standard input, line {}", index + 1))?;
        if !still_read(writeln!(out, "{}", report_line(&line, &options)))? {
            return Ok(());
        }
    }
    still_read(out.flush()).map(drop)
}

/// Whether standard output took the last line; a reader that has gone is no fault.
fn still_read(written: std::io::Result<()>) -> Result<bool> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).context("standard output"),
    }
}
