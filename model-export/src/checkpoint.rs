//! The tensors of a published model: `model.safetensors` or `pytorch_model.bin`.

use std::collections::BTreeMap;
use std::path::Path;

use almanac::index::sha256_hex;
use almanac::{Error, ErrorKind, Result};
use half::{bf16, f16};
use pytorch_reader::PytorchReader;
use safetensors::{Dtype, SafeTensors};

use crate::fault;

const SAFETENSORS: &str = "model.safetensors";
const PYTORCH: &str = "pytorch_model.bin";

/// A weight file in memory, read tensor by tensor.
pub(crate) struct Checkpoint {
    file: &'static str,
    sha256: String,
    entries: BTreeMap<String, Entry>,
    source: Bytes,
}

/// What the file says of one tensor.
pub(crate) struct Entry {
    kind: Kind,
    shape: Vec<usize>,
}

/// How the numbers of a tensor are stored.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Float32,
    Float16,
    BFloat16,
    Other(String),
}

enum Bytes {
    Safetensors(Vec<u8>),
    Pytorch(PytorchReader),
}

impl Checkpoint {
    /// Reads the weight file of a model folder, safetensors first.
    ///
    /// A PyTorch file is parsed as data; nothing in it is executed.
    ///
    /// # Errors
    /// - [`ErrorKind::Io`] if there is no weight file or it cannot be read.
    /// - [`ErrorKind::Corrupt`] if the file is truncated or not of its format.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let safetensors = folder.join(SAFETENSORS);
        if let Some(bytes) = fault::read_if_present(&safetensors)? {
            return Self::from_safetensors(bytes)
                .map_err(|e| e.in_place(safetensors.display().to_string()));
        }
        let pytorch = folder.join(PYTORCH);
        if pytorch.exists() {
            return Self::from_pytorch(&pytorch)
                .map_err(|e| e.in_place(pytorch.display().to_string()));
        }
        Err(Error::new(
            ErrorKind::Io,
            format!("neither {SAFETENSORS} nor {PYTORCH}"),
        )
        .in_place(folder.display().to_string())
        .with_remedy("give a Hugging Face directory with its weights in one file"))
    }

    fn from_safetensors(bytes: Vec<u8>) -> Result<Self> {
        let entries = SafeTensors::deserialize(&bytes)
            .map_err(|e| {
                fault::corrupt(format!("not a whole safetensors file: {e}"))
                    .with_remedy("download it again")
            })?
            .iter()
            .map(|(name, view)| {
                let kind = match view.dtype() {
                    Dtype::F32 => Kind::Float32,
                    Dtype::F16 => Kind::Float16,
                    Dtype::BF16 => Kind::BFloat16,
                    other => Kind::Other(format!("{other:?}")),
                };
                let shape = view.shape().to_vec();
                (name.to_owned(), Entry { kind, shape })
            })
            .collect();
        Ok(Self {
            file: SAFETENSORS,
            sha256: sha256_hex(&bytes),
            entries,
            source: Bytes::Safetensors(bytes),
        })
    }

    fn from_pytorch(path: &Path) -> Result<Self> {
        let sha256 = sha256_hex(&fault::read(path)?);
        let reader = PytorchReader::new(path).map_err(|e| {
            fault::corrupt(format!("not a whole PyTorch file: {e}"))
                .with_remedy("download it again")
        })?;
        let entries = reader
            .tensors()
            .iter()
            .map(|(name, tensor)| {
                let kind = match tensor.dtype() {
                    pytorch_reader::DType::F32 => Kind::Float32,
                    pytorch_reader::DType::F16 => Kind::Float16,
                    pytorch_reader::DType::BF16 => Kind::BFloat16,
                    other => Kind::Other(format!("{other:?}")),
                };
                let shape = tensor.shape().to_vec();
                (name.clone(), Entry { kind, shape })
            })
            .collect();
        Ok(Self {
            file: PYTORCH,
            sha256,
            entries,
            source: Bytes::Pytorch(reader),
        })
    }

    /// Gives the SHA-256 of the weight file.
    pub(crate) fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Gives the names of all tensors, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Says whether the file holds a tensor.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// Gives the shape of a tensor, if the file holds it.
    pub(crate) fn shape(&self, name: &str) -> Option<Vec<usize>> {
        self.entries.get(name).map(|entry| entry.shape.clone())
    }

    /// Adds file and tensor to an error.
    pub(crate) fn in_tensor(&self, name: &str, error: Error) -> Error {
        error.in_place(format!("tensor {name}")).in_place(self.file)
    }

    /// Checks, without reading a number, that a tensor is there in the shape the model needs.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`], naming the tensor, if it is missing or has another shape;
    /// [`ErrorKind::Unsupported`] if its numbers are not floats of 16 or 32 bits.
    pub(crate) fn check(&self, name: &str, shape: &[usize]) -> Result<()> {
        let found = self.entries.get(name).ok_or_else(|| {
            self.in_tensor(
                name,
                fault::corrupt("is missing")
                    .with_remedy("check that config.json is of the same model"),
            )
        })?;
        if found.shape != shape {
            return Err(self.in_tensor(
                name,
                fault::corrupt(format!(
                    "shape is {:?}, config.json asks for {shape:?}",
                    found.shape
                )),
            ));
        }
        if let Kind::Other(kind) = &found.kind {
            return Err(self.in_tensor(
                name,
                fault::unsupported(format!("numbers are {kind}, expected F32, F16 or BF16")),
            ));
        }
        Ok(())
    }

    /// Reads a tensor as float32, row-major.
    ///
    /// # Errors
    /// As [`Self::check`]; [`ErrorKind::Corrupt`] too if it holds NaN or infinity.
    pub(crate) fn read(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        self.check(name, shape)?;
        let values = self
            .values(name)
            .map_err(|message| self.in_tensor(name, fault::corrupt(message)))?;
        if let Some(place) = values.iter().position(|v| !v.is_finite()) {
            return Err(self.in_tensor(
                name,
                fault::corrupt(format!(
                    "number {place} is {}, expected a finite number",
                    values[place]
                )),
            ));
        }
        Ok(values)
    }

    fn values(&self, name: &str) -> Result<Vec<f32>, String> {
        let kind = match self.entries.get(name) {
            Some(entry) => &entry.kind,
            None => return Err("is missing".to_owned()),
        };
        match &self.source {
            Bytes::Safetensors(bytes) => SafeTensors::deserialize(bytes)
                .and_then(|file| file.tensor(name).map(|view| widen(kind, view.data())))
                .map_err(|e| e.to_string()),
            Bytes::Pytorch(reader) => reader
                .get(name)
                .ok_or_else(|| "is missing".to_owned())?
                .read()
                .map(|bytes| widen(kind, &bytes))
                .map_err(|e| e.to_string()),
        }
    }
}

/// Widens little-endian numbers to float32, which is exact for all three kinds.
fn widen(kind: &Kind, bytes: &[u8]) -> Vec<f32> {
    match kind {
        Kind::Float32 => bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect(),
        Kind::Float16 => bytes
            .chunks_exact(2)
            .map(|b| f16::from_le_bytes([b[0], b[1]]).to_f32())
            .collect(),
        Kind::BFloat16 => bytes
            .chunks_exact(2)
            .map(|b| bf16::from_le_bytes([b[0], b[1]]).to_f32())
            .collect(),
        Kind::Other(_) => Vec::new(),
    }
}
