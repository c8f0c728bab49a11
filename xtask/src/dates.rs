//! The benchmark of dates: gold sets, speed in prose, and other readers on the same rows.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::workspace::Workspace;

/// Readers from Python's package index, in the versions that the tables were made with.
///
/// Recognizers-Text imports a name that later releases of `emoji` no longer have.
const PYTHON_PEERS: [&str; 4] = [
    "edtf==5.0.2",
    "dateparser==1.5.0",
    "recognizers-text-suite==1.0.2a2",
    "emoji==1.7.0",
];

/// The reader from npm.
const NPM_PEER: &str = "edtf@4.11.1";

/// The library alone, without the encoder, which takes long to compile.
const LIBRARY: [&str; 4] = ["--release", "--package", "almanac", "--no-default-features"];

/// Runs the gold tests, the speed test and the other readers, and says what it leaves out.
///
/// # Errors
/// When a gold test fails, or one of Almanac's own programs does.
pub fn bench(workspace: &Workspace) -> Result<()> {
    let gold = workspace.root.join("../shared/data");
    println!("## Gold sets\n");
    let mut command = workspace.cargo("test")?;
    command.args(LIBRARY).args(["--test", "time_gold", "--"]);
    process::run(command.args(["--nocapture", "--test-threads", "1"]))?;

    println!("\n## Speed in English prose, one core\n");
    let prose = gold.join("nobel/corpus.jsonl");
    if prose.is_file() {
        let mut command = workspace.cargo("run")?;
        command
            .args(LIBRARY)
            .args(["--example", "time_bench", "--"]);
        process::run(command.arg(prose))?;
    } else {
        skipped("speed", &format!("{} is not here", prose.display()));
    }

    println!("\n## Readers on the same rows\n");
    if !gold.join("museum-dates").is_dir() {
        skipped("readers", &format!("{} is not here", gold.display()));
        return Ok(());
    }
    let Some(python) = python(workspace) else {
        return Ok(());
    };
    let mut command = workspace.cargo("build")?;
    process::run(command.args(LIBRARY).args(["--example", "dates"]))?;
    let mut command = Command::new(python);
    command
        .arg(workspace.root.join("xtask/time_peers.py"))
        .arg(workspace.programs().join("examples/dates"))
        .arg(gold);
    if let Some(folder) = npm_peer(workspace) {
        command.arg(folder);
    }
    process::run(&mut command)
}

/// A Python with the readers that could be installed; `None`, said aloud, without Python.
fn python(workspace: &Workspace) -> Option<PathBuf> {
    let folder = workspace.cache.join("time-peers/python");
    let python = folder.join("bin/python");
    if !python.is_file() {
        let Some(system) = process::find_program("python3") else {
            skipped("readers", "python3 is not here");
            return None;
        };
        let mut make = Command::new(system);
        if let Err(error) = process::quietly(make.args(["-m", "venv"]).arg(&folder), "venv", None) {
            skipped("readers", &first_line(&error));
            return None;
        }
    }
    for package in PYTHON_PEERS {
        let mut install = Command::new(&python);
        install.args(["-m", "pip", "install", "--quiet", package]);
        if workspace.offline {
            install.arg("--no-index");
        }
        if let Err(error) = process::quietly(&mut install, package, None) {
            skipped(package, &first_line(&error));
        }
    }
    Some(python)
}

/// The folder of npm's reader; `None`, said aloud, where it cannot be installed.
fn npm_peer(workspace: &Workspace) -> Option<PathBuf> {
    let folder = workspace.cache.join("time-peers/npm");
    let package = folder.join("node_modules/edtf");
    if package.is_dir() {
        return Some(package);
    }
    match install_npm(&folder) {
        Ok(()) => Some(package),
        Err(error) => {
            skipped(NPM_PEER, &first_line(&error));
            None
        }
    }
}

fn install_npm(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut install = crate::setup::node::npm(folder);
    install.args(["install", "--silent", "--no-save", "--prefix"]);
    process::quietly(install.arg(folder).arg(NPM_PEER), NPM_PEER, None)
}

fn skipped(what: &str, why: &str) {
    println!("skipped: {what}: {why}");
}

fn first_line(error: &anyhow::Error) -> String {
    let text = format!("{error:#}");
    text.lines().next().unwrap_or_default().to_owned()
}
