//! The student as a model folder.

use almanac::encoder::WeightEncoding;
use almanac::{Error, ErrorKind, Result};

use super::Options;
use super::student::{Frame, Student};
use crate::{golden, import, store};

/// Writes the student in float32 as the model folder `best` of the run.
///
/// # Errors
/// - Those of the encoder and of writing files.
/// - [`ErrorKind::Internal`] if the written folder does not compute what the student does.
pub(super) fn publish(
    student: &Student,
    frame: &Frame,
    options: &Options,
    step: usize,
) -> Result<()> {
    let mut card = frame.card.clone();
    card.name.clone_from(&options.name);
    card.source_sha256 = None;
    card.max_tokens = card.max_tokens.min(options.recipe.max_tokens.max(128));
    let weights = student.to_record(&card.architecture, WeightEncoding::Float32)?;
    card.golden = golden::vectors(&frame.model(student, WeightEncoding::Float32)?)?;
    card.weights.parts = store::parts(&weights);
    card.id = import::identifier(&card, &weights);
    let folder = options.out.join("best");
    let staged = store::Staged::write(&folder, &card, &weights, &frame.tokenizer)?;
    let test =
        pollster::block_on(almanac::encoder::Model::open(staged.staging())?.self_test(usize::MAX))?;
    if !test.passed {
        return Err(Error::new(ErrorKind::Internal, test.detail).in_place(format!("step {step}")));
    }
    staged.publish(&card)
}
