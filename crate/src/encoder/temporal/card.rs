//! The card of a temporal branch.

use serde::{Deserialize, Serialize};

use super::super::card::WeightEncoding;
use super::TemporalBranch;
use crate::index::FileRef;
use crate::{Error, ErrorKind, Result};

/// The value of [`BranchCard::format`].
pub const BRANCH_FORMAT: &str = "almanac-temporal-branch";
/// The newest version of the card that this library reads and the one it writes.
pub const BRANCH_VERSION: u32 = 3;

/// The shape of a temporal branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BranchShape {
    /// Width of a row of the encoder's word table.
    pub hidden: usize,
    /// Width of the network.
    pub width: usize,
    /// Width inside its layers.
    pub feed: usize,
    /// Its layers.
    pub layers: usize,
}

impl BranchShape {
    /// The shape for an encoder with word rows of `hidden` numbers.
    #[must_use]
    pub fn for_hidden(hidden: usize) -> Self {
        Self {
            hidden,
            width: 96,
            feed: 192,
            layers: 2,
        }
    }
}

/// What a temporal branch is, which encoder it belongs to, and how it was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BranchCard {
    /// Always [`BRANCH_FORMAT`].
    pub format: String,
    /// Version of this description, at most [`BRANCH_VERSION`].
    pub version: u32,
    /// The name of the encoder whose word table it reads.
    pub encoder: String,
    /// Its shape.
    pub shape: BranchShape,
    /// How its numbers are stored.
    pub encoding: WeightEncoding,
    /// The file with its numbers.
    pub weights: FileRef,
    /// Licence of the weights.
    pub license: String,
    /// How it was made, one line an item.
    pub made: Vec<String>,
    /// What was measured, by name.
    pub figures: std::collections::BTreeMap<String, f64>,
}

impl BranchCard {
    /// Reads a card.
    ///
    /// # Errors
    /// - [`ErrorKind::Corrupt`] if the bytes are no card.
    /// - [`ErrorKind::Incompatible`] if it is of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let corrupt = |e: serde_json::Error| Error::corrupt(e.to_string()).in_place("branch.json");
        let any: serde_json::Value = serde_json::from_slice(bytes).map_err(corrupt)?;
        let format = any.get("format").and_then(serde_json::Value::as_str);
        if format != Some(BRANCH_FORMAT) {
            return Err(Error::corrupt(format!(
                "format is {format:?}, expected {BRANCH_FORMAT:?}"
            ))
            .in_place("branch.json"));
        }
        let version = any.get("version").and_then(serde_json::Value::as_u64);
        if version != Some(BRANCH_VERSION.into()) {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!("version is {version:?}, this library reads {BRANCH_VERSION}"),
            )
            .in_place("branch.json")
            .with_remedy("use the branch that came with this release"));
        }
        let card: Self = serde_json::from_value(any).map_err(corrupt)?;
        card.weights.check()?;
        Ok(card)
    }

    /// Builds the branch from the bytes of the file the card names.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] if the checksum or a tensor is not as it must be.
    pub fn branch(&self, weights: Vec<u8>) -> Result<TemporalBranch> {
        self.weights.verify(&weights)?;
        TemporalBranch::from_record(&self.shape, weights)
    }

    /// Reads a branch folder (`branch.json` and the file it names).
    ///
    /// # Errors
    /// - [`ErrorKind::Io`] if a file cannot be read.
    /// - Those of [`Self::from_bytes`] and [`Self::branch`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open(folder: &std::path::Path) -> Result<(Self, TemporalBranch)> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).map_err(|e| Error::io(&path, &e))
        };
        let card = Self::from_bytes(&read("branch.json")?)?;
        let branch = card.branch(read(&card.weights.file)?)?;
        Ok((card, branch))
    }
}
