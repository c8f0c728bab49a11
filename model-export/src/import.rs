//! The import of a Hugging Face directory, from its files to a proven model folder.

use std::path::{Path, PathBuf};

use almanac::encoder::{
    CARD_FORMAT, CARD_VERSION, Model, ModelCard, Pooling, Prefixes, SelfTest, WeightEncoding,
    WeightFiles,
};
use almanac::index::{FileRef, sha256_hex};
use almanac::{Error, ErrorKind, Result};
use burn::tensor::Device;
use indicatif::{ProgressBar, ProgressStyle};

use crate::checkpoint::Checkpoint;
use crate::source::{self, Description};
use crate::{convert, fault, golden, store};

/// How a step without a known length is shown.
const STEP: &str = "{spinner} {msg} {elapsed}";

/// What to import and how; `None` means what the model says of itself.
#[derive(Clone, Debug)]
pub struct Options {
    /// The Hugging Face directory.
    pub source: PathBuf,
    /// The model folder to write.
    pub out: PathBuf,
    /// How the weights are stored.
    pub encoding: WeightEncoding,
    /// How token states become one vector.
    pub pooling: Option<Pooling>,
    /// Text put before every query.
    pub query_prefix: Option<String>,
    /// Text put before every passage.
    pub passage_prefix: Option<String>,
    /// Most tokens of a text, special tokens included.
    pub max_tokens: Option<usize>,
    /// The name people know the model by; else the directory's name.
    pub name: Option<String>,
    /// Licence of the weights.
    pub license: Option<String>,
}

/// What an import wrote and how well it matches the original.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The card as written.
    pub card: ModelCard,
    /// How the written folder did on its golden sentences.
    pub self_test: SelfTest,
}

/// Imports a model: reads, converts, computes golden vectors, writes, and tests what was written.
///
/// Nothing becomes visible in the model folder before the new model has passed its self-test there;
/// an earlier model stays as it was if anything fails. Equal input gives equal bytes.
///
/// # Errors
/// - [`ErrorKind::Io`] if a file cannot be read or written.
/// - [`ErrorKind::Corrupt`] if a file is damaged or a tensor is missing, extra, misshapen or not
///   finite; the message names it.
/// - [`ErrorKind::Unsupported`] if the model is not a plain BERT encoder, or the encoding of the
///   weights loses too much, as int4 always does.
/// - [`ErrorKind::Incompatible`] if tokenizer and weights are of different models.
/// - [`ErrorKind::InvalidInput`] if `max_tokens` does not fit the model.
pub fn import(options: &Options) -> Result<Imported> {
    if options.encoding == WeightEncoding::Int4 {
        return Err(fault::unsupported(
            "int4 weights are too coarse to stand for the model that is imported",
        )
        .with_remedy("import with --weights float32, then export with --weights int4"));
    }
    let description = Description::read(&options.source, options.pooling)?;
    let tokenizer_path = options.source.join("tokenizer.json");
    let tokenizer = fault::read(&tokenizer_path)
        .map_err(|e| e.with_remedy("export the fast tokenizer of the model to tokenizer.json"))?;
    let progress = spinner();
    progress.set_message("reading weights");
    let checkpoint = Checkpoint::open(&options.source)?;
    let mut card = card(options, &description, &tokenizer, checkpoint.sha256())?;

    let float32 = record(&card, &checkpoint, WeightEncoding::Float32, &progress)?;
    progress.set_message("computing golden sentences in float32");
    card.golden = golden_vectors(&card, &float32, &tokenizer)?;
    let weights = match options.encoding {
        WeightEncoding::Float32 => float32,
        encoding => {
            drop(float32);
            record(&card, &checkpoint, encoding, &progress)?
        }
    };
    drop(checkpoint);
    card.weights.parts = store::parts(&weights);
    card.id = identifier(&card, &weights);

    progress.set_message("writing and testing the model folder");
    let staged = store::Staged::write(&options.out, &card, &weights, &tokenizer)?;
    drop(weights);
    let self_test = faithful(&Model::open(staged.staging())?, options.encoding)?;
    // Browsers without a usable GPU compute in integers, whatever the encoding.
    faithful(
        &Model::open_integer(staged.staging())?,
        WeightEncoding::Int8,
    )?;
    staged.publish(&card)?;
    progress.finish_and_clear();
    Ok(Imported { card, self_test })
}

/// Refuses a model that does not give its own golden vectors.
fn faithful(model: &Model, encoding: WeightEncoding) -> Result<SelfTest> {
    let self_test = pollster::block_on(model.self_test(usize::MAX))?;
    if self_test.passed {
        return Ok(self_test);
    }
    let remedy = match encoding {
        WeightEncoding::Int8 => "use another model: browsers compute with int8 weights",
        WeightEncoding::Float16 | WeightEncoding::Float32 | WeightEncoding::Int4 => {
            "import with --weights int8"
        }
    };
    Err(Error::new(
        ErrorKind::Unsupported,
        format!(
            "{} weights do not reproduce the model: {}",
            encoding.name(),
            self_test.detail
        ),
    )
    .with_remedy(remedy))
}

/// Makes the card without what depends on the encoded weights.
fn card(
    options: &Options,
    description: &Description,
    tokenizer: &[u8],
    source_sha256: &str,
) -> Result<ModelCard> {
    let shape = &description.architecture;
    let most = shape.positions - shape.first_position;
    let max_tokens = options.max_tokens.unwrap_or(description.max_tokens);
    if !(3..=most).contains(&max_tokens) {
        return Err(fault::invalid(format!(
            "--max-tokens is {max_tokens}, expected 3 to {most}"
        )));
    }
    let tokenizer = FileRef::of_bytes("tokenizer", "json", tokenizer);
    tokenizer
        .check()
        .map_err(|e| e.with_remedy("save tokenizer.json without indentation"))?;
    let name = match &options.name {
        Some(name) => name.clone(),
        None => folder_name(&options.source),
    };
    let default = if description.prefixes == Prefixes::default() && source::is_e5(&name) {
        source::e5_prefixes()
    } else {
        description.prefixes.clone()
    };
    Ok(ModelCard {
        format: CARD_FORMAT.to_owned(),
        version: CARD_VERSION,
        id: String::new(),
        name,
        license: options.license.clone(),
        source_sha256: Some(source_sha256.to_owned()),
        architecture: shape.clone(),
        pooling: description.pooling,
        prefixes: Prefixes {
            query: options.query_prefix.clone().unwrap_or(default.query),
            passage: options.passage_prefix.clone().unwrap_or(default.passage),
        },
        max_tokens,
        weights: WeightFiles {
            encoding: options.encoding,
            parts: Vec::new(),
        },
        tokenizer,
        golden: Vec::new(),
    })
}

fn record(
    card: &ModelCard,
    checkpoint: &Checkpoint,
    encoding: WeightEncoding,
    progress: &ProgressBar,
) -> Result<Vec<u8>> {
    progress.set_message(format!("converting tensors to {}", encoding.name()));
    progress.set_style(style("{spinner} {msg} {wide_bar} {pos}/{len}"));
    let bytes = convert::record(&card.architecture, checkpoint, encoding, |done, all| {
        progress.set_length(all as u64);
        progress.set_position(done as u64);
    });
    progress.set_style(style(STEP));
    bytes
}

/// Encodes the golden sentences with the original weights, on the CPU.
fn golden_vectors(
    card: &ModelCard,
    float32: &[u8],
    tokenizer: &[u8],
) -> Result<Vec<almanac::encoder::Golden>> {
    let mut reference = card.clone();
    reference.weights = WeightFiles {
        encoding: WeightEncoding::Float32,
        parts: store::parts(float32),
    };
    let weights = float32.to_vec();
    let device = Device::flex();
    let model = pollster::block_on(Model::from_bytes(reference, weights, tokenizer, &device))?;
    golden::vectors(&model)
}

/// Names weights and tokenizer exactly, so that an index finds only the model it was built with.
pub(crate) fn identifier(card: &ModelCard, weights: &[u8]) -> String {
    let name: String = card
        .name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') {
                c
            } else {
                '-'
            }
        })
        .collect();
    let both = format!("{}{}", sha256_hex(weights), card.tokenizer.sha256);
    let hash = sha256_hex(both.as_bytes());
    format!("{name}-{}-{}", card.weights.encoding.name(), &hash[..12])
}

fn folder_name(path: &Path) -> String {
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    full.file_name()
        .map_or_else(|| "model".to_owned(), |n| n.to_string_lossy().into_owned())
}

fn spinner() -> ProgressBar {
    let spinner = ProgressBar::new_spinner();
    spinner.set_style(style(STEP));
    spinner.enable_steady_tick(std::time::Duration::from_millis(200));
    spinner
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
