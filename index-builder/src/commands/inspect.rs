//! `almanac-index inspect`: what an index is.

use std::path::PathBuf;

use almanac::index::{MANIFEST_NAME, Manifest, SectionKind};
use anyhow::{Context, Result};

use crate::size::bytes;

/// Describe an index: counts, model, sizes, versions
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Index folder made by `almanac-index build`
    dir: PathBuf,
}

/// Prints what the manifest says.
///
/// # Errors
/// If the manifest cannot be read.
pub fn run(args: &Args) -> Result<()> {
    let manifest = read_manifest(&args.dir)?;
    let [major, minor] = manifest.version;
    println!("title          {}", manifest.title);
    println!("format         {} {major}.{minor}", manifest.format);
    println!("release        {}", manifest.release);
    println!("documents      {}", manifest.documents);
    println!("passages       {}", manifest.passages);
    println!(
        "model          {} ({} dimensions)",
        manifest.model.id, manifest.model.dimensions
    );
    println!("recall@10      {:.4} of float32", manifest.recall_at_10);
    for line in shortcuts(&manifest) {
        println!("{line}");
    }
    println!("no match below {:.3}", manifest.no_match_below);
    println!("dates          read as {}", manifest.dates.preset);
    println!(
        "weights        time {}, words {} of the rest, chosen on {} queries",
        manifest.ranking.time, manifest.ranking.words, manifest.ranking.chosen_on
    );
    let mut total = 0;
    for kind in SectionKind::WRITTEN
        .into_iter()
        .chain([SectionKind::Unknown])
    {
        let sizes: Vec<u64> = manifest.files_of(kind).map(|f| f.file.bytes).collect();
        let sum: u64 = sizes.iter().sum();
        total += sum;
        if !sizes.is_empty() {
            let files = if sizes.len() == 1 { "file" } else { "files" };
            println!(
                "{:<14} {} in {} {files}",
                format!("  {}", kind.name()),
                bytes(sum),
                sizes.len()
            );
        }
    }
    println!(
        "size           {}, {:.0} bytes a passage",
        bytes(total),
        total as f64 / f64::from(manifest.passages)
    );
    Ok(())
}

/// Says what signs and clusters find, a line each.
pub fn shortcuts(manifest: &Manifest) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(prefilter) = manifest.prefilter {
        lines.push(format!(
            "signs choose {} passages to score exactly: recall@10 {:.4} of the exact scan",
            prefilter.candidates, prefilter.recall_at_10
        ));
    }
    for point in manifest
        .clusters
        .iter()
        .flat_map(|clusters| &clusters.curve)
    {
        let usual = manifest.clusters.as_ref().map(|clusters| clusters.probes);
        lines.push(format!(
            "nearest {:>5} clusters: {:>5.1} % of the vectors' bytes, recall@10 {:.4} of the exact \
             scan{}",
            point.probes,
            point.bytes * 100.0,
            point.recall_at_10,
            match usual == Some(point.probes) {
                true => " (the usual)",
                false => "",
            }
        ));
    }
    lines
}

/// Reads the manifest of an index folder.
///
/// # Errors
/// If it cannot be read or is damaged.
pub fn read_manifest(folder: &std::path::Path) -> Result<Manifest> {
    let path = folder.join(MANIFEST_NAME);
    let json = std::fs::read(&path).with_context(|| {
        format!(
            "{}: not an index; give a folder made by `almanac-index build`",
            path.display()
        )
    })?;
    Manifest::from_bytes(&json).with_context(|| folder.display().to_string())
}
