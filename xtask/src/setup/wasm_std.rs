//! The standard library for wasm32: by rustup where it can, else built from the compiler's own
//! source and laid into the sysroot, so that plain `cargo build --target` works from then on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::debian;
use crate::hash;
use crate::plan::{Cost, Outcome, done, missing_offline};
use crate::process;
use crate::workspace::{self, WASM_TARGET};

/// The step's title.
pub const TITLE: &str = "wasm32 standard library";

/// What building it takes, at worst with the source fetched by apt.
pub const COST_FROM_SOURCE: Cost = Cost {
    minutes: 4.0,
    megabytes: 40,
};

/// Longest that rustup may take to fetch one component.
const RUSTUP_LIMIT: Duration = Duration::from_secs(10 * 60);

/// Where the standard library's source lies in a sysroot.
const SOURCE: &str = "lib/rustlib/src/rust/library";

/// One installed compiler.
#[derive(Debug, Clone)]
pub struct Toolchain {
    rustc: PathBuf,
    cargo: PathBuf,
    sysroot: PathBuf,
}

impl Toolchain {
    /// The active toolchain, or the one whose sysroot is given.
    ///
    /// # Errors
    /// When there is no compiler, or it does not say where its sysroot is.
    pub fn locate(sysroot: Option<&Path>) -> Result<Self> {
        if let Some(sysroot) = sysroot {
            let sysroot = sysroot
                .canonicalize()
                .with_context(|| format!("{}: no such toolchain", sysroot.display()))?;
            return Ok(Self {
                rustc: sysroot.join("bin/rustc"),
                cargo: sysroot.join("bin/cargo"),
                sysroot,
            });
        }
        let rustc = PathBuf::from(workspace::rustc());
        let sysroot = process::capture(Command::new(&rustc).args(["--print", "sysroot"]))?;
        Ok(Self {
            rustc,
            cargo: workspace::cargo().into(),
            sysroot: PathBuf::from(sysroot.trim()),
        })
    }

    /// The compiler's version, such as `1.95.0`.
    fn version(&self) -> Result<String> {
        let identity = workspace::rustc_identity(&self.rustc)?;
        identity
            .lines()
            .find_map(|line| line.strip_prefix("release: "))
            .map(str::to_owned)
            .context("`rustc -vV` prints no release")
    }

    fn wasm_libraries(&self) -> PathBuf {
        self.sysroot
            .join("lib/rustlib")
            .join(WASM_TARGET)
            .join("lib")
    }

    fn source(&self) -> PathBuf {
        self.sysroot.join(SOURCE)
    }

    fn has_wasm_std(&self) -> bool {
        ["libcore-", "libstd-"].iter().all(|library| {
            fs::read_dir(self.wasm_libraries()).is_ok_and(|mut entries| {
                entries.any(|entry| {
                    entry.is_ok_and(|entry| {
                        let name = entry.file_name();
                        let name = name.to_string_lossy();
                        name.starts_with(library) && name.ends_with(".rlib")
                    })
                })
            })
        })
    }
}

/// What [`ensure`] will take; nothing when the library is installed.
pub fn cost(toolchain: &Toolchain) -> Option<Cost> {
    (!toolchain.has_wasm_std()).then_some(Cost {
        minutes: 1.0,
        megabytes: 25,
    })
}

/// Sees to the standard library for wasm32.
///
/// # Errors
/// When neither rustup nor any source of matching source code is within reach, or the sysroot
/// cannot be written.
pub fn ensure(toolchain: &Toolchain, offline: bool) -> Result<Outcome> {
    if toolchain.has_wasm_std() {
        return Ok(Outcome::Unchanged);
    }
    if !offline && rustup(&["target", "add", WASM_TARGET]) && toolchain.has_wasm_std() {
        return Ok(done());
    }
    build_from_source(toolchain, offline, true)
}

/// Builds the standard library from source and lays it into the sysroot.
///
/// # Errors
/// As [`ensure`].
pub fn build_from_source(
    toolchain: &Toolchain,
    offline: bool,
    from_rustup: bool,
) -> Result<Outcome> {
    let version = toolchain.version()?;
    if !is_source(&toolchain.source()) {
        if offline {
            return Err(missing_offline(
                &format!("the standard library for {WASM_TARGET}"),
                &format!(
                    "run `rustup target add {WASM_TARGET}` or `cargo xtask setup` with a network"
                ),
            ));
        }
        let fetched = from_rustup
            && rustup(&["component", "add", "rust-src"])
            && is_source(&toolchain.source());
        if !fetched {
            let scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
            let library = debian::fetch_source(&version, scratch.path()).with_context(|| {
                format!(
                    "no standard library for {WASM_TARGET}: rustup cannot fetch it, nor is its \
                     source for rustc {version} at hand; run `rustup target add {WASM_TARGET}` \
                     where rustup's server can be reached"
                )
            })?;
            copy_tree(&library, &toolchain.source())?;
        }
    }
    let scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
    let built = build(toolchain, scratch.path(), offline)?;
    install(&built, &toolchain.wasm_libraries())?;
    if !toolchain.has_wasm_std() {
        bail!(
            "{}: the build of the standard library left no libraries here",
            toolchain.wasm_libraries().display()
        );
    }
    Ok(Outcome::Done(vec![format!(
        "built from the source of rustc {version}"
    )]))
}

/// Runs rustup for the active toolchain; false when it is absent or fails.
fn rustup(arguments: &[&str]) -> bool {
    if process::find_program("rustup").is_none() {
        return false;
    }
    let result = process::quietly(
        Command::new("rustup")
            .args(arguments)
            .env("RUSTUP_MAX_RETRIES", "1"),
        &format!("rustup {}", arguments.join(" ")),
        Some(RUSTUP_LIMIT),
    );
    if let Err(error) = &result {
        eprintln!("    {error:#}; trying another way");
    }
    result.is_ok()
}

fn is_source(library: &Path) -> bool {
    library.join("std/Cargo.toml").is_file()
}

/// Compiles an empty crate together with the standard library, and returns the folder of libraries.
fn build(toolchain: &Toolchain, scratch: &Path, offline: bool) -> Result<PathBuf> {
    fs::create_dir_all(scratch.join("src"))?;
    fs::write(
        scratch.join("Cargo.toml"),
        format!(
            "[package]\nname = \"{EMPTY_CRATE}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n"
        ),
    )?;
    fs::write(scratch.join("src/lib.rs"), "")?;
    let target = scratch.join("target");
    let mut command = Command::new(&toolchain.cargo);
    command
        .current_dir(scratch)
        // Only this one build may use what stable cargo does not offer.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTC", &toolchain.rustc)
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET")
        .args(["build", "--release", "-Z", "build-std=std,panic_abort"])
        .args(["--target", WASM_TARGET, "--target-dir"])
        .arg(&target);
    if offline {
        command.arg("--offline");
    }
    process::run(&mut command).with_context(
        || "cannot build the standard library (its own dependencies come from cargo's registry)",
    )?;
    Ok(target.join(WASM_TARGET).join("release/deps"))
}

const EMPTY_CRATE: &str = "almanac_std_probe";

/// Copies the libraries into the sysroot, in place of an earlier set.
fn install(built: &Path, libraries: &Path) -> Result<()> {
    let way_out = || {
        format!(
            "{}: cannot write to the toolchain; run this as its owner, or use a toolchain of your own",
            libraries.display()
        )
    };
    if libraries.exists() {
        fs::remove_dir_all(libraries).with_context(way_out)?;
    }
    fs::create_dir_all(libraries).with_context(way_out)?;
    for file in hash::files_below(built, &[])? {
        let name = file.to_string_lossy();
        if name.ends_with(".rlib") && !name.contains(EMPTY_CRATE) {
            fs::copy(built.join(&file), libraries.join(&file)).with_context(way_out)?;
        }
    }
    Ok(())
}

/// Copies a folder with everything below it, following links to files.
fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    for file in hash::files_below(from, &[])? {
        let copy = to.join(&file);
        if let Some(folder) = copy.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("{}: cannot write to the toolchain", folder.display()))?;
        }
        fs::copy(from.join(&file), &copy)
            .with_context(|| format!("{}: cannot write to the toolchain", copy.display()))?;
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    fn toolchain(sysroot: &Path) -> Toolchain {
        Toolchain {
            rustc: "rustc".into(),
            cargo: "cargo".into(),
            sysroot: sysroot.into(),
        }
    }

    #[test]
    fn library_counts_as_installed_only_when_core_and_std_are_there() {
        let dir = tempfile::tempdir().unwrap();
        let toolchain = toolchain(dir.path());
        let libraries = toolchain.wasm_libraries();
        assert!(!toolchain.has_wasm_std());
        fs::create_dir_all(&libraries).unwrap();
        fs::write(libraries.join("libcore-1.rlib"), "").unwrap();
        assert!(!toolchain.has_wasm_std());
        fs::write(libraries.join("libstd-1.rlib"), "").unwrap();
        assert!(toolchain.has_wasm_std());
        assert_eq!(cost(&toolchain), None);
    }

    #[test]
    fn only_standard_libraries_are_laid_into_the_sysroot() {
        let dir = tempfile::tempdir().unwrap();
        let built = dir.path().join("built");
        fs::create_dir(&built).unwrap();
        for name in [
            "libstd-1.rlib",
            "libstd-1.rmeta",
            "libalmanac_std_probe.rlib",
        ] {
            fs::write(built.join(name), "").unwrap();
        }
        let libraries = dir.path().join("lib");
        fs::create_dir(&libraries).unwrap();
        fs::write(libraries.join("libstd-0.rlib"), "").unwrap();
        install(&built, &libraries).unwrap();
        let files = hash::files_below(&libraries, &[]).unwrap();
        assert_eq!(files, [PathBuf::from("libstd-1.rlib")]);
    }
}
