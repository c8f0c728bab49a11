//! The shipped search beside slow references written from `docs/format.md` and `docs/ranking.md`.
//!
//! `ALMANAC_CASES` sets the number of cases of each test and `ALMANAC_SEED` where they begin; a
//! failure names the seed of its collection.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod random;

use std::collections::BTreeMap;

use almanac::index::{
    Calibration, DateReading, Document, FileRef, Index, IndexEntry, IndexFile, IndexWriter,
    Int8Vector, MANIFEST_FORMAT, Manifest, ModelBinding, RankingWeights, SectionKind, VectorShard,
};
use almanac::search::{Filter, RankingRequest};
use almanac::text::{Stemming, Term, TermKind, terms};
use random::Random;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

impl Random {
    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len() as u64) as usize]
    }

    /// −1 to 1, with zeros and both ends more often than chance.
    fn real(&mut self) -> f32 {
        match self.below(12) {
            0 => 0.0,
            1 => 1.0,
            2 => -1.0,
            _ => (self.below(2_000_001) as f32 - 1_000_000.0) / 1_000_000.0,
        }
    }
}

/// Runs collections until so many queries have been asked.
fn run(collection: impl Fn(&mut Random) -> u64) {
    let (cases, first) = (setting("ALMANAC_CASES", 2_000), setting("ALMANAC_SEED", 1));
    let (mut done, mut seed) = (0, first);
    while done < cases {
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            collection(&mut Random(seed))
        }));
        done += outcome.unwrap_or_else(|_| panic!("with ALMANAC_SEED={seed}"));
        seed += 1;
    }
    eprintln!("{done} cases, seeds {first} to {}", seed - 1);
}

/// An index of vectors alone, spread over as many shards as `cuts` says.
fn vectors_index(rows: &[Int8Vector], counts: &[u32], cuts: &[usize]) -> Index {
    let dimensions = rows[0].codes.len();
    let mut files = Vec::new();
    let mut bytes = BTreeMap::new();
    let mut put = |kind: SectionKind, first: u32, count: u32, section: Vec<u8>| {
        let file = FileRef::of_bytes(kind.name(), "bin", &section);
        bytes.insert(file.file.clone(), section);
        files.push(IndexFile {
            kind,
            first,
            count,
            file,
        });
    };
    let mut starts = vec![0];
    for count in counts {
        starts.push(starts.last().unwrap() + count);
    }
    let mut offsets = b"ALMOFF01".to_vec();
    for field in [counts.len() as u32, 0, 0, 0].iter().chain(&starts) {
        offsets.extend_from_slice(&field.to_le_bytes());
    }
    let crc = crc32fast::hash(&offsets);
    offsets.extend_from_slice(&crc.to_le_bytes());
    put(SectionKind::Offsets, 0, counts.len() as u32, offsets);
    put(SectionKind::Documents, 0, counts.len() as u32, Vec::new());
    let edges: Vec<usize> = [0]
        .iter()
        .chain(cuts)
        .chain([&rows.len()])
        .copied()
        .collect();
    for pair in edges.windows(2).filter(|pair| pair[0] < pair[1]) {
        let mut shard = VectorShard::new(pair[0] as u32, dimensions);
        for row in &rows[pair[0]..pair[1]] {
            shard.push(row).unwrap();
        }
        let count = (pair[1] - pair[0]) as u32;
        put(
            SectionKind::Vectors,
            pair[0] as u32,
            count,
            shard.to_bytes(),
        );
    }
    let manifest = Manifest {
        format: MANIFEST_FORMAT.into(),
        version: [1, 2],
        release: String::new(),
        title: String::new(),
        documents: counts.len() as u32,
        passages: rows.len() as u32,
        model: ModelBinding {
            id: String::new(),
            dimensions: dimensions as u32,
            tokenizer_sha256: String::new(),
        },
        no_match_below: 0.0,
        recall_at_10: 1.0,
        prefilter: None,
        clusters: None,
        ranking: RankingWeights::default(),
        dates: DateReading::default(),
        examples: Vec::new(),
        files,
    };
    let mut index = Index::open(&serde_json::to_vec(&manifest).unwrap()).unwrap();
    for (name, bytes) in &bytes {
        if !name.starts_with("documents") {
            index.add_file(name, bytes).unwrap();
        }
    }
    index
}

/// Scores of all documents by the letter of the format: a 16-bit query with one scale, the exact
/// integer product, both scales.
fn slow_scan(rows: &[Int8Vector], counts: &[u32], query: &[f32]) -> Vec<(u32, u32, f32)> {
    let dimensions = query.len() as i64;
    let limit = 32_767.min(i64::from(i32::MAX) / (127 * dimensions)) as f32;
    let largest = query.iter().fold(0f32, |most, x| most.max(x.abs()));
    let scale = largest / limit;
    let codes: Vec<i64> = query
        .iter()
        .map(|x| {
            if scale > 0.0 {
                (x / scale).round() as i64
            } else {
                0
            }
        })
        .collect();
    let mut all = Vec::new();
    let mut passage = 0;
    for (document, count) in (0..).zip(counts) {
        let mut best: Option<(u32, u32, f32)> = None;
        for number in passage..passage + count {
            let row = &rows[number as usize];
            let product: i64 = row
                .codes
                .iter()
                .zip(&codes)
                .map(|(a, b)| i64::from(*a) * b)
                .sum();
            assert!(i32::try_from(product).is_ok());
            let score = product as f32 * row.scale * scale;
            if best.is_none_or(|(_, _, least)| score > least) {
                best = Some((document, number, score));
            }
        }
        all.extend(best);
        passage += count;
    }
    // Stable, so equal scores keep the order of documents.
    all.sort_by(|a, b| b.2.partial_cmp(&a.2).unwrap());
    all
}

#[test]
fn a_scan_is_equal_to_a_slow_reference() {
    run(|random| {
        let dimensions = *random.pick(&[1, 2, 3, 15, 16, 17, 33, 64, 384, 700]) as usize;
        let counts: Vec<u32> = (0..=random.below(24))
            .map(|_| random.below(3) as u32 + 1)
            .collect();
        let passages = counts.iter().sum::<u32>() as usize;
        let rows: Vec<Int8Vector> = (0..passages)
            .map(|_| match random.below(4) {
                // Codes and scales that quantization would not give but a reader takes.
                0 => Int8Vector {
                    scale: *random.pick(&[0.0, 1.0, 0.001]),
                    codes: (0..dimensions)
                        .map(|_| *random.pick(&[-127, -1, 0, 1, 127]))
                        .collect(),
                },
                _ => Int8Vector::quantize(
                    &(0..dimensions).map(|_| random.real()).collect::<Vec<_>>(),
                ),
            })
            .collect();
        let mut cuts: Vec<usize> = (0..random.below(4))
            .map(|_| random.below(passages as u64 + 1) as usize)
            .collect();
        cuts.sort_unstable();
        let index = vectors_index(&rows, &counts, &cuts);
        for _ in 0..200 {
            let query: Vec<f32> = match random.below(8) {
                0 => vec![*random.pick(&[0.0, 1.0, -1.0, 1e-30]); dimensions],
                _ => (0..dimensions).map(|_| random.real()).collect(),
            };
            let k = random.below(12) as usize;
            let mut expected = slow_scan(&rows, &counts, &query);
            expected.truncate(k);
            let hits = index.search(&query, k).unwrap();
            let found: Vec<(u32, u32, f32)> = hits
                .iter()
                .map(|hit| (hit.document, hit.passage, hit.score))
                .collect();
            assert_eq!(found, expected);
        }
        200
    });
}

/// A passage as the reference sees it: its terms, text by text.
struct Passage(Vec<Vec<Term>>);

impl Passage {
    fn read(texts: &[&str], stemming: Stemming) -> Self {
        Self(texts.iter().map(|text| terms(text, stemming)).collect())
    }

    fn times(&self, term: &str) -> usize {
        self.0.iter().flatten().filter(|t| t.text == term).count()
    }

    /// Terms without codes and exact forms.
    fn length(&self) -> usize {
        let counts = |t: &&Term| !matches!(t.kind, TermKind::Exact | TermKind::Code);
        self.0.iter().flatten().filter(counts).count()
    }

    fn has_phrase(&self, phrase: &[String]) -> bool {
        self.0
            .iter()
            .any(|text| sequence(text).windows(phrase.len()).any(|w| w == phrase))
    }
}

fn sequence(terms: &[Term]) -> Vec<String> {
    let running = |t: &&Term| matches!(t.kind, TermKind::Word | TermKind::Character);
    terms
        .iter()
        .filter(running)
        .map(|t| t.text.clone())
        .collect()
}

/// What a query asks for: its terms, each once, and its phrases of two words or more.
fn asked(text: &str, stemming: Stemming) -> (Vec<(String, TermKind)>, Vec<Vec<String>>) {
    let mut all: Vec<(String, TermKind)> = Vec::new();
    for term in terms(text, stemming) {
        if all.iter().all(|(known, _)| *known != term.text) {
            all.push((term.text, term.kind));
        }
    }
    // Only straight quotation marks are drawn, so every second piece but the last is a phrase.
    let pieces: Vec<&str> = text.split('"').collect();
    let phrases = pieces
        .iter()
        .enumerate()
        .filter(|(number, _)| number % 2 == 1 && number + 1 < pieces.len())
        .map(|(_, piece)| sequence(&terms(piece, stemming)))
        .filter(|phrase| phrase.len() > 1)
        .collect();
    (all, phrases)
}

/// BM25 of every passage and how many codes and phrases it holds, from the raw texts.
fn slow_words(passages: &[Passage], text: &str, stemming: Stemming) -> Vec<(f64, u32)> {
    let (terms, phrases) = asked(text, stemming);
    let all = passages.len() as f64;
    let mean = passages.iter().map(|p| p.length() as f64).sum::<f64>() / all;
    passages
        .iter()
        .map(|passage| {
            let (mut score, mut exact) = (0.0, 0);
            for (term, kind) in &terms {
                let count = passage.times(term) as f64;
                if count == 0.0 {
                    continue;
                }
                let holding = passages.iter().filter(|p| p.times(term) > 0).count() as f64;
                let weight = (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln();
                let share = if *kind == TermKind::Exact { 0.25 } else { 1.0 };
                let length = passage.length() as f64 / mean.max(1.0);
                score += share * weight * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length));
                exact += u32::from(*kind == TermKind::Code);
            }
            exact += phrases.iter().filter(|p| passage.has_phrase(p)).count() as u32;
            (score, exact)
        })
        .collect()
}

const WORDS: [&str; 24] = [
    "oak", "chairs", "chair", "blue", "bowl", "bowls", "iron", "Röntgen", "rontgen", "Łódź", "of",
    "農書", "农书", "康熙", "農", "かな", "1850", "42.7-3", "no.", "1921.14", "x-3", "a", "wave,",
    "Straße",
];

fn text(random: &mut Random, most: u64, quotes: bool) -> String {
    let mut out = String::new();
    let mut open = false;
    for _ in 0..random.below(most) {
        if quotes && random.below(4) == 0 {
            out.push_str(if open { "\" " } else { " \"" });
            open = !open;
        }
        out.push_str(random.pick::<&str>(&WORDS));
        out.push_str(random.pick::<&str>(&[" ", " ", " ", "", ". "]));
    }
    if open {
        out.push('"');
    }
    out
}

#[test]
fn words_are_ranked_as_a_slow_reference_over_the_raw_texts_ranks_them() {
    run(|random| {
        let stemming = *random.pick(&[Stemming::None, Stemming::Plural]);
        let folder = tempfile::tempdir().unwrap();
        let mut writer = IndexWriter::create(folder.path(), 1, stemming, Vec::new()).unwrap();
        let mut passages = Vec::new();
        let mut starts = vec![0];
        for _ in 0..=random.below(20) {
            let texts: Vec<String> = (0..=random.below(3))
                .map(|_| text(random, 9, false))
                .collect();
            let apart: Vec<String> = (0..random.below(3))
                .map(|_| text(random, 3, false))
                .collect();
            for (number, own) in texts.iter().enumerate() {
                let apart = apart.iter().filter(|_| number == 0);
                let all: Vec<&str> = std::iter::once(own)
                    .chain(apart)
                    .map(String::as_str)
                    .collect();
                passages.push(Passage::read(&all, stemming));
            }
            starts.push(passages.len());
            writer
                .add(IndexEntry {
                    vectors: vec![Int8Vector::quantize(&[1.0]); texts.len()],
                    dates: vec![Vec::new(); texts.len()],
                    words: apart,
                    facets: Vec::new(),
                    document: Document {
                        passages: texts,
                        ..Document::default()
                    },
                })
                .unwrap();
        }
        let model = ModelBinding {
            id: "none".into(),
            dimensions: 1,
            tokenizer_sha256: String::new(),
        };
        writer
            .publish("Words", model, Calibration::default())
            .unwrap();
        let index = Index::open_folder(folder.path()).unwrap();
        for _ in 0..250 {
            let query = text(random, 6, true);
            let question = index.question(&query, None, true);
            let request = RankingRequest {
                k: usize::MAX,
                filter: Filter::default(),
                ..RankingRequest::default()
            };
            let ranking = index.rank(&question, None, &request).unwrap();
            let asks = question.meaning_text();
            let slow = slow_words(&passages, asks, stemming);
            let least = slow.iter().map(|s| s.0).fold(f64::INFINITY, f64::min);
            let most = slow.iter().map(|s| s.0).fold(f64::NEG_INFINITY, f64::max);
            let share = |passage: usize| {
                if most > least {
                    (slow[passage].0 - least) / (most - least)
                } else {
                    0.0
                }
            };
            let score = |passage: usize| share(passage) + f64::from(slow[passage].1);
            let asked_words = asked(asks, stemming).0;
            let function = |term: &str| ["a", "of"].contains(&term);
            let only_function = asked_words.iter().all(|(term, _)| function(term));
            let holds = |pair: &[usize]| (pair[0]..pair[1]).any(|p| slow[p].0 > 0.0);
            let holders = starts.windows(2).filter(|pair| holds(pair)).count();
            let all = starts.len() - 1;
            let expected = if asked_words.is_empty() { all } else { holders };
            assert_eq!(ranking.hits.len(), expected, "{query:?}");
            let mut last = f64::INFINITY;
            for hit in &ranking.hits {
                let own = starts[hit.document as usize]..starts[hit.document as usize + 1];
                let best = own.clone().map(score).fold(f64::NEG_INFINITY, f64::max);
                let passage = hit.passage as usize;
                assert!(own.contains(&passage));
                assert!((hit.score - best).abs() < 1e-9, "{query:?} {hit:?} {best}");
                assert!((score(passage) - best).abs() < 1e-9, "{query:?} {hit:?}");
                assert!(
                    (hit.shares.words - share(passage)).abs() < 1e-9,
                    "{query:?} {hit:?}"
                );
                assert_eq!(hit.exact, slow[passage].1 > 0, "{query:?} {hit:?}");
                assert!(hit.score <= last);
                last = hit.score;
                let named: Vec<String> = asked(asks, stemming)
                    .0
                    .into_iter()
                    .filter(|(term, kind)| {
                        *kind != TermKind::Exact
                            && (only_function || !function(term))
                            && passages[passage].times(term) > 0
                    })
                    .map(|(term, _)| term)
                    .collect();
                assert_eq!(hit.words, named, "{query:?}");
            }
        }
        250
    });
}
