//! A folder to hand on: the whole site with a note on how to open it, and a zip file of it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::hash;
use crate::site;

/// Where a bundle goes when nothing else is said, below the checkout.
pub const DEFAULT_FOLDER: &str = "almanac-bundle";

/// The note's name; a folder that has one was made by this tool.
const NOTE: &str = "README.txt";

/// What a site must have to be searched.
const NEEDED: [&str; 5] = [
    "index.html",
    "sw.js",
    "assets",
    "model/card.json",
    "index/manifest.json",
];

/// Copies a finished site to `out` with a note, and packs it into `out` with `.zip` where wanted.
///
/// # Errors
/// When the site is not whole, `out` holds anything but an earlier bundle, or something cannot be
/// read or written.
pub fn pack(site: &Path, out: &Path, zip: bool) -> Result<Vec<PathBuf>> {
    for needed in NEEDED {
        if !site.join(needed).exists() {
            bail!(
                "{}: no such file; give a site that `cargo xtask build` has finished",
                site.join(needed).display()
            );
        }
    }
    refuse_others(site, out)?;
    site::mirror(site, out)?;
    let manifest = site.join("index/manifest.json");
    let text = fs::read_to_string(&manifest)
        .with_context(|| format!("{}: cannot read", manifest.display()))?;
    let manifest: Value =
        serde_json::from_str(&text).with_context(|| format!("{}: not JSON", manifest.display()))?;
    let title = manifest.get("title").and_then(Value::as_str).unwrap_or("");
    let note = out.join(NOTE);
    fs::write(&note, note_for(title))
        .with_context(|| format!("{}: cannot write", note.display()))?;
    let mut made = vec![out.to_path_buf()];
    if zip {
        let file = zip_path(out)?;
        zip_folder(out, &file)?;
        made.push(file);
    }
    Ok(made)
}

/// Makes sure that nothing is lost when `out` is made to hold the site and nothing else.
fn refuse_others(site: &Path, out: &Path) -> Result<()> {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let (site, full) = (whole(site), whole(out));
    if site.starts_with(&full) || full.starts_with(&site) {
        bail!(
            "{}: the bundle and the site must not lie in each other",
            out.display()
        );
    }
    let empty = fs::read_dir(out).map_or(true, |mut entries| entries.next().is_none());
    let earlier = out.join(NOTE).is_file() && out.join("sw.js").is_file();
    if !empty && !earlier {
        bail!(
            "{}: holds something else; give a new folder or one with an earlier bundle",
            out.display()
        );
    }
    Ok(())
}

/// How to open the folder, in plain words.
fn note_for(title: &str) -> String {
    let name = if title.is_empty() {
        "A collection"
    } else {
        title
    };
    format!(
        "{name}, to be searched by meaning and time\n\
         \n\
         This folder is the whole search: page, program, language model and index. It needs no\n\
         network and sends nothing anywhere. It can lie on a USB stick or on any web host.\n\
         \n\
         To open it on this computer, serve the folder and look at it in a browser:\n\
         \n\
         1. In a terminal, go to this folder.\n\
         2. Run one of\n\
         \n\
         \x20     python3 -m http.server 8000\n\
         \x20     npx serve -l 8000\n\
         \n\
         3. Open http://localhost:8000/ in Chrome, Edge, Firefox or Safari.\n\
         \n\
         Opening index.html by a double click (an address that begins with file://) does not\n\
         work: browsers give such pages neither modules nor a worker.\n\
         \n\
         On a web host, copy the folder to any path; it needs no settings.\n"
    )
}

/// The zip file of a folder, beside it.
fn zip_path(out: &Path) -> Result<PathBuf> {
    let name = out
        .file_name()
        .with_context(|| format!("{}: has no name to call the zip file by", out.display()))?;
    let mut name = name.to_os_string();
    name.push(".zip");
    Ok(out.with_file_name(name))
}

/// Packs a folder under its own name; the same files give the same bytes.
fn zip_folder(folder: &Path, file: &Path) -> Result<()> {
    let mut files = hash::files_below(folder, &[])?;
    files.sort();
    let name = folder
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    // Written beside and renamed, so that a broken run leaves no half of a file.
    let part = file.with_extension("zip.part");
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default());
    let mut writer = ZipWriter::new(
        File::create(&part).with_context(|| format!("{}: cannot write", part.display()))?,
    );
    for path in files {
        let inside = path
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect::<Vec<_>>()
            .join("/");
        writer
            .start_file(format!("{name}/{inside}"), options)
            .with_context(|| format!("{}: cannot write", part.display()))?;
        let source = folder.join(&path);
        let mut from =
            File::open(&source).with_context(|| format!("{}: cannot read", source.display()))?;
        io::copy(&mut from, &mut writer)
            .with_context(|| format!("cannot pack {}", source.display()))?;
    }
    writer
        .finish()
        .with_context(|| format!("{}: cannot write", part.display()))?;
    fs::rename(&part, file).with_context(|| format!("{}: cannot write", file.display()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;
    use std::io::Read;

    fn small_site(dir: &Path) -> PathBuf {
        let site = dir.join("dist");
        for (file, text) in [
            ("index.html", "<!doctype html>"),
            ("sw.js", ""),
            ("assets/a.js", "1"),
            ("model/card.json", "{}"),
            ("index/manifest.json", r#"{"title":"Town Museum"}"#),
            ("index/.almanac-cache/vectors", "x"),
        ] {
            let path = site.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        site
    }

    #[test]
    fn bundle_holds_the_site_and_how_to_open_it() {
        let dir = tempfile::tempdir().unwrap();
        let (site, out) = (small_site(dir.path()), dir.path().join("stick"));
        assert_eq!(pack(&site, &out, false).unwrap().len(), 1);
        let note = fs::read_to_string(out.join(NOTE)).unwrap();
        assert!(note.starts_with("Town Museum"), "{note}");
        for words in ["python3 -m http.server", "npx serve", "file://"] {
            assert!(note.contains(words), "{words}");
        }
        assert!(out.join("assets/a.js").is_file());
        assert!(!out.join("index/.almanac-cache").exists());
        fs::write(site.join("assets/b.js"), "2").unwrap();
        fs::remove_file(site.join("assets/a.js")).unwrap();
        pack(&site, &out, false).unwrap();
        assert!(out.join("assets/b.js").is_file() && !out.join("assets/a.js").exists());
    }

    #[test]
    fn zip_is_the_folder_and_the_same_each_time() {
        let dir = tempfile::tempdir().unwrap();
        let (site, out) = (small_site(dir.path()), dir.path().join("stick"));
        let made = pack(&site, &out, true).unwrap();
        let file = dir.path().join("stick.zip");
        assert_eq!(made, [out.clone(), file.clone()]);
        let first = fs::read(&file).unwrap();
        pack(&site, &out, true).unwrap();
        assert_eq!(fs::read(&file).unwrap(), first);
        let mut archive = zip::ZipArchive::new(File::open(&file).unwrap()).unwrap();
        let mut text = String::new();
        archive
            .by_name("stick/index/manifest.json")
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        assert!(text.contains("Town Museum"));
        assert!(archive.by_name("stick/README.txt").is_ok());
        assert_eq!(archive.len(), 6);
    }

    #[test]
    fn folder_with_other_things_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let (site, out) = (small_site(dir.path()), dir.path().join("home"));
        fs::create_dir_all(&out).unwrap();
        fs::write(out.join("letter.txt"), "dear").unwrap();
        let error = pack(&site, &out, false).unwrap_err().to_string();
        assert!(error.contains("holds something else"), "{error}");
        assert!(out.join("letter.txt").is_file());
        assert!(pack(&site, &site.join("inside"), false).is_err());
        assert!(pack(&site, dir.path(), false).is_err());
    }

    #[test]
    fn site_without_its_model_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let site = small_site(dir.path());
        fs::remove_file(site.join("model/card.json")).unwrap();
        let error = pack(&site, &dir.path().join("out"), false)
            .unwrap_err()
            .to_string();
        assert!(error.contains("card.json"), "{error}");
    }
}
