//! Records with the same numbers in another encoding.

use std::path::{Path, PathBuf};

use almanac::Result;
use almanac::encoder::record::{RecordReader, RecordWriter, ScaleAxis};
use almanac::encoder::{Architecture, Model, ModelCard, SelfTest, WeightEncoding};

use crate::{fault, golden, import, store};

/// What to write, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// Model folder with float32 weights.
    pub model: PathBuf,
    /// Model folder to write.
    pub out: PathBuf,
    /// How the weights are stored.
    pub encoding: WeightEncoding,
    /// Licence of the weights, where the card does not say.
    pub license: Option<String>,
}

/// Writes a model folder with the weights of another in a smaller encoding.
///
/// Its golden sentences stay those of the float32 weights, except for int4, which is too coarse to pass
/// for the same model: there they are the vectors of the coarse weights, computed in float32.
///
/// # Errors
/// - [`almanac::ErrorKind::InvalidInput`] if the model's weights are not float32.
/// - [`almanac::ErrorKind::Unsupported`] if the encoding does not reproduce its golden sentences.
/// - Those of reading, checking and writing files.
pub fn export(options: &Options) -> Result<(ModelCard, SelfTest)> {
    let (mut card, weights, tokenizer) = read(&options.model)?;
    let mut record = RecordReader::from_bytes(weights)?;
    let weights = encode(&card.architecture, options.encoding, |name, size| {
        record.take_float32(name, size)
    })?;
    record.finish()?;
    card.weights.encoding = options.encoding;
    card.weights.parts = store::parts(&weights);
    card.license = options.license.clone().or(card.license);
    card.id = import::identifier(&card, &weights);
    let mut staged = store::Staged::write(&options.out, &card, &weights, &tokenizer)?;
    if options.encoding == WeightEncoding::Int4 {
        card.golden = golden::vectors(&Model::open(staged.staging())?)?;
        drop(staged);
        staged = store::Staged::write(&options.out, &card, &weights, &tokenizer)?;
    }
    let test = pollster::block_on(Model::open(staged.staging())?.self_test(usize::MAX))?;
    if !test.passed {
        return Err(fault::unsupported(format!(
            "{} weights do not reproduce the model: {}",
            options.encoding.name(),
            test.detail
        )));
    }
    staged.publish(&card)?;
    Ok((card, test))
}

/// Reads and checks the card, the record and the tokenizer of a model folder with float32 weights.
///
/// # Errors
/// - Those of reading and checking the files.
/// - [`almanac::ErrorKind::InvalidInput`] if the weights are not float32.
pub(crate) fn read(folder: &Path) -> Result<(ModelCard, Vec<u8>, Vec<u8>)> {
    let file = |name: &str| fault::read(&folder.join(name));
    let card = ModelCard::from_bytes(&file("card.json")?)?;
    if card.weights.encoding != WeightEncoding::Float32 {
        return Err(fault::invalid(format!(
            "{}: weights are {}, expected float32",
            folder.display(),
            card.weights.encoding.name()
        ))
        .with_remedy("import with --weights float32"));
    }
    let mut weights = Vec::new();
    for part in &card.weights.parts {
        let bytes = file(&part.file)?;
        part.verify(&bytes)?;
        weights.extend(bytes);
    }
    let tokenizer = file(&card.tokenizer.file)?;
    card.tokenizer.verify(&tokenizer)?;
    Ok((card, weights, tokenizer))
}

/// Makes a record from the numbers that `take` gives for each tensor's name and shape.
///
/// # Errors
/// Those of `take`, and [`almanac::ErrorKind::Internal`] if the record cannot be laid out.
pub(crate) fn encode(
    shape: &Architecture,
    encoding: WeightEncoding,
    mut take: impl FnMut(&str, &[usize]) -> Result<Vec<f32>>,
) -> Result<Vec<u8>> {
    let mut writer = RecordWriter::new(encoding);
    let (hidden, inner) = (shape.hidden, shape.intermediate);
    for (name, rows) in [("words", shape.vocabulary), ("position", shape.positions)] {
        writer.matrix(name, &take(name, &[rows, hidden])?, hidden, ScaleAxis::Row);
    }
    let types = take("token_type", &[shape.token_types, hidden])?;
    writer.small_matrix("token_type", &types, hidden);
    let mut norms = vec!["norm".to_owned()];
    for number in 0..shape.layers {
        let name = |part: &str| format!("layers.{number}.{part}");
        for (part, input, output) in [
            ("attention", hidden, 3 * hidden),
            ("attention_out", hidden, hidden),
            ("up", hidden, inner),
            ("down", inner, hidden),
        ] {
            let weight = format!("{}.weight", name(part));
            let values = take(&weight, &[input, output])?;
            writer.matrix(&weight, &values, output, ScaleAxis::Column);
            let bias = format!("{}.bias", name(part));
            writer.vector(&bias, &take(&bias, &[output])?);
        }
        norms.push(name("attention_norm"));
        norms.push(name("norm"));
    }
    for norm in norms {
        for part in ["gamma", "beta"] {
            let name = format!("{norm}.{part}");
            writer.vector(&name, &take(&name, &[hidden])?);
        }
    }
    writer.into_bytes()
}
