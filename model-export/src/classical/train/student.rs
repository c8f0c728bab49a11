//! The encoder being trained: word table and layers under automatic differentiation.

use std::path::Path;

use almanac::encoder::record::RecordReader;
use almanac::encoder::{Architecture, Batch, Bert, Model, ModelCard, WeightEncoding};
use almanac::{Error, ErrorKind, Result};
use burn::module::{Module, ModuleVisitor, Param};
use burn::optim::GradientsParams;
use burn::tensor::{Device, Int, Tensor, TensorData};

use crate::{export, store};

/// An encoder whose numbers can all be learned.
#[derive(Module, Debug)]
pub(super) struct Student {
    /// `[vocabulary, hidden]`
    words: Param<Tensor<2>>,
    bert: Bert,
}

/// What a student is made from and published with.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) card: ModelCard,
    pub(super) tokenizer: Vec<u8>,
}

/// The part of a module path that stands before the names of a record.
const LAYERS: &str = "bert.";

impl Student {
    /// Reads a model folder with float32 weights.
    ///
    /// # Errors
    /// - Those of reading and checking the files.
    /// - [`ErrorKind::InvalidInput`] if the weights are not float32.
    pub(super) fn open(folder: &Path, device: &Device) -> Result<(Self, Frame)> {
        let (card, weights, tokenizer) = export::read(folder)?;
        let student = Self::from_record(&card.architecture, weights, device)?;
        Ok((student, Frame { card, tokenizer }))
    }

    /// Builds a student from a float32 record.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`], naming the tensor, if one is missing, extra, misshapen or not finite.
    pub(super) fn from_record(
        shape: &Architecture,
        weights: Vec<u8>,
        device: &Device,
    ) -> Result<Self> {
        let mut record = RecordReader::from_bytes(weights)?;
        let size = [shape.vocabulary, shape.hidden];
        let words = TensorData::new(record.take_float32("words", &size)?, size);
        let bert = pollster::block_on(Bert::from_record(shape, &mut record, device))?;
        record.finish()?;
        Ok(Self {
            words: Param::from_tensor(Tensor::from_data(words, device)),
            bert,
        })
    }

    #[cfg(test)]
    pub(super) fn with_words(mut self, words: Vec<f32>, device: &Device) -> Self {
        let size = self.words.val().dims();
        let words = Tensor::from_data(TensorData::new(words, size), device);
        self.words = Param::from_tensor(words);
        self
    }

    /// Gives the vectors, of length 1, of token sequences, `[texts, hidden]`: the mean over the
    /// token states.
    pub(super) fn forward(&self, batch: &[&[u32]], device: &Device) -> Tensor<2> {
        let rows = batch.len();
        let tokens = batch.iter().map(|ids| ids.len()).max().unwrap_or(1);
        let mut places = Vec::with_capacity(rows * tokens);
        let mut mask = Vec::with_capacity(rows * tokens);
        for ids in batch {
            places.extend(ids.iter().map(|id| i64::from(*id)));
            places.resize(places.len() + tokens - ids.len(), 0);
            mask.extend((0..tokens).map(|t| f32::from(u8::from(t < ids.len()))));
        }
        let padded = mask.contains(&0.0);
        let places = Tensor::<1, Int>::from_data(TensorData::new(places, [rows * tokens]), device);
        let words = self.words.val().select(0, places);
        let [_, hidden] = words.dims();
        let mask = Tensor::<2>::from_data(TensorData::new(mask, [rows, tokens]), device);
        let states = self.bert.forward(Batch {
            words: words.reshape([rows, tokens, hidden]),
            mask: padded.then(|| mask.clone()),
        });
        let pooled = if padded {
            let counts = mask.clone().sum_dim(1);
            (states * mask.unsqueeze_dim::<3>(2))
                .sum_dim(1)
                .reshape([rows, hidden])
                / counts
        } else {
            states.mean_dim(1).reshape([rows, hidden])
        };
        let length = (pooled.clone() * pooled.clone()).sum_dim(1).sqrt();
        pooled / length
    }

    /// Splits gradients by layer: first those of the embeddings, then those of each layer.
    pub(super) fn by_layer(
        &self,
        gradients: GradientsParams,
        layers: usize,
    ) -> Vec<GradientsParams> {
        let mut split = SplitByLayer {
            gradients,
            path: Vec::new(),
            parts: (0..=layers).map(|_| GradientsParams::new()).collect(),
        };
        self.visit(&mut split);
        split.parts
    }

    /// Writes the weights as a record that the encoder reads.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the numbers cannot be laid out.
    pub(super) fn to_record(
        &self,
        shape: &Architecture,
        encoding: WeightEncoding,
    ) -> Result<Vec<u8>> {
        let bytes = self
            .clone()
            .into_record()
            .into_bytes()
            .map_err(|e| Error::new(ErrorKind::Internal, format!("{e:?}")))?;
        let mut record = RecordReader::from_bytes(bytes.to_vec())?;
        export::encode(shape, encoding, |name, size| match name {
            "words" => record.take_float32(name, size),
            _ => record.take_float32(&format!("{LAYERS}{name}"), size),
        })
    }
}

/// Moves each gradient to the part of the layer in whose path its parameter stands.
struct SplitByLayer {
    gradients: GradientsParams,
    path: Vec<String>,
    parts: Vec<GradientsParams>,
}

impl ModuleVisitor for SplitByLayer {
    fn enter_module(&mut self, name: &str, _: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _: &str, _: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let after = self.path.iter().skip_while(|name| *name != "layers").nth(1);
        let layer = after
            .and_then(|name| name.parse::<usize>().ok())
            .map_or(0, |number| number + 1);
        if let (Some(gradient), Some(part)) = (
            self.gradients.remove::<D>(param.id),
            self.parts.get_mut(layer),
        ) {
            part.register::<D>(param.id, gradient);
        }
    }
}

impl Frame {
    /// Gives the student as an encoder, in memory, with its weights in an encoding.
    ///
    /// # Errors
    /// Those of [`Student::to_record`] and [`Model::from_bytes`].
    pub(super) fn model(&self, student: &Student, encoding: WeightEncoding) -> Result<Model> {
        let weights = student.to_record(&self.card.architecture, encoding)?;
        let mut card = self.card.clone();
        card.weights.encoding = encoding;
        card.weights.parts = store::parts(&weights);
        card.id = almanac::index::sha256_hex(&weights);
        pollster::block_on(Model::from_bytes(
            card,
            weights,
            &self.tokenizer,
            &Device::flex(),
        ))
    }
}
