//! The sentences by which every copy of a model can prove that it computes the right vectors.

use almanac::Result;
use almanac::encoder::{Golden, Model, TextKind};

/// Short phrases in the scripts and styles that collections meet, some with accents or years.
const SENTENCES: [&str; 8] = [
    "oil painting of a harvest",
    "a bronze vessel from the Shang dynasty, c. 1200 BC",
    "photograph of steelworkers in Pittsburgh, 1948",
    "Château de Versailles, façade sur le jardin",
    "wooden plough for deep tillage",
    "明代青花瓷瓶",
    "凡耕之本，在於趣時，和土，務糞澤",
    "Entwürfe für Möbel aus den Jahren 1920–1925",
];

/// Encodes the sentences as queries with a float32 model on the CPU.
///
/// # Errors
/// Those of [`Model::encode`].
pub(crate) fn vectors(reference: &Model) -> Result<Vec<Golden>> {
    SENTENCES
        .into_iter()
        .map(|text| {
            let vector = pollster::block_on(reference.encode(text, TextKind::Query))?;
            Ok(Golden {
                text: text.to_owned(),
                vector,
            })
        })
        .collect()
}
