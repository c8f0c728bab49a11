//! The course of a training run as a table and as a picture.

use std::fmt::Write as _;
use std::path::Path;

use almanac::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::training::curve::{self, Line};

/// One measurement during training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Steps done.
    pub step: usize,
    /// Mean loss since the measurement before.
    pub loss: f64,
    /// Learning rate of the last step.
    pub learning_rate: f64,
    /// Spearman's rank correlation on held-out pairs.
    pub spearman: f64,
    /// The same for queries that count from their anchor.
    pub relative: f64,
    /// The same on templates of the training data with other dates and, where there are texts, on
    /// sentences left out of it: what a run may stop by.
    #[serde(default)]
    pub validation: f64,
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "step {:6}  loss {:8.4}  rate {:.2e}  spearman {:.4}  relative {:.4}  \
             validation {:.4}",
            self.step, self.loss, self.learning_rate, self.spearman, self.relative, self.validation
        )
    }
}

/// Writes `curve.csv` and `curve.svg`.
pub(super) fn write(folder: &Path, points: &[Point]) -> Result<()> {
    let mut table = String::from("step,loss,learning_rate,spearman,relative,validation\n");
    for p in points {
        // Writing to a string does not fail.
        let _ = writeln!(
            table,
            "{},{:.6},{:.3e},{:.6},{:.6},{:.6}",
            p.step, p.loss, p.learning_rate, p.spearman, p.relative, p.validation
        );
    }
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| Error::io(&path, &e))
    };
    put("curve.csv", &table)?;
    put("curve.svg", &picture(points))
}

/// Loss, on its own scale, and correlations, from 0 to 1, over the steps.
fn picture(points: &[Point]) -> String {
    let most = points
        .iter()
        .map(|p| p.loss)
        .fold(f64::MIN_POSITIVE, f64::max);
    let line = |value: &dyn Fn(&Point) -> f64, color, dash| Line {
        color,
        dash,
        points: points.iter().map(|p| (p.step, value(p))).collect(),
    };
    let lines = [
        line(&|p| p.loss / most, "#b04a2f", "none"),
        line(&|p| p.spearman, "#1f4e79", "none"),
        line(&|p| p.relative, "#1f4e79", "6 4"),
    ];
    curve::picture(
        &lines,
        "Loss and rank correlation over the steps of training",
        &format!("loss / {most:.2} (red), Spearman held-out (blue), relative queries (dashed)"),
    )
}
