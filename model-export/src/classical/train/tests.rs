#![allow(clippy::unwrap_used, clippy::expect_used)]

use almanac::encoder::record::{RecordWriter, ScaleAxis};
use almanac::encoder::{Architecture, WeightEncoding};

use super::super::loss::simcse;
use super::objective::Vectors;
use super::*;
use crate::evaluate::Chance;

const SHAPE: Architecture = Architecture {
    vocabulary: 20,
    hidden: 8,
    layers: 2,
    heads: 2,
    intermediate: 16,
    positions: 12,
    first_position: 0,
    token_types: 1,
    layer_norm_epsilon: 1e-12,
};

fn draws(chance: &mut Chance, count: usize) -> Vec<f32> {
    (0..count)
        .map(|_| chance.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0)
        .collect()
}

/// A record of seeded numbers.
fn record(seed: u64) -> Vec<u8> {
    let mut chance = Chance::new(seed);
    let mut writer = RecordWriter::new(WeightEncoding::Float32);
    let (hidden, inner) = (SHAPE.hidden, SHAPE.intermediate);
    let mut matrix = |writer: &mut RecordWriter, name: &str, rows: usize, columns: usize| {
        let values = draws(&mut chance, rows * columns);
        writer.matrix(name, &values, columns, ScaleAxis::Row);
    };
    matrix(&mut writer, "words", SHAPE.vocabulary, hidden);
    matrix(&mut writer, "position", SHAPE.positions, hidden);
    matrix(&mut writer, "token_type", SHAPE.token_types, hidden);
    let norm = |writer: &mut RecordWriter, name: &str| {
        writer.vector(&format!("{name}.gamma"), &[1.0; 8]);
        writer.vector(&format!("{name}.beta"), &[0.1; 8]);
    };
    norm(&mut writer, "norm");
    for number in 0..SHAPE.layers {
        for (part, input, output) in [
            ("attention", hidden, 3 * hidden),
            ("attention_out", hidden, hidden),
            ("up", hidden, inner),
            ("down", inner, hidden),
        ] {
            let name = format!("layers.{number}.{part}");
            matrix(&mut writer, &format!("{name}.weight"), input, output);
            writer.vector(&format!("{name}.bias"), &vec![0.05; output]);
        }
        norm(&mut writer, &format!("layers.{number}.attention_norm"));
        norm(&mut writer, &format!("layers.{number}.norm"));
    }
    writer.into_bytes().unwrap()
}

fn student(seed: u64) -> (Student, Device) {
    let device = Device::flex().autodiff();
    let student = Student::from_record(&SHAPE, record(seed), &device).unwrap();
    (student, device)
}

fn values<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().try_to_vec().unwrap()
}

#[test]
fn tensor_loss_and_its_gradient_are_those_in_plain_numbers() {
    let device = Device::flex().autodiff();
    let mut chance = Chance::new(4);
    for (symmetric, hard) in [(false, false), (false, true), (true, true)] {
        let contrast = Contrast {
            temperature: 0.2,
            hard_weight: 2.5,
            symmetric,
        };
        let mut leaf = || {
            let data = TensorData::new(draws(&mut chance, 12), [3, 4]);
            Tensor::<2>::from_data(data, &device).require_grad()
        };
        let vectors = Vectors {
            queries: leaf(),
            passages: leaf(),
            negatives: hard.then(&mut leaf),
        };
        let same = [(0, 1), (2, if hard { 4 } else { 0 })];
        let loss = objective::contrastive(&vectors, contrast, &same, &device);
        let gradient = values(vectors.queries.grad(&loss.backward()).unwrap());

        let rows = |tensor: &Tensor<2>| -> Vec<Vec<f64>> {
            let all = values(tensor.clone());
            let row = |row: &[f32]| row.iter().map(|v| f64::from(*v)).collect();
            all.chunks(4).map(row).collect()
        };
        let queries = rows(&vectors.queries);
        let mut columns = rows(&vectors.passages);
        columns.extend(vectors.negatives.iter().flat_map(rows));
        let mut cosines: Vec<Vec<f64>> = queries
            .iter()
            .map(|q| {
                let dot = |c: &Vec<f64>| q.iter().zip(c).map(|(a, b)| a * b).sum();
                columns.iter().map(dot).collect()
            })
            .collect();
        for (row, column) in same {
            cosines[row][column] = f64::NEG_INFINITY;
        }
        let expected = simcse(&cosines, contrast);
        assert!((number(&loss).unwrap() - expected.value).abs() < 1e-4);
        for (place, got) in gradient.iter().enumerate() {
            let (row, at) = (place / 4, place % 4);
            let by_column = expected.slopes[row].iter().zip(&columns);
            let slope: f64 = by_column.map(|(s, c)| s * c[at]).sum();
            assert!((f64::from(*got) - slope).abs() < 1e-3, "{got} {slope}");
        }
    }
}

#[test]
fn padding_does_not_change_a_vector() {
    let (student, device) = student(1);
    let alone = values(student.forward(&[&[3, 4, 5]], &device));
    let padded = values(student.forward(&[&[3, 4, 5], &[6, 7, 8, 9, 10, 11]], &device));
    for (a, b) in alone.iter().zip(&padded) {
        assert!((a - b).abs() < 1e-5, "{a} {b}");
    }
    let length: f32 = alone.iter().map(|v| v * v).sum();
    assert!((length - 1.0).abs() < 1e-5);
}

#[test]
fn vectors_are_given_in_the_order_of_the_texts() {
    let (student, device) = student(1);
    let texts: [&[u32]; 3] = [&[1, 2, 3, 4, 5], &[6], &[7, 8, 9]];
    let all = values(forward(&student, &texts, 2, &device));
    for (text, row) in texts.iter().zip(all.chunks(8)) {
        let alone = values(student.forward(&[text], &device));
        for (a, b) in row.iter().zip(&alone) {
            assert!((a - b).abs() < 1e-5, "{a} {b}");
        }
    }
}

/// Examples without files.
fn examples() -> Examples {
    Examples::of(&[
        (&[1, 2, 3], &[4, 5]),
        (&[6, 7], &[8, 9, 10]),
        (&[11, 12, 13, 14], &[15]),
        (&[16, 17, 18], &[19, 2, 4]),
    ])
}

#[test]
fn twins_are_no_negatives_and_random_ones_fill_every_row() {
    let twins = Examples::of(&[
        (&[1, 2], &[4, 5]),
        (&[1, 3], &[6]),
        (&[7], &[8]),
        (&[9], &[8, 2]),
    ]);
    let recipe = options(false).recipe;
    let mut same = twins.batch(&recipe, 1, 0).same;
    same.sort_unstable();
    // The first numbers stand for the texts: two queries are the same, two passages are.
    assert_eq!(same.len(), 4);
    for (row, column) in &same {
        assert!(row != column && same.contains(&(*column, *row)));
    }
    let random = twins.with_random_negatives();
    let batch = random.batch(&recipe, 1, 0);
    assert_eq!(batch.texts().len(), 12);
    assert_eq!(random.steps(&recipe), 1);
}

fn options(cached: bool) -> Options {
    Options {
        data: PathBuf::new(),
        model: PathBuf::new(),
        out: PathBuf::new(),
        others: 0,
        farming: Farming::None,
        negatives: Negatives::InBatch,
        recipe: Recipe {
            batch: 4,
            run: 2,
            learning_rate: 1e-2,
            ..Recipe::small()
        },
        teacher: None,
        chunk: 3,
        cached,
        every: 1,
        stop_after: None,
        name: String::new(),
        seed: 1,
    }
}

/// All gradients in the order of the module.
fn flat(student: &Student, gradients: &GradientsParams) -> Vec<f32> {
    struct All<'a>(&'a GradientsParams, Vec<f32>);
    impl burn::module::ModuleVisitor for All<'_> {
        fn visit_float<const D: usize>(&mut self, param: &burn::module::Param<Tensor<D>>) {
            self.1.extend(values(self.0.get::<D>(param.id).unwrap()));
        }
    }
    let mut all = All(gradients, Vec::new());
    student.visit(&mut all);
    all.1
}

#[test]
fn cached_gradients_are_those_of_the_whole_batch() {
    let (student, device) = student(2);
    let examples = examples();
    let batch = examples.batch(&options(false).recipe, 1, 0);
    let get = |cached| gradients(&student, &batch, None, &options(cached), &device).unwrap();
    let ((plain, whole), (again, parts)) = (get(false), get(true));
    assert!((plain - again).abs() < 1e-5);
    let (whole, parts) = (flat(&student, &whole), flat(&student, &parts));
    let largest = whole.iter().fold(0f32, |most, v| most.max(v.abs()));
    assert!(largest > 1e-3);
    for (a, b) in whole.iter().zip(&parts) {
        assert!((a - b).abs() < 1e-4 * largest.max(1.0), "{a} {b}");
    }
}

#[test]
fn gradient_of_the_word_table_is_that_of_finite_differences() {
    let (student, device) = student(3);
    let examples = examples();
    let recipe = options(false).recipe;
    let batch = examples.batch(&recipe, 1, 0);
    let (_, gradients) = gradients(&student, &batch, None, &options(false), &device).unwrap();
    let slopes = flat(&student, &gradients);
    let loss = |place: usize, by: f32| {
        // The word table is the first tensor of the record, as of the module.
        let mut changed = almanac::encoder::record::RecordReader::from_bytes(record(3)).unwrap();
        let mut words = changed
            .take_float32("words", &[SHAPE.vocabulary, SHAPE.hidden])
            .unwrap();
        words[place] += by;
        let student = student.clone().with_words(words, &device);
        let vectors = forward(&student, &batch.texts(), 8, &device);
        let loss =
            objective::contrastive(&batch.split(vectors), recipe.contrast, &batch.same, &device);
        number(&loss).unwrap()
    };
    for place in [8, 17, 42, 99] {
        let slope = (loss(place, 2e-3) - loss(place, -2e-3)) / 4e-3;
        assert!(
            (slope - f64::from(slopes[place])).abs() < 0.03 * slope.abs().max(0.3),
            "{place}: {slope} {}",
            slopes[place]
        );
    }
}

#[test]
fn every_parameter_moves_and_upper_layers_move_more() {
    let (student, device) = student(4);
    let examples = examples();
    let mut options = options(false);
    options.recipe.layer_decay = 0.1;
    options.recipe.weight_decay = 0.0;
    let batch = examples.batch(&options.recipe, 1, 0);
    let (_, gradients) = gradients(&student, &batch, None, &options, &device).unwrap();
    let parts = student.by_layer(gradients, SHAPE.layers);
    let counts: Vec<usize> = parts.iter().map(GradientsParams::len).collect();
    assert_eq!(counts, [5, 12, 12]);
}

#[test]
fn student_survives_its_record() {
    let (student, _) = student(5);
    let bytes = student.to_record(&SHAPE, WeightEncoding::Float32).unwrap();
    let again = Student::from_record(&SHAPE, bytes, &Device::flex()).unwrap();
    let at = |student: &Student, device: &Device| values(student.forward(&[&[1, 2, 3]], device));
    let pairs = at(&again, &Device::flex());
    let before = at(&student, &Device::flex().autodiff());
    for (a, b) in pairs.iter().zip(&before) {
        assert!((a - b).abs() < 1e-5, "{a} {b}");
    }
}

/// Steps on fixed batches, with a checkpoint at the end.
fn run(folder: &std::path::Path, from: usize, to: usize) -> Vec<u8> {
    let (mut student, device) = student(6);
    let mut optimizer = AdamWConfig::new().init();
    if let Some(found) = checkpoint::load::<Progress>(folder).unwrap() {
        let progress;
        (student, optimizer, progress) = found.resume(student, optimizer).unwrap();
        assert_eq!(progress.step, from);
    }
    let options = options(false);
    let examples = examples();
    for step in from..to {
        let batch = examples.batch(&options.recipe, options.seed, step);
        let (_, found) = gradients(&student, &batch, None, &options, &device).unwrap();
        for part in student.by_layer(found, SHAPE.layers) {
            student = optimizer.step(1e-2, student, part);
        }
    }
    let progress = Progress {
        step: to,
        ..Progress::default()
    };
    checkpoint::save(folder, &student, &optimizer, &progress).unwrap();
    student.to_record(&SHAPE, WeightEncoding::Float32).unwrap()
}

#[test]
fn a_run_resumed_from_its_checkpoint_ends_bit_equal() {
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let whole = run(a.path(), 0, 6);
    run(b.path(), 0, 2);
    assert!(run(b.path(), 2, 6) == whole);
    assert!(run(tempfile::tempdir().unwrap().path(), 0, 5) != whole);
}

#[test]
fn distillation_is_the_mean_distance_from_the_teacher() {
    let device = Device::flex();
    let tensor = |values: [f32; 4]| {
        Tensor::<2>::from_data(TensorData::new(values.to_vec(), [2, 2]), &device)
    };
    let student = tensor([1.0, 0.0, 0.0, 1.0]);
    let teacher = tensor([1.0, 0.0, 1.0, 0.0]);
    assert_eq!(values(objective::distillation(student, teacher)), [0.5]);
}
