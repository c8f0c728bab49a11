//! Where things are: the checkout, the cache folder, cargo's target folder and the toolchain.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::hash;
use crate::process;

/// The target whose code browsers run.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// File in the target folder that names the checkout which used it last; `.ci/run` reads it too.
const TARGET_OWNER: &str = ".almanac-checkout";

/// The packages of this workspace.
const OWN_PACKAGES: [&str; 4] = ["almanac", "almanac-index", "almanac-model", "xtask"];

/// One checkout of the repository on one machine.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// Root folder of the checkout.
    pub root: PathBuf,
    /// Folder of everything worth keeping between checkouts: models, indexes, modules, stamps.
    pub cache: PathBuf,
    /// Cargo's target folder for all builds started here.
    pub target: PathBuf,
    /// Whether the network is off limits.
    pub offline: bool,
}

impl Workspace {
    /// Finds the checkout this tool was compiled from, and the folders beside it.
    ///
    /// # Errors
    /// When the checkout has moved since, or no cache folder can be named or made.
    pub fn open(offline: bool) -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("xtask has no parent folder")?;
        let root = std::env::var_os("CARGO_MANIFEST_DIR")
            .map(PathBuf::from)
            .and_then(|xtask| xtask.parent().map(Path::to_path_buf))
            .filter(|root| root.join("xtask").is_dir())
            .unwrap_or_else(|| root.to_path_buf());
        if !root.join("Cargo.lock").is_file() {
            bail!(
                "{}: not a checkout of the repository; run `cargo xtask` inside one",
                root.display()
            );
        }
        let cache = cache_folder(|name| std::env::var_os(name))?;
        fs::create_dir_all(&cache)
            .with_context(|| format!("{}: cannot make the cache folder", cache.display()))?;
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(dir) if !dir.is_empty() => absolute(&root, Path::new(&dir)),
            _ => cache.join("target"),
        };
        Ok(Self {
            root,
            cache,
            target,
            offline,
        })
    }

    /// The TypeScript code.
    pub fn web(&self) -> PathBuf {
        self.root.join("web")
    }

    /// The finished site.
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// Stamps of what this checkout holds, kept apart from those of other checkouts.
    pub fn stamps(&self) -> PathBuf {
        let checkout = hash::hex_of(self.root.to_string_lossy().as_bytes());
        self.cache.join("stamps").join(&checkout[..16])
    }

    /// A `cargo` command in the checkout, with the target folder, lock file and network rules set.
    ///
    /// # Errors
    /// When the target folder cannot be taken over from another checkout.
    pub fn cargo(&self, subcommand: &str) -> Result<Command> {
        self.claim_target()?;
        let mut command = Command::new(cargo());
        command
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target)
            .arg(subcommand)
            .arg("--locked");
        if self.offline {
            command.arg("--offline");
        }
        Ok(command)
    }

    /// Makes cargo compile the crates of this checkout anew when another one used the folder last.
    ///
    /// Cargo names the crates of two checkouts alike and compares only times, so it would take code
    /// compiled from the other's sources for fresh. Compiled dependencies are safe to share.
    fn claim_target(&self) -> Result<()> {
        let owner = self.target.join(TARGET_OWNER);
        let own = self.root.to_string_lossy();
        if fs::read_to_string(&owner).is_ok_and(|last| last == own) {
            return Ok(());
        }
        for kind in ["release", "wasm32-unknown-unknown/release"] {
            let folder = self.target.join(kind).join(".fingerprint");
            for entry in fs::read_dir(&folder).into_iter().flatten() {
                let entry = entry.with_context(|| format!("{}: cannot list", folder.display()))?;
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let package = name.rsplit_once('-').map_or("", |(package, _)| package);
                if OWN_PACKAGES.contains(&package) {
                    fs::remove_dir_all(entry.path())
                        .with_context(|| format!("{}: cannot remove", entry.path().display()))?;
                }
            }
        }
        fs::create_dir_all(&self.target)
            .and_then(|()| fs::write(&owner, own.as_bytes()))
            .with_context(|| format!("{}: cannot write", owner.display()))
    }

    /// Folder of the native programs.
    pub fn programs(&self) -> PathBuf {
        self.target.join("release")
    }
}

/// The cargo that runs this tool, else the one in `PATH`.
pub fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The compiler that cargo would use.
pub fn rustc() -> OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// Version, commit and host of the compiler, as `rustc -vV` prints them.
pub fn rustc_identity(rustc: &Path) -> Result<String> {
    process::capture(Command::new(rustc).arg("-vV"))
}

fn absolute(base: &Path, path: &Path) -> PathBuf {
    if path.is_absolute() {
        path.to_path_buf()
    } else {
        base.join(path)
    }
}

fn cache_folder(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf> {
    let set = |name: &str| {
        variable(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let folder = set("ALMANAC_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|dir| dir.join("almanac")))
        .or_else(|| set("HOME").map(|dir| dir.join(".cache").join("almanac")))
        .or_else(|| set("LOCALAPPDATA").map(|dir| dir.join("almanac")))
        .context("no cache folder: set ALMANAC_CACHE to a folder that can be written")?;
    if folder.is_relative() {
        bail!(
            "{}: the cache folder must be an absolute path; correct ALMANAC_CACHE or XDG_CACHE_HOME",
            folder.display()
        );
    }
    Ok(folder)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    fn folder(set: &[(&str, &str)]) -> Result<PathBuf> {
        cache_folder(|name| {
            set.iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn own_cache_variable_comes_before_the_general_ones() {
        let all = [
            ("ALMANAC_CACHE", "/a"),
            ("XDG_CACHE_HOME", "/x"),
            ("HOME", "/h"),
        ];
        assert_eq!(folder(&all).unwrap(), Path::new("/a"));
        assert_eq!(folder(&all[1..]).unwrap(), Path::new("/x/almanac"));
        assert_eq!(folder(&all[2..]).unwrap(), Path::new("/h/.cache/almanac"));
    }

    #[test]
    fn target_folder_of_another_checkout_keeps_only_dependencies() {
        let dir = tempfile::tempdir().unwrap();
        let checkout = |name: &str| Workspace {
            root: dir.path().join(name),
            cache: dir.path().into(),
            target: dir.path().join("target"),
            offline: true,
        };
        let prints = dir.path().join("target/release/.fingerprint");
        let (own, dependency) = (prints.join("almanac-index-0a"), prints.join("burn-core-0b"));
        let build = || {
            fs::create_dir_all(&own).unwrap();
            fs::create_dir_all(&dependency).unwrap();
        };
        checkout("one").cargo("build").unwrap();
        build();
        checkout("one").cargo("build").unwrap();
        assert!(own.exists(), "nobody else came by");
        checkout("two").cargo("build").unwrap();
        assert!(!own.exists() && dependency.exists());
        build();
        checkout("one").cargo("build").unwrap();
        assert!(!own.exists() && dependency.exists());
    }

    #[test]
    fn empty_cache_variable_counts_as_unset() {
        let set = [("ALMANAC_CACHE", ""), ("HOME", "/h")];
        assert_eq!(folder(&set).unwrap(), Path::new("/h/.cache/almanac"));
    }

    #[test]
    fn relative_cache_folder_is_refused() {
        assert!(folder(&[("ALMANAC_CACHE", "here")]).is_err());
        assert!(folder(&[]).is_err());
    }
}
