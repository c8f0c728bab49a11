//! Contrastive training of the encoder with Burn's automatic differentiation.
//!
//! The batch of a step depends on the seed and the step's number alone, so a run that was stopped
//! goes on from its last checkpoint to the same numbers.

mod batch;
mod course;
mod objective;
mod publish;
mod student;

pub use course::Point;

use std::path::PathBuf;

use almanac::encoder::{Model, WeightEncoding};
use almanac::{Error, ErrorKind, Result};
use burn::grad_clipping::GradientClippingConfig;
use burn::module::Module;
use burn::optim::{AdamWConfig, GradientsAccumulator, GradientsParams, ModuleOptimizer};
use burn::tensor::{Device, Int, Tensor, TensorData};
use indicatif::ProgressBar;

use super::loss::Contrast;
use super::sample::Farming;
use crate::training::{checkpoint, learning_rate};
use batch::{Batch, Examples};
use course::Progress;
use student::{Frame, Student};

/// Where hard negatives come from; the other passages of a batch are negatives in any case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Negatives {
    /// None besides.
    InBatch,
    /// A passage drawn at random for each query, as in the paper.
    Random,
    /// One of those that were mined for the query.
    Mined(PathBuf),
}

/// How to learn.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Most tokens of a text.
    pub max_tokens: usize,
    /// Queries of a batch.
    pub batch: usize,
    /// Neighbors in a book that come into a batch together.
    pub run: usize,
    /// Shows each text in a form drawn anew: simplified, traditional or variant characters, with or
    /// without punctuation. Of no use where the tokenizer reads them alike.
    pub forms: bool,
    /// Times each pair is seen.
    pub epochs: usize,
    /// Highest learning rate.
    pub learning_rate: f64,
    /// What the learning rate is multiplied by from each layer to the one below.
    pub layer_decay: f64,
    /// Share of the steps in which the learning rate rises.
    pub warm_up: f64,
    /// Weight decay.
    pub weight_decay: f32,
    /// Longest gradient of a tensor.
    pub clip: f32,
    /// The loss.
    pub contrast: Contrast,
}

impl Recipe {
    /// The settings of the paper on farming books, table 1.
    #[must_use]
    pub fn paper() -> Self {
        Self {
            max_tokens: 512,
            batch: 16,
            run: 1,
            forms: false,
            epochs: 3,
            learning_rate: 2e-5,
            layer_decay: 1.0,
            warm_up: 0.1,
            weight_decay: 0.0,
            clip: 1.0,
            contrast: Contrast::PAPER,
        }
    }

    /// Settings for a small encoder and many short pairs.
    #[must_use]
    pub fn small() -> Self {
        Self {
            max_tokens: 64,
            batch: 64,
            run: 8,
            forms: false,
            epochs: 1,
            learning_rate: 2e-4,
            layer_decay: 0.9,
            warm_up: 0.06,
            weight_decay: 0.01,
            clip: 1.0,
            contrast: Contrast {
                symmetric: true,
                ..Contrast::PAPER
            },
        }
    }
}

/// How to train, and with what.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder with the pairs.
    pub data: PathBuf,
    /// Model folder to start from, with float32 weights.
    pub model: PathBuf,
    /// Folder of the run.
    pub out: PathBuf,
    /// Pairs of other books to learn from.
    pub others: usize,
    /// Farming pairs to learn from.
    pub farming: Farming,
    /// Hard negatives.
    pub negatives: Negatives,
    /// Settings.
    pub recipe: Recipe,
    /// Model folder of a teacher whose vectors the student's are drawn to, and the weight of that.
    pub teacher: Option<(PathBuf, f64)>,
    /// Texts computed at once.
    pub chunk: usize,
    /// Computes the gradient chunk by chunk: memory for one chunk instead of the whole batch, for one
    /// more forward pass.
    pub cached: bool,
    /// Steps between two measurements, each with a checkpoint.
    pub every: usize,
    /// Step to stop after, before the end, as if the run had been interrupted.
    pub stop_after: Option<usize>,
    /// Name on the model card.
    pub name: String,
    /// Seed.
    pub seed: u64,
}

/// Trains, measures and writes the encoder with float32 weights as a model folder `best` in the
/// folder of the run: the one of the checkpoint that ranks the development queries best.
///
/// # Errors
/// - [`ErrorKind::InvalidInput`] if there are no pairs or the model is not float32.
/// - Those of reading and writing files and of the encoder.
pub fn train(options: &Options) -> Result<Vec<Point>> {
    let device = Device::flex().autodiff();
    device.seed(options.seed);
    let (mut student, frame) = Student::open(&options.model, &device)?;
    let start = frame.model(&student, WeightEncoding::Float32)?;
    let examples = Examples::load(options, start.tokenizer())?;
    let dev = course::Dev::load(&options.data)?;
    let teacher = match &options.teacher {
        Some((folder, _)) => Some(Model::open(folder)?),
        None => None,
    };
    std::fs::create_dir_all(&options.out).map_err(|e| Error::io(&options.out, &e))?;
    let recipe = &options.recipe;
    let mut optimizer = AdamWConfig::new()
        .with_weight_decay(recipe.weight_decay)
        .with_epsilon(1e-8)
        .with_grad_clipping(Some(GradientClippingConfig::Norm(recipe.clip)))
        .init();
    let mut progress = Progress::default();
    if let Some(found) = checkpoint::load::<Progress>(&options.out)? {
        (student, optimizer, progress) = found.resume(student, optimizer)?;
    } else {
        progress.add(dev.measure(&start, 0, 0.0)?);
        course::write(&options.out, &progress.points)?;
    }
    let steps = examples.steps(recipe);
    let last = options.stop_after.unwrap_or(steps).min(steps);
    let began = std::time::Instant::now();
    // The bar hides itself where stderr is not a terminal.
    let bar = ProgressBar::new(last as u64);
    while progress.step < last {
        let batch = examples.batch(recipe, options.seed, progress.step);
        let rate = learning_rate(recipe.learning_rate, recipe.warm_up, steps, progress.step);
        let target = match (&teacher, &options.teacher) {
            (Some(model), Some((_, weight))) => Some((batch.taught(model, &device)?, *weight)),
            _ => None,
        };
        let (loss, gradients) = gradients(&student, &batch, target, options, &device)?;
        if !loss.is_finite() {
            return Err(
                Error::new(ErrorKind::Internal, format!("the loss is {loss}"))
                    .in_place(format!("step {}", progress.step))
                    .with_remedy("train with a lower --learning-rate"),
            );
        }
        student = update(student, &mut optimizer, gradients, rate, recipe, &frame);
        progress.step += 1;
        progress.loss += loss;
        progress.losses += 1;
        bar.set_position(progress.step as u64);
        if progress.step.is_multiple_of(options.every) || progress.step == last {
            let mean = progress.loss / progress.losses.max(1) as f64;
            let model = frame.model(&student, WeightEncoding::Float32)?;
            let point = dev.measure(&model, progress.step, mean)?;
            let elapsed = began.elapsed().as_secs();
            // The bar would draw over a line of its own.
            bar.suspend(|| eprintln!("{point}  of {steps}, {elapsed} s"));
            let better = progress.points.iter().all(|p| p.mrr < point.mrr);
            progress.add(point);
            if better {
                publish::publish(&student, &frame, options, progress.step)?;
            }
            course::write(&options.out, &progress.points)?;
            checkpoint::save(&options.out, &student, &optimizer, &progress)?;
        }
    }
    bar.finish_and_clear();
    Ok(progress.points)
}

/// Gives the loss of a batch and its gradients, at once or chunk by chunk.
fn gradients(
    student: &Student,
    batch: &Batch,
    target: Option<(Tensor<2>, f64)>,
    options: &Options,
    device: &Device,
) -> Result<(f64, GradientsParams)> {
    let contrast = options.recipe.contrast;
    let texts = batch.texts();
    let objective = |vectors: Tensor<2>| {
        let contrastive =
            objective::contrastive(&batch.split(vectors.clone()), contrast, &batch.same, device);
        match &target {
            Some((teacher, weight)) => {
                contrastive + objective::distillation(vectors, teacher.clone()) * *weight
            }
            None => contrastive,
        }
    };
    if !options.cached {
        let loss = objective(forward(student, &texts, options.chunk, device));
        let value = number(&loss)?;
        return Ok((value, GradientsParams::from_grads(loss.backward(), student)));
    }
    let fixed = forward(&student.valid(), &texts, options.chunk, &Device::flex());
    let leaf = Tensor::from_inner(fixed).require_grad();
    let loss = objective(leaf.clone());
    let value = number(&loss)?;
    let slopes = leaf
        .grad(&loss.backward())
        .ok_or_else(|| Error::new(ErrorKind::Internal, "the loss has no gradient"))?;
    let mut sum = GradientsAccumulator::new();
    for places in chunks(&texts, options.chunk) {
        let part: Vec<&[u32]> = places.iter().map(|at| texts[*at]).collect();
        let vectors = student.forward(&part, device);
        let slopes =
            Tensor::from_inner(slopes.clone().select(0, integers(&places, &Device::flex())));
        let backward = (vectors * slopes).sum().backward();
        sum.accumulate(student, GradientsParams::from_grads(backward, student));
    }
    Ok((value, sum.grads()))
}

/// Gives the vectors of texts in their order, computed in chunks of like length.
fn forward(student: &Student, texts: &[&[u32]], chunk: usize, device: &Device) -> Tensor<2> {
    let chunks = chunks(texts, chunk);
    let vectors = chunks
        .iter()
        .map(|places| {
            let part: Vec<&[u32]> = places.iter().map(|at| texts[*at]).collect();
            student.forward(&part, device)
        })
        .collect();
    let order = chunks.concat();
    let mut places = vec![0; order.len()];
    for (row, text) in order.iter().enumerate() {
        places[*text] = row;
    }
    Tensor::cat(vectors, 0).select(0, integers(&places, device))
}

/// Cuts the places of texts, in order of length, into chunks.
fn chunks(texts: &[&[u32]], chunk: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|at| texts[*at].len());
    order.chunks(chunk.max(1)).map(<[usize]>::to_vec).collect()
}

fn integers(values: &[usize], device: &Device) -> Tensor<1, Int> {
    let values: Vec<i64> = values.iter().map(|v| *v as i64).collect();
    let count = values.len();
    Tensor::from_data(TensorData::new(values, [count]), device)
}

fn number(loss: &Tensor<1>) -> Result<f64> {
    let values: Vec<f32> = loss
        .clone()
        .into_data()
        .try_to_vec()
        .map_err(|e| Error::new(ErrorKind::Internal, format!("{e:?}")))?;
    Ok(f64::from(values.first().copied().unwrap_or(f32::NAN)))
}

/// Moves every layer by its own learning rate; the word table goes with the lowest.
fn update(
    mut student: Student,
    optimizer: &mut ModuleOptimizer,
    gradients: GradientsParams,
    rate: f64,
    recipe: &Recipe,
    frame: &Frame,
) -> Student {
    if recipe.layer_decay == 1.0 {
        return optimizer.step(rate, student, gradients);
    }
    let layers = frame.card.architecture.layers;
    for (layer, part) in student.by_layer(gradients, layers).into_iter().enumerate() {
        let below = (layers - layer) as i32;
        student = optimizer.step(rate * recipe.layer_decay.powi(below), student, part);
    }
    student
}

#[cfg(test)]
mod tests;
