//! The encoder in integers gives what the one in float32 gives for the same record.
//!
//! all-MiniLM-L6-v2 is not in the repository: `ALMANAC_MODEL` names its imported folder.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::path::{Path, PathBuf};

use almanac::encoder::{Model, Pooling, SELF_TEST_FLOOR, TextKind, WeightEncoding};
use almanac_model::check::{Reference, cosine};
use almanac_model::export::{self, export};
use almanac_model::import::import;
use serde_json::Value;
use tempfile::TempDir;

/// The lowest cosine of two encoders that read the same int8 weights: tokens in 16 bits, another
/// exponential and another order of summation.
const SAME_WEIGHTS: f32 = 0.999_99;

/// Random texts compared.
const TEXTS: usize = 300;

fn model() -> PathBuf {
    std::env::var_os("ALMANAC_MODEL")
        .map(PathBuf::from)
        .expect("ALMANAC_MODEL is not set; run the tests with `cargo xtask test`")
}

/// Numbers that look random and repeat.
struct Draws(u64);

impl Draws {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) as usize % most
    }
}

fn vector(model: &Model, ids: &[u32]) -> Vec<f32> {
    pollster::block_on(model.encode_ids(&[ids.to_vec()]))
        .unwrap()
        .concat()
}

/// The lowest cosine of the two encoders of a folder on random ids of the given lengths.
fn lowest(folder: &Path, lengths: impl Iterator<Item = usize>) -> f32 {
    let (float32, integer) = (
        Model::open(folder).unwrap(),
        Model::open_integer(folder).unwrap(),
    );
    let words = float32.card().architecture.vocabulary;
    let mut draws = Draws(7);
    lengths
        .map(|length| {
            let ids: Vec<u32> = (0..length).map(|_| draws.below(words) as u32).collect();
            cosine(&vector(&float32, &ids), &vector(&integer, &ids))
        })
        .fold(1.0, f32::min)
}

/// Imports a model of a shape with generated weights.
fn generated(out: &Path, change: &[(&str, u64)], pooling: Pooling) {
    let mut config = common::tiny_config();
    for (field, value) in change {
        config[*field] = Value::from(*value);
    }
    let source = TempDir::new().unwrap();
    common::write_source(source.path(), &config, &common::weights(&config));
    let mut options = common::options(source.path(), out, WeightEncoding::Int8);
    options.pooling = Some(pooling);
    import(&options).unwrap();
}

#[test]
fn shapes_that_fit_no_block_give_the_vectors_of_float32() {
    for (hidden, heads, inner, pooling) in [
        (30, 3, 50, Pooling::Mean),
        (45, 5, 131, Pooling::Cls),
        (65, 1, 65, Pooling::Mean),
        (72, 6, 200, Pooling::Cls),
    ] {
        let out = TempDir::new().unwrap();
        let shape = [
            ("hidden_size", hidden),
            ("num_attention_heads", heads),
            ("intermediate_size", inner),
            ("num_hidden_layers", 3),
        ];
        generated(out.path(), &shape, pooling);
        let cosine = lowest(out.path(), 1..=64);
        assert!(cosine >= SAME_WEIGHTS, "{hidden}/{heads}/{inner}: {cosine}");
    }
}

#[test]
fn random_tokens_up_to_the_longest_text_give_the_vectors_of_float32() {
    let most = Model::open_integer(&model()).unwrap().card().max_tokens;
    let lengths = [1, 2, 3, 4, 5, 63, 64, 65, 127, most - 1, most];
    let cosine = lowest(&model(), lengths.into_iter());
    println!("random tokens: lowest cosine {cosine:.7}");
    assert!(cosine >= SAME_WEIGHTS, "{cosine}");
}

#[test]
fn five_hundred_and_twelve_tokens_give_the_vectors_of_float32() {
    let out = TempDir::new().unwrap();
    let shape = [
        ("hidden_size", 96),
        ("num_attention_heads", 12),
        ("intermediate_size", 384),
        ("num_hidden_layers", 12),
        ("max_position_embeddings", 512),
    ];
    generated(out.path(), &shape, Pooling::Mean);
    assert_eq!(Model::open(out.path()).unwrap().card().max_tokens, 512);
    let cosine = lowest(out.path(), [511, 512].into_iter());
    assert!(cosine >= SAME_WEIGHTS, "{cosine}");
}

#[test]
fn random_texts_give_the_vectors_of_float32() {
    let words: Vec<&str> = "boats on a stormy sea portrait of the artist's mother silver bowl by \
        Georg Jensen c. 1860 café naïve 農桑輯要 79.66.115 charcoal on laid paper, untitled # ? \
        woodblock print Pittsburgh steel mill at night Meissen porcelain Édouard"
        .split(' ')
        .collect();
    let (float32, integer) = (
        Model::open(&model()).unwrap(),
        Model::open_integer(&model()).unwrap(),
    );
    let mut draws = Draws(3);
    let mut lowest = 1f32;
    for _ in 0..TEXTS {
        let count = 1 + draws.below(24);
        let text: Vec<&str> = (0..count)
            .map(|_| words[draws.below(words.len())])
            .collect();
        let ids = float32.ids(&text.join(" "), TextKind::Query).unwrap();
        lowest = lowest.min(cosine(&vector(&float32, &ids), &vector(&integer, &ids)));
    }
    println!("random texts: lowest cosine {lowest:.7}");
    assert!(lowest >= SAME_WEIGHTS, "{lowest}");
}

#[test]
fn the_reference_and_the_golden_sentences_are_met_in_integers() {
    let integer = Model::open_integer(&model()).unwrap();
    let reference = Reference::read(&common::data("reference-minilm.json")).unwrap();
    let comparison = reference.compare(&integer).unwrap();
    println!("reference: lowest cosine {:.7}", comparison.lowest_cosine);
    assert_eq!(comparison.texts, 20);
    assert!(
        comparison.lowest_cosine >= SELF_TEST_FLOOR,
        "{} for {:?}",
        comparison.lowest_cosine,
        comparison.lowest_text
    );
    let test = pollster::block_on(integer.self_test(usize::MAX)).unwrap();
    assert!(test.passed, "{}", test.detail);
}

#[test]
fn a_text_is_encoded_alike_whatever_came_before() {
    let integer = Model::open_integer(&model()).unwrap();
    let long: Vec<u32> = (1000..1200).collect();
    let short = [101, 4533, 2006, 102];
    let alone = vector(&integer, &short);
    vector(&integer, &long);
    assert_eq!(vector(&integer, &short), alone);
    let both = pollster::block_on(integer.encode_ids(&[long, short.to_vec()])).unwrap();
    assert_eq!(both[1], alone);
}

#[test]
fn token_states_are_those_of_float32() {
    let (float32, integer) = (
        Model::open(&model()).unwrap(),
        Model::open_integer(&model()).unwrap(),
    );
    let ids = vec![101, 4533, 2006, 1037, 2712, 102];
    let expected: Vec<f32> = float32
        .token_states(std::slice::from_ref(&ids))
        .unwrap()
        .states
        .into_data()
        .try_to_vec()
        .unwrap();
    let got = integer.network().states(&ids).unwrap();
    let hidden = integer.dimensions();
    assert_eq!(got.len(), ids.len() * hidden);
    for (got, expected) in got.chunks_exact(hidden).zip(expected.chunks_exact(hidden)) {
        assert!(cosine(got, expected) >= SAME_WEIGHTS);
    }
}

#[test]
fn every_encoding_of_a_record_is_read_in_integers() {
    let config = common::tiny_config();
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("source");
    common::write_source(&source, &config, &common::weights(&config));
    for encoding in [
        WeightEncoding::Float32,
        WeightEncoding::Float16,
        WeightEncoding::Int8,
    ] {
        let out = folder.path().join(encoding.name());
        import(&common::options(&source, &out, encoding)).unwrap();
        let integer = Model::open_integer(&out).unwrap();
        let test = pollster::block_on(integer.self_test(usize::MAX)).unwrap();
        assert!(test.passed, "{encoding:?}: {}", test.detail);
    }
}

#[test]
fn four_bit_weights_are_one_model_in_float32_and_in_integers() {
    let config = common::tiny_config();
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("source");
    common::write_source(&source, &config, &common::weights(&config));
    let (model, out) = (folder.path().join("float32"), folder.path().join("int4"));
    import(&common::options(&source, &model, WeightEncoding::Float32)).unwrap();
    let (card, test) = export(&export::Options {
        model,
        out: out.clone(),
        encoding: WeightEncoding::Int4,
        license: None,
    })
    .unwrap();
    assert!(test.passed, "{}", test.detail);
    assert!(card.id.contains("-int4-"), "{}", card.id);
    for model in [
        Model::open(&out).unwrap(),
        Model::open_integer(&out).unwrap(),
    ] {
        let test = pollster::block_on(model.self_test(usize::MAX)).unwrap();
        assert!(test.passed, "{}", test.detail);
    }
    let refused = import(&common::options(
        &source,
        &folder.path().join("x"),
        WeightEncoding::Int4,
    ));
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("export with --weights int4"), "{refused}");
}

#[test]
fn each_side_says_what_it_cannot_give() {
    let folder = TempDir::new().unwrap();
    generated(folder.path(), &[], Pooling::Mean);
    let ids = vec![vec![2, 4, 3]];
    let integer = Model::open_integer(folder.path()).unwrap();
    assert!(integer.token_states(&ids).unwrap_err().is_unsupported());
    let float32 = Model::open(folder.path()).unwrap();
    assert!(
        float32
            .network()
            .states(&ids[0])
            .unwrap_err()
            .is_unsupported()
    );
    for model in [&integer, &float32] {
        let empty = pollster::block_on(model.encode_ids(&[vec![]])).unwrap_err();
        assert_eq!(
            empty.to_string(),
            "a sequence of 0 tokens, expected 1 to 64"
        );
        let foreign = pollster::block_on(model.encode_ids(&[vec![2, 64, 3]])).unwrap_err();
        assert!(foreign.is_incompatible(), "{foreign}");
    }
}
