//! What `almanac-index` can be asked to do, a module each with its `Args` and `run`.

pub mod books;
pub mod build;
pub mod dates;
pub mod encode;
pub mod inspect;
pub mod prune;
pub mod search;
pub mod tokens;
pub mod validate;

use std::path::{Path, PathBuf};

use almanac::encoder::{Model, TextKind};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;

/// What a text is to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// What a visitor types.
    Query,
    /// What a collection holds.
    Passage,
}

impl From<Kind> for TextKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Query => Self::Query,
            Kind::Passage => Self::Passage,
        }
    }
}

/// Gives the model folder: the one named, or `model` beside the index.
fn model_folder(given: Option<&Path>, index: &Path) -> Result<PathBuf> {
    if let Some(given) = given {
        return Ok(given.to_owned());
    }
    let absolute = std::path::absolute(index)?;
    let beside = absolute.parent().unwrap_or(&absolute).join("model");
    if beside.join("card.json").is_file() {
        return Ok(beside);
    }
    bail!(
        "there is no model beside the index ({}); name its folder with --model",
        beside.display()
    )
}

/// Opens a model folder, with the way out where it cannot be read.
fn open_model(folder: &Path) -> Result<Model> {
    Model::open(folder).context("model")
}

/// Reads JSON strings from stdin, one a line, and answers each with a line of JSON.
fn answer_lines<T: serde::Serialize>(mut answer: impl FnMut(&str) -> Result<T>) -> Result<()> {
    use std::io::{BufRead, Write};
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let number = number + 1;
        let line = line.with_context(|| format!("stdin, line {number}"))?;
        let text: String = serde_json::from_str(&line)
            .with_context(|| format!("stdin, line {number}: expected a JSON string"))?;
        serde_json::to_writer(&mut out, &answer(&text)?)?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}
