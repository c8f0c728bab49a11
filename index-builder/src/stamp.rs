//! Whether an index is already what a build would make.

use std::path::Path;

use almanac::index::{MANIFEST_NAME, Manifest};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

const NAME: &str = "build.json";

/// What a finished build was made from, kept in the cache folder.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    inputs: String,
    release: String,
}

/// Hashes everything that decides what an index becomes, each part with its length.
pub fn fingerprint(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let digest = hasher.finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Gives the manifest of an index that was made from these inputs and is still whole.
///
/// Whole means that the manifest is the one the build wrote and that every file is there in its
/// size; `almanac-index validate` looks inside them.
pub fn up_to_date(folder: &Path, cache: &Path, inputs: &str) -> Option<Manifest> {
    let stamp = std::fs::read(cache.join(NAME)).ok()?;
    let stamp: Stamp = serde_json::from_slice(&stamp).ok()?;
    let manifest = std::fs::read(folder.join(MANIFEST_NAME)).ok()?;
    let manifest = Manifest::from_bytes(&manifest).ok()?;
    let same = stamp.inputs == inputs && stamp.release == manifest.release;
    let whole = manifest.files.iter().all(|file| {
        std::fs::metadata(folder.join(&file.file.file))
            .is_ok_and(|found| found.len() == file.file.bytes)
    });
    (same && whole).then_some(manifest)
}

/// Notes what an index was made from.
///
/// # Errors
/// If the note cannot be written.
pub fn write(cache: &Path, inputs: String, release: String) -> Result<()> {
    let path = cache.join(NAME);
    let stamp = serde_json::to_vec(&Stamp { inputs, release })?;
    std::fs::write(&path, stamp).with_context(|| path.display().to_string())
}
