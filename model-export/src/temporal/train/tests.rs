#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::super::loss;
use super::batch::Pairs;
use super::*;
use almanac::encoder::{ANCHOR_WIDTH, LatentBatch};
use burn::tensor::{Tensor, TensorData};

fn draws(seed: u64, count: usize) -> Vec<f32> {
    let mut chance = super::super::Chance::new(seed);
    (0..count)
        .map(|_| chance.below(1 << 20) as f32 / (1 << 20) as f32)
        .collect()
}

#[test]
fn tensor_cosent_and_its_gradient_are_those_in_plain_numbers() {
    let device = Device::flex().autodiff();
    let values = draws(1, 14);
    let labels: Vec<f64> = draws(2, 14).into_iter().map(f64::from).collect();
    for scale in [1.25, 20.0] {
        let similarities =
            Tensor::<1>::from_data(TensorData::new(values.clone(), [14]), &device).require_grad();
        let got = objective::cosent(similarities.clone(), &labels, scale, &device);
        let gradients = got.backward();
        let gradient: Vec<f32> = similarities
            .grad(&gradients)
            .unwrap()
            .into_data()
            .try_to_vec()
            .unwrap();
        let value: Vec<f32> = got.into_data().try_to_vec().unwrap();
        let plain: Vec<f64> = values.iter().map(|v| f64::from(*v)).collect();
        let (expected, slopes) = loss::cosent(&plain, &labels, scale);
        assert!((f64::from(value[0]) - expected).abs() < 1e-4);
        for (a, b) in gradient.iter().zip(slopes) {
            assert!((f64::from(*a) - b).abs() < 1e-3, "{a} {b}");
        }
    }
}

#[test]
fn tensor_divergence_and_its_gradient_are_those_in_plain_numbers() {
    let device = Device::flex().autodiff();
    let tensor = |seed| {
        Tensor::<2>::from_data(TensorData::new(draws(seed, 6), [2, 3]), &device).require_grad()
    };
    let (mean, log_variance) = (tensor(3), tensor(4));
    let latent = LatentBatch {
        mean: mean.clone(),
        log_variance: log_variance.clone(),
    };
    let pairs = Pairs {
        queries: vec![0],
        documents: vec![1],
        labels: vec![0.5],
    };
    let got = objective::log_divergence(&latent, &pairs, &device);
    let gradients = got.backward();
    let slope: Vec<f32> = mean
        .grad(&gradients)
        .unwrap()
        .into_data()
        .try_to_vec()
        .unwrap();
    let value: Vec<f32> = got.into_data().try_to_vec().unwrap();
    let (m, v) = (draws(3, 6), draws(4, 6));
    let normal = |row: usize, at: usize| loss::Normal {
        mean: f64::from(m[row * 3 + at]),
        log_variance: f64::from(v[row * 3 + at]),
    };
    let each: Vec<_> = (0..3)
        .map(|at| loss::divergence(normal(0, at), normal(1, at)))
        .collect();
    let sum = each.iter().map(|e| e.0).sum::<f64>() / 3.0;
    assert!((f64::from(value[0]) - sum.ln_1p()).abs() < 1e-5);
    for at in 0..3 {
        let expected = each[at].1[0] / 3.0 / (1.0 + sum);
        assert!((f64::from(slope[at]) - expected).abs() < 1e-5);
    }
}

/// Steps on fixed numbers, with a checkpoint after `pause`.
fn run(folder: &std::path::Path, from: usize, to: usize) -> Vec<u8> {
    let device = Device::flex().autodiff();
    device.seed(9);
    let shape = BranchShape {
        hidden: 8,
        attention: 4,
        heads: 2,
        width: 6,
        dimensions: 3,
    };
    let mut branch = TemporalBranch::new(&shape, &device);
    let mut optimizer = AdamWConfig::new()
        .with_weight_decay(1e-2)
        .with_grad_clipping(Some(GradientClippingConfig::Norm(1.0)))
        .init();
    if let Some(found) = checkpoint::load::<Progress>(folder).unwrap() {
        let progress;
        (branch, optimizer, progress) = found.resume(branch, optimizer).unwrap();
        assert_eq!(progress.step, from);
    }
    for step in from..to {
        let states = TensorData::new(draws(step as u64, 6 * 5 * 8), [6, 5, 8]);
        let anchors = TensorData::new(
            draws(100 + step as u64, 6 * ANCHOR_WIDTH),
            [6, ANCHOR_WIDTH],
        );
        let pairs = Pairs {
            queries: vec![0, 1, 2, 3],
            documents: vec![1, 2, 4, 5],
            labels: vec![0.9, 0.1, 0.5, 0.01],
        };
        let latent = branch.forward(
            Tensor::from_data(states, &device),
            None,
            Tensor::from_data(anchors, &device),
        );
        let loss = objective::loss(&latent, &pairs, Order::LogSimilarity, 1.0, &device);
        let gradients = GradientsParams::from_grads(loss.backward(), &branch);
        branch = optimizer.step(1e-2, branch, gradients);
    }
    let progress = Progress {
        step: to,
        ..Progress::default()
    };
    checkpoint::save(folder, &branch, &optimizer, &progress).unwrap();
    branch.to_record(WeightEncoding::Float32).unwrap()
}

#[test]
fn a_run_resumed_from_its_checkpoint_ends_bit_equal() {
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let whole = run(a.path(), 0, 8);
    run(b.path(), 0, 3);
    assert!(run(b.path(), 3, 8) == whole);
    assert!(run(tempfile::tempdir().unwrap().path(), 0, 7) != whole);
}
