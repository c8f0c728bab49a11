//! The course of a run: how well the development queries are answered, as a table and a picture.

use std::fmt::Write as _;
use std::path::Path;

use almanac::encoder::{Model, TextKind};
use almanac::{Error, Result};
use serde::{Deserialize, Serialize};

use super::super::data::{self, FARMING};
use super::super::loss::alignment_and_uniformity;
use super::super::measure::{Ranks, cosines};
use super::super::pair::Part;
use crate::evaluate::vectors::encode;
use crate::training::curve::{self, Line};

/// One measurement on the development queries.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Steps done.
    pub step: usize,
    /// Mean loss since the measurement before.
    pub loss: f64,
    /// Mean reciprocal rank.
    pub mrr: f64,
    /// Share of queries whose passage is first.
    pub first: f64,
    /// The same for the tenth of the queries that share fewest characters with their passage.
    pub first_low: f64,
    /// Mean squared distance of query and passage.
    pub alignment: f64,
    /// Logarithm of the mean e^(−2d²) over all pairs of texts.
    pub uniformity: f64,
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "step {:6}  loss {:7.4}  MRR {:.4}  R@1 {:.4}  low overlap {:.4}  alignment {:.4}  uniformity {:.4}",
            self.step,
            self.loss,
            self.mrr,
            self.first,
            self.first_low,
            self.alignment,
            self.uniformity
        )
    }
}

/// How far a run is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Progress {
    /// Steps done.
    pub(super) step: usize,
    /// Sum of the losses since the last measurement, and their number.
    pub(super) loss: f64,
    pub(super) losses: usize,
    pub(super) points: Vec<Point>,
}

impl Progress {
    /// Takes in a measurement.
    pub(super) fn add(&mut self, point: Point) {
        self.points.push(point);
        self.loss = 0.0;
        self.losses = 0;
    }
}

/// The development queries and the passages they are asked of.
pub(super) struct Dev {
    queries: Vec<String>,
    /// The queries' own passages in their order, then others.
    passages: Vec<String>,
    /// Whether a query is of the tenth with least overlap.
    low: Vec<bool>,
}

/// Passages besides the queries' own, as many as keep a measurement short.
const OTHERS: usize = 700;

impl Dev {
    /// Reads the development part of the farming pairs; the passages besides are of its training
    /// part, so that nothing is chosen by what is reported.
    ///
    /// # Errors
    /// Those of reading the file.
    pub(super) fn load(folder: &Path) -> Result<Self> {
        let pairs = data::read(&folder.join(FARMING))?;
        let dev: Vec<_> = pairs.iter().filter(|p| p.part == Part::Dev).collect();
        let others = pairs.iter().filter(|p| p.part == Part::Train);
        let step = others.clone().count() / OTHERS.max(1) + 1;
        let mut overlaps: Vec<f64> = dev.iter().map(|p| p.overlap()).collect();
        let low = overlaps.clone();
        overlaps.sort_by(f64::total_cmp);
        let limit = overlaps.get(dev.len() / 10).copied().unwrap_or(0.0);
        Ok(Self {
            queries: dev.iter().map(|p| p.modern.clone()).collect(),
            passages: dev
                .iter()
                .copied()
                .chain(others.step_by(step))
                .map(|p| p.classical.clone())
                .collect(),
            low: low.iter().map(|o| *o <= limit).collect(),
        })
    }

    /// Measures an encoder.
    ///
    /// # Errors
    /// Those of the encoder.
    pub(super) fn measure(&self, model: &Model, step: usize, loss: f64) -> Result<Point> {
        let texts = |list: &'_ [String], kind| {
            let texts: Vec<&str> = list.iter().map(String::as_str).collect();
            encode(model, &texts, kind, None)
        };
        let queries = texts(&self.queries, TextKind::Query)?;
        let passages = texts(&self.passages, TextKind::Passage)?;
        let (mut all, mut low) = (Ranks::default(), Ranks::default());
        for (at, query) in queries.iter().enumerate() {
            let rank = Ranks::rank(&cosines(query, &passages), &[at]);
            all.add(rank);
            if self.low.get(at).copied().unwrap_or(false) {
                low.add(rank);
            }
        }
        let own = &passages[..queries.len()];
        let (alignment, uniformity) = alignment_and_uniformity(&queries, own);
        Ok(Point {
            step,
            loss,
            mrr: all.reciprocal(),
            first: all.within(1),
            first_low: low.within(1),
            alignment,
            uniformity,
        })
    }
}

/// Writes `curve.csv` and `curve.svg`.
pub(super) fn write(folder: &Path, points: &[Point]) -> Result<()> {
    let mut table = String::from("step,loss,mrr,first,first_low,alignment,uniformity\n");
    for p in points {
        // Writing to a string does not fail.
        let _ = writeln!(
            table,
            "{},{:.6},{:.6},{:.6},{:.6},{:.6},{:.6}",
            p.step, p.loss, p.mrr, p.first, p.first_low, p.alignment, p.uniformity
        );
    }
    let line = |value: &dyn Fn(&Point) -> f64, color, dash| Line {
        color,
        dash,
        points: points.iter().map(|p| (p.step, value(p))).collect(),
    };
    let most = points
        .iter()
        .map(|p| p.loss)
        .fold(f64::MIN_POSITIVE, f64::max);
    let mut lines = vec![
        line(&|p| p.mrr, "#1f4e79", "none"),
        line(&|p| p.first, "#1f4e79", "6 4"),
        line(&|p| p.first_low, "#2f7d4f", "none"),
    ];
    let mut loss = line(&|p| p.loss / most, "#b04a2f", "none");
    // Nothing was learned yet at step 0.
    loss.points.retain(|(step, _)| *step > 0);
    lines.push(loss);
    let picture = curve::picture(
        &lines,
        "Loss and recall of development queries over the steps of training",
        &format!("loss / {most:.2} (red), MRR (blue), R@1 (dashed), R@1 at low overlap (green)"),
    );
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| Error::io(&path, &e))
    };
    put("curve.csv", &table)?;
    put("curve.svg", &picture)
}
