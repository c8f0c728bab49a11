//! An encoder ready to use: a network and the tokenizer that feeds it.

use std::sync::Arc;

use super::card::ModelCard;
#[cfg(feature = "burn")]
use super::device::TokenStates;
use super::network::{Network, SelfTest};
use crate::text::Tokenizer;
use crate::{Error, ErrorKind, Result};

/// What a text is to the search; some models want a different prefix for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// What a visitor types.
    Query,
    /// What a collection holds.
    Passage,
}

/// An encoder: text in, unit vectors of `dimensions` numbers out.
///
/// Cloning is cheap and shares the weights, so that each thread can hold one.
#[derive(Clone, Debug)]
pub struct Model {
    tokenizer: Arc<Tokenizer>,
    network: Network,
}

impl Model {
    /// Builds an encoder that computes in integers on the CPU, from a card and the files it names.
    ///
    /// `weights` is the concatenation of the card's weight files. Both files are checked against
    /// the card's SHA-256 before anything is read from them. Records of float32 or float16 are
    /// quantized to int8.
    ///
    /// # Errors
    /// - [`ErrorKind::Corrupt`] if a checksum, a tensor or the tokenizer is not as it must be.
    /// - [`ErrorKind::Incompatible`] if the tokenizer has more words than the word table.
    pub fn integer(card: ModelCard, weights: Vec<u8>, tokenizer: &[u8]) -> Result<Self> {
        let tokenizer = read_tokenizer(&card, tokenizer)?;
        Ok(Self {
            tokenizer,
            network: Network::integer(card, weights)?,
        })
    }

    /// Builds an encoder that computes in float32 on `device`, as [`Self::integer`] otherwise.
    ///
    /// # Errors
    /// - Those of [`Self::integer`].
    /// - [`ErrorKind::Gpu`] if the device does not take the numbers.
    #[cfg(feature = "burn")]
    pub async fn from_bytes(
        card: ModelCard,
        weights: Vec<u8>,
        tokenizer: &[u8],
        device: &burn::tensor::Device,
    ) -> Result<Self> {
        let tokenizer = read_tokenizer(&card, tokenizer)?;
        Ok(Self {
            tokenizer,
            network: Network::on_device(card, weights, device).await?,
        })
    }

    /// Reads a model folder (`card.json` and the files it names) for the CPU, in float32.
    ///
    /// # Errors
    /// - [`ErrorKind::Io`] if a file cannot be read.
    /// - Those of [`ModelCard::from_bytes`] and [`Model::from_bytes`].
    #[cfg(all(feature = "flex", not(target_arch = "wasm32")))]
    pub fn open(folder: &std::path::Path) -> Result<Self> {
        let (card, weights, tokenizer) = read_folder(folder)?;
        let device = burn::tensor::Device::flex();
        pollster::block_on(Self::from_bytes(card, weights, &tokenizer, &device))
            .map_err(|e| e.in_place(folder.display().to_string()))
    }

    /// Reads a model folder for the CPU, in integers: what visitors' browsers compute.
    ///
    /// # Errors
    /// - [`ErrorKind::Io`] if a file cannot be read.
    /// - Those of [`ModelCard::from_bytes`] and [`Model::integer`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open_integer(folder: &std::path::Path) -> Result<Self> {
        let (card, weights, tokenizer) = read_folder(folder)?;
        Self::integer(card, weights, &tokenizer)
            .map_err(|e| e.in_place(folder.display().to_string()))
    }

    /// Pads every batch to a multiple of `tokens`, so that a GPU meets few shapes.
    #[cfg(feature = "burn")]
    #[must_use]
    pub fn with_bucket(mut self, tokens: usize) -> Self {
        self.network = self.network.with_bucket(tokens);
        self
    }

    /// Gives the model's card.
    #[must_use]
    pub fn card(&self) -> &ModelCard {
        self.network.card()
    }

    /// Gives the model's tokenizer.
    #[must_use]
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// Gives the word table and the layers.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Gives the dimensions of a vector.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.network.dimensions()
    }

    /// Gives the token ids of a text with the prefix its kind asks for.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the tokenizer fails on the text.
    pub fn ids(&self, text: &str, kind: TextKind) -> Result<Vec<u32>> {
        let prefixes = &self.card().prefixes;
        let prefix = match kind {
            TextKind::Query => &prefixes.query,
            TextKind::Passage => &prefixes.passage,
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
    /// # Errors
    /// Those of [`Network::encode_ids`].
    pub async fn encode_ids(&self, batch: &[Vec<u32>]) -> Result<Vec<Vec<f32>>> {
        self.network.encode_ids(batch).await
    }

    /// Gives the token states of a batch of token sequences, on the device.
    ///
    /// # Errors
    /// Those of [`Network::token_states`].
    #[cfg(feature = "burn")]
    pub fn token_states(&self, batch: &[Vec<u32>]) -> Result<TokenStates> {
        self.network.token_states(batch)
    }

    /// Pools token states to unit vectors.
    ///
    /// # Errors
    /// Those of [`Network::vectors`].
    #[cfg(feature = "burn")]
    pub async fn vectors(&self, states: &TokenStates) -> Result<Vec<Vec<f32>>> {
        self.network.vectors(states).await
    }

    /// Gives the token ids of the card's golden sentences, at most `most` of them.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the tokenizer fails on one.
    pub fn golden_ids(&self, most: usize) -> Result<Vec<Vec<u32>>> {
        let golden = self.card().golden.iter().take(most.max(1));
        golden
            .map(|golden| self.ids(&golden.text, TextKind::Query))
            .collect()
    }

    /// Encodes the card's golden sentences, at most `most` of them, and compares.
    ///
    /// # Errors
    /// - [`ErrorKind::Corrupt`] if the card has no golden sentence.
    /// - [`ErrorKind::Internal`] if the tokenizer fails on one.
    pub async fn self_test(&self, most: usize) -> Result<SelfTest> {
        self.network.self_test(self.golden_ids(most)?).await
    }
}

fn read_tokenizer(card: &ModelCard, bytes: &[u8]) -> Result<Arc<Tokenizer>> {
    card.tokenizer.verify(bytes)?;
    let tokenizer = Tokenizer::from_bytes(bytes, card.max_tokens)?;
    let rows = card.architecture.vocabulary;
    if tokenizer.vocabulary_size() > rows {
        return Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "the tokenizer has {} words, the word table {rows} rows",
                tokenizer.vocabulary_size()
            ),
        )
        .with_remedy("use the tokenizer the model came with"));
    }
    Ok(Arc::new(tokenizer))
}

/// Card, concatenated weights and tokenizer of a model folder.
#[cfg(not(target_arch = "wasm32"))]
fn read_folder(folder: &std::path::Path) -> Result<(ModelCard, Vec<u8>, Vec<u8>)> {
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read(&path).map_err(|e| {
            Error::io(&path, &e).with_remedy("give a folder made by `almanac-model import`")
        })
    };
    let card = ModelCard::from_bytes(&read("card.json")?)
        .map_err(|e| e.in_place(folder.display().to_string()))?;
    let mut weights = Vec::new();
    for part in &card.weights.parts {
        weights.extend(read(&part.file)?);
    }
    let tokenizer = read(&card.tokenizer.file)?;
    Ok((card, weights, tokenizer))
}
