//! From published tensors to the bytes of a record.

use almanac::Result;
use almanac::encoder::record::{RecordWriter, ScaleAxis};
use almanac::encoder::{Architecture, WeightEncoding};

use crate::checkpoint::Checkpoint;
use crate::fault;
use crate::layout::{self, Form, Target};

/// The largest number that half precision holds.
///
/// Source: IEEE 754-2019, binary16.
const MOST_FLOAT16: f32 = 65_504.0;

/// Makes a record in the given encoding; `done` is called with the share of tensors converted.
///
/// # Errors
/// [`almanac::ErrorKind::Corrupt`], naming the tensor, if one is missing, extra, misshapen, not
/// finite, or beyond the range of the encoding.
pub(crate) fn record(
    shape: &Architecture,
    checkpoint: &Checkpoint,
    encoding: WeightEncoding,
    mut done: impl FnMut(usize, usize),
) -> Result<Vec<u8>> {
    let targets = layout::targets(shape, checkpoint)?;
    let mut writer = RecordWriter::new(encoding);
    for (number, target) in targets.iter().enumerate() {
        write(target, checkpoint, encoding, &mut writer)?;
        done(number + 1, targets.len());
    }
    writer.into_bytes()
}

fn write(
    target: &Target,
    checkpoint: &Checkpoint,
    encoding: WeightEncoding,
    writer: &mut RecordWriter,
) -> Result<()> {
    let mut parts = Vec::with_capacity(target.sources.len());
    for source in &target.sources {
        let values = checkpoint.read(source, &target.shape)?;
        if encoding == WeightEncoding::Float16
            && let Some(value) = values.iter().find(|v| v.abs() > MOST_FLOAT16)
        {
            return Err(checkpoint.in_tensor(
                source,
                fault::unsupported(format!("{value} does not fit float16"))
                    .with_remedy("import with --weights float32 or int8"),
            ));
        }
        parts.push(values);
    }
    match (target.form, target.shape.as_slice()) {
        (Form::Table, [_, columns]) => {
            writer.matrix(&target.name, &parts.concat(), *columns, ScaleAxis::Row);
        }
        (Form::SmallTable, [_, columns]) => {
            writer.small_matrix(&target.name, &parts.concat(), *columns);
        }
        (Form::Transposed, [output, input]) => {
            let columns = output * parts.len();
            let values = side_by_side(&parts, *output, *input);
            writer.matrix(&target.name, &values, columns, ScaleAxis::Column);
        }
        _ => writer.vector(&target.name, &parts.concat()),
    }
    Ok(())
}

/// Turns matrices `[output, input]` into one `[input, parts × output]`.
fn side_by_side(parts: &[Vec<f32>], output: usize, input: usize) -> Vec<f32> {
    let columns = output * parts.len();
    let mut values = vec![0f32; input * columns];
    for (number, part) in parts.iter().enumerate() {
        for (column, weights) in part.chunks_exact(input).enumerate() {
            for (row, weight) in weights.iter().enumerate() {
                values[row * columns + number * output + column] = *weight;
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_weights_are_transposed_and_stand_side_by_side() {
        let query = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let key = query.iter().map(|v| v * 10.0).collect();
        assert_eq!(
            side_by_side(&[query, key], 2, 3),
            [
                1.0, 4.0, 10.0, 40.0, 2.0, 5.0, 20.0, 50.0, 3.0, 6.0, 30.0, 60.0
            ]
        );
    }
}
