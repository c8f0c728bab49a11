//! The temporal branch: from a text and an anchor day to a Gaussian over days, learned.
//!
//! Rules know the ways to write a date that somebody thought of. The branch is a small network beside
//! a frozen encoder that was shown sentences with the days they mean, and reads ways it was not
//! shown. It sees each token as its row of the encoder's word table and as the number that it writes
//! ([`reading`]), and says what every number counts and how long the time is ([`readout`]). The
//! Gaussians of two texts are compared like those of intervals.
//!
//! Source: TEMPS (Hassani, Romero, Bouzeghoub and Jacquelinet), section 5.2, for the task, the
//! attention pooling and the comparison; the reading of numbers and the readout are our own.

mod card;
pub mod network;
pub mod reading;
pub mod readout;

pub use card::{BRANCH_FORMAT, BRANCH_VERSION, BranchCard, BranchShape};

use super::Network as Encoder;
use super::record::RecordReader;
use crate::search::time::Gaussian;
use crate::text::Tokenizer;
use crate::time::DayNumber;
use crate::{Error, ErrorKind, Result};
use reading::Token;

/// A trained branch.
#[derive(Clone, Debug)]
pub struct TemporalBranch {
    network: network::Network,
}

impl TemporalBranch {
    /// Builds a branch from a record's bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`], naming the tensor, if one is missing, extra, misshapen or not finite.
    pub fn from_record(shape: &BranchShape, bytes: Vec<u8>) -> Result<Self> {
        let mut record = RecordReader::from_bytes(bytes)?;
        let network = network::Network::read(shape, &mut record)?;
        record.finish()?;
        Ok(Self { network })
    }

    /// Reads the time that a text means, counted from `anchor` where it is relative.
    ///
    /// A text without a date gets a Gaussian of about 20,000 years.
    ///
    /// # Errors
    /// - [`ErrorKind::Internal`] if the tokenizer fails on the text or the numbers are impossible.
    /// - [`ErrorKind::Incompatible`] if the tokenizer is not that of the encoder.
    pub fn gaussian(
        &self,
        encoder: &Encoder,
        tokenizer: &Tokenizer,
        text: &str,
        anchor: DayNumber,
    ) -> Result<Gaussian> {
        let tokens = reading::read(tokenizer, text)?;
        let ids: Vec<u32> = tokens.iter().filter_map(|t| t.id).collect();
        self.of_tokens(&tokens, &encoder.rows(&ids)?, anchor)
    }

    /// Says what every number of a text counts, with the rows of the word table of the tokens that have
    /// an id, one after the other.
    #[must_use]
    pub fn say(&self, tokens: &[Token], rows: &[f32]) -> network::Said {
        self.network.forward(tokens, rows)
    }

    /// Reads the time of tokens, with the rows of the word table of those that have an id.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the numbers are impossible.
    pub fn of_tokens(&self, tokens: &[Token], rows: &[f32], anchor: DayNumber) -> Result<Gaussian> {
        if tokens.is_empty() {
            let nothing = readout::LENGTHS[readout::LENGTHS.len() - 1];
            return Gaussian::of_moments(readout::bases(anchor)[0], nothing).ok_or_else(impossible);
        }
        let said = self.say(tokens, rows);
        let ends = [0, 1].map(|number| {
            let (bases, lengths, shift, calendar) = &said.ends[number];
            let end = readout::End {
                bases,
                lengths,
                shift: *shift,
                calendar: *calendar,
            };
            readout::end(number, &end, tokens, &said.roles, &said.members, anchor)
        });
        let apart = 1.0 / (1.0 + (-readout::SHARPNESS * f64::from(said.apart)).exp());
        readout::join(ends, apart).ok_or_else(impossible)
    }
}

fn impossible() -> Error {
    Error::new(ErrorKind::Internal, "the branch gave no finite time").in_place("branch")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::encoder::WeightEncoding;
    use crate::index::FileRef;

    #[test]
    fn a_card_of_another_format_or_version_is_refused() {
        let card = BranchCard {
            format: BRANCH_FORMAT.to_owned(),
            version: BRANCH_VERSION + 1,
            encoder: "e".to_owned(),
            shape: BranchShape::for_hidden(8),
            encoding: WeightEncoding::Int8,
            weights: FileRef::of_bytes("branch", "bin", b"x"),
            license: "MIT OR Apache-2.0".to_owned(),
            made: Vec::new(),
            figures: Default::default(),
        };
        let bytes = |card: &BranchCard| serde_json::to_vec(card).unwrap();
        let newer = BranchCard::from_bytes(&bytes(&card)).unwrap_err();
        assert_eq!(newer.kind(), ErrorKind::Incompatible);
        let other = BranchCard {
            format: "other".to_owned(),
            ..card
        };
        let error = BranchCard::from_bytes(&bytes(&other)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
    }
}
