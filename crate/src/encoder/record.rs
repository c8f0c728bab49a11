//! The weight record: a burnpack container whose numbers may be float32, float16, int8 or int4.
//!
//! Names are those of the Burn module and linear weights lie as `[input, output]`, so a float32
//! record is an ordinary Burn record. An int8 tensor `x` has a companion `x.scale` (float32) of
//! shape `[rows, 1]` or `[blocks, columns]`, a block being [`BLOCK_ROWS`] rows and the last perhaps
//! fewer; its value is `code * scale`. An int4 record keeps embedding tables in int8 and packs its linear
//! weights in bytes of shape `[rows, columns / 2]`, rounded up: the code of an even column plus 8 in the
//! low four bits, that of the next in the high ones, with scales by block as in int8.

use std::collections::BTreeMap;

use burn_pack::{Bytes, DType, Reader, Tensor as Packed, Writer};
use half::f16;

use super::card::WeightEncoding;
use crate::index::int8_code;
use crate::{Error, ErrorKind, Result};

/// Rows of a linear weight that share the scale of their column in an int8 record.
///
/// A single large weight coarsens only its own block. Source: measured on MiniLM, whose down
/// projections have weights of 38 standard deviations; see `docs/decisions.md`.
pub const BLOCK_ROWS: usize = 64;

/// Along which axis the numbers of a matrix share a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScaleAxis {
    /// One scale a row: embedding tables, one row a word.
    Row,
    /// One scale a column and block of [`BLOCK_ROWS`] rows: linear weights as `[input, output]`.
    Column,
}

/// Numbers as they lie in a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Plain float32.
    Float32(Vec<f32>),
    /// Half precision.
    Float16(Vec<f16>),
    /// Signed bytes with a scale per row (`rows` scales).
    Int8Rows(Vec<i8>, Vec<f32>),
    /// Signed bytes with a scale per column and block of [`BLOCK_ROWS`] rows, block after block.
    Int8Columns(Vec<i8>, Vec<f32>),
}

impl Numbers {
    /// Expands to float32; `columns` is the length of a row.
    #[must_use]
    pub fn into_float32(self, columns: usize) -> Vec<f32> {
        match self {
            Self::Float32(values) => values,
            Self::Float16(values) => values.iter().map(|v| v.to_f32()).collect(),
            Self::Int8Rows(codes, scales) => codes
                .chunks_exact(columns.max(1))
                .zip(&scales)
                .flat_map(|(row, &scale)| row.iter().map(move |&c| f32::from(c) * scale))
                .collect(),
            Self::Int8Columns(codes, scales) => codes
                .chunks(columns.max(1) * BLOCK_ROWS)
                .zip(scales.chunks_exact(columns.max(1)))
                .flat_map(|(block, scales)| {
                    block
                        .iter()
                        .zip(scales.iter().cycle())
                        .map(|(&c, &s)| f32::from(c) * s)
                })
                .collect(),
        }
    }
}

/// A matrix of signed bytes with a scale per column and block of [`BLOCK_ROWS`] rows.
#[cfg(feature = "encoder")]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Int8Matrix {
    /// Row after row.
    pub(crate) codes: Vec<i8>,
    /// Block after block.
    pub(crate) scales: Vec<f32>,
}

/// Reads a record tensor by tensor, and at its end knows which were never asked for.
pub struct RecordReader {
    tensors: BTreeMap<String, Packed>,
}

impl RecordReader {
    /// Opens a container; the bytes must already have matched their checksum.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] if the bytes are not a burnpack container.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        let tensors = Reader::from_bytes(Bytes::from_bytes_vec(bytes))
            .and_then(Reader::into_tensors)
            .map_err(|e| Error::corrupt(e.to_string()).in_place("weights"))?;
        let tensors = tensors.into_iter().map(|t| (t.name.clone(), t)).collect();
        Ok(Self { tensors })
    }

    /// Takes one tensor out, checked for shape and for numbers that are not finite.
    ///
    /// # Errors
    /// - [`ErrorKind::Corrupt`] if the tensor is missing, has another shape, a type a record cannot
    ///   have, or holds NaN or infinity; the message names it.
    pub fn take(&mut self, name: &str, shape: &[usize]) -> Result<Numbers> {
        self.take_numbers(name, shape)
            .map_err(|e| e.in_place(format!("tensor {name}")).in_place("weights"))
    }

    /// Takes one tensor out as float32.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn take_float32(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let columns = shape.last().copied().unwrap_or(1);
        Ok(self.take(name, shape)?.into_float32(columns))
    }

    /// Takes one matrix out as int8 with scales along [`ScaleAxis::Column`], quantizing it where the
    /// record holds it otherwise.
    ///
    /// # Errors
    /// As [`Self::take`].
    #[cfg(feature = "encoder")]
    pub(crate) fn take_int8(&mut self, name: &str, shape: [usize; 2]) -> Result<Int8Matrix> {
        let (codes, scales) = match self.take(name, &shape)? {
            Numbers::Int8Columns(codes, scales) => (codes, scales),
            numbers => quantize(
                &numbers.into_float32(shape[1]),
                shape[1],
                ScaleAxis::Column,
                MOST_INT8,
            ),
        };
        Ok(Int8Matrix { codes, scales })
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] if the record holds a tensor that was not taken; the message names it.
    pub fn finish(self) -> Result<()> {
        match self.tensors.keys().next() {
            None => Ok(()),
            Some(name) => Err(
                Error::corrupt("is not part of the architecture on the card")
                    .in_place(format!("tensor {name}"))
                    .in_place("weights"),
            ),
        }
    }

    fn take_numbers(&mut self, name: &str, shape: &[usize]) -> Result<Numbers> {
        let (found, dtype, bytes) = self.take_bytes(name)?;
        let packed = dtype == DType::U8;
        let expected = match shape {
            [rows, columns] if packed => vec![*rows, columns.div_ceil(2)],
            _ => shape.to_vec(),
        };
        if found != expected {
            return Err(Error::corrupt(format!(
                "shape is {found:?}, expected {expected:?}"
            )));
        }
        match dtype {
            DType::F32 => {
                let values = read_float32(&bytes);
                check_finite(values.iter().copied())?;
                Ok(Numbers::Float32(values))
            }
            DType::F16 => {
                let values: Vec<f16> = bytes
                    .chunks_exact(2)
                    .map(|b| f16::from_le_bytes([b[0], b[1]]))
                    .collect();
                check_finite(values.iter().map(|v| v.to_f32()))?;
                Ok(Numbers::Float16(values))
            }
            DType::I8 | DType::U8 => {
                let [rows, columns] = *shape else {
                    return Err(Error::corrupt("codes in a tensor that is no matrix"));
                };
                let blocks = rows.div_ceil(BLOCK_ROWS);
                let (scale_shape, scales) = self.take_scales(name)?;
                let codes = if packed {
                    unpack(&bytes, columns)
                } else {
                    bytes.iter().map(|&b| b.cast_signed()).collect()
                };
                if scale_shape == [blocks, columns] {
                    Ok(Numbers::Int8Columns(codes, scales))
                } else if scale_shape == [rows, 1] && !packed {
                    Ok(Numbers::Int8Rows(codes, scales))
                } else {
                    Err(Error::corrupt(format!(
                        "scales of shape {scale_shape:?}, expected [{rows}, 1] or [{blocks}, {columns}]"
                    )))
                }
            }
            other => Err(Error::corrupt(format!(
                "numbers are {other:?}, expected F32, F16, I8 or U8"
            ))),
        }
    }

    /// Takes the scales of a tensor's codes, with their shape.
    fn take_scales(&mut self, name: &str) -> Result<(Vec<usize>, Vec<f32>)> {
        let (shape, dtype, bytes) = self.take_bytes(&format!("{name}.scale"))?;
        if dtype != DType::F32 {
            return Err(Error::corrupt("scales are not float32"));
        }
        let scales = read_float32(&bytes);
        check_finite(scales.iter().copied())?;
        Ok((shape, scales))
    }

    fn take_bytes(&mut self, name: &str) -> Result<(Vec<usize>, DType, Bytes)> {
        let tensor = self
            .tensors
            .remove(name)
            .ok_or_else(|| Error::corrupt("is missing"))?;
        let (_, dtype, shape, _, bytes) = tensor
            .into_parts()
            .map_err(|e| Error::corrupt(e.to_string()))?;
        let count = shape.iter().product::<usize>();
        let expected = count.saturating_mul(dtype.size());
        if bytes.len() != expected {
            return Err(Error::corrupt(format!(
                "holds {} bytes, expected {expected}",
                bytes.len()
            )));
        }
        Ok((shape.to_vec(), dtype, bytes))
    }
}

fn read_float32(bytes: &[u8]) -> Vec<f32> {
    bytes
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect()
}

fn check_finite(values: impl Iterator<Item = f32>) -> Result<()> {
    for (place, value) in values.enumerate() {
        if !value.is_finite() {
            return Err(Error::corrupt(format!(
                "number {place} is {value}, expected a finite number"
            )));
        }
    }
    Ok(())
}

/// Collects tensors and writes them as one record.
pub struct RecordWriter {
    encoding: WeightEncoding,
    tensors: Vec<Packed>,
}

impl RecordWriter {
    /// Starts a record whose matrices are stored in `encoding`; vectors stay float32.
    #[must_use]
    pub fn new(encoding: WeightEncoding) -> Self {
        Self {
            encoding,
            tensors: Vec::new(),
        }
    }

    /// Adds a vector, such as a bias, in float32 (float16 records: in float16).
    pub fn vector(&mut self, name: &str, values: &[f32]) {
        match self.encoding {
            WeightEncoding::Float16 => self.push_float16(name, &[values.len()], values),
            WeightEncoding::Float32 | WeightEncoding::Int8 | WeightEncoding::Int4 => {
                self.push_float32(name, &[values.len()], values);
            }
        }
    }

    /// Adds a row-major matrix of `values.len() / columns` rows.
    pub fn matrix(&mut self, name: &str, values: &[f32], columns: usize, axis: ScaleAxis) {
        let rows = values.len() / columns.max(1);
        match self.encoding {
            WeightEncoding::Float32 => self.push_float32(name, &[rows, columns], values),
            WeightEncoding::Float16 => self.push_float16(name, &[rows, columns], values),
            WeightEncoding::Int8 | WeightEncoding::Int4 => {
                let packed = self.encoding == WeightEncoding::Int4 && axis == ScaleAxis::Column;
                let most = if packed { MOST_INT4 } else { MOST_INT8 };
                let (codes, scales) = quantize(values, columns, axis, most);
                if packed {
                    let shape = [rows, columns.div_ceil(2)];
                    self.push(name, DType::U8, &shape, pack(&codes, columns));
                } else {
                    let bytes = codes.iter().map(|c| c.cast_unsigned()).collect();
                    self.push(name, DType::I8, &[rows, columns], bytes);
                }
                let scale_shape = match axis {
                    ScaleAxis::Row => [rows, 1],
                    ScaleAxis::Column => [rows.div_ceil(BLOCK_ROWS), columns],
                };
                self.push_float32(&format!("{name}.scale"), &scale_shape, &scales);
            }
        }
    }

    /// Adds a row-major matrix that is not worth quantizing, stored as [`Self::vector`] stores.
    pub fn small_matrix(&mut self, name: &str, values: &[f32], columns: usize) {
        let rows = values.len() / columns.max(1);
        match self.encoding {
            WeightEncoding::Float16 => self.push_float16(name, &[rows, columns], values),
            WeightEncoding::Float32 | WeightEncoding::Int8 | WeightEncoding::Int4 => {
                self.push_float32(name, &[rows, columns], values);
            }
        }
    }

    /// Gives the container's bytes; equal tensors give equal bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the container cannot be laid out.
    pub fn into_bytes(self) -> Result<Vec<u8>> {
        Writer::new(self.tensors)
            .into_bytes()
            .map(|bytes| bytes.to_vec())
            .map_err(|e| Error::new(ErrorKind::Internal, e.to_string()).in_place("weights"))
    }

    fn push_float32(&mut self, name: &str, shape: &[usize], values: &[f32]) {
        let bytes = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.push(name, DType::F32, shape, bytes);
    }

    fn push_float16(&mut self, name: &str, shape: &[usize], values: &[f32]) {
        let bytes = values
            .iter()
            .flat_map(|v| f16::from_f32(*v).to_le_bytes())
            .collect();
        self.push(name, DType::F16, shape, bytes);
    }

    fn push(&mut self, name: &str, dtype: DType, shape: &[usize], bytes: Vec<u8>) {
        self.tensors.push(Packed::new(
            name.to_owned(),
            dtype,
            shape.to_vec(),
            None,
            Bytes::from_bytes_vec(bytes),
        ));
    }
}

/// Largest code of an int8 number.
const MOST_INT8: f32 = 127.0;
/// Largest code of an int4 number.
const MOST_INT4: f32 = 7.0;

/// Puts codes of four bits two to a byte, row by row.
fn pack(codes: &[i8], columns: usize) -> Vec<u8> {
    let nibble = |code: i8| (code + 8).cast_unsigned() & 15;
    codes
        .chunks(columns.max(1))
        .flat_map(|row| row.chunks(2))
        .map(|pair| nibble(pair[0]) | nibble(pair.get(1).copied().unwrap_or(0)) << 4)
        .collect()
}

/// Takes packed codes apart.
fn unpack(bytes: &[u8], columns: usize) -> Vec<i8> {
    let code = |nibble: u8| nibble.cast_signed() - 8;
    bytes
        .chunks(columns.div_ceil(2).max(1))
        .flat_map(|row| {
            let codes = row
                .iter()
                .flat_map(|byte| [code(byte & 15), code(byte >> 4)]);
            codes.take(columns)
        })
        .collect()
}

/// Quantizes a row-major matrix to signed codes of at most `most` with symmetric scales along an axis.
///
/// The scale is `max |x| / most` over the numbers that share it, and 0 where all are zero.
fn quantize(values: &[f32], columns: usize, axis: ScaleAxis, most: f32) -> (Vec<i8>, Vec<f32>) {
    let columns = columns.max(1);
    let lanes = match axis {
        ScaleAxis::Row => values.len() / columns,
        ScaleAxis::Column => (values.len() / columns).div_ceil(BLOCK_ROWS) * columns,
    };
    let lane = |place: usize| match axis {
        ScaleAxis::Row => place / columns,
        ScaleAxis::Column => place / columns / BLOCK_ROWS * columns + place % columns,
    };
    let mut scales = vec![0f32; lanes];
    for (place, value) in values.iter().enumerate() {
        let largest = &mut scales[lane(place)];
        *largest = largest.max(value.abs());
    }
    for scale in &mut scales {
        *scale /= most;
    }
    let codes = values
        .iter()
        .enumerate()
        .map(|(place, value)| int8_code(*value, scales[lane(place)]))
        .collect();
    (codes, scales)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn record(encoding: WeightEncoding) -> Vec<u8> {
        let mut writer = RecordWriter::new(encoding);
        writer.matrix("m", &[1.0, -2.0, 0.5, 4.0, 0.0, -0.25], 3, ScaleAxis::Row);
        writer.vector("v", &[0.5, 0.25]);
        writer.into_bytes().unwrap()
    }

    #[test]
    fn numbers_survive_within_the_step_of_their_encoding() {
        for (encoding, step) in [
            (WeightEncoding::Float32, 0.0),
            (WeightEncoding::Float16, 1e-3),
            (WeightEncoding::Int8, 4.0 / 127.0),
            (WeightEncoding::Int4, 4.0 / 127.0),
        ] {
            let mut reader = RecordReader::from_bytes(record(encoding)).unwrap();
            let matrix = reader.take_float32("m", &[2, 3]).unwrap();
            for (got, expected) in matrix.iter().zip([1.0, -2.0, 0.5, 4.0, 0.0, -0.25]) {
                assert!((got - expected).abs() <= step, "{encoding:?} {got}");
            }
            assert_eq!(reader.take_float32("v", &[2]).unwrap(), [0.5, 0.25]);
            reader.finish().unwrap();
        }
    }

    #[test]
    fn column_scales_follow_the_columns() {
        let (codes, scales) = quantize(&[127.0, 1.0, -127.0, 0.5], 2, ScaleAxis::Column, MOST_INT8);
        assert_eq!(codes, [127, 127, -127, 64]);
        assert_eq!(scales, [1.0, 1.0 / 127.0]);
    }

    #[test]
    fn four_bits_are_packed_and_come_back_as_int8_codes() {
        for columns in [1, 2, 3, 8] {
            let rows = BLOCK_ROWS + 2;
            let values: Vec<f32> = (0..rows * columns).map(|n| (n % 15) as f32 - 7.0).collect();
            let mut writer = RecordWriter::new(WeightEncoding::Int4);
            writer.matrix("m", &values, columns, ScaleAxis::Column);
            let bytes = writer.into_bytes().unwrap();
            let mut reader = RecordReader::from_bytes(bytes).unwrap();
            let Numbers::Int8Columns(codes, scales) = reader.take("m", &[rows, columns]).unwrap()
            else {
                panic!("int4 is read as something else");
            };
            assert_eq!(scales.len(), 2 * columns);
            assert!(codes.iter().all(|code| code.abs() <= 7), "{codes:?}");
            let read = Numbers::Int8Columns(codes, scales).into_float32(columns);
            for (got, expected) in read.iter().zip(&values) {
                assert!((got - expected).abs() <= 0.5001, "{got} {expected}");
            }
            reader.finish().unwrap();
        }
    }

    #[test]
    fn packed_codes_of_another_width_or_with_row_scales_are_refused() {
        let packed = |shape: [usize; 2], scales: [usize; 2]| {
            let mut writer = RecordWriter::new(WeightEncoding::Float32);
            let bytes = vec![0x88; shape[0] * shape[1]];
            writer.push("m", DType::U8, &shape, bytes);
            writer.push_float32("m.scale", &scales, &vec![1.0; scales[0] * scales[1]]);
            let bytes = writer.into_bytes().unwrap();
            let mut reader = RecordReader::from_bytes(bytes).unwrap();
            reader.take("m", &[4, 6]).map_err(|e| e.to_string())
        };
        assert!(packed([4, 3], [1, 6]).is_ok());
        let error = packed([4, 6], [1, 6]).unwrap_err();
        assert!(
            error.contains("shape is [4, 6], expected [4, 3]"),
            "{error}"
        );
        let error = packed([4, 3], [4, 1]).unwrap_err();
        assert!(error.contains("scales of shape [4, 1]"), "{error}");
    }

    #[test]
    fn a_large_weight_coarsens_only_its_own_block() {
        let rows = 2 * BLOCK_ROWS + 3;
        let mut values: Vec<f32> = (0..rows * 2).map(|n| (n % 7) as f32 / 7.0).collect();
        values[0] = 100.0;
        let mut writer = RecordWriter::new(WeightEncoding::Int8);
        writer.matrix("m", &values, 2, ScaleAxis::Column);
        let mut reader = RecordReader::from_bytes(writer.into_bytes().unwrap()).unwrap();
        let read = reader.take_float32("m", &[rows, 2]).unwrap();
        assert_eq!(read.len(), values.len());
        for (place, (got, expected)) in read.iter().zip(&values).enumerate() {
            let largest = if place < 2 * BLOCK_ROWS && place % 2 == 0 {
                100.0
            } else {
                1.0
            };
            assert!(
                (got - expected).abs() <= largest / 127.0,
                "{place}: {got} {expected}"
            );
        }
    }

    #[test]
    fn a_missing_tensor_is_named() {
        let mut reader = RecordReader::from_bytes(record(WeightEncoding::Float32)).unwrap();
        let error = reader.take("absent", &[1]).unwrap_err();
        assert_eq!(error.to_string(), "weights: tensor absent: is missing");
    }

    #[test]
    fn a_wrong_shape_is_named_with_both_shapes() {
        let mut reader = RecordReader::from_bytes(record(WeightEncoding::Int8)).unwrap();
        let error = reader.take("m", &[3, 2]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "weights: tensor m: shape is [2, 3], expected [3, 2]"
        );
    }

    #[test]
    fn an_extra_tensor_is_named() {
        let mut reader = RecordReader::from_bytes(record(WeightEncoding::Float32)).unwrap();
        reader.take("m", &[2, 3]).unwrap();
        let error = reader.finish().unwrap_err();
        assert!(error.to_string().contains("tensor v"), "{error}");
    }

    #[test]
    fn a_number_that_is_not_finite_is_refused() {
        let mut writer = RecordWriter::new(WeightEncoding::Float32);
        writer.vector("v", &[0.0, f32::NAN]);
        let mut reader = RecordReader::from_bytes(writer.into_bytes().unwrap()).unwrap();
        let error = reader.take("v", &[2]).unwrap_err();
        assert!(error.to_string().contains("number 1 is NaN"), "{error}");
    }

    #[test]
    fn every_truncation_is_an_error_and_no_panic() {
        for encoding in [WeightEncoding::Int8, WeightEncoding::Int4] {
            let bytes = record(encoding);
            for length in 0..bytes.len() {
                let opened = RecordReader::from_bytes(bytes[..length].to_vec())
                    .and_then(|mut r| r.take("m", &[2, 3]).and_then(|_| r.take("v", &[2])));
                assert!(opened.is_err(), "{encoding:?}, length {length}");
            }
        }
    }
}
