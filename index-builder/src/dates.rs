//! `almanac-index dates`: a door for scripts to the reading of dates.

use almanac::time::{Lang, ReportOptions, Settings, parse_iso_day, report_line};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufWriter, Write};

/// Reads one text per line from standard input and writes one JSON object per line.
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
}

/// Runs the command.
///
/// # Errors
///
/// When an option names no preset, language or day, or when standard input is not UTF-8 or
/// standard output cannot be written.
pub fn run(args: Args) -> Result<()> {
    let Some(settings) = Settings::preset(&args.preset) else {
        bail!(
            "--preset {}: no such preset; choose one of {}",
            args.preset,
            Settings::PRESETS.join(", ")
        );
    };
    let lang = match args.lang.as_str() {
        "auto" => Lang::Auto,
        "en" => Lang::English,
        "zh" => Lang::Chinese,
        other => bail!("--lang {other}: no such language; choose auto, en or zh"),
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
        let written = writeln!(out, "{}", report_line(&line, &options));
        match written {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
            other => other.context("standard output")?,
        }
    }
    match out.flush() {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("standard output"),
    }
}
