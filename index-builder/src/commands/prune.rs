//! `almanac-index prune`: away with what earlier builds left.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use almanac::index::{MANIFEST_NAME, Manifest, SectionKind};
use anyhow::{Context, Result};

use super::inspect::read_manifest;
use crate::size::bytes;

/// Remove the files of earlier builds that the manifest no longer names
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Index folder made by `almanac-index build`
    dir: PathBuf,
    /// Say what would be removed and leave it
    #[arg(long)]
    dry_run: bool,
}

/// Removes index files without a place in the manifest; files of other kinds are left alone.
///
/// # Errors
/// If the manifest cannot be read or a file cannot be removed.
pub fn run(args: &Args) -> Result<()> {
    let manifest = read_manifest(&args.dir)?;
    let leftovers = leftovers(&args.dir, &manifest)?;
    let total: u64 = leftovers.iter().map(|(_, size)| size).sum();
    for (path, _) in &leftovers {
        if args.dry_run {
            println!("{}", path.display());
        } else {
            std::fs::remove_file(path).with_context(|| path.display().to_string())?;
        }
    }
    let verb = if args.dry_run {
        "would remove"
    } else {
        "removed"
    };
    println!("{verb} {} files, {}", leftovers.len(), bytes(total));
    Ok(())
}

/// Finds index files that the manifest does not name, with their sizes, in order of name.
///
/// # Errors
/// If the folder cannot be read.
pub fn leftovers(folder: &Path, manifest: &Manifest) -> Result<Vec<(PathBuf, u64)>> {
    let named: HashSet<&str> = manifest
        .files
        .iter()
        .map(|f| f.file.file.as_str())
        .collect();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if !named.contains(name) && is_index_file(name) {
            found.push((entry.path(), entry.metadata()?.len()));
        }
    }
    found.sort();
    Ok(found)
}

/// Says whether a name is one the writer gives: `vectors-0123456789abcdef.bin`, or such a file or
/// a manifest half written.
fn is_index_file(name: &str) -> bool {
    let whole = name.strip_suffix(".part");
    if whole == Some(MANIFEST_NAME) {
        return true;
    }
    let name = whole.unwrap_or(name);
    name.strip_suffix(".bin")
        .and_then(|stem| stem.rsplit_once('-'))
        .is_some_and(|(kind, hash)| {
            SectionKind::WRITTEN
                .iter()
                .any(|written| written.name() == kind)
                && hash.len() == 16
                && hash.bytes().all(|b| b.is_ascii_hexdigit())
        })
}

#[cfg(test)]
mod tests {
    use super::is_index_file;

    #[test]
    fn only_names_that_the_writer_gives_are_its_own() {
        for own in [
            "vectors-0123456789abcdef.bin",
            "documents-0123456789abcdef.bin.part",
            "manifest.json.part",
        ] {
            assert!(is_index_file(own), "{own}");
        }
        for other in [
            "manifest.json",
            "vectors.bin",
            "vectors-0123456789abcde.bin",
            "photos-0123456789abcdef.bin",
            "index.html",
        ] {
            assert!(!is_index_file(other), "{other}");
        }
    }
}
