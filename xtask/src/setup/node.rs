//! Node, and the npm packages of the web code and of the build tools.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::hash::Fingerprint;
use crate::plan::{Cost, Outcome, done, missing_offline};
use crate::process;
use crate::stamp::Stamp;
use crate::workspace::Workspace;

/// The step's title.
pub const TITLE: &str = "npm packages";

/// Oldest Node that the web tools run on.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// What [`ensure`] will take; nothing when all packages are installed.
pub fn cost(workspace: &Workspace) -> Option<Cost> {
    let fresh = folders(workspace)
        .iter()
        .all(|folder| stamp(folder).is_ok_and(|stamp| stamp.is_fresh(&outputs(folder))));
    (!fresh).then_some(Cost {
        minutes: 1.0,
        megabytes: 120,
    })
}

/// Sees to the npm packages, exactly as the lock files name them.
///
/// # Errors
/// When Node or npm is missing or too old, or a package can be neither fetched nor, offline, found
/// in npm's cache.
pub fn ensure(workspace: &Workspace) -> Result<Outcome> {
    check_node()?;
    let mut changed = false;
    for folder in folders(workspace) {
        let stamp = stamp(&folder)?;
        if stamp.is_fresh(&outputs(&folder)) {
            continue;
        }
        changed = true;
        stamp.clear();
        let mut command = npm(&folder);
        command.args(["ci", "--no-audit", "--no-fund"]);
        if workspace.offline {
            command.arg("--offline");
        }
        let installed = process::quietly(&mut command, "npm ci", None);
        if installed.is_err() && workspace.offline {
            return Err(missing_offline(
                &format!(
                    "a package of {}",
                    folder.join("package-lock.json").display()
                ),
                "run `cargo xtask setup` once with a network",
            ));
        }
        installed?;
        stamp.set()?;
    }
    Ok(if changed { done() } else { Outcome::Unchanged })
}

/// An `npm` command in a folder.
pub fn npm(folder: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder);
    command
}

fn folders(workspace: &Workspace) -> [PathBuf; 2] {
    [workspace.web(), workspace.root.join("xtask")]
}

fn outputs(folder: &Path) -> [PathBuf; 1] {
    [folder.join("node_modules/.package-lock.json")]
}

fn stamp(folder: &Path) -> Result<Stamp> {
    let fingerprint = Fingerprint::of("npm ci")
        .file(&folder.join("package-lock.json"))?
        .finish();
    Ok(Stamp::new(
        &folder.join("node_modules"),
        ".almanac-stamp",
        fingerprint,
    ))
}

fn check_node() -> Result<()> {
    let (major, minor) = OLDEST_NODE;
    let way_out = || {
        format!(
            "Node {major}.{minor} or newer with npm is needed: install it from your system's packages or nodejs.org"
        )
    };
    if process::find_program("node").is_none() {
        bail!("node is not in PATH; {}", way_out());
    }
    if !process::succeeds(npm(Path::new(".")).arg("--version")) {
        bail!("npm is not in PATH; {}", way_out());
    }
    let version = process::capture(Command::new("node").arg("--version"))?;
    let got = parse_version(&version)
        .with_context(|| format!("`node --version` prints {:?}", version.trim()))?;
    if got < OLDEST_NODE {
        bail!("node is {}; {}", version.trim(), way_out());
    }
    Ok(())
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim().strip_prefix('v')?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_version_is_read_and_compared_by_number() {
        assert_eq!(parse_version("v20.20.2\n"), Some((20, 20)));
        assert_eq!(parse_version("20.1"), None);
        assert!(parse_version("v20.9.0") < Some(OLDEST_NODE));
        assert!(parse_version("v100.0.0") > Some(OLDEST_NODE));
    }
}
