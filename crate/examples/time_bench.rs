//! Measures how fast dates are found and grounded in running text, on one core.
//!
//! Usage: `time_bench FILE...`; files ending in `.gz` are unpacked, and the text is read again
//! until twenty megabytes have been read.

use almanac::time::{Lang, Settings, find, parse_iso_day};
use std::io::Read;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut passages: Vec<String> = Vec::new();
    for path in std::env::args().skip(1) {
        let mut text = String::new();
        let file = std::fs::File::open(&path)?;
        if path.ends_with(".gz") {
            flate2::read::GzDecoder::new(file).read_to_string(&mut text)?;
        } else {
            std::io::BufReader::new(file).read_to_string(&mut text)?;
        }
        passages.extend(text.lines().map(String::from));
    }
    let size: usize = passages.iter().map(String::len).sum();
    if size == 0 {
        return Err("no text: name the files to read".into());
    }
    let rounds = 20_000_000usize.div_ceil(size);
    let settings = Settings::default();
    for (name, anchor) in [
        ("without anchor", None),
        ("with anchor", parse_iso_day("2024-03-15")),
    ] {
        let start = Instant::now();
        let mut expressions = 0;
        for _ in 0..rounds {
            for passage in &passages {
                expressions += find(passage, &settings, Lang::Auto, anchor).len();
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        let megabytes = (size * rounds) as f64 / 1e6;
        println!(
            "{name}: {megabytes:.1} MB in {seconds:.2} s = {:.0} MB a minute, {} expressions a round",
            megabytes / seconds * 60.0,
            expressions / rounds
        );
    }
    Ok(())
}
