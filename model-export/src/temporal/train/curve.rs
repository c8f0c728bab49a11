//! The course of a training run as a table and as a picture.

use std::fmt::Write as _;
use std::path::Path;

use almanac::{Error, Result};
use serde::{Deserialize, Serialize};

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
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "step {:6}  loss {:8.4}  rate {:.2e}  spearman {:.4}  relative {:.4}",
            self.step, self.loss, self.learning_rate, self.spearman, self.relative
        )
    }
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const EDGE: f64 = 48.0;

/// Writes `curve.csv` and `curve.svg`.
pub(super) fn write(folder: &Path, points: &[Point]) -> Result<()> {
    let mut table = String::from("step,loss,learning_rate,spearman,relative\n");
    for p in points {
        // Writing to a string does not fail.
        let _ = writeln!(
            table,
            "{},{:.6},{:.3e},{:.6},{:.6}",
            p.step, p.loss, p.learning_rate, p.spearman, p.relative
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
    let last = points.last().map_or(1, |p| p.step.max(1)) as f64;
    let most = points
        .iter()
        .map(|p| p.loss)
        .fold(f64::MIN_POSITIVE, f64::max);
    let line = |value: &dyn Fn(&Point) -> f64, color: &str, dash: &str| {
        let places: Vec<String> = points
            .iter()
            .map(|p| {
                let x = EDGE + (WIDTH - 2.0 * EDGE) * p.step as f64 / last;
                let y = HEIGHT - EDGE - (HEIGHT - 2.0 * EDGE) * value(p).clamp(0.0, 1.0);
                format!("{x:.1},{y:.1}")
            })
            .collect();
        format!(
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\" points=\"{}\"/>\n",
            places.join(" ")
        )
    };
    let label = |x: f64, y: f64, text: &str| {
        format!(
            "<text x=\"{x}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"12\">{text}</text>\n"
        )
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Loss and rank correlation over the steps of training\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    out += &format!(
        "<path d=\"M{EDGE} {EDGE}V{}H{}\" fill=\"none\" stroke=\"black\"/>\n",
        HEIGHT - EDGE,
        WIDTH - EDGE
    );
    out += &line(&|p| p.loss / most, "#b04a2f", "none");
    out += &line(&|p| p.spearman, "#1f4e79", "none");
    out += &line(&|p| p.relative, "#1f4e79", "6 4");
    out += &label(
        EDGE,
        20.0,
        &format!("loss / {most:.2} (red), Spearman held-out (blue), relative queries (dashed)"),
    );
    out += &label(12.0, EDGE + 4.0, "1");
    out += &label(12.0, HEIGHT - EDGE + 4.0, "0");
    out += &label(
        WIDTH - EDGE - 60.0,
        HEIGHT - 20.0,
        &format!("step {last:.0}"),
    );
    out + "</svg>\n"
}
