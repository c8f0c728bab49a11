#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::super::Chance;
use super::super::loss;
use super::super::tuple::{Anchored, Meant};
use super::batch::Pairs;
use super::network::Input;
use super::roles::lesson;
use super::*;
use almanac::encoder::temporal::reading::{FEATURES, HAN_ROWS, Token};
use almanac::encoder::temporal::readout::{BASES, LENGTHS, MEMBERS, ROLES, worth};
use almanac::time::{DayNumber, Year};
use burn::tensor::Int;

const SMALL: BranchShape = BranchShape {
    hidden: 8,
    width: 8,
    feed: 6,
    layers: 2,
};

fn draws(seed: u64, count: usize) -> Vec<f32> {
    let mut chance = Chance::new(seed);
    (0..count)
        .map(|_| chance.below(1 << 20) as f32 / (1 << 20) as f32)
        .collect()
}

fn tensor1(values: Vec<f32>, device: &Device) -> Tensor<1> {
    let count = values.len();
    Tensor::from_data(TensorData::new(values, [count]), device)
}

fn numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().try_to_vec().unwrap()
}

#[test]
fn tensor_cosent_and_its_gradient_are_those_in_plain_numbers() {
    let device = Device::flex().autodiff();
    let values = draws(1, 14);
    let labels: Vec<f64> = draws(2, 14).into_iter().map(f64::from).collect();
    for scale in [1.25, 20.0] {
        let similarities = tensor1(values.clone(), &device).require_grad();
        let got = objective::cosent(similarities.clone(), &labels, scale, &device);
        let gradients = got.backward();
        let gradient = numbers(similarities.grad(&gradients).unwrap());
        let value = numbers(got);
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
    let mean = tensor1(vec![3.0, 5.0], &device).require_grad();
    let lengths = [4.0f32, 9.0];
    let part = |at: usize| Times {
        mean: mean.clone().narrow(0, at, 1),
        length: tensor1(vec![lengths[at]], &device),
    };
    let got = objective::log_divergence(&part(0), &part(1));
    let slope = numbers(mean.grad(&got.backward()).unwrap());
    let normal = |mean: f64, length: f32| loss::Normal {
        mean,
        log_variance: (f64::from(length).powi(2) / 12.0).ln(),
    };
    let (value, slopes) = loss::divergence(normal(3.0, 4.0), normal(5.0, 9.0));
    assert!((f64::from(numbers(got)[0]) - value.ln_1p()).abs() < 1e-5);
    assert!((f64::from(slope[0]) - slopes[0] / (1.0 + value)).abs() < 1e-5);
}

fn token(place: u64) -> Token {
    let mut features = [0.0; FEATURES];
    features.copy_from_slice(&draws(100 + place, FEATURES));
    Token {
        id: (!place.is_multiple_of(3)).then_some(place as u32),
        han: place.is_multiple_of(4).then_some(place as usize % HAN_ROWS),
        features,
        number: if place.is_multiple_of(2) {
            7.0 + place as f32
        } else {
            0.0
        },
        completed: 0.0,
        before_month: 31.0,
        start: place as usize,
    }
}

fn rows_of(tokens: &[Token]) -> Vec<f32> {
    let with = tokens.iter().filter_map(|t| t.id);
    with.flat_map(|id| draws(u64::from(id), SMALL.hidden))
        .collect()
}

/// One text as the module takes it, with `padding` empty places behind.
fn input(tokens: &[Token], padding: usize, device: &Device) -> Input {
    let count = tokens.len() + padding;
    let mut rows = vec![0f32; count * SMALL.hidden];
    let mut features = vec![0f32; count * FEATURES];
    let (mut han, mut is_han, mut mask) = (vec![0i64; count], vec![0f32; count], vec![0f32; count]);
    for (at, token) in tokens.iter().enumerate() {
        if let Some(id) = token.id {
            rows[at * SMALL.hidden..(at + 1) * SMALL.hidden]
                .copy_from_slice(&draws(id.into(), SMALL.hidden));
        }
        features[at * FEATURES..(at + 1) * FEATURES].copy_from_slice(&token.features);
        if let Some(row) = token.han {
            han[at] = row as i64;
            is_han[at] = 1.0;
        }
        mask[at] = 1.0;
    }
    let two = |v: Vec<f32>| Tensor::<2>::from_data(TensorData::new(v, [1, count]), device);
    Input {
        rows: Tensor::from_data(TensorData::new(rows, [1, count, SMALL.hidden]), device),
        features: Tensor::from_data(TensorData::new(features, [1, count, FEATURES]), device),
        han: Tensor::<2, Int>::from_data(TensorData::new(han, [1, count]), device),
        is_han: two(is_han),
        mask: two(mask),
    }
}

#[test]
fn the_library_says_what_the_module_says_and_padding_changes_nothing() {
    let device = Device::flex();
    device.seed(3);
    let network = Network::new(&SMALL, &device);
    let bytes = network.to_record(WeightEncoding::Float32).unwrap();
    let branch = TemporalBranch::from_record(&SMALL, bytes).unwrap();
    let tokens: Vec<Token> = (0..9).map(token).collect();
    let plain = branch.say(&tokens, &rows_of(&tokens));
    for padding in [0, 4] {
        let said = network.forward(input(&tokens, padding, &device), &device);
        let near = |a: &[f32], b: &[f32]| {
            assert!(!a.is_empty());
            for (a, b) in a.iter().zip(b) {
                assert!((a - b).abs() < 1e-4, "{a} {b}");
            }
        };
        near(&plain.roles, &numbers(said.roles));
        near(&plain.members, &numbers(said.members));
        let (bases, lengths) = (numbers(said.bases), numbers(said.lengths));
        let (shift, calendar) = (numbers(said.shift), numbers(said.calendar));
        for (at, end) in plain.ends.iter().enumerate() {
            near(&end.0, &bases[at * BASES..]);
            near(&end.1, &lengths[at * LENGTHS.len()..]);
            near(&[end.2, end.3], &[shift[at], calendar[at]]);
        }
        near(&[plain.apart], &numbers(said.apart));
    }
}

#[test]
fn shares_near_one_give_the_time_of_the_choices() {
    let device = Device::flex();
    let anchor = DayNumber::from_gregorian(Year(1999), 3, 4).unwrap();
    let tokens: Vec<Token> = (0..6).map(token).collect();
    let sharp = |seed, count: usize, choices: usize| -> Vec<f32> {
        let mut chance = Chance::new(seed);
        (0..count)
            .flat_map(|_| {
                let one = chance.below(choices);
                (0..choices).map(move |c| if c == one { 8.0 } else { 0.0 })
            })
            .collect()
    };
    for seed in 0..20 {
        let (roles, members) = (sharp(seed, 6, ROLES), sharp(seed + 99, 6, MEMBERS));
        let (from, lengths) = (sharp(seed + 7, 2, BASES), sharp(seed + 8, 2, LENGTHS.len()));
        let (shift, calendar) = ([0.5f32, -0.5], [4.0f32, -4.0]);
        let ends = [0, 1].map(|n| {
            let end = almanac::encoder::temporal::readout::End {
                bases: &from[n * BASES..(n + 1) * BASES],
                lengths: &lengths[n * LENGTHS.len()..(n + 1) * LENGTHS.len()],
                shift: shift[n],
                calendar: calendar[n],
            };
            almanac::encoder::temporal::readout::end(n, &end, &tokens, &roles, &members, anchor)
        });
        let expected = almanac::encoder::temporal::readout::join(ends, 1.0).unwrap();
        let three = |v: Vec<f32>, a: usize, b: usize| {
            Tensor::<3>::from_data(TensorData::new(v, [1, a, b]), &device)
        };
        let said = network::Said {
            roles: three(roles, 6, ROLES),
            members: three(members, 6, MEMBERS),
            bases: three(from, 2, BASES),
            lengths: three(lengths, 2, LENGTHS.len()),
            shift: Tensor::from_data(TensorData::new(shift.to_vec(), [1, 2]), &device),
            calendar: Tensor::from_data(TensorData::new(calendar.to_vec(), [1, 2]), &device),
            apart: tensor1(vec![9.0], &device),
        };
        let worths = tokens.iter().flat_map(worth).collect();
        let got = readout::times(said, three(worths, 6, ROLES), &[anchor], &device).unwrap();
        let (mean, length) = (numbers(got.mean)[0], numbers(got.length)[0]);
        let mean = f64::from(mean) + readout::ORIGIN;
        let off = (mean - expected.mean()).abs();
        // Float32 tells days of a distant time apart by its distance only.
        assert!(
            off < 1.0 + expected.mean().abs() * 1e-5,
            "{mean} {expected:?}"
        );
        assert!((f64::from(length) / expected.length() - 1.0).abs() < 1e-3);
    }
}

fn counted(number: f32, before_month: f32, start: usize) -> Token {
    let mut features = [0.0; FEATURES];
    features[5] = f32::from(u8::from(number == 0.0));
    Token {
        id: None,
        han: None,
        features,
        number,
        completed: 0.0,
        before_month,
        start,
    }
}

fn meaning(form: &str, first: (i64, u8, u8), last: (i64, u8, u8), anchor: DayNumber) -> Anchored {
    let day = |(y, m, d)| DayNumber::from_gregorian(Year(y), m, d).unwrap().0 as f64;
    let (a, b) = (day(first), day(last));
    let (mean, length) = ((a + b + 1.0) / 2.0, b - a + 1.0);
    Anchored {
        text: String::new(),
        anchor: anchor.0,
        mean,
        length,
        form: form.to_owned(),
        meant: vec![Meant {
            from: 10,
            to: 20,
            form: form.to_owned(),
            ends: [(mean, length); 2],
        }],
    }
}

#[test]
fn what_numbers_count_is_found_from_what_is_meant() {
    let anchor = DayNumber::from_gregorian(Year(1900), 6, 1).unwrap();
    let roles = |text: &Anchored, tokens: &[Token]| {
        let lesson = lesson(text, tokens);
        lesson
            .roles
            .into_iter()
            .map(Option::unwrap)
            .collect::<Vec<_>>()
    };
    let day = meaning("day", (1853, 3, 4), (1853, 3, 4), anchor);
    let tokens = [
        counted(12.0, 334.0, 2),
        counted(4.0, 90.0, 10),
        counted(3.0, 59.0, 12),
        counted(1853.0, 0.0, 14),
    ];
    // The 12 stands before the expression.
    assert_eq!(roles(&day, &tokens), [0, 12, 11, 1]);
    let century = meaning("century-half", (1800, 1, 1), (1849, 12, 31), anchor);
    let tokens = [counted(1.0, 0.0, 10), counted(19.0, 0.0, 14)];
    assert_eq!(roles(&century, &tokens), [0, 5]);
    let ago = meaning("year-relative", (1880, 1, 1), (1880, 12, 31), anchor);
    assert_eq!(roles(&ago, &[counted(20.0, 0.0, 10)]), [2]);
    let november = meaning("date-relative", (1899, 11, 6), (1899, 11, 6), anchor);
    let tokens = [counted(6.0, 151.0, 10), counted(0.0, 304.0, 12)];
    assert_eq!(roles(&november, &tokens), [12, 11]);
    let before_christ = meaning("year", (-43, 1, 1), (-43, 12, 31), anchor);
    assert_eq!(roles(&before_christ, &[counted(44.0, 0.0, 10)]), [10]);
}

/// Steps on fixed numbers, with a checkpoint after `pause`.
fn run(folder: &std::path::Path, from: usize, to: usize) -> Vec<u8> {
    let device = Device::flex().autodiff();
    device.seed(9);
    let mut network = Network::new(&SMALL, &device);
    let mut optimizer = AdamWConfig::new()
        .with_weight_decay(1e-2)
        .with_grad_clipping(Some(GradientClippingConfig::Norm(1.0)))
        .init();
    if let Some(found) = checkpoint::load::<Progress>(folder).unwrap() {
        let progress;
        (network, optimizer, progress) = found.resume(network, optimizer).unwrap();
        assert_eq!(progress.step, from);
    }
    let pairs = Pairs {
        queries: vec![0, 1],
        documents: vec![1, 0],
        labels: vec![0.9, 0.1],
    };
    let weights = Weights {
        taught: 1.0,
        own: 1.0,
        order: 1.0,
        plain: false,
        calibration: 1.0,
    };
    for step in from..to {
        let (mut means, mut lengths) = (Vec::new(), Vec::new());
        for text in 0..2 {
            let tokens: Vec<Token> = (0..5).map(|t| token(t + text + step as u64)).collect();
            let said = network.forward(input(&tokens, 0, &device), &device);
            let worths: Vec<f32> = tokens.iter().flat_map(worth).collect();
            let worths = Tensor::from_data(TensorData::new(worths, [1, 5, ROLES]), &device);
            let anchor = DayNumber(730_000 + step as i64);
            let times = readout::times(said, worths, &[anchor], &device).unwrap();
            means.push(times.mean);
            lengths.push(times.length);
        }
        let times = Times {
            mean: Tensor::cat(means, 0),
            length: Tensor::cat(lengths, 0),
        };
        let truth = [(10.0, 300.0), (7_000.0, 20.0)];
        let loss = objective::loss(&times, &truth, &pairs, weights, &device);
        let gradients = GradientsParams::from_grads(loss.backward(), &network);
        network = optimizer.step(1e-2, network, gradients);
    }
    let progress = Progress {
        step: to,
        ..Progress::default()
    };
    checkpoint::save(folder, &network, &optimizer, &progress).unwrap();
    network.to_record(WeightEncoding::Float32).unwrap()
}

#[test]
fn a_run_stops_when_so_many_measurements_were_no_better_than_the_best() {
    let after = |values: &[f64]| Progress {
        points: values
            .iter()
            .enumerate()
            .map(|(at, validation)| Point {
                step: 100 * (at + 1),
                loss: 1.0,
                learning_rate: 0.1,
                spearman: 0.0,
                relative: 0.0,
                validation: *validation,
            })
            .collect(),
        ..Progress::default()
    };
    let over = |values: &[f64]| after(values).is_over(Some(2));
    assert!(!over(&[]) && !over(&[0.5, 0.6]) && !over(&[0.5, 0.6, 0.6]));
    assert!(over(&[0.5, 0.6, 0.6, 0.4]) && !over(&[0.5, 0.6, 0.4, 0.7]));
    assert_eq!(after(&[0.5, 0.6, 0.6]).best().unwrap().step, 200);
    assert!(!after(&[0.5, 0.4, 0.3, 0.2]).is_over(None));
}

#[test]
fn a_run_resumed_from_its_checkpoint_ends_bit_equal() {
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let whole = run(a.path(), 0, 8);
    run(b.path(), 0, 3);
    assert!(run(b.path(), 3, 8) == whole);
    assert!(run(tempfile::tempdir().unwrap().path(), 0, 7) != whole);
}
