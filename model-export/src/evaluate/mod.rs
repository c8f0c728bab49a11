//! Measures rankings by meaning, words and time on a test set.

mod branch;
mod chance;
mod details;
mod metrics;
mod report;
mod set;
mod system;
pub(crate) mod vectors;

pub use branch::BranchPart;
pub(crate) use branch::sentences;
pub(crate) use chance::Chance;
pub use details::DetailOptions;
pub use metrics::{CUTS, Measures};
pub use report::{Differences, Group, Report, Row};
pub use system::{Setting, System};

use std::ops::Range;
use std::path::PathBuf;

use almanac::Result;
use almanac::encoder::{Model, TextKind};
use almanac::search::fusion::Normalization;
use almanac::search::lexical::{LexicalIndex, LexicalQuery};
use almanac::search::time::{passage_score, role_weight};
use almanac::search::{Question, QuestionOptions};
use almanac::text::{Cue, Stemming};
use almanac::time::{Dating, DayNumber, Lang, Settings, find, parse_iso_day};
use indicatif::ProgressBar;

use crate::fault;
use branch::Times;
use details::{Asked, Details};
use set::{TestSet, Text};
use system::{QueryParts, TimePart};

/// What to measure, and how.
pub struct Options {
    /// Folder of the test set, in the BEIR layout.
    pub set: PathBuf,
    /// Model folder, needed by systems with an encoder.
    pub model: Option<PathBuf>,
    /// Folder of the temporal branch, needed by systems with one.
    pub branch: Option<PathBuf>,
    /// Model folder that the branch belongs to; none for that of `model`.
    pub branch_model: Option<PathBuf>,
    /// The systems; the first is what the others are compared with.
    pub systems: Vec<System>,
    /// How meaning and words are made comparable.
    pub normalization: Normalization,
    /// How words are cut down.
    pub stemming: Stemming,
    /// Conventions by which dates are read.
    pub dates: Settings,
    /// The day that relative dates count from, where the set gives none.
    pub anchor: Option<DayNumber>,
    /// Seed of the split and the bootstrap.
    pub seed: u64,
    /// File that keeps vectors between runs.
    pub cache: Option<PathBuf>,
    /// Where the rankings themselves are written, if anywhere.
    pub details: Option<DetailOptions>,
}

/// A text with what ranking by time needs of it.
struct Dated {
    datings: Vec<Dating>,
    cues: Vec<Cue>,
}

/// Chooses the weights of each system on a fifth of the queries and measures it on the others.
///
/// # Errors
/// - [`almanac::ErrorKind::InvalidInput`] if no system or no model is given where one is needed.
/// - Those of reading the set and the model, of encoding, and of writing the details.
pub fn evaluate(options: &Options) -> Result<Report> {
    if options.systems.is_empty() {
        return Err(fault::invalid("no system to measure").with_remedy("give --system"));
    }
    let set = TestSet::open(&options.set)?;
    let bench = Bench::new(options, &set)?;
    let (dev, test) = chance::split(set.queries.len(), options.seed);
    let settings = choose(options, &bench, &dev);
    if let Some(wanted) = &options.details {
        let mut details = Details::create(wanted)?;
        for (part, queries) in [("dev", &dev), ("test", &test)] {
            for &query in queries {
                bench.explain(options, query, part, &settings, &mut details)?;
            }
        }
        details.finish()?;
    }
    let mut measures: Vec<Vec<Measures>> =
        vec![Vec::with_capacity(test.len()); options.systems.len()];
    let bar = ProgressBar::new(test.len() as u64);
    for &query in &test {
        let parts = bench.parts(query);
        let relevant = bench.relevant(query);
        for ((system, setting), out) in options.systems.iter().zip(&settings).zip(&mut measures) {
            let scores = system.scores(&parts, *setting, options.normalization);
            out.push(metrics::measure(&scores, &relevant));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let with_time = test
        .iter()
        .filter(|q| !bench.queries[**q].datings.is_empty())
        .count();
    Ok(Report::new(
        options, &set, &dev, &test, with_time, &settings, &measures,
    ))
}

/// The setting of each system with the highest MRR on the development queries; of equal ones the
/// first in its grid.
fn choose(options: &Options, bench: &Bench<'_>, dev: &[usize]) -> Vec<Setting> {
    let grids: Vec<Vec<Setting>> = options.systems.iter().map(System::grid).collect();
    let mut sums: Vec<Vec<f64>> = grids.iter().map(|g| vec![0.0; g.len()]).collect();
    let bar = ProgressBar::new(dev.len() as u64);
    for &query in dev {
        let parts = bench.parts(query);
        let relevant = bench.relevant(query);
        for ((system, grid), sums) in options.systems.iter().zip(&grids).zip(&mut sums) {
            if grid.len() > 1 {
                for (setting, sum) in grid.iter().zip(sums) {
                    let scores = system.scores(&parts, *setting, options.normalization);
                    *sum += metrics::reciprocal_rank(&scores, &relevant);
                }
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let best = |(grid, sums): (&Vec<Setting>, &Vec<f64>)| {
        let mut best = 0;
        for (at, sum) in sums.iter().enumerate() {
            if *sum > sums[best] {
                best = at;
            }
        }
        grid[best]
    };
    grids.iter().zip(&sums).map(best).collect()
}

/// A test set made ready for scoring.
struct Bench<'a> {
    set: &'a TestSet,
    time_parts: Vec<TimePart>,
    queries: Vec<Dated>,
    passages: Vec<Dated>,
    lexical: LexicalIndex,
    lexical_queries: Vec<[LexicalQuery; 2]>,
    passage_vectors: Vec<Vec<f32>>,
    query_vectors: Vec<[Vec<f32>; 2]>,
    branch_parts: Vec<BranchPart>,
    latents: Option<Times>,
}

/// The day that relative dates count from where neither set nor caller names one.
///
/// Source: TEMPS evaluates with this one day for every text.
fn usual_anchor() -> DayNumber {
    parse_iso_day("2024-08-09").unwrap_or(DayNumber(739_107))
}

impl<'a> Bench<'a> {
    fn new(options: &Options, set: &'a TestSet) -> Result<Self> {
        let mut time_parts: Vec<TimePart> = Vec::new();
        for part in options.systems.iter().filter_map(|s| s.time) {
            if !time_parts.contains(&part) {
                time_parts.push(part);
            }
        }
        let anchor = |text: &Text| text.anchor.or(options.anchor);
        let dated = |text: &Text| {
            let found = find(&text.text, &options.dates, Lang::Auto, anchor(text));
            let ranges: Vec<Range<usize>> = found.iter().map(|e| e.range.clone()).collect();
            Dated {
                datings: found.iter().map(Dating::of_expression).collect(),
                cues: Cue::near(&text.text, &ranges),
            }
        };
        let question = |text: &Text| {
            let reading = QuestionOptions {
                dates: options.dates.clone(),
                anchor: anchor(text),
                stemming: options.stemming,
                dates_are_words: false,
            };
            Question::read(&text.text, &reading)
        };
        let questions: Vec<Question> = set.queries.iter().map(question).collect();
        let views = questions
            .iter()
            .map(|question| [question.text(), question.meaning_text()]);
        let flat: Vec<&str> = views.flatten().collect();
        let lexical_query = |question: &Question| {
            let dates = question.dates().iter();
            let ranges: Vec<Range<usize>> = dates.map(|date| date.range.clone()).collect();
            [
                LexicalQuery::new(question.text(), options.stemming, &ranges),
                question.words().clone(),
            ]
        };
        let lexical_queries = questions.iter().map(lexical_query).collect();
        let texts: Vec<&str> = set.passages.iter().map(|p| p.text.as_str()).collect();
        let (mut passage_vectors, mut query_vectors) = (Vec::new(), Vec::new());
        let mut branch_parts: Vec<BranchPart> = Vec::new();
        for part in options.systems.iter().filter_map(|s| s.branch) {
            if !branch_parts.contains(&part) {
                branch_parts.push(part);
            }
        }
        let mut latents = None;
        let model = if options.systems.iter().any(|s| s.encoder) {
            let folder = options.model.as_deref().ok_or_else(|| {
                fault::invalid("a system with an encoder and no model").with_remedy("give --model")
            })?;
            Some(Model::open(folder)?)
        } else {
            None
        };
        if !branch_parts.is_empty() {
            let folder = options.branch_model.as_ref().or(options.model.as_ref());
            let folder = folder.ok_or_else(|| {
                fault::invalid("a system with a branch and no model").with_remedy("give --model")
            })?;
            let model = Model::open_integer(folder)?;
            let folder = options.branch.as_deref().ok_or_else(|| {
                fault::invalid("a system with a branch and no branch").with_remedy("give --branch")
            })?;
            let anchor = options.anchor.unwrap_or_else(usual_anchor);
            let sentences = branch_parts.iter().any(|p| p.sentences);
            latents = Some(Times::read(folder, &model, set, anchor, sentences)?);
        }
        if let Some(model) = model {
            let cache = options.cache.as_deref();
            passage_vectors = vectors::encode(&model, &texts, TextKind::Passage, cache)?;
            let flat = vectors::encode(&model, &flat, TextKind::Query, cache)?;
            query_vectors = flat
                .chunks_exact(2)
                .map(|v| [v[0].clone(), v[1].clone()])
                .collect();
        }
        Ok(Self {
            set,
            time_parts,
            passages: set.passages.iter().map(dated).collect(),
            queries: questions
                .iter()
                .map(|question| Dated {
                    datings: question.datings().to_vec(),
                    cues: question.cues().to_vec(),
                })
                .collect(),
            lexical: LexicalIndex::new(texts, options.stemming),
            lexical_queries,
            passage_vectors,
            query_vectors,
            branch_parts,
            latents,
        })
    }

    /// The passages to rank for a query; `None` for all.
    fn candidates(&self, query: usize) -> Option<&[usize]> {
        Some(self.set.candidates.as_ref()?.get(query)?.as_slice())
    }

    /// The relevant passages of a query, by their place among those to rank.
    fn relevant(&self, query: usize) -> std::collections::HashMap<usize, u32> {
        let all = &self.set.relevant[query];
        match self.candidates(query) {
            None => all.clone(),
            Some(list) => {
                let place =
                    |(p, grade): (&usize, &u32)| Some((list.binary_search(p).ok()?, *grade));
                all.iter().filter_map(place).collect()
            }
        }
    }

    fn parts(&self, query: usize) -> QueryParts {
        let every: Vec<usize>;
        let list = match self.candidates(query) {
            Some(list) => list,
            None => {
                every = (0..self.set.passages.len()).collect();
                &every
            }
        };
        let dated = &self.queries[query];
        let words = |view: usize| {
            let all = self
                .lexical
                .scores(&self.lexical_queries[query][view])
                .ranking();
            list.iter().map(|p| all[*p]).collect::<Vec<f64>>()
        };
        let meaning = |view: usize| match self.query_vectors.get(query) {
            None => Vec::new(),
            Some(views) => list
                .iter()
                .map(|p| dot(&views[view], &self.passage_vectors[*p]))
                .collect(),
        };
        let has_time = !dated.datings.is_empty();
        let time = self.time_parts.iter().filter(|_| has_time);
        let branch = self
            .latents
            .iter()
            .filter(|times| has_time || times.dated(query))
            .flat_map(|latents| {
                let scores = move |part: &BranchPart| {
                    list.iter()
                        .map(|p| latents.score(*part, query, *p))
                        .collect::<Vec<f64>>()
                };
                self.branch_parts.iter().map(move |p| (*p, scores(p)))
            });
        QueryParts {
            passages: list.len(),
            branch: branch.collect(),
            meaning: [meaning(0), meaning(1)],
            words: [words(0), words(1)],
            time: time
                .map(|part| {
                    (
                        *part,
                        list.iter()
                            .map(|p| self.time(*part, dated, &self.passages[*p]))
                            .collect(),
                    )
                })
                .collect(),
            has_time,
        }
    }

    /// Writes how each system ranks a query.
    fn explain(
        &self,
        options: &Options,
        query: usize,
        part: &str,
        settings: &[Setting],
        details: &mut Details,
    ) -> Result<()> {
        let (parts, relevant) = (self.parts(query), self.relevant(query));
        let text = &self.set.queries[query];
        let asked = Asked {
            id: &text.id,
            text: &text.text,
            part,
            relevant: &relevant,
        };
        let list = self.candidates(query);
        let name = |place: usize| {
            let passage = list.map_or(place, |list| list[place]);
            self.set.passages[passage].id.as_str()
        };
        for (system, setting) in options.systems.iter().zip(settings) {
            let shares = system.shares(&parts, *setting, options.normalization);
            details.add(&asked, &system.name, &shares, name)?;
        }
        Ok(())
    }

    fn time(&self, part: TimePart, query: &Dated, passage: &Dated) -> f64 {
        if part.score.is_divergence() {
            // As the published control: the best pair of expressions, whatever they are.
            let each = query.datings.iter().map(|asked| {
                passage_score(
                    part.score,
                    std::slice::from_ref(asked),
                    &passage.datings,
                    |_, _| 1.0,
                )
                .score
            });
            return each.fold(0.0, f64::max);
        }
        let cues: Vec<Vec<f64>> = if part.cues {
            query
                .cues
                .iter()
                .map(|cue| cue.weights(&passage.cues))
                .collect()
        } else {
            Vec::new()
        };
        let weight = |asked: usize, held: usize| {
            let cue = cues
                .get(asked)
                .and_then(|c| c.get(held))
                .copied()
                .unwrap_or(1.0);
            let role = role_weight(query.datings[asked].role, passage.datings[held].role);
            if part.roles { cue * role } else { cue }
        };
        passage_score(part.score, &query.datings, &passage.datings, weight).score
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>().into()
}
