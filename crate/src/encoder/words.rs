//! The word table, kept as it was shipped and read a row at a time.
//!
//! It is half of a small encoder's weights and a text touches a few rows of it, so it stays on the
//! CPU in its compact form whatever device computes the layers.

use half::f16;

use super::record::{BLOCK_ROWS, Numbers};
use crate::{Error, Result};

/// Word embeddings: one row of `width` numbers per vocabulary id.
#[derive(Debug)]
pub(crate) struct WordTable {
    numbers: Numbers,
    width: usize,
    rows: usize,
}

impl WordTable {
    /// Wraps the numbers of a `[rows, width]` tensor.
    pub(crate) fn new(numbers: Numbers, rows: usize, width: usize) -> Self {
        Self {
            numbers,
            width,
            rows,
        }
    }

    /// Appends the row of `id`, in float32, to `out`.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Incompatible`] if the id lies outside the table, as when tokenizer and
    /// weights are of different models.
    pub(crate) fn append_row(&self, id: u32, out: &mut Vec<f32>) -> Result<()> {
        let row = id as usize;
        if row >= self.rows {
            return Err(Error::new(
                crate::ErrorKind::Incompatible,
                format!("token id {row}, the word table has {} rows", self.rows),
            )
            .with_remedy("use the tokenizer the model came with"));
        }
        let range = row * self.width..(row + 1) * self.width;
        match &self.numbers {
            Numbers::Float32(values) => out.extend_from_slice(&values[range]),
            Numbers::Float16(values) => out.extend(values[range].iter().copied().map(f16::to_f32)),
            Numbers::Int8Rows(codes, scales) => {
                let scale = scales[row];
                out.extend(codes[range].iter().map(|&c| f32::from(c) * scale));
            }
            Numbers::Int8Columns(codes, scales) => {
                let scales = &scales[row / BLOCK_ROWS * self.width..];
                out.extend(
                    codes[range]
                        .iter()
                        .zip(scales)
                        .map(|(&c, &s)| f32::from(c) * s),
                );
            }
        }
        Ok(())
    }
}
