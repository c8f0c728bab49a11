//! Training of the temporal branch with Burn's automatic differentiation.
//!
//! The encoder's token states are frozen and kept on disk. Every batch is drawn from the seed and
//! the number of its step alone, so a run that was stopped goes on from its last checkpoint to the
//! same numbers.

mod batch;
mod curve;
mod measure;
mod objective;
mod progress;

pub use curve::Point;
pub use measure::Figures;

use std::path::PathBuf;

use almanac::encoder::{
    BRANCH_FORMAT, BRANCH_VERSION, BranchCard, BranchShape, LatentScore, Model, TemporalBranch,
    WeightEncoding,
};
use almanac::index::FileRef;
use almanac::{Error, ErrorKind, Result};
use burn::grad_clipping::GradientClippingConfig;
use burn::optim::{AdamWConfig, GradientsParams, ModuleOptimizer};
use burn::tensor::Device;
use indicatif::ProgressBar;

use super::shards::{list, read_shard};
use super::states::TokenCache;
use super::tuple::Group;
use super::voice::Split;
use crate::training::{checkpoint, learning_rate};
use progress::Progress;

/// How to train, and with what.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder with shards of both splits.
    pub data: PathBuf,
    /// Folder of the encoder.
    pub model: PathBuf,
    /// Folder of the branch, its curve and its checkpoints.
    pub out: PathBuf,
    /// File with token states.
    pub cache: PathBuf,
    /// Queries to train on, each with about eight texts beside it.
    pub groups: usize,
    /// Held-out queries to measure on.
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
    /// What CoSENT orders.
    pub order: Order,
    /// Weight of the distance between logarithms of similarity and label.
    pub calibration: f64,
    /// Steps between two measurements, each with a checkpoint.
    pub every: usize,
    /// Measurements without a better one after which training ends.
    pub patience: usize,
    /// Shape of the branch; none for the usual one.
    pub shape: Option<BranchShape>,
    /// Seed.
    pub seed: u64,
}

/// What CoSENT orders; the order of the labels is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The similarity, times 20, as in TEMPS.
    Similarity,
    /// The logarithm of the similarity, which tells small similarities apart too.
    LogSimilarity,
}

/// Trains, measures and writes the branch.
///
/// # Errors
/// - [`ErrorKind::InvalidInput`] if data are missing or a number is 0.
/// - Those of reading and writing files and of the encoder.
pub fn train(options: &Options) -> Result<Figures> {
    let (train, held) = (load(options, Split::Train)?, load(options, Split::HeldOut)?);
    let encoder = Model::open(&options.model)?;
    let texts = texts(&train).chain(texts(&held)).collect::<Vec<_>>();
    let cache = TokenCache::fill(&options.cache, &encoder, &texts)?;
    let shape = options
        .shape
        .unwrap_or_else(|| BranchShape::for_hidden(cache.hidden()));
    std::fs::create_dir_all(&options.out).map_err(|e| Error::io(&options.out, &e))?;

    let device = Device::flex().autodiff();
    device.seed(options.seed);
    let mut branch = TemporalBranch::new(&shape, &device);
    let mut optimizer = AdamWConfig::new()
        .with_weight_decay(options.weight_decay)
        .with_epsilon(1e-8)
        .with_grad_clipping(Some(GradientClippingConfig::Norm(options.clip)))
        .init();
    let mut progress = Progress::default();
    if let Some(found) = checkpoint::load::<Progress>(&options.out)? {
        (branch, optimizer, progress) = found.resume(branch, optimizer)?;
    }
    let last = options
        .stop_after
        .unwrap_or(options.steps)
        .min(options.steps);
    let bar = ProgressBar::new(last as u64);
    while progress.step < last && progress.waited < options.patience {
        let (loss, rate);
        (branch, loss, rate) = step(
            options,
            progress.step,
            branch,
            &mut optimizer,
            &train,
            &cache,
            &device,
        )?;
        progress.step += 1;
        progress.loss += loss;
        progress.losses += 1;
        bar.set_position(progress.step as u64);
        if progress.step % options.every == 0 || progress.step == last {
            let figures = measure::measure(&frozen(&branch, &shape)?, &held, &cache)?;
            let mean = progress.loss / progress.losses.max(1) as f64;
            let point = Point {
                step: progress.step,
                loss: mean,
                learning_rate: rate,
                spearman: figures.spearman,
                relative: figures.relative,
            };
            // The bar would draw over a line of its own.
            bar.suspend(|| eprintln!("{point}"));
            progress.add(point);
            if figures.spearman > progress.best {
                progress.best = figures.spearman;
                progress.waited = 0;
                progress::keep_best(&options.out, &branch)?;
            } else {
                progress.waited += 1;
            }
            curve::write(&options.out, &progress.points)?;
            checkpoint::save(&options.out, &branch, &optimizer, &progress)?;
        }
    }
    bar.finish_and_clear();
    publish(
        options,
        &shape,
        encoder.card().name.clone(),
        &progress,
        &held,
        &cache,
    )
}

/// One step; gives the branch after it, the loss and the learning rate.
fn step(
    options: &Options,
    number: usize,
    branch: TemporalBranch,
    optimizer: &mut ModuleOptimizer,
    groups: &[Group],
    cache: &TokenCache,
    device: &Device,
) -> Result<(TemporalBranch, f64, f64)> {
    let batch = batch::draw(groups, options.batch, options.seed, number, cache, device)?;
    let latent = branch.forward(batch.states, Some(batch.mask), batch.anchors);
    let loss = objective::loss(
        &latent,
        &batch.pairs,
        options.order,
        options.calibration,
        device,
    );
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
    let gradients = GradientsParams::from_grads(loss.backward(), &branch);
    let rate = learning_rate(
        options.learning_rate,
        options.warm_up,
        options.steps,
        number,
    );
    Ok((optimizer.step(rate, branch, gradients), value, rate))
}

/// The branch without differentiation, through the record it is published as.
fn frozen(branch: &TemporalBranch, shape: &BranchShape) -> Result<TemporalBranch> {
    let bytes = branch.to_record(WeightEncoding::Float32)?;
    TemporalBranch::from_record(shape, bytes, &Device::flex())
}

/// Writes the best branch in int8 with its card, measured as it is written.
fn publish(
    options: &Options,
    shape: &BranchShape,
    encoder: String,
    progress: &Progress,
    held: &[Group],
    cache: &TokenCache,
) -> Result<Figures> {
    let best = progress::best(&options.out)?;
    let whole = TemporalBranch::from_record(shape, best, &Device::flex())?;
    let bytes = whole.to_record(WeightEncoding::Int8)?;
    let branch = TemporalBranch::from_record(shape, bytes.clone(), &Device::flex())?;
    let figures = measure::measure(&branch, held, cache)?;
    let weights = FileRef::of_bytes("branch", "bin", &bytes);
    let card = BranchCard {
        format: BRANCH_FORMAT.to_owned(),
        version: BRANCH_VERSION,
        encoder,
        shape: *shape,
        score: LatentScore::Temps,
        encoding: WeightEncoding::Int8,
        weights: weights.clone(),
        license: "MIT OR Apache-2.0".to_owned(),
        made: vec![
            format!("seed {}", options.seed),
            format!(
                "{} training queries, {} steps of {} queries",
                options.groups, progress.step, options.batch
            ),
            format!(
                "learning rate {}, warm-up {}, weight decay {}, clipping {}",
                options.learning_rate, options.warm_up, options.weight_decay, options.clip
            ),
            format!(
                "best after step {} on the held-out pairs below",
                progress.best_step()
            ),
            format!(
                "order {:?}, calibration {}",
                options.order, options.calibration
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

fn load(options: &Options, split: Split) -> Result<Vec<Group>> {
    let count = match split {
        Split::Train => options.groups,
        Split::HeldOut => options.held_out,
    };
    let mut out = Vec::new();
    for shard in list(&options.data, split)? {
        if out.len() >= count {
            break;
        }
        out.extend(read_shard(&shard)?);
    }
    out.truncate(count);
    Ok(out)
}

fn texts(groups: &[Group]) -> impl Iterator<Item = &str> {
    groups.iter().flat_map(|g| {
        std::iter::once(g.query.text.as_str()).chain(g.others.iter().map(|o| o.text.text.as_str()))
    })
}

#[cfg(test)]
mod tests;
