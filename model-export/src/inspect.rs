//! A model card in words.

use std::fmt::Write as _;
use std::path::Path;

use almanac::encoder::{ModelCard, Pooling};
use almanac::{Error, Result};

use crate::fault;

/// Describes the model of a folder, one `name  value` a line, from its card alone.
///
/// # Errors
/// - [`almanac::ErrorKind::Io`] if there is no `card.json`.
/// - Those of [`ModelCard::from_bytes`].
pub fn describe(folder: &Path) -> Result<String> {
    let bytes = fault::read(&folder.join("card.json"))
        .map_err(|e| e.with_remedy("give a folder made by `almanac-model import`"))?;
    let card = ModelCard::from_bytes(&bytes)
        .map_err(|e: Error| e.in_place(folder.display().to_string()))?;
    let shape = &card.architecture;
    let mut out = String::new();
    let mut line = |name: &str, value: String| {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{name:<12}{value}");
    };
    line("id", card.id.clone());
    line("name", card.name.clone());
    line(
        "license",
        card.license
            .clone()
            .unwrap_or_else(|| "not stated".to_owned()),
    );
    line(
        "shape",
        format!(
            "{} layers, {} dimensions, {} heads, {} inner, {} words, {} positions from {}, {} types",
            shape.layers,
            shape.hidden,
            shape.heads,
            shape.intermediate,
            shape.vocabulary,
            shape.positions,
            shape.first_position,
            shape.token_types
        ),
    );
    line("epsilon", format!("{:e}", shape.layer_norm_epsilon));
    line(
        "pooling",
        match card.pooling {
            Pooling::Mean => "mean",
            Pooling::Cls => "cls",
        }
        .to_owned(),
    );
    line(
        "query",
        format!("{:?} before the text", card.prefixes.query),
    );
    line(
        "passage",
        format!("{:?} before the text", card.prefixes.passage),
    );
    line("max tokens", card.max_tokens.to_string());
    line(
        "weights",
        format!(
            "{}, {} bytes in {} files",
            card.weights.encoding.name(),
            card.weights.bytes(),
            card.weights.parts.len()
        ),
    );
    line(
        "tokenizer",
        format!(
            "{} bytes, sha256 {}",
            card.tokenizer.bytes, card.tokenizer.sha256
        ),
    );
    if let Some(sha256) = &card.source_sha256 {
        line("source", format!("sha256 {sha256}"));
    }
    line("golden", format!("{} sentences", card.golden.len()));
    Ok(out)
}
