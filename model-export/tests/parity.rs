//! Encoders of every supported shape give the vectors of the reference implementation.
//!
//! Weights are generated and pass through the real import; `scripts/reference_vectors.py` made the
//! expected vectors with transformers.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::sync::Mutex;

use almanac::encoder::{Model, Pooling, SELF_TEST_FLOOR, WeightEncoding};
use almanac_model::check::{FLOAT32_FLOOR, cosine};
use almanac_model::import::import;
use half::{bf16, f16};
use safetensors::Dtype;
use serde_json::json;
use tempfile::TempDir;

/// The largest difference of one number of a unit vector that rounding explains.
const ROUNDING: f32 = 5e-6;

/// One large model at a time keeps the tests below 4 GB of memory.
static LARGE: Mutex<()> = Mutex::new(());

/// Gives the lowest cosine and the largest difference of one number.
fn compare(model: &Model, fixture: &common::Fixture) -> (f32, f32) {
    let (mut lowest, mut largest) = (1f32, 0f32);
    for sequence in &fixture.sequences {
        let vectors =
            pollster::block_on(model.encode_ids(std::slice::from_ref(&sequence.ids))).unwrap();
        lowest = lowest.min(cosine(&vectors[0], &sequence.vector));
        for (got, expected) in vectors[0].iter().zip(&sequence.vector) {
            largest = largest.max((got - expected).abs());
        }
    }
    (lowest, largest)
}

fn check_parity(name: &str) {
    let _guard = LARGE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let fixture = common::fixture(name);
    let folder = TempDir::new().unwrap();
    let (source, out) = (folder.path().join("source"), folder.path().join("out"));
    common::write_source(&source, &fixture.config, &common::weights(&fixture.config));
    let mut options = common::options(&source, &out, WeightEncoding::Float32);
    options.pooling = Some(match fixture.pooling.as_str() {
        "cls" => Pooling::Cls,
        _ => Pooling::Mean,
    });
    import(&options).unwrap();
    let (cosine, difference) = compare(&Model::open(&out).unwrap(), &fixture);
    let (in_integers, _) = compare(&Model::open_integer(&out).unwrap(), &fixture);
    println!(
        "{name}: lowest cosine {cosine:.7}, largest difference {difference:.1e}; \
         in integers {in_integers:.7}"
    );
    assert!(cosine >= FLOAT32_FLOOR, "{name}: cosine {cosine}");
    assert!(difference < ROUNDING, "{name}: difference {difference}");
    assert!(in_integers >= SELF_TEST_FLOOR, "{name}: {in_integers}");
}

#[test]
fn bert_base_chinese_gives_the_reference_vectors() {
    check_parity("bert-base-chinese");
}

#[test]
fn sikubert_gives_the_reference_vectors() {
    check_parity("sikubert");
}

#[test]
fn e5_small_gives_the_reference_vectors() {
    check_parity("e5-small");
}

#[test]
fn cls_pooling_gives_the_reference_vectors() {
    check_parity("minilm-cls");
}

#[test]
fn positions_of_xlm_roberta_start_after_the_padding_id() {
    check_parity("xlm-roberta-small");
}

#[test]
fn a_pytorch_file_with_old_names_and_heads_gives_the_reference_vectors() {
    let fixture = common::fixture("tiny");
    let folder = TempDir::new().unwrap();
    let (source, out) = (folder.path().join("source"), folder.path().join("out"));
    common::write_description(&source, &fixture.config);
    std::fs::copy(
        common::data("parity/tiny-pytorch_model.bin"),
        source.join("pytorch_model.bin"),
    )
    .unwrap();
    import(&common::options(&source, &out, WeightEncoding::Float32)).unwrap();
    let (cosine, difference) = compare(&Model::open(&out).unwrap(), &fixture);
    assert!(
        cosine >= FLOAT32_FLOOR && difference < ROUNDING,
        "{cosine} {difference}"
    );
}

#[test]
fn swapped_attention_weights_fall_below_the_floor() {
    let fixture = common::fixture("e5-small");
    let mut tensors = common::weights(&fixture.config);
    for tensor in &mut tensors {
        let swapped = if tensor.name.contains("self.key") {
            tensor.name.replace("self.key", "self.value")
        } else {
            tensor.name.replace("self.value", "self.key")
        };
        tensor.name = swapped;
    }
    let folder = TempDir::new().unwrap();
    let (source, out) = (folder.path().join("source"), folder.path().join("out"));
    common::write_source(&source, &fixture.config, &tensors);
    import(&common::options(&source, &out, WeightEncoding::Float32)).unwrap();
    let (cosine, _) = compare(&Model::open(&out).unwrap(), &fixture);
    assert!(cosine < FLOAT32_FLOOR, "cosine {cosine}");
}

#[test]
fn another_epsilon_shows_in_the_vectors() {
    let mut fixture = common::fixture("xlm-roberta-small");
    fixture.config["layer_norm_eps"] = json!(1e-12);
    let folder = TempDir::new().unwrap();
    let (source, out) = (folder.path().join("source"), folder.path().join("out"));
    common::write_source(&source, &fixture.config, &common::weights(&fixture.config));
    import(&common::options(&source, &out, WeightEncoding::Float32)).unwrap();
    let (_, difference) = compare(&Model::open(&out).unwrap(), &fixture);
    assert!(difference > ROUNDING, "difference {difference}");
}

#[test]
fn half_precision_weights_are_widened_exactly() {
    let config = common::tiny_config();
    let folder = TempDir::new().unwrap();
    for kind in [Dtype::F16, Dtype::BF16] {
        let mut tensors = common::weights(&config);
        for value in tensors.iter_mut().flat_map(|t| &mut t.values) {
            *value = match kind {
                Dtype::F16 => f16::from_f32(*value).to_f32(),
                _ => bf16::from_f32(*value).to_f32(),
            };
        }
        let ids = [Dtype::F32, kind].map(|kind| {
            let (source, out) = (folder.path().join("source"), folder.path().join("out"));
            common::write_description(&source, &config);
            common::write_safetensors_as(&source, &tensors, kind);
            import(&common::options(&source, &out, WeightEncoding::Float32))
                .unwrap()
                .card
                .id
        });
        assert_eq!(ids[0], ids[1], "{kind:?}");
    }
}

#[test]
fn the_vocabulary_of_multilingual_e5_small_is_accepted_in_int8() {
    let _guard = LARGE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut config = common::fixture("e5-small").config;
    config["vocab_size"] = json!(250_037);
    config["num_hidden_layers"] = json!(1);
    let folder = TempDir::new().unwrap();
    let (source, out) = (folder.path().join("source"), folder.path().join("out"));
    common::write_source(&source, &config, &common::weights(&config));
    let imported = import(&common::options(&source, &out, WeightEncoding::Int8)).unwrap();
    assert!(imported.card.weights.parts.len() >= 6);
    assert!(
        imported
            .card
            .weights
            .parts
            .iter()
            .all(|p| p.bytes <= 16 << 20)
    );
    assert!(imported.self_test.passed, "{}", imported.self_test.detail);
}
