//! `almanac-index tokens`: the token ids of texts, to compare with another reader's.

use std::path::{Path, PathBuf};

use almanac::encoder::ModelCard;
use almanac::text::Tokenizer;
use anyhow::{Context, Result};

/// Answer each JSON string of stdin with its token ids
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Folder made by `almanac-model import`
    #[arg(long, value_name = "DIR")]
    model: PathBuf,
}

/// Reads texts and prints their ids, special tokens included and no prefix added.
///
/// # Errors
/// If card or tokenizer cannot be read, or a line of stdin is no JSON string.
pub fn run(args: &Args) -> Result<()> {
    let card = ModelCard::from_bytes(&read(&args.model.join("card.json"))?)?;
    let bytes = read(&args.model.join(&card.tokenizer.file))?;
    card.tokenizer.verify(&bytes)?;
    let tokenizer = Tokenizer::from_bytes(&bytes, card.max_tokens)?;
    super::answer_lines(|text| Ok(tokenizer.ids(text)?))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| path.display().to_string())
}
