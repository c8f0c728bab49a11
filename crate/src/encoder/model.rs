//! An encoder ready to use: card, tokenizer, word table and layers on a device.

use std::sync::Arc;

use burn::tensor::{Device, Tensor, TensorData};

use super::bert::{Batch, Bert};
use super::card::{ModelCard, Pooling};
use super::record::RecordReader;
use super::temporal::{ANCHOR_WIDTH, Latent, TemporalBranch, encode_anchor};
use super::words::WordTable;
use crate::text::Tokenizer;
use crate::time::DayNumber;
use crate::{Error, ErrorKind, Result};

/// What a text is to the search; some models want a different prefix for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// What a visitor types.
    Query,
    /// What a collection holds.
    Passage,
}

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

/// What an encoder knows of each token of a batch of texts, on its device.
#[derive(Clone, Debug)]
pub struct TokenStates {
    /// `[batch, tokens, hidden]`; meaningless at padded places.
    pub states: Tensor<3>,
    /// `[batch, tokens]`, 1 for a token and 0 for padding; none where nothing is padded.
    pub mask: Option<Tensor<2>>,
}

/// The cosine below which a self-test fails, for int8 weights and any device.
///
/// Source: measured, see `docs/benchmarks.md`; int8 records of MiniLM keep at least this.
pub const SELF_TEST_FLOOR: f32 = 0.999;

/// An encoder: text in, unit vectors of `dimensions` numbers out.
///
/// Cloning is cheap and shares the weights, so that each thread can hold one.
#[derive(Clone, Debug)]
pub struct Model {
    card: Arc<ModelCard>,
    tokenizer: Arc<Tokenizer>,
    words: Arc<WordTable>,
    bert: Bert,
    device: Device,
    bucket: usize,
}

impl Model {
    /// Builds an encoder on `device` from a card and the files it names.
    ///
    /// `weights` is the concatenation of the card's weight files. Both files are checked against
    /// the card's SHA-256 before anything is read from them.
    ///
    /// # Errors
    /// - [`ErrorKind::Corrupt`] if a checksum, a tensor or the tokenizer is not as it must be.
    /// - [`ErrorKind::Incompatible`] if the tokenizer has more words than the word table.
    pub async fn from_bytes(
        card: ModelCard,
        weights: Vec<u8>,
        tokenizer: &[u8],
        device: &Device,
    ) -> Result<Self> {
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
        card.tokenizer.verify(tokenizer)?;
        let tokenizer = Tokenizer::from_bytes(tokenizer, card.max_tokens)?;
        let shape = &card.architecture;
        if tokenizer.vocabulary_size() > shape.vocabulary {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "the tokenizer has {} words, the word table {} rows",
                    tokenizer.vocabulary_size(),
                    shape.vocabulary
                ),
            )
            .with_remedy("use the tokenizer the model came with"));
        }
        let mut record = RecordReader::from_bytes(weights)?;
        let words = record.take("words", &[shape.vocabulary, shape.hidden])?;
        let words = WordTable::new(words, shape.vocabulary, shape.hidden);
        let bert = Bert::from_record(shape, &mut record, device).await?;
        record.finish()?;
        Ok(Self {
            card: Arc::new(card),
            tokenizer: Arc::new(tokenizer),
            words: Arc::new(words),
            bert,
            device: device.clone(),
            bucket: 1,
        })
    }

    /// Reads a model folder (`card.json` and the files it names) for the CPU.
    ///
    /// # Errors
    /// - [`ErrorKind::Io`] if a file cannot be read.
    /// - Those of [`ModelCard::from_bytes`] and [`Model::from_bytes`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open(folder: &std::path::Path) -> Result<Self> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).map_err(|e| {
                Error::io(&path, &e).with_remedy("give a folder made by `almanac-model import`")
            })
        };
        let here = |e: Error| e.in_place(folder.display().to_string());
        let card = ModelCard::from_bytes(&read("card.json")?).map_err(here)?;
        let mut weights = Vec::new();
        for part in &card.weights.parts {
            weights.extend(read(&part.file)?);
        }
        let tokenizer = read(&card.tokenizer.file)?;
        let device = Device::flex();
        pollster::block_on(Self::from_bytes(card, weights, &tokenizer, &device)).map_err(here)
    }

    /// Pads every batch to a multiple of `tokens`, so that a GPU meets few shapes.
    #[must_use]
    pub fn with_bucket(mut self, tokens: usize) -> Self {
        self.bucket = tokens.max(1);
        self
    }

    /// Gives the model's card.
    #[must_use]
    pub fn card(&self) -> &ModelCard {
        &self.card
    }

    /// Gives the model's tokenizer.
    #[must_use]
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// Gives the dimensions of a vector.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.card.architecture.hidden
    }

    /// Gives the token ids of a text with the prefix its kind asks for.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the tokenizer fails on the text.
    pub fn ids(&self, text: &str, kind: TextKind) -> Result<Vec<u32>> {
        let prefix = match kind {
            TextKind::Query => &self.card.prefixes.query,
            TextKind::Passage => &self.card.prefixes.passage,
        };
        if prefix.is_empty() {
            self.tokenizer.ids(text)
        } else {
            self.tokenizer.ids(&format!("{prefix}{text}"))
        }
    }

    /// Encodes one text.
    ///
    /// # Errors
    /// - [`ErrorKind::Internal`] if the tokenizer fails on the text.
    /// - [`ErrorKind::Gpu`] if the device gives no or impossible numbers.
    pub async fn encode(&self, text: &str, kind: TextKind) -> Result<Vec<f32>> {
        let ids = self.ids(text, kind)?;
        let mut vectors = self.encode_ids(&[ids]).await?;
        vectors
            .pop()
            .ok_or_else(|| Error::new(ErrorKind::Internal, "no vector for the text"))
    }

    /// Encodes a batch of token sequences, each with its special tokens.
    ///
    /// Sequences of one length need no padding, which makes a vector independent of the others in
    /// its batch up to rounding; group them so where results must repeat.
    ///
    /// # Errors
    /// - [`ErrorKind::InvalidInput`] if a sequence is empty or longer than the model allows.
    /// - [`ErrorKind::Incompatible`] if an id lies outside the word table.
    /// - [`ErrorKind::Gpu`] if the device gives no or impossible numbers.
    pub async fn encode_ids(&self, batch: &[Vec<u32>]) -> Result<Vec<Vec<f32>>> {
        if batch.is_empty() {
            return Ok(Vec::new());
        }
        self.vectors(&self.token_states(batch)?).await
    }

    /// Gives the token states of a batch of token sequences, on the device.
    ///
    /// # Errors
    /// - [`ErrorKind::InvalidInput`] if the batch or a sequence is empty, or one is longer than the
    ///   model allows.
    /// - [`ErrorKind::Incompatible`] if an id lies outside the word table.
    pub fn token_states(&self, batch: &[Vec<u32>]) -> Result<TokenStates> {
        let hidden = self.dimensions();
        let lengths: Vec<usize> = batch.iter().map(Vec::len).collect();
        let most = lengths.iter().copied().max().unwrap_or(0);
        let least = lengths.iter().copied().min().unwrap_or(0);
        if least == 0 || most > self.card.max_tokens {
            return Err(Error::invalid(format!(
                "a sequence of {} tokens, expected 1 to {}",
                if least == 0 { 0 } else { most },
                self.card.max_tokens
            )));
        }
        let tokens = most.next_multiple_of(self.bucket).min(self.card.max_tokens);
        let mut words = Vec::with_capacity(batch.len() * tokens * hidden);
        for ids in batch {
            for &id in ids {
                self.words.append_row(id, &mut words)?;
            }
            words.resize(words.len() + (tokens - ids.len()) * hidden, 0.0);
        }
        let words = TensorData::new(words, [batch.len(), tokens, hidden]);
        let padded = least < tokens;
        let mask = padded.then(|| self.mask(&lengths, tokens));
        let states = self.bert.forward(Batch {
            words: Tensor::from_data(words, &self.device),
            mask: mask.clone(),
        });
        Ok(TokenStates { states, mask })
    }

    /// Pools token states to unit vectors.
    ///
    /// # Errors
    /// [`ErrorKind::Gpu`] if the device gives no or impossible numbers.
    pub async fn vectors(&self, states: &TokenStates) -> Result<Vec<Vec<f32>>> {
        let pooled = self.pool(states.states.clone(), states.mask.clone());
        let values = numbers(pooled).await?;
        values
            .chunks_exact(self.dimensions())
            .map(normalize)
            .collect()
    }

    /// Reads what a temporal branch says about texts from their token states and the days that
    /// relative dates count from, one a text.
    ///
    /// # Errors
    /// - [`ErrorKind::InvalidInput`] if there are not as many days as texts.
    /// - [`ErrorKind::Gpu`] if the device gives no or impossible numbers.
    pub async fn latents(
        &self,
        branch: &TemporalBranch,
        states: &TokenStates,
        anchors: &[DayNumber],
    ) -> Result<Vec<Latent>> {
        let [batch, _, _] = states.states.dims();
        if anchors.len() != batch {
            return Err(Error::invalid(format!(
                "{} anchor days for {batch} texts",
                anchors.len()
            )));
        }
        let encoded: Vec<f32> = anchors.iter().copied().flat_map(encode_anchor).collect();
        let encoded = TensorData::new(encoded, [batch, ANCHOR_WIDTH]);
        let latent = branch.forward(
            states.states.clone(),
            states.mask.clone(),
            Tensor::from_data(encoded, &self.device),
        );
        let means = numbers(latent.mean).await?;
        let log_variances = numbers(latent.log_variance).await?;
        let width = (means.len() / batch.max(1)).max(1);
        let pairs = means
            .chunks_exact(width)
            .zip(log_variances.chunks_exact(width));
        Ok(pairs
            .map(|(mean, log_variance)| Latent {
                mean: mean.to_vec(),
                log_variance: log_variance.to_vec(),
            })
            .collect())
    }

    /// Encodes the card's golden sentences, at most `most` of them, and compares.
    ///
    /// A GPU can skip a faulty shader without an error and return old numbers, so this has to pass
    /// before a device is trusted.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] if the card has no golden sentence.
    pub async fn self_test(&self, most: usize) -> Result<SelfTest> {
        let golden = &self.card.golden;
        if golden.is_empty() {
            return Err(Error::corrupt("no golden sentence").in_place("card.json"));
        }
        let mut worst = 1f32;
        let mut detail = String::new();
        let mut checked = 0;
        for golden in golden.iter().take(most.max(1)) {
            checked += 1;
            let cosine = match self.encode(&golden.text, TextKind::Query).await {
                Ok(vector) => dot(&vector, &golden.vector),
                Err(error) => {
                    detail = error.to_string();
                    -1.0
                }
            };
            worst = worst.min(cosine);
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

    fn mask(&self, lengths: &[usize], tokens: usize) -> Tensor<2> {
        let values = lengths
            .iter()
            .flat_map(|&length| (0..tokens).map(move |t| if t < length { 1f32 } else { 0.0 }))
            .collect::<Vec<f32>>();
        Tensor::from_data(
            TensorData::new(values, [lengths.len(), tokens]),
            &self.device,
        )
    }

    fn pool(&self, states: Tensor<3>, mask: Option<Tensor<2>>) -> Tensor<2> {
        let [batch, tokens, hidden] = states.dims();
        let pooled = match (self.card.pooling, mask) {
            (Pooling::Cls, _) => states.slice([0..batch, 0..1, 0..hidden]),
            (Pooling::Mean, None) => states.sum_dim(1) / tokens as f64,
            (Pooling::Mean, Some(mask)) => {
                let counts = mask.clone().sum_dim(1).unsqueeze_dim::<3>(2);
                (states * mask.unsqueeze_dim::<3>(2)).sum_dim(1) / counts
            }
        };
        pooled.reshape([batch, hidden])
    }
}

/// Brings a tensor's numbers from the device.
async fn numbers(tensor: Tensor<2>) -> Result<Vec<f32>> {
    let data = tensor
        .into_data_async()
        .await
        .map_err(|e| Error::new(ErrorKind::Gpu, format!("{e:?}")).in_place("encoder"))?;
    data.try_to_vec()
        .map_err(|e| Error::new(ErrorKind::Internal, format!("{e:?}")).in_place("encoder"))
}

/// Scales a vector to length 1, refusing one that has no direction.
fn normalize(vector: &[f32]) -> Result<Vec<f32>> {
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
