//! Checkpoints: module, optimizer and progress, whole or not there.

use std::fs;
use std::path::{Path, PathBuf};

use almanac::{Error, ErrorKind, Result};
use burn::module::Module;
use burn::optim::ModuleOptimizer;
use burn::store::ModuleRecord;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fault;

/// The folder of a checkpoint inside that of the run, and its name while it is written.
const FOLDER: &str = "checkpoint";

/// A checkpoint that was found.
pub(crate) struct Found<P> {
    folder: PathBuf,
    progress: P,
}

/// Writes a checkpoint beside the one before and then takes its place.
pub(crate) fn save<M: Module, P: Serialize>(
    out: &Path,
    module: &M,
    optimizer: &ModuleOptimizer,
    progress: &P,
) -> Result<()> {
    let (place, new, old) = (
        out.join(FOLDER),
        out.join(format!("{FOLDER}.new")),
        out.join(format!("{FOLDER}.old")),
    );
    clear(&new)?;
    clear(&old)?;
    fs::create_dir_all(&new).map_err(|e| Error::io(&new, &e))?;
    let record = |e: burn::store::RecordError| {
        Error::new(ErrorKind::Io, format!("{e:?}")).in_place(new.display().to_string())
    };
    module
        .clone()
        .into_record()
        .save(new.join("module.bpk"))
        .map_err(record)?;
    optimizer.save(new.join("optimizer.bpk")).map_err(record)?;
    let json =
        serde_json::to_vec(progress).map_err(|e| Error::new(ErrorKind::Internal, e.to_string()))?;
    let path = new.join("progress.json");
    fs::write(&path, json).map_err(|e| Error::io(&path, &e))?;
    if place.exists() {
        fs::rename(&place, &old).map_err(|e| Error::io(&place, &e))?;
    }
    fs::rename(&new, &place).map_err(|e| Error::io(&place, &e))?;
    clear(&old)
}

/// Finds the checkpoint of a folder; between two renames it still lies under its old name.
pub(crate) fn load<P: DeserializeOwned>(out: &Path) -> Result<Option<Found<P>>> {
    for name in [FOLDER.to_owned(), format!("{FOLDER}.old")] {
        let folder = out.join(name);
        if let Some(bytes) = fault::read_if_present(&folder.join("progress.json"))? {
            let progress = serde_json::from_slice(&bytes).map_err(|e| {
                fault::corrupt(e.to_string())
                    .in_place(folder.join("progress.json").display().to_string())
                    .with_remedy("remove the checkpoint to begin again")
            })?;
            return Ok(Some(Found { folder, progress }));
        }
    }
    Ok(None)
}

impl<P> Found<P> {
    /// Puts the numbers back into a module of the same shape and its optimizer.
    pub(crate) fn resume<M: Module>(
        self,
        module: M,
        optimizer: ModuleOptimizer,
    ) -> Result<(M, ModuleOptimizer, P)> {
        let here = |e: burn::store::RecordError| {
            fault::corrupt(format!("{e:?}"))
                .in_place(self.folder.display().to_string())
                .with_remedy("remove the checkpoint to begin again")
        };
        let record = ModuleRecord::load(self.folder.join("module.bpk")).map_err(here)?;
        let module = module.try_load_record(record).map_err(here)?;
        let optimizer = optimizer
            .load(self.folder.join("optimizer.bpk"))
            .map_err(here)?;
        Ok((module, optimizer, self.progress))
    }
}

fn clear(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io(folder, &e)),
        _ => Ok(()),
    }
}
