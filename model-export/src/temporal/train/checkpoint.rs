//! Checkpoints: branch, optimizer and progress, whole or not there.

use std::fs;
use std::path::{Path, PathBuf};

use almanac::encoder::{TemporalBranch, WeightEncoding};
use almanac::{Error, ErrorKind, Result};
use burn::module::Module;
use burn::optim::ModuleOptimizer;
use burn::store::ModuleRecord;
use serde::{Deserialize, Serialize};

use super::curve::Point;
use crate::fault;

/// How far a run is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Progress {
    /// Steps done.
    pub(super) step: usize,
    /// Sum of the losses since the last measurement, and their number.
    pub(super) loss: f64,
    pub(super) losses: usize,
    /// The best rank correlation so far.
    pub(super) best: f64,
    /// Measurements since.
    pub(super) waited: usize,
    pub(super) points: Vec<Point>,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            step: 0,
            loss: 0.0,
            losses: 0,
            best: -1.0,
            waited: 0,
            points: Vec::new(),
        }
    }
}

impl Progress {
    /// Gives the step after which the branch was best; 0 before the first measurement.
    pub(super) fn best_step(&self) -> usize {
        let best = self
            .points
            .iter()
            .max_by(|a, b| a.spearman.total_cmp(&b.spearman));
        best.map_or(0, |p| p.step)
    }

    /// Takes in a measurement.
    pub(super) fn add(&mut self, point: Point) {
        self.points.push(point);
        self.loss = 0.0;
        self.losses = 0;
    }
}

/// The folder of a checkpoint inside that of the branch, and its name while it is written.
const FOLDER: &str = "checkpoint";
const BEST: &str = "best.bpk";

/// A checkpoint that was found.
pub(super) struct Found {
    folder: PathBuf,
    progress: Progress,
}

/// Writes a checkpoint beside the one before and then takes its place.
pub(super) fn save(
    out: &Path,
    branch: &TemporalBranch,
    optimizer: &ModuleOptimizer,
    progress: &Progress,
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
    branch
        .clone()
        .into_record()
        .save(new.join("branch.bpk"))
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
pub(super) fn load(out: &Path) -> Result<Option<Found>> {
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

impl Found {
    /// Puts the numbers back into a branch of the same shape and its optimizer.
    pub(super) fn resume(
        self,
        branch: TemporalBranch,
        optimizer: ModuleOptimizer,
    ) -> Result<(TemporalBranch, ModuleOptimizer, Progress)> {
        let here = |e: burn::store::RecordError| {
            fault::corrupt(format!("{e:?}"))
                .in_place(self.folder.display().to_string())
                .with_remedy("remove the checkpoint to begin again")
        };
        let record = ModuleRecord::load(self.folder.join("branch.bpk")).map_err(here)?;
        let branch = branch.try_load_record(record).map_err(here)?;
        let optimizer = optimizer
            .load(self.folder.join("optimizer.bpk"))
            .map_err(here)?;
        Ok((branch, optimizer, self.progress))
    }
}

/// Keeps the best branch so far, in float32.
pub(super) fn keep_best(out: &Path, branch: &TemporalBranch) -> Result<()> {
    let path = out.join(BEST);
    let bytes = branch.to_record(WeightEncoding::Float32)?;
    fs::write(&path, bytes).map_err(|e| Error::io(&path, &e))
}

/// Reads the best branch.
pub(super) fn best(out: &Path) -> Result<Vec<u8>> {
    fault::read(&out.join(BEST))
}

fn clear(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io(folder, &e)),
        _ => Ok(()),
    }
}
