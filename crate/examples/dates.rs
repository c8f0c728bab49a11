//! Reads one text per line and writes one JSON line each, like `almanac-index dates`.
//!
//! Usage: `dates [--preset NAME] [--anchor DAY] [--lang auto|en|zh] [--whole] < texts`

use almanac::time::{Lang, ReportOptions, Settings, parse_iso_day, report_line};
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut options = ReportOptions {
        settings: Settings::default(),
        lang: Lang::Auto,
        anchor: None,
        whole: false,
    };
    let invalid = |what: String| std::io::Error::new(std::io::ErrorKind::InvalidInput, what);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--whole" => options.whole = true,
            "--preset" => {
                let name = args.next().unwrap_or_default();
                options.settings = Settings::preset(&name)
                    .ok_or_else(|| invalid(format!("--preset {name}: no such preset")))?;
            }
            "--anchor" => {
                let day = args.next().unwrap_or_default();
                options.anchor = Some(
                    parse_iso_day(&day)
                        .ok_or_else(|| invalid(format!("--anchor {day}: not a day")))?,
                );
            }
            "--lang" => {
                options.lang = match args.next().as_deref() {
                    Some("en") => Lang::English,
                    Some("zh") => Lang::Chinese,
                    _ => Lang::Auto,
                }
            }
            other => return Err(invalid(format!("{other}: no such option"))),
        }
    }
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        writeln!(out, "{}", report_line(&line?, &options))?;
    }
    out.flush()
}
