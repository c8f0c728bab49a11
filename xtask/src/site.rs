//! The static site: the page as Vite builds it, with the model and the index beside it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::hash::{self, Fingerprint};
use crate::modules::copy;
use crate::plan::{Cost, Outcome, done};
use crate::process;
use crate::setup::node;
use crate::stamp::Stamp;
use crate::workspace::Workspace;

/// What the page's build does not read.
const NOT_READ: [&str; 5] = [
    "bench",
    "e2e",
    "node_modules",
    "test-results",
    "pkg/.gitignore",
];

/// What [`build_page`] will take; nothing when there is a page.
pub fn cost(workspace: &Workspace) -> Option<Cost> {
    (!workspace.dist().join("index.html").is_file()).then_some(Cost {
        minutes: 0.2,
        megabytes: 0,
    })
}

/// Builds the page into `dist/`.
///
/// # Errors
/// When the build fails; it says why itself.
pub fn build_page(workspace: &Workspace) -> Result<Outcome> {
    let dist = workspace.dist();
    let fingerprint = Fingerprint::of("page")
        .file(&workspace.root.join("index.html"))?
        .tree(&workspace.web(), &NOT_READ)?
        .finish();
    let stamp = Stamp::new(&workspace.stamps(), "page", fingerprint);
    if stamp.is_fresh(&[dist.join("index.html"), dist.join("assets")]) {
        return Ok(Outcome::Unchanged);
    }
    stamp.clear();
    process::run(node::npm(&workspace.web()).args(["run", "--silent", "build"]))?;
    stamp.set()?;
    Ok(done())
}

/// Lays the model and the index into `dist/`.
///
/// # Errors
/// When a folder cannot be read or written.
pub fn lay_out(workspace: &Workspace, model: &Path, index: &Path) -> Result<Outcome> {
    let dist = workspace.dist();
    let mut changed = mirror(model, &dist.join("model"))?;
    changed |= mirror(index, &dist.join("index"))?;
    Ok(if changed {
        Outcome::Done(vec![format!("{}", dist.display())])
    } else {
        Outcome::Unchanged
    })
}

/// Makes `to` hold exactly the published files of `from`; says whether anything had to change.
///
/// Files and folders whose names start with a dot, such as a builder's own notes, are left out.
pub fn mirror(from: &Path, to: &Path) -> Result<bool> {
    let published = |file: &Path| {
        !file
            .components()
            .any(|part| part.as_os_str().to_string_lossy().starts_with('.'))
    };
    let mut wanted = hash::files_below(from, &[])?;
    wanted.retain(|file| published(file));
    let mut changed = false;
    for file in hash::files_below(to, &[])? {
        if !wanted.contains(&file) {
            fs::remove_file(to.join(&file))
                .with_context(|| format!("{}: cannot remove", to.join(&file).display()))?;
            changed = true;
        }
    }
    for file in wanted {
        let (source, copied) = (from.join(&file), to.join(&file));
        if copied.is_file() && hash::hex_of_file(&source)? == hash::hex_of_file(&copied)? {
            continue;
        }
        copy(&source, &copied)?;
        changed = true;
    }
    Ok(changed)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    #[test]
    fn mirror_adds_replaces_and_removes() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        fs::create_dir_all(from.join("deep")).unwrap();
        fs::write(from.join("same"), "1").unwrap();
        fs::write(from.join("deep/new"), "2").unwrap();
        fs::write(from.join(".lock"), "").unwrap();
        fs::create_dir_all(&to).unwrap();
        fs::write(to.join("same"), "0").unwrap();
        fs::write(to.join("stale"), "9").unwrap();
        assert!(mirror(&from, &to).unwrap());
        let mut files = hash::files_below(&to, &[]).unwrap();
        files.sort();
        assert_eq!(files, [Path::new("deep/new"), Path::new("same")]);
        assert_eq!(fs::read(to.join("same")).unwrap(), b"1");
        assert!(!mirror(&from, &to).unwrap(), "nothing left to do");
    }
}
