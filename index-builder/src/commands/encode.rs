//! `almanac-index encode`: the vectors of texts, to compare with another encoder's.

use std::path::PathBuf;

use almanac::encoder::Model;
use anyhow::{Context, Result};

use super::Kind;

/// Answer each JSON string of stdin with its vector
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Folder made by `almanac-model import`
    #[arg(long, value_name = "DIR")]
    model: PathBuf,
    /// What the texts are to the model
    #[arg(long, value_enum, default_value = "query")]
    kind: Kind,
    /// Compute in integers, bit by bit as visitors' browsers do
    #[arg(long)]
    integers: bool,
}

/// Reads texts and prints their unit vectors.
///
/// # Errors
/// If the model cannot be read, or a line of stdin is no JSON string.
pub fn run(args: &Args) -> Result<()> {
    let model = if args.integers {
        Model::open_integer(&args.model).context("model")?
    } else {
        super::open_model(&args.model)?
    };
    super::answer_lines(|text| Ok(pollster::block_on(model.encode(text, args.kind.into()))?))
}
