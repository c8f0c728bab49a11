//! `almanac-index build`: from a collection to a folder a browser can search.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use almanac::encoder::{Model, ModelCard};
use almanac::index::{
    Calibration, Clustering, DateReading, Document, Index, IndexEntry, IndexSummary, IndexWriter,
    Int8Vector, Manifest, ModelBinding, Prefilter, RankingWeights, SortSource, Translations,
};
use almanac::search::time::TimeScore;
use almanac::text::Stemming;
use almanac::time::Settings;
use anyhow::{Context, Result, bail};

use super::prune::leftovers;
use crate::calibrate::{
    JudgedQuery, RECALL_FLOOR, Recall, SAMPLE_PASSAGES, SHORTCUT_FLOOR, Sampled, choose_weights,
    measure_recall, no_match_below, nonsense_queries, read_judged, sample_queries,
};
use crate::cluster::{ClusterCount, Clusters, cluster, mean};
use crate::collection::{
    Config, InputFormat, Mapping, MappingFlags, Object, SourceFile, read_objects,
};
use crate::dating::DateReader;
use crate::embed::{Cache, Key, Plan, embed};
use crate::passages::{Chunker, DEFAULT_PASSAGE_TOKENS, Passage};
use crate::progress::Progress;
use crate::{size, stamp};

/// Folder inside an index where a build keeps what it may need again.
pub const CACHE_FOLDER: &str = ".almanac-cache";

/// Passages above which signs choose what is scored exactly, unless said otherwise: below, the exact
/// scan takes a few milliseconds.
const PREFILTER_ABOVE: u32 = 100_000;

/// Build an index from a collection
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The collection: CSV, TSV or JSON lines, plain or gzipped
    #[arg(long, value_name = "FILE")]
    input: PathBuf,
    /// Folder the index is written to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Model folder; `model` beside the index if not given
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
    /// A collection.toml that says which field is what
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The collection's title
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    fields: MappingFlags,
    /// Format of the input, where its name does not say it
    #[arg(long, value_enum)]
    format: Option<InputFormat>,
    /// Most tokens of a passage [default: 128]
    #[arg(long, value_name = "N")]
    passage_tokens: Option<usize>,
    /// Conventions by which dates are read [default: almanac]
    #[arg(long, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(Settings::PRESETS))]
    date_preset: Option<String>,
    /// Tell English plurals from their singulars when words are compared
    #[arg(long)]
    keep_plurals: bool,
    /// What words of queries may be in the language of the texts: a file of `almanac-model data
    /// translations`
    #[arg(long, value_name = "FILE")]
    translations: Option<PathBuf>,
    /// Judged queries to choose this collection's weights on, one {"query": …, "ids": […]} a line
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,
    /// Group documents by meaning, so that a search need fetch the near groups alone; a number, or
    /// auto for the square root of the documents
    #[arg(long, value_name = "N|auto")]
    clusters: Option<ClusterCount>,
    /// Passages above which a search chooses what it scores exactly by the signs of the vectors
    #[arg(long, value_name = "N", default_value_t = PREFILTER_ABOVE)]
    prefilter_above: u32,
    /// Leave rows without text out instead of refusing them
    #[arg(long)]
    skip_empty: bool,
    /// Threads that encode; all cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Reads, cuts, embeds, measures and publishes; an index already in place stays until the end.
///
/// # Errors
/// If anything of the input, the model or the folder is not as it must be.
pub fn run(args: &Args) -> Result<()> {
    let started = Instant::now();
    let source = SourceFile::read(&args.input)?;
    let config = args.config.as_deref().map(Config::read).transpose()?;
    let (config, config_bytes) = config.unzip();
    let model_folder = super::model_folder(args.model.as_deref(), &args.out)?;
    let translations = translations(args, config.as_ref())?;
    let inputs = fingerprint(
        args,
        &source,
        &[
            config_bytes.as_deref().unwrap_or_default(),
            translations.as_deref().unwrap_or_default(),
        ],
        &model_folder,
    )?;
    let cache_folder = args.out.join(CACHE_FOLDER);
    if let Some(manifest) = stamp::up_to_date(&args.out, &cache_folder, &inputs) {
        println!(
            "{} is up to date: {} documents, {} passages",
            args.out.display(),
            manifest.documents,
            manifest.passages
        );
        return Ok(());
    }

    let title = args
        .title
        .clone()
        .or_else(|| config.as_ref().and_then(|config| config.title.clone()))
        .unwrap_or_else(|| source.stem());
    let tokens = args
        .passage_tokens
        .or_else(|| config.as_ref().and_then(|config| config.passage_tokens))
        .unwrap_or(DEFAULT_PASSAGE_TOKENS);
    let dates = date_reading(args, config.as_ref())?;
    let ranking = config.as_ref().map(|config| config.ranking.weights());
    let ranking = ranking.transpose()?.unwrap_or_default();
    let examples = config.as_ref().map(|config| config.examples.clone());
    let examples = examples.unwrap_or_default();
    let (mut objects, facets, sort) = read_collection(args, source, config.as_ref())?;
    let judged = judged_queries(args, &objects)?;

    let model = super::open_model(&model_folder)?;
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let mut passages = cut(&model, &objects, tokens, threads)?;
    let samples = sample_queries(&model, &objects)?;
    // The passages hold the texts now.
    for object in &mut objects {
        object.text = Vec::new();
    }
    let embedded = embed_all(&model, &mut passages, samples, &cache_folder, threads)?;
    let collection = Collection {
        title,
        objects,
        facets,
        sort,
        dates,
        ranking,
        translations,
        examples,
    };
    let shortcuts = shortcuts(args, &passages, &embedded, threads)?;
    let mut summary = publish(args, &model, collection, passages, &embedded, shortcuts)?;
    if !judged.is_empty() {
        summary.manifest = weigh(args, &judged, &model)?;
    }
    stamp::write(&cache_folder, inputs, summary.manifest.release.clone())?;
    embedded.cache.compact(&embedded.wanted)?;
    report(args, &summary, &embedded.work, started)
}

/// Hashes all that decides what the index becomes.
fn fingerprint(
    args: &Args,
    source: &SourceFile,
    [config, translations]: &[&[u8]; 2],
    model_folder: &Path,
) -> Result<String> {
    let card_path = model_folder.join("card.json");
    let card = std::fs::read(&card_path).with_context(|| {
        format!(
            "{}: not a model; give a folder made by `almanac-model import`",
            card_path.display()
        )
    })?;
    ModelCard::from_bytes(&card).with_context(|| model_folder.display().to_string())?;
    // The program itself stands for its version: a changed one may cut or measure otherwise.
    let program = std::env::current_exe().and_then(std::fs::read)?;
    let choices = format!(
        "{:?}",
        (
            &args.title,
            &args.fields,
            args.format,
            args.passage_tokens,
            args.skip_empty,
            source.stem(),
            &args.date_preset,
            args.keep_plurals,
            args.clusters,
            args.prefilter_above,
        )
    );
    let queries = args
        .queries
        .as_deref()
        .map(|path| std::fs::read(path).with_context(|| path.display().to_string()));
    let queries = queries.transpose()?.unwrap_or_default();
    Ok(stamp::fingerprint(&[
        &program,
        source.sha256().as_bytes(),
        choices.as_bytes(),
        config,
        &card,
        &queries,
        translations,
    ]))
}

fn read_collection(
    args: &Args,
    source: SourceFile,
    config: Option<&Config>,
) -> Result<(Vec<Object>, Vec<String>, Vec<SortSource>)> {
    let place = || args.input.display().to_string();
    let table = source.into_table(args.format)?;
    let mapping = Mapping::resolve(&table, config, &args.fields).with_context(place)?;
    eprintln!("fields: {}", mapping.describe());
    let mut warn = |warning: String| eprintln!("warning: {}: {warning}", args.input.display());
    let (facets, sort) = (mapping.facet_labels(), mapping.sort_sources()?);
    let objects = read_objects(table, &mapping, args.skip_empty, &mut warn).with_context(place)?;
    Ok((objects, facets, sort))
}

/// Reads the table of translations, named on the command line or beside the configuration.
fn translations(args: &Args, config: Option<&Config>) -> Result<Option<Vec<u8>>> {
    let beside = || {
        let name = config?.translations.as_ref()?;
        Some(args.config.as_ref()?.with_file_name(name))
    };
    let Some(path) = args.translations.clone().or_else(beside) else {
        return Ok(None);
    };
    let place = || path.display().to_string();
    let table = std::fs::read(&path).with_context(place)?;
    Translations::from_bytes(&table)
        .with_context(place)
        .context("not a table of translations; give a file of `almanac-model data translations`")?;
    Ok(Some(table))
}

/// The conventions of dates: by the command line, else by the configuration.
fn date_reading(args: &Args, config: Option<&Config>) -> Result<DateReading> {
    let of_config = || config.and_then(|config| config.dates.preset.clone());
    let Some(preset) = args.date_preset.clone().or_else(of_config) else {
        return Ok(DateReading::default());
    };
    if Settings::preset(&preset).is_none() {
        bail!(
            "dates.preset: there is no {preset:?}; choose one of {}",
            Settings::PRESETS.join(", ")
        );
    }
    Ok(DateReading { preset })
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Cuts all objects into passages, in order, on all cores.
fn cut(
    model: &Model,
    objects: &[Object],
    tokens: usize,
    threads: usize,
) -> Result<Vec<Vec<Passage>>> {
    let share = objects.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let parts: Vec<_> = objects
            .chunks(share)
            .map(|part| {
                let model = model.clone();
                scope.spawn(move || {
                    let chunker = Chunker::new(&model, tokens)?;
                    part.iter()
                        .map(|object| {
                            chunker
                                .passages(object)
                                .with_context(|| format!("object {:?}", object.id))
                        })
                        .collect::<Result<Vec<_>>>()
                })
            })
            .collect();
        let mut passages = Vec::with_capacity(objects.len());
        for part in parts {
            match part.join() {
                Ok(cut) => passages.extend(cut?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(passages)
    })
}

/// Vectors of all passages, what was measured on them, and how the work went.
struct Embeddings {
    /// For each passage, in order, its place in `vectors`.
    places: Vec<usize>,
    vectors: Vec<Int8Vector>,
    recall: Recall,
    no_match_below: f32,
    /// Real queries, for what else is measured.
    queries: Vec<Vec<f32>>,
    cache: Cache,
    wanted: HashSet<Key>,
    work: Work,
}

/// What embedding cost.
struct Work {
    texts: usize,
    tokens: usize,
    computed: usize,
    seconds: f64,
}

fn embed_all(
    model: &Model,
    passages: &mut [Vec<Passage>],
    mut samples: Vec<Passage>,
    cache_folder: &Path,
    threads: usize,
) -> Result<Embeddings> {
    let id = &model.card().id;
    let (plan, places) = Plan::new(&format!("{id} passage"), passages.iter_mut().flatten());
    let mut nonsense = nonsense_queries(model)?;
    let (asked, asked_places) = Plan::new(
        &format!("{id} query"),
        samples.iter_mut().chain(&mut nonsense),
    );
    let sample = plan.sample(SAMPLE_PASSAGES);
    let asked_keys = asked.sample(usize::MAX);
    let wanted: HashSet<Key> = plan
        .sample(usize::MAX)
        .union(&asked_keys)
        .copied()
        .collect();

    let mut cache = Cache::open(cache_folder, &wanted)?;
    let started = Instant::now();
    let mut progress = Progress::new("embedding");
    let embedded = embed(model, &plan, &sample, &mut cache, threads, &mut progress)?;
    let work = Work {
        texts: plan.ids.len(),
        tokens: plan.ids.iter().map(Vec::len).sum(),
        computed: embedded.computed,
        seconds: started.elapsed().as_secs_f64(),
    };
    let mut progress = Progress::new("measuring");
    let queries = embed(
        model,
        &asked,
        &asked_keys,
        &mut cache,
        threads,
        &mut progress,
    )?;
    let exact: Vec<Vec<f32>> = asked_places
        .iter()
        .filter_map(|&place| Some(queries.exact.get(place)?.1.clone()))
        .collect();
    let (real, meaningless) = exact.split_at(samples.len().min(exact.len()));
    Ok(Embeddings {
        recall: measure_recall(&embedded.exact, &embedded.vectors, real)?,
        no_match_below: no_match_below(meaningless, &embedded.vectors)?,
        queries: real.to_vec(),
        places,
        vectors: embedded.vectors,
        cache,
        wanted,
        work,
    })
}

/// How a large index is searched without all of its vectors.
struct Shortcuts {
    prefilter: Option<Prefilter>,
    clusters: Option<(Clusters, Clustering)>,
}

/// Clusters the documents where asked to, and measures what signs and clusters find.
fn shortcuts(
    args: &Args,
    passages: &[Vec<Passage>],
    embedded: &Embeddings,
    threads: usize,
) -> Result<Shortcuts> {
    let vector = |place: &usize| &embedded.vectors[*place];
    // The places of each document's passages.
    let mut rest = embedded.places.as_slice();
    let documents: Vec<&[usize]> = passages
        .iter()
        .map(|passages| {
            let (own, others) = rest.split_at(passages.len());
            rest = others;
            own
        })
        .collect();
    let clusters = args.clusters.map(|count| {
        let centers: Vec<Int8Vector> = documents
            .iter()
            .map(|own| match own {
                [only] => vector(only).clone(),
                own => Int8Vector::quantize(&mean(own.iter().map(vector))),
            })
            .collect();
        cluster(&centers, count, threads)
    });
    let clusters = clusters.transpose()?;
    let many = embedded.places.len() > args.prefilter_above as usize;
    if clusters.is_none() && !many {
        return Ok(Shortcuts {
            prefilter: None,
            clusters: None,
        });
    }
    let in_order = |document: usize| documents[document].iter().map(vector);
    let vectors: Vec<&Int8Vector> = match &clusters {
        Some(clusters) => clusters.order.iter().flat_map(|&d| in_order(d)).collect(),
        None => (0..documents.len()).flat_map(in_order).collect(),
    };
    let sampled = Sampled::scan(&vectors, &embedded.queries, threads)?;
    let prefilter = many.then(|| sampled.prefilter()).filter(|prefilter| {
        let enough = prefilter.recall_at_10 >= SHORTCUT_FLOOR;
        if !enough {
            eprintln!(
                "warning: {} candidates by signs have only {:.1} % of the ten best, expected at \
                 least {:.0} %; signs are left out, and every search scans all vectors",
                prefilter.candidates,
                prefilter.recall_at_10 * 100.0,
                SHORTCUT_FLOOR * 100.0
            );
        }
        enough
    });
    let clusters = clusters.map(|clusters| {
        let mut start = 0;
        let mut end = 0;
        let runs: Vec<_> = clusters
            .ends
            .iter()
            .map(|&last| {
                let first = end;
                end += clusters.order[start..last]
                    .iter()
                    .map(|&document| documents[document].len())
                    .sum::<usize>();
                start = last;
                let center = mean(vectors[first..end].iter().copied());
                (first..end, Int8Vector::quantize(&center))
            })
            .collect();
        let clustering = sampled.clustering(&runs);
        (clusters, clustering)
    });
    Ok(Shortcuts {
        prefilter,
        clusters,
    })
}

/// What is published besides the vectors.
struct Collection {
    title: String,
    objects: Vec<Object>,
    /// Labels of the facets.
    facets: Vec<String>,
    /// What documents can be sorted by.
    sort: Vec<SortSource>,
    dates: DateReading,
    ranking: RankingWeights,
    translations: Option<Vec<u8>>,
    /// Searches that the page offers at first.
    examples: Vec<String>,
}

fn publish(
    args: &Args,
    model: &Model,
    collection: Collection,
    passages: Vec<Vec<Passage>>,
    embedded: &Embeddings,
    shortcuts: Shortcuts,
) -> Result<IndexSummary> {
    if embedded.recall.at_10_with_ties < RECALL_FLOOR {
        bail!(
            "only {:.1} % of the ten best by int8 vectors are as good as by float32, expected at \
             least {:.0} %; the index is not published: use another model",
            embedded.recall.at_10_with_ties * 100.0,
            RECALL_FLOOR * 100.0
        );
    }
    let card = model.card();
    let stemming = if args.keep_plurals {
        Stemming::None
    } else {
        Stemming::Plural
    };
    let mut writer =
        IndexWriter::create(&args.out, model.dimensions(), stemming, collection.facets)?
            .with_sort(collection.sort);
    if shortcuts.prefilter.is_some() {
        writer = writer.with_signs();
    }
    if let Some(table) = collection.translations {
        writer = writer.with_translations(table)?;
    }
    let mut reader = DateReader::new(collection.dates.settings()?);
    let mut places = embedded.places.iter();
    let documents = collection.objects.into_iter().zip(passages);
    let mut documents: Vec<Option<_>> = documents
        .map(|(object, passages)| {
            let own: Vec<usize> = places.by_ref().take(passages.len()).copied().collect();
            Some((object, passages, own))
        })
        .collect();
    let (clusters, clustering) = shortcuts.clusters.unzip();
    let order = clusters.as_ref().map(|clusters| clusters.order.clone());
    let order = order.unwrap_or_else(|| (0..documents.len()).collect());
    let mut ends = clusters
        .iter()
        .flat_map(|clusters| &clusters.ends)
        .peekable();
    let mut since: Vec<usize> = Vec::new();
    for (written, document) in (1..).zip(order) {
        let Some((mut object, passages, own)) = documents[document].take() else {
            bail!("document {document} lies in two clusters");
        };
        writer.add(IndexEntry {
            dates: reader.dates(&object, &passages),
            facets: std::mem::take(&mut object.facets),
            words: std::mem::take(&mut object.words),
            document: document_of(object, passages),
            vectors: own
                .iter()
                .map(|&place| embedded.vectors[place].clone())
                .collect(),
        })?;
        since.extend(own);
        if ends.next_if(|end| **end == written).is_some() {
            let center = mean(since.iter().map(|&place| &embedded.vectors[place]));
            writer.end_cluster(&Int8Vector::quantize(&center))?;
            since.clear();
        }
    }
    for line in reader.report().into_iter().chain(reader.unread_report()) {
        eprintln!("dates: {line}");
    }
    let binding = ModelBinding {
        id: card.id.clone(),
        dimensions: model.dimensions() as u32,
        tokenizer_sha256: card.tokenizer.sha256.clone(),
    };
    let calibration = Calibration {
        no_match_below: embedded.no_match_below,
        recall_at_10: embedded.recall.at_10,
        prefilter: shortcuts.prefilter,
        clusters: clustering,
        ranking: collection.ranking,
        dates: collection.dates,
        examples: collection.examples,
    };
    Ok(writer.publish(&collection.title, binding, calibration)?)
}

/// Reads the judged queries, if any are given, before the long work begins.
fn judged_queries(args: &Args, objects: &[Object]) -> Result<Vec<JudgedQuery>> {
    let Some(path) = &args.queries else {
        return Ok(Vec::new());
    };
    let ids = objects.iter().map(|object| object.id.as_str());
    read_judged(path, &ids.zip(0..).collect())
}

/// Chooses the weights on judged queries and puts a manifest with them in place.
fn weigh(args: &Args, judged: &[JudgedQuery], model: &Model) -> Result<Manifest> {
    let index = Index::open_folder(&args.out)?;
    let weights = choose_weights(&index, model, judged)?;
    let manifest = index.manifest().clone().with_ranking(weights);
    Ok(manifest.replace_in(&args.out)?)
}

fn document_of(object: Object, passages: Vec<Passage>) -> Document {
    Document {
        title: object.title.unwrap_or_else(|| object.id.clone()),
        id: object.id,
        date: object.date,
        url: object.url,
        image: object.image,
        fields: object.shown,
        passages: passages.into_iter().map(|passage| passage.text).collect(),
    }
}

fn report(args: &Args, summary: &IndexSummary, work: &Work, started: Instant) -> Result<()> {
    let manifest = &summary.manifest;
    println!("{}: {}", args.out.display(), manifest.title);
    println!(
        "  {} documents, {} passages, {:.1} tokens each; {} texts after removing repeats",
        manifest.documents,
        manifest.passages,
        work.tokens as f64 / work.texts.max(1) as f64,
        work.texts
    );
    println!(
        "  {} in {} files, {:.0} bytes a passage",
        size::bytes(summary.bytes),
        manifest.files.len() + 1,
        summary.bytes as f64 / f64::from(manifest.passages)
    );
    let rate = work.computed as f64 / work.seconds.max(1e-9);
    let speed = if work.computed == 0 {
        "all from the cache".to_owned()
    } else {
        format!(
            "{} computed in {:.1} s, {rate:.0} a second",
            work.computed, work.seconds
        )
    };
    println!("  vectors: {speed}");
    println!(
        "  recall@10 {:.4} of float32; scores below {:.3} are no match",
        manifest.recall_at_10, manifest.no_match_below
    );
    for line in super::inspect::shortcuts(manifest) {
        println!("  {line}");
    }
    let weights = manifest.ranking;
    println!(
        "  dates read as {} and compared as {}; weights: time {:.1}, words {:.1} of the rest{}",
        manifest.dates.preset,
        match weights.time_score {
            TimeScore::Prose => "in prose",
            _ => "a museum's",
        },
        weights.time,
        weights.words,
        match weights.chosen_on {
            0 => String::new(),
            count => format!(", chosen on {count} judged queries"),
        }
    );
    println!("  {:.1} s in all", started.elapsed().as_secs_f64());
    let old = leftovers(&args.out, manifest)?;
    if !old.is_empty() {
        println!(
            "  {} files of earlier builds remain; remove them with `almanac-index prune {}`",
            old.len(),
            args.out.display()
        );
    }
    Ok(())
}
