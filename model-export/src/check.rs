//! Checks of a model folder: golden sentences, and vectors an independent implementation gave.

use std::path::Path;

use almanac::encoder::{Model, SELF_TEST_FLOOR, SelfTest, WeightEncoding};
use almanac::{Error, ErrorKind, Result};
use serde::Deserialize;

use crate::fault;

/// The lowest cosine at which float32 weights count as the same model.
///
/// Rounding in another order of summation stays well above it; a matrix in a wrong place falls
/// below.
pub const FLOAT32_FLOOR: f32 = 0.9999;

/// Texts with the token ids and vectors that another implementation gives for them.
#[derive(Clone, Debug, Deserialize)]
pub struct Reference {
    /// The texts, as the tokenizer gets them: any prefix is already there.
    pub items: Vec<ReferenceItem>,
}

/// One text of a [`Reference`].
#[derive(Clone, Debug, Deserialize)]
pub struct ReferenceItem {
    /// The text.
    pub text: String,
    /// Its token ids with special tokens, where they are to be compared too.
    #[serde(default)]
    pub ids: Option<Vec<u32>>,
    /// Its vector, of any length above zero.
    pub embedding: Vec<f32>,
}

/// How a model compares with a [`Reference`].
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Texts compared.
    pub texts: usize,
    /// Texts whose token ids differ.
    pub other_ids: Vec<String>,
    /// The lowest cosine.
    pub lowest_cosine: f32,
    /// The text with the lowest cosine.
    pub lowest_text: String,
}

impl Reference {
    /// Reads a reference file.
    ///
    /// # Errors
    /// - [`ErrorKind::Io`] if it cannot be read.
    /// - [`ErrorKind::Corrupt`] if it is not JSON of this form, or holds no text.
    pub fn read(path: &Path) -> Result<Self> {
        let here = |e: Error| e.in_place(path.display().to_string());
        let reference: Self = serde_json::from_slice(&fault::read(path)?)
            .map_err(|e| here(fault::corrupt(e.to_string())))?;
        if reference.items.is_empty() {
            return Err(here(fault::corrupt("items is empty")));
        }
        Ok(reference)
    }

    /// Encodes every text and compares.
    ///
    /// # Errors
    /// [`ErrorKind::Incompatible`] if a vector has other dimensions than the model's; else those of
    /// [`Model::encode_ids`].
    pub fn compare(&self, model: &Model) -> Result<Comparison> {
        let mut comparison = Comparison {
            texts: self.items.len(),
            other_ids: Vec::new(),
            lowest_cosine: 1.0,
            lowest_text: String::new(),
        };
        for item in &self.items {
            let ids = model.tokenizer().ids(&item.text)?;
            if item.ids.as_ref().is_some_and(|expected| *expected != ids) {
                comparison.other_ids.push(item.text.clone());
            }
            let vector = pollster::block_on(model.encode_ids(&[ids]))?.concat();
            if vector.len() != item.embedding.len() {
                return Err(Error::new(
                    ErrorKind::Incompatible,
                    format!(
                        "reference vectors of {} dimensions, the model gives {}",
                        item.embedding.len(),
                        vector.len()
                    ),
                ));
            }
            let cosine = cosine(&vector, &item.embedding);
            if comparison.lowest_text.is_empty() || cosine < comparison.lowest_cosine {
                comparison.lowest_cosine = cosine;
                comparison.lowest_text.clone_from(&item.text);
            }
        }
        Ok(comparison)
    }
}

/// Gives the cosine from which a model with weights of this encoding counts as faithful.
#[must_use]
pub fn floor(encoding: WeightEncoding) -> f32 {
    match encoding {
        WeightEncoding::Float32 => FLOAT32_FLOOR,
        WeightEncoding::Float16 | WeightEncoding::Int8 | WeightEncoding::Int4 => SELF_TEST_FLOOR,
    }
}

/// Opens a folder, runs its golden sentences and, where given, compares with a reference.
///
/// # Errors
/// - Those of [`Model::open`], [`Reference::read`] and [`Reference::compare`].
/// - [`ErrorKind::Corrupt`] if a golden sentence or the reference falls below its floor.
/// - [`ErrorKind::Incompatible`] if token ids differ from the reference's.
pub fn check(folder: &Path, reference: Option<&Path>) -> Result<(SelfTest, Option<Comparison>)> {
    let here = |e: Error| e.in_place(folder.display().to_string());
    let model = Model::open(folder)?;
    let self_test = pollster::block_on(model.self_test(usize::MAX)).map_err(here)?;
    if !self_test.passed {
        return Err(here(
            fault::corrupt(format!("self-test failed: {}", self_test.detail))
                .with_remedy("import the model again"),
        ));
    }
    let Some(path) = reference else {
        return Ok((self_test, None));
    };
    let comparison = Reference::read(path)?.compare(&model).map_err(here)?;
    if let Some(text) = comparison.other_ids.first() {
        return Err(here(Error::new(
            ErrorKind::Incompatible,
            format!(
                "token ids of {} texts differ from the reference, first {text:?}",
                comparison.other_ids.len()
            ),
        )));
    }
    let floor = floor(model.card().weights.encoding);
    if comparison.lowest_cosine < floor {
        return Err(here(fault::corrupt(format!(
            "cosine {:.6} with the reference for {:?}, expected at least {floor}",
            comparison.lowest_cosine, comparison.lowest_text
        ))));
    }
    Ok((self_test, Some(comparison)))
}

/// Gives the cosine of two vectors of one length; 0 where one has no direction.
#[must_use]
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let sum = |x: &[f32], y: &[f32]| {
        x.iter()
            .zip(y)
            .map(|(x, y)| f64::from(*x) * f64::from(*y))
            .sum::<f64>()
    };
    let lengths = (sum(a, a) * sum(b, b)).sqrt();
    if lengths > 0.0 {
        (sum(a, b) / lengths) as f32
    } else {
        0.0
    }
}
