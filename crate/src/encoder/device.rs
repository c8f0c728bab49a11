//! The layers in float32 on one of Burn's devices.

use burn::tensor::{Device, Tensor, TensorData};

use super::bert::{Batch, Bert};
use super::card::{ModelCard, Pooling};
use super::network::normalize;
use super::record::RecordReader;
use super::words::WordTable;
use crate::{Error, ErrorKind, Result};

/// What an encoder knows of each token of a batch of texts, on its device.
#[derive(Clone, Debug)]
pub struct TokenStates {
    /// `[batch, tokens, hidden]`; meaningless at padded places.
    pub states: Tensor<3>,
    /// `[batch, tokens]`, 1 for a token and 0 for padding; none where nothing is padded.
    pub mask: Option<Tensor<2>>,
}

/// The layers, where they are, and to what lengths their batches are padded.
#[derive(Clone, Debug)]
pub(super) struct DeviceLayers {
    bert: Bert,
    device: Device,
    bucket: usize,
}

impl DeviceLayers {
    /// Builds the layers from a record.
    ///
    /// # Errors
    /// Those of [`Bert::from_record`].
    pub(super) async fn from_record(
        card: &ModelCard,
        record: &mut RecordReader,
        device: &Device,
    ) -> Result<Self> {
        Ok(Self {
            bert: Bert::from_record(&card.architecture, record, device).await?,
            device: device.clone(),
            bucket: 1,
        })
    }

    /// Pads every batch to a multiple of `tokens` from now on.
    pub(super) fn set_bucket(&mut self, tokens: usize) {
        self.bucket = tokens.max(1);
    }

    /// Gives the token states of a batch whose lengths are within the card's.
    ///
    /// # Errors
    /// [`ErrorKind::Incompatible`] if an id lies outside the word table.
    pub(super) fn token_states(
        &self,
        table: &WordTable,
        card: &ModelCard,
        batch: &[Vec<u32>],
    ) -> Result<TokenStates> {
        let hidden = card.architecture.hidden;
        let lengths: Vec<usize> = batch.iter().map(Vec::len).collect();
        let most = lengths.iter().copied().max().unwrap_or(0);
        let least = lengths.iter().copied().min().unwrap_or(0);
        let tokens = most.next_multiple_of(self.bucket).min(card.max_tokens);
        let mut words = Vec::with_capacity(batch.len() * tokens * hidden);
        for ids in batch {
            for &id in ids {
                table.append_row(id, &mut words)?;
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
    pub(super) async fn vectors(
        &self,
        states: &TokenStates,
        pooling: Pooling,
    ) -> Result<Vec<Vec<f32>>> {
        let [_, _, hidden] = states.states.dims();
        let pooled = pool(states.states.clone(), states.mask.clone(), pooling);
        let values = numbers(pooled).await?;
        values.chunks_exact(hidden).map(normalize).collect()
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
}

fn pool(states: Tensor<3>, mask: Option<Tensor<2>>, pooling: Pooling) -> Tensor<2> {
    let [batch, tokens, hidden] = states.dims();
    let pooled = match (pooling, mask) {
        (Pooling::Cls, _) => states.slice([0..batch, 0..1, 0..hidden]),
        (Pooling::Mean, None) => states.sum_dim(1) / tokens as f64,
        (Pooling::Mean, Some(mask)) => {
            let counts = mask.clone().sum_dim(1).unsqueeze_dim::<3>(2);
            (states * mask.unsqueeze_dim::<3>(2)).sum_dim(1) / counts
        }
    };
    pooled.reshape([batch, hidden])
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
