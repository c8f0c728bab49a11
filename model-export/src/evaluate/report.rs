//! What an evaluation found, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::metrics::{CUTS, Measures};
use super::set::TestSet;
use super::system::Setting;
use super::{Options, chance};

/// The figures of one system on the test queries.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The system's name.
    pub system: String,
    /// The weight of time, α, that was chosen.
    pub alpha: f64,
    /// The share of words in the rest that was chosen.
    pub words: f64,
    /// Whether meaning and words saw the query's dates.
    pub dates_kept: bool,
    /// The branch's share of the temporal score that was chosen.
    pub branch: f64,
    /// Mean reciprocal rank, 0 to 1.
    pub mrr: f64,
    /// Recall at each of [`CUTS`], 0 to 1.
    pub recall: [f64; CUTS.len()],
    /// Precision at each of [`CUTS`], 0 to 1.
    pub precision: [f64; CUTS.len()],
    /// nDCG at each of [`CUTS`], 0 to 1.
    pub ndcg: [f64; CUTS.len()],
    /// Spearman's rank correlation of scores and grades over a query's passages, the mean over
    /// queries, −1 to 1.
    pub spearman: f64,
    /// Differences to the first system.
    pub differences: Differences,
}

/// The figures on the test queries of one group.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// Its name in the test set.
    pub name: String,
    /// Measured queries in it.
    pub queries: usize,
    /// The systems, in the order asked for, with the weights chosen on all groups.
    pub systems: Vec<Row>,
}

/// 95 % intervals of the paired differences to the first system.
#[derive(Clone, Debug, Serialize)]
pub struct Differences {
    /// Of MRR.
    pub mrr: (f64, f64),
    /// Of precision at 1.
    pub precision_1: (f64, f64),
    /// Of nDCG at 10.
    pub ndcg_10: (f64, f64),
}

/// All figures of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The test set's folder name.
    pub set: String,
    /// Passages in the pool.
    pub passages: usize,
    /// Queries on which weights were chosen.
    pub dev_queries: usize,
    /// Queries that were measured.
    pub test_queries: usize,
    /// Measured queries that name a time.
    pub with_time: usize,
    /// Seed of the split and the bootstrap.
    pub seed: u64,
    /// The cut-offs of recall, precision and nDCG.
    pub cuts: [usize; CUTS.len()],
    /// The systems, in the order asked for.
    pub systems: Vec<Row>,
    /// The same for each group of queries that the set names.
    pub groups: Vec<Group>,
}

impl Report {
    pub(super) fn new(
        options: &Options,
        set: &TestSet,
        dev: &[usize],
        test: &[usize],
        with_time: usize,
        settings: &[Setting],
        measures: &[Vec<Measures>],
    ) -> Self {
        let row = |at: usize, group: Option<&str>| {
            let pick = |all: &[Measures]| -> Vec<Measures> {
                let pairs = test.iter().zip(all);
                pairs
                    .filter(|(q, _)| group.is_none() || set.queries[**q].group.as_deref() == group)
                    .map(|(_, m)| m.clone())
                    .collect()
            };
            let (all, first, setting) = (pick(&measures[at]), pick(&measures[0]), settings[at]);
            let mean = Measures::mean(&all);
            let difference = |pick: fn(&Measures) -> f64| {
                let pairs = all.iter().zip(&first);
                let differences: Vec<f64> = pairs.map(|(a, b)| pick(a) - pick(b)).collect();
                chance::interval(&differences, options.seed)
            };
            Row {
                system: options.systems[at].name.clone(),
                alpha: setting.weights.time,
                words: setting.weights.words,
                dates_kept: setting.dates_kept,
                branch: setting.branch,
                mrr: mean.mrr,
                recall: mean.recall,
                precision: mean.precision,
                ndcg: mean.ndcg,
                spearman: mean.spearman,
                differences: Differences {
                    mrr: difference(|m| m.mrr),
                    precision_1: difference(|m| m.precision[0]),
                    ndcg_10: difference(|m| m.ndcg[2]),
                },
            }
        };
        let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
        for query in test {
            if let Some(name) = &set.queries[*query].group {
                *groups.entry(name).or_default() += 1;
            }
        }
        let group = |(name, queries): (&str, usize)| Group {
            name: name.to_owned(),
            queries,
            systems: (0..measures.len()).map(|s| row(s, Some(name))).collect(),
        };
        Self {
            set: options
                .set
                .file_name()
                .map(|n| n.to_string_lossy().into_owned())
                .unwrap_or_default(),
            passages: set.passages.len(),
            dev_queries: dev.len(),
            test_queries: test.len(),
            with_time,
            seed: options.seed,
            cuts: CUTS,
            systems: (0..measures.len()).map(|s| row(s, None)).collect(),
            groups: groups.into_iter().map(group).collect(),
        }
    }

    /// Gives the figures as a Markdown table, in percent.
    pub fn table(&self) -> String {
        let mut out = format!(
            "{}: {} passages, weights chosen on {} queries, measured on {} ({} with a time), seed {}\n\n",
            self.set, self.passages, self.dev_queries, self.test_queries, self.with_time, self.seed
        );
        out.push_str(&rows(&self.systems));
        for group in &self.groups {
            let _ = writeln!(out, "\n{}, {} queries:\n", group.name, group.queries);
            out.push_str(&rows(&group.systems));
        }
        out
    }
}

fn rows(systems: &[Row]) -> String {
    let mut out = String::from(
        "| system | α | words | branch | dates | MRR | R@1 | R@5 | R@100 | P@1 | P@20 | nDCG@10 | Spearman \
         | MRR, P@1, nDCG@10 against the first |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in systems {
        let p = |value: f64| format!("{:.2}", 100.0 * value);
        let within =
            |(low, high): (f64, f64)| format!("{:+.2} to {:+.2}", 100.0 * low, 100.0 * high);
        let _ = writeln!(
            out,
            "| {} | {:.1} | {:.1} | {:.1} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {}; {}; {} |",
            row.system,
            row.alpha,
            row.words,
            row.branch,
            if row.dates_kept { "kept" } else { "removed" },
            p(row.mrr),
            p(row.recall[0]),
            p(row.recall[1]),
            p(row.recall[4]),
            p(row.precision[0]),
            p(row.precision[3]),
            p(row.ndcg[2]),
            p(row.spearman),
            within(row.differences.mrr),
            within(row.differences.precision_1),
            within(row.differences.ndcg_10),
        );
    }
    out
}
