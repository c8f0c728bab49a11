//! `almanac-index books`: from books as running text to a collection of passages.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};

use crate::books::{Book, rows};
use crate::script::Scripts;

/// Cut books into passages, the rows of a collection: markup stripped, notes kept apart, in
/// traditional and simplified characters
#[derive(clap::Args, Debug)]
pub struct Args {
    /// List of the books (TOML); their files stand beside it
    list: PathBuf,
    /// Folder of the books' files where they do not stand beside the list
    #[arg(long)]
    files: Option<PathBuf>,
    /// Collection to write, JSON lines in gzip
    #[arg(long)]
    out: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read, is not in its form, or the collection cannot be written.
pub fn run(args: &Args) -> Result<()> {
    let beside = args.list.parent().map(PathBuf::from).unwrap_or_default();
    let folder = args.files.clone().unwrap_or(beside);
    let scripts = Scripts::new()?;
    let mut json = Vec::new();
    for book in Book::list(&args.list)? {
        let rows = rows(&book, &folder, &scripts)?;
        println!("{:10} {:6} passages  {}", book.id, rows.len(), book.title);
        for row in rows {
            serde_json::to_writer(&mut json, &row)?;
            json.push(b'\n');
        }
    }
    let place = args.out.display().to_string();
    let file = std::fs::File::create(&args.out).with_context(|| place.clone())?;
    // Without name and time, so that equal books give equal bytes.
    let mut out = GzBuilder::new().mtime(0).write(file, Compression::best());
    out.write_all(&json).with_context(|| place.clone())?;
    out.finish().with_context(|| place)?;
    Ok(())
}
