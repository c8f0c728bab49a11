//! The rankings that are compared, by name.

use almanac::search::fusion::{Normalization, Parts, Shares, Weights, fuse};
use almanac::search::time::TimeScore;
use almanac::{Error, Result};

use super::branch::BranchPart;
use crate::fault;

/// How a system reads time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimePart {
    /// How two intervals are compared.
    pub score: TimeScore,
    /// Whether dates count by their role.
    pub roles: bool,
    /// Whether dates count by the words near them.
    pub cues: bool,
}

/// One way to rank.
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// What it is called, such as `encoder+bm25+museum`.
    pub name: String,
    /// Whether it ranks by meaning.
    pub encoder: bool,
    /// Whether it ranks by words.
    pub bm25: bool,
    /// How it ranks by time, if it does.
    pub time: Option<TimePart>,
    /// How it uses the temporal branch, if it does.
    pub branch: Option<BranchPart>,
    /// Whether its weights are chosen on the development queries.
    pub tuned: bool,
    /// Whether meaning and words see the query's dates; `None` to choose.
    pub dates_kept: Option<bool>,
    /// How its meaning and words are made comparable; `None` for what the run says.
    pub normalization: Option<Normalization>,
}

/// The names a system is made of, besides `default`.
const NAMES: &str = "bm25, encoder, and one of rules, rules-reverse, rules-mix, museum, prose, \
                     museum-without-cues, museum-without-roles, and one of branch, \
                     branch-reverse, branch-sentences, branch-sentences-reverse, with dates-kept or dates-removed \
                     and min-max, robust or rank where they are not to be chosen, joined by +";

impl System {
    /// Reads a name: `default`, or parts joined by `+`.
    ///
    /// # Errors
    /// [`almanac::ErrorKind::InvalidInput`] if a part is unknown or given twice.
    pub fn parse(name: &str) -> Result<Self> {
        let mut system = Self {
            name: name.to_owned(),
            encoder: false,
            bm25: false,
            time: None,
            branch: None,
            tuned: true,
            dates_kept: None,
            normalization: None,
        };
        if name == "default" {
            return Ok(Self {
                encoder: true,
                bm25: true,
                time: Some(TimePart {
                    score: TimeScore::Museum,
                    roles: true,
                    cues: true,
                }),
                tuned: false,
                ..system
            });
        }
        let plain = |score| TimePart {
            score,
            roles: false,
            cues: false,
        };
        for part in name.split('+') {
            let time = match part {
                "bm25" if !system.bm25 => {
                    system.bm25 = true;
                    continue;
                }
                "encoder" if !system.encoder => {
                    system.encoder = true;
                    continue;
                }
                "dates-kept" | "dates-removed" if system.dates_kept.is_none() => {
                    system.dates_kept = Some(part == "dates-kept");
                    continue;
                }
                "min-max" | "robust" | "rank" if system.normalization.is_none() => {
                    system.normalization = Some(match part {
                        "robust" => Normalization::Robust,
                        "rank" => Normalization::Rank,
                        _ => Normalization::MinMax,
                    });
                    continue;
                }
                "branch" | "branch-reverse" | "branch-sentences" | "branch-sentences-reverse"
                    if system.branch.is_none() =>
                {
                    system.branch = Some(BranchPart {
                        sentences: part.contains("sentences"),
                        reverse: part.ends_with("reverse"),
                    });
                    continue;
                }
                "rules" => plain(TimeScore::Temps),
                "rules-reverse" => plain(TimeScore::Reverse),
                "rules-mix" => plain(TimeScore::Mix),
                "museum" => TimePart {
                    score: TimeScore::Museum,
                    roles: true,
                    cues: true,
                },
                "prose" => TimePart {
                    score: TimeScore::Prose,
                    roles: true,
                    cues: true,
                },
                "museum-without-cues" => TimePart {
                    score: TimeScore::Museum,
                    roles: true,
                    cues: false,
                },
                "museum-without-roles" => TimePart {
                    score: TimeScore::Museum,
                    roles: false,
                    cues: true,
                },
                _ => return Err(unknown(name, part)),
            };
            if system.time.replace(time).is_some() {
                return Err(unknown(name, part));
            }
        }
        Ok(system)
    }

    /// Whether it ranks by time at all.
    fn reads_time(&self) -> bool {
        self.time.is_some() || self.branch.is_some()
    }

    /// Gives the settings to choose from on the development queries, the simplest first.
    pub fn grid(&self) -> Vec<Setting> {
        let standard = Setting {
            weights: Weights::default(),
            dates_kept: false,
            branch: 0.0,
        };
        if !self.tuned {
            return vec![standard];
        }
        let tenths = |from: u32, by: usize| {
            (from..10)
                .step_by(by)
                .map(|n| f64::from(n) / 10.0)
                .collect()
        };
        let written = self.encoder || self.bm25;
        let alphas: Vec<f64> = if self.reads_time() && written {
            tenths(1, 1)
        } else {
            vec![0.0]
        };
        let words: Vec<f64> = if self.encoder && self.bm25 {
            tenths(1, 2)
        } else {
            vec![0.0]
        };
        let kept: &[bool] = match self.dates_kept {
            Some(true) => &[true],
            Some(false) => &[false],
            None if self.reads_time() && written => &[true, false],
            None => &[true],
        };
        let shares: &[f64] = match (self.time, self.branch) {
            (_, None) => &[0.0],
            (None, Some(_)) => &[1.0],
            (Some(_), Some(_)) => &[0.0, 0.1, 0.2, 0.3, 0.5, 0.7],
        };
        let mut grid = Vec::new();
        for &dates_kept in kept {
            for &time in &alphas {
                for &words in &words {
                    for &branch in shares {
                        grid.push(Setting {
                            weights: Weights { time, words },
                            dates_kept,
                            branch,
                        });
                    }
                }
            }
        }
        grid
    }

    /// Gives the score of every passage under a setting.
    pub fn scores(&self, parts: &QueryParts, setting: Setting, text: Normalization) -> Vec<f64> {
        let shares = self.shares(parts, setting, text);
        shares.into_iter().map(Shares::score).collect()
    }

    /// Gives what each part adds to the score of every passage under a setting.
    pub fn shares(&self, parts: &QueryParts, setting: Setting, text: Normalization) -> Vec<Shares> {
        let text = self.normalization.unwrap_or(text);
        let view = usize::from(!setting.dates_kept && parts.has_time);
        let rules = self.time.filter(|_| parts.has_time).and_then(|part| {
            let found = parts.time.iter().find(|(p, _)| *p == part);
            found.map(|(_, scores)| scores.as_slice())
        });
        let branch = self.branch.and_then(|part| {
            let found = parts.branch.iter().find(|(p, _)| *p == part);
            found.map(|(_, scores)| Normalization::MinMax.apply(scores))
        });
        // Divergences have no scale of their own; the museum score keeps its neutral value as it is.
        let scale = match self.time {
            Some(part) if !part.score.is_divergence() => Normalization::AsIs,
            _ => Normalization::MinMax,
        };
        let mixed = match (rules, branch) {
            (Some(rules), Some(branch)) => {
                let rules = scale.apply(rules);
                let mix = |(r, b): (&f64, &f64)| (1.0 - setting.branch) * r + setting.branch * b;
                Some(rules.iter().zip(&branch).map(mix).collect())
            }
            (None, branch) => branch,
            (Some(_), None) => None,
        };
        let (time, time_scale) = match &mixed {
            Some(mixed) => (Some(Vec::as_slice(mixed)), Normalization::AsIs),
            None => (rules, scale),
        };
        let given = Parts {
            meaning: self.encoder.then_some(parts.meaning[view].as_slice()),
            words: self.bm25.then_some(parts.words[view].as_slice()),
            time,
        };
        let fused = fuse(given, setting.weights, text, time_scale);
        if fused.is_empty() {
            return vec![Shares::default(); parts.passages];
        }
        fused
    }
}

#[cold]
fn unknown(name: &str, part: &str) -> Error {
    fault::invalid(format!("system {name:?}: {part:?} cannot be used here"))
        .with_remedy(format!("give default or parts of {NAMES}"))
}

/// What is chosen on the development queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// The weights of the parts.
    pub weights: Weights,
    /// Whether meaning and words see the query with its dates or without.
    pub dates_kept: bool,
    /// The branch's share of the temporal score, 0 to 1.
    pub branch: f64,
}

/// All parts of one query's scores.
pub struct QueryParts {
    /// The number of passages ranked.
    pub passages: usize,
    /// Cosines, for the query with and without its dates.
    pub meaning: [Vec<f64>; 2],
    /// BM25 scores, for the query with and without its dates.
    pub words: [Vec<f64>; 2],
    /// Temporal scores.
    pub time: Vec<(TimePart, Vec<f64>)>,
    /// Scores of the temporal branch, 0 to 1; none where neither rules nor the branch read a time in the
    /// query.
    pub branch: Vec<(BranchPart, Vec<f64>)>,
    /// Whether the query names a time.
    pub has_time: bool,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_wrong_ones_refused() {
        let system = System::parse("encoder+bm25+rules").unwrap();
        assert!(system.encoder && system.bm25 && system.time.unwrap().score == TimeScore::Temps);
        assert_eq!(system.grid().len(), 2 * 9 * 5);
        assert_eq!(System::parse("bm25").unwrap().grid().len(), 1);
        assert_eq!(System::parse("default").unwrap().grid().len(), 1);
        let both = System::parse("encoder+bm25+museum+branch").unwrap();
        assert!(both.grid().iter().any(|s| s.branch == 0.5));
        assert!(
            System::parse("branch")
                .unwrap()
                .grid()
                .iter()
                .all(|s| s.branch == 1.0)
        );
        let fixed = System::parse("encoder+bm25+museum+dates-removed+rank").unwrap();
        assert!(fixed.grid().iter().all(|s| !s.dates_kept));
        assert_eq!(fixed.normalization, Some(Normalization::Rank));
        for wrong in [
            "",
            "bm52",
            "bm25+bm25",
            "rules+museum",
            "bm25+rank+robust",
            "branch+branch-reverse",
        ] {
            let error = System::parse(wrong).unwrap_err();
            assert_eq!(error.kind(), almanac::ErrorKind::InvalidInput, "{wrong}");
        }
    }

    #[test]
    fn branch_and_rules_share_the_temporal_weight() {
        let part = BranchPart {
            sentences: false,
            reverse: false,
        };
        let system = System::parse("museum+branch").unwrap();
        let parts = QueryParts {
            passages: 3,
            meaning: [Vec::new(), Vec::new()],
            words: [Vec::new(), Vec::new()],
            time: vec![(system.time.unwrap(), vec![0.25, 1.0, 0.25])],
            branch: vec![(part, vec![0.1, 0.1, 0.3])],
            has_time: true,
        };
        let scores = |branch| {
            let setting = Setting {
                weights: Weights {
                    time: 0.5,
                    words: 0.0,
                },
                dates_kept: false,
                branch,
            };
            system.scores(&parts, setting, Normalization::MinMax)
        };
        let (rules, mixed) = (scores(0.0), scores(0.2));
        assert_eq!(rules[0], rules[2]);
        assert!(mixed[1] > mixed[2] && mixed[2] > mixed[0]);
    }

    #[test]
    fn query_without_time_ignores_the_temporal_weight() {
        let parts = QueryParts {
            passages: 2,
            meaning: [vec![0.1, 0.9], vec![0.9, 0.1]],
            words: [Vec::new(), Vec::new()],
            time: Vec::new(),
            branch: Vec::new(),
            has_time: false,
        };
        let system = System::parse("encoder+museum").unwrap();
        let setting = Setting {
            weights: Weights {
                time: 0.9,
                words: 0.0,
            },
            dates_kept: false,
            branch: 0.0,
        };
        assert_eq!(
            system.scores(&parts, setting, Normalization::MinMax),
            [0.0, 1.0]
        );
    }
}
