//! The command `almanac-model`: import, describe, check and measure encoders.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use almanac::Result;
use almanac::encoder::temporal::BranchCard;
use almanac::encoder::{Model, Pooling, WeightEncoding};
use almanac::search::fusion::Normalization;
use almanac::text::Stemming;
use almanac::time::{DayNumber, Settings, parse_iso_day};
use almanac::{Error, ErrorKind};
use almanac_model::classical::sample::Farming;
use almanac_model::classical::translations;
use almanac_model::classical::{data, mine, report};
use almanac_model::cut;
use almanac_model::evaluate::{self, DetailOptions, System};
use almanac_model::import::{self, Options};
use almanac_model::temporal::voice::Split;
use almanac_model::temporal::{compare, shards};
use almanac_model::{check, export, inspect};
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Prepares the text encoder of an Almanac site.
#[derive(Parser)]
#[command(name = "almanac-model", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Turns a Hugging Face BERT directory into a model folder.
    Import(ImportArgs),
    /// Writes a model folder with float32 weights in a smaller encoding.
    Export {
        /// Model folder with float32 weights.
        folder: PathBuf,
        /// Model folder to write.
        #[arg(long)]
        out: PathBuf,
        /// How the weights are stored.
        #[arg(long, value_enum, default_value_t = Weights::Int8)]
        weights: Weights,
        /// Licence of the weights [default: what the card says].
        #[arg(long)]
        license: Option<String>,
    },
    /// Describes the model of a folder.
    Inspect {
        /// Model folder.
        folder: PathBuf,
    },
    /// Makes a smaller Hugging Face directory: fewer words, fewer layers.
    Cut(CutArgs),
    /// Checks that a model folder is whole and computes the vectors it should.
    Check {
        /// Model folder.
        folder: PathBuf,
        /// JSON with texts, token ids and vectors of another implementation to compare with.
        #[arg(long)]
        reference: Option<PathBuf>,
    },
    /// Measures how well systems find classical passages of modern queries.
    Measure(MeasureArgs),
    /// Reads texts with the temporal branch: the days that each means, and how far it is sure.
    Read {
        /// Model folder.
        #[arg(long)]
        model: PathBuf,
        /// Folder of the temporal branch.
        #[arg(long)]
        branch: PathBuf,
        /// Day that relative dates count from, as YYYY-MM-DD.
        #[arg(long, default_value = "2000-01-01")]
        anchor: String,
        /// Prints mean and length in days as JSON.
        #[arg(long)]
        json: bool,
        /// Texts [default: JSON strings, one a line, from standard input].
        texts: Vec<String>,
    },
    /// Measures a temporal branch beside rules on sentences of held-out templates: the order of
    /// similarities, containment and precedence.
    Compare {
        /// Model folder.
        #[arg(long)]
        model: PathBuf,
        /// Folder of the temporal branch.
        #[arg(long)]
        branch: PathBuf,
        /// Queries, and pairs of each question.
        #[arg(long, default_value_t = 2_000)]
        count: usize,
        /// Seed.
        #[arg(long, default_value_t = 44)]
        seed: u64,
        /// Texts that are read worst to show.
        #[arg(long, default_value_t = 0)]
        worst: usize,
    },
    /// Measures rankings by meaning, words and time on a test set in the BEIR layout.
    Evaluate(EvaluateArgs),
    /// Writes data to train with.
    #[command(subcommand)]
    Data(DataCommand),
    /// Trains a module that searches beside an encoder.
    #[cfg(feature = "train")]
    #[command(subcommand)]
    Train(TrainCommand),
}

#[cfg(feature = "train")]
#[derive(Subcommand)]
enum TrainCommand {
    /// Trains the temporal branch on written tuples; a stopped run goes on where it was.
    Temporal(TrainArgs),
    /// Trains an encoder on pairs of modern and classical Chinese; a stopped run goes on where it was.
    Classical(ClassicalArgs),
}

#[cfg(feature = "train")]
#[derive(Clone, Copy, ValueEnum)]
enum RecipeName {
    /// The paper's: length 512, batches of 16, 2e-5, three epochs.
    Paper,
    /// For a small encoder and many short pairs.
    Small,
}

#[cfg(feature = "train")]
#[derive(Args)]
struct ClassicalArgs {
    /// Folder that `data classical` wrote.
    #[arg(long)]
    data: PathBuf,
    /// Model folder to start from, with float32 weights.
    #[arg(long)]
    model: PathBuf,
    /// Folder of the run: checkpoint, curve, and the best encoder as a model folder.
    #[arg(long)]
    out: PathBuf,
    /// Settings that the options below change.
    #[arg(long, value_enum, default_value_t = RecipeName::Small)]
    recipe: RecipeName,
    /// Pairs of other books to learn from.
    #[arg(long, default_value_t = 0)]
    others: usize,
    /// Farming pairs to learn from: none, train, or without:BOOK.
    #[arg(long, default_value = "train")]
    farming: String,
    /// Hard negatives: none, random, or a file of `data negatives`.
    #[arg(long, default_value = "none")]
    negatives: String,
    /// Most tokens of a text.
    #[arg(long)]
    max_tokens: Option<usize>,
    /// Queries of a batch.
    #[arg(long)]
    batch: Option<usize>,
    /// Shows each text in a form drawn anew: other scripts, with or without punctuation.
    #[arg(long)]
    forms: bool,
    /// Times each pair is seen.
    #[arg(long)]
    epochs: Option<usize>,
    /// Highest learning rate.
    #[arg(long)]
    learning_rate: Option<f64>,
    /// What the learning rate is multiplied by from each layer to the one below.
    #[arg(long)]
    layer_decay: Option<f64>,
    /// How many times a query's own hard negative counts.
    #[arg(long)]
    hard_weight: Option<f64>,
    /// Model folder of a teacher.
    #[arg(long)]
    teacher: Option<PathBuf>,
    /// Weight of the distance from the teacher's vectors.
    #[arg(long, default_value_t = 1.0)]
    teacher_weight: f64,
    /// Texts computed at once.
    #[arg(long, default_value_t = 32)]
    chunk: usize,
    /// Computes the gradient chunk by chunk, for large batches.
    #[arg(long)]
    cached: bool,
    /// Steps between two measurements, each with a checkpoint.
    #[arg(long, default_value_t = 100)]
    every: usize,
    /// Step to stop after, to go on later.
    #[arg(long)]
    stop_after: Option<usize>,
    /// Name on the model card.
    #[arg(long, default_value = "classical-chinese")]
    name: String,
    /// Seed.
    #[arg(long, default_value_t = 42)]
    seed: u64,
}

#[cfg(feature = "train")]
#[derive(Clone, Copy, ValueEnum)]
enum DeviceName {
    /// The processor.
    Flex,
    /// A graphics card by Vulkan, Metal or DirectX.
    Wgpu,
    /// An NVIDIA card by CUDA.
    Cuda,
}

#[cfg(feature = "train")]
impl From<DeviceName> for almanac_model::training::Accelerator {
    fn from(name: DeviceName) -> Self {
        match name {
            DeviceName::Flex => Self::Flex,
            DeviceName::Wgpu => Self::Wgpu,
            DeviceName::Cuda => Self::Cuda,
        }
    }
}

#[cfg(feature = "train")]
#[derive(Args)]
struct TrainArgs {
    /// Model folder of the encoder.
    #[arg(long)]
    model: PathBuf,
    /// Folder of the branch, its curve and its checkpoints.
    #[arg(long)]
    out: PathBuf,
    /// Held-out queries to measure on.
    #[arg(long, default_value_t = 400)]
    held_out: usize,
    /// Steps.
    #[arg(long, default_value_t = 4_500)]
    steps: usize,
    /// Step to stop after, to go on later.
    #[arg(long)]
    stop_after: Option<usize>,
    /// Queries of a batch, each with about eight texts beside it.
    #[arg(long, default_value_t = 16)]
    batch: usize,
    /// Highest learning rate.
    #[arg(long, default_value_t = 3e-3)]
    learning_rate: f64,
    /// Share of the steps in which the learning rate rises.
    #[arg(long, default_value_t = 0.05)]
    warm_up: f64,
    /// Weight decay.
    #[arg(long, default_value_t = 0.01)]
    weight_decay: f32,
    /// Longest gradient of a tensor.
    #[arg(long, default_value_t = 1.0)]
    clip: f32,
    /// Share of the words that the branch is not shown.
    #[arg(long, default_value_t = 0.1)]
    drop: f64,
    /// Weight of what is taught of the numbers and ends of each text.
    #[arg(long, default_value_t = 1.0)]
    taught: f64,
    /// Weight of the divergence between what a text means and what is read.
    #[arg(long, default_value_t = 1.0)]
    own: f64,
    /// Weight of CoSENT.
    #[arg(long, default_value_t = 0.2)]
    order: f64,
    /// Orders similarities, as published, and not their logarithms.
    #[arg(long)]
    plain_similarity: bool,
    /// Weight of the distance between the logarithms of similarity and label.
    #[arg(long, default_value_t = 0.5)]
    calibration: f64,
    /// Width of the network.
    #[arg(long)]
    width: Option<usize>,
    /// Files of texts, lines or .jsonl, whose sentences a query in four is, labelled by rules.
    #[arg(long, num_args = 1..)]
    texts: Vec<PathBuf>,
    /// Measurements without a better figure after which the run stops; the best branch is published.
    #[arg(long)]
    patience: Option<usize>,
    /// What computes; all but flex want a feature of the same name, such as train-wgpu.
    #[arg(long, value_enum, default_value_t = DeviceName::Flex)]
    device: DeviceName,
    /// Steps between two measurements, each with a checkpoint.
    #[arg(long, default_value_t = 200)]
    every: usize,
    /// Seed.
    #[arg(long, default_value_t = 42)]
    seed: u64,
}

#[derive(Subcommand)]
enum DataCommand {
    /// Writes seeded tuples of dated sentences with the temporal similarity of each pair, and says
    /// how often the time module reads them as they are meant.
    Temporal {
        /// Folder of the shards; those that are there are kept.
        #[arg(long)]
        out: PathBuf,
        /// Tuples to write at least.
        #[arg(long, default_value_t = 1_000_000)]
        tuples: usize,
        /// Uses the templates that are kept for measuring.
        #[arg(long)]
        held_out: bool,
        /// Files of texts, lines or .jsonl, whose sentences a query in four is, labelled by rules.
        #[arg(long, num_args = 1..)]
        texts: Vec<PathBuf>,
        /// Seed.
        #[arg(long, default_value_t = 42)]
        seed: u64,
    },
    /// Cleans and splits pairs of classical and modern Chinese, and keeps what quotes the farming
    /// books out of the rest.
    Classical {
        /// Table of the farming books: book, chapter, classical, modern.
        #[arg(long)]
        farming: PathBuf,
        /// Folder with a table for each other book: chapter, classical, modern.
        #[arg(long)]
        others: Option<PathBuf>,
        /// Folder to write.
        #[arg(long)]
        out: PathBuf,
        /// Seed of the split.
        #[arg(long, default_value_t = 42)]
        seed: u64,
    },
    /// Learns what modern words may be in classical Chinese from the pairs of other books.
    Translations {
        /// Folder that `data classical` wrote.
        #[arg(long)]
        data: PathBuf,
        /// File to write, for `almanac-index build --translations`.
        #[arg(long)]
        out: PathBuf,
        /// Pairs to learn from, spread evenly over all; 0 for all.
        #[arg(long, default_value_t = 0)]
        pairs: usize,
        /// Rounds of expectation and maximization.
        #[arg(long, default_value_t = 4)]
        rounds: usize,
    },
    /// Mines hard negatives for the pairs that a training with the same options learns from.
    Negatives {
        /// Folder that `data classical` wrote.
        #[arg(long)]
        data: PathBuf,
        /// Model folder whose near misses are mined too.
        #[arg(long)]
        model: Option<PathBuf>,
        /// File to write.
        #[arg(long)]
        out: PathBuf,
        /// Pairs of other books.
        #[arg(long, default_value_t = 0)]
        others: usize,
        /// Farming pairs: none, train, or without:BOOK.
        #[arg(long, default_value = "train")]
        farming: String,
        /// Seed.
        #[arg(long, default_value_t = 42)]
        seed: u64,
    },
}

#[derive(Args)]
struct MeasureArgs {
    /// Folder that `data classical` wrote.
    #[arg(long)]
    data: PathBuf,
    /// Folder in which the systems' weights lie.
    #[arg(long)]
    weights: PathBuf,
    /// Description files of the systems.
    #[arg(long, num_args = 1..)]
    systems: Vec<PathBuf>,
    /// Folder for imported models and vectors, kept between runs.
    #[arg(long)]
    cache: PathBuf,
    /// File of `data translations`, which is measured beside every system.
    #[arg(long)]
    translations: Option<PathBuf>,
    /// Queries that share fewest characters with their passage, measured apart.
    #[arg(long, default_value_t = 365)]
    low: usize,
    /// Seed of the random negatives of the correlation.
    #[arg(long, default_value_t = 42)]
    seed: u64,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct CutArgs {
    /// Hugging Face directory with a Unigram tokenizer.
    source: PathBuf,
    /// Hugging Face directory to write.
    #[arg(long)]
    out: PathBuf,
    /// Files, plain or gzip, whose lines say which pieces are needed [default: all are kept].
    #[arg(long, num_args = 1..)]
    texts: Vec<PathBuf>,
    /// How often they must hold a piece of several characters.
    #[arg(long, default_value_t = 20)]
    least: usize,
    /// Reads simplified, traditional and variant characters alike and leaves modern punctuation out.
    #[arg(long)]
    fold: bool,
    /// Gives a piece to every Han character without one that they hold at least this often.
    #[arg(long)]
    add: Option<usize>,
    /// Layers to keep, counted from 0, such as 0,2,4 [default: all].
    #[arg(long, value_delimiter = ',')]
    layers: Option<Vec<usize>>,
}

#[derive(Args)]
struct EvaluateArgs {
    /// Folder with corpus.jsonl, queries.jsonl, qrels/test.tsv and perhaps candidates/test.tsv.
    #[arg(long)]
    set: PathBuf,
    /// Model folder, for systems with an encoder.
    #[arg(long)]
    model: Option<PathBuf>,
    /// Folder of the temporal branch, for systems with one.
    #[arg(long)]
    branch: Option<PathBuf>,
    /// Model folder that the branch belongs to [default: that of --model].
    #[arg(long)]
    branch_model: Option<PathBuf>,
    /// Systems: default, or bm25, encoder and a kind of time (rules, rules-reverse, rules-mix, prose,
    /// museum, museum-without-cues, museum-without-roles) or of the temporal branch (branch,
    /// branch-reverse, branch-sentences, branch-sentences-reverse) joined by +, with dates-kept or
    /// dates-removed and min-max, robust or rank where they are not to be chosen; the first is what
    /// the others are compared with.
    #[arg(long = "system", num_args = 1.., default_values = ["default"])]
    systems: Vec<String>,
    /// How scores of meaning and words are made comparable.
    #[arg(long, value_enum, default_value_t = Scale::MinMax)]
    normalization: Scale,
    /// Tells English plurals from their singulars when words are compared.
    #[arg(long)]
    keep_plurals: bool,
    /// Conventions by which dates are read.
    #[arg(long, default_value = "almanac")]
    dates: String,
    /// Day that relative dates count from where the set gives none, as YYYY-MM-DD.
    #[arg(long)]
    anchor: Option<String>,
    /// Seed of the split into a fifth for choosing weights and the rest, and of the bootstrap.
    #[arg(long, default_value_t = 42)]
    seed: u64,
    /// File that keeps vectors between runs.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// File to write every query's ranking to, one JSON object for each query and system.
    #[arg(long)]
    details: Option<PathBuf>,
    /// How many first passages the details hold beside the relevant ones.
    #[arg(long, default_value_t = 10, requires = "details")]
    details_passages: usize,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Scale {
    MinMax,
    Robust,
    Rank,
}

#[derive(Args)]
struct ImportArgs {
    /// Directory with config.json, tokenizer.json and model.safetensors or pytorch_model.bin.
    source: PathBuf,
    /// Model folder to write.
    #[arg(long)]
    out: PathBuf,
    /// How the weights are stored.
    #[arg(long, value_enum, default_value_t = Weights::Int8)]
    weights: Weights,
    /// How token states become one vector [default: what the model says, else mean].
    #[arg(long, value_enum)]
    pooling: Option<PoolingChoice>,
    /// Text put before every query [default: what the model says].
    #[arg(long)]
    query_prefix: Option<String>,
    /// Text put before every passage [default: what the model says].
    #[arg(long)]
    passage_prefix: Option<String>,
    /// Most tokens of a text, special tokens included [default: what the model says].
    #[arg(long)]
    max_tokens: Option<usize>,
    /// Name of the model [default: the directory's name].
    #[arg(long)]
    name: Option<String>,
    /// Licence of the weights, such as Apache-2.0.
    #[arg(long)]
    license: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Weights {
    Float32,
    Float16,
    Int8,
    Int4,
}

impl From<Weights> for WeightEncoding {
    fn from(weights: Weights) -> Self {
        match weights {
            Weights::Float32 => Self::Float32,
            Weights::Float16 => Self::Float16,
            Weights::Int8 => Self::Int8,
            Weights::Int4 => Self::Int4,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum PoolingChoice {
    Mean,
    Cls,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Import(args) => run_import(args),
        Command::Export {
            folder,
            out,
            weights,
            license,
        } => run_export(folder, out, weights, license),
        Command::Inspect { folder } => inspect::describe(&folder).map(|text| print!("{text}")),
        Command::Cut(args) => run_cut(args),
        Command::Check { folder, reference } => run_check(&folder, reference.as_deref()),
        Command::Measure(args) => run_measure(args),
        Command::Evaluate(args) => run_evaluate(args),
        Command::Compare {
            model,
            branch,
            count,
            seed,
            worst,
        } => run_compare(&model, &branch, count, seed, worst),
        Command::Read {
            model,
            branch,
            anchor,
            json,
            texts,
        } => run_read(&model, &branch, &anchor, json, texts),
        Command::Data(args) => run_data(args),
        #[cfg(feature = "train")]
        Command::Train(TrainCommand::Temporal(args)) => run_train(args),
        #[cfg(feature = "train")]
        Command::Train(TrainCommand::Classical(args)) => train_classical(args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", one_line(&error.to_string()));
            ExitCode::FAILURE
        }
    }
}

/// Libraries below may put line breaks into their messages.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn run_import(args: ImportArgs) -> Result<()> {
    let imported = import::import(&Options {
        source: args.source,
        out: args.out.clone(),
        encoding: args.weights.into(),
        pooling: args.pooling.map(|choice| match choice {
            PoolingChoice::Mean => Pooling::Mean,
            PoolingChoice::Cls => Pooling::Cls,
        }),
        query_prefix: args.query_prefix,
        passage_prefix: args.passage_prefix,
        max_tokens: args.max_tokens,
        name: args.name,
        license: args.license,
    })?;
    println!("model      {}", imported.card.id);
    println!("folder     {}", args.out.display());
    println!(
        "weights    {} bytes in {} files",
        imported.card.weights.bytes(),
        imported.card.weights.parts.len()
    );
    println!("tokenizer  {} bytes", imported.card.tokenizer.bytes);
    println!("self-test  {}", imported.self_test.detail);
    Ok(())
}

fn run_export(
    folder: PathBuf,
    out: PathBuf,
    weights: Weights,
    license: Option<String>,
) -> Result<()> {
    let (card, test) = export::export(&export::Options {
        model: folder,
        out,
        encoding: weights.into(),
        license,
    })?;
    println!("model      {}", card.id);
    println!("weights    {} bytes", card.weights.bytes());
    println!("self-test  {}", test.detail);
    Ok(())
}

fn run_check(folder: &Path, reference: Option<&Path>) -> Result<()> {
    let (self_test, comparison) = check::check(folder, reference)?;
    println!("self-test  {}", self_test.detail);
    if let Some(comparison) = comparison {
        println!(
            "reference  token ids equal and lowest cosine {:.6} over {} texts",
            comparison.lowest_cosine, comparison.texts
        );
    }
    Ok(())
}

fn run_measure(args: MeasureArgs) -> Result<()> {
    let rows = report::measure(&report::Options {
        data: args.data,
        weights: args.weights,
        systems: args.systems,
        cache: args.cache,
        translations: args.translations,
        low: args.low,
        seed: args.seed,
    })?;
    match args.json {
        true => println!("{}", report::json(&rows)?),
        false => print!("{}", report::table(&rows)),
    }
    Ok(())
}

fn run_cut(args: CutArgs) -> Result<()> {
    let mut texts = Vec::new();
    for path in &args.texts {
        texts.extend(cut::lines(path)?);
    }
    let done = cut::cut(&cut::Options {
        source: args.source,
        out: args.out,
        texts,
        least: args.least,
        fold: args.fold,
        add: args.add,
        layers: args.layers,
    })?;
    println!("pieces     {} of {}", done.pieces, done.pieces_before);
    println!("added      {}", done.added);
    println!("layers     {}", done.layers);
    Ok(())
}

fn run_data(command: DataCommand) -> Result<()> {
    match command {
        DataCommand::Temporal {
            out,
            tuples,
            held_out,
            texts,
            seed,
        } => write_tuples(shards::Options {
            out,
            tuples,
            split: match held_out {
                true => Split::HeldOut,
                false => Split::Train,
            },
            seed,
            texts,
        }),
        DataCommand::Classical {
            farming,
            others,
            out,
            seed,
        } => {
            let counts = data::prepare(&data::Options {
                farming,
                others,
                out,
                seed,
            })?;
            let json = serde_json::to_string_pretty(&counts)
                .map_err(|e| Error::new(ErrorKind::Internal, e.to_string()))?;
            println!("{json}");
            Ok(())
        }
        DataCommand::Translations {
            data: folder,
            out,
            pairs,
            rounds,
        } => {
            let options = translations::Options {
                pairs,
                rounds,
                ..translations::Options::default()
            };
            let table = translations::file(&data::read(&folder.join(data::OTHER))?, &options)?;
            std::fs::write(&out, &table).map_err(|e| Error::io(&out, &e))?;
            println!("bytes      {}", table.len());
            Ok(())
        }
        DataCommand::Negatives {
            data: folder,
            model,
            out,
            others,
            farming: name,
            seed,
        } => {
            let model = model.as_deref().map(Model::open).transpose()?;
            let chosen = Farming::parse(&name)?;
            let mined = mine::of_data(&folder, model.as_ref(), others, &chosen, seed)?;
            mine::write(&out, &mined)?;
            let all: usize = mined.iter().map(|m| m.negatives.len()).sum();
            println!("pairs      {}", mined.len());
            println!("negatives  {all}");
            Ok(())
        }
    }
}

fn write_tuples(options: shards::Options) -> Result<()> {
    let written = shards::write(&options)?;
    println!(
        "shards     {} written, {} kept",
        written.shards, written.kept
    );
    println!("tuples     {}", written.tuples);
    println!("texts      {}", written.texts);
    if !written.forms.is_empty() {
        println!("form                texts  read alike  otherwise  not read");
    }
    for (form, count) in &written.forms {
        println!(
            "{form:18} {:6} {:11} {:10} {:9}",
            count.texts,
            count.equal,
            count.other,
            count.texts - count.equal - count.other
        );
    }
    Ok(())
}

#[cfg(feature = "train")]
fn run_train(args: TrainArgs) -> Result<()> {
    use almanac::encoder::temporal::BranchShape;
    use almanac_model::temporal::train;
    for (name, value) in [
        ("--held-out", args.held_out),
        ("--steps", args.steps),
        ("--batch", args.batch),
        ("--every", args.every),
        ("--patience", args.patience.unwrap_or(1)),
    ] {
        if value == 0 {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("{name} 0: expected at least 1"),
            ));
        }
    }
    let shape = args.width.map(|width| BranchShape {
        width,
        feed: 2 * width,
        ..BranchShape::for_hidden(384)
    });
    let figures = train::train(&train::Options {
        model: args.model,
        out: args.out,
        held_out: args.held_out,
        steps: args.steps,
        stop_after: args.stop_after,
        batch: args.batch,
        learning_rate: args.learning_rate,
        warm_up: args.warm_up,
        weight_decay: args.weight_decay,
        clip: args.clip,
        drop: args.drop,
        weights: train::Weights {
            taught: args.taught,
            own: args.own,
            order: args.order,
            plain: args.plain_similarity,
            calibration: args.calibration,
        },
        every: args.every,
        patience: args.patience,
        texts: args.texts,
        accelerator: args.device.into(),
        shape,
        seed: args.seed,
    })?;
    for (name, value) in figures.named() {
        println!("{name:56} {value:.4}");
    }
    Ok(())
}

#[cfg(feature = "train")]
fn train_classical(args: ClassicalArgs) -> Result<()> {
    use almanac_model::classical::train::{self, Negatives, Recipe};
    let mut recipe = match args.recipe {
        RecipeName::Paper => Recipe::paper(),
        RecipeName::Small => Recipe::small(),
    };
    recipe.max_tokens = args.max_tokens.unwrap_or(recipe.max_tokens);
    recipe.batch = args.batch.unwrap_or(recipe.batch);
    recipe.forms |= args.forms;
    recipe.epochs = args.epochs.unwrap_or(recipe.epochs);
    recipe.learning_rate = args.learning_rate.unwrap_or(recipe.learning_rate);
    recipe.layer_decay = args.layer_decay.unwrap_or(recipe.layer_decay);
    recipe.contrast.hard_weight = args.hard_weight.unwrap_or(recipe.contrast.hard_weight);
    if recipe.batch < 2 || recipe.epochs == 0 || args.every == 0 {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            "--batch must be at least 2, --epochs and --every at least 1",
        ));
    }
    let points = train::train(&train::Options {
        data: args.data,
        model: args.model,
        out: args.out,
        others: args.others,
        farming: Farming::parse(&args.farming)?,
        negatives: match args.negatives.as_str() {
            "none" => Negatives::InBatch,
            "random" => Negatives::Random,
            path => Negatives::Mined(PathBuf::from(path)),
        },
        recipe,
        teacher: args.teacher.map(|folder| (folder, args.teacher_weight)),
        chunk: args.chunk,
        cached: args.cached,
        every: args.every,
        stop_after: args.stop_after,
        name: args.name,
        seed: args.seed,
    })?;
    for point in points {
        println!("{point}");
    }
    Ok(())
}

fn run_compare(model: &Path, branch: &Path, count: usize, seed: u64, worst: usize) -> Result<()> {
    let model = Model::open_integer(model)?;
    let (_, branch) = BranchCard::open(branch)?;
    println!(
        "| reader | Spearman | relative | anchors shuffled | hard | containment | precedence |"
    );
    println!("|---|---|---|---|---|---|---|");
    for row in compare::compare(&branch, &model, count, seed)? {
        let f = &row.figures;
        println!(
            "| {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} |",
            row.reader.name(),
            f.spearman,
            f.relative,
            f.relative_shuffled,
            f.hard,
            row.containment,
            row.precedence
        );
    }
    for example in compare::worst(&branch, &model, count, seed, worst)? {
        let text = &example.text;
        println!(
            "{:.1}\t{}\tmeant {}\tread {}\t{}",
            example.divergence,
            text.form,
            span(text.mean, text.length),
            span(example.read.mean(), example.read.length()),
            text.text
        );
    }
    Ok(())
}

fn run_read(
    model: &Path,
    branch: &Path,
    anchor: &str,
    json: bool,
    mut texts: Vec<String>,
) -> Result<()> {
    if texts.is_empty() {
        for (at, line) in std::io::stdin().lines().enumerate() {
            let line = line.map_err(|e| Error::io(Path::new("standard input"), &e))?;
            let text = serde_json::from_str(&line).map_err(|e| {
                Error::new(ErrorKind::InvalidInput, e.to_string())
                    .in_place(format!("standard input line {}", at + 1))
            })?;
            texts.push(text);
        }
    }
    let model = Model::open_integer(model)?;
    let (_, branch) = BranchCard::open(branch)?;
    let anchor = parse_iso_day(anchor).ok_or_else(|| {
        Error::new(
            ErrorKind::InvalidInput,
            format!("--anchor {anchor}: expected YYYY-MM-DD"),
        )
    })?;
    for text in texts {
        let time = branch.gaussian(model.network(), model.tokenizer(), &text, anchor)?;
        match json {
            true => println!("[{},{}]", time.mean(), time.length()),
            false => println!("{}\t{text}", span(time.mean(), time.length())),
        }
    }
    Ok(())
}

/// The first and last day of an interval with a mean and a length, in days.
fn span(mean: f64, length: f64) -> String {
    let day = |at: f64| DayNumber(at.floor() as i64).display();
    let (first, last) = (mean - length / 2.0 + 0.01, mean + length / 2.0 - 0.01);
    format!("{} to {}", day(first), day(last))
}

fn run_evaluate(args: EvaluateArgs) -> Result<()> {
    let dates = Settings::preset(&args.dates).ok_or_else(|| {
        Error::new(
            ErrorKind::InvalidInput,
            format!("--dates {}: no such conventions", args.dates),
        )
        .with_remedy(format!("give one of {}", Settings::PRESETS.join(", ")))
    })?;
    let anchor = match &args.anchor {
        None => None,
        Some(day) => Some(parse_iso_day(day).ok_or_else(|| {
            Error::new(
                ErrorKind::InvalidInput,
                format!("--anchor {day}: expected YYYY-MM-DD"),
            )
        })?),
    };
    let systems = args.systems.iter().map(|name| System::parse(name));
    let report = evaluate::evaluate(&evaluate::Options {
        set: args.set,
        model: args.model,
        branch: args.branch,
        branch_model: args.branch_model,
        systems: systems.collect::<Result<_>>()?,
        normalization: match args.normalization {
            Scale::MinMax => Normalization::MinMax,
            Scale::Robust => Normalization::Robust,
            Scale::Rank => Normalization::Rank,
        },
        stemming: if args.keep_plurals {
            Stemming::None
        } else {
            Stemming::Plural
        },
        dates,
        anchor,
        seed: args.seed,
        cache: args.cache,
        details: args.details.map(|file| DetailOptions {
            file,
            passages: args.details_passages,
        }),
    })?;
    if args.json {
        let text = serde_json::to_string_pretty(&report)
            .map_err(|e| Error::new(ErrorKind::Internal, e.to_string()))?;
        println!("{text}");
    } else {
        print!("{}", report.table());
    }
    Ok(())
}
