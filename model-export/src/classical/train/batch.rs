//! Examples as token ids, and the batches they are learned in.

use std::collections::HashMap;

use almanac::encoder::{Model, TextKind};
use almanac::text::Tokenizer;
use almanac::{Error, ErrorKind, Result};
use burn::tensor::{Device, Tensor, TensorData};

use super::super::data::{self, FARMING, OTHER};
use super::super::forms::Forms;
use super::super::mine::{self, Mined};
use super::super::pair::bare;
use super::super::sample;
use super::objective::Vectors;
use super::{Negatives, Options, Recipe};
use crate::evaluate::Chance;
use crate::fault;

/// A text as it is learned.
#[derive(Clone, Debug)]
struct Text {
    /// Its token ids in each of its forms, the first as it is written.
    forms: Vec<Vec<u32>>,
    text: String,
    /// The same for texts that differ in script or punctuation only.
    key: u64,
}

/// What is learned from.
pub(super) struct Examples {
    queries: Vec<Text>,
    passages: Vec<Text>,
    /// For each query, its hard negatives.
    negatives: Vec<Vec<Text>>,
    random: bool,
}

/// A text in one of its forms.
type Form<'a> = (&'a Text, usize);

/// The texts of one step.
pub(super) struct Batch<'a> {
    queries: Vec<Form<'a>>,
    passages: Vec<Form<'a>>,
    negatives: Vec<Form<'a>>,
    /// Places (query, column) other than a query's own that hold an answer too.
    pub(super) same: Vec<(usize, usize)>,
}

impl Examples {
    /// Reads the pairs that the options ask for.
    ///
    /// # Errors
    /// - Those of reading the files.
    /// - [`ErrorKind::InvalidInput`] if there are none, or fewer than a batch.
    pub(super) fn load(options: &Options, tokenizer: &Tokenizer) -> Result<Self> {
        let farming = data::read(&options.data.join(FARMING))?;
        let other = match options.others {
            0 => Vec::new(),
            _ => data::read(&options.data.join(OTHER))?,
        };
        let mut pairs = sample::others(&other, options.others, options.seed);
        pairs.extend(farming.iter().filter(|p| options.farming.holds(p)));
        if pairs.len() < options.recipe.batch {
            return Err(fault::invalid(format!(
                "{} pairs to learn from, fewer than a batch of {}",
                pairs.len(),
                options.recipe.batch
            )));
        }
        let most = options.recipe.max_tokens;
        let ids = |text: &str| -> Result<Vec<u32>> {
            let mut ids = tokenizer.ids(text)?;
            if ids.len() > most {
                let closing = ids.last().copied();
                ids.truncate(most.saturating_sub(1));
                ids.extend(closing);
            }
            Ok(ids)
        };
        let writer = options.recipe.forms.then(Forms::new).transpose()?;
        let text = |text: &str| -> Result<Text> {
            let forms = match &writer {
                Some(writer) => writer
                    .all(text)
                    .iter()
                    .map(|t| ids(t))
                    .collect::<Result<_>>()?,
                None => vec![ids(text)?],
            };
            Ok(Text {
                forms,
                text: text.to_owned(),
                key: key(text),
            })
        };
        let mut mined: HashMap<String, Vec<String>> = HashMap::new();
        if let Negatives::Mined(path) = &options.negatives {
            let lines: Vec<Mined> = mine::read(path)?;
            mined.extend(lines.into_iter().map(|m| (m.classical, m.negatives)));
        }
        let mut examples = Self {
            queries: Vec::new(),
            passages: Vec::new(),
            negatives: Vec::new(),
            random: options.negatives == Negatives::Random,
        };
        for pair in pairs {
            examples.queries.push(text(&pair.modern)?);
            examples.passages.push(text(&pair.classical)?);
            let negatives = mined.remove(&pair.classical).unwrap_or_default();
            examples
                .negatives
                .push(negatives.iter().map(|n| text(n)).collect::<Result<_>>()?);
        }
        Ok(examples)
    }

    #[cfg(test)]
    pub(super) fn of(pairs: &[(&[u32], &[u32])]) -> Self {
        let text = |ids: &[u32]| Text {
            forms: vec![ids.to_vec()],
            text: String::new(),
            key: u64::from(ids[0]),
        };
        Self {
            queries: pairs.iter().map(|(q, _)| text(q)).collect(),
            passages: pairs.iter().map(|(_, p)| text(p)).collect(),
            negatives: vec![Vec::new(); pairs.len()],
            random: false,
        }
    }

    #[cfg(test)]
    pub(super) fn with_random_negatives(mut self) -> Self {
        self.random = true;
        self
    }

    /// Gives the steps of a whole run; what does not fill a batch at the end of an epoch is left out.
    pub(super) fn steps(&self, recipe: &Recipe) -> usize {
        self.queries.len() / recipe.batch * recipe.epochs
    }

    /// Draws the batch of a step, from the seed and the step's number alone.
    pub(super) fn batch(&self, recipe: &Recipe, seed: u64, step: usize) -> Batch<'_> {
        let each = (self.queries.len() / recipe.batch).max(1);
        let epoch = (step / each) as u64;
        let order = sample::order(
            self.queries.len(),
            recipe.run,
            seed.wrapping_add(epoch.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
        );
        let start = step % each * recipe.batch;
        let places = &order[start..(start + recipe.batch).min(order.len())];
        let mut chance =
            Chance::new(seed.wrapping_add((step as u64).wrapping_mul(0xD1B5_4A32_D192_ED03)));
        let with = self.random || self.negatives.iter().any(|n| !n.is_empty());
        let mut negatives = Vec::new();
        for place in places.iter().filter(|_| with) {
            let own = &self.negatives[*place];
            let drawn = match own.is_empty() {
                false => &own[chance.below(own.len())],
                true => &self.passages[chance.below(self.passages.len())],
            };
            negatives.push((drawn, chance.below(drawn.forms.len())));
        }
        let queries = drawn(&self.queries, places, &mut chance);
        let passages = drawn(&self.passages, places, &mut chance);
        let mut same = Vec::new();
        for (row, (query, passage)) in queries.iter().zip(&passages).enumerate() {
            for (column, (text, _)) in passages.iter().chain(&negatives).enumerate() {
                let twin = queries.get(column).is_some_and(|q| q.0.key == query.0.key);
                if column != row && (text.key == passage.0.key || twin) {
                    same.push((row, column));
                }
            }
        }
        Batch {
            queries,
            passages,
            negatives,
            same,
        }
    }
}

impl Batch<'_> {
    /// Gives the token ids of all texts: queries, passages, negatives.
    pub(super) fn texts(&self) -> Vec<&[u32]> {
        self.all()
            .map(|(t, form)| t.forms[*form].as_slice())
            .collect()
    }

    /// Takes the vectors of all texts apart again.
    pub(super) fn split(&self, vectors: Tensor<2>) -> Vectors {
        let count = self.queries.len();
        let [rows, width] = vectors.dims();
        let part = |from: usize, to: usize| vectors.clone().slice([from..to, 0..width]);
        Vectors {
            queries: part(0, count),
            passages: part(count, 2 * count),
            negatives: (rows > 2 * count).then(|| part(2 * count, rows)),
        }
    }

    /// Gives the vectors of all texts by a teacher, `[texts, dimensions]`.
    ///
    /// # Errors
    /// Those of the encoder.
    pub(super) fn taught(&self, teacher: &Model, device: &Device) -> Result<Tensor<2>> {
        let count = self.queries.len();
        let mut ids: Vec<(usize, Vec<u32>)> = Vec::new();
        for (place, text) in self.all().enumerate() {
            let kind = match place < count {
                true => TextKind::Query,
                false => TextKind::Passage,
            };
            ids.push((place, teacher.ids(&text.0.text, kind)?));
        }
        ids.sort_by_key(|(_, ids)| ids.len());
        let mut vectors: Vec<Vec<f32>> = vec![Vec::new(); ids.len()];
        for part in ids.chunks(16) {
            let batch: Vec<Vec<u32>> = part.iter().map(|(_, ids)| ids.clone()).collect();
            let found = pollster::block_on(teacher.encode_ids(&batch))?;
            for ((place, _), vector) in part.iter().zip(found) {
                vectors[*place] = vector;
            }
        }
        let rows = vectors.len();
        let values = vectors.concat();
        if values.len() != rows * teacher.dimensions() {
            return Err(Error::new(
                ErrorKind::Internal,
                "a teacher's vector is missing",
            ));
        }
        Ok(Tensor::from_data(
            TensorData::new(values, [rows, teacher.dimensions()]),
            device,
        ))
    }

    fn all(&self) -> impl Iterator<Item = &Form<'_>> {
        self.queries
            .iter()
            .chain(&self.passages)
            .chain(&self.negatives)
    }
}

/// Draws a form of each of some texts.
fn drawn<'a>(texts: &'a [Text], places: &[usize], chance: &mut Chance) -> Vec<Form<'a>> {
    let one = |place: &usize| {
        let text = &texts[*place];
        (text, chance.below(text.forms.len()))
    };
    places.iter().map(one).collect()
}

fn key(text: &str) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    bare(text).hash(&mut hasher);
    hasher.finish()
}
