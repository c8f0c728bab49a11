//! The native programs, and what they make: the imported model and the index.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::hash::{self, Fingerprint};
use crate::plan::{Cost, Outcome, done, missing_offline};
use crate::process;
use crate::setup::model;
use crate::stamp::Stamp;
use crate::workspace::{WASM_TARGET, Workspace};

/// The collection that ships in the repository.
pub const DEMO_COLLECTION: &str = "cmoa";

/// Files of a Hugging Face directory that the import reads, where they exist.
const MODEL_INPUTS: [&str; 7] = [
    "1_Pooling/config.json",
    "config.json",
    "model.safetensors",
    "pytorch_model.bin",
    "sentence_bert_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
];

/// Offline, makes sure that cargo holds every crate it will need, before hours of work are lost.
///
/// # Errors
/// When one is missing; the error names it.
pub fn check_crates(workspace: &Workspace) -> Result<Outcome> {
    if !workspace.offline {
        return Ok(Outcome::Skipped("cargo fetches what it lacks".into()));
    }
    for arguments in [
        &["--package", "almanac-index", "--package", "almanac-model"][..],
        &[
            "--package",
            "almanac",
            "--features",
            "gpu",
            "--target",
            WASM_TARGET,
        ],
    ] {
        let output = workspace
            .cargo("tree")?
            .args(arguments)
            .args(["--edges", "normal,build"])
            .output()
            .context("cannot start cargo")?;
        if !output.status.success() {
            let complaint = String::from_utf8_lossy(&output.stderr);
            return Err(missing_offline(
                &missing_crate(&complaint),
                "run `cargo fetch --locked` once with a network",
            ));
        }
    }
    Ok(Outcome::Unchanged)
}

/// Which crate cargo misses, from what it prints.
fn missing_crate(complaint: &str) -> String {
    let quoted = ["failed to download `", "no matching package named `"]
        .iter()
        .find_map(|start| complaint.split_once(start)?.1.split_once('`'));
    match quoted {
        Some((name, _)) => format!("the crate {name}"),
        None => {
            let first = complaint.lines().next().unwrap_or_default();
            format!(
                "something cargo needs ({})",
                first.trim_start_matches("error: ")
            )
        }
    }
}

/// Builds `almanac-index` and `almanac-model`.
///
/// # Errors
/// When they do not compile.
pub fn build(workspace: &Workspace) -> Result<Outcome> {
    process::run(workspace.cargo("build")?.args([
        "--release",
        "--package",
        "almanac-index",
        "--package",
        "almanac-model",
    ]))?;
    Ok(done())
}

/// What [`build`] will take; nothing when the programs exist (cargo then knows what has changed).
pub fn build_cost(workspace: &Workspace) -> Option<Cost> {
    let present = ["almanac-index", "almanac-model"]
        .iter()
        .all(|name| program(workspace, name).is_file());
    (!present).then_some(Cost {
        minutes: 7.0,
        megabytes: 70,
    })
}

/// Path of a native program.
pub fn program(workspace: &Workspace, name: &str) -> PathBuf {
    workspace
        .programs()
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// A model as the import leaves it.
#[derive(Debug)]
pub struct Model {
    /// The Hugging Face directory.
    source: PathBuf,
    /// The imported model.
    pub folder: PathBuf,
    name: String,
    given: bool,
    /// Whether the given folder is a model that was imported already.
    ready: bool,
}

/// The file by which an imported model is known.
const CARD: &str = "card.json";

impl Model {
    /// The demo's model, or the one in a given Hugging Face directory or folder of an imported model.
    ///
    /// # Errors
    /// When the given directory does not exist.
    pub fn new(workspace: &Workspace, given: Option<&Path>) -> Result<Self> {
        let source = model::directory(workspace, given);
        let name = match given {
            None => model::NAME.to_owned(),
            Some(given) => {
                let full = given
                    .canonicalize()
                    .with_context(|| format!("{}: no such folder", given.display()))?;
                named_by_path(&full)
            }
        };
        let ready = given.is_some_and(|given| given.join(CARD).is_file());
        let folder = match given {
            Some(given) if ready => given.to_owned(),
            _ => workspace.cache.join("models").join(format!("{name}-int8")),
        };
        Ok(Self {
            source,
            folder,
            name,
            given: given.is_some(),
            ready,
        })
    }

    /// The Hugging Face directory.
    pub fn source(&self) -> &Path {
        &self.source
    }

    /// Whether there is nothing to fetch and to import.
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// What [`Model::import`] will take; nothing when it has been done.
    pub fn cost(&self) -> Option<Cost> {
        (!self.folder.is_dir()).then_some(Cost {
            minutes: 0.5,
            megabytes: 0,
        })
    }

    /// Turns the Hugging Face directory into the form that the page and the index builder read.
    ///
    /// # Errors
    /// When the import fails; it says why itself.
    pub fn import(&self, workspace: &Workspace) -> Result<Outcome> {
        if self.ready {
            return Ok(Outcome::Unchanged);
        }
        let importer = program(workspace, "almanac-model");
        let mut fingerprint = Fingerprint::of("import").file(&importer)?;
        for name in MODEL_INPUTS {
            fingerprint = fingerprint.text(name).file(&self.source.join(name))?;
        }
        let stamp = Stamp::new(
            &workspace.cache.join("stamps"),
            &format!("model-{}", self.name),
            fingerprint.finish(),
        );
        if stamp.is_fresh(std::slice::from_ref(&self.folder)) {
            return Ok(Outcome::Unchanged);
        }
        stamp.clear();
        let mut command = Command::new(&importer);
        command.arg("import").arg(&self.source);
        command.arg("--out").arg(&self.folder);
        command.args(["--weights", "int8"]);
        if !self.given {
            command.args(["--license", model::LICENSE]);
        }
        process::run(&mut command)?;
        stamp.set()?;
        Ok(done())
    }
}

/// A collection to index.
#[derive(Debug)]
pub struct Collection {
    input: PathBuf,
    settings: Option<PathBuf>,
    name: String,
}

impl Collection {
    /// The collection of a file, or of the folder of this name in `collections/`.
    ///
    /// # Errors
    /// When there is neither.
    pub fn find(workspace: &Workspace, wanted: &str) -> Result<Self> {
        let shelf = workspace.root.join("collections");
        let plain_name = !wanted.is_empty()
            && wanted
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '-' || letter == '_');
        if plain_name && shelf.join(wanted).is_dir() {
            let folder = shelf.join(wanted);
            let input = hash::files_below(&folder, &[])?
                .into_iter()
                .filter(|file| {
                    let name = file.to_string_lossy();
                    let name = name.strip_suffix(".gz").unwrap_or(&name);
                    name.ends_with(".jsonl") || name.ends_with(".csv")
                })
                .min()
                .with_context(|| format!("{}: no .jsonl or .csv file", folder.display()))?;
            return Ok(Self::of_file(folder.join(input), wanted.to_owned()));
        }
        let file = Path::new(wanted);
        if !file.is_file() {
            bail!(
                "{wanted}: neither a file nor a folder of {}; give a CSV or JSONL file with `--collection FILE`",
                shelf.display()
            );
        }
        let full = file
            .canonicalize()
            .with_context(|| format!("{wanted}: cannot read"))?;
        let name = named_by_path(&full);
        Ok(Self::of_file(full, name))
    }

    fn of_file(input: PathBuf, name: String) -> Self {
        let settings = input
            .with_file_name("collection.toml")
            .is_file()
            .then(|| input.with_file_name("collection.toml"));
        Self {
            input,
            settings,
            name,
        }
    }

    /// The model that comes with the collection: a folder `model` beside its file.
    pub fn model(&self) -> Option<PathBuf> {
        let folder = self.input.with_file_name("model");
        folder.join(CARD).is_file().then_some(folder)
    }

    /// Folder of the index of this collection by this model.
    pub fn index(&self, workspace: &Workspace, model: &Model) -> PathBuf {
        let name = if model.given {
            format!("{}--{}", self.name, model.name)
        } else {
            self.name.clone()
        };
        workspace.cache.join("index").join(name)
    }

    /// What [`Collection::build_index`] will take; nothing when there is an index (the builder then
    /// knows whether anything has changed).
    pub fn cost(&self, workspace: &Workspace, model: &Model) -> Option<Cost> {
        let present = self.index(workspace, model).join("manifest.json").is_file();
        (!present).then_some(Cost {
            minutes: 5.0,
            megabytes: 0,
        })
    }

    /// Builds the index, or goes on with an interrupted build.
    ///
    /// # Errors
    /// When the build fails; it says why itself.
    pub fn build_index(&self, workspace: &Workspace, model: &Model) -> Result<Outcome> {
        let mut command = Command::new(program(workspace, "almanac-index"));
        command.arg("build").arg("--input").arg(&self.input);
        if let Some(settings) = &self.settings {
            command.arg("--config").arg(settings);
        }
        command
            .arg("--model")
            .arg(&model.folder)
            .arg("--out")
            .arg(self.index(workspace, model));
        process::run(&mut command)?;
        Ok(done())
    }
}

/// A name for a file or folder anywhere on the machine: its own, and a few digits of its path.
fn named_by_path(full: &Path) -> String {
    let own: String = full
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .split('.')
        .next()
        .unwrap_or_default()
        .chars()
        .map(|letter| {
            if letter.is_alphanumeric() {
                letter
            } else {
                '-'
            }
        })
        .collect();
    let path = hash::hex_of(full.to_string_lossy().as_bytes());
    format!("{own}-{}", &path[..8])
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;
    use std::fs;

    fn workspace(dir: &Path) -> Workspace {
        Workspace {
            root: dir.into(),
            cache: dir.join("cache"),
            target: dir.join("target"),
            offline: true,
        }
    }

    #[test]
    fn collection_is_found_by_name_with_its_settings() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("collections/birds");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("README.md"), "").unwrap();
        fs::write(folder.join("objects.jsonl.gz"), "").unwrap();
        fs::write(folder.join("collection.toml"), "").unwrap();
        let found = Collection::find(&workspace(dir.path()), "birds").unwrap();
        assert_eq!(found.input, folder.join("objects.jsonl.gz"));
        assert_eq!(found.settings, Some(folder.join("collection.toml")));
        assert_eq!(found.name, "birds");
    }

    #[test]
    fn model_beside_a_collection_is_used_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = workspace(dir.path());
        let folder = dir.path().join("collections/birds");
        fs::create_dir_all(folder.join("model")).unwrap();
        fs::write(folder.join("objects.csv"), "").unwrap();
        let birds = || Collection::find(&workspace, "birds").unwrap();
        assert_eq!(birds().model(), None);
        fs::write(folder.join("model/card.json"), "").unwrap();
        let own = birds().model().unwrap();
        let model = Model::new(&workspace, Some(&own)).unwrap();
        assert!(model.is_ready() && model.folder == own);
        assert_eq!(model.import(&workspace).unwrap(), Outcome::Unchanged);
    }

    #[test]
    fn missing_crate_is_named() {
        let complaint = "error: failed to download `burn v0.22.1`\n\nCaused by:\n  no\n";
        assert_eq!(missing_crate(complaint), "the crate burn v0.22.1");
        assert_eq!(
            missing_crate("error: no matching package named `zip` found\n"),
            "the crate zip"
        );
        assert_eq!(
            missing_crate("error: odd\nx"),
            "something cargo needs (odd)"
        );
    }

    #[test]
    fn files_of_one_name_in_two_folders_get_two_indexes() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = workspace(dir.path());
        let model = Model::new(&workspace, None).unwrap();
        let index = |folder: &str| {
            let folder = dir.path().join(folder);
            fs::create_dir(&folder).unwrap();
            let file = folder.join("objects.csv");
            fs::write(&file, "").unwrap();
            Collection::find(&workspace, file.to_str().unwrap())
                .unwrap()
                .index(&workspace, &model)
        };
        assert_ne!(index("a"), index("b"));
    }

    #[test]
    fn unknown_collection_is_refused_with_the_way_out() {
        let dir = tempfile::tempdir().unwrap();
        let error = Collection::find(&workspace(dir.path()), "none").unwrap_err();
        assert!(error.to_string().contains("--collection FILE"), "{error}");
        assert!(Collection::find(&workspace(dir.path()), "../x").is_err());
    }

    #[test]
    fn own_model_gets_a_folder_and_index_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = workspace(dir.path());
        let own = dir.path().join("my.model");
        fs::create_dir(&own).unwrap();
        fs::create_dir_all(dir.path().join("collections/birds")).unwrap();
        fs::write(dir.path().join("collections/birds/a.csv"), "").unwrap();
        let given = Model::new(&workspace, Some(&own)).unwrap();
        let usual = Model::new(&workspace, None).unwrap();
        assert_ne!(given.folder, usual.folder);
        let birds = Collection::find(&workspace, "birds").unwrap();
        assert_ne!(
            birds.index(&workspace, &given),
            birds.index(&workspace, &usual)
        );
    }
}
