//! A smaller model made of a published one: fewer words, fewer layers.
//!
//! The word table of a multilingual encoder is most of its download, and a collection in one
//! language reads a few per cent of it. What is kept gives the same token ids and vectors as before
//! (apart from what [`Options::fold`] changes and layers left out).

mod charsmap;
mod pieces;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use almanac::{Error, ErrorKind, Result};
use safetensors::tensor::{Dtype, TensorView};
use serde_json::Value;

use crate::checkpoint::Checkpoint;
use crate::fault;
use pieces::{Pieces, Row};

/// What to cut, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Hugging Face directory of a BERT encoder with a Unigram tokenizer.
    pub source: PathBuf,
    /// Hugging Face directory to write.
    pub out: PathBuf,
    /// The texts whose pieces are kept; where there are none, all are, and the tokenizer stays as it is.
    pub texts: Vec<String>,
    /// How often the texts must hold a piece of several characters.
    pub least: usize,
    /// Reads Han characters in the form they are searched by and leaves modern punctuation out, so
    /// that simplified, traditional, punctuated and unpunctuated texts have the same tokens.
    pub fold: bool,
    /// How often the texts must hold a Han character that has no piece for it to get one; none adds
    /// no piece.
    pub add: Option<usize>,
    /// Layers to keep, counted from 0, in order; none keeps all.
    pub layers: Option<Vec<usize>>,
}

/// What was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Pieces of the old tokenizer.
    pub pieces_before: usize,
    /// Pieces of the new one, added ones included.
    pub pieces: usize,
    /// Characters that got a piece.
    pub added: usize,
    /// Layers kept.
    pub layers: usize,
}

const WORDS: &str = "embeddings.word_embeddings.weight";
const LAYERS: &str = "encoder.layer.";

/// Reads the lines of a text file, compressed where its name ends in `.gz`.
///
/// # Errors
/// [`ErrorKind::Io`] if it cannot be read or is not UTF-8.
pub fn lines(path: &Path) -> Result<Vec<String>> {
    let text = fault::read_text(path)?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// Writes the smaller model as a Hugging Face directory that can be imported.
///
/// # Errors
/// - [`ErrorKind::Io`] if a file cannot be read or written.
/// - [`ErrorKind::Corrupt`] if a file is damaged or a tensor is missing.
/// - [`ErrorKind::Unsupported`] if the tokenizer is no Unigram model with a compiled normalizer.
/// - [`ErrorKind::InvalidInput`] if a layer to keep does not exist.
pub fn cut(options: &Options) -> Result<Cut> {
    let source = |name: &str| options.source.join(name);
    let config = fault::read(&source("config.json"))?;
    let mut config: Value = serde_json::from_slice(&config)
        .map_err(|e| fault::corrupt(e.to_string()).in_place("config.json"))?;
    let number = |name: &str| {
        let value = config[name].as_u64().map(|n| n as usize);
        value.ok_or_else(|| fault::corrupt(format!("{name} is no number")).in_place("config.json"))
    };
    let (words, hidden) = (number("vocab_size")?, number("hidden_size")?);
    let all = number("num_hidden_layers")?;
    let layers = options.layers.clone().unwrap_or_else(|| (0..all).collect());
    if let Some(layer) = layers.iter().find(|l| **l >= all) {
        return Err(fault::invalid(format!(
            "layer {layer}: the model has layers 0 to {}",
            all - 1
        )));
    }

    let tokenizer = fault::read(&source("tokenizer.json"))?;
    let (tokenizer, rows, before) = if options.texts.is_empty() {
        (tokenizer, (0..words).map(Row::Kept).collect(), words)
    } else {
        fewer_pieces(options, &tokenizer).map_err(|e| e.in_place("tokenizer.json"))?
    };
    if before > words {
        return Err(fault::corrupt(format!(
            "the tokenizer has {before} pieces, the word table {words} rows"
        )));
    }

    let checkpoint = Checkpoint::open(&options.source)?;
    let mut tensors: Vec<(String, Vec<usize>, Vec<f32>)> = Vec::new();
    for name in checkpoint.names() {
        let Some(shape) = checkpoint.shape(name) else {
            continue;
        };
        let kept = match renumbered(name, &layers) {
            Some(kept) => kept,
            None => continue,
        };
        let values = checkpoint.read(name, &shape)?;
        if name.ends_with(WORDS) {
            tensors.push((
                kept,
                vec![rows.len(), hidden],
                table(&values, hidden, &rows),
            ));
        } else {
            tensors.push((kept, shape, values));
        }
    }
    config["vocab_size"] = rows.len().into();
    config["num_hidden_layers"] = layers.len().into();
    std::fs::create_dir_all(&options.out).map_err(|e| Error::io(&options.out, &e))?;
    let put = |name: &str, bytes: &[u8]| {
        let path = options.out.join(name);
        std::fs::write(&path, bytes).map_err(|e| Error::io(&path, &e))
    };
    put("model.safetensors", &safetensors(&tensors)?)?;
    put("tokenizer.json", &tokenizer)?;
    let json = serde_json::to_vec_pretty(&config)
        .map_err(|e| Error::new(ErrorKind::Internal, e.to_string()))?;
    put("config.json", &json)?;
    copy_pooling(&options.source, &options.out)?;
    Ok(Cut {
        pieces_before: before,
        pieces: rows.len(),
        added: rows.iter().filter(|r| matches!(r, Row::Mean(_))).count(),
        layers: layers.len(),
    })
}

/// Gives the smaller tokenizer, the rows of its word table, and how many pieces there were.
fn fewer_pieces(options: &Options, tokenizer: &[u8]) -> Result<(Vec<u8>, Vec<Row>, usize)> {
    let mut pieces = Pieces::read(tokenizer)?;
    let before = pieces.len();
    if options.fold {
        pieces.fold();
    }
    if let Some(least) = options.add {
        pieces.add_characters(&options.texts, least);
    }
    let (tokenizer, rows) = pieces.cut(&options.texts, options.least, before)?;
    Ok((tokenizer, rows, before))
}

/// The new name of a tensor; none for one of a layer that goes.
fn renumbered(name: &str, layers: &[usize]) -> Option<String> {
    let Some((prefix, rest)) = name.split_once(LAYERS) else {
        return Some(name.to_owned());
    };
    let (number, rest) = rest.split_once('.')?;
    let number: usize = number.parse().ok()?;
    let place = layers.iter().position(|layer| *layer == number)?;
    Some(format!("{prefix}{LAYERS}{place}.{rest}"))
}

fn table(values: &[f32], hidden: usize, rows: &[Row]) -> Vec<f32> {
    let row = |id: usize| &values[id * hidden..(id + 1) * hidden];
    let mut out = Vec::with_capacity(rows.len() * hidden);
    for kind in rows {
        match kind {
            Row::Kept(id) => out.extend_from_slice(row(*id)),
            Row::Mean(ids) => {
                let mean = |at: usize| {
                    ids.iter().map(|id| row(*id)[at]).sum::<f32>() / ids.len().max(1) as f32
                };
                out.extend((0..hidden).map(mean));
            }
        }
    }
    out
}

fn safetensors(tensors: &[(String, Vec<usize>, Vec<f32>)]) -> Result<Vec<u8>> {
    let bytes: Vec<Vec<u8>> = tensors
        .iter()
        .map(|(_, _, values)| values.iter().flat_map(|v| v.to_le_bytes()).collect())
        .collect();
    let internal = |e: safetensors::SafeTensorError| Error::new(ErrorKind::Internal, e.to_string());
    let views = tensors
        .iter()
        .zip(&bytes)
        .map(|((name, shape, _), bytes)| {
            let view = TensorView::new(Dtype::F32, shape.clone(), bytes).map_err(internal)?;
            Ok((name.as_str(), view))
        })
        .collect::<Result<Vec<_>>>()?;
    let about = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    safetensors::serialize(views, Some(about)).map_err(internal)
}

/// Takes over what says how token states become one vector.
fn copy_pooling(from: &Path, to: &Path) -> Result<()> {
    const POOLING: &str = "1_Pooling/config.json";
    if let Some(bytes) = fault::read_if_present(&from.join(POOLING))? {
        let folder = to.join("1_Pooling");
        std::fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, &e))?;
        let path = to.join(POOLING);
        std::fs::write(&path, bytes).map_err(|e| Error::io(&path, &e))?;
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_counted_anew_and_the_others_go() {
        let name = |n: usize| format!("encoder.layer.{n}.output.dense.weight");
        assert_eq!(renumbered(&name(4), &[0, 4, 11]), Some(name(1)));
        assert_eq!(renumbered(&name(5), &[0, 4, 11]), None);
        assert_eq!(renumbered(WORDS, &[0]), Some(WORDS.to_owned()));
    }

    #[test]
    fn rows_are_kept_or_averaged() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let rows = [Row::Kept(2), Row::Mean(vec![0, 1])];
        assert_eq!(table(&values, 2, &rows), [5.0, 6.0, 2.0, 3.0]);
    }
}
