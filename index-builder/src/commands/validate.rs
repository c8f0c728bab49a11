//! `almanac-index validate`: every byte of an index checked.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use almanac::encoder::{Model, TextKind};
use almanac::index::{Document, Index, SectionKind};
use anyhow::{Context, Result, bail};

use super::inspect::read_manifest;
use crate::size::bytes;

/// Passages encoded again to see that the model is the one the index was built with.
const PASSAGES_TRIED: usize = 32;
/// The cosine that a passage encoded again must have with what the index holds.
const SAME_TEXT: f32 = 0.99;

/// Check every file of an index: size, hash, structure, counts
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Index folder made by `almanac-index build`
    dir: PathBuf,
    /// Model folder, to check that it gives the vectors of this index
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
}

/// Reads the whole index; prints each damaged file and fails if there is one.
///
/// # Errors
/// If a file is missing or damaged, counts contradict each other, or the model is another.
pub fn run(args: &Args) -> Result<()> {
    let manifest = read_manifest(&args.dir)?;
    let mut faults: Vec<String> = Vec::new();
    for file in &manifest.files {
        let checked = std::fs::read(args.dir.join(&file.file.file))
            .map_err(|e| format!("{}: {e}", file.file.file))
            .and_then(|bytes| file.file.verify(&bytes).map_err(|e| e.to_string()));
        faults.extend(checked.err());
    }
    for fault in &faults {
        println!("{fault}");
    }
    if !faults.is_empty() {
        bail!(
            "{}: {} of {} files are missing or damaged; publish the folder again or rebuild the \
             index",
            args.dir.display(),
            faults.len(),
            manifest.files.len()
        );
    }
    let index = Index::open_folder(&args.dir)?;
    let documents = read_documents(&args.dir, &index)?;
    check_documents(&documents)?;
    if let Some(model) = &args.model {
        check_model(&index, &documents, &super::open_model(model)?)?;
    }
    let total: u64 = manifest.files.iter().map(|f| f.file.bytes).sum();
    println!(
        "valid: {} documents, {} passages, {} files, {}",
        manifest.documents,
        manifest.passages,
        manifest.files.len(),
        bytes(total)
    );
    Ok(())
}

fn read_documents(folder: &Path, index: &Index) -> Result<Vec<Document>> {
    let mut documents = Vec::new();
    for file in index.manifest().files_of(SectionKind::Documents) {
        let path = folder.join(&file.file.file);
        let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
        documents.extend(index.read_documents(file, &bytes)?);
    }
    Ok(documents)
}

fn check_documents(documents: &[Document]) -> Result<()> {
    let mut ids = HashSet::new();
    for (number, document) in documents.iter().enumerate() {
        if !ids.insert(document.id.as_str()) {
            bail!(
                "document {number}: a second one with the identifier {:?}; rebuild the index",
                document.id
            );
        }
        if document.title.is_empty() || document.passages.iter().any(String::is_empty) {
            bail!("document {number}: an empty title or passage; rebuild the index");
        }
    }
    Ok(())
}

/// Encodes evenly spaced passages again: each must find a passage as near as itself.
fn check_model(index: &Index, documents: &[Document], model: &Model) -> Result<()> {
    index.check_model(&model.card().id)?;
    let bound = &index.manifest().model.tokenizer_sha256;
    if *bound != model.card().tokenizer.sha256 {
        bail!("the model's tokenizer is not the one the index was built with; rebuild the index");
    }
    let step = documents.len().div_ceil(PASSAGES_TRIED).max(1);
    for (number, document) in documents.iter().enumerate().step_by(step) {
        let Some(passage) = document.passages.first() else {
            continue;
        };
        let vector = pollster::block_on(model.encode(passage, TextKind::Passage))?;
        let best = index
            .search(&vector, 1)?
            .first()
            .map_or(-1.0, |hit| hit.score);
        if best < SAME_TEXT {
            bail!(
                "document {number}: its passage encoded again has cosine {best:.3} with the \
                 index, expected at least {SAME_TEXT}; rebuild the index with this model"
            );
        }
    }
    Ok(())
}
