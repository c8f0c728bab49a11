//! Training of the temporal branch with Burn's automatic differentiation.
//!
//! Sentences are drawn anew for every step, from the seed and the number of the step alone, so no
//! sentence is learned by heart, and a run that was stopped goes on from its last checkpoint to the
//! same numbers.

mod batch;
mod curve;
mod network;
mod objective;
mod readout;
mod roles;

pub use curve::Point;

use std::path::PathBuf;
use std::time::Instant;

use almanac::encoder::temporal::{
    BRANCH_FORMAT, BRANCH_VERSION, BranchCard, BranchShape, TemporalBranch,
};
use almanac::encoder::{Model, WeightEncoding};
use almanac::index::FileRef;
use almanac::{Error, ErrorKind, Result};
use burn::grad_clipping::GradientClippingConfig;
use burn::optim::{AdamWConfig, GradientsParams, ModuleOptimizer};
use burn::tensor::{Device, Tensor, TensorData};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use super::corpus::Corpus;
use super::measure::{self, Figures};
use super::voice::Split;
use super::{groups, real_groups};
use crate::training::{Accelerator, checkpoint, learning_rate};
use batch::Batch;
use network::Network;
use readout::Times;

/// How to train, and with what.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder of the encoder.
    pub model: PathBuf,
    /// Folder of the branch, its curve and its checkpoints.
    pub out: PathBuf,
    /// Held-out queries to measure on during training, and as many others at the end.
    pub held_out: usize,
    /// Steps of the whole run, by which the learning rate falls.
    pub steps: usize,
    /// Step to stop after, before the end, as if the run had been interrupted.
    pub stop_after: Option<usize>,
    /// Queries of a batch.
    pub batch: usize,
    /// Highest learning rate, reached after the warm-up.
    pub learning_rate: f64,
    /// Share of the steps in which the learning rate rises.
    pub warm_up: f64,
    /// Weight decay.
    pub weight_decay: f32,
    /// Longest gradient of a tensor.
    pub clip: f32,
    /// Share of the words that are left out of what the branch is shown.
    pub drop: f64,
    /// What the loss is made of.
    pub weights: Weights,
    /// Steps between two measurements, each with a checkpoint.
    pub every: usize,
    /// Measurements without a better figure after which the run stops and the best branch is
    /// published; none to run to the end and publish the last.
    pub patience: Option<usize>,
    /// Files of texts whose sentences a query in four is; none for templates alone.
    pub texts: Vec<PathBuf>,
    /// What computes.
    pub accelerator: Accelerator,
    /// Shape of the branch; none for the usual one.
    pub shape: Option<BranchShape>,
    /// Seed.
    pub seed: u64,
}

impl Options {
    /// The weights of a step: what is taught comes first, and comparing grows from a tenth to four
    /// tenths of the run, when numbers have found their places.
    fn weights_at(&self, step: usize) -> Weights {
        let share = step as f64 / self.steps.max(1) as f64;
        let grown = ((share - 0.1) / 0.3).clamp(0.0, 1.0);
        Weights {
            own: self.weights.own * grown,
            order: self.weights.order * grown,
            calibration: self.weights.calibration * grown,
            ..self.weights
        }
    }
}

/// The parts of the loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Weight of what is taught of the numbers and ends of each text.
    pub taught: f64,
    /// Weight of the divergence, both ways, between what a text means and what is read.
    pub own: f64,
    /// Weight of CoSENT, which orders the similarities of pairs as the closed form does.
    pub order: f64,
    /// Orders similarities, as published, and not their logarithms.
    pub plain: bool,
    /// Weight of the distance between the logarithms of similarity and label.
    pub calibration: f64,
}

/// How far a run is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Progress {
    /// Steps done.
    step: usize,
    /// Sum of the losses since the last measurement, and their number.
    loss: f64,
    losses: usize,
    /// Seconds of training before the last checkpoint.
    seconds: f64,
    points: Vec<Point>,
}

impl Progress {
    /// The measurement with the best figure on sentences to stop by; the first of equals.
    fn best(&self) -> Option<&Point> {
        self.points.iter().reduce(|best, point| {
            if point.validation > best.validation {
                point
            } else {
                best
            }
        })
    }

    /// Whether so many measurements since the best were no better.
    fn is_over(&self, patience: Option<usize>) -> bool {
        let best = self.best().map_or(0, |p| p.step);
        let since = self.points.iter().filter(|p| p.step > best).count();
        patience.is_some_and(|patience| since >= patience)
    }
}

/// The file of the best branch so far.
const BEST: &str = "best.bin";

/// Trains, measures and writes the branch of the last step, or of the best where the run may stop
/// early.
///
/// # Errors
/// - [`ErrorKind::InvalidInput`] if a number is 0.
/// - [`ErrorKind::Unsupported`] if the program was compiled without the device.
/// - Those of reading and writing files, of the encoder and of [`Corpus::read`].
pub fn train(options: &Options) -> Result<Figures> {
    let encoder = Model::open_integer(&options.model)?;
    let shape = options
        .shape
        .unwrap_or_else(|| BranchShape::for_hidden(encoder.dimensions()));
    std::fs::create_dir_all(&options.out).map_err(|e| Error::io(&options.out, &e))?;
    let device = options.accelerator.device()?;
    let corpus = Corpus::read_any(&options.texts)?;
    let corpus = corpus.as_ref();
    let seed = options.seed.wrapping_add(1);
    let held = groups(Split::HeldOut, options.held_out, seed);
    // To stop by: templates that are trained on, with other dates, and sentences that are not.
    let mut validation = groups(Split::Train, options.held_out, seed);
    if let Some(corpus) = corpus {
        let (sentences, templates) = (Split::HeldOut, Split::Train);
        let count = options.held_out;
        validation.extend(real_groups(corpus, sentences, templates, count, seed));
    }
    let source = batch::Source {
        queries: options.batch,
        seed: options.seed,
        drop: options.drop,
        corpus,
        encoder: &encoder,
    };

    device.seed(options.seed);
    let mut network = Network::new(&shape, &device);
    let mut optimizer = AdamWConfig::new()
        .with_weight_decay(options.weight_decay)
        .with_epsilon(1e-8)
        .with_grad_clipping(Some(GradientClippingConfig::Norm(options.clip)))
        .init();
    let mut progress = Progress::default();
    if let Some(found) = checkpoint::load::<Progress>(&options.out)? {
        (network, optimizer, progress) = found.resume(network, optimizer)?;
    }
    let before = progress.seconds;
    let begun = Instant::now();
    let last = options
        .stop_after
        .unwrap_or(options.steps)
        .min(options.steps);
    let bar = ProgressBar::new(last as u64);
    while progress.step < last && !progress.is_over(options.patience) {
        let (loss, rate);
        (network, loss, rate) = step(
            options,
            &source,
            progress.step,
            network,
            &mut optimizer,
            &device,
        )?;
        progress.step += 1;
        progress.loss += loss;
        progress.losses += 1;
        bar.set_position(progress.step as u64);
        let measured = progress.step % options.every == 0 || progress.step == options.steps;
        if measured {
            let branch = frozen(&network, &shape)?;
            let figures = measure::measure(&branch, &held, &encoder)?;
            let point = Point {
                step: progress.step,
                loss: progress.loss / progress.losses.max(1) as f64,
                learning_rate: rate,
                spearman: figures.spearman,
                relative: figures.relative,
                validation: measure::measure(&branch, &validation, &encoder)?.spearman,
            };
            if progress
                .best()
                .is_none_or(|best| point.validation > best.validation)
            {
                let path = options.out.join(BEST);
                std::fs::write(&path, network.to_record(WeightEncoding::Int8)?)
                    .map_err(|e| Error::io(&path, &e))?;
            }
            // The bar would draw over a line of its own.
            bar.suspend(|| eprintln!("{point}"));
            progress.points.push(point);
            progress.loss = 0.0;
            progress.losses = 0;
            curve::write(&options.out, &progress.points)?;
        }
        if measured || progress.step == last {
            progress.seconds = before + begun.elapsed().as_secs_f64();
            checkpoint::save(&options.out, &network, &optimizer, &progress)?;
        }
    }
    bar.finish_and_clear();
    let bytes = match options.patience {
        Some(_) => crate::fault::read(&options.out.join(BEST)).map_err(|e| {
            e.with_remedy("remove the checkpoint to begin again, or give no --patience")
        })?,
        None => network.to_record(WeightEncoding::Int8)?,
    };
    publish(options, &shape, &encoder, corpus, bytes, &progress)
}

/// One step; gives the network after it, the loss and the learning rate.
fn step(
    options: &Options,
    source: &batch::Source,
    number: usize,
    network: Network,
    optimizer: &mut ModuleOptimizer,
    device: &Device,
) -> Result<(Network, f64, f64)> {
    let batch = batch::draw(source, number, device)?;
    let loss = loss(&network, batch, options.weights_at(number), device)?;
    let value: Vec<f32> = loss
        .clone()
        .into_data()
        .try_to_vec()
        .map_err(|e| Error::new(ErrorKind::Internal, format!("{e:?}")))?;
    let value = f64::from(value.first().copied().unwrap_or(f32::NAN));
    if !value.is_finite() {
        return Err(
            Error::new(ErrorKind::Internal, format!("the loss is {value}"))
                .in_place(format!("step {number}"))
                .with_remedy("train with a lower --learning-rate"),
        );
    }
    let gradients = GradientsParams::from_grads(loss.backward(), &network);
    let rate = learning_rate(
        options.learning_rate,
        options.warm_up,
        options.steps,
        number,
    );
    Ok((optimizer.step(rate, network, gradients), value, rate))
}

/// The loss of a batch.
fn loss(network: &Network, batch: Batch, weights: Weights, device: &Device) -> Result<Tensor<1>> {
    let (mut means, mut lengths, mut taught) = (Vec::new(), Vec::new(), Vec::new());
    for part in batch.parts {
        let said = network.forward(part.input, device);
        let share = part.lessons.len() as f64 / batch.places.len() as f64;
        taught.push(objective::taught(&said, &part.lessons, device) * share);
        let times = readout::times(said, part.worth, &part.anchors, device)?;
        means.push(times.mean);
        lengths.push(times.length);
    }
    let places: Vec<i64> = batch.places.iter().map(|p| *p as i64).collect();
    let count = places.len();
    let places = Tensor::from_data(TensorData::new(places, [count]), device);
    let times = Times {
        mean: Tensor::cat(means, 0).select(0, places.clone()),
        length: Tensor::cat(lengths, 0).select(0, places),
    };
    let compared = objective::loss(&times, &batch.truth, &batch.pairs, weights, device);
    Ok(Tensor::cat(taught, 0).sum() * weights.taught + compared)
}

/// The branch as it is published.
fn frozen(network: &Network, shape: &BranchShape) -> Result<TemporalBranch> {
    TemporalBranch::from_record(shape, network.to_record(WeightEncoding::Int8)?)
}

/// The command line of a run with the options that are usually given; texts are named by file and
/// folder.
fn command(options: &Options) -> String {
    let mut out = format!(
        "almanac-model train temporal --held-out {} --steps {} --every {} --batch {} \
         --learning-rate {} --seed {}",
        options.held_out,
        options.steps,
        options.every,
        options.batch,
        options.learning_rate,
        options.seed
    );
    if let Some(patience) = options.patience {
        out += &format!(" --patience {patience}");
    }
    let mut option = " --texts ";
    for path in &options.texts {
        // A file of a folder of its own, such as a test set's, has too plain a name.
        let parts: Vec<_> = path.iter().rev().take(2).collect();
        let name: PathBuf = parts.into_iter().rev().collect();
        out += option;
        out += &name.to_string_lossy();
        option = " ";
    }
    out
}

/// Writes the branch in int8 with its card, measured as it is written on draws that no measurement
/// before has seen.
fn publish(
    options: &Options,
    shape: &BranchShape,
    encoder: &Model,
    corpus: Option<&Corpus>,
    bytes: Vec<u8>,
    progress: &Progress,
) -> Result<Figures> {
    let branch = TemporalBranch::from_record(shape, bytes.clone())?;
    let seed = options.seed.wrapping_add(2);
    let held = groups(Split::HeldOut, options.held_out, seed);
    let mut figures = measure::measure(&branch, &held, encoder)?;
    let known = groups(Split::Train, options.held_out, seed);
    figures.known = measure::measure(&branch, &known, encoder)?.spearman;
    if let Some(corpus) = corpus {
        let held = Split::HeldOut;
        let real = real_groups(corpus, held, held, options.held_out, seed);
        figures.real = measure::measure(&branch, &real, encoder)?.spearman;
    }
    let weights = FileRef::of_bytes("branch", "bin", &bytes);
    let card = BranchCard {
        format: BRANCH_FORMAT.to_owned(),
        version: BRANCH_VERSION,
        encoder: encoder.card().name.clone(),
        shape: *shape,
        encoding: WeightEncoding::Int8,
        weights: weights.clone(),
        license: "MIT OR Apache-2.0".to_owned(),
        made: vec![
            command(options),
            format!(
                "{} steps of {} queries with the texts beside them, all drawn anew for each step",
                progress.step, options.batch
            ),
            match corpus.map(|c| c.counts(Split::Train)) {
                Some((dated, undated)) => format!(
                    "a query in four is one of {dated} dated and {undated} undated sentences that \
                     people wrote, labelled by rules; a twentieth beside them is left out, tells \
                     when to stop and is measured on"
                ),
                None => "templates alone".to_owned(),
            },
            format!(
                "warm-up {}, weight decay {}, clipping {}, words left out {}, {:?}",
                options.warm_up, options.weight_decay, options.clip, options.drop, options.weights
            ),
            format!("{:.2} hours", progress.seconds / 3_600.0),
            format!(
                "figures: {} queries of held-out templates and sentences, seed {}; {}",
                options.held_out,
                seed,
                match (options.patience, progress.best()) {
                    (Some(_), Some(best)) => format!(
                        "step {}, the best on templates of the training data with other dates and \
                         on sentences left out of it",
                        best.step
                    ),
                    _ => "the last step, not a chosen one".to_owned(),
                }
            ),
        ],
        figures: figures.named(),
    };
    let put = |name: &str, bytes: &[u8]| {
        let path = options.out.join(name);
        std::fs::write(&path, bytes).map_err(|e| Error::io(&path, &e))
    };
    put(&weights.file, &bytes)?;
    let json = serde_json::to_vec_pretty(&card)
        .map_err(|e| Error::new(ErrorKind::Internal, e.to_string()))?;
    put("branch.json", &json)?;
    Ok(figures)
}

#[cfg(test)]
mod tests;
