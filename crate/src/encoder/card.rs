//! The model card: what an encoder is, which files hold it, and how to prove it works.

use serde::{Deserialize, Serialize};

use crate::index::FileRef;
use crate::{Error, ErrorKind, Result};

/// The value of [`ModelCard::format`].
pub const CARD_FORMAT: &str = "almanac-model";
/// The newest version of the card that this library reads and the one it writes.
pub const CARD_VERSION: u32 = 1;
/// The largest weight file of a published model, 20 MiB.
pub const MAX_PART_BYTES: u64 = 20 * 1024 * 1024;
/// The largest record accepted before any of it is allocated, 2 GiB.
pub const MAX_RECORD_BYTES: u64 = 2 * 1024 * 1024 * 1024;

/// How token states become one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// The mean over all tokens of the text, special tokens included.
    Mean,
    /// The state of the first token.
    Cls,
}

/// How the numbers of a record are stored.
///
/// In integers, linear weights of any encoding are computed with as int8; on a device all are
/// computed with in float32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WeightEncoding {
    /// Four bytes a number.
    Float32,
    /// IEEE half precision, two bytes a number.
    Float16,
    /// One signed byte a number, with one float32 scale per row (embeddings) or output (linear).
    Int8,
    /// Four bits a number in linear layers, one byte in embeddings, with scales as in int8.
    Int4,
}

impl WeightEncoding {
    /// Gives the name used in files and identifiers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Float32 => "float32",
            Self::Float16 => "float16",
            Self::Int8 => "int8",
            Self::Int4 => "int4",
        }
    }
}

/// The shape of a BERT encoder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Architecture {
    /// Words in the vocabulary, rows of the word table.
    pub vocabulary: usize,
    /// Width of a token state, and dimensions of the vector.
    pub hidden: usize,
    /// Transformer layers.
    pub layers: usize,
    /// Attention heads; divides `hidden`.
    pub heads: usize,
    /// Width inside the feed-forward part.
    pub intermediate: usize,
    /// Positions with an embedding, an upper bound of the tokens of a text.
    pub positions: usize,
    /// Position of the first token: 0 for BERT, 2 for models of the RoBERTa family.
    #[serde(default)]
    pub first_position: usize,
    /// Segment types with an embedding.
    pub token_types: usize,
    /// Constant under the root of the layer norms (BERT: 1e-12).
    pub layer_norm_epsilon: f64,
}

/// Texts that a model wants before what it encodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefixes {
    /// Put before a query, such as `query: `.
    #[serde(default)]
    pub query: String,
    /// Put before a passage, such as `passage: `.
    #[serde(default)]
    pub passage: String,
}

/// Where the weights lie and how they are stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeightFiles {
    /// How numbers are stored.
    pub encoding: WeightEncoding,
    /// The record's files; their bytes one after the other are one burnpack container.
    pub parts: Vec<FileRef>,
}

impl WeightFiles {
    /// Gives the bytes of the whole record.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes).sum()
    }
}

/// A sentence with the vector the original float32 weights give for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Golden {
    /// The sentence, encoded as a query.
    pub text: String,
    /// Its unit-length vector.
    pub vector: Vec<f32>,
}

/// Describes one encoder: shape, files, and golden sentences to test it by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCard {
    /// Always [`CARD_FORMAT`].
    pub format: String,
    /// Version of this description, at most [`CARD_VERSION`].
    pub version: u32,
    /// Names weights and tokenizer exactly: an index works with the model of the same id only.
    pub id: String,
    /// The model's name as people know it.
    pub name: String,
    /// Licence of the weights, as an SPDX expression or a sentence.
    #[serde(default)]
    pub license: Option<String>,
    /// SHA-256 of the weight file the record was made from.
    #[serde(default)]
    pub source_sha256: Option<String>,
    /// Shape of the encoder.
    pub architecture: Architecture,
    /// How token states become one vector.
    pub pooling: Pooling,
    /// Texts put before queries and passages.
    #[serde(default)]
    pub prefixes: Prefixes,
    /// Most tokens of a text, special tokens included.
    pub max_tokens: usize,
    /// The weights.
    pub weights: WeightFiles,
    /// The `tokenizer.json`.
    pub tokenizer: FileRef,
    /// Sentences whose vectors are known.
    pub golden: Vec<Golden>,
}

impl ModelCard {
    /// Reads and checks a card.
    ///
    /// # Errors
    /// - [`ErrorKind::Corrupt`] if the bytes are not a card, or its numbers contradict each other.
    /// - [`ErrorKind::Unsupported`] if the card is of a newer version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::parse(bytes).map_err(|e| e.in_place("card.json"))
    }

    fn parse(bytes: &[u8]) -> Result<Self> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        let head: Head = serde_json::from_slice(bytes)
            .map_err(|e| Error::corrupt(format!("not a model card: {e}")))?;
        if head.format != CARD_FORMAT {
            return Err(Error::corrupt(format!(
                "format is {:?}, expected {CARD_FORMAT:?}",
                head.format
            )));
        }
        if head.version > CARD_VERSION {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!(
                    "card version {}, this release reads up to {CARD_VERSION}",
                    head.version
                ),
            )
            .with_remedy("update Almanac or import the model again"));
        }
        let card: Self =
            serde_json::from_slice(bytes).map_err(|e| Error::corrupt(e.to_string()))?;
        card.check()?;
        Ok(card)
    }

    fn check(&self) -> Result<()> {
        let shape = &self.architecture;
        let bounded = [
            ("vocabulary", shape.vocabulary, 4_000_000),
            ("hidden", shape.hidden, 8_192),
            ("layers", shape.layers, 128),
            ("heads", shape.heads, 256),
            ("intermediate", shape.intermediate, 65_536),
            ("positions", shape.positions, 65_536),
            ("token_types", shape.token_types, 64),
            ("max_tokens", self.max_tokens, 65_536),
        ];
        for (name, value, most) in bounded {
            if value == 0 || value > most {
                return Err(Error::corrupt(format!(
                    "{name} is {value}, expected 1 to {most}"
                )));
            }
        }
        if !shape.hidden.is_multiple_of(shape.heads) {
            return Err(Error::corrupt(format!(
                "hidden {} is not a multiple of heads {}",
                shape.hidden, shape.heads
            )));
        }
        if self.max_tokens.saturating_add(shape.first_position) > shape.positions {
            return Err(Error::corrupt(format!(
                "max_tokens {} does not fit {} positions from {}",
                self.max_tokens, shape.positions, shape.first_position
            )));
        }
        if !(shape.layer_norm_epsilon > 0.0 && shape.layer_norm_epsilon < 1.0) {
            return Err(Error::corrupt(format!(
                "layer_norm_epsilon is {}, expected between 0 and 1",
                shape.layer_norm_epsilon
            )));
        }
        for file in self.weights.parts.iter().chain([&self.tokenizer]) {
            file.check()?;
        }
        let record = self
            .weights
            .parts
            .iter()
            .fold(0u64, |sum, part| sum.saturating_add(part.bytes));
        if record > MAX_RECORD_BYTES {
            return Err(Error::corrupt(format!(
                "record of {record} bytes, expected at most {MAX_RECORD_BYTES}"
            )));
        }
        for golden in &self.golden {
            if golden.vector.len() != shape.hidden {
                return Err(Error::corrupt(format!(
                    "golden vector of {:?} has {} dimensions, expected {}",
                    golden.text,
                    golden.vector.len(),
                    shape.hidden
                )));
            }
        }
        Ok(())
    }
}
