//! How well systems find the passage of a modern query, as a table.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use almanac::encoder::{Model, Pooling, TextKind, WeightEncoding};
use almanac::index::Translations;
use almanac::search::fusion::{Normalization, Parts, Weights, fuse};
use almanac::search::lexical::{LexicalIndex, LexicalQuery};
use almanac::text::Stemming;
use almanac::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

use super::data::{self, FARMING, LEFT_OUT};
use super::measure::{Ranks, cosines};
use super::pair::{Pair, Part};
use super::sample::Farming;
use crate::evaluate::Chance;
use crate::evaluate::vectors::encode;
use crate::{fault, import};

/// What is measured, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder that `data classical` wrote.
    pub data: PathBuf,
    /// Folder in which the systems' weights lie.
    pub weights: PathBuf,
    /// Description files of the systems.
    pub systems: Vec<PathBuf>,
    /// Folder for imported models and vectors, kept between runs.
    pub cache: PathBuf,
    /// A table of translations, which is measured beside every system.
    pub translations: Option<PathBuf>,
    /// Queries that share fewest characters with their passage, measured apart.
    pub low: usize,
    /// Seed of the random negatives of the correlation.
    pub seed: u64,
}

/// A system's description file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct System {
    /// What it is called in the table.
    pub name: String,
    /// Its Hugging Face directory or model folder, inside the folder of weights.
    pub weights: PathBuf,
    /// How token states become one vector; what the model says where absent.
    #[serde(default)]
    pub pooling: Option<Pooling>,
    /// Text before queries.
    #[serde(default)]
    pub query_prefix: Option<String>,
    /// Text before passages.
    #[serde(default)]
    pub passage_prefix: Option<String>,
    /// Most tokens of a text.
    #[serde(default)]
    pub max_tokens: Option<usize>,
    /// Which farming pairs its weights have learned from: none, train or without:BOOK.
    #[serde(default = "none")]
    pub learned: String,
}

fn none() -> String {
    "none".to_owned()
}

/// Figures of some queries, shares from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Queries.
    pub queries: usize,
    /// Share with the right passage first.
    pub first: f64,
    /// Share with the right passage among the first five.
    pub five: f64,
    /// Share with the right passage among the first ten.
    pub ten: f64,
    /// Mean reciprocal rank.
    pub mrr: f64,
}

/// One line of the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    /// The system.
    pub system: String,
    /// The share of words in the fused score; none without fusion.
    pub words: Option<f64>,
    /// Why there are no figures.
    pub missing: Option<String>,
    /// Rank correlation of the cosine with right and random pairs of the test part; none for words.
    pub spearman: Option<f64>,
    /// Test queries among the passages of the test part, as in the paper.
    pub paper: Figures,
    /// Test queries among all passages.
    pub whole: Figures,
    /// All queries that were not learned from or chosen by, among all passages.
    pub unseen: Figures,
    /// Those of them that share fewest characters with their passage.
    pub low: Figures,
    /// Unseen queries by book.
    pub books: Vec<(String, Figures)>,
}

/// Measures words alone and every system, alone and with words.
///
/// # Errors
/// - Those of reading the files and of the encoder.
/// - [`ErrorKind::Corrupt`] if a description is not as it must be.
pub fn measure(options: &Options) -> Result<Vec<Row>> {
    std::fs::create_dir_all(&options.cache).map_err(|e| Error::io(&options.cache, &e))?;
    let ground = Ground::load(options)?;
    let mut rows: Vec<Row> = ground
        .words
        .iter()
        .map(|words| ground.row("", &Farming::None, None, Some((words, 1.0))))
        .collect();
    for path in &options.systems {
        let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, &e))?;
        let system: System = toml::from_str(&text).map_err(|e| {
            fault::corrupt(e.message().to_owned()).in_place(path.display().to_string())
        })?;
        let learned = Farming::parse(&system.learned)?;
        let Some(model) = system.open(options)? else {
            rows.push(Row {
                system: system.name,
                missing: Some("weights not at hand".to_owned()),
                ..Row::default()
            });
            continue;
        };
        let meaning = ground.meaning(&model, &options.cache)?;
        rows.push(ground.row(&system.name, &learned, Some(&meaning), None));
        for words in &ground.words {
            let share = ground.choose(&meaning, words);
            let fused = Some((words, share));
            rows.push(ground.row(&system.name, &learned, Some(&meaning), fused));
        }
    }
    Ok(rows)
}

impl System {
    /// Opens the system's encoder, importing it once where it is a Hugging Face directory; none where
    /// its weights are not there.
    fn open(&self, options: &Options) -> Result<Option<Model>> {
        let folder = options.weights.join(&self.weights);
        if folder.join("card.json").exists() {
            return Model::open(&folder).map(Some);
        }
        if !folder.join("config.json").exists() {
            return Ok(None);
        }
        let name = self.weights.to_string_lossy().replace(['/', '\\'], "-");
        let out = options.cache.join(format!("{name}-float32"));
        if !out.join("card.json").exists() {
            import::import(&import::Options {
                source: folder,
                out: out.clone(),
                encoding: WeightEncoding::Float32,
                pooling: self.pooling,
                query_prefix: self.query_prefix.clone(),
                passage_prefix: self.passage_prefix.clone(),
                max_tokens: self.max_tokens,
                name: Some(self.name.clone()),
                license: None,
            })?;
        }
        Model::open(&out).map(Some)
    }
}

/// What words say: the scores of all passages for each query.
struct Words {
    /// How they are called in the table.
    name: &'static str,
    scores: Vec<Vec<f64>>,
}

/// What an encoder says: the cosines of all passages for each query.
struct Meaning(Vec<Vec<f64>>);

/// What is asked of what.
struct Ground {
    /// The queries; the passages stand in the same order.
    pairs: Vec<Pair>,
    /// All passages: those of the pairs, then those that no query asks for.
    passages: Vec<String>,
    /// BM25, and BM25 with translations where there is a table.
    words: Vec<Words>,
    /// Whether a query is of those with least overlap.
    low: Vec<bool>,
    /// For each query of the test part, a random passage of that part that is not its own.
    random: Vec<(usize, usize)>,
}

impl Ground {
    fn load(options: &Options) -> Result<Self> {
        let pairs = data::read(&options.data.join(FARMING))?;
        let mut passages: Vec<String> = pairs.iter().map(|p| p.classical.clone()).collect();
        let left = data::read(&options.data.join(LEFT_OUT))?;
        passages.extend(left.into_iter().map(|p| p.classical));
        let index = LexicalIndex::new(passages.iter().map(String::as_str), Stemming::None);
        let scores = |table: Option<&Translations>| {
            let of_pair = |pair: &Pair| {
                let mut query = LexicalQuery::new(&pair.modern, Stemming::None, &[]);
                if let Some(table) = table {
                    query.translate(table);
                }
                index.scores(&query).ranking()
            };
            pairs.iter().map(of_pair).collect()
        };
        let mut words = vec![Words {
            name: "BM25",
            scores: scores(None),
        }];
        if let Some(path) = &options.translations {
            let bytes = fault::read(path)?;
            let table = Translations::from_bytes(&bytes);
            let table = table.map_err(|e| e.in_place(path.display().to_string()))?;
            words.push(Words {
                name: "BM25 + translations",
                scores: scores(Some(&table)),
            });
        }
        let overlaps: Vec<f64> = pairs.iter().map(Pair::overlap).collect();
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by(|a, b| overlaps[*a].total_cmp(&overlaps[*b]).then(a.cmp(b)));
        let mut low = vec![false; pairs.len()];
        for at in order.into_iter().take(options.low) {
            low[at] = true;
        }
        let test: Vec<usize> = places(&pairs, |p| p.part == Part::Test);
        let mut chance = Chance::new(options.seed);
        let mut other = |own: usize| loop {
            let drawn = test[chance.below(test.len())];
            if drawn != own {
                return (own, drawn);
            }
        };
        let random = match test.len() {
            0 | 1 => Vec::new(),
            _ => test.iter().map(|own| other(*own)).collect(),
        };
        Ok(Self {
            pairs,
            passages,
            words,
            low,
            random,
        })
    }

    fn meaning(&self, model: &Model, cache: &Path) -> Result<Meaning> {
        let path = cache.join(format!("{}.vectors.json", model.card().id));
        let queries: Vec<&str> = self.pairs.iter().map(|p| p.modern.as_str()).collect();
        let passages: Vec<&str> = self.passages.iter().map(String::as_str).collect();
        let queries = encode(model, &queries, TextKind::Query, Some(&path))?;
        let passages = encode(model, &passages, TextKind::Passage, Some(&path))?;
        let all = queries.iter().map(|query| cosines(query, &passages));
        Ok(Meaning(all.collect()))
    }

    /// Gives the scores of all passages for a query; `words` come with their share.
    fn scores(
        &self,
        query: usize,
        meaning: Option<&Meaning>,
        words: Option<(&Words, f64)>,
    ) -> Vec<f64> {
        let parts = Parts {
            meaning: meaning.map(|meaning| meaning.0[query].as_slice()),
            words: words.map(|(words, _)| words.scores[query].as_slice()),
            time: None,
        };
        let weights = Weights {
            time: 0.0,
            words: words.map_or(0.0, |(_, share)| share),
        };
        let fused = fuse(parts, weights, Normalization::MinMax, Normalization::AsIs);
        fused.into_iter().map(|s| s.score()).collect()
    }

    /// Chooses the share of words on the development queries.
    fn choose(&self, meaning: &Meaning, words: &Words) -> f64 {
        let dev = places(&self.pairs, |p| p.part == Part::Dev);
        let value = |share: f64| {
            let mut ranks = Ranks::default();
            for at in &dev {
                ranks.add(Ranks::rank(
                    &self.scores(*at, Some(meaning), Some((words, share))),
                    &[*at],
                ));
            }
            ranks.reciprocal()
        };
        let grid = (0..=9).map(|n| f64::from(n) / 10.0);
        let best = grid.map(|words| (words, value(words)));
        // Of equal values the smaller share.
        best.fold((0.0, -1.0), |a, b| if b.1 > a.1 { b } else { a })
            .0
    }

    fn row(
        &self,
        name: &str,
        learned: &Farming,
        meaning: Option<&Meaning>,
        words: Option<(&Words, f64)>,
    ) -> Row {
        let (mut paper, mut whole) = (Ranks::default(), Ranks::default());
        let (mut unseen, mut low) = (Ranks::default(), Ranks::default());
        let mut books: Vec<(String, Ranks)> = Vec::new();
        let test: Vec<usize> = places(&self.pairs, |p| p.part == Part::Test);
        for (at, pair) in self.pairs.iter().enumerate() {
            // The weight of words was chosen on the development part.
            if pair.part == Part::Dev || learned.holds(pair) {
                continue;
            }
            let scores = self.scores(at, meaning, words);
            let rank = Ranks::rank(&scores, &[at]);
            unseen.add(rank);
            if self.low[at] {
                low.add(rank);
            }
            match books.iter_mut().find(|(book, _)| *book == pair.book) {
                Some((_, ranks)) => ranks.add(rank),
                None => {
                    let mut ranks = Ranks::default();
                    ranks.add(rank);
                    books.push((pair.book.clone(), ranks));
                }
            }
            if pair.part == Part::Test {
                whole.add(rank);
                let among: Vec<f64> = test.iter().map(|p| scores[*p]).collect();
                let own = test.iter().position(|p| *p == at);
                paper.add(Ranks::rank(&among, &[own.unwrap_or(0)]));
            }
        }
        let with = words.map(|(words, _)| words.name);
        let named = [Some(name).filter(|name| !name.is_empty()), with];
        Row {
            system: named.into_iter().flatten().collect::<Vec<_>>().join(" + "),
            words: meaning.and(words).map(|(_, share)| share),
            missing: None,
            spearman: meaning
                .filter(|_| words.is_none())
                .map(|m| self.correlation(m)),
            paper: Figures::of(&paper),
            whole: Figures::of(&whole),
            unseen: Figures::of(&unseen),
            low: Figures::of(&low),
            books: books
                .into_iter()
                .map(|(book, ranks)| (book, Figures::of(&ranks)))
                .collect(),
        }
    }

    /// The paper's measure: right pairs of the test part have label 1 and as many random ones 0.
    fn correlation(&self, meaning: &Meaning) -> f64 {
        let cosine = |query: usize, passage: usize| meaning.0[query][passage];
        let right = self.random.iter().map(|(q, _)| (cosine(*q, *q), 1.0));
        let random = self.random.iter().map(|(q, p)| (cosine(*q, *p), 0.0));
        let (values, labels): (Vec<f64>, Vec<f64>) = right.chain(random).unzip();
        crate::temporal::loss::spearman(&values, &labels)
    }
}

fn places(pairs: &[Pair], keep: impl Fn(&Pair) -> bool) -> Vec<usize> {
    let all = pairs.iter().enumerate();
    all.filter(|(_, p)| keep(p)).map(|(at, _)| at).collect()
}

impl Figures {
    fn of(ranks: &Ranks) -> Self {
        Self {
            queries: ranks.count(),
            first: ranks.within(1),
            five: ranks.within(5),
            ten: ranks.within(10),
            mrr: ranks.reciprocal(),
        }
    }
}

/// Writes rows as a Markdown table, in per cent.
#[must_use]
pub fn table(rows: &[Row]) -> String {
    let mut out = String::from(
        "| system | share of words | Spearman | paper's pool R@1 / 5 / 10 | whole pool, test R@1 / 5 / 10 | unseen R@1 / 5 / 10 | unseen MRR | low overlap R@1 / 5 / 10 |\n|---|---|---|---|---|---|---|---|\n",
    );
    let three = |f: &Figures| {
        format!(
            "{:.1} / {:.1} / {:.1} ({})",
            100.0 * f.first,
            100.0 * f.five,
            100.0 * f.ten,
            f.queries
        )
    };
    for row in rows {
        // Writing to a string does not fail.
        let _ = match &row.missing {
            Some(why) => writeln!(out, "| {} | | {why} | | | | | |", row.system),
            None => writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} | {:.1} | {} |",
                row.system,
                row.words.map_or(String::new(), |w| format!("{w:.1}")),
                row.spearman
                    .map_or(String::new(), |s| format!("{:.2}", 100.0 * s)),
                three(&row.paper),
                three(&row.whole),
                three(&row.unseen),
                100.0 * row.unseen.mrr,
                three(&row.low)
            ),
        };
    }
    out.push_str("\n| system | book | R@1 / 5 / 10 | MRR |\n|---|---|---|---|\n");
    for row in rows {
        for (book, figures) in &row.books {
            let _ = writeln!(
                out,
                "| {} | {book} | {} | {:.1} |",
                row.system,
                three(figures),
                100.0 * figures.mrr
            );
        }
    }
    out
}

/// Writes rows as JSON.
///
/// # Errors
/// [`ErrorKind::Internal`] if they cannot be written.
pub fn json(rows: &[Row]) -> Result<String> {
    serde_json::to_string_pretty(rows).map_err(|e| Error::new(ErrorKind::Internal, e.to_string()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::pair::tests::pair;
    use super::*;

    fn ground(folder: &Path) -> Options {
        let mut pairs = vec![
            pair("春耕欲深秋耕欲浅", "春天耕地要深秋天耕地要浅"),
            pair("种豆之法宜早不宜晚", "大豆应当尽早播下去"),
            pair("养羊须令早出晚归也", "牧羊每天清早赶出傍晚赶回"),
            pair("蚕初生时须用细叶喂", "刚孵化的蚕要用切细的桑叶"),
        ];
        for (at, part) in [Part::Test, Part::Test, Part::Train, Part::Dev]
            .iter()
            .enumerate()
        {
            pairs[at].part = *part;
        }
        data::write(&folder.join(FARMING), &pairs).unwrap();
        data::write(&folder.join(LEFT_OUT), &[pair("○凿", "凿")]).unwrap();
        std::fs::write(
            folder.join("siku.toml"),
            "name = \"SikuBERT mean\"\nweights = \"sikubert\"\npooling = \"mean\"\n",
        )
        .unwrap();
        Options {
            data: folder.to_owned(),
            weights: folder.join("weights"),
            systems: vec![folder.join("siku.toml")],
            cache: folder.join("cache"),
            translations: None,
            low: 2,
            seed: 1,
        }
    }

    #[test]
    fn system_without_weights_has_no_figures() {
        let folder = tempfile::tempdir().unwrap();
        let rows = measure(&ground(folder.path())).unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1].missing.as_deref(), Some("weights not at hand"));
        let table = table(&rows);
        assert!(
            table.contains("| SikuBERT mean | | weights not at hand |"),
            "{table}"
        );
    }

    #[test]
    fn translations_are_measured_beside_words_as_they_are() {
        use super::super::translations;
        let folder = tempfile::tempdir().unwrap();
        let mut options = ground(folder.path());
        let taught = [
            pair("蚕生", "刚孵化"),
            pair("用叶", "桑叶"),
            pair("早也", "清早"),
        ];
        let table = translations::file(&taught, &translations::Options::default()).unwrap();
        let path = folder.path().join("table.bin");
        std::fs::write(&path, table).unwrap();
        options.translations = Some(path.clone());
        let rows = measure(&options).unwrap();
        let names: Vec<&str> = rows.iter().map(|row| row.system.as_str()).collect();
        assert_eq!(names, ["BM25", "BM25 + translations", "SikuBERT mean"]);
        std::fs::write(&path, b"no table").unwrap();
        let error = measure(&options).unwrap_err();
        assert!(error.is_corrupt(), "{error}");
        assert!(error.to_string().contains("table.bin"), "{error}");
    }

    #[test]
    fn words_are_measured_on_what_was_not_learned_from() {
        let folder = tempfile::tempdir().unwrap();
        let ground = Ground::load(&ground(folder.path())).unwrap();
        assert_eq!(ground.passages.len(), 5);
        let row = |learned| ground.row("", &learned, None, Some((&ground.words[0], 1.0)));
        assert_eq!(row(Farming::None).system, "BM25");
        assert_eq!(row(Farming::None).unseen.queries, 3);
        assert_eq!(row(Farming::Train).unseen.queries, 2);
        assert_eq!(row(Farming::None).paper.queries, 2);
        assert_eq!(row(Farming::None).unseen.first, 1.0);
        assert_eq!(row(Farming::None).spearman, None);
    }

    #[test]
    fn perfect_vectors_reach_the_ceiling_of_the_papers_correlation() {
        let folder = tempfile::tempdir().unwrap();
        let ground = Ground::load(&ground(folder.path())).unwrap();
        let one = |at: usize| {
            (0..5)
                .map(|n| f64::from(u8::from(n == at)))
                .collect::<Vec<_>>()
        };
        let meaning = Meaning((0..4).map(one).collect());
        // With equal scores on either side even the ranks agree wholly.
        assert!((ground.correlation(&meaning) - 1.0).abs() < 1e-9);
        assert_eq!(
            ground
                .row("x", &Farming::None, Some(&meaning), None)
                .low
                .first,
            1.0
        );
        assert_eq!(ground.choose(&meaning, &ground.words[0]), 0.0);
    }

    #[test]
    fn unknown_key_of_a_description_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let options = ground(folder.path());
        std::fs::write(&options.systems[0], "name = \"x\"\nweight = \"y\"\n").unwrap();
        let error = measure(&options).unwrap_err().to_string();
        assert!(error.contains("siku.toml"), "{error}");
    }
}
