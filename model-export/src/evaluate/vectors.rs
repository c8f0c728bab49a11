//! The vectors of a test set's texts, kept between runs.

use std::collections::HashMap;
use std::path::Path;

use almanac::encoder::{Model, TextKind};
use almanac::{Error, Result};
use indicatif::ProgressBar;

/// Texts of one batch.
const BATCH: usize = 16;

/// Encodes texts, each different one once; `cache` is a file that holds vectors of earlier runs.
///
/// # Errors
/// Those of [`Model::encode_ids`], and [`almanac::ErrorKind::Io`] if the cache cannot be written.
pub fn encode(
    model: &Model,
    texts: &[&str],
    kind: TextKind,
    cache: Option<&Path>,
) -> Result<Vec<Vec<f32>>> {
    let ids: Vec<Vec<u32>> = texts
        .iter()
        .map(|t| model.ids(t, kind))
        .collect::<Result<_>>()?;
    let mut known: HashMap<Vec<u32>, Vec<f32>> =
        cache.map(|path| load(path, model)).unwrap_or_default();
    let held = known.len();
    let mut missing: Vec<Vec<u32>> = ids
        .iter()
        .filter(|i| !known.contains_key(*i))
        .cloned()
        .collect();
    missing.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    missing.dedup();
    // The bar hides itself where stderr is not a terminal.
    let bar = ProgressBar::new(missing.len() as u64);
    for same_length in missing.chunk_by(|a, b| a.len() == b.len()) {
        for batch in same_length.chunks(BATCH) {
            let vectors = pollster::block_on(model.encode_ids(batch))?;
            known.extend(batch.iter().cloned().zip(vectors));
            bar.inc(batch.len() as u64);
        }
    }
    bar.finish_and_clear();
    if let Some(path) = cache.filter(|_| known.len() > held) {
        save(path, model, &known)?;
    }
    Ok(ids
        .iter()
        .map(|i| known.get(i).cloned().unwrap_or_default())
        .collect())
}

/// A cache names its model, so that one of another is not used.
fn load(path: &Path, model: &Model) -> HashMap<Vec<u32>, Vec<f32>> {
    type Stored = (String, Vec<(Vec<u32>, Vec<f32>)>);
    let stored = std::fs::read(path)
        .ok()
        .and_then(|bytes| serde_json::from_slice::<Stored>(&bytes).ok());
    match stored {
        Some((id, pairs)) if id == model.card().id => pairs.into_iter().collect(),
        _ => HashMap::new(),
    }
}

fn save(path: &Path, model: &Model, known: &HashMap<Vec<u32>, Vec<f32>>) -> Result<()> {
    let mut pairs: Vec<_> = known.iter().collect();
    pairs.sort_by(|a, b| a.0.cmp(b.0));
    let bytes = serde_json::to_vec(&(&model.card().id, pairs))
        .map_err(|e| Error::new(almanac::ErrorKind::Internal, e.to_string()))?;
    std::fs::write(path, bytes).map_err(|e| Error::io(path, &e))
}
