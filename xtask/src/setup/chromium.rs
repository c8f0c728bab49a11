//! A Chromium for the browser suite.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::plan::{Cost, Outcome, missing_offline};
use crate::process;

/// The step's title.
pub const TITLE: &str = "Chromium";

/// The variable that names a Chromium, for this tool and for the browser suite.
pub const VARIABLE: &str = "ALMANAC_CHROMIUM";

const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// What [`ensure`] will take; nothing when there is a browser.
pub fn cost() -> Option<Cost> {
    find().is_none().then_some(Cost {
        minutes: 2.0,
        megabytes: 110,
    })
}

/// The browser to test with: the one `ALMANAC_CHROMIUM` names, else the first in `PATH`.
pub fn find() -> Option<PathBuf> {
    match std::env::var_os(VARIABLE) {
        Some(named) if !named.is_empty() => {
            let named = PathBuf::from(named);
            named.is_file().then_some(named)
        }
        _ => NAMES.iter().find_map(|name| process::find_program(name)),
    }
}

/// Sees to a Chromium, by apt where this is allowed.
///
/// # Errors
/// When there is none and it cannot be installed.
pub fn ensure(offline: bool) -> Result<Outcome> {
    if let Some(found) = find() {
        return Ok(Outcome::Done(vec![found.display().to_string()]));
    }
    if let Some(named) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        bail!(
            "{}: no such file; correct {VARIABLE} or unset it",
            named.to_string_lossy()
        );
    }
    let way_out = format!("install Chromium or Chrome, or set {VARIABLE} to its path");
    if offline {
        return Err(missing_offline("a Chromium", &way_out));
    }
    if !is_root() || process::find_program("apt-get").is_none() {
        bail!("no Chromium in PATH; {way_out}");
    }
    for arguments in [
        &["update", "--quiet"][..],
        &[
            "install",
            "--quiet",
            "-y",
            "--no-install-recommends",
            "chromium",
        ],
    ] {
        process::quietly(
            Command::new("apt-get")
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive"),
            &format!("apt-get {}", arguments[0]),
            None,
        )?;
    }
    match find() {
        Some(found) => Ok(Outcome::Done(vec![found.display().to_string()])),
        None => bail!("apt-get installed no Chromium in PATH; {way_out}"),
    }
}

#[cfg(unix)]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
