//! Model folders: staged beside their place and moved in, the card last.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use almanac::encoder::{ModelCard, WeightFiles};
use almanac::index::FileRef;
use almanac::{Error, ErrorKind, Result};

/// Size of a weight file, 16 MiB; hosts take at least 20 MiB.
const PART_BYTES: usize = 16 * 1024 * 1024;
/// The folder, inside the model folder, in which new files wait until all are proven.
const STAGING: &str = ".staging";
const CARD: &str = "card.json";

/// Names the parts of a record as they will be stored.
pub(crate) fn parts(weights: &[u8]) -> Vec<FileRef> {
    weights
        .chunks(PART_BYTES)
        .enumerate()
        .map(|(number, part)| FileRef::of_bytes(&format!("weights-{number}"), "bin", part))
        .collect()
}

/// New files of a model, not yet visible to anyone who opens the folder.
pub(crate) struct Staged {
    folder: PathBuf,
    staging: PathBuf,
    created: bool,
}

impl Staged {
    /// Writes card, weights and tokenizer into the staging folder.
    ///
    /// # Errors
    /// - [`ErrorKind::Io`] if a file cannot be written.
    /// - [`ErrorKind::Internal`] if the card cannot be put into JSON.
    pub(crate) fn write(
        folder: &Path,
        card: &ModelCard,
        weights: &[u8],
        tokenizer: &[u8],
    ) -> Result<Self> {
        let created = !folder.exists();
        let staged = Self {
            folder: folder.to_owned(),
            staging: folder.join(STAGING),
            created,
        };
        if staged.staging.exists() {
            fs::remove_dir_all(&staged.staging).map_err(|e| Error::io(&staged.staging, &e))?;
        }
        fs::create_dir_all(&staged.staging).map_err(|e| {
            Error::io(folder, &e).with_remedy("choose a folder that can be written with --out")
        })?;
        for (file, bytes) in card.weights.parts.iter().zip(weights.chunks(PART_BYTES)) {
            staged.put(&file.file, bytes)?;
        }
        staged.put(&card.tokenizer.file, tokenizer)?;
        let mut json = serde_json::to_vec_pretty(card)
            .map_err(|e| Error::new(ErrorKind::Internal, e.to_string()).in_place(CARD))?;
        json.push(b'\n');
        staged.put(CARD, &json)?;
        Ok(staged)
    }

    /// Gives the folder that can be opened to test the new model.
    pub(crate) fn staging(&self) -> &Path {
        &self.staging
    }

    /// Moves the files into place, the card last, and removes files of the model before.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if a file cannot be moved.
    pub(crate) fn publish(self, card: &ModelCard) -> Result<()> {
        let before = files_of_card(&self.folder);
        let mut kept = BTreeSet::from([CARD.to_owned()]);
        for file in files(&card.weights, &card.tokenizer) {
            self.move_in(&file.file)?;
            kept.insert(file.file.clone());
        }
        self.move_in(CARD)?;
        for stale in before.difference(&kept) {
            // The new model is complete; a leftover file only takes room.
            let _ = fs::remove_file(self.folder.join(stale));
        }
        Ok(())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.staging.join(name);
        fs::write(&path, bytes).map_err(|e| Error::io(&path, &e))
    }

    fn move_in(&self, name: &str) -> Result<()> {
        let to = self.folder.join(name);
        fs::rename(self.staging.join(name), &to).map_err(|e| Error::io(&to, &e))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // Cleaning up must not hide the error that led here.
        let _ = fs::remove_dir_all(&self.staging);
        if self.created {
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

fn files<'a>(
    weights: &'a WeightFiles,
    tokenizer: &'a FileRef,
) -> impl Iterator<Item = &'a FileRef> {
    weights.parts.iter().chain([tokenizer])
}

/// Names the files of the model that lies in the folder now; none where there is no valid card.
fn files_of_card(folder: &Path) -> BTreeSet<String> {
    let Some(card) = fs::read(folder.join(CARD))
        .ok()
        .and_then(|bytes| ModelCard::from_bytes(&bytes).ok())
    else {
        return BTreeSet::new();
    };
    files(&card.weights, &card.tokenizer)
        .map(|file| file.file.clone())
        .collect()
}
