//! How far a run is, and the best branch so far.

use std::fs;
use std::path::Path;

use almanac::encoder::{TemporalBranch, WeightEncoding};
use almanac::{Error, Result};
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

const BEST: &str = "best.bpk";

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
