//! SHA-256 of bytes, files and folders.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

/// Lower-case hexadecimal SHA-256 of some bytes.
pub fn hex_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Lower-case hexadecimal SHA-256 of a file's bytes.
pub fn hex_of_file(path: &Path) -> Result<String> {
    let mut hasher = Sha256::new();
    feed_file(&mut hasher, path)?;
    Ok(hex(&hasher.finalize()))
}

/// Checks a file against the digests it may have.
///
/// # Errors
/// When the file cannot be read, or has none of these digests.
pub fn check(path: &Path, accepted: &[&str]) -> Result<()> {
    let got = hex_of_file(path)?;
    if accepted.contains(&got.as_str()) {
        return Ok(());
    }
    bail!(
        "{}: SHA-256 is {got}, expected {}; the file is damaged or another version, remove it and run again",
        path.display(),
        accepted.join(" or ")
    )
}

/// A digest over everything that a build step reads; equal fingerprints mean there is nothing to do.
pub struct Fingerprint(Sha256);

impl Fingerprint {
    /// Starts the fingerprint of the named step.
    pub fn of(step: &str) -> Self {
        Self(Sha256::new()).text(step)
    }

    /// Adds a setting.
    pub fn text(mut self, text: &str) -> Self {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
        self
    }

    /// Adds a file's bytes, or the fact that there is no such file.
    pub fn file(mut self, path: &Path) -> Result<Self> {
        if !path.is_file() {
            return Ok(self.text("absent"));
        }
        let size = fs::metadata(path)
            .with_context(|| format!("{}: cannot read", path.display()))?
            .len();
        self.0.update(size.to_le_bytes());
        feed_file(&mut self.0, path)?;
        Ok(self)
    }

    /// Adds every file below a folder, by relative path and bytes, but those whose path relative
    /// to the folder starts with one of `except`.
    pub fn tree(mut self, folder: &Path, except: &[&str]) -> Result<Self> {
        let mut files = files_below(folder, except)?;
        files.sort();
        self = self.text(&files.len().to_string());
        for file in files {
            self = self
                .text(&file.to_string_lossy())
                .file(&folder.join(&file))?;
        }
        Ok(self)
    }

    /// The digest in hexadecimal.
    pub fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

/// Paths, relative to `folder`, of the files below it; none when the folder does not exist.
pub fn files_below(folder: &Path, except: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(relative) = waiting.pop() {
        let here = folder.join(&relative);
        if !here.is_dir() {
            continue;
        }
        let entries =
            fs::read_dir(&here).with_context(|| format!("{}: cannot list", here.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("{}: cannot list", here.display()))?;
            let path = relative.join(entry.file_name());
            if except.iter().any(|prefix| path.starts_with(prefix)) {
                continue;
            }
            if entry.path().is_dir() {
                waiting.push(path);
            } else {
                found.push(path);
            }
        }
    }
    Ok(found)
}

fn feed_file(hasher: &mut Sha256, path: &Path) -> Result<()> {
    let mut file = File::open(path).with_context(|| format!("{}: cannot open", path.display()))?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = file
            .read(&mut buffer)
            .with_context(|| format!("{}: cannot read", path.display()))?;
        if read == 0 {
            return Ok(());
        }
        hasher.update(&buffer[..read]);
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing into a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    /// Source: FIPS 180-4 example, the message "abc".
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn file_digest_agrees_with_the_standard() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("abc");
        fs::write(&file, "abc").unwrap();
        assert_eq!(hex_of(b"abc"), ABC);
        assert_eq!(hex_of_file(&file).unwrap(), ABC);
    }

    #[test]
    fn file_with_another_digest_is_refused_by_name() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("model.bin");
        fs::write(&file, "abc").unwrap();
        check(&file, &["00", ABC]).unwrap();
        fs::write(&file, "abd").unwrap();
        let error = check(&file, &["00", ABC]).unwrap_err().to_string();
        assert!(error.contains("model.bin"), "{error}");
        assert!(error.contains(ABC), "{error}");
    }

    fn tree(dir: &Path) -> String {
        Fingerprint::of("t").tree(dir, &["skip"]).unwrap().finish()
    }

    #[test]
    fn fingerprint_sees_edit_rename_and_new_file() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/b/x"), "1").unwrap();
        let first = tree(root);
        assert_eq!(first, tree(root));
        fs::write(root.join("a/b/x"), "2").unwrap();
        let edited = tree(root);
        assert_ne!(first, edited);
        fs::rename(root.join("a/b/x"), root.join("a/b/y")).unwrap();
        let renamed = tree(root);
        assert_ne!(edited, renamed);
        fs::write(root.join("a/z"), "").unwrap();
        assert_ne!(renamed, tree(root));
    }

    #[test]
    fn fingerprint_ignores_excepted_folder() {
        let dir = tempfile::tempdir().unwrap();
        let before = tree(dir.path());
        fs::create_dir(dir.path().join("skip")).unwrap();
        fs::write(dir.path().join("skip/x"), "1").unwrap();
        assert_eq!(before, tree(dir.path()));
    }

    #[test]
    fn settings_do_not_run_together() {
        let one = Fingerprint::of("s").text("ab").text("c").finish();
        let two = Fingerprint::of("s").text("a").text("bc").finish();
        assert_ne!(one, two);
    }
}
