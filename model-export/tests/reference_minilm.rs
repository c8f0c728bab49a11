//! all-MiniLM-L6-v2 in every encoding against token ids and vectors of an independent implementation.
//!
//! The model is not in the repository: `ALMANAC_MODEL_SOURCE` names its Hugging Face directory.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::path::PathBuf;

use almanac::encoder::{Model, Pooling, WeightEncoding};
use almanac_model::check::{Reference, floor};
use almanac_model::import::import;
use tempfile::TempDir;

const SOURCE_SHA256: &str = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db";

fn source() -> PathBuf {
    std::env::var_os("ALMANAC_MODEL_SOURCE")
        .map(PathBuf::from)
        .expect("ALMANAC_MODEL_SOURCE is not set; run the tests with `cargo xtask test`")
}

fn check_encoding(encoding: WeightEncoding) {
    let out = TempDir::new().unwrap();
    let imported = import(&common::options(&source(), out.path(), encoding)).unwrap();
    let card = &imported.card;
    assert_eq!(card.source_sha256.as_deref(), Some(SOURCE_SHA256));
    assert_eq!((card.pooling, card.max_tokens), (Pooling::Mean, 256));
    assert!(imported.self_test.passed, "{}", imported.self_test.detail);

    let model = Model::open(out.path()).unwrap();
    let reference = Reference::read(&common::data("reference-minilm.json")).unwrap();
    let comparison = reference.compare(&model).unwrap();
    println!(
        "{}: {} bytes, lowest cosine {:.7}, golden {:.7}",
        encoding.name(),
        card.weights.bytes(),
        comparison.lowest_cosine,
        imported.self_test.worst_cosine
    );
    assert_eq!(comparison.texts, 20);
    assert_eq!(comparison.other_ids, Vec::<String>::new());
    assert!(
        comparison.lowest_cosine >= floor(encoding),
        "{} for {:?}",
        comparison.lowest_cosine,
        comparison.lowest_text
    );
}

#[test]
fn float32_gives_the_reference_ids_and_vectors() {
    check_encoding(WeightEncoding::Float32);
}

#[test]
fn float16_gives_the_reference_ids_and_vectors() {
    check_encoding(WeightEncoding::Float16);
}

#[test]
fn int8_gives_the_reference_ids_and_vectors() {
    check_encoding(WeightEncoding::Int8);
}
