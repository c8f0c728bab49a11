//! An encoder without its tokenizer: from token ids to unit vectors.

use std::sync::Arc;

use super::card::ModelCard;
#[cfg(feature = "burn")]
use super::device::{DeviceLayers, TokenStates};
#[cfg(feature = "encoder")]
use super::integer::IntegerBert;
use super::record::RecordReader;
use super::words::WordTable;
use crate::{Error, ErrorKind, Result};

/// The outcome of encoding a card's golden sentences.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfTest {
    /// Whether every sentence met the floor.
    pub passed: bool,
    /// Sentences encoded.
    pub checked: usize,
    /// The lowest cosine with a known vector; −1 where a vector was not finite.
    pub worst_cosine: f32,
    /// One sentence for people.
    pub detail: String,
}

/// The cosine below which a self-test fails, for int8 weights and any device.
///
/// Source: measured, see `docs/benchmarks.md`; int8 records of MiniLM keep at least this.
pub const SELF_TEST_FLOOR: f32 = 0.999;

/// Word table and layers of an encoder: token ids in, unit vectors of `dimensions` numbers out.
///
/// Cloning is cheap and shares the weights, so that each thread can hold one.
#[derive(Clone, Debug)]
pub struct Network {
    card: Arc<ModelCard>,
    words: Arc<WordTable>,
    layers: Layers,
}

/// What computes the layers.
#[derive(Clone, Debug)]
enum Layers {
    #[cfg(feature = "encoder")]
    Integer(Arc<IntegerBert>),
    #[cfg(feature = "burn")]
    Device(Arc<DeviceLayers>),
}

impl Network {
    /// Builds the layers for the CPU, in integers, from the concatenated weight files of a card.
    ///
    /// Records of float32 or float16 are quantized to int8 here.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] if a checksum or a tensor is not as it must be.
    #[cfg(feature = "encoder")]
    pub fn integer(card: ModelCard, weights: Vec<u8>) -> Result<Self> {
        let (mut record, words) = open(&card, weights)?;
        let bert = IntegerBert::from_record(&card, &mut record)?;
        record.finish()?;
        Ok(Self {
            card: Arc::new(card),
            words: Arc::new(words),
            layers: Layers::Integer(Arc::new(bert)),
        })
    }

    /// Builds the layers in float32 on one of Burn's devices.
    ///
    /// # Errors
    /// - [`ErrorKind::Corrupt`] if a checksum or a tensor is not as it must be.
    /// - [`ErrorKind::Gpu`] if the device does not take the numbers.
    #[cfg(feature = "burn")]
    pub async fn on_device(
        card: ModelCard,
        weights: Vec<u8>,
        device: &burn::tensor::Device,
    ) -> Result<Self> {
        let (mut record, words) = open(&card, weights)?;
        let layers = DeviceLayers::from_record(&card, &mut record, device).await?;
        record.finish()?;
        Ok(Self {
            card: Arc::new(card),
            words: Arc::new(words),
            layers: Layers::Device(Arc::new(layers)),
        })
    }

    /// Pads every batch to a multiple of `tokens`, so that a GPU meets few shapes.
    #[cfg(feature = "burn")]
    #[must_use]
    pub fn with_bucket(mut self, tokens: usize) -> Self {
        match &mut self.layers {
            #[cfg(feature = "encoder")]
            Layers::Integer(_) => {}
            Layers::Device(layers) => Arc::make_mut(layers).set_bucket(tokens),
        }
        self
    }

    /// Gives the model's card.
    #[must_use]
    pub fn card(&self) -> &ModelCard {
        &self.card
    }

    /// Gives the dimensions of a vector.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.card.architecture.hidden
    }

    /// Encodes a batch of token sequences, each with its special tokens.
    ///
    /// On a device, sequences of one length need no padding, which makes a vector independent of
    /// the others in its batch up to rounding; group them so where results must repeat. In integers
    /// a vector never depends on the others.
    ///
    /// # Errors
    /// - [`ErrorKind::InvalidInput`] if a sequence is empty or longer than the model allows.
    /// - [`ErrorKind::Incompatible`] if an id lies outside the word table.
    /// - [`ErrorKind::Gpu`] if a device gives no or impossible numbers.
    /// - [`ErrorKind::OutOfMemory`] if the platform refuses the memory that the tokens need.
    pub async fn encode_ids(&self, batch: &[Vec<u32>]) -> Result<Vec<Vec<f32>>> {
        if batch.is_empty() {
            return Ok(Vec::new());
        }
        self.check_lengths(batch)?;
        match &self.layers {
            #[cfg(feature = "encoder")]
            Layers::Integer(bert) => batch
                .iter()
                .map(|ids| bert.encode(&self.rows(ids)?))
                .collect(),
            #[cfg(feature = "burn")]
            Layers::Device(layers) => {
                let states = layers.token_states(&self.words, &self.card, batch)?;
                layers.vectors(&states, self.card.pooling).await
            }
        }
    }

    /// Gives the token states of a batch of token sequences, on the device.
    ///
    /// # Errors
    /// - [`ErrorKind::InvalidInput`] if the batch or a sequence is empty, or one is longer than the
    ///   model allows.
    /// - [`ErrorKind::Incompatible`] if an id lies outside the word table.
    /// - [`ErrorKind::Unsupported`] if the layers are in integers; they give [`Self::states`].
    #[cfg(feature = "burn")]
    pub fn token_states(&self, batch: &[Vec<u32>]) -> Result<TokenStates> {
        self.check_lengths(batch)?;
        self.device_layers()?
            .token_states(&self.words, &self.card, batch)
    }

    /// Gives the token states of one token sequence, row after row: `tokens × hidden` numbers.
    ///
    /// # Errors
    /// - Those of [`Self::encode_ids`].
    /// - [`ErrorKind::Unsupported`] if the layers are on a device; it gives [`Self::token_states`].
    #[cfg(feature = "encoder")]
    pub fn states(&self, ids: &[u32]) -> Result<Vec<f32>> {
        self.check_lengths(std::slice::from_ref(&ids))?;
        match &self.layers {
            Layers::Integer(bert) => bert.states(&self.rows(ids)?),
            #[cfg(feature = "burn")]
            Layers::Device(_) => Err(Error::new(
                ErrorKind::Unsupported,
                "the layers are on a device, not in integers",
            )),
        }
    }

    /// Pools token states to unit vectors.
    ///
    /// # Errors
    /// - [`ErrorKind::Gpu`] if the device gives no or impossible numbers.
    /// - [`ErrorKind::Unsupported`] if the layers are in integers.
    #[cfg(feature = "burn")]
    pub async fn vectors(&self, states: &TokenStates) -> Result<Vec<Vec<f32>>> {
        self.device_layers()?
            .vectors(states, self.card.pooling)
            .await
    }

    /// Encodes the golden sentences whose token ids are given, in the card's order, and compares.
    ///
    /// A GPU can skip a faulty shader without an error and return old numbers, so this has to pass
    /// before a device is trusted.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] if the card has no golden sentence or no ids are given.
    pub async fn self_test(&self, ids: Vec<Vec<u32>>) -> Result<SelfTest> {
        let mut worst = 1f32;
        let mut detail = String::new();
        let mut checked = 0;
        for (golden, ids) in self.card.golden.iter().zip(ids) {
            checked += 1;
            let cosine = match self.encode_ids(&[ids]).await {
                Ok(vectors) => vectors.first().map_or(-1.0, |v| dot(v, &golden.vector)),
                Err(error) => {
                    detail = error.to_string();
                    -1.0
                }
            };
            worst = worst.min(cosine);
        }
        if checked == 0 {
            return Err(Error::corrupt("no golden sentence").in_place("card.json"));
        }
        let passed = worst >= SELF_TEST_FLOOR;
        if detail.is_empty() {
            detail = format!(
                "lowest cosine {worst:.6} over {checked} known sentences, floor {SELF_TEST_FLOOR}"
            );
        }
        Ok(SelfTest {
            passed,
            checked,
            worst_cosine: worst,
            detail,
        })
    }

    #[cfg(feature = "burn")]
    fn device_layers(&self) -> Result<&DeviceLayers> {
        match &self.layers {
            #[cfg(feature = "encoder")]
            Layers::Integer(_) => Err(Error::new(
                ErrorKind::Unsupported,
                "the layers are in integers, not on a device",
            )),
            Layers::Device(layers) => Ok(layers),
        }
    }

    fn check_lengths(&self, batch: &[impl AsRef<[u32]>]) -> Result<()> {
        let most = self.card.max_tokens;
        let wrong = batch
            .iter()
            .map(|ids| ids.as_ref().len())
            .find(|&length| length == 0 || length > most);
        match wrong {
            Some(length) => Err(Error::invalid(format!(
                "a sequence of {length} tokens, expected 1 to {most}"
            ))),
            None if batch.is_empty() => Err(Error::invalid("no sequence of tokens")),
            None => Ok(()),
        }
    }

    /// Gives the rows of the word table for some ids, one after the other: `ids × hidden` numbers.
    ///
    /// # Errors
    /// [`ErrorKind::Incompatible`] if an id lies outside the word table.
    #[cfg(feature = "encoder")]
    pub fn rows(&self, ids: &[u32]) -> Result<Vec<f32>> {
        let mut rows = Vec::with_capacity(ids.len() * self.dimensions());
        for &id in ids {
            self.words.append_row(id, &mut rows)?;
        }
        Ok(rows)
    }
}

/// Checks the weight files of a card, opens their record and takes the word table out.
fn open(card: &ModelCard, weights: Vec<u8>) -> Result<(RecordReader, WordTable)> {
    let mut start = 0usize;
    for part in &card.weights.parts {
        let end = start.saturating_add(part.bytes as usize);
        let bytes = weights.get(start..end).ok_or_else(|| {
            Error::corrupt(format!(
                "weights end at byte {}, expected {}",
                weights.len(),
                card.weights.bytes()
            ))
            .in_place(part.file.clone())
        })?;
        part.verify(bytes)?;
        start = end;
    }
    if start != weights.len() {
        return Err(Error::corrupt(format!(
            "weights are {} bytes, expected {start}",
            weights.len()
        )));
    }
    let shape = &card.architecture;
    let mut record = RecordReader::from_bytes(weights)?;
    let words = record.take("words", &[shape.vocabulary, shape.hidden])?;
    let words = WordTable::new(words, shape.vocabulary, shape.hidden);
    Ok((record, words))
}

/// Scales a vector to length 1, refusing one that has no direction.
pub(super) fn normalize(vector: &[f32]) -> Result<Vec<f32>> {
    let length = vector
        .iter()
        .map(|&x| f64::from(x) * f64::from(x))
        .sum::<f64>()
        .sqrt();
    if !length.is_finite() || length == 0.0 {
        return Err(
            Error::new(ErrorKind::Gpu, "the device gave a vector without direction")
                .in_place("encoder"),
        );
    }
    Ok(vector
        .iter()
        .map(|&x| (f64::from(x) / length) as f32)
        .collect())
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    if a.len() != b.len() {
        return -1.0;
    }
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
