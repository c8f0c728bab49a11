//! Stamps: small files that say from which inputs an output was made.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The stamp of one output.
#[derive(Debug)]
pub struct Stamp {
    file: PathBuf,
    fingerprint: String,
}

impl Stamp {
    /// The stamp `name` in `folder`, for inputs with this fingerprint.
    pub fn new(folder: &Path, name: &str, fingerprint: String) -> Self {
        Self {
            file: folder.join(name),
            fingerprint,
        }
    }

    /// Whether the output was made from these very inputs and all of its files still exist.
    pub fn is_fresh(&self, outputs: &[PathBuf]) -> bool {
        outputs.iter().all(|output| output.exists())
            && fs::read_to_string(&self.file).is_ok_and(|stored| stored == self.fingerprint)
    }

    /// Records that the output is now made from these inputs.
    ///
    /// # Errors
    /// When the stamp cannot be written.
    pub fn set(&self) -> Result<()> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
        }
        fs::write(&self.file, &self.fingerprint)
            .with_context(|| format!("{}: cannot write", self.file.display()))
    }

    /// Forgets the output: called before it is remade, so that an interruption leaves no fresh stamp.
    pub fn clear(&self) {
        // Nothing to forget is as good as forgotten.
        let _ = fs::remove_file(&self.file);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    #[test]
    fn stamp_is_fresh_only_for_same_inputs_and_present_outputs() {
        let dir = tempfile::tempdir().unwrap();
        let output = dir.path().join("out");
        let outputs = [output.clone()];
        let stamp = Stamp::new(&dir.path().join("deep/er"), "s", "one".into());
        fs::write(&output, "").unwrap();
        assert!(!stamp.is_fresh(&outputs), "never set");
        stamp.set().unwrap();
        assert!(stamp.is_fresh(&outputs));
        let other = Stamp::new(&dir.path().join("deep/er"), "s", "two".into());
        assert!(!other.is_fresh(&outputs), "other inputs");
        fs::remove_file(&output).unwrap();
        assert!(!stamp.is_fresh(&outputs), "output removed");
    }

    #[test]
    fn cleared_stamp_is_stale() {
        let dir = tempfile::tempdir().unwrap();
        let stamp = Stamp::new(dir.path(), "s", "one".into());
        stamp.clear();
        stamp.set().unwrap();
        assert!(stamp.is_fresh(&[]));
        stamp.clear();
        assert!(!stamp.is_fresh(&[]));
    }
}
